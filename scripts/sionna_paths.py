#!/usr/bin/env python3
"""Prints the table of paths of docs/explanation/sionna.md: every specular path of Sionna RT on its example scenes, and those of
rasterwave.rt, path by path.

Two paths are the same if their interactions and delays (1 ps) agree; then levels are compared. A path of theirs that is missing here is
printed. Receivers are random places in the open within reach of the transmitter. Needs sionna-rt 2.2.0 (scripts/sionna.sh makes
such an environment). Leaves status 1 if a path of theirs above -150 dB is missing.

Usage: sionna_paths.py [SCENE ...]; without names, all of them
"""

import sys

import numpy as np
import sionna.rt as theirs
from rasterwave import rt

SCENES = {  # transmitter, reach in m, height of receivers, depth
    "box": ([1.1, 0.7, 2.0], 3.0, 1.5, 3),
    "double_reflector": ([-0.3, 0.1, 1.2], 1.5, 0.8, 3),
    "etoile": ([-160.0, 70.0, 30.0], 150.0, 1.5, 3),
    "florence": ([20.0, 10.0, 45.0], 150.0, 1.5, 3),
    "floor_wall": ([-1.3, 0.4, 1.5], 2.0, 1.0, 3),
    "munich": ([8.5, 21.0, 27.0], 200.0, 1.5, 3),
    "san_francisco": ([0.0, 0.0, 120.0], 200.0, 40.0, 2),
    "simple_reflector": ([-0.21, 0.13, 1.0], 0.6, 2.0, 3),
    "simple_street_canyon": ([-32.7, 1.2, 5.0], 40.0, 2.0, 3),
    "simple_street_canyon_with_cars": ([-32.7, 1.2, 5.0], 40.0, 2.0, 3),
    "triple_reflector": ([-0.3, 0.1, 1.2], 1.5, 0.8, 3),
}
RECEIVERS = 12


def receivers_of(name):
    where, reach, height, _ = SCENES[name]
    turns = np.random.default_rng(5).uniform(-reach, reach, (RECEIVERS, 2))
    return [[float(where[0] + x), float(where[1] + y), height] for x, y in turns]


def solve(module, name):
    """Of each receiver the paths as (interactions, delay in s, level in dB, vertices)."""
    scene = module.load_scene(getattr(rt.scene, name))
    scene.tx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.rx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="cross")
    scene.add(module.Transmitter("tx", SCENES[name][0]))
    for number, place in enumerate(receivers_of(name)):
        scene.add(module.Receiver(f"rx{number}", place))
    paths = module.PathSolver()(scene, max_depth=SCENES[name][3])
    valid, tau, kinds = np.array(paths.valid), np.array(paths.tau, dtype=float), np.array(paths.interactions)
    vertices = np.array(paths.vertices)
    power = np.sum(np.abs(np.array(paths.a[0]) + 1j * np.array(paths.a[1])) ** 2, axis=1)[:, 0, 0]
    found = []
    for number in range(RECEIVERS):
        own = np.nonzero(valid[number, 0])[0]
        found.append(
            [
                (
                    tuple(int(kind) for kind in kinds[:, number, 0, path] if kind),
                    tau[number, 0, path],
                    10 * np.log10(max(power[number, path], 1e-40)),
                    vertices[:, number, 0, path],
                )
                for path in own
            ]
        )
    return found


def once(paths):
    """Without paths that are listed twice: the same interactions within 1 mm."""
    kept = []
    for path in paths:
        if not any(path[0] == other[0] and np.abs(path[3] - other[3]).max() < 1e-3 for other in kept):
            kept.append(path)
    return kept


def compare(name):
    ours, same, missing, levels = solve(rt, name), 0, [], []
    listed = solve(theirs, name)
    others = [once(paths) for paths in listed]
    for number, (own, other) in enumerate(zip(ours, others)):
        left = list(own)
        for kinds, tau, level, _ in other:
            fits = [each for each in left if each[0] == kinds and abs(each[1] - tau) < 1e-12 * max(1, tau * 1e7)]
            if fits:
                best = min(fits, key=lambda each: abs(each[2] - level))  # twins over one edge have one delay
                left.remove(best)
                same += 1
                levels += [abs(best[2] - level)] if level > -150 else []
            else:
                missing.append((number, kinds, tau, level))
    total, found, twice = (sum(map(len, each)) for each in (others, ours, listed))
    level = f"{np.median(levels):.4f} / {np.max(levels):.3f} dB" if levels else ""
    print(f"| `{name}` | {SCENES[name][3]} | {total} | {twice - total} | {same} | {total - same} | {found - same} | {level} |", flush=True)
    for number, kinds, tau, each in missing:
        print(f"  missing at receiver {number}: {kinds}, {tau * 1e9:.3f} ns, {each:.1f} dB", file=sys.stderr)
    return sum(each[3] > -150 for each in missing)


def main():
    print("| scene | depth | theirs | twice there | the same here | missing here | more here | level: median / largest |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    return 1 if sum(compare(name) for name in sys.argv[1:] or SCENES) else 0


sys.exit(main())
