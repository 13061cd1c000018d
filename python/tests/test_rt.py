"""rasterwave.rt against closed forms; test_rt_sionna.py compares it with Sionna RT."""

import math
import os

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import rt

C = 299792458.0
PLATE = [[-200, -200, 0], [200, -200, 0], [200, 200, 0], [-200, 200, 0]]
SQUARE = [[0, 1, 2], [0, 2, 3]]


def antennas(scene, **keywords):
    scene.tx_array = rt.PlanarArray(num_rows=1, num_cols=1, **{"pattern": "iso", "polarization": "V", **keywords})
    scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, **{"pattern": "iso", "polarization": "V", **keywords})


@pytest.fixture
def floor():
    """A large conducting floor."""
    engine = rw.Scene()
    engine.add_material("metal", 1.0, perfect_conductor=True)
    engine.add_mesh(PLATE, SQUARE, surface="metal", name="floor")
    scene = rt.Scene(engine.commit())
    antennas(scene)
    scene.add(rt.Transmitter("tx", [-40, 0, 10], power_dbm=30))
    scene.add(rt.Receiver("rx", [60, 0, 20]))
    return scene


@pytest.fixture
def space():
    scene = rt.load_scene()
    antennas(scene)
    scene.add(rt.Transmitter("tx", [0, 0, 0]))
    scene.add(rt.Receiver("rx", [30, 40, 0]))
    return scene


def coefficients(paths):
    return (paths.a[0] + 1j * paths.a[1]).numpy()


def test_two_rays(floor):
    paths = rt.PathSolver()(floor, max_depth=1)
    order = np.argsort(paths.tau[0, 0])
    lengths = np.array([math.hypot(100, 10), math.hypot(100, 30)])
    np.testing.assert_allclose(paths.tau[0, 0][order], lengths / C, rtol=1e-9)
    a = coefficients(paths)[0, 0, 0, 0][order]
    np.testing.assert_allclose(np.abs(a), floor.wavelength / (4 * np.pi * lengths), rtol=1e-4)
    np.testing.assert_allclose(np.abs(np.angle(a[0])), 0, atol=1e-3)
    np.testing.assert_allclose(paths.a_db[0, 0, 0, 0][order], 20 * np.log10(np.abs(a)))
    assert paths.interactions[0, 0, 0][order].tolist() == [rt.InteractionType.NONE, rt.InteractionType.SPECULAR]
    np.testing.assert_allclose(paths.vertices[0, 0, 0][order][1], [-40 + 100 / 3, 0, 0], atol=1e-6)
    assert paths.objects[0, 0, 0][order].tolist() == [rt.INVALID_SHAPE, floor.get("floor").object_id]
    assert paths.primitives[0, 0, 0][order][1] in (0, 1)
    assert rt.PathSolver()(floor, max_depth=1, los=False).tau.shape == (1, 1, 1)
    assert rt.PathSolver()(floor, max_depth=1, max_num_paths_per_src=1).tau.shape == (1, 1, 1)


def test_shapes_and_responses(floor):
    floor.rx_array = rt.PlanarArray(num_rows=2, num_cols=3, pattern="iso")
    floor.add(rt.Receiver("other", [10, 30, 5]))
    paths = rt.PathSolver()(floor, max_depth=1)
    assert paths.a[0].shape == (2, 6, 1, 1, 2) and paths.tau.shape == paths.doppler.shape == (2, 1, 2)
    a, tau = paths.cir(out_type="numpy")
    assert a.shape == (2, 6, 1, 1, 2, 1) and tau.min() == 0
    frequencies = np.array([-1e6, 0.0, 1e6])
    h = paths.cfr(frequencies, normalize_delays=False, out_type="numpy")
    assert h.shape == (2, 6, 1, 1, 1, 3)
    a, tau = paths.cir(normalize_delays=False, out_type="numpy")
    by_hand = sum(a[1, 4, 0, 0, p, 0] * np.exp(-2j * np.pi * frequencies * tau[1, 0, p]) for p in range(2))
    np.testing.assert_allclose(h[1, 4, 0, 0, 0], by_hand, rtol=1e-9)
    real, imaginary = paths.taps(50e6, -2, 4)
    assert real.shape == imaginary.numpy().shape == (2, 6, 1, 1, 1, 7)
    assert np.mean(np.abs(paths.cfr(frequencies, normalize=True, out_type="numpy")[0]) ** 2) == pytest.approx(1)
    back, tau = paths.cir(reverse_direction=True, out_type="numpy")
    assert back.shape == (1, 1, 2, 6, 2, 1) and tau.shape == (1, 2, 2)


