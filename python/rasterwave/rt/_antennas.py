"""Antenna patterns, polarisations and arrays after 3GPP TR 38.901.

A pattern gives the amplitude of a vertically polarised antenna over its own sphere; a polarisation is one slant angle or
two; a polarisation model turns amplitude and slant into components along theta and phi.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence, cast

import numpy as np

from .._library import BadCallError
from ._utils import Array, Tensor, phi_hat, refuse, rotation_matrix, tensor, theta_hat, theta_phi_from_unit_vec

Amplitude = Callable[[Array, Array], Any]
Components = Callable[[Array, Array], "tuple[Any, Any]"]


def _isotropic(theta: Array, phi: Array) -> Array:
    return np.ones(np.broadcast(theta, phi).shape)


def _short_dipole(theta: Array, phi: Array) -> Array:
    """Balanis, Antenna Theory, eq. (4-26a); gain 1.5."""
    return np.sqrt(1.5) * np.abs(np.sin(theta)) + 0 * phi


def _half_wave_dipole(theta: Array, phi: Array) -> Array:
    """Balanis, Antenna Theory, eq. (4-84); gain 1.643."""
    sine = np.sin(theta)
    along = np.abs(sine) < 1e-5
    return np.where(along, 0.0, np.sqrt(1.643) * np.abs(np.cos(np.pi / 2 * np.cos(theta)) / np.where(along, 1, sine))) + 0 * phi


def _tr38901(theta: Array, phi: Array) -> Array:
    """3GPP TR 38.901, table 7.3-1: 65 degrees, 30 dB, 8 dBi."""
    width = np.radians(65)
    phi = (phi + np.pi) % (2 * np.pi) - np.pi
    down = np.minimum(12 * ((theta - np.pi / 2) / width) ** 2, 30.0) + np.minimum(12 * (phi / width) ** 2, 30.0)
    return 10 ** ((8.0 - np.minimum(down, 30.0)) / 20)


def _model_1(amplitude: Any, theta: Array, phi: Array, slant: float) -> tuple[Any, Any]:
    """TR 38.901, eq. (7.3-3): the antenna is turned about its boresight."""
    cosine = np.cos(slant) * np.sin(theta) + np.sin(slant) * np.sin(phi) * np.cos(theta)
    sine = np.sin(slant) * np.cos(phi)
    length = np.sqrt(np.maximum(0, 1 - (np.cos(slant) * np.cos(theta) - np.sin(slant) * np.sin(phi) * np.sin(theta)) ** 2))
    length = np.where(length < 1e-5, 1.0, length)
    return cosine / length * amplitude, sine / length * amplitude


def _model_2(amplitude: Any, theta: Array, phi: Array, slant: float) -> tuple[Any, Any]:
    """TR 38.901, eq. (7.3-4) and (7.3-5): the same slant everywhere."""
    return np.cos(slant) * amplitude, np.sin(slant) * amplitude


_PATTERNS: dict[str, Amplitude] = {
    "iso": _isotropic,
    "dipole": _short_dipole,
    "hw_dipole": _half_wave_dipole,
    "tr38901": _tr38901,
}
_FACTORIES: dict[str, Callable[..., "AntennaPattern"]] = {}
_POLARIZATIONS: dict[str, list[float]] = {
    "V": [0.0],
    "H": [np.pi / 2],
    "VH": [0.0, np.pi / 2],
    "cross": [-np.pi / 4, np.pi / 4],
}
_MODELS: dict[str, Callable[..., Any]] = {"tr38901_1": _model_1, "tr38901_2": _model_2}


def register_polarization(name: str, slant_angles: Sequence[float]) -> None:
    """A polarisation of one slant angle in rad, or two for dual-polarised antennas."""
    if len(slant_angles) not in (1, 2):
        raise BadCallError(f"polarization {name!r}: one slant angle or two are needed, not {len(slant_angles)}")
    _POLARIZATIONS[name] = [float(angle) for angle in slant_angles]


def register_polarization_model(name: str, model: Callable[..., Any]) -> None:
    """model(amplitude, theta, phi, slant) gives the components along theta and phi."""
    _MODELS[name] = model


def register_antenna_pattern(name: str, pattern_factory: Callable[..., "AntennaPattern"]) -> None:
    """pattern_factory(**keywords of PlanarArray) gives an AntennaPattern."""
    _FACTORIES[name] = pattern_factory


def _among(name: str, known: Any, what: str) -> Any:
    if name not in known:
        refuse(f"{what} {name!r}; it has {', '.join(known)}")
    return known[name]


class AntennaPattern:
    """patterns: for each polarisation a function of theta and phi that gives the components along both."""

    def __init__(self, patterns: Sequence[Components] = ()) -> None:
        self.patterns = list(patterns)

    def __getitem__(self, index: int) -> Components:
        return self.patterns[index]

    def compute_gain(self, polarization_direction: int = 0, num_samples: int = 1000, verbose: bool = True) -> tuple[float, float, float]:
        """Directivity, gain and efficiency, linear."""
        theta = np.linspace(0, np.pi, num_samples, endpoint=False)[:, None]
        phi = np.linspace(-np.pi, np.pi, 2 * num_samples, endpoint=False)[None, :]
        along, across = self[polarization_direction](theta + 0 * phi, phi + 0 * theta)
        power = np.abs(along) ** 2 + np.abs(across) ** 2
        gain = float(power.max())
        efficiency = float(np.mean(power * np.sin(theta)) * np.pi / 2)
        if verbose:
            print(f"Directivity [dB]: {10 * np.log10(gain / efficiency):.3}")
            print(f"Gain [dB]: {10 * np.log10(gain):.3}")
            print(f"Efficiency [%]: {100 * efficiency:.3}")
        return gain / efficiency, gain, efficiency

    def show(self, polarization_direction: int = 0) -> None:
        refuse("AntennaPattern.show: draw its patterns, functions of theta and phi")


class PolarizedAntennaPattern(AntennaPattern):
    """A vertically polarised pattern with each slant of a polarisation."""

    def __init__(self, *, v_pattern: Amplitude, polarization: str, polarization_model: str = "tr38901_2") -> None:
        slants = _among(polarization, _POLARIZATIONS, "polarization")
        model = _among(polarization_model, _MODELS, "polarization model")
        self.polarization_model, self.slants = polarization_model, list(slants)

        def slanted(slant: float) -> Components:
            return cast(Components, lambda theta, phi: model(v_pattern(theta, phi), theta, phi, slant))

        super().__init__([slanted(slant) for slant in slants])


def _pattern(name: str, keywords: dict[str, Any]) -> AntennaPattern:
    if name in _FACTORIES:
        return _FACTORIES[name](**keywords)
    amplitude = _among(name, {**_PATTERNS, **_FACTORIES}, "antenna pattern")
    return PolarizedAntennaPattern(v_pattern=amplitude, **{"polarization": "V", **keywords})


class AntennaArray:
    """Antennas of one pattern at places in wavelengths relative to their device [antenna, 3]."""

    def __init__(self, antenna_pattern: AntennaPattern, normalized_positions: Any) -> None:
        self.antenna_pattern = antenna_pattern
        places = np.asarray(normalized_positions, dtype=float)
        self.normalized_positions = tensor(places if places.ndim == 2 and places.shape[1] == 3 else places.T)
        self.pattern = ""

    @property
    def array_size(self) -> int:
        """Number of places; the two polarisations of an antenna share one."""
        return len(self.normalized_positions)

    @property
    def num_ant(self) -> int:
        """Number of antennas, dual-polarised ones counted twice: all of the first polarisation, then all of the second."""
        return self.array_size * len(self.antenna_pattern.patterns)

    def positions(self, wavelength: float, expand_patterns: bool = False) -> Tensor:
        """Places in metres."""
        repeat = len(self.antenna_pattern.patterns) if expand_patterns else 1
        return tensor(np.tile(self.normalized_positions, (repeat, 1)) * wavelength)

    def rotate(self, wavelength: float, orientation: Any) -> Tensor:
        """Places in metres, turned with the device."""
        return tensor(np.asarray(self.positions(wavelength)) @ np.asarray(rotation_matrix(orientation)).T)

    def fields(self, directions: Array, orientation: Any) -> Array:
        """Components along theta and phi of the scene towards unit vectors [..., 3]: complex [..., pattern, 2]."""
        turn = np.asarray(rotation_matrix(orientation))
        theta, phi = theta_phi_from_unit_vec(directions)
        own_theta, own_phi = theta_phi_from_unit_vec(directions @ turn)
        # What the scene's theta and phi are in the antenna's frame: both pairs lie across the same direction.
        along = np.asarray(theta_hat(own_theta, own_phi)) @ turn.T
        across = np.asarray(phi_hat(own_phi)) @ turn.T
        basis = np.asarray(theta_hat(theta, phi)), np.asarray(phi_hat(phi))
        found = np.empty((*np.shape(theta), len(self.antenna_pattern.patterns), 2), complex)
        for number, pattern in enumerate(self.antenna_pattern.patterns):
            c_theta, c_phi = pattern(np.asarray(own_theta), np.asarray(own_phi))
            for component, unit in enumerate(basis):
                found[..., number, component] = c_theta * np.sum(along * unit, axis=-1) + c_phi * np.sum(across * unit, axis=-1)
        return found


class PlanarArray(AntennaArray):
    """Antennas in rows and columns, spacings in wavelengths.

    pattern: iso, dipole, hw_dipole or tr38901; polarization: V, H, VH or cross; polarization_model: tr38901_1 or
    tr38901_2; or what has been registered.
    """

    def __init__(
        self,
        *,
        num_rows: int,
        num_cols: int,
        vertical_spacing: float = 0.5,
        horizontal_spacing: float = 0.5,
        pattern: str = "iso",
        **keywords: Any,
    ) -> None:
        if num_rows < 1 or num_cols < 1:
            raise BadCallError(f"an array of {num_rows} x {num_cols} antennas: at least one row and one column")
        columns, rows = np.meshgrid(np.arange(num_cols), np.arange(num_rows), indexing="ij")
        # Column after column, each from its top, centred on the device.
        places = np.stack(
            [
                np.zeros(num_rows * num_cols),
                (columns.ravel() - (num_cols - 1) / 2) * horizontal_spacing,
                ((num_rows - 1) / 2 - rows.ravel()) * vertical_spacing,
            ],
            axis=1,
        )
        super().__init__(_pattern(pattern, keywords), places)
        self.pattern = pattern

    def show(self) -> Any:
        """A figure of matplotlib with the places of the antennas."""
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots()
        axes.plot(self.normalized_positions[:, 1], self.normalized_positions[:, 2], "+", markersize=10)
        for number, place in enumerate(self.normalized_positions):
            axes.annotate(str(number + 1), (place[1], place[2]))
        axes.set_xlabel("y (wavelengths)")
        axes.set_ylabel("z (wavelengths)")
        return figure
