"""Scattering patterns after Degli-Esposti et al., "Measurement and modelling of scattering from buildings", 2007.

A pattern is the scattered power per solid angle for directions of propagation in, k_i, and out, k_o, [..., 3], over a surface
whose normal is z; its integral over the upper hemisphere is 1. Solvers with diffuse_reflection use those of the materials.
"""

from __future__ import annotations

from math import comb
from typing import Any, Callable

import numpy as np

from .._library import BadCallError
from ._utils import Array, Tensor, r_hat, tensor


def _directions(values: Any) -> Array:
    """[..., 3] from a list, or from arrays (3, n) as Mitsuba's vectors become."""
    found = np.asarray(values, dtype=float)
    return found.T if found.ndim == 2 and found.shape[0] == 3 and found.shape[1] != 3 else found


class ScatteringPattern:
    """What all patterns have: pattern(k_i, k_o), and a drawing."""

    def __call__(self, ki_local: Any, ko_local: Any) -> Tensor:
        raise NotImplementedError("a scattering pattern has a method __call__(ki_local, ko_local)")

    def show(self, k_i_local: Any = (0.7071, 0.0, -0.7071), show_directions: bool = False) -> tuple[Any, Any]:
        """Two figures of matplotlib: the pattern in space, and its cut by the plane of incidence."""
        import matplotlib.pyplot as plt

        theta, phi = np.meshgrid(np.linspace(0, np.pi / 2, 50), np.linspace(-np.pi, np.pi, 101), indexing="ij")
        values = np.asarray(self(k_i_local, np.asarray(r_hat(theta, phi))))
        space, cut = plt.figure(), plt.figure()
        axes: Any = space.add_subplot(projection="3d")
        x, y, z = np.moveaxis(values[..., None] * np.asarray(r_hat(theta, phi)), -1, 0)
        axes.plot_surface(x, y, z, facecolors=plt.get_cmap("turbo")(values / max(values.max(), 1e-30)), linewidth=0)
        flat = cut.add_subplot()
        tilt = np.linspace(-np.pi / 2, np.pi / 2, 361)
        to = np.stack([np.sin(tilt), 0 * tilt, np.cos(tilt)], axis=-1)
        level = np.asarray(self(k_i_local, to))
        flat.plot(level * to[:, 0], level * to[:, 2])
        flat.set_aspect("equal")
        if show_directions:
            back = -_directions(k_i_local).reshape(3) * level.max()
            for end in (back, back * [-1, -1, 1]):
                flat.plot([0, end[0]], [0, end[2]], "k--")
        return space, cut


class LambertianPattern(ScatteringPattern):
    """Power as the cosine from the normal."""

    def __call__(self, ki_local: Any, ko_local: Any) -> Tensor:
        return tensor(np.abs(_directions(ko_local)[..., 2]) / np.pi)


class BackscatteringPattern(ScatteringPattern):
    """Two lobes: a fraction lambda_ about the specular direction with the exponent alpha_r, the rest about the direction back
    with alpha_i; exponents are positive integers."""

    def __init__(self, alpha_r: int = 1, alpha_i: int = 1, lambda_: float = 1.0) -> None:
        self.alpha_r, self.alpha_i, self.lambda_ = alpha_r, alpha_i, lambda_

    @property
    def alpha_r(self) -> int:
        """Exponent of the lobe about the specular direction."""
        return self._alpha_r

    @alpha_r.setter
    def alpha_r(self, value: Any) -> None:
        self._alpha_r = _exponent(value)

    @property
    def alpha_i(self) -> int:
        """Exponent of the lobe back."""
        return self._alpha_i

    @alpha_i.setter
    def alpha_i(self, value: Any) -> None:
        self._alpha_i = _exponent(value)

    @property
    def lambda_(self) -> float:
        """Fraction of the power about the specular direction."""
        return self._lambda

    @lambda_.setter
    def lambda_(self, value: Any) -> None:
        if not 0 <= float(value) <= 1:
            raise BadCallError(f"lambda_ of {value!r}: a number from 0 to 1")
        self._lambda = float(value)

    def __call__(self, ki_local: Any, ko_local: Any) -> Tensor:
        k_i, k_o = _directions(ki_local), _directions(ko_local)
        specular = np.sum(k_i * [1, 1, -1] * k_o, axis=-1)
        back = -np.sum(k_i * k_o, axis=-1)
        cosine = np.abs(k_i[..., 2])
        lobes = self.lambda_ * (0.5 * (1 + specular)) ** self.alpha_r
        lobes = lobes + (1 - self.lambda_) * (0.5 * (1 + back)) ** self.alpha_i
        norm = self.lambda_ * _lobe_integral(self.alpha_r, cosine) + (1 - self.lambda_) * _lobe_integral(self.alpha_i, cosine)
        return tensor(lobes / norm)


class DirectivePattern(BackscatteringPattern):
    """One lobe about the specular direction, with the exponent alpha_r."""

    def __init__(self, alpha_r: int = 1) -> None:
        super().__init__(alpha_r=alpha_r)


def _exponent(value: Any) -> int:
    if isinstance(value, bool) or value != int(value) or value < 1:
        raise BadCallError(f"an exponent of {value!r}: an integer from 1")
    return int(value)


def _lobe_integral(alpha: int, cosine: Array) -> Array:
    """Integral of ((1 + cos psi) / 2)^alpha over the hemisphere, psi from a direction whose cosine from the normal is given:
    the paper's eq. (A-3) to (A-5)."""
    sine2 = 1 - cosine**2
    total, within = np.zeros_like(cosine), np.zeros_like(cosine)
    for j in range(alpha + 1):
        if j % 2:
            n = (j - 1) // 2
            within = within + comb(2 * n, n) * sine2**n / 4.0**n
            term = 2 * np.pi / (j + 1) * cosine * within
        else:
            term = np.full_like(cosine, 2 * np.pi / (j + 1))
        total = total + comb(alpha, j) * term
    return total / 2.0**alpha


_PATTERNS: dict[str, Callable[..., ScatteringPattern]] = {
    "lambertian": LambertianPattern,
    "directive": DirectivePattern,
    "backscattering": BackscatteringPattern,
}


def register_scattering_pattern(name: str, pattern_factory: Callable[..., ScatteringPattern]) -> None:
    """pattern_factory() gives the pattern of materials that name it."""
    _PATTERNS[name] = pattern_factory


def pattern_of(given: Any) -> Any:
    """A pattern, from itself or its name."""
    if not isinstance(given, str):
        return given
    if given not in _PATTERNS:
        raise BadCallError(f"scattering pattern {given!r}: there are {', '.join(_PATTERNS)}")
    return _PATTERNS[given]()
