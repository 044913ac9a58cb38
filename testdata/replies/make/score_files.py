"""Files of services that list scores, and of votes."""

import json

from .files import add, case
from .pieces import SENTIMENT, SPAM
from .services import (
    aws,
    azure_custom,
    azure_document,
    azure_job,
    azure_results,
    clarifai,
    cohere,
    document_classes,
    hf,
    rekognition,
    sentiment,
    vision,
)


def score_files() -> None:
    """Vendors that reply with scores."""
    rows = [
        hf([("POSITIVE", 0.9182), ("NEUTRAL", 0.0611), ("NEGATIVE", 0.0207)]),
        hf([("NEGATIVE", 0.5), ("NEUTRAL", 0.3), ("POSITIVE", 0.2)]),
        hf([("POSITIVE", 0.8), ("NEUTRAL", 0.15)]),
    ]
    add("huggingface.jsonl", "Hugging Face: a list of classes a line; the last has only the top two", rows)
    case("huggingface", "huggingface.jsonl", "huggingface", SENTIMENT)
    case("huggingface refuse", "huggingface.jsonl", "huggingface", SENTIMENT, missing="refuse")
    case("huggingface two classes of three", "huggingface.jsonl", "huggingface", ["positive", "negative"])
    add("huggingface-one.json", "one list of classes in a file of its own: one row, not three", rows[0])
    case("huggingface-one", "huggingface-one.json", "huggingface", SENTIMENT)
    add("huggingface-nested.jsonl", "batches: of one, of two, of one", [[rows[1]], [rows[0], rows[2]], [rows[0]]])
    case("huggingface-nested", "huggingface-nested.jsonl", "huggingface", SENTIMENT)
    numbered = [
        {"id": i, "label": ["bad", "good"][i % 2], "output": hf([("LABEL_0", p), ("LABEL_1", q), ("LABEL_2", r)])}
        for i, (p, q, r) in enumerate([(0.2, 0.7, 0.1), (0.6, 0.3, 0.1), (0.1, 0.1, 0.8)])
    ]
    add("huggingface-numbered.jsonl", "wrapped; names `LABEL_0` … need spellings, two for one class", numbered)
    case(
        "huggingface-numbered",
        "huggingface-numbered.jsonl",
        "huggingface",
        ["bad", "good"],
        reply="output",
        **{"class": {"bad": ["LABEL_0", "LABEL_2"], "good": ["LABEL_1"]}},
    )
    add(
        "huggingface-sigmoid.jsonl",
        "scores of a sigmoid: they sum to more than 1 and are independent",
        [
            hf([("toxic", 0.97), ("insult", 0.81), ("threat", 0.02)]),
            hf([("toxic", 0.6), ("insult", 0.55), ("obscene", 0.01)]),
            hf([("insult", 0.99), ("toxic", 0.9), ("threat", 0.4)]),
        ],
    )
    case("huggingface-sigmoid", "huggingface-sigmoid.jsonl", "huggingface", ["toxic", "insult", "threat"])
    zero = [
        hf([("billing", 0.7), ("shipping", 0.2), ("returns", 0.1)]),
        hf([("returns", 0.6), ("shipping", 0.3), ("billing", 0.1)]),
    ]
    add("huggingface-zero-shot.jsonl", "zero-shot as replied today: a list of classes", zero)
    case("huggingface-zero-shot", "huggingface-zero-shot.jsonl", "huggingface", ["billing", "returns", "shipping"])
    old = [
        {"sequence": f"text {i}", "labels": [e["label"] for e in reply], "scores": [e["score"] for e in reply]}
        for i, reply in enumerate(zero)
    ]
    add(
        "huggingface-zero-shot-old.jsonl",
        "zero-shot as replied before: `labels` and `scores`; the last line holds two",
        [*old, old],
    )
    case(
        "huggingface-zero-shot-old",
        "huggingface-zero-shot-old.jsonl",
        "huggingface",
        ["billing", "returns", "shipping"],
    )

    rows = [
        sentiment(f"sentiment {i}", scores)
        for i, scores in enumerate([[0.95, 0.01, 0.03, 0.01], [0.1, 0.2, 0.3, 0.4], [0.0012, 0.99, 0.0087, 0.0001]])
    ]
    add("comprehend-sentiment.jsonl", "Comprehend DetectSentiment; `Mixed` is large in the second", rows)
    case("comprehend-sentiment", "comprehend-sentiment.jsonl", "comprehend", SENTIMENT)
    case(
        "comprehend-sentiment four", "comprehend-sentiment.jsonl", "comprehend", [*SENTIMENT, "mixed"], missing="refuse"
    )
    results = [
        {"Index": i, "Sentiment": row["Sentiment"], "SentimentScore": row["SentimentScore"]}
        for i, row in enumerate(rows)
    ]
    add(
        "comprehend-batch.jsonl",
        "Comprehend BatchDetectSentiment: one reply of three rows",
        [{"ResultList": results, "ErrorList": [], "ResponseMetadata": aws("batch", 400)}],
    )
    case("comprehend-batch", "comprehend-batch.jsonl", "comprehend", SENTIMENT, beyond=True)
    pages = [
        [
            [("invoice", 0.9), ("receipt", 0.07), ("letter", 0.03)],
            [("receipt", 0.6), ("invoice", 0.3), ("letter", 0.1)],
        ],
        [[("letter", 0.8), ("invoice", 0.15), ("receipt", 0.05)]],
        [
            [("invoice", 0.7), ("receipt", 0.2)],
            [("invoice", 0.5), ("letter", 0.4)],
            [("invoice", 0.6), ("receipt", 0.3)],
        ],
    ]
    add(
        "comprehend-classes.jsonl",
        "Comprehend ClassifyDocument: a class occurs once a page; pages list other classes",
        [document_classes(f"pages {i}", "Classes", page) for i, page in enumerate(pages)],
    )
    case("comprehend-classes", "comprehend-classes.jsonl", "comprehend", ["invoice", "letter", "receipt"])
    add(
        "comprehend-labels.jsonl",
        "Comprehend ClassifyDocument of a multi-label model: independent scores",
        [
            document_classes(f"labels {i}", "Labels", [page])
            for i, page in enumerate(
                [[("urgent", 0.9), ("refund", 0.8), ("legal", 0.05)], [("refund", 0.7), ("legal", 0.3)]]
            )
        ],
    )
    case("comprehend-labels", "comprehend-labels.jsonl", "comprehend", ["legal", "refund", "urgent"])

    documents = [("1", [0.97, 0.02, 0.01]), ("2", [0.1, 0.3, 0.6]), ("3", [1.0, 0.0, 0.0])]
    add(
        "azure-sentiment.jsonl",
        "Azure `analyze-text`: `results.documents[]`, two documents and one; scores of 0",
        [azure_results([azure_document(i, s, "now") for i, s in part]) for part in (documents[:2], documents[2:])],
    )
    case("azure-sentiment", "azure-sentiment.jsonl", "azure", SENTIMENT)
    case("azure-sentiment zero is listed", "azure-sentiment.jsonl", "azure", SENTIMENT, missing="refuse")
    case("azure-sentiment floor", "azure-sentiment.jsonl", "azure", [*SENTIMENT, "mixed"], missing="floor:0.01")
    old_reply = {
        "documents": [azure_document(i, s, "v3.0") for i, s in documents],
        "errors": [],
        "modelVersion": "2020-04-01",
    }
    add(
        "azure-sentiment-v3.json",
        "Azure text analytics v3.0: `documents[]` at the top; one object in the file",
        raw=(json.dumps(old_reply, indent=1) + "\n").encode(),
    )
    case("azure-sentiment-v3", "azure-sentiment-v3.json", "azure", SENTIMENT)
    custom = [
        azure_custom([("t-1", [("Billing", 0.8), ("Returns", 0.15), ("Shipping", 0.05)]), ("t-2", [("Returns", 0.9)])]),
        azure_custom([("t-3", [("Shipping", 0.55), ("Billing", 0.45)])]),
    ]
    add("azure-custom.jsonl", "Azure custom text classification: `class[]`; only the best class in some", custom)
    case("azure-custom", "azure-custom.jsonl", "azure", ["billing", "returns", "shipping"])
    add("azure-job.jsonl", "the same in the job that the API replies with", [azure_job([task]) for task in custom])
    case("azure-job", "azure-job.jsonl", "azure", ["billing", "returns", "shipping"], beyond=True)

    tech, sports = "/Computers & Electronics/Software", "/Sports/Team Sports/Soccer"
    rows = [
        {
            "categories": [{"name": name, "confidence": p} for name, p in scores],
            "languageCode": "en",
            "languageSupported": True,
        }
        for scores in ([(tech, 0.84), ("/News/Business News", 0.41)], [(sports, 0.93), (tech, 0.12)], [(sports, 0.51)])
    ]
    add("google-nl-categories.jsonl", "Google Natural Language: categories with paths as names", rows)
    case(
        "google-nl-categories",
        "google-nl-categories.jsonl",
        "google-nl",
        ["software", "soccer"],
        **{"class": {"software": [tech], "soccer": [sports]}},
    )
    rows = [
        {
            "moderationCategories": [{"name": n, "confidence": p, "severity": p} for n, p in scores],
            "languageCode": "en",
            "languageSupported": True,
        }
        for scores in (
            [("Toxic", 0.91), ("Insult", 0.88), ("Violent", 0.2)],
            [("Finance", 0.7), ("Toxic", 0.03), ("Insult", 0.02)],
        )
    ]
    add("google-nl-moderation.jsonl", "Google Natural Language: moderation, independent scores", rows)
    case("google-nl-moderation", "google-nl-moderation.jsonl", "google-nl", ["toxic", "insult", "violent"])

    rows = [
        vision(s)
        for s in (
            [("Dog", 0.97), ("Carnivore", 0.88), ("Cat", 0.21)],
            [("Cat", 0.95), ("Whiskers", 0.9)],
            [("Bird", 0.8), ("Dog", 0.51)],
        )
    ]
    add("vision.jsonl", "Google Vision: labels of an image; most classes are not listed", rows)
    case("vision", "vision.jsonl", "vision", ["cat", "dog", "bird"])
    case("vision floor", "vision.jsonl", "vision", ["cat", "dog", "bird"], missing="floor:0.01")
    add(
        "vision-responses.jsonl",
        "the same as REST replies: `responses[]`, two images in the first",
        [{"responses": rows[:2]}, {"responses": rows[2:]}],
    )
    case("vision-responses", "vision-responses.jsonl", "vision", ["cat", "dog", "bird"], beyond=True)
    rows = [
        rekognition(f"image {i}", s)
        for i, s in enumerate(
            [
                [("Dog", 98.4), ("Animal", 98.4), ("Cat", 1.25)],
                [("Cat", 71.0), ("Dog", 22.5), ("Bird", 0.5)],
                [("Bird", 100.0)],
            ]
        )
    ]
    add("rekognition.jsonl", "Rekognition DetectLabels: confidence in percent", rows)
    case("rekognition", "rekognition.jsonl", "rekognition", ["cat", "dog", "bird"])
    rows = [
        clarifai("clarifai 0", [[("dog", 0.99), ("portrait", 0.95), ("cat", 0.02)], [("cat", 0.9), ("dog", 0.3)]]),
        clarifai("clarifai 1", [[("cat", 0.5), ("dog", 0.5)]]),
    ]
    add("clarifai.jsonl", "Clarifai: two outputs and one; a tie", rows)
    case("clarifai", "clarifai.jsonl", "clarifai", ["cat", "dog"])
    rows = [
        cohere("cohere 0", [[("ham", 0.9), ("spam", 0.1)], [("ham", 0.35), ("spam", 0.65)]]),
        cohere("cohere 1", [[("ham", 0.02), ("spam", 0.98)]]),
    ]
    add("cohere.jsonl", "Cohere classify: two classifications and one", rows)
    case("cohere", "cohere.jsonl", "cohere", SPAM)
    add(
        "cohere-wrapped.jsonl",
        "wrapped: the id beside the reply, not Cohere's",
        [
            {"id": "m-1", "label": "spam", "result": rows[1]},
            {"id": "m-2", "label": "ham", "result": cohere("cohere 2", [[("ham", 0.7), ("spam", 0.3)]])},
        ],
    )
    case("cohere-wrapped", "cohere-wrapped.jsonl", "cohere", SPAM, reply="result")


