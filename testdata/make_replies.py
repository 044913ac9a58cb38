"""Make replies/: replies of black boxes, written from the vendors' documented shapes, and cases.json.

No API was called: ids, times and usage are invented, log-probabilities are those of the probabilities below. The
expected rows of cases.json come from replies/reference.py. Needs only the standard library and `zstandard`.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_replies.py
"""

import gzip
import hashlib
import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any

import zstandard

FOLDER = Path(__file__).parent / "replies"
sys.path.insert(0, str(FOLDER))

import reference  # noqa: E402

JSON = dict[str, Any]
Listed = list[tuple[str, float]]
Step = tuple[str, Listed]  # the chosen token; tokens and probabilities

SENTIMENT = ["negative", "neutral", "positive"]
SPAM = ["ham", "spam"]
VERY = ["very negative", "neutral", "very positive"]
RATING = [str(rating) for rating in range(1, 11)]
NOISE = ["The", "I", "\n", "Sent", "This", "Mixed", "A", "It", "N", "Answer", "**", "Un", "Label", "neu", "P"]
CREATED = 1_762_000_000
UNREAD = {"usage", "service_tier", "system_fingerprint", "timings", "generation_settings", "bytes", "ResponseMetadata"}
UNREAD |= {
    "usageMetadata",
    "prompt_logprobs",
    "prompt_token_ids",
    "kv_transfer_params",
    "annotations",
    "max_tool_calls",
}
UNREAD |= {"background", "completed_at", "parallel_tool_calls", "prompt_cache_key", "reasoning", "safety_identifier"}
UNREAD |= {"tool_choice", "tools", "truncation", "metadata", "user", "previous_response_id", "Instances", "Categories"}


# --- Pieces ---------------------------------------------------------------------------------------------------------


def key(*parts: object, length: int = 24) -> str:
    """A reproducible id that looks random."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:length]


def log(p: float) -> float:
    """A log-probability with the digits that vendors print; the sentinel for 0."""
    return -9999.0 if p == 0 else round(math.log(p), 8) + 0.0


def utf8(token: str) -> list[int]:
    """The bytes of a token; `\\xf0` stands for one byte, as OpenAI writes tokens that end inside a character."""
    return list(token.encode().decode("unicode_escape").encode("latin-1") if "\\x" in token else token.encode())


def tail(listed: Listed, count: int, rest: float) -> Listed:
    """More tokens of no class, which share `rest` unevenly."""
    weights = [1 / (2 + i) ** 2 for i in range(count)]
    return [*listed, *((NOISE[i], rest * weight / sum(weights)) for i, weight in enumerate(weights))]


def ranked(listed: Listed) -> Listed:
    """By probability, largest first; entries with the sentinel come last."""
    return sorted(listed, key=lambda entry: -entry[1])


def openai_tokens(steps: list[Step], with_id: bool = False, hide: tuple[int, ...] = ()) -> list[JSON]:
    """Tokens with alternatives. At a position in `hide` the chosen token is left out of its alternatives."""
    found = []
    for index, (chosen, listed) in enumerate(steps):
        entries = []
        for token, p in ranked(listed):
            entry: JSON = {"id": int(key("token", token, length=4), 16)} if with_id else {}
            entries.append(entry | {"token": token, "logprob": log(p), "bytes": utf8(token)})
        own = next(entry for entry in entries if entry["token"] == chosen)
        tops = [entry for entry in entries if not (index in hide and entry is own)]
        found.append({**own, "top_logprobs": tops})
    return found


def text(steps: list[Step]) -> str:
    """What the chosen tokens spell."""
    joined = b"".join(bytes(utf8(chosen)) for chosen, _ in steps).decode()
    return joined.replace("\u0120", " ").replace("\u2581", " ").replace("\u010a", "\n")


def chat(name: str, steps: list[Step], hide: tuple[int, ...] = ()) -> JSON:
    """OpenAI's chat completion."""
    return {
        "id": f"chatcmpl-{key(name, length=29)}",
        "object": "chat.completion",
        "created": CREATED + len(name),
        "model": "gpt-4.1-mini-2025-04-14",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text(steps), "refusal": None, "annotations": []},
                "logprobs": {"content": openai_tokens(steps, hide=hide), "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": 87,
            "completion_tokens": len(steps) + 1,
            "total_tokens": 88 + len(steps),
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        },
        "service_tier": "default",
        "system_fingerprint": "fp_6f2eabb9a5",
    }


def no_logprobs(reply: JSON, **message: object) -> JSON:
    """A chat completion without log-probabilities, with another message."""
    choice = reply["choices"][0]
    return reply | {"choices": [choice | {"logprobs": None, "message": choice["message"] | message}]}


def lean(value: Any) -> Any:  # noqa: ANN401
    """A reply without the fields that no reader needs, to keep files small that show something else."""
    if isinstance(value, list):
        return [lean(inner) for inner in value]
    if isinstance(value, dict):
        return {k: lean(v) for k, v in value.items() if k not in UNREAD}
    return value


def response(name: str, steps: list[Step], reasoning: bool = False) -> JSON:
    """OpenAI's response."""
    part = {"type": "output_text", "annotations": [], "logprobs": openai_tokens(steps), "text": text(steps)}
    message = {
        "id": f"msg_{key(name, 'message', length=48)}",
        "type": "message",
        "status": "completed",
        "content": [part],
        "role": "assistant",
    }
    thought = {"id": f"rs_{key(name, 'reasoning', length=48)}", "type": "reasoning", "summary": []}
    return {
        "id": f"resp_{key(name, length=48)}",
        "object": "response",
        "created_at": CREATED,
        "status": "completed",
        "background": False,
        "completed_at": CREATED + 1,
        "error": None,
        "incomplete_details": None,
        "instructions": "Answer with one word.",
        "max_output_tokens": 16,
        "max_tool_calls": None,
        "model": "gpt-4.1-mini-2025-04-14",
        "output": [thought, message] if reasoning else [message],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "prompt_cache_key": None,
        "reasoning": {"effort": None, "summary": None},
        "safety_identifier": None,
        "service_tier": "default",
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [],
        "top_logprobs": 20,
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": {
            "input_tokens": 87,
            "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
            "output_tokens": len(steps),
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 87 + len(steps),
        },
        "user": None,
        "metadata": {},
    }


def batch_line(name: str, custom_id: str, body: JSON | None, status: int = 200, error: JSON | None = None) -> JSON:
    """A line of OpenAI's batch output file."""
    inner = {"status_code": status, "request_id": key(name, "request", length=32), "body": body}
    return {
        "id": f"batch_req_{key(name, 'batch', length=32)}",
        "custom_id": custom_id,
        "response": None if body is None else inner,
        "error": error,
    }


