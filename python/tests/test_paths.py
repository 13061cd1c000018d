import dataclasses
import json

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import _abi


@pytest.fixture(scope="module")
def paths():
    office = rw.Scene.office(20, 10)
    return rw.trace(office, rw.Transmitter(5, 5, 2), [[15, 5, 1.5], [2, 2, 1.5]], model="images", freq=5e9, depth=2, pixels=128)


def test_arrays(paths):
    assert len(paths) == len(paths.loss_db) == len(paths.delay_s) > 4
    np.testing.assert_allclose(paths.delay_s, paths.length_m / 299792458, rtol=0.05)  # slabs delay
    np.testing.assert_allclose(-20 * np.log10(np.abs(paths.gain)), paths.loss_db, atol=1e-3)
    assert set(paths.point) == {0, 1} and set(paths.transmitter) == {0}
    first = paths.loss_db[paths.point == 0]
    assert (np.diff(first) >= -1e-9).all()


def test_vertices(paths):
    for index in range(len(paths)):
        vertices = paths.vertices(index)
        places = np.stack([vertices[name] for name in ("x_m", "y_m", "z_m")], axis=1)
        length = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
        assert rw.INTERACTIONS[vertices["interaction"][0]] == "end"
        assert length == pytest.approx(paths.length_m[index], abs=0.2)  # walls shift paths by what they refract


def test_points_and_files(paths, tmp_path):
    np.testing.assert_array_equal(paths.points, [[15, 5, 1.5], [2, 2, 1.5]])
    assert sum(len(point["paths"]) for point in json.loads(paths.to_json())["points"]) == len(paths)
    paths.write(tmp_path / "paths.geojson")
    assert json.loads((tmp_path / "paths.geojson").read_text())["type"] == "FeatureCollection"
    with pytest.raises(rw.Error):
        paths.write(tmp_path / "paths.unknown")


def test_channels(paths, tmp_path, needs_hdf5):
    paths.write_channel(tmp_path / "h.h5", rx=(1, 2), tx=(2, 1), bandwidth_hz=20e6)
    assert (tmp_path / "h.h5").read_bytes()[1:4] == b"HDF"


def test_routes(scene, mast, tmp_path):
    (tmp_path / "route.csv").write_text("x,y,time\n20,20,0\n40,20,2\n60,20,4\n")
    points, motions = rw.load_points(tmp_path / "route.csv")
    np.testing.assert_allclose(points[:, 0], [20, 40, 60])
    np.testing.assert_allclose(motions[1], [2, 10, 0, 0], atol=1e-6)
    found = rw.trace(scene, mast, points[:, :2])
    found.set_motions(motions)
    with pytest.raises(rw.Error):
        found.set_motions(motions[:1])


def test_coordinates():
    there = rw.transform_points([[11.57, 48.14]], "lonlat", "EPSG:32632")
    np.testing.assert_allclose(rw.transform_points(there, "EPSG:32632", "lonlat"), [[11.57, 48.14]], atol=1e-7)
    assert 690000 < there[0, 0] < 692000 and 5334000 < there[0, 1] < 5336000


def test_polarisation_and_places(scene, mast):
    dual = mast.polarised("dual")
    assert abs(dual.slant_deg) == 45 and dual.dual_polarised == 1 and mast.polarised("horizontal").slant_deg == 90
    rw.check_transmitter(scene, mast)
    with pytest.raises(rw.Error):
        rw.check_transmitter(scene, mast.moved(antenna="/nowhere.msi"))


def test_bad_points(scene, mast):
    with pytest.raises(rw.BadCallError, match=r"\(n, 2\) or \(n, 3\)"):
        rw.trace(scene, mast, [[1, 2, 3, 4]])


def test_points_have_antennas(scene, mast, tmp_path):
    """One across the polarisation and one upright at the same place, as a list and from a table."""
    place = (mast.x_m + 20.0, mast.y_m + 5.0, 80.0)
    high = mast.moved(height_m=80.0)
    upright, slanted = rw.Receiver(*place), rw.Receiver(*place, slant_deg=60.0)
    asked = {"reflections": 0, "diffractions": 0}
    found = rw.trace(scene, high, [upright, slanted], "rt", **asked)
    plain = rw.trace(scene, high, [place], "rt", **asked)
    assert found.loss_db[found.point == 0] == pytest.approx(plain.loss_db)
    assert found.loss_db[found.point == 1] - plain.loss_db == pytest.approx(-20 * np.log10(np.cos(np.radians(60))), abs=1e-6)
    (tmp_path / "points.csv").write_text("x,y,z,antenna,azimuth\n1,2,3,dipole,30\n4,5,6,,\n")
    first, second = rw.load_receivers(tmp_path / "points.csv")
    assert (first.antenna, first.azimuth_deg, first.height_m) == ("dipole", 30, 3) and second.antenna == ""
    fields = {field[0] for field in _abi.rw_point._fields_} - {"size"}
    assert fields == {field.name for field in dataclasses.fields(rw.Receiver)}