def vote_files() -> None:
    """Votes."""
    answers = [
        ("r1", "spam"),
        ("r1", "Spam."),
        ("r2", "ham"),
        ("r1", "ham"),
        ("r3", "I cannot tell"),
        ("r2", " **ham**\n"),
        ("r1", '"spam"'),
        ("r3", "spammy"),
        ("r2", "HAM!"),
        ("r3", ""),
    ]
    labels = {"r1": "spam", "r2": "ham"}
    rows = [{"id": i, "answer": a} | ({"label": labels[i]} if i in labels else {}) for i, a in answers]
    add(
        "votes.jsonl",
        "several answers per id, not in order: case, punctuation, quotes; the third id has no class",
        rows,
    )
    case("votes", "votes.jsonl", "votes", SPAM)
    rows = [
        {"item": 7, "vote": 1, "truth": 0},
        {"item": 7, "vote": True, "truth": 0},
        {"item": 8, "vote": "yes", "truth": None},
        {"item": 8, "vote": "Yes", "truth": None},
        {"item": 7, "vote": "no.", "truth": 0},
    ]
    add("votes-fields.jsonl", "other field names; numbers and true as answers and ids; spellings with their case", rows)
    case(
        "votes-fields",
        "votes-fields.jsonl",
        "votes",
        ["no", "yes"],
        id="item",
        answer="vote",
        label="truth",
        **{"class": {"no": ["no", "0"], "yes": ["yes", "1", "true"]}},
    )
