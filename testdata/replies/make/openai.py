"""Replies of OpenAI: chat completions, responses, batch lines, legacy completions."""

from .pieces import CREATED, JSON, Step, key, log, openai_tokens, ranked, text


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
