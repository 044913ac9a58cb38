"""Requests to the Rust side: what to fit, by which method, with which options."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cwplugin import _core, _labels, _metrics
from cwplugin._errors import InputError


@dataclass(slots=True)
class FitRequest:
    """A method with its options, as the Rust side takes it."""

    metric: Any
    method: str
    options: dict[str, str] = field(default_factory=dict)
    subject_to: list[Any] = field(default_factory=list)
    learning_curve: bool = False
    seed: int = 0
    jobs: int | None = None
    verbose: bool = False


@functools.cache
def methods() -> dict[str, dict[str, str]]:
    """Every method by name, with the defaults of its options: the library's table."""
    return {name: {option: default for option, _, default, _ in options} for name, _summary, options in _core.methods()}


def options(settings: Mapping[str, Any], classes: _labels.Classes) -> dict[str, str]:
    """The method options among the settings, as text; those that are None or False are left to the method."""
    known = dict.fromkeys(option for of_method in methods().values() for option in of_method)
    found = {}
    for option in known:
        value = settings.get(option.replace("-", "_"))
        if option == "reference":
            value = reference(value)
        elif option == "source-priors":
            value = priors(value, classes)
        if value is not None and value is not False:
            found[option] = _text(value)
    return found


def _text(value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, float | np.floating):
        return np.format_float_positional(value, trim="-")
    if isinstance(value, list):
        return ",".join(_text(one) for one in value)
    return str(value)


def reference(value: Any) -> str | None:
    """The reference class as the library names it: a word, or a class by its label."""
    return value if value is None or isinstance(value, str) else f"class:{_labels.name(value)}"


def grid(bins: int, *, binary: bool = False) -> str:
    """The search on a grid of so many points of α."""
    return f"{'binary' if binary else 'grid'}:{_text(1 / bins)}"


def priors(source_priors: Any, classes: _labels.Classes) -> list[float] | None:
    """Class shares in the black box's training data, in the order of the classes."""
    if source_priors is None:
        return None
    if isinstance(source_priors, Mapping):
        shares = {_labels.item(label): share for label, share in source_priors.items()}
        if shares.keys() != {_labels.item(label) for label in classes}:
            raise InputError(f"source_priors needs one share for each of {_labels.quoted(list(classes))}")
        source_priors = [shares[_labels.item(label)] for label in classes]
    return [float(share) for share in source_priors]


def constraints(subject_to: Any, classes: _labels.Classes) -> list[Any]:
    """Constraints as the Rust side takes them, also if there is one alone."""
    is_triple = isinstance(subject_to, tuple) and len(subject_to) == 3 and subject_to[1] in (">=", "<=")
    given = [subject_to] if isinstance(subject_to, str) or is_triple else subject_to

    def constraint(one: Any) -> Any:
        if isinstance(one, str):
            return one
        metric, bound, limit = one
        return _metrics.spec(metric, classes), bound, float(limit)

    return [constraint(one) for one in given]


def seed(random_state: Any) -> int:
    """The seed: 0 for None, or drawn from a generator."""
    if random_state is None:
        return 0
    if isinstance(random_state, int | np.integer):
        if random_state < 0:
            raise InputError(f"random_state {random_state} must not be negative")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    raise TypeError(f"random_state must be an integer, a NumPy generator or None, got {type(random_state).__name__}")


def jobs(n_jobs: int | None) -> int | None:
    """The number of threads; None and -1 mean one per processor."""
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs < 1:
        raise InputError(f"n_jobs {n_jobs} must be None, -1 or a positive integer")
    return int(n_jobs)