def completion(name: str, steps: list[Step], hide: tuple[int, ...] = ()) -> JSON:
    """OpenAI's legacy completion."""
    offsets, offset = [], 87
    for chosen, _ in steps:
        offsets.append(offset)
        offset += len(chosen)
    tops = [
        {token: log(p) for token, p in ranked(listed) if not (i in hide and token == chosen)}
        for i, (chosen, listed) in enumerate(steps)
    ]
    return {
        "id": f"cmpl-{key(name, length=29)}",
        "object": "text_completion",
        "created": CREATED,
        "model": "gpt-3.5-turbo-instruct:20230824-v2",
        "choices": [
            {
                "text": text(steps),
                "index": 0,
                "logprobs": {
                    "tokens": [chosen for chosen, _ in steps],
                    "token_logprobs": [log(dict(listed)[chosen]) for chosen, listed in steps],
                    "top_logprobs": tops,
                    "text_offset": offsets,
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 21, "completion_tokens": len(steps), "total_tokens": 21 + len(steps)},
    }


def vllm_chat(name: str, steps: list[Step], hide: tuple[int, ...] = ()) -> JSON:
    """vLLM's chat completion: OpenAI's, with fields of its own."""
    return {
        "id": f"chatcmpl-{key(name, length=32)}",
        "object": "chat.completion",
        "created": CREATED,
        "model": "Qwen/Qwen2.5-1.5B-Instruct",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": text(steps),
                    "refusal": None,
                    "annotations": None,
                    "audio": None,
                    "function_call": None,
                    "tool_calls": [],
                    "reasoning_content": None,
                },
                "logprobs": {"content": openai_tokens(steps, hide=hide)},
                "finish_reason": "stop",
                "stop_reason": None,
                "token_ids": None,
            }
        ],
        "service_tier": None,
        "system_fingerprint": None,
        "usage": {
            "prompt_tokens": 52,
            "total_tokens": 52 + len(steps),
            "completion_tokens": len(steps),
            "prompt_tokens_details": None,
        },
        "prompt_logprobs": None,
        "prompt_token_ids": None,
        "kv_transfer_params": None,
    }


def vllm_classify(name: str, labels: list[str], rows: list[list[float]]) -> JSON:
    """vLLM's `/classify`."""
    data = [
        {"index": i, "label": labels[probs.index(max(probs))], "probs": probs, "num_classes": len(probs)}
        for i, probs in enumerate(rows)
    ]
    usage = {"prompt_tokens": 10, "total_tokens": 10, "completion_tokens": 0, "prompt_tokens_details": None}
    return {
        "id": f"classify-{key(name, length=32)}",
        "object": "list",
        "created": CREATED,
        "model": "jason9693/Qwen2.5-1.5B-apeach",
        "data": data,
        "usage": usage,
    }


def gemini(name: str, steps: list[Step], hide: tuple[int, ...] = ()) -> JSON:
    """Gemini's generateContent."""

    def candidate(token: str, p: float) -> JSON:
        return {"token": token, "tokenId": int(key("token", token, length=4), 16), "logProbability": log(p)}

    tops = [
        {"candidates": [candidate(t, p) for t, p in ranked(listed) if not (i in hide and t == chosen)]}
        for i, (chosen, listed) in enumerate(steps)
    ]
    chosen = [candidate(token, dict(listed)[token]) for token, listed in steps]
    return {
        "candidates": [
            {
                "content": {"parts": [{"text": text(steps)}], "role": "model"},
                "finishReason": "STOP",
                "avgLogprobs": round(sum(c["logProbability"] for c in chosen) / len(chosen), 8),
                "logprobsResult": {"topCandidates": tops, "chosenCandidates": chosen},
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 34,
            "candidatesTokenCount": len(steps),
            "totalTokenCount": 34 + len(steps),
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 34}],
            "candidatesTokensDetails": [{"modality": "TEXT", "tokenCount": len(steps)}],
        },
        "modelVersion": "gemini-2.5-flash",
        "responseId": key(name, length=22),
    }


def snake(value: object) -> object:
    """Names in snake_case, as Gemini's SDK prints a reply."""
    if isinstance(value, list):
        return [snake(inner) for inner in value]
    if isinstance(value, dict):
        return {"".join("_" + c.lower() if c.isupper() else c for c in k): snake(v) for k, v in value.items()}
    return value


def ollama(name: str, steps: list[Step], generate: bool = False) -> JSON:
    """Ollama's `/api/chat`, or `/api/generate`."""
    tokens = openai_tokens(steps)
    for token in tokens:
        for entry in [token, *token["top_logprobs"]]:
            entry.pop("bytes", None)
    answer = {"response": text(steps)} if generate else {"message": {"role": "assistant", "content": text(steps)}}
    return {
        "model": "llama3.2:1b",
        "created_at": f"2026-11-02T09:14:{10 + len(name):02d}.482113Z",
        **answer,
        "done": True,
        "done_reason": "stop",
        "total_duration": 412_883_750,
        "load_duration": 98_114_209,
        "prompt_eval_count": 41,
        "prompt_eval_duration": 201_338_000,
        "eval_count": len(steps) + 1,
        "eval_duration": 87_210_000,
        "logprobs": tokens,
    }


def llama_chat(name: str, steps: list[Step]) -> JSON:
    """The chat completion of llama.cpp's server."""
    return {
        "choices": [
            {
                "finish_reason": "stop",
                "index": 0,
                "message": {"role": "assistant", "content": text(steps)},
                "logprobs": {"content": openai_tokens(steps, with_id=True)},
            }
        ],
        "created": CREATED,
        "model": "qwen2.5-0.5b-instruct-q4_k_m.gguf",
        "system_fingerprint": "b6913-229bf6862",
        "object": "chat.completion",
        "usage": {"completion_tokens": len(steps), "prompt_tokens": 33, "total_tokens": 33 + len(steps)},
        "id": f"chatcmpl-{key(name, length=32)}",
        "timings": {"cache_n": 0, "prompt_n": 33, "prompt_ms": 61.4, "predicted_n": len(steps), "predicted_ms": 18.2},
    }


def llama_completion(steps: list[Step], shape: str) -> JSON:
    """llama.cpp's `/completion`: `new`, `old` (before December 2024) or `sampled` (post_sampling_probs)."""
    if shape == "old":
        probs = [
            {"content": chosen, "probs": [{"tok_str": token, "prob": p} for token, p in ranked(listed)]}
            for chosen, listed in steps
        ]
        return {
            "content": text(steps),
            "id_slot": 0,
            "stop": True,
            "model": "models/mistral-7b-v0.1.Q4_K_M.gguf",
            "tokens_predicted": len(steps),
            "tokens_evaluated": 29,
            "generation_settings": {"n_ctx": 4096, "n_predict": -1, "temperature": 1.0, "n_probs": 5},
            "prompt": "Sentiment of the review in one word:",
            "truncated": False,
            "stopped_eos": True,
            "stopped_word": False,
            "stopped_limit": False,
            "stopping_word": "",
            "tokens_cached": 29 + len(steps),
            "timings": {"prompt_n": 29, "prompt_ms": 310.4, "predicted_n": len(steps), "predicted_ms": 95.1},
            "completion_probabilities": probs,
        }
    tokens = openai_tokens(steps, with_id=True)
    if shape == "sampled":
        sampled = []
        for token, (chosen, listed) in zip(tokens, steps, strict=True):
            tops = [
                {"id": top["id"], "token": top["token"], "bytes": top["bytes"], "prob": dict(listed)[top["token"]]}
                for top in token["top_logprobs"]
            ]
            own = next(top for top in tops if top["token"] == chosen)
            sampled.append({**own, "top_probs": tops})
        tokens = sampled
    settings = {"seed": 4294967295, "temperature": 1.0, "n_predict": 4, "n_probs": 5}
    return {
        "index": 0,
        "content": text(steps),
        "tokens": [],
        "id_slot": 0,
        "stop": True,
        "model": "qwen2.5-0.5b-instruct-q4_k_m.gguf",
        "tokens_predicted": len(steps),
        "tokens_evaluated": 29,
        "generation_settings": settings | {"post_sampling_probs": shape == "sampled"},
        "prompt": "Sentiment of the review in one word:",
        "has_new_line": False,
        "truncated": False,
        "stop_type": "eos",
        "stopping_word": "",
        "tokens_cached": 29 + len(steps),
        "timings": {"prompt_n": 29, "prompt_ms": 54.9, "predicted_n": len(steps), "predicted_ms": 17.7},
        "completion_probabilities": tokens,
    }


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


