"""rasterwave.rt against Sionna RT, where that is installed: every specular path of its example scenes.

RASTERWAVE_SIONNA_SCENES names fewer scenes.
"""

import os

import numpy as np
import pytest

from rasterwave import rt

PLACES = {
    "simple_reflector": ([-0.21, 0.13, 1.0], [0.3, 0.1, 2.0]),
    "simple_street_canyon": ([-32.7, 1.2, 5.0], [20.4, 3.3, 2.0]),
    "etoile": ([-160.0, 70.0, 30.0], [-60.3, 150.1, 1.5]),
    "munich": ([8.5, 21.0, 27.0], [44.3, 90.1, 1.5]),
}
SCENES = os.environ.get("RASTERWAVE_SIONNA_SCENES", ",".join(PLACES)).split(",")


@pytest.fixture(scope="module")
def theirs():
    try:
        import sionna.rt
    except Exception as error:  # also where its LLVM is missing
        pytest.skip(f"Sionna RT is not there: {error}")
    return sionna.rt


def solve(module, name, polarization, model, **keywords):
    scene = module.load_scene(getattr(rt.scene, name))
    scene.frequency = 3.5e9
    named = dict(polarization=polarization, polarization_model=model)
    scene.tx_array = module.PlanarArray(num_rows=2, num_cols=2, pattern="tr38901", **named)
    scene.rx_array = module.PlanarArray(num_rows=1, num_cols=2, pattern="hw_dipole", **named)
    tx = module.Transmitter("tx", PLACES[name][0], velocity=[3.0, 1.0, 0.0])
    rx = module.Receiver("rx", PLACES[name][1], orientation=[0.3, 0.2, 0.1], velocity=[-10.0, 2.0, 1.0])
    scene.add(tx)
    scene.add(rx)
    tx.look_at(rx)
    return module.PathSolver()(scene, max_depth=3, refraction=False, **keywords)


def numbers(paths):
    """Everything of the paths, those of each pair of antennas by rising delay."""
    tau = paths.tau.numpy()
    order = np.argsort(np.where(tau < 0, np.inf, tau), axis=-1)
    names = ("tau", "theta_t", "phi_t", "theta_r", "phi_r", "doppler")
    found = {name: np.take_along_axis(getattr(paths, name).numpy(), order, -1) for name in names}
    a = paths.a[0].numpy() + 1j * paths.a[1].numpy()
    wide = order[:, None, :, None] if order.ndim == 3 else order
    found["a"] = np.take_along_axis(a, np.broadcast_to(wide, a.shape), -1)
    kinds = paths.interactions.numpy()
    found["interactions"] = np.take_along_axis(kinds, np.broadcast_to(order, kinds.shape), -1)
    found["cfr"] = np.asarray(paths.cfr(frequencies=np.array([0, 5e6], dtype=np.float32), out_type="numpy"))
    found["taps"] = np.asarray(paths.taps(bandwidth=20e6, l_min=-2, l_max=6, out_type="numpy"))
    return found


CASES = [("VH", "tr38901_2", True), ("V", "tr38901_2", True), ("cross", "tr38901_1", True), ("cross", "tr38901_2", False)]
# The cities take longer: both polarisations once, which has the vertical one in it.
ALL = [(name, *case) for name in SCENES for case in (CASES if name.startswith("simple") else CASES[:1])]


