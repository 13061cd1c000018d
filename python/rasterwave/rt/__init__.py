"""For people who come from Sionna RT: the same names, arguments and shapes over this engine.

    from rasterwave.rt import load_scene, PlanarArray, Transmitter, Receiver, PathSolver, RadioMapSolver

Paths are exact: none is sampled, and they are the same on every run; samples_per_src says how finely they are searched
for. Arrays are numpy's, with numpy() for code that calls it. What is not there is rejected by name:
`NotImplementedError`. Positions are x, y, z in metres; z is the height above the scene's ground, which is its altitude in
scenes of meshes.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from . import utils
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
from ._materials import AbsorberRadioMaterial, ITURadioMaterial, LayeredMaterial, RadioMaterial, RadioMaterialBase, itu_material
from ._objects import Mesh, SceneObject, load_mesh, transform_mesh
from ._paths import InteractionType, Paths, PathSolver
from ._patterns import (
    BackscatteringPattern,
    DirectivePattern,
    LambertianPattern,
    ScatteringPattern,
    register_scattering_pattern,
)
from ._scene import (
    DEFAULT_BANDWIDTH,
    DEFAULT_FREQUENCY,
    DEFAULT_TEMPERATURE,
    BuiltinScenes,
    Scene,
    load_scene,
    load_scene_from_string,
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
    isclose,
    log10,
    refuse,
    reject_helper,
    safe_atan2,
    sigmoid,
    sinc,
    rotation_matrix,
    subcarrier_frequencies,
    theta_hat,
    theta_phi_from_unit_vec,
    watt_to_dbm,
)

INVALID_SHAPE = INVALID_PRIMITIVE = 0xFFFFFFFF
scene = BuiltinScenes()

_RIS = "reconfigurable intelligent surfaces (RIS)"
_OLDER = "of Sionna RT before 1.0: use PathSolver and RadioMapSolver"
_NOT_HERE = {
    "Previewer": "rendering by Mitsuba: Scene.preview and Scene.render draw",
    "SlicedPathIntegrator": "rendering by Mitsuba: Scene.preview and Scene.render draw",
    "SlicedDepthIntegrator": "rendering by Mitsuba: Scene.preview and Scene.render draw",
    "TwosidedAreaEmitter": "rendering by Mitsuba: Scene.preview and Scene.render draw",
    "HolderMaterial": "materials of Mitsuba",
    "register_radio_material": "materials of Mitsuba",
    "rcs": "radar cross sections",
    **{name: f"{_RIS}: {name}" for name in ("RIS", "CellGrid", "AmplitudeProfile", "DiscreteAmplitudeProfile", "PhaseProfile")},
    **{name: f"{_RIS}: {name}" for name in ("DiscretePhaseProfile", "ProfileInterpolator", "LagrangeProfileInterpolator")},
    **{name: f"{name}, which is {_OLDER}" for name in ("CoverageMap", "Antenna", "Ray", "compute_gain", "visualize")},
}


def _prepare_mitsuba() -> None:
    """Selects a variant of Mitsuba where it is installed and none is selected, as importing Sionna RT does: its code makes
    arrays by mi.Point3f and the like."""
    if importlib.util.find_spec("mitsuba") is None:
        return
    mitsuba = importlib.import_module("mitsuba")
    if mitsuba.variant() is None:
        try:
            mitsuba.set_variant("cuda_ad_mono_polarized", "llvm_ad_mono_polarized")
        except ImportError:  # a build of Mitsuba without them: its user selects one
            pass


_prepare_mitsuba()


def __getattr__(name: str) -> Any:
    if name in _NOT_HERE:
        refuse(_NOT_HERE[name])
    reject_helper(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("annotations", "Any", "importlib", "refuse", "reject_helper")]
