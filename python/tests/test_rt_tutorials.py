"""Tutorials and unit tests of Sionna RT with only the import changed, where their folders are named.

RASTERWAVE_SIONNA_TUTORIALS: a folder with notebooks. RASTERWAVE_SIONNA_TESTS: a folder with test_*.py of theirs. The tables of
cells and tests are printed (pytest -s). Neither is part of this project.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

TOOL = pathlib.Path(__file__).parents[1] / "tools/run_tutorials.py"
found = importlib.util.spec_from_file_location("run_tutorials", TOOL)
run_tutorials = importlib.util.module_from_spec(found)
found.loader.exec_module(run_tutorials)

RESPONSES = ("cir", "cfr", "taps", "doppler", "radio_maps")


def folder_of(name):
    folder = os.environ.get(name)
    if not folder:
        pytest.skip(f"{name} names no folder")
    return pathlib.Path(folder)


def test_cells_change_nothing_but_the_import(tmp_path):
    text = "try:\n    import sionna.rt\nexcept ImportError:\n    install('sionna-rt')\n%matplotlib inline\nfrom sionna.rt.utils import r_hat\nfrom sionna import rt\nx = sionna.rt.scene.munich"
    expected = text.replace("import sionna.rt", "import rasterwave.rt").replace("%matplotlib inline", "").replace("from sionna", "from rasterwave")
    assert run_tutorials.changed(text) == expected.replace("sionna.rt.scene", "rasterwave.rt.scene")


def test_cells_are_counted(tmp_path):
    """A cell that fails is named and the next one runs, with what the failed one had set."""
    book = tmp_path / "a.ipynb"
    sources = ["a = 1\nprint('text')", "b = a + 1\nraise ValueError('one\\ntwo')", "", "c = b", "d"]
    book.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [text]} for text in sources]}))
    results = run_tutorials.run_notebook(book)
    assert [type(error).__name__ for _, error, _ in results] == ["NoneType", "ValueError", "NoneType", "NameError"]
    assert run_tutorials.line_of(results[1][1]) == "line 2: ValueError: one"


def test_tutorials_run(monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    wrong = []
    for path in sorted(folder_of("RASTERWAVE_SIONNA_TUTORIALS").glob("*.ipynb")):
        cells = run_tutorials.run_notebook(path)
        failed = [(number, run_tutorials.line_of(error)) for number, error, _ in cells if error is not None]
        print(f"{path.stem}: {len(cells) - len(failed)} of {len(cells)} cells")
        wrong += [(path.stem, *each) for each in failed]
    assert not wrong, wrong


def test_their_unit_tests(tmp_path):
    """Those of impulse and frequency responses, taps, Doppler shifts and radio maps."""
    chosen = [path for path in folder_of("RASTERWAVE_SIONNA_TESTS").rglob("test_*.py") if path.stem.endswith(RESPONSES)]
    for path in chosen:
        (tmp_path / path.name).write_text(run_tutorials.changed(path.read_text()))
    called = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", tmp_path], capture_output=True, text=True)
    print(called.stdout[-3000:])
    failed = [line for line in called.stdout.splitlines() if line.startswith("FAILED")]
    reasons = [line for line in called.stdout.splitlines() if "Error" in line]
    assert chosen and not reasons, failed
