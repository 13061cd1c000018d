#!/usr/bin/env python3
"""Makes the figure and the numbers of docs/explanation/sionna.md: times of both, and diffraction of both against the exact wedge.

Needs sionna-rt 2.2.0 and matplotlib beside rasterwave (scripts/sionna.sh makes such an environment).

Usage: sionna_page.py FIGURE.png
"""

import sys
import time

import numpy as np
import sionna.rt as theirs
from rasterwave import rt

PLACES = {
    "simple_street_canyon": ([-32.7, 1.2, 5.0], [20.4, 3.3, 2.0]),
    "etoile": ([-160.0, 70.0, 30.0], [-60.3, 150.1, 1.5]),
    "munich": ([8.5, 21.0, 27.0], [44.3, 90.1, 1.5]),
}
NEAR_M, FAR_M, FREQ_HZ, SOURCE_DEG = 10.0, 8.0, 1e9, 50.0


def timed(call, times=3):
    """The result, the first time and the least of those behind it, in s."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        found = call()
        taken.append(time.perf_counter() - begin)
    return found, taken[0], min(taken[1:])


def scene_of(module, name):
    scene = module.load_scene(getattr(rt.scene, name))
    scene.tx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.rx_array = scene.tx_array
    return scene


def path_times():
    for name, (tx, rx) in PLACES.items():
        for module in (theirs, rt):
            scene, load_s, _ = timed(lambda: scene_of(module, name), 2)
            scene.add(module.Transmitter("tx", tx))
            scene.add(module.Receiver("rx", rx))
            solver = module.PathSolver()

            def solve():
                samples = 10**6 if module is theirs else 1  # views of 1024 pixels find these paths
                paths = solver(scene, max_depth=3, refraction=False, samples_per_src=samples)
                return paths.a[0].numpy()

            a, first_s, next_s = timed(solve)
            print(f"{name:22s} {module.__name__:14s} load {load_s:.2f} s, {a.shape[-1]} paths, first {first_s:.2f} s, next {next_s:.3f} s")


def map_times():
    found = []
    for module, samples in ((theirs, 10**6), (theirs, 10**7), (rt, 1)):
        scene = scene_of(module, "munich")
        scene.add(module.Transmitter("tx", [8.5, 21.0, 27.0]))
        solver = module.RadioMapSolver()

        def solve():
            where = dict(center=[0, 0, 1.5], orientation=[0, 0, 0], size=[1000, 1000], cell_size=[5, 5])
            return solver(scene, max_depth=3, refraction=False, samples_per_tx=samples, **where).path_gain.numpy()

        gain, first_s, next_s = timed(solve, 2)
        found.append(gain)
        reached = found[-1] > 0
        print(f"map {module.__name__:14s} {samples:9d} samples: first {first_s:.2f} s, next {next_s:.2f} s, {reached.sum()} cells")
    for sampled in found[:2]:
        missed = (found[-1] > 0) & ~(sampled > 0)
        both = (found[-1] > 0) & (sampled > 0)
        error = 10 * np.log10(sampled[both] / found[-1][both])
        print(f"  missed {100 * missed.sum() / (found[-1] > 0).sum():.1f} %, difference {np.mean(error):.2f} +- {np.std(error):.2f} dB")


def exact_wedge(angles, hard):
    """Total field of a point source beside a conducting wedge of 90 degrees, per free space at 1 m, exact in every distance.

    Macdonald's integral for spherical waves; e.g. Bowman, Senior and Uslenghi (1987), section 6.5.2. angles from one face.
    """
    n, k, source = 1.5, 2 * np.pi * FREQ_HZ / 299792458.0, np.radians(SOURCE_DEG)
    near, far = NEAR_M, FAR_M

    def spherical(cosine):
        distance = np.sqrt(near**2 + far**2 - 2 * near * far * cosine)
        return np.exp(-1j * k * distance) / distance

    def diffracted(beta):
        y = np.linspace(0, 9, 2_000_001)  # dense towards 0, where the integrand turns fast near boundaries
        y = y**3 / 81
        wave = spherical(-np.cosh(y))
        kernel = sum(np.sin(turn / n) / (np.cosh(y / n) - np.cos(turn / n)) for turn in (np.pi + beta, np.pi - beta))
        return -np.trapezoid(wave * kernel, y) / (2 * np.pi * n)

    def optics(beta):
        total = 0
        for turn in (-1, 0, 1):
            total += spherical(np.cos(beta)) if abs(beta + 2 * np.pi * n * turn) < np.pi else 0
        return total

    sign = 1 if hard else -1
    return np.array([optics(phi - source) + diffracted(phi - source) + sign * (optics(phi + source) + diffracted(phi + source)) for phi in angles])


def place(radius, angle):
    """Angles from the face y = 0, x > 0 of their simple_wedge, round the outside to the face x = 0, y < 0."""
    return [float(radius * np.cos(angle)), float(radius * np.sin(angle)), 0.0]


def wedge(module, angles, polarization):
    scene = module.load_scene(rt.scene.simple_wedge, merge_shapes=False)
    scene.frequency = FREQ_HZ
    scene.get("wedge").radio_material = module.RadioMaterial("conductor", relative_permittivity=1.0, conductivity=1e7)
    scene.tx_array = module.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization=polarization)
    scene.rx_array = scene.tx_array
    scene.add(module.Transmitter("tx", place(NEAR_M, np.radians(SOURCE_DEG))))
    for number, angle in enumerate(angles):
        scene.add(module.Receiver(f"rx{number}", place(FAR_M, angle)))
    paths = module.PathSolver()(scene, max_depth=1, refraction=False, diffraction=True)
    a, _ = paths.cir(normalize_delays=False, out_type="numpy")
    kinds = np.asarray(paths.interactions.numpy())[0, :, 0]
    h = np.asarray(a)[:, 0, 0, 0, :, 0]
    found = (kinds == 8) & (np.asarray(paths.tau.numpy())[:, 0] > 0)
    return h.sum(axis=-1) * 4 * np.pi * FREQ_HZ / 299792458.0, found.any(axis=-1)


def wedges(figure):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    angles = np.radians(np.arange(1.03, 270, 1.0))
    shadow = angles > np.radians(180 + SOURCE_DEG)
    drawing, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    for ax, polarization, hard, title in zip(axes, "VH", (False, True), ("field along the edge", "field across the edge")):
        right = exact_wedge(angles, hard)
        ax.plot(np.degrees(angles), 20 * np.log10(np.abs(right) * NEAR_M), "k", lw=3, alpha=0.3, label="exact")
        for module, style in ((theirs, "C1:"), (rt, "C0-")):
            field, found = wedge(module, angles, polarization)
            with np.errstate(divide="ignore"):
                levels = 20 * np.log10(np.abs(field) * NEAR_M)
            name = "Sionna RT 2.2.0" if module is theirs else "rasterwave"
            ax.plot(np.degrees(angles), levels, style, lw=1.2, label=name)
            error = np.abs(levels - 20 * np.log10(np.abs(right) * NEAR_M))
            for part, where in (("lit", ~shadow), ("shadow", shadow)):
                reached = where & np.isfinite(error) & found
                worst = error[reached].max() if reached.any() else np.inf
                print(f"{polarization} {name:16s} {part:6s}: diffracted at {found[where].sum()} of {where.sum()}, median {np.median(error[reached]):.3f} dB, 90 % {np.quantile(error[reached], 0.9):.3f} dB, largest {worst:.2f} dB")
        ax.set_xlabel("angle from the lit face [deg]")
        ax.set_title(title)
        ax.set_ylim(-60, 10)
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("level [dB]")
    axes[1].legend()
    drawing.tight_layout()
    drawing.savefig(figure, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wedges(sys.argv[1])
    path_times()
    map_times()