# --- Answers --------------------------------------------------------------------------------------------------------


def word(chosen: str, listed: Listed, more: int = 0, rest: float = 0.0) -> list[Step]:
    """An answer of one token."""
    return [(chosen, tail(listed, more, rest))]


SPACES: list[list[Step]] = [
    word(
        "positive",
        [
            ("positive", 0.71),
            ("Positive", 0.11),
            (" positive", 0.06),
            ("negative", 0.04),
            ("neutral", 0.03),
            ("Neutral", 0.01),
            ("neg", 0.002),
            (" Negative", 0.001),
        ],
        more=12,
        rest=0.036,
    ),
    word(" negative", [(" negative", 0.6), (" neutral", 0.3), (" positive", 0.05), ("negative", 0.02)]),
    word("NEUTRAL", [("NEUTRAL", 0.4), ("Neutral", 0.3), ("POS", 0.15), ("NEG", 0.1), ("\n", 0.03)]),
    [("ne", [("ne", 0.5), ("pos", 0.3), ("negative", 0.15)]), ("utral", [("utral", 0.9), ("gative", 0.08)])],
]


def json_answer(parts: list[str], index: int, listed: Listed) -> list[Step]:
    """A JSON answer cut into tokens; all but one of them certain."""
    return [(part, listed if i == index else [(part, 0.9999)]) for i, part in enumerate(parts)]


WORDS = "ambiguous rating blank punctuation sentinel missing other case prefix han marks after smallest"
LEAN = {f"openai-{name}.jsonl" for name in WORDS.split()}
LEAN |= {f"openai-json-{name}.jsonl" for name in "fenced nested number bool".split()}
LEAN |= {"openai-array.json", "vllm-batch.jsonl", "llama-cpp-completion-sampled.jsonl"}
FILES: dict[str, bytes] = {}
NOTES: dict[str, str] = {}
CASES: list[JSON] = []


def dump(value: object) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def add(name: str, note: str, replies: list[Any] | None = None, raw: bytes | None = None) -> None:
    """A file: JSON lines, a JSON array if its name ends in `.json`, or given bytes."""
    if raw is None:
        assert replies is not None
        if name in LEAN:
            replies = lean(replies)
        body = "".join(dump(reply) + "\n" for reply in replies)
        if name.endswith(".json"):
            body = "[\n" + ",\n".join(dump(reply) for reply in replies) + "\n]\n"
        raw = body.encode()
        if name.endswith(".gz"):
            raw = gzip.compress(raw, mtime=0)
        elif name.endswith(".zst"):
            raw = zstandard.ZstdCompressor(level=19).compress(raw)
    FILES[name] = raw
    NOTES[name] = note


def case(name: str, file: str, source: str, classes: list[str], beyond: bool = False, **options: object) -> None:
    """A case; its expected rows are computed when all files are there."""
    entry: JSON = {"name": name, "file": file, "from": source}
    entry["options"] = reference.DEFAULTS | {"classes": classes} | options
    if beyond:
        entry["beyond"] = True
    CASES.append(entry)


def openai_files() -> None:
    """OpenAI: chat completions, responses and batch files."""
    chats = [chat(f"spaces {i}", steps) for i, steps in enumerate(SPACES)]
    add(
        "openai-chat.jsonl",
        "chat completions: 20 alternatives; other case and leading spaces; a label cut into two "
        "tokens (`ne`, `utral`) whose first is ambiguous",
        chats,
    )
    case("openai-chat", "openai-chat.jsonl", "openai", SENTIMENT)
    case("openai-chat floor", "openai-chat.jsonl", "openai", [*SENTIMENT, "ironic"], missing="floor:1e-6")
    case("openai-chat spread", "openai-chat.jsonl", "openai", [*SENTIMENT, "ironic", "angry"])
    spellings = {"good": ["positive", " Positive", "POS"], "bad": ["negative", "Negative", "NEG", "neg"]}
    case("openai-chat spellings", "openai-chat.jsonl", "openai", ["good", "bad"], **{"class": spellings})
    case(
        "openai-chat one class spelled, one by name",
        "openai-chat.jsonl",
        "openai",
        ["good", "negative"],
        **{"class": {"good": ["positive", "Positive", "POS"]}},
    )

    rows = [response(f"responses {i}", steps, reasoning=i == 1) for i, steps in enumerate(SPACES[:3])]
    add("openai-responses.jsonl", "responses; in the second a reasoning item comes before the message", rows)
    case("openai-responses", "openai-responses.jsonl", "openai", SENTIMENT)
    add("openai-responses.jsonl.zst", "the same, compressed with zstd", rows)
    case("openai-responses zstd", "openai-responses.jsonl.zst", "openai", SENTIMENT)
    add("openai-chat.jsonl.gz", "`openai-chat.jsonl`, compressed with gzip", chats)
    case("openai-chat gzip", "openai-chat.jsonl.gz", "openai", SENTIMENT)
    add("openai-array.json", "three chat completions in a JSON array", chats[1:])
    case("openai-array", "openai-array.json", "openai", SENTIMENT)
    lines = "\ufeff" + "".join(dump(reply) + "\r\n" for reply in lean(chats[1:])) + "\r\n"
    add("openai-bom-crlf.jsonl", "byte order mark, CRLF, and an empty line at the end", raw=lines.encode())
    case("openai-bom-crlf", "openai-bom-crlf.jsonl", "openai", SENTIMENT)
    for i, reply in enumerate([lean(chats[3]), rows[1], lean(chats[2])]):
        pretty = json.dumps(reply, ensure_ascii=False, indent=1) + "\n"
        add(f"openai-folder/reply-{i + 1:02d}.json", "", raw=pretty.encode())
    NOTES["openai-folder/"] = "a folder: chat, response, chat, each an indented JSON file"
    case("openai-folder", "openai-folder", "openai", SENTIMENT)

    lines = [batch_line(f"batch {i}", f"ticket-{i + 1}", reply) for i, reply in enumerate(lean(chats[1:]))]
    lines.append(batch_line("batch responses", "ticket-4", rows[1]))
    add("openai-batch.jsonl", "batch output file: three chat completions and a response; `custom_id` is the id", lines)
    case("openai-batch", "openai-batch.jsonl", "openai", SENTIMENT)
    labels: list[Any] = ["positive", 3, True, None]
    wrapped: list[JSON] = [
        {"id": f"r{i + 1}", "label": label, "response": reply}
        for i, (label, reply) in enumerate(zip(labels, lean(chats), strict=True))
    ]
    wrapped[1]["id"] = 17
    wrapped.append({"label": "negative", "response": rows[1]})
    add(
        "openai-wrapped.jsonl",
        "wrapped in `response`: text, integer, true and null as labels, an integer id, and a line without id",
        wrapped,
    )
    case("openai-wrapped", "openai-wrapped.jsonl", "openai", SENTIMENT, reply="response")
    deep = [
        {"ticket": f"t-{i}", "truth": "neutral", "call": {"at": "2026-11-02", "body": reply}}
        for i, reply in enumerate(lean(chats[1:3]))
    ]
    add("openai-wrapped-deep.jsonl", "wrapped in `call.body`, with `ticket` and `truth` instead of id and label", deep)
    case(
        "openai-wrapped-deep",
        "openai-wrapped-deep.jsonl",
        "openai",
        SENTIMENT,
        reply="call.body",
        id="ticket",
        label="truth",
    )
    beside = [reply | {"label": label} for reply, label in zip(lean(chats[1:3]), ["negative", "positive"], strict=True)]
    add("openai-label-inside.jsonl", "not wrapped: `label` was added to the reply itself", beside)
    case("openai-label-inside", "openai-label-inside.jsonl", "openai", SENTIMENT)