@pytest.mark.parametrize("model", ["tr38901_1", "tr38901_2"])
def test_polarisations_in_free_space(space, model):
    """Theta stays theta; phi, seen from the other end, turns round."""
    antennas(space, polarization="VH", polarization_model=model)
    a = coefficients(rt.PathSolver()(space, max_depth=0))[0, :, 0, :, 0]
    level = space.wavelength / (4 * np.pi * 50)
    expected = level * np.diag([1, -1])
    if model == "tr38901_1":  # the horizontal dipole of model 1 is seen at 53 degrees off its axis, from both sides
        assert np.abs(a[1, 1]) == pytest.approx(level) and a[0, 1] == pytest.approx(0, abs=1e-12)
    else:
        np.testing.assert_allclose(a, expected, atol=1e-12)
    antennas(space, polarization="cross")
    a = coefficients(rt.PathSolver()(space, max_depth=0))[0, :, 0, :, 0]
    np.testing.assert_allclose(a, level * np.array([[0, 1], [1, 0]]), atol=1e-12)  # -45 meets +45, facing each other
    antennas(space, polarization="H")
    assert coefficients(rt.PathSolver()(space, max_depth=0)).shape == (1, 1, 1, 1, 1)


def test_registered_antennas(space):
    rt.register_polarization("third", [math.pi / 3])
    antennas(space, polarization="third")
    level = space.wavelength / (4 * np.pi * 50)
    a = coefficients(rt.PathSolver()(space, max_depth=0))
    assert a[0, 0, 0, 0, 0] == pytest.approx(level * (0.25 - 0.75))
    rt.register_antenna_pattern("twice", lambda **k: rt.AntennaPattern([lambda theta, phi: (2 + 0 * theta, 0 * theta)]))
    space.tx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="twice")
    assert abs(coefficients(rt.PathSolver()(space, max_depth=0))[0, 0, 0, 0, 0]) == pytest.approx(level)
    directivity, gain, efficiency = rt.PlanarArray(num_rows=1, num_cols=1, pattern="dipole").antenna_pattern.compute_gain(verbose=False)
    assert gain == pytest.approx(1.5) and efficiency == pytest.approx(1, rel=1e-3)


def test_arrays_are_plane_waves(floor):
    floor.tx_array = rt.PlanarArray(num_rows=1, num_cols=2, pattern="iso", horizontal_spacing=0.5)
    floor.get("tx").orientation = [0.7, 0, 0]
    paths = rt.PathSolver()(floor, max_depth=0)
    a = coefficients(paths)[0, 0, 0, :, 0]
    to = np.array([100.0, 0, 10]) / math.hypot(100, 10)
    along = np.array([-math.sin(0.7), math.cos(0.7), 0])  # from the first antenna to the second
    assert np.angle(a[1] / a[0]) == pytest.approx(math.pi * to @ along, abs=1e-3)


def test_each_antenna_traced(floor):
    """Spherical waves over a large array; polarisations of an antenna share their paths."""
    floor.tx_array = rt.PlanarArray(num_rows=1, num_cols=3, pattern="iso", horizontal_spacing=100, polarization="VH")
    paths = rt.PathSolver()(floor, max_depth=1, synthetic_array=False)
    assert paths.a[0].shape == paths.tau.shape == paths.theta_t.shape == (1, 1, 1, 6, 2)
    assert paths.interactions.shape == paths.objects.shape == (1, 1, 1, 1, 6, 2) and paths.vertices.shape[-1] == 3
    places = np.asarray(floor.tx_array.rotate(floor.wavelength, [0, 0, 0])) + floor.get("tx").position
    lengths = np.linalg.norm(places - floor.get("rx").position, axis=1)
    direct = paths.tau[0, 0, 0].min(axis=-1) * C
    np.testing.assert_allclose(direct, np.tile(lengths, 2), rtol=1e-9)
    a, tau = paths.cir(out_type="numpy")
    assert a.shape == (1, 1, 1, 6, 2, 1) and tau.shape == (1, 1, 1, 6, 2) and tau.min() == 0
    assert paths.cfr([0.0, 1e6], out_type="numpy").shape == (1, 1, 1, 6, 1, 2)


def test_paths_are_joined(floor):
    """The direct path and then the reflected one are the paths of both, each at its place."""
    solve = rt.PathSolver()
    direct, reflected = solve(floor, max_depth=0), solve(floor, max_depth=1, los=False)
    both, whole = direct.concat([reflected]), solve(floor, max_depth=1)
    assert both.a[0].shape == whole.a[0].shape and both.interactions.shape == whole.interactions.shape
    order = np.argsort(whole.tau[0, 0])  # the direct path is the shorter one
    for name in ("tau", "theta_r", "phi_t", "doppler"):
        np.testing.assert_allclose(getattr(both, name), getattr(whole, name)[..., order], rtol=1e-12)
    np.testing.assert_allclose(coefficients(both), coefficients(whole)[..., order], rtol=1e-12)
    np.testing.assert_allclose(both.vertices, whole.vertices[:, :, :, order], atol=1e-9)
    assert both.objects[0, 0, 0, 1] == floor.get("floor").object_id and direct.tau.shape[-1] == 1
    floor.get("tx").position += [1, 0, 0]
    with pytest.raises(rw.BadCallError, match="same devices"):
        direct.concat(solve(floor, max_depth=1))


