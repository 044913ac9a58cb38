"""Replies of other sources, votes and spellings that must be refused."""

from .bad_openai import QUOTA, bad
from .files import case
from .models import gemini, llama_completion, ollama, vllm_chat, vllm_classify
from .openai import completion
from .pieces import SENTIMENT, SPAM
from .services import aws, azure_document, azure_results, clarifai, cohere, document_classes, hf, rekognition, vision


def bad_models() -> None:
    """Replies of other models that must be refused."""
    legacy = completion("legacy", [(" spam", [(" spam", 0.8), (" ham", 0.15)])])
    choice = legacy["choices"][0]
    bad(
        "completions-no-logprobs",
        "`logprobs` is null",
        "completions",
        [legacy, legacy | {"choices": [choice | {"logprobs": None}]}],
    )
    bad(
        "completions-empty",
        "`text` is empty",
        "completions",
        [legacy, legacy | {"choices": [choice | {"text": "", "logprobs": None}]}],
    )
    bad("completions-error", "an error object", "completions", [legacy, {"error": QUOTA}])
    server = vllm_chat("server", [("spam", [("spam", 0.8), ("ham", 0.15)])])
    bad(
        "vllm-no-logprobs",
        "`logprobs` is null",
        "vllm",
        [server, server | {"choices": [server["choices"][0] | {"logprobs": None}]}],
    )
    bad(
        "vllm-error",
        "an error object of vLLM",
        "vllm",
        [
            server,
            {
                "error": {
                    "message": "max_tokens must be at least 1",
                    "type": "BadRequestError",
                    "param": None,
                    "code": 400,
                }
            },
        ],
    )
    bad(
        "vllm-classify-length",
        "three probabilities for two classes",
        "vllm",
        [vllm_classify("c 0", SPAM, [[0.4, 0.6]]), vllm_classify("c 1", [*SPAM, "x"], [[0.3, 0.3, 0.4]])],
    )
    gem = gemini("gem", [("spam", [("spam", 0.8), ("ham", 0.15)])])
    candidate = gem["candidates"][0]
    rest = {k: v for k, v in candidate.items() if k != "logprobsResult"}
    bad(
        "gemini-no-logprobs",
        "`logprobsResult` is absent; `avgLogprobs` does not help",
        "gemini",
        [gem, gem | {"candidates": [rest]}],
    )
    bad(
        "gemini-safety",
        "stopped for safety, without content",
        "gemini",
        [gem, gem | {"candidates": [{"finishReason": "SAFETY", "index": 0}]}],
    )
    blocked = {
        "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": gem["usageMetadata"],
        "modelVersion": gem["modelVersion"],
        "responseId": "blocked",
    }
    bad("gemini-blocked", "the prompt was blocked: no candidates", "gemini", [gem, blocked])
    bad(
        "gemini-error",
        "an error object of Google",
        "gemini",
        [gem, {"error": {"code": 429, "message": "Resource has been exhausted.", "status": "RESOURCE_EXHAUSTED"}}],
    )
    local = ollama("local", [("spam", [("spam", 0.8), ("ham", 0.15)])])
    bad("ollama-error", "an error that is a text", "ollama", [local, {"error": "model 'llama9' not found"}])
    bad(
        "ollama-no-logprobs",
        "`logprobs` is absent",
        "ollama",
        [local, {k: v for k, v in local.items() if k != "logprobs"}],
    )
    bad(
        "ollama-empty",
        "`message.content` is empty",
        "ollama",
        [local, local | {"message": {"role": "assistant", "content": ""}, "logprobs": []}],
    )
    plain = llama_completion([("spam", [("spam", 0.8), ("ham", 0.15)])], "new")
    bad(
        "llama-cpp-no-logprobs",
        "`completion_probabilities` is absent",
        "llama-cpp",
        [plain, {k: v for k, v in plain.items() if k != "completion_probabilities"}],
    )
    bad(
        "llama-cpp-empty",
        "`content` is empty",
        "llama-cpp",
        [plain, plain | {"content": "", "completion_probabilities": []}],
    )
    bad(
        "llama-cpp-error",
        "an error object of llama.cpp",
        "llama-cpp",
        [plain, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}],
    )


