"""Many maps in one call, and arrays that stay on the device."""

import ctypes as C
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import rasterwave as rw
from rasterwave._device import _Tensor

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings, strategies as st  # noqa: E402

PLACES = np.array([[100.0, 100.0, 60.0], [150.0, 150.0, 70.0], [220.0, 90.0, 60.0]])


@pytest.fixture(scope="module")
def sight(scene):
    return rw.Predictor(scene, layer="los", res=10)


@pytest.fixture(scope="module")
def single(scene):
    sites = [rw.Transmitter(*place) for place in PLACES]
    return rw.predict(scene, sites, res=10, layers=["los", "path_loss", "power"])


def test_maps_are_those_of_predict(scene, sight, single):
    seen = sight(PLACES)
    assert seen.dtype == np.uint8 and seen.shape == single["los"].shape == (3, *sight.shape)
    np.testing.assert_array_equal(seen == 255, np.isnan(single["los"]))
    np.testing.assert_array_equal(seen == 1, single["los"] == 1)
    sites = [rw.Transmitter(*place) for place in PLACES]
    for layer in ("path_loss", "power"):
        np.testing.assert_array_equal(rw.predict_many(scene, sites, layer=layer, res=10), single[layer])
    np.testing.assert_array_equal(sight.x_m, single.x_m)
    np.testing.assert_array_equal(sight.y_m, single.y_m)


def test_columns_of_transmitters(scene, single):
    like = rw.Transmitter(name="mast", antenna="3gpp", downtilt_deg=4)
    sites = rw.Transmitters(PLACES, like, azimuth_deg=[0, 120, 240])
    assert len(sites) == 3 and sites[1] == rw.Transmitter(*PLACES[1], "mast", 120, antenna="3gpp", downtilt_deg=4)
    sites.power_dbm[:] = 20
    assert [site.power_dbm for site in sites] == [20, 20, 20] and list(sites)[2].azimuth_deg == 240
    power = rw.Predictor(scene, layer="power", res=10)
    np.testing.assert_array_equal(power(sites), rw.predict(scene, list(sites), res=10, layers=["power"])["power"])
    sites.power_dbm += 3.0
    assert sites[0].power_dbm == 23
    np.testing.assert_array_equal(rw.predict(scene, sites, res=10, layers=["power"])["power"], power(sites))
    with pytest.raises(rw.BadCallError, match="no column 'nothing'"):
        rw.Transmitters(PLACES, nothing=1)
    with pytest.raises(rw.BadCallError, match=r"\(n, 2\) or \(n, 3\)"):
        rw.Transmitters(np.zeros((2, 4)))
    assert len(rw.Transmitters(0)) == 0


def test_maps_go_into_given_arrays(sight):
    right, out = sight(PLACES), np.empty((3, *sight.shape), np.uint8)
    assert sight(PLACES, out) is out
    np.testing.assert_array_equal(out, right)
    device = sight.empty(3, "device")
    assert sight(PLACES, device) is device
    np.testing.assert_array_equal(device.copy_to_host(), right)
    for bad in (out[:2], out.astype(np.int8), out[:, ::-1], out.tolist()):
        with pytest.raises(rw.BadCallError, match="out: a writeable array of uint8"):
            sight(PLACES, bad)
    out.flags.writeable = False
    with pytest.raises(rw.BadCallError, match="writeable"):
        sight(PLACES, out)


def test_arrays_of_other_libraries(sight, monkeypatch):
    """What says that it lies on a GPU is refused where none is used, and by shape and type where one is."""

    class Elsewhere:
        __cuda_array_interface__ = {"shape": (3, *sight.shape), "typestr": "|u1", "data": (16, False), "version": 3}

    if sight.scene.context.backend != "cuda":
        with pytest.raises(rw.BadCallError, match="computes on the CPU"):
            sight(PLACES, Elsewhere())
    monkeypatch.setattr(type(sight.scene.context), "backend", "cuda")
    for bad in ({"shape": (1, 1, 1)}, {"typestr": "<f4"}, {"data": (16, True)}, {"strides": (1, 1, 1)}):
        monkeypatch.setitem(Elsewhere.__dict__["__cuda_array_interface__"], *next(iter(bad.items())))
        with pytest.raises(rw.BadCallError, match="row after row"):
            sight(PLACES, Elsewhere())
        monkeypatch.undo()
        monkeypatch.setattr(type(sight.scene.context), "backend", "cuda")


