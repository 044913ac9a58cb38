"""How a script that runs the program begins: its flags, and the folder of the prediction files."""

import argparse
import os
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target" / "release" / "cwplugin"


def options(text: str | None, flag: str, default: int, about: str) -> tuple[argparse.Namespace, Path]:
    """The flags, of which one is a count, and the folder that CWPLUGIN_DATA names."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(flag, type=int, default=default, help=f"{about} (default: {default})")
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    found = parser.parse_args()
    folder = os.environ.get("CWPLUGIN_DATA")
    if not folder:
        parser.error("CWPLUGIN_DATA must name the folder of the prediction files; experiments/README.md says more")
    return found, Path(folder)
