"""Paths over time along routes."""

import json
import pickle
import subprocess

import numpy as np
import pytest

import rasterwave as rw

C_M_S = 299792458.0
FREQ = 5e9


@pytest.fixture(scope="module")
def office():
    return rw.Scene.office(20, 10)


def way(start, velocity, count=3, step_s=1e-3):
    times = step_s * np.arange(count)
    return rw.Route.of(np.asarray(start) + times[:, None] * np.asarray(velocity), times, velocity)


def assert_shifts_are_rates(found):
    """A Doppler shift is the rate of a path's phase: minus the frequency times that of its delay, of paths that stay."""
    same = (found.path_count == found.path_count[0]).all()
    rate = np.gradient(found.delay_s, found.time_s, axis=0)
    middle = found.valid[1] & (found.delay_s[1] > 0)
    steady = middle & (np.abs(np.diff(found.loss_db, axis=0)).max(axis=0) < 0.05)
    assert same and steady.any()
    np.testing.assert_allclose(found.doppler_hz[1][steady], -FREQ * rate[1][steady], atol=0.5)


def test_moving_receivers(office):
    route = way([12.0, 5.0, 1.5], [3.0, 1.0, 0.0])
    found = rw.trace_route(office, rw.Transmitter(5, 5, 2), route, "images", freq=FREQ, depth=1, pixels=128)
    assert found.loss_db.shape == found.gain.shape == found.valid.shape and found.loss_db.shape[:2] == (3, 1)
    np.testing.assert_array_equal(found.position_m, route.points)
    assert_shifts_are_rates(found)
    assert np.abs(found.doppler_hz).max() <= FREQ * np.hypot(3, 1) / C_M_S
    np.testing.assert_allclose(20 * np.log10(np.abs(found.gain[found.valid])), -found.loss_db[found.valid], atol=1e-3)
    assert np.isinf(found.loss_db[~found.valid]).all() and (found.gain[~found.valid] == 0).all()
    strongest = rw.trace_route(office, rw.Transmitter(5, 5, 2), route, "images", freq=FREQ, depth=1, pixels=128, max_paths=1)
    np.testing.assert_array_equal(strongest.loss_db[..., 0], found.loss_db[..., 0])
    assert strongest.loss_db.shape == (3, 1, 1)


def test_moving_transmitters_and_both(office):
    options = {"freq": FREQ, "depth": 1, "pixels": 128}
    source, target = way([5.0, 5.0, 2.0], [0.0, 2.0, 1.0]), way([12.0, 5.0, 1.5], [3.0, 1.0, 0.0])
    moving = rw.trace_route(office, source, [[12.0, 5.0, 1.5], [9.0, 4.0, 1.5]], "images", **options)
    assert moving.loss_db.shape[:2] == (3, 2)
    assert_shifts_are_rates(moving)
    both = rw.trace_route(office, source, target, "images", **options)
    assert_shifts_are_rates(both)
    standing = rw.trace_route(
        office, rw.Transmitter(5, 5, 2), target, "images", transmitter_velocity_m_s=(0, 2, 1), **options
    )
    np.testing.assert_allclose(both.doppler_hz[0], standing.doppler_hz[0], atol=1e-6)
    with pytest.raises(rw.BadCallError, match="same times"):
        rw.trace_route(office, source, way([12.0, 5.0, 1.5], [3.0, 1.0, 0.0], 2), "images", **options)
    with pytest.raises(rw.BadCallError, match="is a Route"):
        rw.trace_route(office, rw.Transmitter(5, 5, 2), [[12.0, 5.0]], "images", **options)


def test_responses(office):
    found = rw.trace_route(office, rw.Transmitter(5, 5, 2), way([12.0, 5.0, 1.5], [3.0, 1.0, 0.0]), "images", freq=FREQ, depth=1, pixels=128)
    response = found.frequency_response([0.0, 1e6])
    np.testing.assert_allclose(response[..., 0], found.gain.sum(axis=2))
    later = found.frequency_response(0.0, elapsed_s=1e-4)
    np.testing.assert_allclose(later[0, 0, 0], (found.gain[0, 0] * np.exp(2e-4j * np.pi * found.doppler_hz[0, 0])).sum())
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.gain, found.gain)
    on_device = found.to_device()
    np.testing.assert_array_equal(on_device["gain"].copy_to_host(), found.gain)


def test_losses_alone(scene, mast):
    found = rw.trace_route(scene, [mast, mast.moved(x_m=100)], rw.Route.of([[20, 20], [40, 20], [60, 20]], speed_m_s=10))
    np.testing.assert_allclose(found.velocity_m_s, [[10, 0, 0]] * 3)
    np.testing.assert_allclose(found.time_s, [0, 2, 4])
    assert found.total_loss_db.shape == (3, 2) and found.position_m[0, 2] == 1.5
    with pytest.raises(rw.UnsupportedError, match="no phases"):
        found.frequency_response(0.0)
    pytest.importorskip("xarray")
    data = found.to_xarray()
    assert data.doppler_hz.dims == ("time", "other", "path") and data.doppler_hz.attrs["units"] == "Hz"
    assert data.velocity_m_s.attrs["units"] == "m/s" and data.position_m.attrs["units"] == "m"


def test_routes_equal_the_command_line(scene, mast, program, tmp_path, needs_gdal):
    (tmp_path / "route.csv").write_text("x,y,time\n20,20,0\n40,25,2\n60,20,3\n")
    subprocess.run([program, "generate", "city", "--size", "300,300", "--seed", "3", "--out", tmp_path / "city.gpkg"], check=True)
    command = [program, "paths", "--scene", tmp_path / "city.gpkg", "--tx", "150,150,30", "--freq", "2.1GHz", "--points"]
    subprocess.run([*command, tmp_path / "route.csv", "--out", tmp_path / "paths.json", "--quiet"], check=True)
    theirs = json.loads((tmp_path / "paths.json").read_text())["points"]
    route = rw.Route.load(tmp_path / "route.csv")
    made = rw.Route.of([[20, 20], [40, 25], [60, 20]], [0, 2, 3])
    np.testing.assert_allclose(made.velocity_m_s, route.velocity_m_s)
    ours = rw.trace_route(rw.Scene.load(tmp_path / "city.gpkg"), mast, route)
    for point, (count, shifts, losses) in zip(theirs, zip(ours.path_count[:, 0], ours.doppler_hz[:, 0], ours.loss_db[:, 0])):
        paths = point["paths"]
        assert len(paths) == count
        np.testing.assert_allclose([path["doppler_hz"] for path in paths], shifts[:count], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose([path["loss_db"] for path in paths], losses[:count], rtol=1e-6)


def test_routes():
    route = rw.Route.of([[0, 0, 1.5], [10, 0, 1.5], [10, 10, 1.5]], [0, 1, 2])
    fine = route.resampled(0.5)
    np.testing.assert_allclose(fine.points[:, :2], [[0, 0], [5, 0], [10, 0], [10, 5], [10, 10]])
    np.testing.assert_allclose(fine.velocity_m_s[1], [10, 0, 0])
    assert len(route) == 3 and route.motions.shape == (3, 4)
    for wrong in ({"points": [[1, 2, 3, 4]]}, {"points": [[1, 2]], "time_s": [1, 2]}, {"points": [[1, 2]], "speed_m_s": -1}):
        with pytest.raises(rw.BadCallError):
            rw.Route.of(**wrong)
    with pytest.raises(rw.BadCallError, match="rise"):
        rw.Route.of([[0, 0], [1, 1]]).resampled(1)
    assert (rw.Route.of([[0, 0]]).velocity_m_s == 0).all()