def test_refusals(scene, sight):
    for wrong, sentence in (
        ({"layer": "best"}, "of all transmitters together"),
        ({"layer": "path_loss,los"}, "one layer"),
        ({"layer": "nothing"}, "nothing"),
        ({"dtype": np.int32}, "float32"),
        ({"nothing": 1}, "no option 'nothing'"),
    ):
        with pytest.raises(rw.BadCallError, match=sentence):
            rw.Predictor(scene, **{"res": 10, **wrong})
    with pytest.raises(rw.BadCallError, match="bytes are for layer los"):
        rw.predict_many(scene, PLACES, dtype=np.uint8, res=10)
    with pytest.raises(rw.BadCallError, match="no transmitter"):
        sight([])
    with pytest.raises(rw.BadCallError, match="where"):
        sight(PLACES, where="nowhere")
    with pytest.raises(rw.BadCallError, match="like"):
        sight(rw.Transmitters(PLACES), like=rw.Transmitter())
    with pytest.raises(rw.Error, match="off the map"):
        sight(np.array([[1e7, 0.0, 10.0]]))


def test_threads_share_a_predictor(sight):
    right, wrong = sight(PLACES), []

    def work():
        for _ in range(3):
            if not np.array_equal(sight(PLACES), right):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_progress_of_parts(mast):
    shares = []
    own = rw.Scene.city(200, 200, context=rw.Context(backend="cpu", progress=lambda share, stage: shares.append(share)))
    shares.clear()
    rw.predict_many(own, np.array([[100.0, 100.0, 40.0]] * 3), res=20)
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1)


def test_arrays_are_shared():
    context = rw.Context(backend="cpu")
    array = rw.DeviceArray((2, 3), context=context)
    assert (array.shape, array.ndim, array.size, array.nbytes, len(array)) == ((2, 3), 2, 6, 24, 2)
    assert array.device == "cpu" and array.__dlpack_device__() == (1, 0) and not hasattr(array, "__cuda_array_interface__")
    shared = np.from_dlpack(array)
    assert shared.ctypes.data == array.pointer == np.asarray(array).ctypes.data
    array.copy_from_host([[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(shared, [[1, 2, 3], [4, 5, 6]])
    assert np.asarray(array, dtype=int).dtype == int and np.array(array).ctypes.data != array.pointer
    end = weakref.ref(array)
    del array, context
    gc.collect()
    assert end() is None
    np.testing.assert_array_equal(shared, [[1, 2, 3], [4, 5, 6]])  # the memory lives with its last user


def test_the_tensor_of_dlpack():
    array = rw.DeviceArray.from_numpy(np.arange(6, dtype=np.int16).reshape(3, 2), rw.Context(backend="cpu"))
    capsule = array.__dlpack__(stream=1, max_version=(1, 0))
    get = C.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = C.c_void_p, [C.py_object, C.c_char_p]
    tensor = _Tensor.from_address(get(capsule, b"dltensor"))
    assert (tensor.data, tensor.device_type, tensor.device_number) == (array.pointer, 1, 0)
    assert (tensor.type_code, tensor.type_bits, tensor.lanes, tensor.offset) == (0, 16, 1, 0)
    assert tensor.shape[: tensor.dimensions] == [3, 2] and tensor.strides[: tensor.dimensions] == [2, 1]
    del capsule, tensor  # not taken: its share ends here
    with pytest.raises(BufferError):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError):
        array.__dlpack__(dl_device=(2, 0))
    for shape, dtype in (((-1,), np.float32), ((), np.float32), ((2,), "U4"), ((2,), ">f4")):
        with pytest.raises(rw.BadCallError):
            rw.DeviceArray(shape, dtype)
    with pytest.raises(rw.BadCallError, match="shape"):
        array.copy_from_host([1, 2])


def test_pickling(scene):
    like = rw.Transmitter(name="mast", antenna="dipole", power_dbm=43)
    sites = pickle.loads(pickle.dumps(rw.Transmitters(PLACES, like, azimuth_deg=[0, 120, 240])))
    assert list(sites) == list(rw.Transmitters(PLACES, like, azimuth_deg=[0, 120, 240]))
    array = rw.DeviceArray.from_numpy(PLACES, scene.context)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(array)).copy_to_host(), PLACES)


