import os
import shutil

import pytest

import rasterwave as rw


@pytest.fixture(scope="session")
def scene():
    return rw.Scene.city(300, 300, seed=3)


@pytest.fixture(scope="session")
def mast():
    return rw.Transmitter(150, 150, 30, name="mast", power_dbm=43, freq_hz=2.1e9)


@pytest.fixture(scope="session")
def program():
    """The command line of the same build."""
    path = os.environ.get("RASTERWAVE_PROGRAM") or shutil.which("rasterwave")
    if not path:
        pytest.skip("the program rasterwave is not there")
    return path


@pytest.fixture
def needs_hdf5():
    if "hdf5" not in rw.build_features():
        pytest.skip("the library has no HDF5")


@pytest.fixture
def needs_gdal():
    if "gdal" not in rw.build_features():
        pytest.skip("the library has no GDAL")