def openai_token_files() -> None:
    """OpenAI: odd tokens."""
    rows = [
        chat(
            "very 0",
            [
                ("very", [("very", 0.8), ("neutral", 0.15), ("The", 0.04)]),
                (" negative", [(" negative", 0.7), (" positive", 0.2), (" neutral", 0.05)]),
            ],
        ),
        chat(
            "very 1",
            [
                ("very", [("very", 0.9), ("neutral", 0.05)]),
                (" pos", [(" pos", 0.5), (" neg", 0.4)]),
                ("itive", [("itive", 0.99)]),
            ],
        ),
        chat("very 2", [("neutral", [("neutral", 0.55), ("very", 0.4), ("very positive", 0.03)])]),
        chat(
            "very 3",
            [
                ("Very", [("Very", 0.9), ("very", 0.05), ("Neutral", 0.03)]),
                (" ", [(" ", 0.6), (" positive", 0.25), (" negative", 0.1)]),
                ("positive", [("positive", 0.5), ("negative", 0.45)]),
            ],
        ),
        chat(
            "very 4",
            [
                ("v", [("v", 0.6), ("n", 0.3)]),
                ("ery", [("ery", 0.9), ("er", 0.05)]),
                (" negative", [(" negative", 0.6), (" positive", 0.3)]),
            ],
        ),
    ]
    add(
        "openai-ambiguous.jsonl",
        "labels of several tokens: the first (`very`) is shared by two classes, chosen or "
        "not; a token that is only a space in the middle; a first token of one letter",
        rows,
    )
    case("openai-ambiguous", "openai-ambiguous.jsonl", "openai", VERY)
    case("openai-ambiguous three prefixes", "openai-ambiguous.jsonl", "openai", ["very", *VERY])

    rows = [
        chat("rating 0", [("1", [("1", 0.7), ("2", 0.1), ("10", 0.05), ("9", 0.02)])]),
        chat(
            "rating 1", [("1", [("1", 0.7), ("2", 0.1), ("9", 0.02)]), ("0", [("0", 0.8), (".", 0.1), (" out", 0.04)])]
        ),
        chat("rating 2", [("10", [("10", 0.9), ("1", 0.04), ("9", 0.03)]), (" out", [(" out", 0.97)])]),
        chat(
            "rating 3",
            [("8", [("8", 0.4), ("7", 0.35), ("9", 0.2), ("6", 0.02)]), ("/", [("/", 0.99)]), ("10", [("10", 1.0)])],
        ),
        chat("rating 4", [("1", [("1", 0.6), ("3", 0.3)]), (".", [(".", 0.7), ("0", 0.2), (" ", 0.04)])]),
    ]
    add("openai-rating.jsonl", "ratings 1 to 10: `1` is complete and the start of `10`, as one token or as two", rows)
    case("openai-rating", "openai-rating.jsonl", "openai", RATING)
    case("openai-rating with 100", "openai-rating.jsonl", "openai", [*RATING, "100"])
    case("openai-rating floor", "openai-rating.jsonl", "openai", RATING, missing="floor:0.001")

    rows = [
        chat("blank 0", [("\n", [("\n", 0.9), ("spam", 0.06), (" ", 0.03)]), ("spam", [("spam", 0.8), ("ham", 0.15)])]),
        chat(
            "blank 1",
            [
                (" ", [(" ", 0.5), (" ham", 0.3), ("\n\n", 0.1)]),
                ("\n", [("\n", 0.9), ("ham", 0.05)]),
                ("ham", [("ham", 0.7), ("spam", 0.2)]),
            ],
        ),
        chat("blank 2", [("ham", [("ham", 0.7), ("\n", 0.2), ("spam", 0.05)])]),
    ]
    add("openai-blank.jsonl", "the first token is only white space, once, twice, or only among the alternatives", rows)
    case("openai-blank", "openai-blank.jsonl", "openai", SPAM)

    rows = [
        chat("punctuation 0", [("Spam", [("Spam", 0.5), ("Ham", 0.3), ("Spam.", 0.1), ("ham!", 0.05)])]),
        chat("punctuation 1", [("**spam**", [("**spam**", 0.6), ("**ham**", 0.2), ("(ham)", 0.1), ("spa", 0.05)])]),
        chat("punctuation 2", [('"ham"', [('"ham"', 0.6), ("'spam'", 0.2), (' "sp', 0.1), ("hamster", 0.05)])]),
        chat("punctuation 3", [("spam;", [("spam;", 0.6), ("ham,", 0.2), ("spam?!", 0.1), ("?", 0.05)])]),
    ]
    add(
        "openai-punctuation.jsonl",
        "quotes, bold and punctuation inside the tokens; a longer word that matches no class",
        rows,
    )
    case("openai-punctuation", "openai-punctuation.jsonl", "openai", SPAM)

    rows = [
        chat("sentinel 0", [("spam", [("spam", 0.9), ("ham", 0.0), ("The", 0.05)])]),
        chat("sentinel 1", [("ham", [("spam", 0.6), ("Spam", 0.2), ("ham", 0.0)])], hide=(0,)),
        chat("sentinel 2", [("spam", [("spam", 0.97), ("ham", 0.02), ("a", 0.0), ("b", 0.0)])]),
    ]
    add("openai-sentinel.jsonl", "-9999.0: of a class, of the chosen token (which is not in the list), of others", rows)
    case("openai-sentinel", "openai-sentinel.jsonl", "openai", SPAM)
    case("openai-sentinel floor", "openai-sentinel.jsonl", "openai", SPAM, missing="floor:1e-6")

    rows = [
        chat("missing 0", [("spam", [("spam", 0.9), ("The", 0.05), ("I", 0.02)])]),
        chat("missing 1", [("spam", [("spam", 0.999), ("Spam", 0.0009)])]),
        chat("missing 2", [("ham", [("ham", 0.75)])], hide=(0,)),
        chat("missing 3", [("ham", [("ham", 1.0)])]),
    ]
    add(
        "openai-missing.jsonl",
        "a class is not in the list; fewer alternatives than asked for; none at all; probability 1",
        rows,
    )
    case("openai-missing spread", "openai-missing.jsonl", "openai", SPAM)
    case("openai-missing three classes", "openai-missing.jsonl", "openai", [*SPAM, "phishing"])
    case("openai-missing floor", "openai-missing.jsonl", "openai", SPAM, missing="floor:1e-6")
    case("openai-missing refuse", "openai-missing.jsonl", "openai", SPAM, missing="refuse")

    rows = [
        chat("other 0", [("I", [("I", 0.6), ("This", 0.2), ("spam", 0.1), ("ham", 0.05)]), ("'m", [("'m", 0.9)])]),
        chat("other 1", [("spam", [("spam", 0.9), ("ham", 0.08)])]),
        chat("other 2", [("The", [("The", 0.97), ("ham", 0.01), ("spam", 0.002)])]),
    ]
    add("openai-other.jsonl", "most of the probability belongs to no class", rows)
    case("openai-other", "openai-other.jsonl", "openai", SPAM)

    rows = [
        chat(
            "bytes 0",
            [
                ("\\xf0\\x9f\\x91", [("\\xf0\\x9f\\x91", 0.9), ("The", 0.05)]),
                ("\\x8d", [("\\x8d", 0.7), ("\\x8e", 0.25)]),
            ],
        ),
        chat("bytes 1", [("👎", [("👎", 0.6), ("👍", 0.3)])]),
    ]
    add("openai-bytes.jsonl", "a label whose tokens end inside a character: only `bytes` tells", rows)
    case("openai-bytes", "openai-bytes.jsonl", "openai", ["👍", "👎"], beyond=True)

    rows = [
        chat("prefix 0", [("I", [("I", 0.6), ("neg", 0.2), ("positive", 0.1)]), (" think", [(" think", 0.9)])]),
        chat("prefix 1", [("I", [("I", 0.6), ("neg", 0.2), ("p", 0.1)]), ("ronic", [("ronic", 0.9)])]),
        chat("prefix 2", [("i", [("i", 0.6), ("negative", 0.3)])]),
        chat("prefix 3", [("po", [("po", 0.6), ("ne", 0.2), ("positive", 0.1)]), ("or", [("or", 0.9)])]),
        chat(
            "prefix 4",
            [("p", [("p", 0.6), ("negative", 0.3)]), ("osi", [("osi", 0.9)]), ('tive."', [('tive."', 0.9)])],
        ),
        chat("prefix 5", [("pos", [("pos", 0.6), ("iron", 0.3)]), ("itive", [("itive", 0.9), ("se", 0.1)])]),
        chat("prefix 6", [('"po', [('"po', 0.6), ('"I', 0.2), ("neg", 0.1)]), ("sitive", [("sitive", 1.0)])]),
        chat("prefix 7", [("pos", [("pos", 0.6), ("neg", 0.3)]), ("\n", [("\n", 0.9)])]),
        chat(
            "prefix 8", [("ne", [("ne", 0.6), ("pos", 0.3)]), ("u", [("u", 0.7), ("g", 0.2)]), ("ron", [("ron", 1.0)])]
        ),
    ]
    add(
        "openai-prefix.jsonl",
        "the first tokens of a spelling: one letter that is not continued, is, or ends the answer; tokens that go on to"
        " another word; three tokens; a quote before; the answer ends after three letters",
        rows,
    )
    case("openai-prefix", "openai-prefix.jsonl", "openai", [*SENTIMENT, "ironic"])

    rows = [
        chat("han 0", [("正", [("正", 0.6), ("负", 0.3)])]),
        chat("han 1", [("正", [("正", 0.6), ("负", 0.3)]), ("确", [("确", 0.9)])]),
    ]
    add("openai-han.jsonl", "one character that is not ASCII is enough; the second goes on to another word", rows)
    case("openai-han", "openai-han.jsonl", "openai", ["正面", "负面"])

    rows = [
        chat(
            "marks 0", [('"', [('"', 0.7), ("ham", 0.2)]), ("spam", [("spam", 0.8), ("ham", 0.1)]), ('"', [('"', 1.0)])]
        ),
        chat("marks 1", [("**", [("**", 0.6), ("spam", 0.2), ('"', 0.1)]), ("ham", [("ham", 0.9), ("spam**", 0.05)])]),
        chat("marks 2", [("ham", [("ham", 0.6), ("`", 0.2), (" (", 0.1)])]),
        chat("marks 3", [("`", [("`", 0.9)]), ("spam`", [("spam`", 0.7), ("ham`", 0.2)])]),
        chat("marks 4", [(" [", [(" [", 0.9)]), ("{'", [("{'", 0.9)]), ("ham", [("ham", 0.7), ("spam", 0.2)])]),
    ]
    add("openai-marks.jsonl", "a token of opening marks only, chosen or not: quotes, bold, backticks, brackets", rows)
    case("openai-marks", "openai-marks.jsonl", "openai", SPAM)

    rows = [
        chat("after 0", [("1", [("1", 0.7), ("2", 0.2)]), ('0"}', [('0"}', 0.6), ('"}', 0.3)])]),
        chat("after 1", [('"1', [('"1', 0.7), ('"2', 0.2)]), ("0", [("0", 0.6), ('"', 0.3)])]),
        chat("after 2", [('"', [('"', 0.9)]), ("1", [("1", 0.7), ("10", 0.2)]), ('0"', [('0"', 0.5), ('"', 0.4)])]),
        chat("after 3", [("1", [("1", 0.7), ("2", 0.2)]), ("0", [("0", 0.6), (".", 0.3)]), ("5", [("5", 1.0)])]),
    ]
    add("openai-after.jsonl", "`1`, then `0` with punctuation after it, or a quote before it, is `10`", rows)
    case("openai-after", "openai-after.jsonl", "openai", RATING)
    case("openai-after 100", "openai-after.jsonl", "openai", [*RATING, "100", "1000"])

    rows = [
        chat("smallest 0", [("spam", [("ham", 0.6), ("The", 0.1), ("spam", 0.001)])], hide=(0,)),
        chat("smallest 1", [("spam", [("ham", 0.0), ("spam", 0.01)])], hide=(0,)),
    ]
    add(
        "openai-smallest.jsonl",
        "a chosen token that is not listed does not lower the smallest probability of the list; the second has no list",
        rows,
    )
    case("openai-smallest", "openai-smallest.jsonl", "openai", [*SPAM, "phishing"])

    rows = [
        chat("case 0", [("us", [("us", 0.6), ("US", 0.3), ("Us", 0.05)])]),
        chat("case 1", [(" US", [(" US", 0.7), ("us", 0.2), ("them", 0.04)])]),
    ]
    add("openai-case.jsonl", "two classes that differ only in case", rows)
    case("openai-case", "openai-case.jsonl", "openai", ["us", "US", "them"])


