"""Replies for the tests."""

import warnings
from pathlib import Path

import numpy as np

from cwplugin import FitWarning, Replies, read_replies

FOLDER = Path(__file__).resolve().parents[2] / "testdata" / "replies"


def read(*arguments, **options) -> Replies:
    """Replies without their warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitWarning)
        return read_replies(*arguments, **options)


def scores(*shares: float, names=("ham", "spam")) -> list:
    """A reply of Hugging Face."""
    return [{"label": name, "score": share} for name, share in zip(names, shares, strict=True)]


def chat(tokens: dict[str, float], **fields) -> dict:
    """A reply of OpenAI."""
    top = [{"token": token, "logprob": float(np.log(share))} for token, share in tokens.items()]
    content = [{**top[0], "top_logprobs": top}]
    message = {"content": top[0]["token"]}
    return {"choices": [{"message": message, "logprobs": {"content": content}}], **fields}
