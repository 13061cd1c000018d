"""rasterwave.rt against closed forms; against Sionna RT where it is installed."""

import math
import os

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import rt

C = 299792458.0


@pytest.fixture
def floor():
    """A large conducting floor."""
    engine = rw.Scene()
    engine.add_material("metal", 1.0, perfect_conductor=True)
    corners = [[-200, -200, 0], [200, -200, 0], [200, 200, 0], [-200, 200, 0]]
    engine.add_mesh(corners, [[0, 1, 2], [0, 2, 3]], surface="metal", name="floor")
    scene = rt.Scene(engine.commit())
    scene.tx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.add(rt.Transmitter("tx", [-40, 0, 10], power_dbm=30))
    scene.add(rt.Receiver("rx", [60, 0, 20]))
    return scene


def test_two_rays(floor):
    paths = rt.PathSolver()(floor, max_depth=1)
    order = np.argsort(paths.tau[0, 0])
    lengths = np.array([math.hypot(100, 10), math.hypot(100, 30)])
    np.testing.assert_allclose(paths.tau[0, 0][order], lengths / C, rtol=1e-9)
    a = (paths.a[0] + 1j * paths.a[1]).numpy()[0, 0, 0, 0][order]
    np.testing.assert_allclose(np.abs(a), floor.wavelength / (4 * np.pi * lengths), rtol=1e-4)
    np.testing.assert_allclose(np.abs(np.angle(a[0])), 0, atol=1e-3)
    assert paths.interactions[0, 0, 0][order].tolist() == [rt.InteractionType.NONE, rt.InteractionType.SPECULAR]
    np.testing.assert_allclose(paths.vertices[0, 0, 0][order][1], [-40 + 100 / 3, 0, 0], atol=1e-6)


def test_shapes_and_responses(floor):
    floor.rx_array = rt.PlanarArray(num_rows=2, num_cols=3, pattern="iso")
    floor.add(rt.Receiver("other", [10, 30, 5]))
    paths = rt.PathSolver()(floor, max_depth=1)
    assert paths.a[0].shape == (2, 6, 1, 1, 2) and paths.tau.shape == paths.doppler.shape == (2, 1, 2)
    a, tau = paths.cir(out_type="numpy")
    assert a.shape == (2, 6, 1, 1, 2, 1) and tau.min() == 0
    frequencies = np.array([-1e6, 0.0, 1e6])
    h = paths.cfr(frequencies, normalize_delays=False)
    assert h.shape == (2, 6, 1, 1, 1, 3)
    a, tau = paths.cir(normalize_delays=False)
    by_hand = sum(a[1, 4, 0, 0, p, 0] * np.exp(-2j * np.pi * frequencies * tau[1, 0, p]) for p in range(2))
    np.testing.assert_allclose(h[1, 4, 0, 0, 0], by_hand, rtol=1e-9)
    assert paths.taps(50e6, -2, 4).shape == (2, 6, 1, 1, 1, 7)
    assert np.mean(np.abs(paths.cfr(frequencies, normalize=True)[0]) ** 2) == pytest.approx(1)


def test_arrays_are_plane_waves(floor):
    floor.tx_array = rt.PlanarArray(num_rows=1, num_cols=2, pattern="iso", horizontal_spacing=0.5)
    floor.get("tx").orientation = np.array([0.7, 0, 0])
    paths = rt.PathSolver()(floor, max_depth=0)
    a = (paths.a[0] + 1j * paths.a[1]).numpy()[0, 0, 0, :, 0]
    to = np.array([100.0, 0, 10]) / math.hypot(100, 10)
    along = np.array([-math.sin(0.7), math.cos(0.7), 0])  # from the first antenna to the second
    assert np.angle(a[1] / a[0]) == pytest.approx(math.pi * to @ along, abs=1e-3)


def test_doppler(floor):
    floor.get("rx").velocity = np.array([0.0, 0, -7])
    paths = rt.PathSolver()(floor, max_depth=0)
    assert paths.doppler[0, 0, 0] == pytest.approx(7 * 10 / math.hypot(100, 10) / floor.wavelength, rel=1e-6)
    a, _ = paths.cir(num_time_steps=2, sampling_frequency=1e4)
    turn = np.angle(a[0, 0, 0, 0, 0, 1] / a[0, 0, 0, 0, 0, 0])
    assert turn == pytest.approx(2 * math.pi * paths.doppler[0, 0, 0] / 1e4, rel=1e-6)


def test_radio_map(floor):
    floor.add(rt.Transmitter("second", [100, 50, 10], power_dbm=20))
    map = rt.RadioMapSolver()(floor, center=[0, 0, 2], size=[100, 60], cell_size=[10, 10], max_depth=0)
    assert map.path_gain.shape == map.rss.shape == map.sinr.shape == (2, 6, 10)
    assert map.cell_centers[0, 0].tolist() == [-45, -25, 2]
    distance = np.linalg.norm(map.cell_centers - [-40, 0, 10], axis=-1)
    np.testing.assert_allclose(map.path_gain[0], (floor.wavelength / (4 * np.pi * distance)) ** 2, rtol=1e-3)
    np.testing.assert_allclose(map.rss[1], map.path_gain[1] * 0.1)
    np.testing.assert_allclose(map.sinr[0], map.rss[0] / (map.rss[1] + floor.thermal_noise_power))
    np.testing.assert_allclose(map.rss_dbm, 10 * np.log10(map.rss) + 30)
    assert map.tx_association("rss").shape == (6, 10)


