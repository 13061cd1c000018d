#!/usr/bin/env python3
"""Times the package beside the C calls that it makes: what a call costs over C, and maps a second of many transmitters.

Usage: bench_many.py [SCENE] [--backend auto|cpu|cuda] [--models shadow,beams,...] [--quick]

Without SCENE: Munich in the folder of RASTERWAVE_DATA, as the program rasterwave-bench has it, or a generated city.
"""

import argparse
import ctypes as C
import os
import pathlib
import statistics
import time

import numpy as np

import rasterwave as rw
from rasterwave import _abi
from rasterwave._device import place_of
from rasterwave._library import lib
from rasterwave._models import Prediction

RES_M = 5


def find_scene(given, context):
    munich = pathlib.Path(os.environ.get("RASTERWAVE_DATA", "/nowhere")) / "munich" / "Munich_buildings.res"
    if given or munich.exists():
        return rw.Scene.load(given or munich, context=context, terrain="flat"), given or "Munich"
    return rw.Scene.city(800, 800, context=context), "generated city"


def street_places(scene, count):
    """Places in streets, 5 to 15 m high: cells that have a receiver."""
    sight, random = rw.Predictor(scene, layer="los", res=RES_M), np.random.default_rng(1)
    box = scene.info
    middle = np.array([[(box.x_min_m + box.x_max_m) / 2, (box.y_min_m + box.y_max_m) / 2, 500.0]])
    rows, columns = np.nonzero(sight(middle)[0] != 255)
    chosen = random.integers(0, len(rows), count)
    return np.stack([sight.x_m[columns[chosen]], sight.y_m[rows[chosen]], random.uniform(5, 15, count)], axis=1)


def call_seconds(work):
    """Lower quartile of many short runs, which other programs disturb less."""
    times = []
    for _ in range(1000):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.quantiles(times, n=4)[0]


def tell(name, value, unit, note=""):
    print(f"{name:58s} {value:12.4g} {unit:8s} {note}", flush=True)


def bench_calls(context):
    """A small map, so that the call itself is what is timed."""
    scene = rw.Scene.city(100, 100, context=context)
    mast, given = rw.Transmitter(50, 50, 80), {"res": 20, "layers": "los"}
    asked = Prediction(context, mast, "shadow", given)

    def bare_predict():
        handle = C.c_void_p()
        lib.rw_predict(scene._handle, C.byref(asked.struct), C.byref(handle))
        lib.rw_map_destroy(handle)

    bare = call_seconds(bare_predict)
    whole = call_seconds(lambda: rw.predict(scene, mast, **given)["los"])
    tell("predict and a layer, over C", 1e6 * (whole - bare), "us", f"C alone {1e6 * bare:.1f} us; limit 50 us")
    predictor = rw.Predictor(scene, layer="los", res=20)
    sites, out = rw.Transmitters(1, mast), predictor.empty(1)
    array = _abi.rw_map_array.from_buffer_copy(predictor._array)
    array.values, array.bytes, array.type = out.ctypes.data, out.nbytes, predictor._type
    options = _abi.rw_predict_options.from_buffer_copy(predictor._asked.struct)
    options.transmitters, options.transmitter_count = sites._struct, 1
    bare = call_seconds(lambda: lib.rw_predict_many(scene._handle, C.byref(options), C.byref(array)))
    whole = call_seconds(lambda: predictor(sites, out))
    tell("an open Predictor, over C", 1e6 * (whole - bare), "us", f"C alone {1e6 * bare:.1f} us; limit 50 us")
    places = np.array([[50.0, 50.0, 80.0]])
    whole = call_seconds(lambda: predictor(places))
    tell("an open Predictor with an array of places, over C", 1e6 * (whole - bare), "us", "limit 50 us")
    whole = call_seconds(lambda: rw.predict_many(scene, places, layer="los", res=20))
    tell("predict_many with options, over C", 1e6 * (whole - bare), "us", "limit 50 us")


class Bare:
    """The call of C that an open Predictor makes, for the same transmitters and array."""

    def __init__(self, predictor, places, out):
        self.scene, self.sites, self.out = predictor.scene, rw.Transmitters(places), out
        self.array = _abi.rw_map_array.from_buffer_copy(predictor._array)
        self.array.values, self.array.memory = place_of(out, out.shape, predictor.dtype, self.scene.context)
        self.array.bytes, self.array.type = out.nbytes, predictor._type
        self.options = _abi.rw_predict_options.from_buffer_copy(predictor._asked.struct)
        self.options.transmitters, self.options.transmitter_count = self.sites._struct, len(places)

    def __call__(self):
        self.scene.context.check(lib.rw_predict_many(self.scene._handle, C.byref(self.options), C.byref(self.array)))


def beside_c(predictor, places, out, repeats):
    """Seconds of a call from Python and of the bare call of C, taken in turn."""
    bare = Bare(predictor, places, out)
    work = (lambda: predictor(places, out), bare)
    times = ([], [])
    for turn in range(repeats + 1):
        for call, taken in zip(work, times):
            start = time.perf_counter()
            call()
            if turn:
                taken.append(time.perf_counter() - start)
    return tuple(statistics.median(taken) for taken in times)


def bench_sight(scene, place, repeats):
    gpu = scene.context.backend == "cuda"
    for count in (512, 4096) if gpu else (64,):
        places = street_places(scene, count)
        sight = rw.Predictor(scene, layer="los", res=RES_M)
        out = sight.empty(count, "device")
        took, bare = beside_c(sight, places, out, repeats)
        limit = "target 1e5 maps/s" if gpu else ""
        rows, columns = sight.shape
        note = f"{place}, {rows} x {columns}; C alone {count / bare:.4g}, {100 * (took / bare - 1):+.1f} %; {limit}"
        tell(f"line of sight, {count} maps in a call, {scene.context.backend}", count / took, "maps/s", note)


# Models that a city of Munich's size takes too long with have a small one, and fewer interactions.
SMALL = {"images": {"depth": 2}, "sbr": {"rays": 2000, "reflections": 1}, "rt": {"reflections": 1}, "tiles": {}, "cubes": {}}


def bench_models(scene, place, models, repeats):
    """Many maps in one call from Python beside the same call of C, for every model."""
    small = rw.Scene.city(200, 200, context=scene.context)
    for model in models:
        where, name = (small, "200 m city") if model in SMALL else (scene, place)
        count = {"shadow": 64, "beams": 16}.get(model, 4) if where.context.backend == "cuda" else 2
        known = rw.model_options(model)
        given = {key: value for key, value in SMALL.get(model, {}).items() if key in known}
        many = rw.Predictor(where, model, res=RES_M, **given)
        places = street_places(where, count)
        out = many.empty(count, "device")
        took, bare = beside_c(many, places, out, repeats)
        note = f"{name}, {count} in a call; C alone {1e3 * bare / count:.4g} ms, {100 * (took / bare - 1):+.1f} %; limit 10 %"
        tell(f"{model}: path loss, {where.context.backend}", 1e3 * took / count, "ms/map", note)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="?")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--models", default=",".join(rw.models()))
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    context = rw.Context(backend=asked.backend)
    print(rw.version(), "|", context.machine)
    bench_calls(context)
    scene, place = find_scene(asked.scene, context)
    bench_sight(scene, place, 3 if asked.quick else 15)
    bench_models(scene, place, [] if asked.quick else asked.models.split(","), 5)


if __name__ == "__main__":
    main()
