"""Arrays as Sionna RT's users expect them, complex pairs, angles and units."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .._library import BadCallError
from .._responses import as_type

SPEED_OF_LIGHT = 299792458.0
BOLTZMANN = 1.380649e-23
VACUUM_PERMITTIVITY = 8.8541878128e-12
Array = Any  # of numpy, whose own types say no more here


class Tensor(np.ndarray[Any, Any]):
    """An array that also has numpy(), torch() and jax(), as Dr.Jit's tensors; so have its elements, which are arrays of no
    dimension."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return np.asarray(found).view(Tensor) if isinstance(found, np.generic) else found

    def numpy(self) -> Array:
        return np.asarray(self)

    def torch(self) -> Any:
        return importlib.import_module("torch").asarray(np.array(self))

    def jax(self) -> Any:
        return importlib.import_module("jax.numpy").asarray(np.asarray(self))


class Scalar(float):
    """A number that also is an array of one: numpy(), and [0], as those of Dr.Jit are."""

    def numpy(self) -> Array:
        return np.array([float(self)])

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]


class Vector(Tensor):
    """Vectors [..., 3] whose components also are x, y and z; numpy() has the shape (3, n), as Dr.Jit's vectors have.

    store, where there is one, is told of a component that is changed.
    """

    store: Any = None

    def __array_finalize__(self, other: Any) -> None:
        self.store = None

    def numpy(self) -> Array:
        if not self.ndim or self.shape[-1] != 3:
            return np.asarray(self)
        return np.ascontiguousarray(np.moveaxis(np.asarray(self), -1, 0)).reshape(3, *(self.shape[:-1] or (1,)))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)  # type: ignore[no-untyped-call]
        if self.store is not None:
            self.store(self)

    def _component(self, number: int) -> Any:
        part = np.asarray(self)[..., number]
        return Scalar(part) if self.ndim == 1 else tensor(part)

    @property
    def x(self) -> Any:
        return self._component(0)

    @x.setter
    def x(self, value: Any) -> None:
        self[..., 0] = _plain(value)

    @property
    def y(self) -> Any:
        return self._component(1)

    @y.setter
    def y(self, value: Any) -> None:
        self[..., 1] = _plain(value)

    @property
    def z(self) -> Any:
        return self._component(2)

    @z.setter
    def z(self, value: Any) -> None:
        self[..., 2] = _plain(value)


def _plain(value: Any) -> Any:
    """A number, also from an array of one."""
    found = np.asarray(value, dtype=float)
    return found.item() if found.size == 1 else found


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


# Helpers of theirs for arrays of Dr.Jit and scenes of Mitsuba, which have no use here.
_HELPERS = frozenset(
    """
    EdgeHasher GeometricElementHasher PlaneHasher SourceExclusionBoxes WedgeGeometry box_contains build_mesh_directed_edges
    clone_mesh complex_relative_permittivity complex_sqrt concat_points cot cot_times_f_utd f_utd fibonacci_lattice
    first_order_diffraction_point fresnel fresnel_reflection_coefficients_simplified hash_fnv1a implicit_basis_vector
    itu_coefficients_single_layer_slab jones_matrix_from_real_imag jones_matrix_rotator jones_matrix_rotator_flip_forward
    jones_matrix_to_world_implicit jones_vec_dot make_render_sensor map_angle_to_canonical_range offset_p
    paths_to_segments point_plane_reflection radio_map_color_mapping radio_map_texture radio_map_to_emissive_shape
    remove_mesh_duplicate_vertices rotate_vector_around_axis sample_keller_cone sample_keller_cone_with_measure
    sample_wedge_diffraction_point scene_scale scoped_set_log_level spawn_ray_from_sources spawn_ray_to
    spawn_ray_towards spectrum_to_matrix_4f to_world_jones_rotator transverse_basis_from_normal twosided_diffuse
    unmultiply_alpha vector_plane_reflection wedge_geometry wedge_interior_angle wedge_other_face
    """.split()
)


def reject_helper(name: str) -> None:
    """Raises where a name is a helper that is not there."""
    if name in _HELPERS:
        refuse(f"helper {name}: rasterwave.calc has the physics one number at a time")


def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    """Whether |a - b| < atol + rtol |b|."""
    return tensor(np.isclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=atol))