def bad_scores() -> None:
    """Scores that must be refused."""
    scores = hf([("ham", 0.7), ("spam", 0.3)])
    bad(
        "huggingface-error",
        "an error that is a text",
        "huggingface",
        [scores, {"error": "Model user/model is currently loading", "estimated_time": 20.0}],
    )
    bad(
        "huggingface-repeat",
        "a class is repeated: the best class of two texts, not the classes of one",
        "huggingface",
        [scores, [{"label": "spam", "score": 0.9}, {"label": "spam", "score": 0.8}]],
    )
    bad(
        "huggingface-logits",
        "scores are not probabilities",
        "huggingface",
        [scores, [{"label": "ham", "score": 2.4}, {"label": "spam", "score": -1.9}]],
    )
    bad("huggingface-null", "a score is null", "huggingface", [scores, [{"label": "ham", "score": None}]])
    bad(
        "huggingface-no-class",
        "names that no class has",
        "huggingface",
        [scores, hf([("LABEL_0", 0.6), ("LABEL_1", 0.4)])],
    )
    bad(
        "huggingface-zero",
        "the scores of all classes are 0",
        "huggingface",
        [scores, hf([("eggs", 1.0), ("ham", 0.0), ("spam", 0.0)])],
    )
    bad(
        "huggingface-zero-shot-length",
        "three labels, two scores",
        "huggingface",
        [scores, {"sequence": "x", "labels": ["ham", "spam", "eggs"], "scores": [0.7, 0.3]}],
    )
    bad("huggingface-shape", "an embedding", "huggingface", [scores, [0.12, -0.5, 0.33]])
    aws_good = document_classes("bad", "Classes", [[("ham", 0.6), ("spam", 0.4)]])
    bad(
        "comprehend-shape",
        "neither sentiment nor classes",
        "comprehend",
        [aws_good, {"KeyPhrases": [], "ResponseMetadata": aws("k", 2)}],
    )
    bad(
        "comprehend-score",
        "a score of 1.4",
        "comprehend",
        [aws_good, document_classes("bad 2", "Classes", [[("ham", 1.4)]])],
    )
    doc = azure_results([azure_document("1", [0.8, 0.1, 0.1], "now")])
    bad(
        "azure-error",
        "an error object of Azure",
        "azure",
        [doc, {"error": {"code": "InvalidRequest", "message": "Invalid Document in request."}}],
        classes=SENTIMENT,
    )
    bad(
        "google-nl-empty",
        "no categories: nothing is listed",
        "google-nl",
        [
            {"categories": [{"name": "spam", "confidence": 0.9}], "languageCode": "en", "languageSupported": True},
            {"categories": [], "languageCode": "en", "languageSupported": True},
        ],
    )
    bad(
        "vision-error",
        "an error object of Google",
        "vision",
        [
            vision([("ham", 0.8)]),
            {"error": {"code": 7, "message": "Permission denied.", "status": "PERMISSION_DENIED"}},
        ],
    )
    bad(
        "rekognition-refuse",
        "a class is not listed and `--missing refuse` is set",
        "rekognition",
        [rekognition("r 0", [("Spam", 80.0), ("Ham", 4.0)]), rekognition("r 1", [("Spam", 80.0)])],
        missing="refuse",
    )
    bad(
        "rekognition-percent",
        "a confidence above 100",
        "rekognition",
        [rekognition("r 2", [("Spam", 80.0), ("Ham", 240.0)])],
    )
    bad("clarifai-no-class", "concepts that no class has", "clarifai", [clarifai("c", [[("dog", 0.9), ("cat", 0.4)]])])
    cohere_good = cohere("c 0", [[("ham", 0.6), ("spam", 0.4)]])
    cohere_null = cohere("c 1", [[("ham", 0.6), ("spam", 0.4)]])
    cohere_null["classifications"][0]["labels"]["spam"]["confidence"] = None
    bad("cohere-null", "a confidence is null", "cohere", [cohere_good, cohere_null])


def bad_votes() -> None:
    """Votes that must be refused."""
    bad(
        "votes-no-answer",
        "a line without an answer",
        "votes",
        [{"id": "a", "answer": "spam"}, {"id": "a", "reply": "ham"}],
    )
    bad("votes-no-id", "a line without an id", "votes", [{"id": "a", "answer": "spam"}, {"answer": "ham"}])


def bad_spellings() -> None:
    """Spellings that must be refused."""
    twice = {"ham": ["ham", "mail"], "spam": ["spam", "mail"]}
    case("bad two classes with one spelling", "openai-blank.jsonl", "openai", SPAM, **{"class": twice})
    spaced = {"ham": ["ham"], "spam": [" ham"]}
    case("bad one spelling up to white space", "openai-blank.jsonl", "openai", SPAM, **{"class": spaced})
    case("bad one spelling up to a mark", "openai-blank.jsonl", "openai", SPAM, **{"class": {"ham": ["Ġspam"]}})
    case("bad empty spelling", "openai-blank.jsonl", "openai", SPAM, **{"class": {"ham": ["ham", ""]}})
    case("bad spelling of an unknown class", "openai-blank.jsonl", "openai", SPAM, **{"class": {"eggs": ["eggs"]}})
    case("bad class that never occurs", "openai-blank.jsonl", "openai", ["eggs", "bacon"])
