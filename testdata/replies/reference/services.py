"""Services that list scores: the fields of their replies."""

from typing import Any

from .errors import INDEPENDENT_SUM, fail, score
from .files import is_score
from .models import Part, check_error, get, items


def pairs(values: list[Any], name: str, value: str, largest: float = 1.0) -> list[tuple[str, float]]:
    """Names and scores of a list of objects."""
    return [(get(entry, name), score(get(entry, value), largest)) for entry in values]


def huggingface(reply: object) -> list[Part]:
    """A list of classes, a batch of such lists, or the older zero-shot object (or a list of those)."""
    if isinstance(reply, dict):
        if len(items(reply, "labels")) != len(items(reply, "scores")):
            fail("shape", "labels and scores differ in length")
        scores = [(name, score(p, 1.0)) for name, p in zip(reply["labels"], reply["scores"], strict=True)]
    elif not isinstance(reply, list):
        fail("shape")
    elif reply and not is_score(reply[0]):
        return [part for inner in reply for part in huggingface(inner)]
    else:
        scores = pairs(reply, "label", "score")
    if len({name for name, _ in scores}) < len(scores):
        fail("shape", "a class is repeated")
    independent = sum(p for _, p in scores) > INDEPENDENT_SUM
    return [Part("independent" if independent else "distribution", scores=scores)]


def mean_by_name(scores: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Comprehend repeats a class once a page: the mean of its scores."""
    names = list(dict.fromkeys(name for name, _ in scores))
    by_name = {name: [p for other, p in scores if other == name] for name in names}
    return [(name, sum(found) / len(found)) for name, found in by_name.items()]


def comprehend(reply: object) -> list[Part]:
    """Sentiment, classes or labels; also a batch of sentiments."""
    if not isinstance(reply, dict):
        fail("shape")
    if "ResultList" in reply:
        return [part for inner in items(reply, "ResultList") for part in comprehend(inner)]
    if "SentimentScore" in reply:
        return [Part("distribution", scores=[(name, score(p, 1.0)) for name, p in reply["SentimentScore"].items()])]
    # A reply has both lists if the SDK fills in what is absent: the one that is not empty counts.
    if reply.get("Labels"):
        return [Part("independent", scores=mean_by_name(pairs(reply["Labels"], "Name", "Score")))]
    return [Part("distribution", scores=mean_by_name(pairs(items(reply, "Classes"), "Name", "Score")))]


def azure(reply: object) -> list[Part]:
    """Documents with confidenceScores or with a list named `class`."""
    if not isinstance(reply, dict):
        fail("shape")
    if "tasks" in reply:
        return [part for task in items(reply, "tasks", "items") for part in azure(task)]
    found = []
    for document in items(reply.get("results", reply), "documents"):
        if "class" in document:
            scores = pairs(items(document, "class"), "category", "confidenceScore")
        else:
            scores = [(name, score(p, 1.0)) for name, p in get(document, "confidenceScores").items()]
        found.append(Part("distribution", scores=scores, id=document.get("id")))
    return found


def google_nl(reply: object) -> list[Part]:
    """Categories of a text, or of its moderation."""
    name = "categories" if "categories" in dict(reply or {}) else "moderationCategories"
    return [Part("independent", scores=pairs(items(reply, name), "name", "confidence"))]


def vision(reply: object) -> list[Part]:
    """Labels of one image, or the `responses` of several."""
    if isinstance(reply, dict) and "responses" in reply:
        return [part for inner in items(reply, "responses") for part in vision(inner)]
    check_error(reply)
    return [Part("independent", scores=pairs(items(reply, "labelAnnotations"), "description", "score"))]


def rekognition(reply: object) -> list[Part]:
    """Labels in percent."""
    return [Part("independent", scores=pairs(items(reply, "Labels"), "Name", "Confidence", 100.0))]


def clarifai(reply: object) -> list[Part]:
    """One output per input."""
    return [
        Part("independent", scores=pairs(items(output, "data", "concepts"), "name", "value"), id=output.get("id"))
        for output in items(reply, "outputs")
    ]


def cohere(reply: object) -> list[Part]:
    """One classification per input."""
    found = []
    for row in items(reply, "classifications"):
        scores = [(name, score(get(value, "confidence"), 1.0)) for name, value in get(row, "labels").items()]
        found.append(Part("distribution", scores=scores, id=row.get("id")))
    return found
