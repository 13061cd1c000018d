#!/usr/bin/env python3
"""Prints the table of CPU times of docs/explanation/sionna.md: radio maps and paths of rasterwave.rt and of Sionna RT, in one run.

Needs sionna-rt 2.2.0 as well as rasterwave (scripts/sionna.sh makes such an environment). CPU seconds of all threads, user and system.
Sionna RT: the second call, so that its kernels are compiled. rasterwave: the first call of a transmitter's position, and a repeated call
with another orientation of the transmitter (maps) or with other receivers (paths).

Usage: sionna_times.py [ROW ...]; without numbers of rows, all of them
"""

import os
import resource
import sys

import numpy as np
import sionna.rt as theirs
from rasterwave import rt

PLACES = {"munich": [8.5, 21.0, 27.0], "etoile": [-160.0, 70.0, 30.0]}
ROWS = [
    ("map", "munich", 5, 3, 1),
    ("map", "munich", 5, 5, 1),
    ("map", "munich", 1, 5, 1),
    ("map", "etoile", 1, 3, 1),
    ("map", "etoile", 1, 5, 1),
    ("map", "munich", 5, 3, 4),
    ("paths", "munich", 1, 3, 1),
    ("paths", "munich", 1, 5, 1),
    ("paths", "munich", 100, 3, 1),
    ("paths", "munich", 100, 5, 1),
]


def cpu_s():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def scene_of(module, name, side):
    scene = module.load_scene(getattr(rt.scene, name))
    scene.tx_array = module.PlanarArray(num_rows=side, num_cols=side, pattern="iso", polarization="V")
    scene.rx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.add(module.Transmitter("tx", PLACES[name]))
    return scene


def points_of(count, turn):
    """In the open, the first in the north of the square; each turn has others."""
    places = np.random.default_rng(7).uniform(-200, 200, (count, 2)) if count > 1 else np.array([[44.3, 90.1]])
    return np.concatenate([places + 0.7 * turn, np.full((count, 1), 1.5)], axis=1)


def maps(module, scene, cell_m, depth, samples):
    def call(turn):
        scene.get("tx").orientation = [0.1 * turn, 0, 0]
        where = dict(center=[0, 0, 1.5], orientation=[0, 0, 0], size=[1000, 1000], cell_size=[cell_m, cell_m])
        gain = np.array(module.RadioMapSolver()(scene, max_depth=depth, samples_per_tx=samples, **where).path_gain)
        return f"{100 * np.mean(gain > 0):.1f} %"

    return call


def paths(module, scene, count, depth, _):
    def call(turn):
        for number, point in enumerate(points_of(count, turn)):
            if turn:
                scene.remove(f"rx{number}")
            scene.add(module.Receiver(f"rx{number}", [float(each) for each in point]))
        return f"{int(np.array(module.PathSolver()(scene, max_depth=depth).valid).sum())}"

    return call


def timed(call, turn):
    begin = cpu_s()
    found = call(turn)
    return cpu_s() - begin, found


def main():
    chosen = [int(each) for each in sys.argv[1:]] or range(len(ROWS))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| | Sionna RT, 10⁶ samples | 10⁷ samples | found | rasterwave, first call | repeated call | found |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in chosen:
        kind, name, size, depth, side = ROWS[row]
        make = maps if kind == "map" else paths
        cells = []
        for samples in (10**6, 10**7) if kind == "map" else (10**6,):
            call = make(theirs, scene_of(theirs, name, side), size, depth, samples)
            timed(call, 0)
            cells.append(timed(call, 1))
        call = make(rt, scene_of(rt, name, side), size, depth, 10**6)
        first, _ = timed(call, 0)
        again, found = timed(call, 1)
        what = f"{size} m" if kind == "map" else f"{size} receiver" + "s" * (size > 1)
        title = f"{kind} of {name}, {what}, depth {depth}" + (f", {side} x {side} antennas" if side > 1 else "")
        slow = f"{cells[1][0]:.1f} s" if len(cells) > 1 else ""
        reached = " / ".join(each[1] for each in cells)
        print(f"| {title} | {cells[0][0]:.2f} s | {slow} | {reached} | {first:.2f} s | {again:.2f} s | {found} |", flush=True)


main()