def test_numbers_are_arrays_of_one(floor):
    """Code for Dr.Jit's scalars: numpy() and [0]; they are floats all the same."""
    floor.bandwidth, floor.frequency = 100e6, np.array([2e9])
    assert floor.bandwidth.numpy().tolist() == [100e6] and floor.frequency[0] == 2e9 == floor.frequency
    noise_dbm = rt.watt_to_dbm(floor.thermal_noise_power).numpy()
    assert noise_dbm == pytest.approx(10 * math.log10(1.380649e-23 * 293 * 100e6) + 30)
    assert floor.wavelength[0] == pytest.approx(C / 2e9) and floor.get("tx").position.x[0] == -40
    assert floor.get("tx").power[0] == 1 and floor.get("tx").power_dbm.numpy()[0] == 30
    assert floor.get("floor").lcs_half_extents.tolist() == [200, 200, 0]
    with pytest.raises(rw.BadCallError, match="bandwidth"):
        floor.bandwidth = 0
    floor.all_set(radio_map=True)
    floor.remove("rx")
    with pytest.raises(rw.BadCallError, match="no receiver"):
        floor.all_set(radio_map=False)


def test_doppler(floor):
    floor.get("rx").velocity = [0.0, 0, -7]
    paths = rt.PathSolver()(floor, max_depth=0)
    assert paths.doppler[0, 0, 0] == pytest.approx(7 * 10 / math.hypot(100, 10) / floor.wavelength, rel=1e-6)
    a, _ = paths.cir(num_time_steps=2, sampling_frequency=1e4, out_type="numpy")
    turn = np.angle(a[0, 0, 0, 0, 0, 1] / a[0, 0, 0, 0, 0, 0])
    assert turn == pytest.approx(2 * math.pi * paths.doppler[0, 0, 0] / 1e4, rel=1e-6)


def test_doppler_of_what_moves(floor):
    """A floor that rises makes the path by it shorter."""
    floor.get("floor").velocity = [0, 0, 3]
    paths = rt.PathSolver()(floor, max_depth=1)
    reflected = np.argmax(paths.tau[0, 0])
    shorter = 2 * 3 * 30 / math.hypot(100, 30)
    assert paths.doppler[0, 0, reflected] == pytest.approx(shorter / floor.wavelength, rel=1e-6)
    assert paths.doppler[0, 0, 1 - reflected] == 0


def test_radio_map(floor):
    floor.add(rt.Transmitter("second", [100, 50, 10], power_dbm=20))
    map = rt.RadioMapSolver()(floor, center=[0, 0, 2], orientation=[0, 0, 0], size=[100, 60], cell_size=[10, 10], max_depth=0)
    assert map.path_gain.shape == map.rss.shape == map.sinr.shape == (2, 6, 10)
    assert map.cell_centers[0, 0].tolist() == [-45, -25, 2]
    distance = np.linalg.norm(map.cell_centers - [-40, 0, 10], axis=-1)
    np.testing.assert_allclose(map.path_gain[0], (floor.wavelength / (4 * np.pi * distance)) ** 2, rtol=1e-3)
    np.testing.assert_allclose(map.rss[1], map.path_gain[1] * 0.1)
    np.testing.assert_allclose(map.sinr[0], map.rss[0] / (map.rss[1] + floor.thermal_noise_power))
    for name in ("path_gain", "rss", "sinr"):
        np.testing.assert_allclose(getattr(map, f"{name}_db"), 10 * np.log10(getattr(map, name)))
    np.testing.assert_allclose(map.rss_dbm, 10 * np.log10(map.rss) + 30)
    assert map.tx_association("rss").shape == (6, 10) and map.cells_count == 60
    assert map.tx_cell_indices[0].tolist() == [1, 3]