@pytest.mark.parametrize("name, polarization, model, synthetic", ALL)
def test_equals_sionna(theirs, name, polarization, model, synthetic):
    """Level, phase, delay, angles and Doppler of every specular path, with arrays, patterns and orientations."""
    one, two = (numbers(solve(module, name, polarization, model, synthetic_array=synthetic)) for module in (theirs, rt))
    assert {key: value.shape for key, value in one.items()} == {key: value.shape for key, value in two.items()}
    strong = np.abs(one["a"]) > 1e-4 * np.abs(one["a"]).max()  # weaker ones are rounding of theirs
    ratio = one["a"][strong] / two["a"][strong]
    np.testing.assert_allclose(20 * np.log10(np.abs(ratio)), 0, atol=0.1)
    np.testing.assert_allclose(np.degrees(np.angle(ratio)), 0, atol=0.5)
    np.testing.assert_allclose(one["a"], two["a"], atol=1e-3 * np.abs(one["a"]).max())
    np.testing.assert_allclose(one["tau"], two["tau"], atol=1e-10)
    for angle in ("theta_t", "phi_t", "theta_r", "phi_r"):
        np.testing.assert_allclose(one[angle], two[angle], atol=1e-4)
    np.testing.assert_allclose(one["doppler"], two["doppler"], atol=0.01)
    for response in ("cfr", "taps"):
        np.testing.assert_allclose(one[response], two[response], atol=0.01 * np.abs(one[response]).max())
    np.testing.assert_array_equal(one["interactions"], two["interactions"])


# Random places in the streets; to some of etoile lead grazing reflections at narrow parts of facades, which coarse views miss.
MANY = {
    "etoile": ([-150.3, 21.63, 42.5], [[-219.5, 141.3], [117.3, -110.2], [-107.9, 77.0], [-35.7, 115.5], [83.3, 176.8], [-8.3, 5.0]]),
    "munich": ([8.5, 21.0, 27.0], [[44.3, 90.1], [-30.0, 60.0], [100.0, 120.0], [20.0, 40.0], [60.0, -20.0], [10.0, 110.0]]),
}


@pytest.mark.parametrize("name", [name for name in MANY if name in SCENES])
def test_every_path_to_many_places(theirs, name):
    """Each path of theirs is one of ours: level, phase, delay and angles."""
    found = []
    for module in (theirs, rt):
        scene = module.load_scene(getattr(rt.scene, name))
        scene.tx_array = scene.rx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
        scene.add(module.Transmitter("tx", MANY[name][0]))
        for number, place in enumerate(MANY[name][1]):
            scene.add(module.Receiver(f"rx-{number}", [*place, 1.5]))
        paths = module.PathSolver()(scene, max_depth=3, refraction=False)
        a = paths.a[0].numpy()[:, 0, 0, 0] + 1j * paths.a[1].numpy()[:, 0, 0, 0]
        angles = np.stack([getattr(paths, angle).numpy()[:, 0] for angle in ("theta_t", "phi_t", "theta_r", "phi_r")], axis=-1)
        found.append((a, paths.tau.numpy()[:, 0], angles))
    (a, tau, angles), (our_a, our_tau, our_angles) = found
    compared = 0
    for place, path in np.argwhere(tau >= 0):
        away = np.abs(np.exp(1j * angles[place, path]) - np.exp(1j * our_angles[place])).max(axis=-1)
        away[np.abs(our_tau[place] - tau[place, path]) > 1e-10] = np.inf
        assert away.size and away.min() < 1e-3, (place, tau[place, path])
        ratio = our_a[place, away.argmin()] / a[place, path]
        assert abs(20 * np.log10(abs(ratio))) < 0.1 and abs(np.degrees(np.angle(ratio))) < 0.5, (place, tau[place, path])
        compared += 1
    assert compared >= 10


def test_every_name_is_there_or_refused(theirs):
    """What a user of theirs may call: no name of a class or a call, and no attribute of an object, is simply unknown."""
    import inspect

    def known(ours, name):
        try:
            getattr(ours, name)
        except NotImplementedError:
            pass
        except AttributeError:
            return False
        return True

    calls = [name for name, item in vars(theirs).items() if inspect.isclass(item) or inspect.isroutine(item)]
    own = [name for name in calls if (getattr(theirs, name).__module__ or "").startswith("sionna.rt") and name[0] != "_"]
    missing = [name for name in own if not known(rt, name) and name != "sionna_rt_variant_cb"]
    made = []
    for module in (theirs, rt):
        scene = module.load_scene(rt.scene.simple_street_canyon, merge_shapes=False)
        scene.tx_array = scene.rx_array = module.PlanarArray(num_rows=1, num_cols=2, pattern="iso", polarization="V")
        scene.add(module.Transmitter("tx", [-32, 1, 5]))
        scene.add(module.Receiver("rx", [20, 3, 2]))
        map = module.RadioMapSolver()(scene, max_depth=0, samples_per_tx=1000)
        made.append((scene, module.PathSolver()(scene, max_depth=0), map, scene.get("tx"), scene.tx_array, scene.get("floor")))
    for one, two in zip(*made):
        names = [name for name in dir(one) if name[0] != "_" and name not in ("NO_NAME_COUNTER", "shape_id_to_name")]
        missing += [f"{type(one).__name__}.{name}" for name in names if not known(two, name)]
    assert len(own) > 60 and not missing, missing


