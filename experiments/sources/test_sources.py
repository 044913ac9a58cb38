"""Tests of the loading scripts on small made-up inputs; and, where CWPLUGIN_DATA names the folder of the prediction
files, of what the scripts say about those."""

import contextlib
import io
import json
import os
import tempfile
import unittest
import zipfile
from collections import Counter
from pathlib import Path

import anli
import blackbox
import census
import emotions
import fetch
import nli
import numpy as np
import predictions
import pyarrow as pa
import pyarrow.parquet as pq
import tweets

DATA = Path(os.environ["CWPLUGIN_DATA"]) if "CWPLUGIN_DATA" in os.environ else None


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        """Start with an empty folder."""
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))


class FetchTest(Folder):
    """Addresses, checksums, archives; no network."""

    def test_addresses_name_repository_and_path(self) -> None:
        """Each download can be traced to a public file."""
        source = fetch.Source("owner/name", "a folder/file.csv", "abc")
        self.assertEqual(source.url, "https://raw.githubusercontent.com/owner/name/abc/a%20folder/file.csv")
        self.assertEqual(fetch.Archive("owner/name").url, "https://github.com/owner/name/archive/HEAD.zip")

    def test_a_file_in_the_cache_is_recorded_and_a_change_is_noticed(self) -> None:
        """The first checksum stays."""
        remote = self.folder / "remote.txt"
        remote.write_text("one\n")
        page, cache = fetch.Page(remote.as_uri()), self.folder / "cache"
        local = fetch.fetch(page, cache)
        self.assertEqual(local.read_text(), "one\n")
        self.assertEqual(list(json.loads((cache / "checksums.json").read_text())), [page.url])
        remote.write_text("two\n")
        self.assertEqual(fetch.fetch(page, cache).read_text(), "one\n")
        local.unlink()
        with self.assertRaisesRegex(fetch.Changed, "is recorded"):
            fetch.fetch(page, cache)

    def test_members_are_found_by_pattern(self) -> None:
        """One fit is taken; none and two are refused."""
        path = self.folder / "some.zip"
        with zipfile.ZipFile(path, "w") as files:
            files.writestr("top/a/dev_matched.tsv", "tsv")
            files.writestr("top/b/x.txt", "1")
            files.writestr("top/c/x.txt", "2")
        self.assertEqual(fetch.member(path, "*.jsonl", "*dev_matched*.tsv"), b"tsv")
        with self.assertRaisesRegex(fetch.Changed, "fits 2 files"):
            fetch.member(path, "*/x.txt")
        with self.assertRaisesRegex(fetch.Changed, "no file fits"):
            fetch.member(path, "*.csv")


class PredictionsTest(Folder):
    """The split, the columns, the checks."""

    def test_split_is_the_seeded_permutation(self) -> None:
        """The first fifth of the permutation, rounded, is test."""
        order = np.random.default_rng(0).permutation(13)
        self.assertEqual(sorted(np.flatnonzero(predictions.split(13) == "test")), sorted(order[:3]))

    def test_written_file(self) -> None:
        """Columns, types, compression."""
        made = predictions.table(("a", "b"), ["a", "b"] * 5, np.full((10, 2), 0.5), {"round": ["R1"] * 10})
        test = Counter(np.array(["a", "b"] * 5)[predictions.split(10) == "test"].tolist())
        expected = predictions.Expected({"a": 5, "b": 5}, test, predictions.accuracy(made))
        path = self.folder / "new" / "file.parquet"
        predictions.write(made, path, expected)
        file = pq.ParquetFile(path)
        self.assertEqual(file.schema_arrow.names, ["label", "split", "round", "p_a", "p_b"])
        self.assertEqual(file.schema_arrow.field("p_a").type, pa.float32())
        self.assertEqual(file.metadata.row_group(0).column(0).compression, "ZSTD")
        other = predictions.Expected({"a": 6, "b": 4}, test, expected.accuracy)
        with self.assertRaisesRegex(predictions.Mismatch, "rows by class.*expected"):
            predictions.write(made, path, other)
        with self.assertRaisesRegex(predictions.Mismatch, "accuracy"):
            predictions.write(made, path, predictions.Expected(expected.rows, test, expected.accuracy + 0.1))

    def test_refused(self) -> None:
        """Sums off 1, unknown labels, wrong shapes."""
        for labels, p in ((["a"], [[0.5, 0.6]]), (["c"], [[0.5, 0.5]]), (["a"], [[1.0]]), (["a"], [[float("nan"), 1]])):
            with self.assertRaises(predictions.Mismatch):
                predictions.table(("a", "b"), labels, np.array(p))


