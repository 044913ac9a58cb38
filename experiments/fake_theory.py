"""A synthetic result of `lab experiment theory` for the tests, with given slopes and arbitrary cells."""

import json
from pathlib import Path
from typing import Any

CLASSES = (2, 3, 5, 10)


def fit(part: str, of: str, against: str, law: float | None, slope: float | None, **labels: object) -> dict[str, Any]:
    """One entry of `fits`, with a standard error of 0.01; without a slope it had too few points."""
    facts = {"part": part, "of": of, "against": against, "law": law, "slope": slope, **labels}
    return facts | (
        {} if slope is None else {"error": 0.01, "points": 4, "from": 100.0, "to": 1000.0, "scale": "power"}
    )


def fake_theory(against_n: float = -0.34, against_rho: float = 0.6) -> dict[str, Any]:
    """All fits agree with the theory but those against n, m and ρ."""
    fits = []
    for m in CLASSES:
        fits += [
            fit("elicitation", "error", "ε", 1.0, 1.01, m=m),
            fit("elicitation", "error", "queries of a class", -0.481, -0.49, m=m),
            fit("elicitation", "queries of a class", "1/ε", 2.078, 2.07, m=m),
        ]
    fits.append(fit("elicitation", "queries", "pairs, m − 1", 1.0, 1.0, epsilon=0.001))
    for method, regime in (("cwplugin", "all"), ("expected", "n < 2000"), ("expected", "n ≥ 2000")):
        own = {"method": method, "regime": regime}
        fits += [fit("finite-sample", "error", "n", -0.5, against_n, m=m, **own) for m in CLASSES]
        fits += [
            fit("finite-sample", "error", "m", 1.0, 0.4, n=1000, **own),
            fit("finite-sample", "error", "1 − ρ", -2.0, against_rho, n=1000, **own),
            fit("finite-sample", "error", "ρ", None, -0.1, n=1000, **own),
        ]
    for balance, law in (("balanced", 0.0), ("worst case", 1.0)):
        for search, against in (("line", "1/ε"), ("binary", "log 1/ε"), ("exact", None)):
            own = {"search": search, "balance": balance}
            if against:
                fits.append(fit("evaluations", "evaluations of a pair", against, 1.0, 1.0, **own))
            laws = (law, 1.0) if against else (None, None)
            fits.append(fit("evaluations", "evaluations × rows", "pairs, m − 1", laws[0], law + 0.01, **own))
            fits.append(fit("evaluations", "evaluations × rows", "n", laws[1], 1.0, **own))
    measured = {"error": 0.1, "se": 0.01, "largest": 0.2, "draws": 30}
    drawn = {"m": 2, "n": 100, "mapped": 3, "failed": 0, "takes_part": True, **measured}
    counted = {
        "steps": 100,
        "m": 10,
        "n": 5000,
        "evaluations": 100.0,
        "evaluations_se": 0.0,
        "work": 1e6,
        "work_se": 0.0,
    }
    return {
        "task": "theory",
        "distance": 1.5,
        "share_of_reference": 0.9,
        "population": 20000,
        "rules": {
            "stair": 10,
            "rows_of_a_class": 20,
            "counted": 2000,
            "imitated_on": 20000,
            "classes": 10,
            "more_draws": 3,
        },
        "repeats": 30,
        "seed": 0,
        "cwplugin": "0.0.0",
        "seconds": 60.0,
        "fits": fits,
        "elicitation": [{"m": 2, "epsilon": 0.1, "queries": 4.0, **measured}],
        "finite_sample": [
            {"varies": "m", "method": "cwplugin", "rho": 1 / 3, **drawn},
            {"varies": "m", "method": "expected", "rho": 1 / 3, **drawn, "n": 1000},
            {"varies": "m", "method": "expected", "rho": 1 / 3, **drawn, "n": 3000, "error": 0.15},
            {"varies": "rho", "method": "expected", "rho": 0.1, **drawn},
        ],
        "evaluations": [{"search": "line", "balance": "balanced", "draws": 30, **counted}],
    }


def write_theory(folder: Path, facts: dict[str, Any]) -> None:
    """Put the files where the page looks for them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "theory.json").write_text(json.dumps(facts))
    for name in ("elicitation", "finite-sample", "constants", "evaluations"):
        (folder / f"theory-{name}.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
