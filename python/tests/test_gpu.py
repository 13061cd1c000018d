"""Arrays on a GPU: against the driver, and shared with torch, cupy and jax where they are installed.

Under pytest as the other tests, or by itself where pytest is missing: python3 test_gpu.py
"""

import ctypes as C
import gc
import importlib
import sys

import numpy as np

import rasterwave as rw

PLACES = np.array([[100.0, 100.0, 60.0], [150.0, 150.0, 70.0], [220.0, 90.0, 60.0]])


class Skipped(Exception):
    pass


def skip(reason):
    if "pytest" in sys.modules:
        sys.modules["pytest"].skip(reason)
    raise Skipped(reason)


def need(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        skip(f"{name} is not installed")


def gpu_scene():
    try:
        context = rw.Context(backend="cuda")
    except rw.UnsupportedError as error:
        skip(str(error))
    return rw.Scene.city(300, 300, seed=3, context=context)


def read_by_driver(pointer, count):
    """Bytes of the GPU by the CUDA driver, which the package has no part in."""
    driver = C.CDLL("libcuda.so.1")
    values = np.empty(count, np.uint8)
    copy = driver.cuMemcpyDtoH_v2
    copy.argtypes = [C.c_void_p, C.c_uint64, C.c_size_t]
    assert copy(values.ctypes.data, pointer, count) == 0
    return values


def test_maps_on_the_gpu_are_those_on_the_cpu():
    scene = gpu_scene()
    other = rw.Scene.city(300, 300, seed=3, context=rw.Context(backend="cpu"))
    for layer, most in (("los", 0.0), ("walls", 0.0), ("path_loss", 0.02), ("power", 0.02)):
        predictor = rw.Predictor(scene, layer=layer, res=5, freq=2.1e9)
        device, host = predictor(PLACES, where="device"), predictor(PLACES)
        assert device.device == "cuda"
        np.testing.assert_array_equal(device.copy_to_host(), host)
        single = rw.predict(scene, rw.Transmitters(PLACES), res=5, freq=2.1e9, layers=[layer])[layer]
        if layer == "los":
            single = np.where(np.isnan(single), 255, single)
        np.testing.assert_array_equal(host, single)
        on_cpu = rw.predict_many(other, PLACES, layer=layer, res=5, freq=2.1e9)
        both = np.isfinite(on_cpu) & np.isfinite(host)
        assert (np.isfinite(on_cpu) != np.isfinite(host)).mean() < 5e-3
        apart = np.abs(on_cpu[both].astype(float) - host[both])
        assert (apart > most).mean() < 5e-3, (layer, apart.max())


def test_every_model_on_the_gpu():
    scene = gpu_scene()
    for model in rw.models():
        options = {"res": 15, "freq": 2.1e9}
        small = {"pixels": 64, "rays": 20, "reflections": 1, "depth": 1}
        options.update({name: value for name, value in small.items() if name in rw.model_options(model)})
        device = rw.predict_many(scene, PLACES, model, where="device", **options)
        np.testing.assert_array_equal(device.copy_to_host(), rw.predict_many(scene, PLACES, model, **options), model)


def test_the_driver_reads_the_same():
    sight = rw.Predictor(gpu_scene(), layer="los", res=5)
    device = sight(PLACES, where="device")
    about = device.__cuda_array_interface__
    assert about["shape"] == device.shape and about["typestr"] == "|u1" and about["version"] == 3
    seen = read_by_driver(about["data"][0], device.nbytes)
    np.testing.assert_array_equal(seen.reshape(device.shape), device.copy_to_host())
    assert device.__dlpack_device__() == (2, 0)
    device.copy_from_host(np.full(device.shape, 7, np.uint8))
    assert (read_by_driver(device.pointer, device.nbytes) == 7).all()
    try:
        np.asarray(device)
    except TypeError as error:
        assert "copy_to_host" in str(error)
    else:
        raise AssertionError("memory of the GPU is no array of numpy")


def test_memory_of_the_host_is_refused():
    sight = rw.Predictor(gpu_scene(), layer="los", res=5)
    host = np.empty((3, *sight.shape), np.uint8)

    class Wrong:
        __cuda_array_interface__ = {"shape": host.shape, "typestr": "|u1", "data": (host.ctypes.data, False), "version": 3}

    try:
        sight(PLACES, Wrong())
    except rw.BadCallError as error:
        assert "memory of the GPU" in str(error)
    else:
        raise AssertionError("memory of the host was taken for the GPU's")


def test_torch():
    torch = need("torch")
    sight = rw.Predictor(gpu_scene(), layer="los", res=5)
    device = sight(PLACES, where="device")
    right = device.copy_to_host()
    tensor = torch.from_dlpack(device)
    assert tensor.is_cuda and tensor.data_ptr() == device.pointer and tuple(tensor.shape) == device.shape
    del device
    gc.collect()
    np.testing.assert_array_equal(tensor.cpu().numpy(), right)
    out = torch.zeros((3, *sight.shape), dtype=torch.uint8, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):  # work on another stream that the call has to wait for
        for _ in range(50):
            out.add_(1)
    assert sight(PLACES, out) is out
    np.testing.assert_array_equal(out.cpu().numpy(), right)
    loss = rw.Predictor(sight.scene, res=5)
    values = torch.from_dlpack(loss(PLACES, where="device"))
    np.testing.assert_array_equal(values.cpu().numpy(), loss(PLACES))
    assert torch.isfinite(values).any()


def test_memory_lives_with_streams_of_torch():
    """An array that goes while torch still reads it: the memory is not handed to the next one before."""
    torch = need("torch")
    context = gpu_scene().context
    ones = np.ones(1 << 24, np.float32)
    for _ in range(5):
        array = rw.DeviceArray.from_numpy(ones, context)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            tensor = torch.from_dlpack(array)
            total = sum((tensor.sum() for _ in range(20)), torch.zeros((), device="cuda"))
        del tensor, array
        rw.DeviceArray.from_numpy(np.zeros(1 << 24, np.float32), context)
        stream.synchronize()
        assert float(total) == 20.0 * (1 << 24)


def test_cupy():
    cupy = need("cupy")
    sight = rw.Predictor(gpu_scene(), layer="los", res=5)
    device = sight(PLACES, where="device")
    array = cupy.asarray(device)
    assert array.data.ptr == device.pointer and int((array == 1).sum()) == int((device.copy_to_host() == 1).sum())
    assert cupy.from_dlpack(device).data.ptr == device.pointer
    out = cupy.zeros((3, *sight.shape), cupy.uint8)
    sight(PLACES, out)
    np.testing.assert_array_equal(out.get(), device.copy_to_host())


def test_jax():
    jax = need("jax")
    sight = rw.Predictor(gpu_scene(), layer="path_loss", res=5)
    device = sight(PLACES, where="device")
    try:
        array = jax.dlpack.from_dlpack(device)
    except Exception as error:  # a jax without its CUDA plugin
        skip(f"jax does not take memory of the GPU: {error}")
    np.testing.assert_array_equal(np.asarray(array), device.copy_to_host())


def test_arrays_leave_no_memory_behind():
    torch = need("torch")
    context = gpu_scene().context
    free = []
    for turn in range(60):
        array = rw.DeviceArray(1 << 26, np.uint8, context)
        array.__dlpack__()
        torch.from_dlpack(array).sum()
        del array
        free.append(torch.cuda.mem_get_info()[0])
    assert free[9] - free[-1] < 1 << 28, (free[9], free[-1])


def main():
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            print("ok     ", name, flush=True)
        except Skipped as reason:
            print("skipped", name, reason, flush=True)
        except Exception as error:  # the others go on
            failed += 1
            print("FAILED ", name, type(error).__name__, error, flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
