"""Choosing sites, and what stands on them."""

from __future__ import annotations

import ctypes as C
import os
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, decode, encode, lib, new, options
from ._map import Map
from ._models import Prediction
from ._records import Estimate, PlanInfo, PlanStep
from ._scene import Scene
from ._sites import Transmitter, of_struct, table_file

KEEPS = {"no": _abi.RW_PLAN_FREE, "yes": _abi.RW_PLAN_KEEP, "fixed": _abi.RW_PLAN_FIXED}


@dataclass
class Candidate:
    """A sector that may be built. keep: "no", "yes" (it stays, its configuration is chosen) or "fixed"."""

    transmitter: Transmitter
    site: str = ""  # candidates of one site are its sectors; "": a site of its own
    cost: float = 1.0
    site_cost: float = 0.0
    keep: str = "no"


def load_candidates(
    path: Any,
    *,
    crs: str | None = None,
    to_crs: str | None = None,
    skip_bad: bool = False,
    context: Context | None = None,
) -> list[Candidate]:
    """Candidates of a sites table, as load_sites takes it, with the columns site, cost, site_cost and keep."""
    context = context or Context()
    asked = options(_abi.rw_sites_options, "rw_sites_options_init_sized")
    asked.crs, asked.to_crs, asked.skip_bad = encode(crs), encode(to_crs or None), int(skip_bad)
    sites, about = C.POINTER(_abi.rw_transmitter)(), C.POINTER(_abi.rw_plan_candidate)()
    count, left_out = C.c_size_t(), C.c_size_t()
    sizes = C.sizeof(_abi.rw_transmitter), C.sizeof(_abi.rw_plan_candidate)
    with table_file(path, "candidates") as file:
        call = lib.rw_plan_candidates_load_sized
        context.check(
            call(
                context._handle, encode(file), C.byref(asked), *sizes, C.byref(sites), C.byref(about), C.byref(count),
                C.byref(left_out),
            )
        )  # fmt: skip
    words = {value: word for word, value in KEEPS.items()}
    try:
        return [
            Candidate(
                of_struct(sites[i]), decode(about[i].site), about[i].cost, about[i].site_cost, words[about[i].keep]
            )
            for i in range(count.value)
        ]
    finally:
        lib.rw_free(sites)
        lib.rw_free(about)


class _Asked:
    """Options of a plan, and the memory that they point to."""

    LISTS = {
        "azimuths_deg": "azimuth_count",
        "tilts_deg": "tilt_count",
        "powers_dbm": "power_count",
        "rx_heights_m": "rx_height_count",
        "floors": "floor_count",
    }

    def __init__(
        self, scene: Scene, candidates: Iterable[Candidate | Transmitter], model: str, given: dict[str, Any]
    ) -> None:
        items = [item if isinstance(item, Candidate) else Candidate(item) for item in candidates]
        own = {field[0] for field in _abi.rw_plan_options._fields_} - {"size", "predict", "candidates", "on_skipped", "user"}
        own -= {*self.LISTS.values(), "antenna_count"}
        mine = {name: value for name, value in given.items() if name in own}
        rest = {name: value for name, value in given.items() if name not in own}
        self.prediction = Prediction(scene.context, [item.transmitter for item in items], model, rest)
        self.candidates = (_abi.rw_plan_candidate * len(items))()
        for made, item in zip(self.candidates, items):
            if item.keep not in KEEPS:
                raise BadCallError(f"keep {item.keep!r}: use {', '.join(KEEPS)}")
            made.size, made.site, made.keep = C.sizeof(made), encode(item.site), KEEPS[item.keep]
            made.cost, made.site_cost = item.cost, item.site_cost
        self.struct = options(_abi.rw_plan_options, "rw_plan_options_init_sized")
        self.struct.predict, self.struct.candidates = C.pointer(self.prediction.struct), self.candidates
        for name, value in mine.items():
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if name in self.LISTS:
            values: Sequence[float] = [float(each) for each in value]
            setattr(self.struct, name, (C.c_double * len(values))(*values))
            setattr(self.struct, self.LISTS[name], len(values))
        elif name == "antennas":
            texts = [encode(each) for each in value]
            self.struct.antennas, self.struct.antenna_count = (C.c_char_p * len(texts))(*texts), len(texts)
        else:
            text = isinstance(value, (str, os.PathLike))
            setattr(self.struct, name, encode(value) if text else int(value) if isinstance(value, bool) else value)


