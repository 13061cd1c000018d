"""Measurements, errors of maps and models at them, and calibration."""

from __future__ import annotations

import ctypes as C
import os
from typing import Any, Iterable

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, decode, encode, lib, new, options
from ._map import Map
from ._models import Prediction
from ._records import (
    AuditedSite,
    CalibratedParameter,
    CalibrationInfo,
    EvaluationInfo,
    EvaluationPoint,
    Measurement,
    MeasurementsInfo,
    Offset,
    Baseline,
)
from ._scene import Scene
from ._sites import Params, Transmitter, as_array, table_file

PLOTS = {"route": 0, "scatter": 1, "histogram": 2, "map": 3}


class Measurements(Owned):
    """Measured levels from a CSV file. quantity: "path_loss" in dB, "power" or "rsrp" in dBm.

    crs: of x and y; to_crs: that of the scene (scene.crs), into which they and columns of longitude and latitude are
    brought.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        columns: str | None = None,
        quantity: str = "path_loss",
        tx_power_dbm: float = float("nan"),
        route: str | None = None,
        site: str | None = None,
        resource_blocks: int = 0,
        crs: str | None = None,
        to_crs: str | None = None,
        context: Context | None = None,
    ) -> None:
        context = context or Context()
        asked = options(_abi.rw_measurements_options, "rw_measurements_options_init_sized")
        asked.columns, asked.quantity, asked.tx_power_dbm = encode(columns), encode(quantity), tx_power_dbm
        asked.route, asked.site, asked.resource_blocks = encode(route), encode(site), resource_blocks
        asked.crs, asked.to_crs = encode(crs), encode(to_crs or None)
        handle = C.c_void_p()
        context.check(lib.rw_measurements_load(context._handle, encode(path), C.byref(asked), C.byref(handle)))
        self._own(context, handle, "rw_measurements_destroy")

    @classmethod
    def from_frame(cls, frame: Any, **keywords: Any) -> Measurements:
        """From a data frame of pandas (or a dict of columns) with x, y, value and, where there are, z, route, site."""
        with table_file(frame, "measurements") as path:
            return cls(path, **keywords)

    @property
    def info(self) -> MeasurementsInfo:
        made = new(_abi.rw_measurements_info)
        self._context.check(lib.rw_measurements_get_info(self._handle, C.byref(made)))
        return MeasurementsInfo.of(made)

    def __len__(self) -> int:
        return self.info.samples

    def __repr__(self) -> str:
        return f"<Measurements: {len(self)}>"

    def __getitem__(self, index: int) -> Measurement:
        made = new(_abi.rw_measurement)
        if not 0 <= index < len(self):
            raise IndexError(index)
        self._context.check(lib.rw_measurements_get(self._handle, index, C.byref(made)))
        return Measurement.of(made)


class Evaluation(Owned):
    """Errors (measured - predicted) of a map or a model at measured points."""

    @property
    def info(self) -> EvaluationInfo:
        """The figures: info.prediction has mean, RMSE and deviation in dB."""
        made = new(_abi.rw_evaluation_info)
        self._context.check(lib.rw_evaluation_get_info(self._handle, C.byref(made)))
        return EvaluationInfo.of(made)

    def _items(self, call: Any, struct: Any, record: Any, count: int) -> list[Any]:
        found = []
        for index in range(count):
            made = new(struct)
            self._context.check(call(self._handle, index, C.byref(made)))
            found.append(record.of(made))
        return found

    @property
    def points(self) -> list[EvaluationPoint]:
        return self._items(lib.rw_evaluation_get_point, _abi.rw_evaluation_point, EvaluationPoint, self.info.points)

    @property
    def baselines(self) -> list[Baseline]:
        """Errors of formulas that need no map, at the same points."""
        return self._items(lib.rw_evaluation_get_baseline, _abi.rw_baseline, Baseline, self.info.baselines)

    @property
    def offsets(self) -> list[Offset]:
        return self._items(lib.rw_evaluation_get_offset, _abi.rw_offset, Offset, self.info.offsets)

    def to_frame(self) -> Any:
        """The points as a data frame of pandas."""
        import pandas

        return pandas.DataFrame([point.__dict__ for point in self.points])

    def __repr__(self) -> str:
        info = self.info
        return f"<Evaluation at {info.points} points: mean {info.prediction.mean_db:.2f} dB, RMSE {info.prediction.rmse_db:.2f} dB>"

    def draw(self, path: str | os.PathLike[str], kind: str = "route") -> None:
        """A PNG: "route", "scatter", "histogram" or "map"."""
        if kind not in PLOTS:
            raise BadCallError(f"there is no picture {kind!r}; there are {', '.join(PLOTS)}")
        self._context.check(lib.rw_evaluation_draw(self._handle, PLOTS[kind], encode(path)))


def _evaluate_options(given: dict[str, Any]) -> Any:
    asked = options(_abi.rw_evaluate_options, "rw_evaluate_options_init_sized")
    _fill(asked, given)
    return asked


def _fill(asked: Any, given: dict[str, Any]) -> None:
    names = {name for name, _ in asked._fields_} - {"size", "transmitter"}
    for name, value in given.items():
        if name not in names:
            raise BadCallError(f"there is no option {name!r}; there are {', '.join(sorted(names))}")
        setattr(asked, name, encode(value) if isinstance(value, str) else value)


def evaluate_map(
    map: Map,
    measurements: Measurements,
    layer: str = "path_loss",
    *,
    transmitter: Transmitter | None = None,
    **given: Any,
) -> Evaluation:
    """Errors of a map."""
    asked, made, handle = _evaluate_options(given), Evaluation.__new__(Evaluation), C.c_void_p()
    if transmitter:
        array = as_array(transmitter)
        asked.transmitter = array
    index = map._find(layer)
    call = lib.rw_evaluate_map(map._handle, index, measurements._handle, C.byref(asked), C.byref(handle))
    map._context.check(call)
    made._own(map._context, handle, "rw_evaluation_destroy", map, measurements)
    return made


EVALUATE_OPTIONS = ("average", "offsets", "skip_bad", "heights", "above_m")


def evaluate(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    measurements: Measurements,
    model: str = "shadow",
    **given: Any,
) -> Evaluation:
    """Errors of a model at the measured places; options of the model and average, offsets, skip_bad, heights, above_m."""
    asked = _evaluate_options({name: given.pop(name) for name in EVALUATE_OPTIONS if name in given})
    prediction = Prediction(scene.context, transmitters, model, given)
    made, handle = Evaluation.__new__(Evaluation), C.c_void_p()
    call = lib.rw_evaluate_model
    scene.context.check(
        call(scene._handle, C.byref(prediction.struct), measurements._handle, C.byref(asked), C.byref(handle))
    )
    made._own(scene.context, handle, "rw_evaluation_destroy", scene, measurements)
    return made


class Calibration(Owned):
    """A model's parameters from measurements: params goes into predict."""

    @property
    def info(self) -> CalibrationInfo:
        made = new(_abi.rw_calibration_info)
        self._context.check(lib.rw_calibration_get_info(self._handle, C.byref(made)))
        return CalibrationInfo.of(made)

    def __repr__(self) -> str:
        info = self.info
        return f"<Calibration: RMSE {info.before.rmse_db:.2f} dB before, {info.after.rmse_db:.2f} dB after>"

    @staticmethod
    def state_text(parameter: CalibratedParameter) -> str:
        """How a parameter took part in the fit, in words."""
        return decode(lib.rw_parameter_state_name(parameter.state))

    @property
    def parameters(self) -> list[CalibratedParameter]:
        """Each parameter before and after."""
        found = []
        for index in range(self.info.parameters):
            made = new(_abi.rw_calibrated_parameter)
            self._context.check(lib.rw_calibration_get_parameter(self._handle, index, C.byref(made)))
            found.append(CalibratedParameter.of(made))
        return found

    @property
    def params(self) -> Params:
        return Params._borrowed(self._context, lib.rw_calibration_params(self._handle), self)

    def draw(self, path: str | os.PathLike[str]) -> None:
        """A PNG of the losses before and after."""
        self._context.check(lib.rw_calibration_draw(self._handle, encode(path)))

    @property
    def offsets(self) -> list[Offset]:
        """Constants that were fitted beside the parameters, for each site or device."""
        found = []
        for index in range(self.info.offsets):
            made = new(_abi.rw_offset)
            self._context.check(lib.rw_calibration_get_offset(self._handle, index, C.byref(made)))
            found.append(Offset.of(made))
        return found

    def draw_beside(self, path: str | os.PathLike[str], others: dict[str, Params]) -> None:
        """A PNG of the losses beside those of other parameters of the model, by name."""
        handles = (C.c_void_p * len(others))(*(params._handle for params in others.values()))
        names = (C.c_char_p * len(others))(*(encode(name) for name in others))
        self._context.check(
            lib.rw_calibration_draw_comparison(self._handle, handles, names, len(others), encode(path))
        )

    def write_matrix(self, path: str | os.PathLike[str]) -> None:
        """The linear form of the fit as CSV."""
        self._context.check(lib.rw_calibration_write_matrix(self._handle, encode(path)))


