"""For people who come from Sionna RT: the same names, arguments and shapes over this engine.

    from rasterwave.rt import load_scene, PlanarArray, Transmitter, Receiver, PathSolver, RadioMapSolver

Paths are exact: none is sampled, and they are the same on every run; samples_per_src says how finely they are searched
for. Arrays are numpy's, with numpy() for code that asks for it. What is not there is refused by name:
`NotImplementedError`. Positions are x, y, z in metres; z is the height above the scene's ground, which is its altitude in
scenes of meshes.
"""

from __future__ import annotations

from typing import Any

from ._antennas import (
    AntennaArray,
    AntennaPattern,
    PlanarArray,
    PolarizedAntennaPattern,
    register_antenna_pattern,
    register_polarization,
    register_polarization_model,
)
from ._devices import Camera, RadioDevice, Receiver, Transmitter
from ._maps import MeshRadioMap, PlanarRadioMap, RadioMap, RadioMapSolver
from ._materials import ITURadioMaterial, LayeredMaterial, RadioMaterial, RadioMaterialBase, itu_material
from ._objects import Mesh, SceneObject, load_mesh, transform_mesh
from ._paths import InteractionType, Paths, PathSolver
from ._scene import (
    DEFAULT_BANDWIDTH,
    DEFAULT_FREQUENCY,
    DEFAULT_TEMPERATURE,
    BuiltinScenes,
    Scene,
    load_scene,
)
from ._utils import (
    BOLTZMANN,
    SPEED_OF_LIGHT,
    Tensor,
    Vector,
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
    look_at_orientation,
    phi_hat,
    r_hat,
    refuse,
    rotation_matrix,
    subcarrier_frequencies,
    theta_hat,
    theta_phi_from_unit_vec,
    watt_to_dbm,
)

INVALID_SHAPE = INVALID_PRIMITIVE = 0xFFFFFFFF
scene = BuiltinScenes()

_NOT_HERE = {
    "Previewer": "rendering",
    "SlicedPathIntegrator": "rendering",
    "SlicedDepthIntegrator": "rendering",
    "TwosidedAreaEmitter": "rendering",
    "LambertianPattern": "scattering patterns, since paths do not scatter; rasterwave.predict has lobe",
    "DirectivePattern": "scattering patterns, since paths do not scatter; rasterwave.predict has lobe",
    "BackscatteringPattern": "scattering patterns, since paths do not scatter; rasterwave.predict has lobe",
    "ScatteringPattern": "scattering patterns, since paths do not scatter; rasterwave.predict has lobe",
    "register_scattering_pattern": "scattering patterns, since paths do not scatter; rasterwave.predict has lobe",
    "AbsorberRadioMaterial": "AbsorberRadioMaterial: every material reflects or lets through",
    "load_scene_from_string": "load_scene_from_string: write the text to a file",
    "rcs": "radar cross sections",
}
# Helpers of theirs for arrays of Dr.Jit and scenes of Mitsuba, which have no use here.
_HELPERS = """
    EdgeHasher GeometricElementHasher PlaneHasher SourceExclusionBoxes WedgeGeometry box_contains build_mesh_directed_edges
    clone_mesh complex_relative_permittivity complex_sqrt concat_points cot cot_times_f_utd f_utd fibonacci_lattice
    first_order_diffraction_point fresnel fresnel_reflection_coefficients_simplified hash_fnv1a implicit_basis_vector isclose
    itu_coefficients_single_layer_slab jones_matrix_from_real_imag jones_matrix_rotator jones_matrix_rotator_flip_forward
    jones_matrix_to_world_implicit jones_vec_dot log10 make_render_sensor map_angle_to_canonical_range offset_p
    paths_to_segments point_plane_reflection radio_map_color_mapping radio_map_texture radio_map_to_emissive_shape
    remove_mesh_duplicate_vertices rotate_vector_around_axis safe_atan2 sample_keller_cone sample_keller_cone_with_measure
    sample_wedge_diffraction_point scene_scale scoped_set_log_level sigmoid sinc spawn_ray_from_sources spawn_ray_to
    spawn_ray_towards spectrum_to_matrix_4f to_world_jones_rotator transverse_basis_from_normal twosided_diffuse
    unmultiply_alpha vector_plane_reflection wedge_geometry wedge_interior_angle wedge_other_face
""".split()


def __getattr__(name: str) -> Any:
    if name in _NOT_HERE:
        refuse(_NOT_HERE[name])
    if name in _HELPERS:
        refuse(f"helper {name}: rasterwave.calc has the physics one number at a time")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("annotations", "Any", "refuse")]
