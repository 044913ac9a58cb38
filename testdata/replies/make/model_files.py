"""Files of the other language models, and those recorded from a real server."""

from .files import NOTES, add, case, word
from .models import gemini, llama_chat, llama_completion, ollama, snake, vllm_chat, vllm_classify
from .openai import batch_line, completion
from .pieces import SENTIMENT, SPAM


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
