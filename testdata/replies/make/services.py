"""Replies of services that list scores."""

from .pieces import JSON, Listed, key, ranked


def hf(scores: Listed) -> list[JSON]:
    """Hugging Face's list of classes."""
    return [{"label": name, "score": p} for name, p in ranked(scores)]


def aws(name: str, length: int) -> JSON:
    """What boto3 adds to every reply."""
    request = key(name, "aws", length=32)
    headers = {"x-amzn-requestid": request, "content-type": "application/x-amz-json-1.1", "content-length": str(length)}
    return {"RequestId": request, "HTTPStatusCode": 200, "HTTPHeaders": headers, "RetryAttempts": 0}


def sentiment(name: str, scores: list[float]) -> JSON:
    """Comprehend's DetectSentiment; scores of Positive, Negative, Neutral, Mixed."""
    names = ["Positive", "Negative", "Neutral", "Mixed"]
    best = names[scores.index(max(scores))].upper()
    pairs = dict(zip(names, scores, strict=True))
    return {"Sentiment": best, "SentimentScore": pairs, "ResponseMetadata": aws(name, 161)}


def document_classes(name: str, field: str, pages: list[Listed]) -> JSON:
    """Comprehend's ClassifyDocument, one list of classes a page."""
    entries = [{"Name": n, "Score": p, "Page": i + 1} for i, page in enumerate(pages) for n, p in ranked(page)]
    return {
        field: entries,
        "DocumentMetadata": {
            "Pages": len(pages),
            "ExtractedCharacters": [{"Page": i + 1, "Count": 1200 + 17 * i} for i in range(len(pages))],
        },
        "DocumentType": [{"Page": i + 1, "Type": "NATIVE_PDF"} for i in range(len(pages))],
        "ResponseMetadata": aws(name, 410),
    }


def azure_document(identifier: str, scores: list[float], version: str) -> JSON:
    """A document of Azure's sentiment analysis; scores of positive, neutral, negative."""
    pairs = dict(zip(["positive", "neutral", "negative"], scores, strict=True))
    best = max(pairs, key=lambda name: pairs[name])
    sentence = {
        "sentiment": best,
        "confidenceScores": pairs,
        "offset": 0,
        "length": 31,
        "text": "The room was quiet and too hot.",
    }
    if version != "v3.0":
        sentence |= {"targets": [], "assessments": []}
    return {
        "id": identifier,
        "sentiment": best,
        "confidenceScores": pairs,
        "sentences": [sentence],
        "warnings": [],
    }


def azure_results(documents: list[JSON]) -> JSON:
    """Azure's `analyze-text`."""
    return {
        "kind": "SentimentAnalysisResults",
        "results": {"documents": documents, "errors": [], "modelVersion": "2022-11-01"},
    }


def azure_custom(rows: list[tuple[str, Listed]]) -> JSON:
    """A task of Azure's custom text classification."""
    documents = [
        {
            "id": identifier,
            "class": [{"category": name, "confidenceScore": p} for name, p in ranked(scores)],
            "warnings": [],
        }
        for identifier, scores in rows
    ]
    return {
        "kind": "CustomSingleLabelClassificationLROResults",
        "taskName": "tickets",
        "lastUpdateDateTime": "2026-11-02T09:14:11Z",
        "status": "succeeded",
        "results": {"documents": documents, "errors": [], "projectName": "tickets", "deploymentName": "production"},
    }


def azure_job(tasks: list[JSON]) -> JSON:
    """The job around Azure's tasks."""
    return {
        "jobId": "0e6c1f2a-7b43-4e0a-9a11-5b2d8c9f4e77",
        "createdDateTime": "2026-11-02T09:14:08Z",
        "lastUpdatedDateTime": "2026-11-02T09:14:11Z",
        "expirationDateTime": "2026-11-03T09:14:08Z",
        "status": "succeeded",
        "errors": [],
        "displayName": "tickets of Monday",
        "tasks": {"completed": len(tasks), "failed": 0, "inProgress": 0, "total": len(tasks), "items": tasks},
    }


def vision(scores: Listed) -> JSON:
    """Google Vision's labels of one image."""
    labels = [
        {"mid": f"/m/{key(name, length=6)}", "description": name, "score": p, "topicality": p}
        for name, p in ranked(scores)
    ]
    return {"labelAnnotations": labels}


def rekognition(name: str, scores: Listed) -> JSON:
    """Rekognition's labels, in percent."""
    box = {"Width": 0.41, "Height": 0.62, "Left": 0.22, "Top": 0.17}
    labels = [
        {
            "Name": label,
            "Confidence": percent,
            "Instances": [{"BoundingBox": box, "Confidence": percent}] if i == 0 else [],
            "Parents": [{"Name": "Animal"}] if label in ("Dog", "Cat", "Bird") else [],
            "Aliases": [],
            "Categories": [{"Name": "Animals and Pets"}],
        }
        for i, (label, percent) in enumerate(ranked(scores))
    ]
    return {"Labels": labels, "LabelModelVersion": "3.0", "ResponseMetadata": aws(name, 877)}


def clarifai(name: str, outputs: list[Listed]) -> JSON:
    """Clarifai's outputs, one per input."""
    status = {"code": 10000, "description": "Ok"}
    found = []
    for i, scores in enumerate(outputs):
        concepts = [
            {"id": f"ai_{key(label, length=8)}", "name": label, "value": p, "app_id": "main"}
            for label, p in ranked(scores)
        ]
        found.append(
            {
                "id": key(name, i, length=32),
                "status": status,
                "created_at": "2026-11-02T09:14:11.568082Z",
                "model": {"id": "general-image-recognition", "name": "Image Recognition", "app_id": "main"},
                "input": {
                    "id": key(name, i, "input", length=32),
                    "data": {"image": {"url": f"https://example.com/{i}.jpg"}},
                },
                "data": {"concepts": concepts},
            }
        )
    return {"status": status | {"req_id": key(name, "request", length=32)}, "outputs": found}


def cohere(name: str, rows: list[Listed]) -> JSON:
    """Cohere's classify."""
    found = []
    for i, scores in enumerate(rows):
        best, p = ranked(scores)[0]
        found.append(
            {
                "id": key(name, i, length=32),
                "input": f"text {i}",
                "prediction": best,
                "predictions": [best],
                "confidence": p,
                "confidences": [p],
                "labels": {label: {"confidence": value} for label, value in scores},
                "classification_type": "single-label",
            }
        )
    meta = {"api_version": {"version": "1"}, "billed_units": {"classifications": len(rows)}}
    return {"id": key(name, "reply", length=32), "classifications": found, "meta": meta}
