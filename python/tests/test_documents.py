"""The examples of the documents run as they stand."""

import pathlib
import re

import pytest

import rasterwave as rw

ROOT = pathlib.Path(__file__).parents[2]


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / path).read_text(), re.S | re.M)


@pytest.mark.parametrize("path", ["python/README.md", "docs/how-to/python.md", "docs/how-to/python_many.md", "docs/how-to/python_rt.md", "docs/how-to/python_deepmimo.md"])
def test_examples(path, tmp_path, monkeypatch):
    pytest.importorskip("xarray")
    matplotlib = pytest.importorskip("matplotlib")
    if not {"gdal", "hdf5"} <= set(rw.build_features()):
        pytest.skip("the library has no GDAL or no HDF5")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    found = blocks(path)
    assert found
    for block in found:
        exec(compile(block, path, "exec"), names)