def test_map_equals_sionna_on_average(theirs):
    """Theirs is sampled: the means of both over cells in sight agree, with an array and its precoding vector."""
    found = []
    weights = np.array([1, 1j, -1, -1j, 0.5, 0.5j, 0.5, 0.5], complex) / 2.2
    for module in (theirs, rt):
        scene = module.load_scene(rt.scene.simple_street_canyon)
        scene.tx_array = module.PlanarArray(num_rows=2, num_cols=2, pattern="tr38901", polarization="cross")
        scene.add(module.Transmitter("tx", [-32.7, 1.2, 20.0], orientation=[0.1, 0.3, 0.0]))
        vector = weights.real, weights.imag
        if module is theirs:  # it wants tensors of its own
            mitsuba = pytest.importorskip("mitsuba")
            vector = tuple(mitsuba.TensorXf(part.astype(np.float32)) for part in vector)
        where = dict(center=[0, 0, 1.5], orientation=[0, 0, 0], size=[80, 8], cell_size=[4, 4])
        map = module.RadioMapSolver()(scene, max_depth=2, precoding_vec=vector, samples_per_tx=2000000, refraction=False, **where)
        found.append(np.asarray(map.path_gain.numpy()))
    assert found[0].shape == found[1].shape == (1, 2, 20)
    assert 10 * np.log10(found[0].sum() / found[1].sum()) == pytest.approx(0, abs=0.5)
    assert np.median(np.abs(10 * np.log10(found[0] / found[1]))) < 1.0


@pytest.mark.parametrize("pattern", ["lambertian", "directive", "backscattering"])
def test_scattered_power(theirs, pattern):
    """The sum over all patches against that over all samples, of both polarisations."""
    sums = []
    for module in (rt, theirs):
        scene = module.load_scene(rt.scene.simple_reflector)
        made = {
            "lambertian": lambda: module.LambertianPattern(),
            "directive": lambda: module.DirectivePattern(alpha_r=5),
            "backscattering": lambda: module.BackscatteringPattern(alpha_r=5, alpha_i=3, lambda_=0.4),
        }
        for material in scene.radio_materials.values():
            material.scattering_coefficient, material.xpd_coefficient = 0.7, 0.2
            material.scattering_pattern = made[pattern]()
        scene.tx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
        scene.rx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="VH")
        scene.add(module.Transmitter("tx", [-0.4, 0.1, 0.6]))
        scene.add(module.Receiver("rx", [0.3, 0.2, 0.5]))
        paths = module.PathSolver()(scene, max_depth=1, diffuse_reflection=True, refraction=False)
        power = np.abs(paths.a[0].numpy() + 1j * paths.a[1].numpy())[0, :, 0, 0] ** 2
        scatters = (paths.interactions.numpy()[:, 0, 0] == 2).any(axis=0)
        sums.append([power[:, scatters].sum(axis=1), power[:, ~scatters].sum(axis=1)])
    (ours_diffuse, ours_rest), (their_diffuse, their_rest) = sums
    assert np.abs(10 * np.log10(ours_diffuse / their_diffuse)).max() < 0.05
    assert abs(10 * np.log10(ours_rest[0] / their_rest[0])) < 0.001