@pytest.mark.parametrize("polarization", ["V", "H", "cross"])
@pytest.mark.parametrize("pattern", ["iso", "tr38901"])
def test_both_ways_to_a_map_agree(floor, pattern, polarization):
    """The engine's map, and the sum of paths that arrays need."""
    from rasterwave.rt import _maps

    antennas(floor, pattern=pattern, polarization=polarization)
    floor.get("tx").look_at([10, 5, 0])
    array, ways = floor.tx_array, rt._trace.Ways(1)
    plane = _maps.Plane(floor, [10, 0, 2], [0, 0, 0], [100, 60], [10, 10])
    weights = _maps._weights(None, 1, array.num_ant)
    one = _maps._by_engine(floor, plane, ways, array, weights)
    two = _maps._by_paths(floor, plane.centers.reshape(-1, 3), ways, array, weights)
    np.testing.assert_allclose(10 * np.log10(one), 10 * np.log10(two), atol=0.05)


def test_precoding(space):
    """Two antennas in phase: twice the power ahead; in opposite phase: none."""
    space.tx_array = rt.PlanarArray(num_rows=1, num_cols=2, pattern="iso")
    solve, where = rt.RadioMapSolver(), dict(center=[100, 0, 0], orientation=[0, 0, 0], size=[1, 1], cell_size=[1, 1])
    single = (space.wavelength / (4 * np.pi * 100)) ** 2
    assert solve(space, **where).path_gain[0, 0, 0] == pytest.approx(2 * single)
    opposite = np.array([1, -1]) / math.sqrt(2)
    assert solve(space, precoding_vec=(opposite, 0 * opposite), **where).path_gain[0, 0, 0] == pytest.approx(0, abs=1e-20)
    with pytest.raises(rw.BadCallError, match="precoding_vec"):
        solve(space, precoding_vec=(np.ones(3), np.ones(3)), **where)


def test_maps_of_other_surfaces(space):
    turned = rt.RadioMapSolver()(space, center=[50, 0, 0], orientation=[0, math.pi / 2, 0], size=[40, 20], cell_size=[10, 5])
    assert turned.path_gain.shape == (1, 4, 4)
    np.testing.assert_allclose(turned.cell_centers[..., 0], 50, atol=1e-9)  # an upright plane
    mesh = rt.Mesh(PLATE, SQUARE)
    rt.transform_mesh(mesh, translation=[0, 0, -30], scale=0.5)
    found = rt.RadioMapSolver()(space, measurement_surface=mesh)
    assert found.path_gain.shape == found.sinr_db.shape == (1, 2)
    distance = np.linalg.norm(mesh.centers(), axis=1)
    np.testing.assert_allclose(found.path_gain[0], (space.wavelength / (4 * np.pi * distance)) ** 2)
    assert found.sample_positions(3)[0].shape == (1, 3, 3)


def test_places_from_maps(floor):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    floor.add(rt.Transmitter("second", [100, 50, 10]))
    map = rt.RadioMapSolver()(floor, cell_size=[20, 20], max_depth=1)
    places, cells, valid = map.sample_positions(50, metric="sinr", min_val_db=3, max_dist=100)
    assert places.shape == (2, 50, 3) and cells.shape == (2, 50, 2) and valid.tolist() == [50, 50]
    assert (np.linalg.norm(places[0] - floor.get("tx").position, axis=-1) < 120).all()
    assert map.sinr_db[0][cells[0, :, 0], cells[0, :, 1]].min() >= 3
    middles = map.sample_positions(50, metric="sinr", min_val_db=3, max_dist=100, center_pos=True)[0]
    np.testing.assert_array_equal(np.asarray(map.cell_centers)[cells[..., 0], cells[..., 1]], middles)
    none, _, valid = map.sample_positions(5, min_val_db=100)
    assert np.isnan(none).all() and valid.tolist() == [0, 0]
    figure, levels, shares = map.cdf("rss", tx="second")
    assert shares[-1] == 1 and (np.diff(levels) > 0).all()
    map.show("path_gain", tx=0, show_rx=True)
    map.show_association("sinr")
    floor.tx_array.show()
    plt.close("all")


def test_objects_can_be_edited(floor):
    """A raised floor, a removed one, a wall beside; nothing is laid where the floor was."""
    item = floor.get("floor")
    np.testing.assert_allclose(item.position, [0, 0, 0])
    item.position = [0, 0, 5]
    paths = rt.PathSolver()(floor, max_depth=1)
    assert paths.tau.max() * C == pytest.approx(math.hypot(100, 20), rel=1e-9)
    wall = item.clone("wall")
    wall.orientation = [0, math.pi / 2, math.pi / 2]
    floor.edit(add=wall, remove="floor")
    wall.position = [0, 30, 0]
    paths = rt.PathSolver()(floor, max_depth=1)
    assert list(floor.objects) == ["wall"] and paths.tau.shape == (1, 1, 2)
    assert paths.tau.max() * C == pytest.approx(np.linalg.norm([100, 60, 10]), rel=1e-9)
    floor.remove("wall")
    assert rt.PathSolver()(floor, max_depth=1).tau.shape == (1, 1, 1)
    with pytest.raises(rw.BadCallError, match="no radio material"):
        floor.add(rt.SceneObject(rt.Mesh(PLATE, SQUARE), "bare"))


