#!/usr/bin/env python3
"""Makes the figure and the numbers of diffraction in docs/explanation/sionna.md: both against the exact wedge.

Needs sionna-rt 2.2.0 and matplotlib beside rasterwave (scripts/sionna.sh makes such an environment).

Usage: sionna_page.py FIGURE.png
"""

import sys

import numpy as np
import sionna.rt as theirs
from rasterwave import rt

NEAR_M, FAR_M, FREQ_HZ, SOURCE_DEG = 10.0, 8.0, 1e9, 50.0


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
