"""`cwplugin apply` in numpy: the same table with one more column, to standard output.

    python benches/peer_apply.py model.json sample.npz
"""

import json
import sys
from pathlib import Path

import numpy as np

from data import read_npz


def main() -> None:
    """Weight, take the largest, write."""
    weights = np.array(json.loads(Path(sys.argv[1]).read_text())["weights"])
    probabilities, labels = read_npz(Path(sys.argv[2]))
    for column in (probabilities, labels, np.argmax(probabilities * weights, axis=1)):
        np.save(sys.stdout.buffer, column)


if __name__ == "__main__":
    main()
