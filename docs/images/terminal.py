"""Draws `fit` and `demo` as they look in a terminal of 80 columns: `make picture`.

    python docs/images/terminal.py PROGRAM
"""

import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = 80
#: Pixels of a character, of a line, and around the text.
WIDTH, LINE, MARGIN = 8.4, 19, 18
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "36": "#79c0ff"}
STYLE = re.compile("\x1b\\[([0-9;]*)m")


def spans(line: str) -> str:
    """One line with its escape codes as coloured and bold parts."""
    parts, style = [], ""
    for i, part in enumerate(STYLE.split(line)):
        if i % 2:
            codes = part.split(";")
            colour = next((COLOURS[code] for code in codes if code in COLOURS), None)
            style = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if "1" in codes else "")
        elif part:
            text = escape(part)
            parts.append(f"<tspan{style}>{text}</tspan>" if style else text)
    return "".join(parts)


def picture(command: str, text: str) -> str:
    """A terminal with a command and what it printed."""
    lines = [f"\x1b[1m$ {command}\x1b[0m", *text.rstrip().splitlines()]
    columns = max(COLUMNS, *(len(STYLE.sub("", line)) for line in lines))
    width, height = round(columns * WIDTH + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * (i + 0.75):.1f}" xml:space="preserve">{spans(line)}</text>'
        for i, line in enumerate(lines)
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
{rows}
</g>
</svg>
"""


def main() -> None:
    """Run both commands in an empty folder and write the pictures."""
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:

        def run(command: str) -> str:
            line = [program, *command.split()[1:], "--color", "always"]
            env = {"COLUMNS": str(COLUMNS), "TERM": "xterm"}
            done = subprocess.run(
                line, cwd=folder, env=env, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            return done.stdout

        run("cwplugin demo --save .")
        for name, command in (
            ("fit", "cwplugin fit sample.csv --metric macro-f1 -o model.json"),
            ("demo", "cwplugin demo"),
        ):
            (HERE / f"{name}.svg").write_text(picture(command, run(command)))


if __name__ == "__main__":
    main()
