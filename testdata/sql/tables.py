"""Odd tables: where rounding, missing values and names go wrong if they can."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

ODD_NAMES = [
    "it's",
    'say "hi"',
    "back\\slash",
    "naïve ☃ 日本",
    "order",
    "rows",
    "a`b",
    "b1",
    "b0",
    "x; --",
    "100 %",
    "k",
]


@dataclass
class Case:
    """A table, and what the program is told about it."""

    name: str
    probabilities: np.ndarray
    labels: list[str | None]
    classes: list[str]
    bins: int
    reference: int = -1
    weights: np.ndarray | None = None
    label: str = "label"
    weight: str = "weight"
    table: str = "scores"
    prefix: str = "p_"
    columns: list[str] = field(default_factory=list)
    type: pa.DataType = field(default_factory=pa.float64)
    label_type: pa.DataType = field(default_factory=pa.string)

    def arrow(self) -> pa.Table:
        """The table as the engines get it."""
        names = self.columns or [self.prefix + name for name in self.classes]
        data = {
            "id": pa.array(range(len(self.labels)), pa.int64()),
            self.label: pa.array(self.labels).cast(self.label_type),
        }
        for name, values in zip(names, self.probabilities.T, strict=True):
            data[name] = pa.array(values, mask=np.isnan(values) & (values.view(np.int64) == NULL)).cast(self.type)
        if self.weights is not None:
            data[self.weight] = pa.array(self.weights)
        return pa.table(data)

    def file(self) -> pa.Table:
        """The table as the program gets it: its class columns are found by their names."""
        table = self.arrow()
        names = dict(zip(self.columns, self.file_columns(), strict=False))
        return table.rename_columns([names.get(name, name) for name in table.column_names])

    def file_columns(self) -> list[str]:
        """The class columns of the file."""
        return [(self.prefix or "") + name for name in self.classes]

    def file_flags(self) -> list[str]:
        """The command line that describes the file."""
        flags = ["--classes", ",".join(self.classes), "--label", self.label]
        flags += ["--reference", f"class:{self.classes[self.reference]}"]
        flags += ["--prefix", self.prefix] if self.prefix else []
        return flags + (["--weight", self.weight] if self.weights is not None else [])

    def flags(self) -> list[str]:
        """The command line that describes it."""
        flags = ["--table", self.table, "--classes", ",".join(self.classes), "--label", self.label]
        flags += ["--bins", str(self.bins), "--reference", f"class:{self.classes[self.reference]}"]
        flags += ["--columns", ",".join(self.columns)] if self.columns else ["--prefix", self.prefix]
        return flags + (["--weight", self.weight] if self.weights is not None else [])


# A NaN of its own stands for a missing value.
NULL = 0x7FF8_0000_0000_0BAD
MISSING = np.array([NULL], dtype=np.int64).view(np.float64)[0]


def draw_labels(rng: np.random.Generator, classes: list[str], n: int) -> list[str | None]:
    """Labels of all classes, some missing, some empty, some blank."""
    return [str(label) if label is not None else None for label in rng.choice([*classes, None, "", "  "], n)]


def near_ties(rng: np.random.Generator, m: int, n: int, bins: int) -> np.ndarray:
    """Pairs whose cut is on the grid or a few ulps beside it."""
    p = rng.dirichlet(np.ones(m), n)
    alpha = rng.integers(1, bins, n) / bins
    k = rng.integers(0, m - 1, n)
    both = p[np.arange(n), k] + p[:, -1]
    p[:, -1] = alpha * both
    p[np.arange(n), k] = (1 - alpha) * both
    for _ in range(3):
        p[:, -1] = np.where(rng.random(n) < 0.3, np.nextafter(p[:, -1], rng.integers(0, 2, n)), p[:, -1])
    return p


def zeros_and_specks(rng: np.random.Generator, m: int, n: int) -> np.ndarray:
    """Exact zeros, both signs, whole pairs of them, and numbers next to the smallest."""
    p = rng.dirichlet(np.ones(m), n)
    specks = [0.0, -0.0, 5e-324, 1e-323, 1e-310, 2.3e-308, 1e-300, 0.5e-290, 1e-290, 2e-290, 1e-200, 1e-20]
    few = rng.random((n, m)) < 0.6
    few[np.arange(n), rng.integers(0, m, n)] = False
    p[few] = rng.choice(specks, few.sum())
    return p / p.sum(axis=1, keepdims=True)


def two_decimals(rng: np.random.Generator, m: int, n: int) -> np.ndarray:
    """Percentages as vendors send them; their cuts fall on the grid."""
    cents = rng.multinomial(100, np.ones(m) / m, n) if m > 3 else rng.multinomial(100, rng.dirichlet(np.ones(m)), n)
    return cents / 100


def single(rng: np.random.Generator, m: int, n: int) -> np.ndarray:
    """Numbers that a 32-bit column holds exactly."""
    return rng.dirichlet(np.ones(m), n).astype(np.float32).astype(np.float64)


def cases() -> list[Case]:
    """All tables that the query must count right."""
    rng = np.random.default_rng(20)
    made = []
    for m in range(2, 13):
        classes = [f"c{k}" for k in range(m)]
        for bins in [2, 10, 100, 1000]:
            for kind, p in [
                ("ties", near_ties(rng, m, 150, bins)),
                ("zeros", zeros_and_specks(rng, m, 150)),
                ("percent", two_decimals(rng, m, 150)),
            ]:
                reference = int(rng.integers(0, m)) if kind != "ties" else m - 1
                made.append(Case(f"{kind}-{m}-{bins}", p, draw_labels(rng, classes, 150), classes, bins, reference))
                if m % 3 == 0:
                    made[-1].weights = rng.choice([0.0, -0.0, 0.1, 1.0, 1 / 3, 2.0], 150)
    for m in [2, 5]:
        classes = [f"c{k}" for k in range(m)]
        p = np.vstack([near_ties(rng, m, 100, 100_000), zeros_and_specks(rng, m, 100)])
        made.append(Case(f"fine-{m}", p, draw_labels(rng, classes, 200), classes, 100_000))
        p = near_ties(rng, m, 40, 1_000_000)
        made.append(Case(f"finest-{m}", p, draw_labels(rng, classes, 40), classes, 1_000_000))
    return made + named_cases(rng)


def named_cases(rng: np.random.Generator) -> list[Case]:
    """Names that a query must quote, and columns of other types."""
    p, q = near_ties(rng, 12, 300, 100), near_ties(rng, 3, 300, 100)
    labels = draw_labels(rng, ODD_NAMES, 300)
    few = ["a", "b", "c"]
    digits = [str(digit) for digit in rng.integers(0, 3, 200)]
    thousands = rng.multinomial(1000, [0.3, 0.3, 0.4], 200) / 1000
    wide = [f"wide {k}" for k in range(300)]
    return [
        Case("odd-names", p, labels, ODD_NAMES, 100, 3, label="the 'true' \"one\"", table="my table"),
        Case("bare-names", p, labels, ODD_NAMES, 100, 0, label="label", table="order", prefix=""),
        Case("swapped", q, draw_labels(rng, few, 300), few, 100, columns=["b2", "b0", "label"], label="weight"),
        Case("single", single(rng, 3, 200), draw_labels(rng, few, 200), few, 100, type=pa.float32()),
        Case("decimal", thousands, draw_labels(rng, few, 200), few, 100, type=pa.decimal128(9, 3)),
        Case("integers", q[:200], digits, ["0", "1", "2"], 100, label_type=pa.int64()),
        Case("empty", q[:0], [], few, 100),
        Case("no-labels", q[:9], [None, "", None] * 3, few, 10),
        Case("one-class", single(rng, 3, 50), ["b"] * 50, few, 10, weights=np.full(50, 0.1)),
        Case("wide", rng.dirichlet(np.ones(300), 600), draw_labels(rng, wide, 600), wide, 100),
    ]


def refused_cases() -> list[tuple[Case, int, dict[str, int]]]:
    """Tables with bad rows and unknown labels: a case, the number of bad rows, the unknown labels."""
    sound = [0.2, 0.3, 0.5]
    bad = [
        [np.nan, 0.5, 0.5],
        [-np.nan, 0.5, 0.5],
        [0.5, 0.5, np.nan],
        [MISSING, 0.5, 0.5],
        [0.5, 0.5, MISSING],
        [-0.1, 0.6, 0.5],
        [-1e-12, 0.5, 0.5],
        [0.2, 0.3, 0.502],
        [0.2, 0.3, 0.498],
        [np.inf, 0.5, 0.5],
        [np.inf, -np.inf, 1.0],
        [0.0, 0.0, 0.0],
    ]
    p = np.array([sound] * 4 + bad)
    labels = ["a", "d", "d", "it's"] + ["a", "c", None] * 4
    few = ["a", "b", "c"]
    plain = Case("bad", p, labels, few, 10)
    weights = np.array([1.0, np.nan, -1.0, np.inf, 1e-101, 1e101, 1e100, 1e-100, 0.0, -0.0])
    weighted = Case("bad-weights", np.array([sound] * 10), ["a", "", "c", "A", "b"] * 2, few, 10, weights=weights)
    return [(plain, len(bad), {"d": 2, "it's": 1}), (weighted, 5, {"A": 2})]
