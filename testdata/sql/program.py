"""The program itself on the same tables: its counters, and the models of all counters."""

import json
import subprocess
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from tables import Case

# The result table of a query, a line as the key and `rows` as the count.
Lines = dict[tuple[str, str | None, str | None, int | None, float | None], int | None]

# Messages about a result that cannot be fitted from.
BAD = "rows have a missing or negative probability, or do not sum to 1"
UNKNOWN = "unknown label"
TINY = "rows have probabilities below 1e-290, whose bin SQL cannot compute: round them to 0"


class Program:
    """The program, in a folder of its own."""

    def __init__(self, path: str, folder: str) -> None:
        """Takes the path of the executable and a folder for its files."""
        self.path, self.folder = str(Path(path).resolve()), Path(folder)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Runs a command in the folder."""
        return subprocess.run([self.path, *args], cwd=self.folder, capture_output=True, text=True, check=False)

    def ok(self, *args: str) -> str:
        """Runs a command that must succeed, and returns what it prints."""
        run = self.run(*args)
        assert run.returncode == 0, f"{args}: {run.stderr}"
        return run.stdout

    def refuses(self, *args: str) -> str:
        """Runs a command that must be refused as data are, and returns what it says."""
        run = self.run(*args)
        assert (run.returncode, run.stdout) == (1, ""), f"{args}: {run.returncode} {run.stdout}{run.stderr}"
        assert run.stderr.startswith("cwplugin: error: ") and "\n  hint: " in run.stderr, f"{args}: {run.stderr}"
        return run.stderr

    def query(self, dialect: str, case: Case) -> str:
        """The query for a case."""
        return json.loads(self.ok("stats", "--sql", dialect, "--json", *case.flags()))["query"]

    def write(self, case: Case) -> list[str]:
        """Writes a case's table as Parquet; returns the arguments that describe it."""
        pa.parquet.write_table(case.file(), self.folder / "table.parquet")
        return ["table.parquet", *case.file_flags()]

    def save(self, result: pa.Table) -> None:
        """Saves the result of a query as CSV and as Parquet."""
        texts = [field.with_type(pa.string()) if pa.types.is_string_view(field.type) else field for field in result.schema]
        pa.csv.write_csv(result.cast(pa.schema(texts)), self.folder / "result.csv")
        pa.parquet.write_table(result, self.folder / "result.parquet")

    def count(self, case: Case) -> dict:
        """The program's own statistics, which it also leaves in the folder."""
        more = ["--bins", str(case.bins), "-o", "counted.json", "--json", "--quiet"]
        return json.loads(self.ok("stats", *self.write(case), *more))


def counters(lines: Lines) -> dict[tuple[str | None, str | None, int | None], tuple[int, Fraction]]:
    """Rows and exact weight by class, label and bin."""
    sums = defaultdict(lambda: (0, Fraction(0)))
    for (kind, name, label, cut, each), rows in lines.items():
        if kind == "cut":
            assert rows is not None and each is not None
            known, weight = sums[name, label, cut]
            sums[name, label, cut] = (known + rows, weight + rows * Fraction(each))
    return dict(sums)


def counters_of(document: dict) -> dict[tuple[str | None, str | None, int | None], tuple[int, Fraction]]:
    """The same out of a statistics document."""
    sums = {}
    for pair in document["pairs"]:
        weights = pair.get("weights") or [[cut, [own], [fixed]] for cut, own, fixed in pair["cuts"]]
        for (cut, *rows), (_, *parts) in zip(pair["cuts"], weights, strict=True):
            for label, count, of_label in zip([pair["class"], document["reference"]], rows, parts, strict=True):
                if count:
                    sums[pair["class"], label, cut] = (count, sum(map(Fraction, of_label), Fraction(0)))
    return sums


def check_document(case: Case, lines: Lines, document: dict) -> int:
    """Compares every counter of the program with the lines; returns how many there are."""
    by_kind = {kind: [(key, rows) for key, rows in lines.items() if key[0] == kind] for kind, *_ in lines}
    assert document["classes"] == case.classes
    assert document["unlabelled"] == by_kind["unlabelled"][0][1]
    ((_, reference, _, bins, _), labelled) = by_kind["reference"][0]
    assert (document["reference"], document["bins"], document["rows"]) == (reference, bins, labelled)
    probable = {key[1]: rows > 0 for key, rows in by_kind["class"]}
    assert {total["class"]: total["probable"] for total in document["totals"]} == probable, case.name
    ours, theirs = counters_of(document), counters(lines)
    for name, label in {key[:2] for key in [*ours, *theirs]}:
        # Where SQL cannot tell the bin, only the sums can be compared.
        mine, others = ({key: n for key, n in sums.items() if key[:2] == (name, label)} for sums in (ours, theirs))
        if (name, label, -1) in others:
            mine, others = ([sum(part) for part in zip(*sums.values(), strict=True)] for sums in (mine, others))
        assert mine == others, f"{case.name}, rows of {label} for {name}: {mine} instead of {others}"
    return len(ours)


def without_options(text: str) -> dict:
    """A model without the options that were set, and without what only rows tell."""
    model = json.loads(text)
    model["fit"].pop("options", None)
    model["fit"].pop("fingerprint", None)
    model["fit"]["warnings"] = [one for one in model["fit"]["warnings"] if one["kind"] not in ("one-hot", "two-valued")]
    return model


def check_models(program: Program, case: Case, result: pa.Table) -> None:
    """The same model, but for its options, from the rows, from their statistics and from the result of the query."""
    program.save(result)
    rows = [*program.write(case), "--unscored", "--search", f"grid:{1 / case.bins}"]
    for settings in (["--metric", "macro-f1"], ["--metric", "mcc", "--ties", "first"]):
        fit = ["fit", "--json", "--quiet", "--absent", "drop", *settings]
        expected = without_options(program.ok(*fit, *rows))
        for statistics in ["counted.json", "result.csv", "result.parquet"]:
            found = without_options(program.ok(*fit, "--stats", statistics))
            assert found == expected, f"{case.name}, {statistics}: {found} instead of {expected}"


def check_refused(program: Program, case: Case, result: pa.Table, reasons: list[str]) -> None:
    """A result that tells of bad rows, unknown labels or unknown bins is not fitted from."""
    program.save(result)
    for name in ["result.csv", "result.parquet"]:
        said = program.refuses("fit", "--stats", name)
        assert name in said and any(reason in said for reason in reasons), f"{case.name}: {said}"
