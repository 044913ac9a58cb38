"""What to fit, and how, as the Rust side takes it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cwplugin import _core, _labels
from cwplugin._errors import InputError


@dataclass(slots=True)
class Wish:
    """A method with its settings; None leaves a setting to the method."""

    metric: Any
    method: str = "auto"
    reference: str | None = None
    search: str | None = None
    ties: str | None = None
    absent: str | None = None
    force: bool = False
    select: str = "in-sample"
    mixing: float = 0.0
    source_priors: list[float] | None = None
    bags: int | None = None
    subject_to: list[Any] = field(default_factory=list)
    learning_curve: bool = False
    seed: int = 0
    jobs: int | None = None
    verbose: bool = False


#: Settings that only some methods understand: the default, a test of the method's name, and a method that does.
_OF_SOME: dict[str, tuple[Any, Callable[[str], bool], str]] = {
    "reference": ("largest", lambda name: name.startswith("cwplugin"), "cwplugin"),
    "search": ("exact", lambda name: name.startswith("cwplugin"), "cwplugin"),
    "ties": ("middle", lambda name: name.startswith("cwplugin"), "cwplugin"),
    "absent": ("keep", lambda name: name.startswith("cwplugin"), "cwplugin"),
    "force": (False, lambda name: name.startswith("cwplugin"), "cwplugin"),
    "select": ("in-sample", lambda name: name.startswith("dirichlet"), "dirichlet-full"),
    "source_priors": (None, lambda name: name == "label-shift", "label-shift"),
    "bags": (None, lambda name: name == "bagged", "bagged"),
    "mixing": (0.0, lambda name: name == "expected", "expected"),
    "subject_to": (
        (),
        lambda name: name in ("auto", "ascent", "bagged", "expected") or name.startswith("cwplugin"),
        "ascent",
    ),
}


@functools.cache
def _methods() -> frozenset[str]:
    return frozenset(name for name, _ in _core.method_names())


def refuse_idle(method: str, settings: Mapping[str, Any]) -> None:
    """Refuse settings that mean nothing to the method, as the program does."""
    if method not in _methods():
        return  # the Rust side says so
    for name, (default, is_known, other) in _OF_SOME.items():
        value = settings.get(name, default)
        is_given = value is not None and not (value == default or (name == "subject_to" and len(value) == 0))
        if is_given and not is_known(method):
            raise InputError(
                f"{name} means nothing to method={method!r}\n  hint: leave it out, or use method={other!r}"
            )


def limits(subject_to: Any) -> list[Any]:
    """Limits as a list, also if there is one alone."""
    is_triple = isinstance(subject_to, tuple) and len(subject_to) == 3 and subject_to[1] in (">=", "<=")
    return [subject_to] if isinstance(subject_to, str) or is_triple else list(subject_to)


def given(value: Any, default: str) -> str | None:
    """A setting that differs from its default; the methods have defaults of their own."""
    return None if value == default else str(value)


def reference(value: Any, default: str = "largest") -> str | None:
    """Which class stays fixed: a word, or a class by its label."""
    if isinstance(value, str):
        return given(value, default)
    return f"class:{_labels.name_of(_labels.item(value))}"


def seed(random_state: Any) -> int:
    """A seed of 64 bits: a whole number as it is, None as 0, a generator by drawing one."""
    if random_state is None:
        return 0
    if isinstance(random_state, int | np.integer):
        if random_state < 0:
            raise InputError(f"random_state {random_state} is negative")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    raise TypeError(f"random_state is a whole number, a generator of NumPy or None, not {type(random_state).__name__}")


def jobs(n_jobs: int | None) -> int | None:
    """How many threads: None and -1 for one per processor."""
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs < 1:
        raise InputError(f"n_jobs {n_jobs} is neither None, -1 nor a number from 1 on")
    return int(n_jobs)


def priors(source_priors: Any, classes: _labels.Classes) -> list[float] | None:
    """The shares that the black box learned from, in the order of the classes."""
    if source_priors is None:
        return None
    if isinstance(source_priors, Mapping):
        shares = {_labels.item(label): share for label, share in source_priors.items()}
        missing = [label for label in map(_labels.item, classes) if label not in shares]
        if missing or len(shares) != len(classes):
            raise InputError(f"source_priors has one share for each of {_labels.quoted(list(classes))}")
        return [float(shares[_labels.item(label)]) for label in classes]
    return [float(share) for share in source_priors]
