"""The shared library: finding it, its calls with types, and exceptions for what fails."""

from __future__ import annotations

import ctypes as C
import importlib
import os
import pathlib
import re
import signal
import threading
from typing import Any, Callable, NoReturn, Sequence

from . import _abi


class Error(Exception):
    """A call of the library failed; the text is its sentence."""


class BadCallError(Error, ValueError):
    """The call or its options are wrong."""


class BadInputError(Error, ValueError):
    """The input is wrong."""


class NotFoundError(Error, LookupError):
    """A file, a layer or a name is not there."""


class UnsupportedError(Error, NotImplementedError):
    """This build of the library has no such thing."""


class TooLargeError(Error, MemoryError):
    """It would not fit into the memory of this machine."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class OutOfMemoryError(Error, MemoryError):
    """There was no memory left."""


class DeviceError(Error, RuntimeError):
    """The GPU failed."""


class CancelledError(Error):
    """The progress callback asked to stop."""


class InternalError(Error, RuntimeError):
    """An error of the library itself."""


class RasterwaveWarning(UserWarning):
    """A sentence about a result that holds less than it seems to."""


ERRORS: dict[int, type[Error]] = {
    _abi.RW_BAD_CALL: BadCallError,
    _abi.RW_BAD_INPUT: BadInputError,
    _abi.RW_NOT_FOUND: NotFoundError,
    _abi.RW_UNSUPPORTED: UnsupportedError,
    _abi.RW_TOO_LARGE: TooLargeError,
    _abi.RW_NOT_WRITABLE: FileError,
    _abi.RW_IO: FileError,
    _abi.RW_OUT_OF_MEMORY: OutOfMemoryError,
    _abi.RW_DEVICE: DeviceError,
    _abi.RW_CANCELLED: CancelledError,
    _abi.RW_INTERNAL: InternalError,
}


def _candidates() -> Sequence[str]:
    given = os.environ.get("RASTERWAVE_LIBRARY")
    if given:
        return [given]
    beside = pathlib.Path(__file__).parent / "lib" / _abi.FILE_NAME
    return [str(beside), _abi.FILE_NAME] if beside.exists() else [_abi.FILE_NAME]


def _load() -> C.CDLL:
    reasons = []
    for path in _candidates():
        try:
            return C.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        f"the library {_abi.FILE_NAME} is not found ({'; '.join(reasons)}): install the package rasterwave, "
        "or name the file in the environment variable RASTERWAVE_LIBRARY"
    )


# Exceptions of a signal's handler that ran during a call of the library, such as KeyboardInterrupt; empty between calls.
interrupts: list[BaseException] = []

# Calls that only read or write fields: no one waits for them.
_SHORT = re.compile("_(get|set|init|count|find|check|read_info)(_|$)")


# Those of the interpreter: the module signal wraps them in enumerations, which takes longer than a short call.
_signals: Any = importlib.import_module("_signal")
_get_handler, _set_handler = _signals.getsignal, _signals.signal
_handlers: list[Callable[[int, Any], Any]] = []


def _keep(number: int, frame: Any) -> None:
    """Runs the handler that was there before the call, and keeps what it raises."""
    try:
        _handlers[-1](number, frame)
    except BaseException as error:
        interrupts.append(error)


def _interruptible(call: Any) -> Callable[..., int]:
    """A call that Ctrl-C ends. Python would run the handler as a callback of the library begins, where ctypes drops what it
    raises: it is kept instead, callbacks of progress cancel the call, and it is raised afterwards."""

    def guarded(*arguments: Any) -> int:
        handler = _get_handler(signal.SIGINT)
        inside = handler is _keep or not callable(handler)  # a call in a callback, or nothing to be raised
        if inside or threading.get_ident() != threading.main_thread().ident:
            return int(call(*arguments))
        _handlers.append(handler)
        try:
            _set_handler(signal.SIGINT, _keep)
        except ValueError:  # not of the main interpreter
            _handlers.pop()
            return int(call(*arguments))
        try:
            status = int(call(*arguments))
        finally:
            _set_handler(signal.SIGINT, handler)
            _handlers.pop()
        if interrupts:
            raised = interrupts.pop(0)
            interrupts.clear()
            raise raised
        return status

    return guarded


class Library:
    """The calls of the library as attributes, with argument and result types."""

    def __init__(self) -> None:
        self._file = _load()
        for name, (result, arguments, text) in _abi.FUNCTIONS.items():
            try:
                call = getattr(self._file, name)
            except AttributeError:
                raise ImportError(
                    f"the library {self._file._name} has no {name}: it is of another version than this package"
                ) from None
            call.restype, call.argtypes, call.__doc__ = result, arguments, text
            waits = result is C.c_int and not _SHORT.search(name)
            setattr(self, name, _interruptible(call) if waits else call)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


lib: Any = Library()


def fail(context: Any, status: int) -> NoReturn:
    """Raises the exception of a status, with the sentence of the context."""
    sentence = lib.rw_last_error(context).decode() if context else ""
    raise ERRORS.get(status, Error)(sentence or lib.rw_status_message(status).decode())


def encode(text: str | os.PathLike[str] | None) -> bytes | None:
    """A text or path as the library takes it."""
    return None if text is None else os.fsencode(text)


def decode(text: bytes | None) -> str:
    return text.decode("utf-8", "replace") if text else ""


def new(struct: Any) -> Any:
    """An empty struct that says how large it is."""
    made = struct()
    made.size = C.sizeof(struct)
    return made


def options(struct: Any, init: str, *arguments: Any) -> Any:
    """Options as their init call leaves them."""
    made = struct()
    getattr(lib, init)(C.byref(made), *arguments, C.sizeof(struct))
    return made
