"""The notebooks run in small sizes, and their rendered pages are of what they say now."""

import importlib.util
import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))

found = importlib.util.spec_from_file_location("notebooks", ROOT / "python/tools/notebooks.py")
notebooks = importlib.util.module_from_spec(found)
found.loader.exec_module(notebooks)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("RASTERWAVE_QUICK", "1")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    results = notebooks.execute(path, tmp_path)
    assert any(result[2] for result in results) and list(tmp_path.glob("*.png"))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_is_rendered_and_kept_without_outputs(path):
    book = json.loads(path.read_text())
    assert book["nbformat"] == 4
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in book["cells"])
    page = (ROOT / "docs/notebooks" / f"{path.stem}.md").read_text()
    for kind, text in notebooks.cells(path):
        assert text in page, f"{path.stem}: render it again with python/tools/notebooks.py"


def test_training_set_is_zarr(tmp_path, monkeypatch):
    """Another reader finds the same arrays."""
    zarr = pytest.importorskip("zarr")
    monkeypatch.setenv("RASTERWAVE_QUICK", "1")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    notebooks.execute(ROOT / "python/notebooks/training_set.ipynb")
    group = zarr.open("maps.zarr", mode="r")
    assert group["path_loss"].shape == (40, 64, 64) and group["transmitter"].shape == (40, 3)
    outdoor = group["outdoor"][1].astype(bool)
    loss = group["path_loss"][25]
    assert (loss[outdoor] > 30).all() and (loss[~outdoor] == 0).all()