def openai_json_files() -> None:
    """OpenAI: answers in JSON."""
    rows = [
        chat(
            "json 0",
            json_answer(['{"', "label", '":"', "spam", '"}'], 3, [("spam", 0.8), ("ham", 0.15), ("Spam", 0.03)]),
        ),
        chat(
            "json 1",
            json_answer(
                ['{"label":', ' "spam', '"}'], 1, [(' "spam', 0.7), (' "ham', 0.2), (" spam", 0.04), (' "', 0.02)]
            ),
        ),
        chat(
            "json 2",
            json_answer(
                ["{\n", " ", ' "label', '":', ' "', "ham", '",\n', ' "why', '": "no link"\n', "}"],
                5,
                [("ham", 0.6), ("spam", 0.3), ('"', 0.05)],
            ),
        ),
        chat(
            "json 3",
            json_answer(
                ['{"reason":"no \\"label\\": here","', 'label":"ham"}'],
                1,
                [('label":"ham"}', 0.9), ('label":"spam"}', 0.05), ('label":"sp', 0.01)],
            ),
        ),
        chat(
            "json 4",
            json_answer(
                ["Here", " it is:", "\n", '{"', "text", '":{"', 'label":"spam"},"', "label", '":"', "h", "am", '"}'],
                9,
                [("h", 0.9), ("s", 0.06)],
            ),
        ),
    ]
    add(
        "openai-json.jsonl",
        '`{"label":"spam"}`: the quote in a token of its own or merged with the value or with the '
        "structure; white space; the key inside another value; text before the object",
        rows,
    )
    case("openai-json", "openai-json.jsonl", "openai", SPAM, answer_at="label")

    rows = [
        chat(
            "fence 0",
            json_answer(
                ["```", "json", "\n", '{"', "label", '": "', "spam", '"}', "\n", "```"],
                6,
                [("spam", 0.6), ("ham", 0.35)],
            ),
        ),
        chat(
            "fence 1",
            json_answer(["```json\n", '{"label":', '"ham', '"', "}\n```"], 2, [('"ham', 0.7), ('"spam', 0.2)]),
        ),
        chat("fence 2", json_answer(["```", "\n", '{"label": "', "spam", '"'], 3, [("spam", 0.5), ("ham", 0.45)])),
    ]
    add("openai-json-fenced.jsonl", "JSON inside ``` fences; the last one was cut off before its end", rows)
    case("openai-json-fenced", "openai-json-fenced.jsonl", "openai", SPAM, answer_at="label")

    rows = [
        chat(
            "nested 0",
            json_answer(
                ['{"label":"x","result":{"', "label", '":"', "very", " negative", '"}}'],
                3,
                [("very", 0.8), ("neutral", 0.15)],
            ),
        ),
        chat(
            "nested 1",
            json_answer(
                ['{"result":{"score":1,"label":"', "neutral", '"}}'],
                1,
                [("neutral", 0.6), ("very", 0.3), ("very positive", 0.05)],
            ),
        ),
    ]
    rows[0]["choices"][0]["logprobs"]["content"][4] = openai_tokens(
        [(" negative", [(" negative", 0.7), (" positive", 0.25)])]
    )[0]
    add("openai-json-nested.jsonl", "the answer is at `result.label`; another `label` comes before it", rows)
    case("openai-json-nested", "openai-json-nested.jsonl", "openai", VERY, answer_at="result.label")

    rows = [
        chat("number 0", json_answer(['{"', "rating", '":', "10", "}"], 3, [("10", 0.6), ("9", 0.3), ("1", 0.05)])),
        chat("number 1", json_answer(['{"rating": ', "1", "0", "}"], 1, [("1", 0.9), ("9", 0.05)])),
        chat("number 2", json_answer(['{"rating"', ":1", "}"], 1, [(":1", 0.7), (":2", 0.2), (": 3", 0.05)])),
    ]
    rows[1]["choices"][0]["logprobs"]["content"][2] = openai_tokens([("0", [("0", 0.8), ("}", 0.15)])])[0]
    add("openai-json-number.jsonl", "the answer is a JSON number: ratings 1 to 10", rows)
    case("openai-json-number", "openai-json-number.jsonl", "openai", RATING, answer_at="rating")
    rows = [
        chat("bool 0", json_answer(['{"', "spam", '":', " true", "}"], 3, [(" true", 0.8), (" false", 0.15)])),
        chat("bool 1", json_answer(['{"spam":', "false}"], 1, [("false}", 0.6), ("true}", 0.3), ("tr", 0.05)])),
    ]
    add("openai-json-bool.jsonl", "the answer is true or false", rows)
    case(
        "openai-json-bool",
        "openai-json-bool.jsonl",
        "openai",
        SPAM,
        answer_at="spam",
        **{"class": {"ham": ["false"], "spam": ["true"]}},
    )