@pytest.mark.parametrize(
    "call",
    [
        lambda s: rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="VH"),
        lambda s: rt.PlanarArray(num_rows=1, num_cols=1, pattern="dipole"),
        lambda s: rt.PathSolver()(s, diffuse_reflection=True),
        lambda s: rt.PathSolver()(s, synthetic_array=False),
        lambda s: rt.PathSolver()(s, los=False),
        lambda s: rt.PathSolver()(s, max_depth=0).objects,
        lambda s: s.render(),
        lambda s: rt.RadioMapSolver()(s, precoding_vec=1),
    ],
)
def test_what_is_not_there_is_refused_by_name(floor, call):
    with pytest.raises(NotImplementedError, match="rasterwave.rt has no"):
        call(floor)


def test_bad_calls(floor):
    with pytest.raises(rw.BadCallError, match="already"):
        floor.add(rt.Receiver("tx", [0, 0, 1]))
    floor.remove("rx")
    with pytest.raises(rw.BadCallError, match="no receiver"):
        rt.PathSolver()(floor)
    with pytest.raises(rw.NotFoundError, match="RASTERWAVE_SCENES"):
        rt.scene.nowhere


def numbers(paths):
    """Everything of the paths by rising delay."""
    order = np.argsort(paths.tau.numpy()[0, 0])
    found = {name: getattr(paths, name).numpy()[0, 0][order] for name in "tau theta_t phi_t theta_r phi_r doppler".split()}
    found["a"] = (paths.a[0].numpy() + 1j * paths.a[1].numpy())[0, :, 0, :, order]
    found["cfr"] = np.asarray(paths.cfr(frequencies=np.array([0, 5e6], dtype=np.float32), out_type="numpy")).ravel()
    found["interactions"] = paths.interactions.numpy()[:, 0, 0, order]
    return found


PLACES = {
    "simple_street_canyon": ([-32.7, 1.2, 5.0], [20.4, 3.3, 2.0]),
    "simple_reflector": ([-0.21, 0.13, 1.0], [0.3, 0.1, 2.0]),
    "munich": ([8.5, 21.0, 27.0], [44.3, 90.1, 1.5]),
}


@pytest.mark.parametrize("name", list(PLACES))
def test_equals_sionna(name):
    """Level, phase, delay, angles and Doppler of every specular path, with arrays, patterns and orientations."""
    try:
        import sionna.rt as theirs
    except Exception as error:  # also where its LLVM is missing
        pytest.skip(f"Sionna RT is not there: {error}")
    found = []
    for module in (theirs, rt):
        scene = module.load_scene(getattr(rt.scene, name))
        scene.frequency = 3.5e9
        scene.tx_array = module.PlanarArray(num_rows=2, num_cols=2, pattern="tr38901", polarization="V")
        scene.rx_array = module.PlanarArray(num_rows=1, num_cols=2, pattern="hw_dipole", polarization="V")
        tx = module.Transmitter("tx", PLACES[name][0], velocity=[3.0, 1.0, 0.0])
        rx = module.Receiver("rx", PLACES[name][1], orientation=[0.3, 0.2, 0.1], velocity=[-10.0, 2.0, 1.0])
        scene.add(tx)
        scene.add(rx)
        tx.look_at(rx)
        found.append(numbers(module.PathSolver()(scene, max_depth=3, refraction=False)))
    one, two = found
    assert one["a"].shape == two["a"].shape
    np.testing.assert_allclose(20 * np.log10(np.abs(one["a"] / two["a"])), 0, atol=0.1)
    np.testing.assert_allclose(np.degrees(np.angle(one["a"] / two["a"])), 0, atol=0.5)
    np.testing.assert_allclose(one["tau"], two["tau"], atol=1e-10)
    for angle in ("theta_t", "phi_t", "theta_r", "phi_r"):
        np.testing.assert_allclose(one[angle], two[angle], atol=1e-4)
    np.testing.assert_allclose(one["doppler"], two["doppler"], atol=0.01)
    np.testing.assert_allclose(one["cfr"], two["cfr"], atol=0.01 * np.abs(one["cfr"]).max())
    np.testing.assert_array_equal(one["interactions"], two["interactions"])


def test_scenes_by_name(tmp_path, monkeypatch):
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "yard.xml").write_text("<scene/>")
    monkeypatch.setitem(os.environ, "RASTERWAVE_SCENES", str(tmp_path))
    assert rt.scene.yard.endswith("yard.xml")