def test_predictors_are_freed():
    own = rw.Scene.city(200, 200)
    predictor = rw.Predictor(own, layer="los", res=20)
    ends = [weakref.ref(x) for x in (own, own.context, predictor)]
    device = predictor(np.array([[100.0, 100.0, 60.0]]), where="device")
    shared = np.asarray(device) if device.device == "cpu" else None
    del own, predictor, device
    gc.collect()
    assert [end() for end in ends] == [None, None, None]
    assert shared is None or set(np.unique(shared)) <= {0, 1, 255}


def test_torch_takes_arrays(sight):
    torch = pytest.importorskip("torch")
    device = sight(PLACES, where="device")
    tensor = torch.from_dlpack(device)
    np.testing.assert_array_equal(tensor.cpu().numpy(), device.copy_to_host())


def test_arrays_leave_no_memory_behind():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    context = rw.Context(backend="cpu")
    for _ in range(3):
        np.from_dlpack(rw.DeviceArray(1 << 20, context=context)).sum()
    before = resident()
    for _ in range(40):
        array = rw.DeviceArray(1 << 20, context=context)
        array.__dlpack__()
        np.from_dlpack(array).sum()
    assert resident() - before < 40 << 20  # 160 MB were taken


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.sampled_from([5.0, 12.5, 40.0]), st.sampled_from(["los", "path_loss", "walls"]))
def test_shapes(scene, count, res, layer):
    predictor = rw.Predictor(scene, layer=layer, res=res, effects="none")
    maps = predictor(np.tile(PLACES[:1], (count, 1)))
    assert maps.shape == (count, *predictor.shape) and maps.dtype == predictor.dtype
    assert predictor.grid.columns == len(predictor.x_m) and predictor.grid.rows == len(predictor.y_m)
    np.testing.assert_array_equal(maps, np.broadcast_to(maps[:1], maps.shape))


@pytest.mark.filterwarnings("ignore::rasterwave.RasterwaveWarning")
@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=3, max_size=3))
def test_any_place_is_taken_or_refused(sight, place):
    try:
        maps = sight(np.array([place]))
    except rw.Error as error:
        assert str(error)
    else:
        assert set(np.unique(maps)) <= {0, 1, 255}


def test_transmitters_in_buildings(scene):
    """An error with the index, or on request a map of NaN, and the others as without it."""
    grid = np.array([[x, y, 2.0] for x in np.arange(5, 300, 10) for y in np.arange(5, 300, 10)])
    enclosures = scene.enclosures(grid)
    assert 0.1 < (enclosures == 1).mean() < 0.9 and set(enclosures) == {0, 1}
    bad = grid[enclosures == 1][0]
    places = np.array([PLACES[0], bad, PLACES[1]])
    with pytest.raises(rw.BadCallError, match=r"inside a building.*\(number 1 of 3, from 0\)"):
        rw.predict_many(scene, places, res=10)
    maps = rw.predict_many(scene, places, res=10, invalid="nan")
    assert np.isnan(maps[1]).all()
    np.testing.assert_array_equal(maps[[0, 2]], rw.predict_many(scene, PLACES[:2], res=10))
    assert (rw.predict_many(scene, places, layer="los", res=10, invalid="nan")[1] == 255).all()
    assert np.isnan(rw.predict_many(scene, places[1:2], res=10, invalid="nan")).all()
    with pytest.raises(rw.BadCallError, match="use raise or nan"):
        rw.predict_many(scene, places, res=10, invalid="zero")


def test_random_outdoor_points(scene):
    points = scene.sample_outdoor(500, seed=4)
    assert points.shape == (500, 3) and not scene.enclosures(points).any()
    np.testing.assert_array_equal(points, scene.sample_outdoor(500, seed=4))
    assert not np.array_equal(points, scene.sample_outdoor(500, seed=5))
    assert (points[:, 2] == 1.5).all() and points[:, 0].std() > 60
    assert not rw.trace(scene, rw.Transmitter(150, 150, 40), points[:50]).indoor.any()
    with pytest.raises(rw.BadCallError, match="west < east"):
        scene.sample_outdoor(3, area=(10, 10, 5, 20))
