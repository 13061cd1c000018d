"""The shared library: finding it, its calls with types, and exceptions for what fails."""

from __future__ import annotations

import ctypes as C
import os
import pathlib
from typing import Any, NoReturn, Sequence

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
            setattr(self, name, call)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


lib: Any = Library()


def fail(context: Any, status: int) -> NoReturn:
    """Raises the exception of a status, with the sentence of the context."""
    sentence = lib.rw_last_error(context).decode() if context else ""
    raise ERRORS.get(status, Error)(sentence or lib.rw_status_text(status).decode())


def encode(text: str | os.PathLike[str] | None) -> bytes | None:
    """A text or path as the library takes it."""
    return None if text is None else os.fsencode(os.fspath(text))


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