def log10(x: Any) -> Tensor:
    """The logarithm to base 10."""
    with np.errstate(divide="ignore"):
        return tensor(np.log10(np.asarray(x, dtype=float)))


def sinc(x: Any) -> Tensor:
    """sin(pi x) / (pi x)."""
    return tensor(np.sinc(np.asarray(x, dtype=float)))


def sigmoid(x: Any) -> Tensor:
    """1 / (1 + exp(-x))."""
    return tensor(0.5 * (1 + np.tanh(0.5 * np.asarray(x, dtype=float))))


def safe_atan2(y: Any, x: Any) -> Tensor:
    """The angle of (x, y), 0 at the origin."""
    return tensor(np.arctan2(np.asarray(y, dtype=float), np.asarray(x, dtype=float)))


def convert(values: Array, out_type: str) -> Any:
    """Complex values as the type of array that is asked for."""
    if out_type == "numpy":
        return values
    if out_type == "drjit":
        return tensor(values.real), tensor(values.imag)
    if out_type in ("torch", "jax"):  # in single precision, as theirs
        return as_type(np.asarray(values), out_type)
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
    """Sum of pairs (real, imaginary)."""
    return _pair(_complex(a) + _complex(b))


def cpx_sub(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Difference of pairs (real, imaginary)."""
    return _pair(_complex(a) - _complex(b))


def cpx_mul(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Product of pairs (real, imaginary)."""
    return _pair(_complex(a) * _complex(b))


def cpx_div(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Quotient of pairs (real, imaginary)."""
    return _pair(_complex(a) / _complex(b))


def cpx_exp(a: Any) -> tuple[Tensor, Tensor]:
    """Exponential of a pair (real, imaginary)."""
    return _pair(np.exp(_complex(a)))


def cpx_sqrt(a: Any) -> tuple[Tensor, Tensor]:
    """Square root of a pair (real, imaginary)."""
    return _pair(np.sqrt(_complex(a)))


def cpx_abs(a: Any) -> Tensor:
    """Absolute value of a pair (real, imaginary)."""
    return tensor(np.abs(_complex(a)))


def cpx_abs_square(a: Any) -> Tensor:
    """Squared absolute value of a pair (real, imaginary)."""
    return tensor(np.abs(_complex(a)) ** 2)


def cpx_convert(a: Any, out_type: str) -> Any:
    """A pair (real, imaginary) as an array of another type: numpy, torch, jax or drjit."""
    return convert(_complex(a), out_type)


def _number_or_tensor(values: Any) -> Scalar | Tensor:
    """A number as Dr.Jit's, an array of one; arrays as they are."""
    return tensor(values) if np.ndim(values) else Scalar(values)


def watt_to_dbm(x: Any) -> Scalar | Tensor:
    """Watts in dBm."""
    with np.errstate(divide="ignore"):
        return _number_or_tensor(10 * np.log10(np.asarray(x, dtype=float)) + 30)


def dbm_to_watt(x: Any) -> Scalar | Tensor:
    """dBm in watts."""
    return _number_or_tensor(10 ** (np.asarray(x, dtype=float) / 10 - 3))


def subcarrier_frequencies(num_subcarriers: int, subcarrier_spacing: float) -> Tensor:
    """Frequencies of subcarriers relative to the carrier, in Hz; the one at zero is number num_subcarriers // 2."""
    return tensor((np.arange(num_subcarriers) - num_subcarriers // 2) * float(subcarrier_spacing))


def _vectors(*parts: Any) -> Vector:
    vectors: Vector = np.stack(np.broadcast_arrays(*parts), axis=-1).view(Vector)
    return vectors


def r_hat(theta: Any, phi: Any) -> Vector:
    """Unit vectors [..., 3] towards theta from zenith and phi from east."""
    theta, phi = np.asarray(theta, dtype=float), np.asarray(phi, dtype=float)
    return _vectors(np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta) + 0 * phi)


def theta_hat(theta: Any, phi: Any) -> Vector:
    """Unit vectors [..., 3] along which theta grows."""
    theta, phi = np.asarray(theta, dtype=float), np.asarray(phi, dtype=float)
    return _vectors(np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), -np.sin(theta) + 0 * phi)


def phi_hat(phi: Any) -> Vector:
    """Unit vectors [..., 3] along which phi grows."""
    phi = np.asarray(phi, dtype=float)
    return _vectors(-np.sin(phi), np.cos(phi), 0 * phi)


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
