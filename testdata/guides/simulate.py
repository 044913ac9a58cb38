"""Simulate the replies of two guides: `comprehend`, `azure`, `huggingface` and `judge.jsonl.gz`, and `judge-truth.csv`.

No API was called. Each black box is a seeded toy model: a row has a true class, noisy scores for it, and a bias.
The shapes are those that the vendors document (see `testdata/replies`).

    python testdata/guides/simulate.py
"""

import gzip
import json
import math
import random
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SENTIMENT = ["negative", "neutral", "positive"]
SHARES = [0.3, 0.5, 0.2]
BIAS = [0.6, -0.9, 0.3]  # this black box seldom answers neutral


def softmax(scores: list[float]) -> list[float]:
    """Probabilities."""
    exponentials = [math.exp(score) for score in scores]
    return [value / sum(exponentials) for value in exponentials]


def lines(rows: list[dict[str, Any]]) -> str:
    """JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def reviews(n: int) -> list[tuple[str, str, list[float]]]:
    """Id, true class and probabilities of the toy model; every vendor gets the same."""
    rng = random.Random(7)
    rows = []
    for number in range(1, n + 1):
        truth = rng.choices(range(3), SHARES)[0]
        scores = [1.6 * (k == truth) + bias + rng.gauss(0, 0.8) for k, bias in enumerate(BIAS)]
        rows.append((f"r{number}", SENTIMENT[truth], softmax(scores)))
    return rows


def comprehend(p: list[float]) -> dict[str, Any]:
    """DetectSentiment: four classes; Mixed is small here."""
    names = ["Negative", "Neutral", "Positive", "Mixed"]
    scores = {name: round(value, 6) for name, value in zip(names, [*(0.98 * x for x in p), 0.02], strict=True)}
    return {"Sentiment": max(scores, key=scores.__getitem__).upper(), "SentimentScore": scores}


def azure(p: list[float], identifier: str) -> dict[str, Any]:
    """analyze-text: scores with two digits."""
    scores = {name: round(value, 2) for name, value in zip(SENTIMENT, p, strict=True)}
    sentiment = max(scores, key=scores.__getitem__)
    document = {"id": identifier, "sentiment": sentiment, "confidenceScores": scores, "sentences": [], "warnings": []}
    return {
        "kind": "SentimentAnalysisResults",
        "results": {"documents": [document], "errors": [], "modelVersion": "latest"},
    }


def huggingface(p: list[float]) -> list[dict[str, Any]]:
    """text-classification with top_k=None, names as many models have them."""
    pairs = sorted(zip(p, ["LABEL_0", "LABEL_1", "LABEL_2"], strict=True), reverse=True)
    return [{"label": name, "score": round(value, 6)} for value, name in pairs]


def judge(n: int) -> tuple[list[dict[str, Any]], str]:
    """Chat completions of a lenient judge: the first 100 with a label, the truth of the others as CSV."""
    rng = random.Random(11)
    rows: list[dict[str, Any]] = []
    hidden = "id,label\n"
    for number in range(1, n + 1):
        good = rng.random() < 0.6
        z = 1.5 + (1.2 if good else -1.2) + rng.gauss(0, 1.0)
        p = 1 / (1 + math.exp(-z))
        answer = "pass" if p > 0.5 else "fail"
        listed = [
            ("pass", 0.97 * p),
            ("fail", 0.97 * (1 - p)),
            ("Pass", 0.02 * p),
            ("Fail", 0.02 * (1 - p)),
            ("The", 0.006),
        ]
        top = [
            {"token": token, "logprob": round(math.log(value), 6), "bytes": list(token.encode())}
            for token, value in listed
        ]
        top.sort(key=lambda item: -item["logprob"])
        chosen = next(item for item in top if item["token"] == answer)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": answer, "refusal": None},
            "logprobs": {"content": [chosen | {"top_logprobs": top}], "refusal": None},
            "finish_reason": "stop",
        }
        reply = {"id": f"chatcmpl-{number}", "object": "chat.completion", "model": "toy-judge", "choices": [choice]}
        truth = "pass" if good else "fail"
        is_labelled = number <= 100
        rows.append({"id": f"a{number}", "label": truth if is_labelled else None, "response": reply})
        hidden += "" if is_labelled else f"a{number},{truth}\n"
    return rows, hidden


def main() -> None:
    """Write the files."""
    labelled = [({"id": identifier, "label": label}, p) for identifier, label, p in reviews(240)]
    judged, hidden = judge(500)
    (FOLDER / "judge-truth.csv").write_text(hidden)
    files = {
        "comprehend": [row | {"response": comprehend(p)} for row, p in labelled],
        "azure": [row | {"response": azure(p, str(row["id"]))} for row, p in labelled],
        "huggingface": [row | {"response": huggingface(p)} for row, p in labelled],
        "judge": judged,
    }
    for name, rows in files.items():
        (FOLDER / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines(rows).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
