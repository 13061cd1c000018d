#!/usr/bin/env python3
"""Runs the tutorials of Sionna RT with nothing but their import changed to rasterwave.rt, and prints a table of their cells.

A cell that fails is counted and the next one runs. The tutorials are files of the user: none is part of this project. What a
cell's last line is worth is shown as a notebook shows it, by its repr.

Usage: run_tutorials.py FOLDER|NOTEBOOK... [--pictures FOLDER]; the table is on standard output, exit status 1 where a cell fails
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import time
import traceback
from typing import Any


def changed(text: str) -> str:
    """A cell with the import changed and without lines that only IPython understands."""
    lines = ("" if re.match(r"\s*[%!]", line) else line for line in text.splitlines())
    return re.sub(r"\bsionna(?=\.rt\b)|(?<=import )sionna\b(?![-.\w])|(?<=from )sionna\b(?= import)", "rasterwave", "\n".join(lines))


def run_cell(text: str, names: dict[str, Any], title: str) -> Exception | None:
    """Runs one cell; what it raised."""
    try:
        tree = ast.parse(text)
        shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, title, "exec"), names)
            if isinstance(shown, ast.Expr):
                repr(eval(compile(ast.Expression(shown.value), title, "eval"), names))
    except Exception as error:  # of whatever a tutorial does
        return error
    return None


def save_figures(folder: pathlib.Path, title: str) -> None:
    """Saves and closes the figures of matplotlib that a cell has opened."""
    plt = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else []:
        plt.figure(number).savefig(folder / f"{title}_{number}.png", dpi=60)
    if plt:
        plt.close("all")


def run_notebook(path: pathlib.Path, pictures: pathlib.Path | None = None) -> list[tuple[int, Exception | None, float]]:
    """(number, error, seconds) of each code cell."""
    book, names = json.loads(path.read_text()), {"__name__": "__main__"}
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    found: list[tuple[int, Exception | None, float]] = []
    for number, text in enumerate((text for text in cells if text.strip()), 1):
        began = time.monotonic()
        error = run_cell(changed(text), names, f"{path.name}, cell {number}")
        found.append((number, error, time.monotonic() - began))
        if pictures is not None:
            save_figures(pictures, f"{path.stem}_{number:02}")
    return found


def line_of(error: Exception) -> str:
    """One line on what a cell raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if ", cell " in frame.filename]
    first = str(error).splitlines()[0] if str(error) else ""
    return f"line {frames[-1].lineno if frames else '?'}: {type(error).__name__}: {first}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    given = parser.parse_args()
    os.environ.setdefault("MPLBACKEND", "Agg")
    paths = [path for each in given.notebooks for path in (sorted(each.glob("*.ipynb")) if each.is_dir() else [each])]
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    print("| tutorial | cells that run | of | seconds | first that fails |\n| --- | --- | --- | --- | --- |")
    failed, notes = 0, []
    for path in paths:
        found = run_notebook(path, given.pictures)
        errors = [(number, error) for number, error, _ in found if error is not None]
        first = errors[0][0] if errors else "none"
        print(f"| {path.stem} | {len(found) - len(errors)} | {len(found)} | {sum(each[2] for each in found):.0f} | {first} |", flush=True)
        notes += [f"{path.stem}, cell {number}, {line_of(error)}" for number, error in errors]
        failed += len(errors)
    print("\n".join(["", *notes]) if notes else "\nEvery cell runs.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
