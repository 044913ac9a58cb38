"""lmtweets.parquet, lmtweets-minilm.parquet and lmtweets.emb.npy: sentiment of tweets, SemEval-2017 task 4 subtask "
"A."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from blackbox import logistic
from embed import embed, save
from fetch import Source, text
from predictions import Expected, expect, options, table, write

CLASSES = ("negative", "neutral", "positive")
ROWS = 16_000
DISTINCT = 49_555  # tweets after repeated ids and texts are dropped
# The years 2013 to 2016; the 2017 test set is left out.
PARTS = (
    *("2013dev", "2013test", "2013train", "2014sarcasm", "2014test", "2015test", "2015train"),
    *("2016dev", "2016devtest", "2016test", "2016train"),
)
# The same files as GitHub FireBrother/assignment, 2017_English_final/GOLD/Subtask_A.
TWEETS = [
    Source(
        "cbaziotis/datastories-semeval2017-task4",
        f"dataset/Subtask_A/downloaded/twitter-{part}-A.tsv",
        "5671b64fde21e61bea49dd5403f5421607d5dc00",
    )
    for part in PARTS
]
AIRLINES = Source("fastforwardlabs/airline-sentiment", "data/Tweets.csv", "65d0d753916df551ce285e61d63852f6989becf7")
AIRLINE_ROWS = {"negative": 9_178, "neutral": 3_099, "positive": 2_363}
TARGET_ROWS = {"negative": 2_479, "neutral": 7_133, "positive": 6_388}
TEST_ROWS = {"negative": 484, "neutral": 1_420, "positive": 1_296}


class Tweet(NamedTuple):
    """One row of a release."""

    id: str
    label: str
    text: str


def unquoted(field: str) -> str:
    """Undo the quotes of a spreadsheet, only if they are at both ends: some texts have one at one end."""
    field = field.strip()
    if len(field) > 1 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"')
    return field


def parse(lines: Iterable[str]) -> list[Tweet]:
    """`id TAB label TAB text`; escapes such as `\\u002c` stay as released."""
    tweets = []
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) >= 3 and fields[1] in CLASSES:
            tweets.append(Tweet(fields[0], fields[1], unquoted(fields[2])))
    return tweets


def distinct(tweets: Iterable[Tweet]) -> list[Tweet]:
    """The first of each id and of each text."""
    ids, texts, kept = set(), set(), []
    for tweet in tweets:
        if tweet.id not in ids and tweet.text not in texts:
            kept.append(tweet)
        ids.add(tweet.id)
        texts.add(tweet.text)
    return kept


def draw(tweets: Sequence[Tweet], n: int) -> list[Tweet]:
    """A seeded sample without replacement, in the order of the files."""
    return [tweets[i] for i in np.sort(np.random.default_rng(0).choice(len(tweets), n, replace=False))]


def parse_airlines(content: str) -> list[tuple[str, str]]:
    """Label and text of every row of Twitter US Airline Sentiment."""
    return [(row["airline_sentiment"], row["text"]) for row in csv.DictReader(io.StringIO(content, newline=""))]


def spacy_probabilities(texts: Sequence[str]) -> np.ndarray:
    """The third-party classifier's scores, in the order of CLASSES."""
    import eng_spacysentiment

    scores = [doc.cats for doc in eng_spacysentiment.load().pipe(texts, batch_size=256)]
    return np.array([[row[name] for name in CLASSES] for row in scores], dtype=np.float32)


def main() -> None:
    """Download, classify, write, compare."""
    where = options(__doc__)
    released = [tweet for source in TWEETS for tweet in parse(text(source, where.cache).split("\n"))]
    tweets = distinct(released)
    expect("distinct tweets", len(tweets), DISTINCT)
    tweets = draw(tweets, ROWS)
    labels, texts = [tweet.label for tweet in tweets], [tweet.text for tweet in tweets]
    expect("tweets by class", Counter(labels), TARGET_ROWS)
    airlines = parse_airlines(text(AIRLINES, where.cache))
    expect("airline tweets by class", Counter(label for label, _ in airlines), AIRLINE_ROWS)

    p = spacy_probabilities(texts)
    write(table(CLASSES, labels, p), where.output / "lmtweets.parquet", Expected(TARGET_ROWS, TEST_ROWS, 0.4612))
    targets = embed(texts)
    save(targets, where.output / "lmtweets.emb.npy")
    p = logistic(embed([words for _, words in airlines]), [label for label, _ in airlines], targets, CLASSES)
    path = where.output / "lmtweets-minilm.parquet"
    write(table(CLASSES, labels, p), path, Expected(TARGET_ROWS, TEST_ROWS, 0.4941))


if __name__ == "__main__":
    main()