def test_ends_below_zero(floor):
    """Altitudes may be negative: the same scene 100 m lower has the same paths and maps."""
    paths = rt.PathSolver()(floor, max_depth=1)
    map = rt.RadioMapSolver()(floor, center=[0, 0, 2], orientation=[0, 0, 0], size=[100, 60], cell_size=[10, 10], max_depth=1)
    for name in ("floor", "tx", "rx"):
        floor.get(name).position -= [0, 0, 100]
    lower = rt.PathSolver()(floor, max_depth=1)
    np.testing.assert_allclose(coefficients(lower), coefficients(paths), rtol=1e-6)
    np.testing.assert_allclose(lower.vertices[..., 2].min(), -100, atol=1e-6)
    below = rt.RadioMapSolver()(floor, center=[0, 0, -98], orientation=[0, 0, 0], size=[100, 60], cell_size=[10, 10], max_depth=1)
    np.testing.assert_allclose(below.path_gain, map.path_gain, rtol=1e-3)


def test_materials_can_be_edited(floor):
    """A slab of no contrast reflects nothing; P.2040 follows the frequency, and so does a callback."""
    glass = rt.RadioMaterial("thin", thickness=0.05, relative_permittivity=4.0)
    floor.get("floor").radio_material = glass
    assert floor.radio_materials["thin"] is glass and glass.is_used and not floor.get("metal").is_used

    def reflected():
        paths = rt.PathSolver()(floor, max_depth=1, refraction=False)
        return abs(coefficients(paths)[0, 0, 0, 0][np.argmax(paths.tau)]) * 4 * np.pi * math.hypot(100, 30) / floor.wavelength

    first = reflected()
    slab = rw.calc.slab([("4,0", 0.05)], 3.5e9, math.degrees(math.atan2(100, 30)))
    assert first == pytest.approx(abs(slab.reflection_tm), rel=1e-4)
    glass.thickness = 0.02
    assert reflected() != pytest.approx(first, rel=1e-2)
    glass.relative_permittivity = 1.0
    air = rt.PathSolver()(floor, max_depth=1, refraction=False)
    assert (np.abs(coefficients(air)[..., air.tau[0, 0] > 340e-9]) < 1e-12).all()
    concrete = rt.ITURadioMaterial("walls", "concrete", thickness=0.1)
    floor.get("floor").radio_material = concrete
    floor.remove("thin")
    before = concrete.conductivity
    floor.frequency = 28e9
    assert concrete.conductivity > 2 * before and "concrete" in repr(concrete)
    seen = []
    floor.add(rt.RadioMaterial("measured", frequency_update_callback=lambda f: (seen.append(f), (3.0, 0.1))[1]))
    floor.get("floor").radio_material = "measured"
    rt.PathSolver()(floor, max_depth=1)
    assert 28e9 in seen
    with pytest.raises(rw.BadCallError, match="is used"):
        floor.remove("measured")
    with pytest.raises(rw.BadCallError, match="thickness"):
        glass.thickness = 0


def test_files_keep_their_materials(tmp_path):
    (tmp_path / "box.obj").write_text("v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3\nf 1 3 4\n")
    mesh = rt.load_mesh(tmp_path / "box.obj")
    assert mesh.triangles.shape == (2, 3) and mesh.vertices.max() == 10
    scene = rt.load_scene(tmp_path / "box.obj")
    (item,) = scene.objects.values()
    assert item.radio_material.name in scene.radio_materials
    antennas(scene)
    scene.add([rt.Transmitter("tx", [-3, 5, 4]), rt.Receiver("rx", [13, 5, 4])])  # both beside it
    assert rt.PathSolver()(scene, max_depth=1, refraction=False).tau.shape == (1, 1, 2)
    scene.get(item.name).scaling = 2.0
    np.testing.assert_allclose(item.mi_mesh.vertices.max(axis=0), [15, 15, 0])


@pytest.mark.parametrize(
    "call",
    [
        lambda s: rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="left"),
        lambda s: rt.PlanarArray(num_rows=1, num_cols=1, pattern="horn"),
        lambda s: rt.PathSolver()(s, max_depth=0).cir(out_type="tf"),
        lambda s: s.coverage_map,
        lambda s: s.mi_scene,
        lambda s: rt.RIS,
        lambda s: rt.fibonacci_lattice,
        lambda s: rt.RadioMapSolver()(s, cell_size=[50, 50], max_depth=0).add_paths,
        lambda s: s.radio_materials["metal"].eval,
    ],
)
def test_what_is_not_there_is_refused_by_name(floor, call):
    with pytest.raises(NotImplementedError, match="rasterwave.rt has no"):
        call(floor)