def other_token_files() -> None:
    """Other language models and servers."""
    rows = [
        completion(
            "completion 0", [(" positive", [(" positive", 0.6), (" negative", 0.2), ("\n", 0.1), (" Positive", 0.05)])]
        ),
        completion(
            "completion 1",
            [
                ("\n", [("\n", 0.7), (" neutral", 0.1)]),
                ("\n", [("\n", 0.8), ("Neutral", 0.15)]),
                ("Neutral", [("Neutral", 0.5), ("Positive", 0.3), ("Negative", 0.1)]),
            ],
        ),
        completion(
            "completion 2",
            [
                (" very", [(" positive", 0.3), (" negative", 0.3), (" neutral", 0.2), (" very", 0.1)]),
                (" good", [(" good", 0.9)]),
            ],
            hide=(0,),
        ),
    ]
    add(
        "completions.jsonl",
        "legacy completions: leading spaces, two blank tokens, a chosen token that is not in the list of five",
        rows,
    )
    case("completions", "completions.jsonl", "completions", SENTIMENT)
    marks = [
        completion("marks 0", [("▁positive", [("▁positive", 0.6), ("▁neg", 0.2), ("▁neutral", 0.1), ("▁", 0.05)])]),
        completion(
            "marks 1", [("▁", [("▁", 0.9), ("▁negative", 0.05)]), ("neutral", [("neutral", 0.6), ("pos", 0.3)])]
        ),
        completion(
            "marks 2", [("ĊĠ", [("ĊĠ", 0.7), ("Ġnegative", 0.2)]), ("Ġnegative", [("Ġnegative", 0.8), ("Ġpos", 0.1)])]
        ),
    ]
    add("completions-marks.json", "a JSON array; vocabulary marks `▁`, `Ġ` and `Ċ` in the tokens", marks)
    case("completions-marks", "completions-marks.json", "completions", SENTIMENT)

    rows = [
        vllm_chat(
            "vllm 0", [("Ġpositive", [("Ġpositive", 0.5), ("Positive", 0.2), ("Ġnegative", 0.15), ("Ġneutral", 0.1)])]
        ),
        vllm_chat("vllm 1", [("Ġneutral", [("Ġpositive", 0.4), ("Ġnegative", 0.35), ("Ġneutral", 0.05)])], hide=(0,)),
        vllm_chat("vllm 2", [("neutral", [("neutral", 0.7), ("positive", 0.0), ("negative", 0.2)])]),
    ]
    add("vllm-chat.jsonl", "vLLM chat: `Ġ`, a chosen token that is not in the list, -9999.0 for an unknown one", rows)
    case("vllm-chat", "vllm-chat.jsonl", "vllm", SENTIMENT)
    add(
        "vllm-batch.jsonl",
        "vLLM's batch runner writes the lines of OpenAI's batch file",
        [batch_line(f"vllm batch {i}", f"request-{i + 1}", reply) for i, reply in enumerate(rows[:2])],
    )
    case("vllm-batch", "vllm-batch.jsonl", "vllm", SENTIMENT)
    classify = [[[0.565970778465271, 0.4340292513370514]], [[0.08, 0.92]], [[1.0, 0.0]]]
    rows = [vllm_classify(f"classify {i}", SPAM, probs) for i, probs in enumerate(classify)]
    add("vllm-classify.jsonl", "vLLM `/classify`; in the last a probability is 0", rows)
    case("vllm-classify", "vllm-classify.jsonl", "vllm", SPAM)
    case("vllm-classify zero is listed", "vllm-classify.jsonl", "vllm", SPAM, missing="refuse")
    rows = [
        {"response": vllm_classify("classify batch", SENTIMENT, [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])},
        {"id": "c", "label": "neutral", "response": vllm_classify("classify one", SENTIMENT, [[0.2, 0.5, 0.3]])},
    ]
    add("vllm-classify-several.jsonl", "wrapped; the first reply holds two rows", rows)
    case("vllm-classify-several", "vllm-classify-several.jsonl", "vllm", SENTIMENT, reply="response")

    rows = [
        gemini(
            "gemini 0",
            [
                ("positive", [("positive", 0.6), ("Positive", 0.2), ("neutral", 0.1), ("negative", 0.05)]),
                ("\n", [("\n", 0.9)]),
            ],
        ),
        gemini("gemini 1", [("neutral", [("positive", 0.5), ("negative", 0.3), ("neutral", 0.1)])], hide=(0,)),
        gemini("gemini 2", [("neg", [("neg", 0.7), ("neu", 0.2), ("pos", 0.06)]), ("ative", [("ative", 0.99)])]),
    ]
    add(
        "gemini.jsonl",
        "Gemini: the chosen token is not in the top candidates of the second; `avgLogprobs` is no score",
        rows,
    )
    case("gemini", "gemini.jsonl", "gemini", SENTIMENT)
    add(
        "gemini-snake.jsonl",
        "the same as Gemini's SDK prints it (`model_dump_json`): snake_case",
        [snake(reply) for reply in rows[:2]],
    )
    case("gemini-snake", "gemini-snake.jsonl", "gemini", SENTIMENT, beyond=True)

    rows = [
        ollama(
            "ollama 0", word("positive", [("positive", 0.8), ("Positive", 0.1), ("negative", 0.06), ("neutral", 0.02)])
        ),
        ollama("ollama 1", [("Neg", [("Neg", 0.7), ("Neutral", 0.2), ("Pos", 0.05)]), ("ative", [("ative", 1.0)])]),
        ollama("ollama 2", [(" neutral", [(" neutral", 0.5), (" positive", 0.4)]), (".", [(".", 0.9)])]),
    ]
    add("ollama-chat.jsonl", "Ollama `/api/chat`: tokens of one or several pieces", rows)
    case("ollama-chat", "ollama-chat.jsonl", "ollama", SENTIMENT)
    rows = [
        {
            "id": "a",
            "label": "ham",
            "reply": ollama("g 0", word("▁spam", [("▁spam", 0.6), ("▁ham", 0.3)]), generate=True),
        },
        {
            "id": "b",
            "label": "spam",
            "reply": ollama("g 1", word("▁ham", [("▁ham", 0.9), ("▁Spam", 0.05)]), generate=True),
        },
        {
            "id": "c",
            "label": None,
            "reply": ollama("g 2", [("s", [("s", 0.5), ("h", 0.4)]), ("pam", [("pam", 0.9)])], generate=True),
        },
    ]
    add(
        "ollama-generate.jsonl",
        "Ollama `/api/generate`, wrapped; `▁`; a letter that the next token completes, and one that is not chosen",
        rows,
    )
    case("ollama-generate", "ollama-generate.jsonl", "ollama", SPAM, reply="reply")

    steps = [
        [(" positive", [(" positive", 0.6), (" negative", 0.2), (" neutral", 0.1), ("\n", 0.05)])],
        [(" ne", [(" ne", 0.7), (" pos", 0.2)]), ("utral", [("utral", 0.6), ("gative", 0.35)])],
        [("\n", [("\n", 0.8), (" negative", 0.1)]), ("Negative", [("Negative", 0.9), ("Positive", 0.05)])],
    ]
    rows = [llama_chat(f"llama {i}", step) for i, step in enumerate(steps)]
    add("llama-cpp-chat.jsonl", "llama.cpp chat: as OpenAI, with token ids", rows)
    case("llama-cpp-chat", "llama-cpp-chat.jsonl", "llama-cpp", SENTIMENT)
    for shape, note in [
        ("new", "llama.cpp `/completion`: `completion_probabilities` with `top_logprobs`"),
        ("old", "llama.cpp `/completion` of builds before December 2024: `probs` with `tok_str` and `prob`"),
        ("sampled", "llama.cpp `/completion` with `post_sampling_probs`: `top_probs` with `prob`"),
    ]:
        name = f"llama-cpp-completion-{shape}.jsonl"
        add(name, note, [llama_completion(step, shape) for step in steps])
        case(name.removesuffix(".jsonl"), name, "llama-cpp", SENTIMENT, beyond=shape == "sampled")


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


