"""The physics behind the models, one number at a time: free space, slabs, edges, ground, air, antennas.

Options are keyword arguments with the names of the C interface (docs/reference), results are records; fields follow
exp(+j omega t). A material is a name of ITU-R P.2040 ("itu_concrete"), "pec", or "EPS,SIGMA".
"""

from __future__ import annotations

import ctypes as C
from typing import Any, Sequence

import numpy as np

from . import _abi
from ._context import Context
from ._library import BadCallError, encode, lib, new, options
from ._records import (
    AirResult,
    AntennaResult,
    FoliageResult,
    FreeSpaceResult,
    KnifeEdgeResult,
    MaterialResult,
    Record,
    ScatterResult,
    SiteGeneralResult,
    SlabResult,
    TerrainLossResult,
    TwoRayResult,
    WedgeResult,
)

Layers = Sequence["tuple[str, float]"]


def _options(struct: Any, init: str, given: dict[str, Any]) -> Any:
    asked = options(struct, init)
    names = [name for name, _ in struct._fields_ if name != "size"]
    for name, value in given.items():
        if name not in names:
            raise BadCallError(f"there is no {name!r}; there are {', '.join(names)}")
        setattr(asked, name, encode(value) if isinstance(value, str) else value)
    return asked


def _call(call: Any, record: Any, *arguments: Any) -> Any:
    context, made = Context(), new(record._struct)
    context.check(call(context._handle, *arguments, C.byref(made)))
    return record.of(made)


def free_space(distance_m: float, freq_hz: float) -> FreeSpaceResult:
    """Free-space loss (Friis)."""
    result: FreeSpaceResult = _call(lib.rw_calc_free_space, FreeSpaceResult, distance_m, freq_hz)
    return result


def material(name: str, freq_hz: float) -> MaterialResult:
    """Permittivity and conductivity (ITU-R P.2040)."""
    result: MaterialResult = _call(lib.rw_calc_material, MaterialResult, encode(name), freq_hz)
    return result


def slab(
    layers: Layers, freq_hz: float, angle_deg: float = 0.0, source_distance_m: float = 0.0, view_shift_m: float = float("nan")
) -> SlabResult:
    """Reflection and transmission of layers (material, thickness in m), at an angle from the normal; with source_distance_m in
    front of them also the shift of a view through them (view_shift_m; NaN: exact along the normal) and its misalignment."""
    array = (_abi.rw_layer * len(layers))()
    for item, (name, thickness_m) in zip(array, layers):
        item.size, item.material, item.thickness_m = C.sizeof(item), encode(name), thickness_m
    asked = options(_abi.rw_slab_options, "rw_slab_options_init_sized")
    asked.layers, asked.layer_count, asked.freq_hz, asked.angle_deg = array, len(layers), freq_hz, angle_deg
    asked.source_distance_m, asked.view_shift_m = source_distance_m, view_shift_m
    result: SlabResult = _call(lib.rw_calc_slab, SlabResult, C.byref(asked))
    return result


def knife_edge(nu: float) -> KnifeEdgeResult:
    """Loss of a knife edge from its parameter nu (ITU-R P.526)."""
    result: KnifeEdgeResult = _call(lib.rw_calc_knife_edge, KnifeEdgeResult, nu)
    return result


def knife_edge_nu(freq_hz: float, height_m: float, distance_before_m: float, distance_after_m: float) -> float:
    """nu of an edge height_m above the line between two points."""
    context, value = Context(), C.c_double()
    asked = options(_abi.rw_knife_edge_options, "rw_knife_edge_options_init_sized")
    asked.freq_hz, asked.height_m = freq_hz, height_m
    asked.distance_before_m, asked.distance_after_m = distance_before_m, distance_after_m
    context.check(lib.rw_calc_knife_edge_nu(context._handle, C.byref(asked), C.byref(value)))
    return value.value


def foliage(depth_m: float, freq_hz: float) -> FoliageResult:
    """Loss of a way through trees (ITU-R P.833)."""
    result: FoliageResult = _call(lib.rw_calc_foliage, FoliageResult, depth_m, freq_hz)
    return result


def terrain(distances_m: Any, heights_m: Any, freq_hz: float, **given: Any) -> TerrainLossResult:
    """Diffraction over a profile by delta-Bullington (ITU-R P.1812)."""
    distances = np.ascontiguousarray(distances_m, dtype=np.float64)
    heights = np.ascontiguousarray(heights_m, dtype=np.float64)
    if distances.ndim != 1 or distances.shape != heights.shape:
        raise BadCallError(f"a profile needs as many heights as distances, not {heights.shape} and {distances.shape}")
    asked = _options(_abi.rw_terrain_loss_options, "rw_terrain_loss_options_init_sized", {"freq_hz": freq_hz, **given})
    asked.distance_m = distances.ctypes.data_as(C.POINTER(C.c_double))
    asked.height_m = heights.ctypes.data_as(C.POINTER(C.c_double))
    asked.count = len(distances)
    result: TerrainLossResult = _call(lib.rw_calc_terrain, TerrainLossResult, C.byref(asked))
    return result


def _optioned(name: str, record: Any, given: dict[str, Any]) -> Any:
    struct = getattr(_abi, f"rw_{name}_options")
    asked = _options(struct, f"rw_{name}_options_init_sized", given)
    return _call(getattr(lib, f"rw_calc_{name}"), record, C.byref(asked))


def wedge(**given: Any) -> WedgeResult:
    """Direct, reflected and diffracted field at a wedge (UTD)."""
    result: WedgeResult = _optioned("wedge", WedgeResult, given)
    return result


def two_ray(**given: Any) -> TwoRayResult:
    """Direct and ground-reflected path."""
    result: TwoRayResult = _optioned("two_ray", TwoRayResult, given)
    return result


def site_general(**given: Any) -> SiteGeneralResult:
    """Path loss without a map (COST 231, 3GPP TR 38.901, ITU-R P.1411)."""
    result: SiteGeneralResult = _optioned("site_general", SiteGeneralResult, given)
    return result


def scatter(**given: Any) -> ScatterResult:
    """Diffuse scattering by effective roughness."""
    result: ScatterResult = _optioned("scatter", ScatterResult, given)
    return result


def antenna(**given: Any) -> AntennaResult:
    """Gain and polarisation of an antenna in the scene."""
    result: AntennaResult = _optioned("antenna", AntennaResult, given)
    return result


def air(**given: Any) -> AirResult:
    """Attenuation by oxygen, water vapour and rain."""
    result: AirResult = _optioned("air", AirResult, given)
    return result


__all__ = [
    name for name, value in list(globals().items()) if callable(value) and not name.startswith("_") and value is not Record
]
