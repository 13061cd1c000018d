#!/usr/bin/env python3
"""Runs notebooks without Jupyter, and renders them as pages of the documentation.

Code cells run one after the other in one namespace; what they print and the figures of matplotlib become outputs. With
RASTERWAVE_QUICK set, the notebooks take small sizes.

Usage: notebooks.py run NOTEBOOK...
       notebooks.py render NOTEBOOK PAGE.md IMAGE_FOLDER
"""

import contextlib
import io
import json
import os
import pathlib
import sys


def cells(path):
    """(kind, text) of the cells of a notebook."""
    book = json.loads(pathlib.Path(path).read_text())
    return [(cell["cell_type"], "".join(cell["source"])) for cell in book["cells"]]


def figures(folder, name, taken):
    """Saves the open figures and closes them: their file names."""
    plt = sys.modules.get("matplotlib.pyplot")
    found = []
    for number in plt.get_fignums() if plt else []:
        found.append(f"notebook_{name}_{taken + len(found) + 1}.png")
        if folder:
            plt.figure(number).savefig(pathlib.Path(folder) / found[-1], dpi=80, bbox_inches="tight")
    if plt:
        plt.close("all")
    return found


def execute(path, folder=None):
    """Runs a notebook: (kind, text, printed, figures) of each cell."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    names, results, taken = {"__name__": "__main__"}, [], 0
    for number, (kind, text) in enumerate(cells(path)):
        printed, drawn = io.StringIO(), []
        if kind == "code":
            with contextlib.redirect_stdout(printed):
                exec(compile(text, f"{path}, cell {number + 1}", "exec"), names)
            drawn = figures(folder, pathlib.Path(path).stem, taken)
            taken += len(drawn)
        results.append((kind, text, printed.getvalue(), drawn))
    return results


def render(path, page, folder):
    """The notebook with its outputs as Markdown."""
    lines = []
    for kind, text, printed, drawn in execute(path, folder):
        lines.append(text if kind == "markdown" else f"```python\n{text}\n```")
        if printed:
            lines.append(f"```\n{printed.rstrip()}\n```")
        lines += [f"![Figure]({os.path.relpath(pathlib.Path(folder) / name, pathlib.Path(page).parent)})" for name in drawn]
    pathlib.Path(page).write_text("\n\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) > 2:
        for each in sys.argv[2:]:
            for result in execute(each):
                print(result[2], end="")
    elif sys.argv[1:2] == ["render"] and len(sys.argv) == 5:
        render(*sys.argv[2:])
    else:
        sys.exit(__doc__)