class ParsingTest(Folder):
    """Every source's format, on made-up rows."""

    def test_tweets(self) -> None:
        """Escapes as released; other labels out; the first of each id and text."""
        lines = [
            '1\tneutral\tSo\\u002c so "quoted\t',
            "2\tpositive\tYes\r",
            "2\tnegative\tNo",
            "3\tneutral\tYes",
            "",
            "4\tx\ty",
        ]
        found = tweets.parse(lines)
        self.assertEqual(found[0], tweets.Tweet("1", "neutral", 'So\\u002c so "quoted'))
        self.assertEqual(len(found), 4)
        self.assertEqual([tweet.text for tweet in tweets.distinct(found)], ['So\\u002c so "quoted', "Yes"])

    def test_quotes_of_a_spreadsheet(self) -> None:
        """Undone if they are at both ends; a repeated text may differ only in them."""
        texts = ['"He said ""hi"", twice" ', '"open ""end', 'close"', '"', '""', "  plain  ", '"plain"']
        found = tweets.parse(f"{number}\tneutral\t{words}\r\n" for number, words in enumerate(texts))
        wanted = ['He said "hi", twice', '"open ""end', 'close"', '"', "", "plain", "plain"]
        self.assertEqual([tweet.text for tweet in found], wanted)
        self.assertEqual(len(tweets.distinct(found)), 6)

    def test_draw_keeps_the_order(self) -> None:
        """Seeded, without replacement."""
        rows = [tweets.Tweet(str(i), "neutral", str(i)) for i in range(100)]
        drawn = [int(tweet.id) for tweet in tweets.draw(rows, 30)]
        self.assertEqual(drawn, sorted(set(drawn)))
        self.assertEqual(drawn, [int(tweet.id) for tweet in tweets.draw(rows, 30)])

    def test_airlines(self) -> None:
        """A CSV with line breaks inside a text."""
        content = 'tweet_id,airline_sentiment,text\r\n1,negative,"late,\nagain"\r\n2,positive,fine\r\n'
        self.assertEqual(tweets.parse_airlines(content), [("negative", "late,\nagain"), ("positive", "fine")])

    def test_emotions(self) -> None:
        """The three formats, repeated texts, seen texts."""
        lines = ["text;label_name\n", "i am; well;joy\n", "i am low;sadness\r\n", "i am; well;love", ""]
        rows = emotions.parse_dair(lines)
        self.assertEqual(rows, [("joy", "i am; well"), ("sadness", "i am low"), ("love", "i am; well")])
        self.assertEqual(emotions.first_of_each(rows), rows[:2])
        self.assertEqual(emotions.unseen([("joy", "new"), ("joy", "i am low")], rows), [("joy", "new")])
        names = ["admiration", "anger", "joy"]
        lines = ["so cross\t1\tid", "both\t1,2\tid", "nice\t0\tid", "glad\t2\tid", ""]
        self.assertEqual(emotions.parse_go(lines, names), [("anger", "so cross"), ("joy", "glad")])

    def test_isear(self) -> None:
        """Bars, a header row, dropped emotions and short texts; read as Latin-1, as the black box was trained."""

        def line(label: str, words: str) -> str:
            return "|".join([*["0"] * 36, label, "1", "2", "3", words, "1", ""])

        head = "|".join(f"H{i}" for i in range(42))
        lines = [
            head,
            line("fear", "A dog á barked."),
            line("guilt", "I was late."),
            line("joy", "[ None.]"),
            "short|row",
        ]
        path = self.folder / "isear.csv"
        path.write_bytes("\n".join(lines).encode("utf-8"))
        content = fetch.text(fetch.Page(path.as_uri()), self.folder / "cache", emotions.ISEAR_ENCODING)
        self.assertEqual(emotions.parse_isear(content.split("\n")), [("fear", "A dog Ã¡ barked.")])

    def test_nli(self) -> None:
        """MultiNLI, ANLI, and both SNLI tables."""
        head = "index\tpremise\thypothesis\tgold_label\tnumber of correct responses (out of 100)"
        body = ['0\tHe ran  "\tHe moves.\tentailment\t99', '1\t"He ran\tHe is old.\t-\t3', ""]
        wanted = [nli.Pair('He ran  "', "He moves.", "entailment")]
        self.assertEqual(nli.parse_multinli("\n".join([head, *body])), wanted)
        line = json.dumps({"context": "A.", "hypothesis": "B.", "label": "c"})
        self.assertEqual(nli.parse_anli(line + "\n"), [nli.Pair("A.", "B.", "contradiction")])
        plain, numbered = (
            ["premise\thypothesis\tlabel", "A.\tB.\t2"],
            ["index\tpremise\thypothesis\tlabel", "7\tA.\tB.\t2"],
        )
        self.assertEqual(nli.parse_snli_test(plain), nli.parse_snli_test(numbered))
        self.assertEqual(nli.parse_snli_test(plain), [nli.Pair("A.", "B.", "contradiction")])
        self.assertEqual(nli.parse_snli_extra(["3\t3\tA.\tB.\n", ""]), [nli.Pair("A.", "B.", "entailment")])

    def test_anli_is_found_in_the_archive(self) -> None:
        """Dev and test of three rounds, and no other files of these names."""
        path = self.folder / "curriculum.zip"
        with zipfile.ZipFile(path, "w") as files:
            for number in (1, 2, 3):
                for part in ("train", "dev", "test"):
                    row = {"context": f"{part} {number}", "hypothesis": "B.", "label": "e"}
                    files.writestr(f"top/data/anli_v1.0/R{number}/{part}.jsonl", json.dumps(row) + "\n")
                    files.writestr(f"top/other/anli/R{number}/{part}.jsonl", "{}\n")
        wanted = [f"{part} {number}" for number in (1, 2, 3) for part in ("dev", "test")]
        self.assertEqual([pair.premise for pair in nli.anli_parts(path)], wanted)

    def test_anli(self) -> None:
        """A list inside a CSV field; sums are made 1."""
        heads = ["context", "gold_label", *(f"preds-anli-{name}" for name in anli.ACCURACY)]
        content = ",".join(heads) + '\n"a, ""b""",n,"[0.25, 0.5, 0.5]","[1, 0, 0]","[0, 0, 1e-05]"\n'
        rows = anli.parse(content)
        self.assertEqual(rows[0].label, "neutral")
        np.testing.assert_allclose(anli.normalised(rows, "roberta-large"), [[0.2, 0.4, 0.4]])
        np.testing.assert_allclose(anli.normalised(rows, "xlnet-large"), [[0, 0, 1]])

    def test_census(self) -> None:
        """Filter, thresholds, unknown codes, widths."""
        names = [*census.FEATURES, "PINCP", "PWGTP"]
        person = dict.fromkeys(names, 1) | {"AGEP": 40, "OCCP": 9830, "WKHP": 40, "PINCP": 30_000}
        people = [
            person,
            person | {"PINCP": 30_001, "COW": ""},
            person | {"PINCP": 50_000},
            person | {"PINCP": 50_001},
            *(person | out for out in ({"AGEP": 16}, {"PINCP": 100}, {"WKHP": ""}, {"PWGTP": 0})),
        ]
        lines = ["SERIALNO," + ",".join(names), *("x," + ",".join(str(one[name]) for name in names) for one in people)]
        found = census.columns(census.adults(census.parse("\n".join(lines).encode())), "CA")
        self.assertEqual(found["y3"].to_pylist(), [0, 1, 1, 2])
        self.assertEqual(found["COW"].to_pylist(), [1, -1, 1, 1])
        self.assertEqual(found.column_names, ["state", *census.FEATURES, "PINCP", "y3"])


