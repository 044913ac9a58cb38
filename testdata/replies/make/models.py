"""Replies of vLLM, Gemini, Ollama and llama.cpp."""

from .pieces import CREATED, JSON, Step, key, log, openai_tokens, ranked, text


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
