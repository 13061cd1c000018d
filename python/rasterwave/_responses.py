"""Impulse and frequency responses and taps from the complex gains of paths."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._library import BadCallError

Array = Any  # of numpy


def as_type(values: Array, out_type: str) -> Any:
    """numpy as it is; torch and jax in single precision."""
    if out_type == "numpy":
        return values
    single = values.astype(np.complex64 if np.iscomplexobj(values) else np.float32)
    if out_type == "torch":
        return importlib.import_module("torch").from_numpy(np.ascontiguousarray(single))
    if out_type == "jax":
        return importlib.import_module("jax.numpy").asarray(single)
    raise BadCallError(f"out_type {out_type!r}: use numpy, torch or jax")


class Responses:
    """The methods of Paths that need complex gains, which images, sbr and rt have."""

    def _table_of_pairs(self) -> tuple[Array, Array, Array]:
        """Gains and delays [point, transmitter, path], and which of them are paths."""
        of: Any = self
        gain = of.gain
        if len(of) and not np.any(gain):
            raise BadCallError("these paths have no complex gains: trace them by the model images, sbr or rt")
        points = len(of.indoor)
        senders = max(int(of.transmitter.max()) + 1 if len(of) else 0, getattr(of, "_transmitter_count", 0))
        pair = of.point * senders + of.transmitter
        order = np.argsort(pair, kind="stable")
        counts = np.bincount(pair, minlength=points * senders)
        begin = np.concatenate([[0], np.cumsum(counts)])
        rank = np.empty(len(pair), np.intp)
        rank[order] = np.arange(len(pair)) - begin[pair[order]]
        shape = (points, senders, int(counts.max()) if len(pair) else 0)
        gains, delays, valid = np.zeros(shape, complex), np.zeros(shape), np.zeros(shape, bool)
        where = of.point, of.transmitter, rank
        gains[where], delays[where], valid[where] = gain, of.delay_s, True
        return gains, delays, valid

    def cir(self, normalize_delays: bool = False, out_type: str = "numpy") -> tuple[Any, Any]:
        """Impulse responses: complex gains and delays in s [point, transmitter, path]; beyond the last path of a pair a gain
        is 0 and a delay -1. Gains have the carrier's phase over their delays; normalize_delays counts delays from the first
        path of a pair. out_type: numpy, torch or jax, the last two in single precision."""
        gains, delays, valid = self._table_of_pairs()
        if normalize_delays:
            delays = delays - _first(delays, valid)
        return as_type(gains, out_type), as_type(np.where(valid, delays, -1.0), out_type)

    def cfr(self, frequencies_hz: Any, normalize_delays: bool = False, out_type: str = "numpy") -> Any:
        """Frequency responses [point, transmitter, frequency] at frequencies in Hz relative to the carrier: gains are those of
        the carrier, their phases those of each frequency."""
        gains, delays, valid = self._table_of_pairs()
        delays = delays - _first(delays, valid) if normalize_delays else delays
        wave = np.exp(-2j * np.pi * delays[..., None] * np.asarray(frequencies_hz, dtype=float).reshape(-1))
        return as_type(np.einsum("ptk,ptkf->ptf", gains, wave), out_type)

    def taps(self, bandwidth_hz: float, l_min: int, l_max: int, normalize_delays: bool = True, out_type: str = "numpy") -> Any:
        """Taps [point, transmitter, l_max - l_min + 1] of the channel behind an ideal low pass of a bandwidth in Hz, sampled
        at its rate."""
        if not bandwidth_hz > 0 or l_max < l_min:
            raise BadCallError(f"taps {l_min} to {l_max} of {bandwidth_hz:g} Hz: a positive bandwidth and rising numbers are needed")
        gains, delays, valid = self._table_of_pairs()
        delays = delays - _first(delays, valid) if normalize_delays else delays
        pulse = np.sinc(np.arange(l_min, l_max + 1) - bandwidth_hz * delays[..., None])
        return as_type(np.einsum("ptk,ptkl->ptl", gains, pulse), out_type)


def _first(delays: Array, valid: Array) -> Array:
    first = np.where(valid, delays, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    return np.where(np.isfinite(first), first, 0.0)
