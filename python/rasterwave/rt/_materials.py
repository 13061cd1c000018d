"""Radio materials: slabs of one substance."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .. import calc
from .._library import BadCallError
from ._patterns import pattern_of
from ._utils import Scalar, refuse

DEFAULT_THICKNESS = 0.1
Update = Callable[[float], "tuple[float, float]"]


def itu_material(name: str, f: float) -> tuple[float, float]:
    """Relative permittivity and conductivity in S/m of a material of ITU-R P.2040 ("concrete") at a frequency in Hz."""
    found = calc.material(f"itu_{name}", f)
    return found.permittivity.real, found.conductivity_s_m


class RadioMaterialBase:
    """What all materials have: a name, and the scene that they belong to."""

    name: str
    color: Any = None
    _scene: Any = None

    @property
    def is_used(self) -> bool:
        return self._scene is not None and any(item.radio_material is self for item in self._scene.objects.values())

    @property
    def scene(self) -> Any:
        return self._scene

    def to_string(self) -> str:
        return repr(self)

    def __getattr__(self, name: str) -> Any:
        if name in ("eval", "eval_pdf", "expand", "frequency_update", "pdf", "sample", "traverse"):
            refuse(f"{type(self).__name__}.{name}: materials are no objects of Mitsuba")
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def _changed(self) -> None:
        if self._scene is not None:
            self._scene._touch()


class RadioMaterial(RadioMaterialBase):
    """A slab: relative permittivity, conductivity in S/m, thickness in m; frequency_update_callback(f) may give the first
    two at a frequency in Hz. Solvers with diffuse_reflection scatter at it."""

    def __init__(
        self,
        name: str,
        thickness: float | None = DEFAULT_THICKNESS,
        relative_permittivity: float = 1.0,
        conductivity: float = 0.0,
        scattering_coefficient: float = 0.0,
        xpd_coefficient: float = 0.0,
        scattering_pattern: Any = "lambertian",
        frequency_update_callback: Update | None = None,
        color: Any = None,
        **others: Any,
    ) -> None:
        if others:
            raise TypeError(f"a radio material has no {', '.join(others)}")
        self.name, self.color = name, color
        self.scattering_pattern = pattern_of(scattering_pattern)
        self.thickness = DEFAULT_THICKNESS if thickness is None else thickness
        self._permittivity, self._conductivity = Scalar(1.0), Scalar(0.0)
        self._update: Update | None = None
        self.relative_permittivity, self.conductivity = relative_permittivity, conductivity
        self.scattering_coefficient, self.xpd_coefficient = scattering_coefficient, xpd_coefficient
        self.frequency_update_callback = frequency_update_callback

    def _at_frequency(self) -> tuple[Scalar, Scalar]:
        if self._update is None or self._scene is None:
            return self._permittivity, self._conductivity
        permittivity, conductivity = self._update(self._scene.frequency)
        return _number(permittivity), _number(conductivity)

    @property
    def relative_permittivity(self) -> Any:
        return self._at_frequency()[0]

    @relative_permittivity.setter
    def relative_permittivity(self, value: Any) -> None:
        self._permittivity = _within(value, "a relative permittivity", 1.0)
        self._changed()

    @property
    def conductivity(self) -> Any:
        return self._at_frequency()[1]

    @conductivity.setter
    def conductivity(self, value: Any) -> None:
        self._conductivity = _within(value, "a conductivity", 0.0)
        self._changed()

    @property
    def thickness(self) -> Any:
        return self._thickness

    @thickness.setter
    def thickness(self, value: Any) -> None:
        self._thickness = _within(value, "a thickness", 1e-9)
        self._changed()

    @property
    def scattering_coefficient(self) -> Any:
        return self._scattering

    @scattering_coefficient.setter
    def scattering_coefficient(self, value: Any) -> None:
        self._scattering = _within(value, "a scattering coefficient", 0.0, 1.0)
        self._changed()

    @property
    def xpd_coefficient(self) -> Any:
        return self._xpd

    @xpd_coefficient.setter
    def xpd_coefficient(self, value: Any) -> None:
        self._xpd = _within(value, "a cross-polarisation coefficient", 0.0, 1.0)

    @property
    def frequency_update_callback(self) -> Update | None:
        return self._update

    @frequency_update_callback.setter
    def frequency_update_callback(self, call: Update | None) -> None:
        self._update = call
        self._changed()

    def _add_to(self, engine: Any, surface: str) -> None:
        """Defines the slab in a scene of the engine."""
        engine.add_material(f"{surface}_", self.relative_permittivity, self.conductivity, scattering=self._scattering)
        engine.add_slab(surface, [(f"{surface}_", self._thickness)])

    def _title(self) -> str:
        return "RadioMaterial"

    def __repr__(self) -> str:
        return (
            f"{self._title()} eta_r={self.relative_permittivity:.3f} sigma={self.conductivity:.3f} "
            f"thickness={self.thickness:.3f} scattering_coefficient={self.scattering_coefficient:.3f} "
            f"xpd_coefficient={self.xpd_coefficient:.3f}"
        )


class ITURadioMaterial(RadioMaterial):
    """A slab of a material of ITU-R P.2040: itu_type is its name without "itu_"."""

    def __init__(self, name: str, itu_type: str, thickness: float | None = DEFAULT_THICKNESS, **keywords: Any) -> None:
        itu_material(itu_type, 3.5e9)  # a name that is not known is told at once
        self._itu_type = itu_type
        super().__init__(name, thickness, frequency_update_callback=lambda f: itu_material(itu_type, f), **keywords)

    @property
    def itu_type(self) -> str:
        return self._itu_type

    def _title(self) -> str:
        return f"ITURadioMaterial type={self._itu_type}"


class AbsorberRadioMaterial(RadioMaterialBase):
    """A surface that neither reflects nor lets through: every path that meets it ends there."""

    def __init__(self, name: str, color: Any = None) -> None:
        self.name, self.color = name, color

    def _add_to(self, engine: Any, surface: str) -> None:
        # Next to air, and so deep that nothing comes out. Paths that the search still finds there are dropped.
        engine.add_material(f"{surface}_", 1.0, 3e-4)
        engine.add_slab(surface, [(f"{surface}_", 1000.0)])

    def __repr__(self) -> str:
        return f"AbsorberRadioMaterial {self.name}"


class LayeredMaterial(RadioMaterialBase):
    """A wall of several layers, as a scene of rasterwave may have; its layers are (material, thickness in m)."""

    def __init__(self, name: str, layers: list[tuple[str, float]], substances: list[Any]) -> None:
        self.name, self.layers, self._substances = name, layers, substances

    def _add_to(self, engine: Any, surface: str) -> None:
        for found in self._substances:
            engine.add_material(
                found.name,
                found.a,
                found.c,
                permittivity_exponent=found.b,
                conductivity_exponent=found.d,
                perfect_conductor=bool(found.perfect_conductor),
                scattering=found.scattering,
            )
        engine.add_slab(surface, self.layers)

    def __repr__(self) -> str:
        return f"LayeredMaterial {' + '.join(f'{thickness:g} m {name}' for name, thickness in self.layers)}"


def _number(value: Any) -> Scalar:
    return Scalar(np.asarray(value, dtype=float).reshape(-1)[0])


def _within(value: Any, what: str, least: float, most: float = np.inf) -> Scalar:
    number = _number(value)
    if not least <= number <= most:
        raise BadCallError(f"{what} of {number:g}: at least {least:g}" + (f" and at most {most:g}" if most < np.inf else ""))
    return number
