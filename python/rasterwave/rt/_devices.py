"""Transmitters, receivers and cameras."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._library import BadCallError
from ._utils import Scalar, Vector, look_at_orientation, vector


class _Placed:
    """Something with a place in m, an orientation (yaw, pitch, roll) in rad and a velocity in m/s."""

    name = ""

    def __init__(self, position: Any, orientation: Any = None, look_at: Any = None, velocity: Any = None) -> None:
        if orientation is not None and look_at is not None:
            raise BadCallError("only one of orientation and look_at can be given")
        self.position = position
        self.orientation = (0.0, 0.0, 0.0) if orientation is None else orientation
        self.velocity = (0.0, 0.0, 0.0) if velocity is None else velocity
        if look_at is not None:
            self.look_at(look_at)

    @property
    def position(self) -> Vector:
        return self._position

    @position.setter
    def position(self, values: Any) -> None:
        self._position = vector(values, "a position").copy()

    @property
    def orientation(self) -> Vector:
        return self._orientation

    @orientation.setter
    def orientation(self, values: Any) -> None:
        self._orientation = vector(values, "an orientation")

    @property
    def velocity(self) -> Vector:
        return self._velocity

    @velocity.setter
    def velocity(self, values: Any) -> None:
        self._velocity = vector(values, "a velocity")

    def look_at(self, target: Any) -> None:
        """Turns the boresight towards a point, a device or an object."""
        place = getattr(target, "position", target)
        self.orientation = look_at_orientation(self.position, vector(place), self.name or "a camera")


class RadioDevice(_Placed):
    """A transmitter or receiver."""

    def __init__(
        self,
        name: str,
        position: Any,
        orientation: Any = None,
        look_at: Any = None,
        velocity: Any = None,
        color: Any = (0.0, 0.0, 0.0),
        display_radius: float | None = None,
    ) -> None:
        self.name, self.color, self.display_radius = name, color, display_radius
        super().__init__(position, orientation, look_at, velocity)


class Transmitter(RadioDevice):
    def __init__(
        self,
        name: str,
        position: Any,
        orientation: Any = None,
        look_at: Any = None,
        velocity: Any = None,
        power_dbm: float = 44.0,
        color: Any = (0.160, 0.502, 0.725),
        display_radius: float | None = None,
    ) -> None:
        super().__init__(name, position, orientation, look_at, velocity, color, display_radius)
        self.power_dbm = power_dbm

    @property
    def power_dbm(self) -> Any:
        return self._power_dbm

    @power_dbm.setter
    def power_dbm(self, value: Any) -> None:
        number = float(np.asarray(value, dtype=float).reshape(-1)[0])
        if not np.isfinite(number):
            raise BadCallError(f"a power of {number} dBm: it is finite")
        self._power_dbm = Scalar(number)

    @property
    def power(self) -> Scalar:
        """In watts."""
        return Scalar(10 ** (self.power_dbm / 10 - 3))


class Receiver(RadioDevice):
    def __init__(
        self,
        name: str,
        position: Any,
        orientation: Any = None,
        look_at: Any = None,
        velocity: Any = None,
        color: Any = (0.153, 0.682, 0.375),
        display_radius: float | None = None,
    ) -> None:
        super().__init__(name, position, orientation, look_at, velocity, color, display_radius)


class Camera(_Placed):
    """From where a picture is taken: towards x of its own axes, with z up."""

    def __init__(self, position: Any, orientation: Any = None, look_at: Any = None) -> None:
        super().__init__(position, None if look_at is not None else orientation, look_at)
