"""Responses of native paths against sums over their paths, and several frequencies in one call."""

import numpy as np
import pytest

import rasterwave as rw


@pytest.fixture(scope="module")
def paths():
    scene = rw.Scene.office(seed=1)
    senders = [rw.Transmitter(3, 3, 2, freq_hz=3.5e9), rw.Transmitter(8, 3, 2, freq_hz=3.5e9)]
    return rw.trace(scene, senders, [[5, 3, 1.5], [9, 3, 1.5], [4, 2, 1.2]], "images", depth=2)


def test_responses_are_sums_over_paths(paths):
    a, tau = paths.cir()
    assert a.shape == tau.shape and a.shape[:2] == (3, 2) and (tau[a != 0] > 0).all() and (tau[a == 0] == -1).all()
    frequencies = np.array([-10e6, 0.0, 7e6])
    h, taps = paths.cfr(frequencies), paths.taps(20e6, -3, 9, normalize_delays=False)
    for point in range(3):
        for sender in range(2):
            own = (paths.point == point) & (paths.transmitter == sender)
            gain, delay = paths.gain[own], paths.delay_s[own]
            assert own.any() and np.allclose(np.sort_complex(a[point, sender][a[point, sender] != 0]), np.sort_complex(gain))
            expected = [np.sum(gain * np.exp(-2j * np.pi * f * delay)) for f in frequencies]
            np.testing.assert_allclose(h[point, sender], expected, rtol=1e-12)
            expected = [np.sum(gain * np.sinc(number - 20e6 * delay)) for number in range(-3, 10)]
            np.testing.assert_allclose(taps[point, sender], expected, rtol=1e-12)
    _, tau = paths.cir(normalize_delays=True)
    assert (np.where(tau < 0, np.inf, tau).min(axis=-1) == 0).all()
    np.testing.assert_allclose(np.abs(paths.cfr([0.0], normalize_delays=True)), np.abs(paths.cfr([0.0])))


def test_responses_of_levels_alone_are_rejected(scene, mast):
    found = rw.trace(scene, mast, scene.sample_outdoor(5, seed=1))
    with pytest.raises(rw.BadCallError, match="images"):
        found.cir()
    with pytest.raises(rw.BadCallError, match="out_type"):
        rw.trace(rw.Scene.office(seed=1), rw.Transmitter(3, 3, 2), [[5, 3, 1.5]], "images", freq="3.5GHz").cfr([0.0], out_type="tf")


def test_responses_are_tensors(paths):
    torch = pytest.importorskip("torch")
    h = paths.cfr([0.0, 1e6], out_type="torch")
    assert h.dtype == torch.complex64 and np.allclose(h.numpy(), paths.cfr([0.0, 1e6]), rtol=1e-5)


def test_several_frequencies_are_bands(scene, mast):
    other = rw.Transmitter(60, 60, 20, name="second", power_dbm=40)
    both = rw.predict(scene, [mast, other], freq=["900MHz", 3.5e9], res=10)["path_loss"]
    assert both.shape[0] == 4
    for number, freq in enumerate((900e6, 3.5e9)):
        one = rw.predict(scene, [mast.moved(freq_hz=freq), other.moved(freq_hz=freq)], res=10)["path_loss"]
        np.testing.assert_array_equal(both[2 * number : 2 * number + 2], one)
    traced = rw.trace(scene, mast, scene.sample_outdoor(5, seed=1), freq=[900e6, 3.5e9])
    assert set(traced.transmitter) == {0, 1}
    with pytest.raises(rw.BadCallError, match="freq"):
        rw.predict(scene, mast, freq=[])
