"""Files of OpenAI that show odd tokens."""

from .files import add, case
from .openai import chat
from .pieces import RATING, SENTIMENT, SPAM, VERY


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
