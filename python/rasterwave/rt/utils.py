"""Helpers by the names of sionna.rt.utils: angles, complex pairs, units and meshes."""

from __future__ import annotations

from typing import Any

from ._objects import load_mesh, transform_mesh
from ._utils import (
    cpx_abs,
    cpx_abs_square,
    cpx_add,
    cpx_convert,
    cpx_div,
    cpx_exp,
    cpx_mul,
    cpx_sqrt,
    cpx_sub,
    dbm_to_watt,
    isclose,
    log10,
    look_at_orientation,
    phi_hat,
    r_hat,
    reject_helper,
    rotation_matrix,
    safe_atan2,
    sigmoid,
    sinc,
    subcarrier_frequencies,
    theta_hat,
    theta_phi_from_unit_vec,
    watt_to_dbm,
)

__all__ = [
    "cpx_abs",
    "cpx_abs_square",
    "cpx_add",
    "cpx_convert",
    "cpx_div",
    "cpx_exp",
    "cpx_mul",
    "cpx_sqrt",
    "cpx_sub",
    "dbm_to_watt",
    "isclose",
    "load_mesh",
    "log10",
    "look_at_orientation",
    "phi_hat",
    "r_hat",
    "rotation_matrix",
    "safe_atan2",
    "sigmoid",
    "sinc",
    "subcarrier_frequencies",
    "theta_hat",
    "theta_phi_from_unit_vec",
    "transform_mesh",
    "watt_to_dbm",
]


def __getattr__(name: str) -> Any:
    reject_helper(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
