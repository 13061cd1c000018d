"""Arrays as Sionna RT's users expect them, complex pairs, angles and units."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .._library import BadCallError

SPEED_OF_LIGHT = 299792458.0
BOLTZMANN = 1.380649e-23
Array = Any  # of numpy, whose own types say no more here


class Tensor(np.ndarray[Any, Any]):
    """An array that also has numpy(), torch() and jax(), as Dr.Jit's tensors."""

    def numpy(self) -> Array:
        return np.asarray(self)

    def torch(self) -> Any:
        return importlib.import_module("torch").asarray(np.asarray(self))

    def jax(self) -> Any:
        return importlib.import_module("jax.numpy").asarray(np.asarray(self))


class Scalar(float):
    """A number that also is an array of one: numpy(), and [0], as those of Dr.Jit are."""

    def numpy(self) -> Array:
        return np.array([float(self)])

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]


class Vector(Tensor):
    """Three numbers that also are x, y and z."""

    @property
    def x(self) -> Scalar:
        return Scalar(self[0])

    @property
    def y(self) -> Scalar:
        return Scalar(self[1])

    @property
    def z(self) -> Scalar:
        return Scalar(self[2])


def tensor(values: Any) -> Tensor:
    return np.asarray(values).view(Tensor)


def vector(values: Any, what: str = "a place") -> Vector:
    """Three numbers from a list, an array, or an array of shape (3, 1) as Mitsuba's points become."""
    found = np.array(values, dtype=float).reshape(-1)
    if found.size != 3 or not np.isfinite(found).all():
        raise BadCallError(f"{what}: three finite numbers are needed, not {values!r}")
    return found.view(Vector)


def refuse(what: str) -> Any:
    raise NotImplementedError(f"rasterwave.rt has no {what}")


def convert(values: Array, out_type: str) -> Any:
    """Complex values as the type of array that is asked for."""
    if out_type == "numpy":
        return values
    if out_type == "drjit":
        return tensor(values.real), tensor(values.imag)
    if out_type in ("torch", "jax"):
        return getattr(tensor(values), out_type)()
    return refuse(f"output of type {out_type!r}; it has numpy, drjit (pairs of arrays), torch and jax")


def convert_real(values: Array, out_type: str) -> Any:
    if out_type == "drjit":
        return tensor(values)
    return convert(values, out_type)


def _complex(pair: Any) -> Array:
    return np.asarray(pair[0]) + 1j * np.asarray(pair[1])


def _pair(values: Any) -> tuple[Tensor, Tensor]:
    return tensor(np.real(values)), tensor(np.imag(values))


def cpx_add(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    return _pair(_complex(a) + _complex(b))


def cpx_sub(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    return _pair(_complex(a) - _complex(b))


def cpx_mul(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    return _pair(_complex(a) * _complex(b))


def cpx_div(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    return _pair(_complex(a) / _complex(b))


def cpx_exp(a: Any) -> tuple[Tensor, Tensor]:
    return _pair(np.exp(_complex(a)))


def cpx_sqrt(a: Any) -> tuple[Tensor, Tensor]:
    return _pair(np.sqrt(_complex(a)))


def cpx_abs(a: Any) -> Tensor:
    return tensor(np.abs(_complex(a)))


def cpx_abs_square(a: Any) -> Tensor:
    return tensor(np.abs(_complex(a)) ** 2)


def cpx_convert(a: Any, out_type: str) -> Any:
    return convert(_complex(a), out_type)


def watt_to_dbm(x: Any) -> Tensor:
    with np.errstate(divide="ignore"):
        return tensor(10 * np.log10(np.asarray(x, dtype=float)) + 30)


def dbm_to_watt(x: Any) -> Tensor:
    return tensor(10 ** (np.asarray(x, dtype=float) / 10 - 3))


def subcarrier_frequencies(num_subcarriers: int, subcarrier_spacing: float) -> Tensor:
    """Frequencies of subcarriers relative to the carrier, in Hz; the one at zero is number num_subcarriers // 2."""
    return tensor((np.arange(num_subcarriers) - num_subcarriers // 2) * float(subcarrier_spacing))


def r_hat(theta: Any, phi: Any) -> Tensor:
    """Unit vectors [..., 3] towards theta from zenith and phi from east."""
    theta, phi = np.asarray(theta, dtype=float), np.asarray(phi, dtype=float)
    return tensor(np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta) + 0 * phi], axis=-1))


def theta_hat(theta: Any, phi: Any) -> Tensor:
    theta, phi = np.asarray(theta, dtype=float), np.asarray(phi, dtype=float)
    return tensor(np.stack([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), -np.sin(theta) + 0 * phi], axis=-1))


def phi_hat(phi: Any) -> Tensor:
    phi = np.asarray(phi, dtype=float)
    return tensor(np.stack([-np.sin(phi), np.cos(phi), 0 * phi], axis=-1))


def theta_phi_from_unit_vec(v: Any) -> tuple[Tensor, Tensor]:
    """Theta from zenith and phi from east of directions [..., 3]; phi of the zenith is 0."""
    v = np.asarray(v, dtype=float)
    across = np.hypot(v[..., 0], v[..., 1])
    phi = np.where(across > 1e-12, np.arctan2(v[..., 1], v[..., 0]), 0.0)
    return tensor(np.arctan2(across, v[..., 2])), tensor(phi)


def rotation_matrix(angles: Any) -> Tensor:
    """Yaw about z, pitch about y, roll about x (3GPP TR 38.901, 7.1)."""
    a, b, c = vector(angles, "an orientation")
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    return tensor(about_z @ about_y @ about_x)


def look_at_orientation(position: Any, target: Any, target_desc: str = "an object") -> Vector:
    """Yaw and pitch that turn the x axis from one place to another."""
    to = np.asarray(vector(target)) - np.asarray(vector(position))
    distance = np.linalg.norm(to)
    if distance == 0:
        raise BadCallError(f"{target_desc} cannot look at its own place")
    theta, phi = theta_phi_from_unit_vec(to / distance)
    return vector([float(phi), float(theta) - np.pi / 2, 0.0])