CALIBRATE_OPTIONS = (
    "fit holdout average seed iterations_max constraints offsets skip_bad folds heights".split()
)


def calibrate(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    measurements: Measurements,
    model: str = "shadow",
    **given: Any,
) -> Calibration:
    """Fits a model's parameters; options of the model and fit, holdout, average, seed, iterations_max, constraints, offsets,
    skip_bad, folds, heights."""
    asked = options(_abi.rw_calibrate_options, "rw_calibrate_options_init_sized")
    _fill(asked, {name: given.pop(name) for name in CALIBRATE_OPTIONS if name in given})
    prediction = Prediction(scene.context, transmitters, model, given)
    made, handle = Calibration.__new__(Calibration), C.c_void_p()
    call = lib.rw_calibrate
    scene.context.check(
        call(scene._handle, C.byref(prediction.struct), measurements._handle, C.byref(asked), C.byref(handle))
    )
    made._own(scene.context, handle, "rw_calibration_destroy", scene, measurements)
    return made


AUDIT_OPTIONS = ("height_m", "azimuth_deg", "tilt_deg", "eirp_db", "average", "skip_bad", "heights")


def site_state_text(site: AuditedSite) -> str:
    """What the measurements of a site say about its azimuth, in words."""
    return decode(lib.rw_site_state_name(site.state))


def audit_sites(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    measurements: Measurements,
    model: str = "shadow",
    **given: Any,
) -> list[AuditedSite]:
    """Height, azimuth, tilt and EIRP of each site from power measured around it, with standard errors. height_m, azimuth_deg,
    tilt_deg, eirp_db: how far each may be from its value; 0 holds it. Other options are average, skip_bad, heights, and those
    of the model."""
    asked = options(_abi.rw_audit_options, "rw_audit_options_init_sized")
    _fill(asked, {name: given.pop(name) for name in AUDIT_OPTIONS if name in given})
    prediction, handle = Prediction(scene.context, transmitters, model, given), C.c_void_p()
    call = lib.rw_audit_sites
    scene.context.check(
        call(scene._handle, C.byref(prediction.struct), measurements._handle, C.byref(asked), C.byref(handle))
    )
    try:
        found = []
        for index in range(lib.rw_site_audit_count(handle)):
            made = new(_abi.rw_audited_site)
            scene.context.check(lib.rw_site_audit_get(handle, index, C.byref(made)))
            found.append(AuditedSite.of(made))
        return found
    finally:
        lib.rw_site_audit_destroy(handle)