class Plan(Owned):
    """A finished plan: chosen transmitters, the steps that led to them, maps before and after."""

    @property
    def info(self) -> PlanInfo:
        """Values in info.unit: before, greedy, value, predicted, and bound, which no choice exceeds."""
        made = new(_abi.rw_plan_info)
        self._context.check(lib.rw_plan_get_info(self._handle, C.byref(made)))
        return PlanInfo.of(made)

    @property
    def steps(self) -> list[PlanStep]:
        found = []
        for index in range(lib.rw_plan_step_count(self._handle)):
            made = new(_abi.rw_plan_step)
            self._context.check(lib.rw_plan_get_step(self._handle, index, C.byref(made)))
            found.append(PlanStep.of(made))
        return found

    @property
    def chosen(self) -> list[Transmitter]:
        return [transmitter for transmitter, _ in self._chosen()]

    @property
    def chosen_candidates(self) -> list[int]:
        """The number of each chosen sector's candidate, from 0."""
        return [candidate for _, candidate in self._chosen()]

    def _chosen(self) -> list[tuple[Transmitter, int]]:
        found = []
        for index in range(lib.rw_plan_chosen_count(self._handle)):
            made, candidate = new(_abi.rw_transmitter), C.c_size_t()
            self._context.check(lib.rw_plan_get_chosen(self._handle, index, C.byref(made), C.byref(candidate)))
            found.append((of_struct(made), candidate.value))
        return found

    def _map(self, handle: int | None) -> Map | None:
        if not handle:
            return None
        made = Map.__new__(Map)
        made._borrow(self._context, C.c_void_p(handle), self)
        return made

    @property
    def before(self) -> Map | None:
        """Prediction of what stays alone; None where nothing does."""
        return self._map(lib.rw_plan_map_before(self._handle))

    @property
    def after(self) -> Map | None:
        """Prediction of the choice."""
        return self._map(lib.rw_plan_map_after(self._handle))

    @property
    def weights(self) -> Map | None:
        return self._map(lib.rw_plan_map_weights(self._handle))

    @property
    def levels(self) -> list[tuple[Map | None, Map | None, Map | None]]:
        """Maps before, after and of the weights at each of rx_heights_m, or on each of floors; before, after and weights are
        those of the first."""
        calls = (lib.rw_plan_map_before_at, lib.rw_plan_map_after_at, lib.rw_plan_map_weights_at)
        count = lib.rw_plan_level_count(self._handle)
        return [(self._map(calls[0](self._handle, i)), self._map(calls[1](self._handle, i)), self._map(calls[2](self._handle, i))) for i in range(count)]

    def write_sites(self, path: str | os.PathLike[str]) -> None:
        """The choice as a sites table, which load_sites reads."""
        self._context.check(lib.rw_plan_write_sites(self._handle, encode(path)))


def plan(scene: Scene, candidates: Iterable[Candidate | Transmitter], model: str = "shadow", **given: Any) -> Plan:
    """The choice of candidates that covers most weight, or serves best, within limits.

    Keywords are the fields of rw_plan_options (objective, level_dbm, azimuths_deg, tilts_deg, powers_dbm, antennas,
    sites_max, budget, ...) and the options of predict.
    """
    asked, handle, made = _Asked(scene, candidates, model, given), C.c_void_p(), Plan.__new__(Plan)
    scene.context.check(lib.rw_plan_create(scene._handle, C.byref(asked.struct), C.byref(handle)))
    made._own(scene.context, handle, "rw_plan_destroy", scene)
    return made


def plan_estimate(
    scene: Scene, candidates: Iterable[Candidate | Transmitter], model: str = "shadow", **given: Any
) -> Estimate:
    """What plan would take, before it starts."""
    asked, made = _Asked(scene, candidates, model, given), new(_abi.rw_estimate)
    scene.context.check(lib.rw_plan_estimate(scene._handle, C.byref(asked.struct), C.byref(made)))
    return Estimate.of(made)