class BlackBoxTest(unittest.TestCase):
    """Training, on points that can be told apart."""

    def setUp(self) -> None:
        """Three clouds."""
        chance = np.random.default_rng(1)
        self.labels = [("b", "c", "a")[i % 3] for i in range(300)]
        self.x = chance.normal(size=(300, 4)) + 4 * np.eye(4)[[i % 3 for i in range(300)]]

    def test_columns_follow_the_classes(self) -> None:
        """Whatever the order that the model keeps them in."""
        for train in (blackbox.logistic, blackbox.network):
            p = train(self.x, self.labels, self.x, ("c", "a", "b"))
            self.assertEqual(p.dtype, np.float32)
            np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
            right = [("c", "a", "b")[k] == label for k, label in zip(p.argmax(axis=1), self.labels, strict=True)]
            self.assertGreater(np.mean(right), 0.9)
            np.testing.assert_array_equal(p, train(self.x, self.labels, self.x, ("c", "a", "b")))

    def test_pair_features(self) -> None:
        """[u, v, |u − v|, u·v]."""
        found = blackbox.pair_features(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]))
        np.testing.assert_array_equal(found, [[1, 2, 3, -1, 2, 3, 3, -2]])


@unittest.skipUnless(DATA, "CWPLUGIN_DATA is not set")
class ShippedTest(unittest.TestCase):
    """What the scripts say of the prediction files holds for those that are there."""

    EXPECTED = (
        {
            "lmtweets": predictions.Expected(tweets.TARGET_ROWS, tweets.TEST_ROWS, 0.4612),
            "lmtweets-minilm": predictions.Expected(tweets.TARGET_ROWS, tweets.TEST_ROWS, 0.4941),
            "lmemotions": predictions.Expected(emotions.TARGET_ROWS, emotions.TEST_ROWS, 0.6093),
            "lmemotions-ood": predictions.Expected(emotions.TARGET_ROWS, emotions.TEST_ROWS, 0.5106),
        }
        | nli.EXPECTED
        | {
            f"anli-{name}": predictions.Expected(anli.ROWS, anli.TEST_ROWS, value)
            for name, value in anli.ACCURACY.items()
        }
    )

    def test_split_counts_and_accuracy(self) -> None:
        """The permutation rule row by row; classes in pool and test; clean accuracy to four decimals."""
        for name, expected in self.EXPECTED.items():
            with self.subTest(name):
                made = pq.read_table(DATA / f"{name}.parquet")
                labels, splits = np.array(made["label"].to_pylist()), np.array(made["split"].to_pylist())
                np.testing.assert_array_equal(splits, predictions.split(made.num_rows))
                self.assertEqual(Counter(labels.tolist()), expected.rows)
                self.assertEqual(Counter(labels[splits == "test"].tolist()), expected.test_rows)
                self.assertAlmostEqual(predictions.accuracy(made), expected.accuracy, delta=5e-5)

    def test_writing_them_again_keeps_them(self) -> None:
        """Columns, order and types are those of `table`."""
        for name in self.EXPECTED:
            with self.subTest(name):
                made = pq.read_table(DATA / f"{name}.parquet")
                classes = [column.removeprefix("p_") for column in made.column_names if column.startswith("p_")]
                p = np.stack([made[f"p_{column}"].to_numpy() for column in classes], axis=1)
                extra = {"round": made["round"].to_pylist()} if "round" in made.column_names else {}
                self.assertTrue(predictions.table(classes, made["label"].to_pylist(), p, extra).equals(made))

    def test_rounds_of_anli(self) -> None:
        """Rows of each round, in order."""
        rounds = pq.read_table(DATA / "anli-bart-large.parquet")["round"].to_pylist()
        self.assertEqual(Counter(rounds), anli.ROUND_ROWS)
        self.assertEqual(rounds, sorted(rounds))

    def test_income_classes(self) -> None:
        """y3 is PINCP cut at the thresholds, in both tables; the linked one has the columns that census.py writes."""
        for name in ("acs-income-8feat", "acs-income-linked"):
            made = pq.read_table(DATA / f"{name}.parquet")
            np.testing.assert_array_equal(made["y3"].to_numpy(), census.income_class(made["PINCP"].to_numpy()))
        columns = ["state", *census.FEATURES, "PINCP", "y3"]
        self.assertEqual(made.column_names, columns)
        widths = [pa.string(), *(census.WIDTHS.get(name, pa.int8()) for name in columns[1:])]
        self.assertEqual(made.schema.types, widths)

    def test_our_black_boxes_are_linear_in_the_embeddings(self) -> None:
        """Log-odds of a logistic regression; what is left over is the rounding of the stored float16."""
        for name, stored in (("lmtweets-minilm", "lmtweets"), ("lmemotions", "lmemotions"), ("lmemotions-ood",) * 2):
            made = pq.read_table(DATA / f"{name}.parquet")
            x = np.load(DATA / f"{stored.removesuffix('-ood')}.emb.npy").astype(np.float64)
            x = np.concatenate([x, np.ones((len(x), 1))], axis=1)
            p = np.stack([made[column].to_numpy() for column in made.column_names if column.startswith("p_")], axis=1)
            x, p = x[:3000], p[:3000]
            odds = np.log(p[:, :-1] / p[:, -1:].astype(np.float64))
            rest = odds - x @ np.linalg.lstsq(x, odds, rcond=None)[0]
            self.assertLess(np.abs(rest).max(), 5e-3)


if __name__ == "__main__":
    unittest.main()