def bad_files() -> None:
    """Replies that must be refused: the first row is fine, the second is not, unless the note says otherwise."""
    good = lean(chat("good", [("spam", [("spam", 0.8), ("ham", 0.15)])]))
    again = lean(chat("again", [("ham", [("ham", 0.6), ("spam", 0.3)])]))

    def bad(
        name: str,
        note: str,
        source: str,
        replies: list[Any] | None = None,
        raw: str | None = None,
        classes: list[str] = SPAM,
        **options: object,
    ) -> None:
        file = f"bad/{name}.jsonl"
        add(file, note, lean(replies), None if raw is None else raw.encode())
        case(f"bad {name}", file, source, classes, **options)

    def changed(path: list[str | int], value: object) -> JSON:
        copy = json.loads(dump(again))
        place = copy
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value
        return copy

    token: list[str | int] = ["choices", 0, "logprobs", "content", 0]
    bad(
        "truncated", "the last line is cut off", "openai", raw=dump(good) + "\n" + dump(again) + "\n" + dump(good)[:200]
    )
    bad("not-json", "text between the replies", "openai", raw=dump(good) + "\nINFO 200 OK\n" + dump(again) + "\n")
    nan = dump(again).replace('"logprob":-0.51082562', '"logprob":NaN')
    assert nan != dump(again)
    bad("nan", "a log-probability is NaN, as Python writes it", "openai", raw=dump(good) + "\n" + nan + "\n")
    bad(
        "null-logprob",
        "a log-probability is null",
        "openai",
        [good, changed([*token, "top_logprobs", 1, "logprob"], None)],
    )
    both = changed([*token, "logprob"], 0.25)
    both["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]["logprob"] = 0.25
    bad("positive-logprob", "a log-probability is positive", "openai", [good, both])
    bad(
        "text-logprob",
        "a log-probability is a text",
        "openai",
        [good, changed([*token, "top_logprobs", 0, "logprob"], "-0.5")],
    )
    over = chat("over", [("ham", [("ham", 0.8), ("spam", 0.8)])])
    bad("sum", "the probabilities of a position sum to 1.6", "openai", [good, over])
    message = {
        "message": "You exceeded your current quota.",
        "type": "insufficient_quota",
        "param": None,
        "code": "insufficient_quota",
    }
    bad("openai-error", "an error object", "openai", [good, {"error": message}, again])
    bad(
        "openai-refusal",
        "`message.refusal` is set",
        "openai",
        [good, no_logprobs(again, content=None, refusal="I'm sorry.")],
    )
    bad("openai-null-content", "`content` is null", "openai", [good, no_logprobs(again, content=None)])
    filtered = no_logprobs(again, content="")
    filtered["choices"][0]["finish_reason"] = "content_filter"
    bad("openai-content-filter", "stopped by the content filter", "openai", [good, filtered])
    bad("openai-empty", "`content` is empty", "openai", [good, no_logprobs(again, content="")])
    bad("openai-no-logprobs", "`logprobs` is null", "openai", [good, no_logprobs(again)])
    bad("openai-no-choices", "`choices` is empty", "openai", [good, again | {"choices": []}])
    bad("openai-shape", "a reply of another vendor", "openai", [good, sentiment("other vendor", [0.7, 0.1, 0.1, 0.1])])
    hello = chat("hello", [("Sure", [("Sure", 0.7), ("Certainly", 0.2)]), ("!", [("!", 0.9)])])
    bad("no-class", "no token is a class", "openai", [good, hello])
    bad(
        "no-json-field",
        "the answer is not JSON",
        "openai",
        [chat("json ok", json_answer(['{"label":"', "spam", '"}'], 1, [("spam", 0.8), ("ham", 0.1)])), hello],
        answer_at="label",
    )
    bad(
        "other-json-field",
        "the answer's JSON has the field only deeper",
        "openai",
        [chat("json deep", json_answer(['{"a":{"label":"', "spam", '"}}'], 1, [("spam", 0.8), ("ham", 0.1)]))],
        answer_at="label",
    )
    bad(
        "no-wrapped-reply",
        "a line without the field of the reply",
        "openai",
        [{"id": "a", "response": good}, {"id": "b", "respnse": again}],
        reply="response",
    )
    bad(
        "list-label",
        "a label that is a list",
        "openai",
        [{"id": "a", "label": "spam", "response": good}, {"id": "b", "label": ["spam"], "response": again}],
        reply="response",
    )
    lines = [
        batch_line("b 0", "t-1", good),
        batch_line("b 1", "t-2", again),
        batch_line("b 2", "t-3", {"error": message}, status=429),
        batch_line("b 3", "t-4", good),
    ]
    bad("openai-batch-status", "batch output file: the third request got status 429", "openai", lines)
    expired = {
        "code": "batch_expired",
        "message": "This request could not be executed before the completion window expired.",
    }
    bad(
        "openai-batch-expired",
        "batch output file: the second request expired",
        "openai",
        [lines[0], batch_line("b 4", "t-2", None, error=expired)],
    )

    fine = response("fine", [("spam", [("spam", 0.8), ("ham", 0.15)])])
    part = fine["output"][0]["content"][0]

    def with_content(content: list[JSON]) -> JSON:
        return fine | {"output": [fine["output"][0] | {"content": content}]}

    failed = fine | {
        "status": "failed",
        "output": [],
        "error": {"code": "server_error", "message": "An error occurred."},
    }
    bad("responses-error", "a response that failed", "openai", [fine, failed])
    bad(
        "responses-refusal",
        "a refusal instead of a text",
        "openai",
        [fine, with_content([{"type": "refusal", "refusal": "I'm sorry."}])],
    )
    bad(
        "responses-no-logprobs",
        "`logprobs` is an empty list",
        "openai",
        [fine, with_content([part | {"logprobs": []}])],
    )
    bad("responses-empty", "an empty text", "openai", [fine, with_content([part | {"text": "", "logprobs": []}])])

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
    bad("completions-error", "an error object", "completions", [legacy, {"error": message}])
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
    bad(
        "votes-no-answer",
        "a line without an answer",
        "votes",
        [{"id": "a", "answer": "spam"}, {"id": "a", "reply": "ham"}],
    )
    bad("votes-no-id", "a line without an id", "votes", [{"id": "a", "answer": "spam"}, {"answer": "ham"}])

    twice = {"ham": ["ham", "mail"], "spam": ["spam", "mail"]}
    case("bad two classes with one spelling", "openai-blank.jsonl", "openai", SPAM, **{"class": twice})
    spaced = {"ham": ["ham"], "spam": [" ham"]}
    case("bad one spelling up to white space", "openai-blank.jsonl", "openai", SPAM, **{"class": spaced})
    case("bad one spelling up to a mark", "openai-blank.jsonl", "openai", SPAM, **{"class": {"ham": ["Ġspam"]}})
    case("bad empty spelling", "openai-blank.jsonl", "openai", SPAM, **{"class": {"ham": ["ham", ""]}})
    case("bad spelling of an unknown class", "openai-blank.jsonl", "openai", SPAM, **{"class": {"eggs": ["eggs"]}})
    case("bad class that never occurs", "openai-blank.jsonl", "openai", ["eggs", "bacon"])


def recorded_files() -> None:
    """Replies of a real server; record_llama_cpp.py wrote them."""
    notes = {
        "chat": "a real llama.cpp server: chat; the last token is empty (end of text)",
        "chat-grammar": "the same, the answer forced by a grammar: the chosen token is not listed, other is 0.999",
        "completion": "the same server: `/completion`",
        "completions": "the same server: `/v1/completions`, whose tokens are those of chat",
    }
    for name, note in notes.items():
        file = f"recorded/llama-cpp-{name}.jsonl"
        NOTES[file] = note
        classes = ["negative", "positive"]
        case(f"recorded {name}", file, "llama-cpp", classes, beyond=name == "completions", reply="response")


def readme() -> str:
    """The list of files."""
    lines = [
        "# Replies of black boxes",
        "",
        "Replies in the shapes that vendors document, one a line unless the name or the note says otherwise.",
        "Ids, times and numbers are invented; no API was called. Only those in `recorded/` are real: llama.cpp with",
        "SmolLM2-135M-Instruct, recorded by `record_llama_cpp.py`. `testdata/make_replies.py` writes all other files",
        "but the scripts.",
        "",
        "* `cases.json`: for every case the file, the source (`from`), the options, and the expected rows or the row",
        "  (from 1) and kind of the expected error. Rows of votes have `counts`. `beyond` marks shapes that vendors",
        "  also reply with and the issue does not name.",
        "* `reference.py`: computes the expected rows; slow, written from the specification, without Rust code.",
        "  Compare with a tolerance of 1e-12.",
        "* `check_shapes.py`: checks the files against the types of the vendors' SDKs, at the versions in",
        "  `requirements.txt`:",
        "",
        "```sh",
        "python3 -m venv /tmp/shapes && /tmp/shapes/bin/pip install -r testdata/replies/requirements.txt",
        "/tmp/shapes/bin/python testdata/replies/check_shapes.py",
        "```",
        "",
        "Files about something else than the shape leave out optional fields that no reader needs.",
        "",
        "| file | what it shows |",
        "|---|---|",
    ]
    good = {name: note for name, note in NOTES.items() if note and not name.startswith("bad/")}
    lines += [f"| `{name}` | {note} |" for name, note in sorted(good.items())]
    lines += [
        "",
        "## bad/",
        "",
        "Files that must be refused. The reply at fault is the second or the last, unless the note says otherwise.",
        "",
        "| file | what it shows | kind of error |",
        "|---|---|---|",
    ]
    kinds = {entry["file"]: entry["expected"]["error"]["kind"] for entry in CASES if entry["name"].startswith("bad ")}
    wrong = {name: note for name, note in NOTES.items() if name.startswith("bad/")}
    lines += [f"| `{name.removeprefix('bad/')}` | {note} | {kinds[name]} |" for name, note in sorted(wrong.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the files, then compute what is expected of them."""
    builds = [
        openai_files,
        openai_token_files,
        openai_json_files,
        other_token_files,
        score_files,
        vote_files,
        bad_files,
    ]
    for build in [*builds, recorded_files]:
        build()
    for old in FOLDER.iterdir():
        if old.is_dir() and old.name in ("bad", "openai-folder"):
            shutil.rmtree(old)
        elif ".json" in old.name:
            old.unlink()
    for name, raw in FILES.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    for entry in CASES:
        try:
            rows = reference.read(FOLDER / entry["file"], entry["from"], entry["options"])
            entry["expected"] = {"rows": rows}
        except reference.ReplyError as error:
            entry["expected"] = {"error": {"row": error.row, "kind": error.kind}}
        refused = entry["name"].startswith("bad ") or "refuse" in entry["options"]["missing"]
        if "error" in entry["expected"] and not refused:
            raise SystemExit(f"{entry['name']}: {entry['expected']}")
        if entry["name"].startswith("bad ") and "rows" in entry["expected"]:
            raise SystemExit(f"{entry['name']} is not refused")
    names = [entry["name"] for entry in CASES]
    assert len(set(names)) == len(names)
    body = "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in CASES) + "\n]\n"
    (FOLDER / "cases.json").write_text(body)
    (FOLDER / "README.md").write_text(readme())
    print(f"{len(FILES)} files, {sum(map(len, FILES.values()))} bytes, {len(CASES)} cases")


if __name__ == "__main__":
    main()