def test_bad_calls(floor):
    with pytest.raises(rw.BadCallError, match="already"):
        floor.add(rt.Receiver("tx", [0, 0, 1]))
    with pytest.raises(rw.BadCallError, match="three finite numbers"):
        floor.get("tx").position = [0, 1]
    with pytest.raises(rw.BadCallError, match="own place"):
        floor.get("tx").look_at(floor.get("tx").position)
    with pytest.raises(rw.BadCallError, match="max_depth"):
        rt.PathSolver()(floor, max_depth=-1)
    with pytest.raises(rw.BadCallError, match="together"):
        rt.RadioMapSolver()(floor, center=[0, 0, 1])
    floor.remove("rx")
    with pytest.raises(rw.BadCallError, match="no receiver"):
        rt.PathSolver()(floor)
    with pytest.raises(rw.NotFoundError, match="RASTERWAVE_SCENES"):
        rt.scene.nowhere


def test_scenes_by_name(tmp_path, monkeypatch):
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "yard.xml").write_text("<scene/>")
    monkeypatch.setitem(os.environ, "RASTERWAVE_SCENES", str(tmp_path))
    assert rt.scene.yard.endswith("yard.xml")


def test_helpers():
    assert rt.subcarrier_frequencies(4, 10.0).tolist() == [-20, -10, 0, 10]
    assert rt.subcarrier_frequencies(3, 10.0).tolist() == [-10, 0, 10]
    assert rt.watt_to_dbm(1.0) == pytest.approx(30) and rt.dbm_to_watt(30) == pytest.approx(1)
    pair = (np.array([3.0]), np.array([4.0]))
    assert rt.cpx_abs(pair)[0] == 5 and rt.cpx_abs_square(pair)[0] == 25
    assert rt.cpx_convert(rt.cpx_mul(pair, pair), "numpy")[0] == pytest.approx((3 + 4j) ** 2)
    theta, phi = rt.theta_phi_from_unit_vec([0.0, 1.0, 0.0])
    np.testing.assert_allclose(rt.r_hat(theta, phi), [0, 1, 0], atol=1e-12)
    assert rt.Camera(position=[0, 0, 1], look_at=[1, 0, 1]).orientation[0] == 0


PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
{vertices}
3 0 1 2
3 0 2 3
"""
XML = """<scene version="2.1.0">
<bsdf type="twosided" id="mat-itu_concrete"><bsdf type="diffuse"/></bsdf>
<bsdf type="itu-radio-material" id="mat-panes"><string name="type" value="glass"/><float name="thickness" value="0.03"/></bsdf>
<shape type="ply" id="mesh-floor"><string name="filename" value="floor.ply"/><ref id="mat-itu_concrete" name="bsdf"/></shape>
<shape type="ply" id="mesh-facade"><string name="filename" value="facade.ply"/><ref id="mat-panes" name="bsdf"/></shape>
</scene>
"""


@pytest.fixture
def street(tmp_path, monkeypatch):
    folder = tmp_path / "street"
    folder.mkdir()
    (folder / "floor.ply").write_text(PLY.format(vertices="-50 -50 0\n50 -50 0\n50 50 0\n-50 50 0"))
    (folder / "facade.ply").write_text(PLY.format(vertices="-50 20 0\n50 20 0\n50 20 15\n-50 20 15"))
    (folder / "street.xml").write_text(XML)
    monkeypatch.setitem(os.environ, "RASTERWAVE_SCENES", str(tmp_path))


def test_calls_of_their_introduction(street):
    """Scene, objects, materials, paths, responses, mobility and a map, called as their tutorial calls them."""
    scene = rt.load_scene(rt.scene.street, merge_shapes=False)
    assert list(scene.objects) == ["floor", "facade"] and set(scene.radio_materials) == {"concrete", "glass"}
    floor = scene.get("floor")
    assert floor.position.tolist() == [0, 0, 0] and floor.velocity.tolist() == floor.orientation.tolist() == [0, 0, 0]
    conductivity = floor.radio_material.conductivity
    scene.frequency = 28e9
    assert floor.radio_material.conductivity > conductivity and scene.get("facade").radio_material.thickness == 0.03
    scene.frequency = 3.5e9
    scene.tx_array = rt.PlanarArray(num_rows=1, num_cols=1, vertical_spacing=0.5, horizontal_spacing=0.5, pattern="tr38901", polarization="V")
    scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, vertical_spacing=0.5, horizontal_spacing=0.5, pattern="dipole", polarization="cross")
    tx = rt.Transmitter(name="tx", position=[-20, 0, 12], display_radius=2)
    rx = rt.Receiver(name="rx", position=[25, 5, 1.5], display_radius=2)
    scene.add(tx)
    scene.add(rx)
    tx.look_at(rx)
    solver = rt.PathSolver()
    chosen = dict(max_depth=3, los=True, specular_reflection=True, diffuse_reflection=False, refraction=True, seed=41)
    paths = solver(scene=scene, synthetic_array=False, **chosen)
    a, tau = paths.cir(normalize_delays=True, out_type="numpy")
    assert a.shape[:4] == (1, 2, 1, 1) and tau.shape == a.shape[:-1] and a.shape[4] >= 4
    frequencies = rt.subcarrier_frequencies(1024, 30e3)
    h = paths.cfr(frequencies=frequencies, normalize=True, normalize_delays=True, out_type="numpy")
    assert h.shape == (1, 2, 1, 1, 1, 1024)
    taps = paths.taps(bandwidth=100e6, l_min=-6, l_max=100, sampling_frequency=None, normalize=True, normalize_delays=True, out_type="numpy")
    assert taps.shape == (1, 2, 1, 1, 1, 107)
    scene.get("tx").velocity = [10, 0, 0]
    moving = solver(scene=scene, synthetic_array=True, **chosen)
    a, _ = moving.cir(sampling_frequency=1e4, num_time_steps=100, out_type="numpy")
    assert a.shape[-1] == 100 and not np.allclose(a[..., 0], a[..., -1])
    rm = rt.RadioMapSolver()(scene=scene, max_depth=3, cell_size=[5, 5], samples_per_tx=10**6)
    assert rm.path_gain.shape == (1, 20, 20) and (rm.path_gain > 0).mean() > 0.9
    camera = rt.Camera(position=[-250, 250, 150], look_at=[-15, 30, 28])
    assert scene.render(camera=camera, paths=paths, return_bitmap=True).shape == (500, 655, 3)


def test_calls_of_their_radio_maps():
    """An empty scene, several transmitters, association, random users and their paths."""
    scene = rt.load_scene()
    scene.tx_array = rt.PlanarArray(num_rows=4, num_cols=1, pattern="tr38901", polarization="V")
    scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.add(rt.Transmitter(name="tx-1", position=[-60, 0, 10], orientation=[0, 0, 0], power_dbm=44))
    scene.add(rt.Transmitter(name="tx-2", position=[60, 0, 10], orientation=[np.pi, 0, 0], power_dbm=44))
    rm = rt.RadioMapSolver()(scene, center=[0, 0, 0], orientation=[0, 0, 0], size=[200, 100], cell_size=[10, 10], max_depth=0)
    assert rm.rss.numpy().shape == (2, 10, 20)
    assert rm.transmitter_radio_map(metric="sinr", tx=1).shape == (10, 20)
    np.testing.assert_allclose(rm.path_gain[0], rm.path_gain[1][:, ::-1])  # the scene is its own mirror
    pos, cells, valid = rm.sample_positions(num_pos=5, metric="sinr", min_val_db=3, min_dist=10, tx_association=True)
    for number, place in enumerate(pos.numpy().reshape(-1, 3)):
        scene.add(rt.Receiver(name=f"rx-{number}", position=place))
    a, _ = rt.PathSolver()(scene, max_depth=0).cir(out_type="numpy")
    assert a.shape == (10, 1, 2, 4, 1, 1)


def edges_scene(plates):
    """Vertical plates of glass."""
    engine = rw.Scene()
    engine.add_slab("pane", [("itu_glass", 0.01)])
    for number, plate in enumerate(plates):
        engine.add_mesh(plate, SQUARE, surface="pane", name=f"plate{number}")
    scene = rt.Scene(engine.commit())
    antennas(scene)
    return scene


def diffracted(scene, **flags):
    paths = rt.PathSolver()(scene, max_depth=1, refraction=False, diffraction=True, **flags)
    return int((paths.interactions == rt.InteractionType.DIFFRACTION).sum())


def test_edges_of_screens_are_asked_for():
    scene = edges_scene([[[0, -50, 0], [0, 50, 0], [0, 50, 10], [0, -50, 10]]])
    scene.add(rt.Transmitter("tx", [-10, 0, 8]))
    scene.add(rt.Receiver("behind", [10, 1, 8]))
    scene.add(rt.Receiver("above", [10, 1, 30]))
    where = dict(center=[10, 0, 8], orientation=[0, 0, 0], size=[8, 8], cell_size=[4, 4], max_depth=1, refraction=False)
    assert diffracted(scene) == 0 and diffracted(scene, edge_diffraction=True) >= 4
    lit = diffracted(scene, edge_diffraction=True)
    shadow = diffracted(scene, edge_diffraction=True, diffraction_lit_region=False)
    assert 0 < shadow < lit
    assert not (rt.RadioMapSolver()(scene, diffraction=True, **where).path_gain > 0).any()
    assert (rt.RadioMapSolver()(scene, diffraction=True, edge_diffraction=True, **where).path_gain > 0).all()


def test_regions_of_wedges():
    """A corner of 90 degrees: half a circle behind the source begins the shadow."""
    scene = edges_scene(
        [[[0, 0, 0], [100, 0, 0], [100, 0, 100], [0, 0, 100]], [[0, 0, 0], [0, 100, 0], [0, 100, 100], [0, 0, 100]]]
    )
    source = math.radians(-60)  # the solid is between 0 and 90 degrees
    scene.add(rt.Transmitter("tx", [10 * math.cos(source), 10 * math.sin(source), 50]))
    for degrees in (-100, -150, -200, -235, -245, -260):
        scene.add(rt.Receiver(f"rx{degrees}", [8 * math.cos(math.radians(degrees)), 8 * math.sin(math.radians(degrees)), 50.5]))
    paths = rt.PathSolver()(scene, max_depth=1, refraction=False, diffraction=True, diffraction_lit_region=False)
    bent = (np.asarray(paths.interactions)[0] == rt.InteractionType.DIFFRACTION).any(axis=(1, 2))
    assert bent.tolist() == [False, False, False, False, True, True]  # 180 degrees from the source: -240
    assert diffracted(scene) == 6


def test_maps_have_the_paths_of_the_solver():
    """Cell by cell, also where the map is drawn again with another array, orientation or position of the transmitter."""
    scene = edges_scene([[[0, -30, 0], [0, 30, 0], [0, 30, 12], [0, -30, 12]], [[25, -30, 0], [25, 30, 0], [25, 30, 12], [25, -30, 12]]])
    scene.add(rt.Transmitter("tx", [8, 1, 5]))
    where = dict(center=[12, 0, 1.5], orientation=[0, 0, 0], size=[60, 60], cell_size=[2, 2], max_depth=3)
    for turn in range(4):
        antennas(scene, pattern="tr38901" if turn == 1 else "iso")
        scene.get("tx").orientation = [0.3 * turn, 0, 0]
        scene.get("tx").position = [8 if turn < 2 else 9, 1, 5]
        found = rt.RadioMapSolver()(scene, **where)
        gain, centers = np.asarray(found.path_gain)[0].ravel(), np.asarray(found.cell_centers).reshape(-1, 3)
        for name in list(scene.receivers):
            scene.remove(name)
        scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="VH")
        cells = np.arange(7 + turn, len(gain), 53)
        for cell in cells:
            scene.add(rt.Receiver(f"rx{cell}", centers[cell]))
        paths = rt.PathSolver()(scene, max_depth=3)
        power = (np.abs(coefficients(paths)) ** 2).sum(axis=(1, 2, 3, 4))
        assert (power > 0).mean() > 0.5
        np.testing.assert_allclose(gain[cells], power, rtol=1e-3)  # maps read coefficients from tables


def test_receivers_on_and_near_a_surface(floor):
    """On it, and a hundredth of a millimetre to 0.1 m above it: the direct and the reflected path, which nearly cancel."""
    floor.remove("rx")
    heights = [0, 1e-5, 1e-4, 1e-3, 0.01, 0.1]
    for number, height in enumerate(heights):
        floor.add(rt.Receiver(f"rx{number}", [60, 0, height]))
    paths = rt.PathSolver()(floor, max_depth=1)
    assert np.asarray(paths.valid).reshape(len(heights), -1).sum(axis=1).tolist() == [2] * len(heights)
    on_floor = rt.RadioMapSolver()(floor, center=[20, 0, 0], orientation=[0, 0, 0], size=[40, 40], cell_size=[10, 10], max_depth=1)
    above = rt.RadioMapSolver()(floor, center=[20, 0, 1e-4], orientation=[0, 0, 0], size=[40, 40], cell_size=[10, 10], max_depth=1)
    assert (on_floor.path_gain > 0).all()
    np.testing.assert_allclose(on_floor.path_gain, above.path_gain, rtol=1e-4)


def test_powers_of_one_number_are_arrays_of_one():
    """As Dr.Jit's numbers: numpy() has one element."""
    assert rt.dbm_to_watt(30.0).numpy().shape == (1,) and rt.dbm_to_watt(30.0).numpy()[0] == pytest.approx(1)
    assert rt.watt_to_dbm(1e-3) == pytest.approx(0) and rt.watt_to_dbm([1.0, 1e-3]).numpy().tolist() == pytest.approx([30, 0])
