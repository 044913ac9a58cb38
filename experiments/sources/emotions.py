"""lmemotions.parquet, lmemotions-ood.parquet and lmemotions.emb.npy: six emotions, dair-ai/emotion."""

from collections import Counter
from collections.abc import Iterable, Sequence

from blackbox import logistic
from embed import embed, save
from fetch import Source, text
from predictions import Expected, expect, options, table, write

Labelled = list[tuple[str, str]]  # label, text

CLASSES = ("sadness", "joy", "love", "anger", "fear", "surprise")
DAIR = {
    part: Source("niuzaisheng/AttExplainer", f"data/emotion/{part}.txt", "1d5fefda7fc548884cf1f99727bb5db81b68c2e3")
    for part in ("train", "val", "test")
}
GO = "google-research/google-research"
GO_NAMES = Source(GO, "goemotions/data/emotions.txt", "018cbe7892d848bc871d482fd2868089037e375f")
GO_ROWS = [
    Source(GO, "goemotions/data/train.tsv", "2adf640a14f11025ae5a9d0ec493b78530d276d3"),
    Source(GO, "goemotions/data/dev.tsv", "2adf640a14f11025ae5a9d0ec493b78530d276d3"),
    Source(GO, "goemotions/data/test.tsv", "b91598b43297db06cca27a29fe2d0442dffea029"),
]
ISEAR = Source("PranotiDesai/Emotion-Detection", "data/isear.csv", "b44ab6501e318e9146098965646f7ee9a2998ed5")
ISEAR_LABEL, ISEAR_TEXT = 36, 40  # Field1 and SIT
# The file is UTF-8, but the black box was trained on it as Latin-1: `á` is two characters there.
ISEAR_ENCODING = "latin-1"
# An inference: 4,381 rows are read and 4,377 were used; without texts shorter than this, 4,377 are left.
ISEAR_SHORTEST = 10

TARGET_ROWS = {"sadness": 4_664, "joy": 5_350, "love": 1_299, "anger": 2_155, "fear": 1_933, "surprise": 568}
TEST_ROWS = {"sadness": 936, "joy": 1_098, "love": 252, "anger": 410, "fear": 383, "surprise": 115}
GO_EXPECTED = {"love": 1_760, "anger": 1_265, "joy": 1_052, "sadness": 1_003, "surprise": 902, "fear": 553}
ISEAR_EXPECTED = 4_377
REST_EXPECTED = 3_984


def parse_dair(lines: Iterable[str]) -> Labelled:
    """`text;label` below a header row, which has no class as its label."""
    pairs = [line.rstrip("\r\n").rpartition(";") for line in lines]
    return [(label, words) for words, _, label in pairs if label in CLASSES]


def first_of_each(rows: Labelled) -> Labelled:
    """The first row of each text."""
    kept: dict[str, tuple[str, str]] = {}
    for label, words in rows:
        kept.setdefault(words, (label, words))
    return list(kept.values())


def parse_go(lines: Iterable[str], names: Sequence[str]) -> Labelled:
    """Rows of `text TAB label numbers TAB id` whose only label is one of the six."""
    rows = []
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) >= 2 and fields[1].isdigit() and names[int(fields[1])] in CLASSES:
            rows.append((names[int(fields[1])], fields[0]))
    return rows


def parse_isear(lines: Iterable[str]) -> Labelled:
    """Anger, fear, joy and sadness of the bar-separated table; disgust, shame, guilt and short texts are dropped."""
    rows = []
    for line in lines:
        fields = line.rstrip("\r\n").split("|")
        if len(fields) <= ISEAR_TEXT or len(fields[ISEAR_TEXT]) < ISEAR_SHORTEST:
            continue
        if fields[ISEAR_LABEL] in CLASSES:
            rows.append((fields[ISEAR_LABEL], fields[ISEAR_TEXT]))
    return rows


def unseen(rows: Labelled, targets: Labelled) -> Labelled:
    """The rows whose text is not among the targets."""
    known = {words for _, words in targets}
    return [(label, words) for label, words in rows if words not in known]


def main() -> None:
    """Download, classify, write, compare."""
    where = options(__doc__)
    dair = {part: parse_dair(text(source, where.cache).split("\n")) for part, source in DAIR.items()}
    targets = first_of_each(dair["train"])
    expect("targets by class", Counter(label for label, _ in targets), TARGET_ROWS)
    names = text(GO_NAMES, where.cache).split()
    go = [row for source in GO_ROWS for row in parse_go(text(source, where.cache).split("\n"), names)]
    expect("GoEmotions rows by class", Counter(label for label, _ in go), GO_EXPECTED)
    isear = parse_isear(text(ISEAR, where.cache, ISEAR_ENCODING).split("\n"))
    expect("ISEAR rows", len(isear), ISEAR_EXPECTED)
    rest = unseen(dair["val"] + dair["test"], dair["train"])
    expect("validation and test rows not in train", len(rest), REST_EXPECTED)

    labels, x = [label for label, _ in targets], embed([words for _, words in targets])
    save(x, where.output / "lmemotions.emb.npy")
    for name, source, accuracy in (("lmemotions-ood", go, 0.5106), ("lmemotions", go + isear + rest, 0.6093)):
        p = logistic(embed([words for _, words in source]), [label for label, _ in source], x, CLASSES)
        path = where.output / f"{name}.parquet"
        write(table(CLASSES, labels, p), path, Expected(TARGET_ROWS, TEST_ROWS, accuracy))


if __name__ == "__main__":
    main()
