"""Where calls compute, and what they say on the way."""

from __future__ import annotations

import ctypes as C
import os
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, Optional

from . import _abi
from ._library import BadCallError, RasterwaveWarning, decode, encode, fail, interrupts, lib, options

Progress = Callable[[float, str], Optional[bool]]

BACKENDS = {"auto": _abi.RW_BACKEND_AUTO, "cpu": _abi.RW_BACKEND_CPU, "cuda": _abi.RW_BACKEND_CUDA}


def _bar() -> Progress:
    """A progress bar of tqdm, where it is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda share, stage: None
    bar: list[Any] = []

    def show(share: float, stage: str) -> None:
        if not bar or bar[0].desc.rstrip(": ") != stage:
            while bar:
                bar.pop().close()
            bar.append(tqdm(total=100, desc=stage, bar_format="{desc}: {percentage:3.0f} %|{bar}| {elapsed}"))
        bar[0].n = round(100 * share)
        bar[0].refresh()
        if share >= 1:
            bar.pop().close()

    return show


class Context:
    """Backend ("auto", "cpu" or "cuda"), threads (0: all cores), and a callback of progress.

    progress is called with the share done and what is being done; it cancels the call by returning True or by raising.
    True in place of a callback shows a bar, where tqdm is installed. Warnings of the library are RasterwaveWarning.
    """

    def __init__(
        self,
        backend: str = "auto",
        threads: int = 0,
        progress: Progress | bool | None = None,
        allow_outside: bool = False,
    ) -> None:
        if backend not in BACKENDS:
            raise BadCallError(f"backend {backend!r}: use auto, cpu or cuda")
        asked = options(_abi.rw_context_options, "rw_context_options_init_sized")
        asked.backend, asked.threads, asked.allow_outside = BACKENDS[backend], threads, int(allow_outside)
        # Callbacks hold no reference to this object: a context must end with its last user.
        self._raised = _Raised()
        self._callbacks = (
            _abi.rw_warning_fn(_warn(self._raised)),
            _abi.rw_progress_fn(_tell(_bar() if progress is True else progress or None, self._raised)),
        )
        asked.on_warning, asked.on_progress = self._callbacks
        handle = C.c_void_p()
        status = lib.rw_context_create(C.byref(asked), C.byref(handle))
        self._handle = handle
        self._end = weakref.finalize(self, lib.rw_context_destroy, handle)
        if status:
            fail(handle, status)

    def check(self, status: int) -> None:
        """Raises what a call's status means; first what a callback raised meanwhile."""
        errors = self._raised.errors
        if errors:
            raised = errors.pop(0)
            errors.clear()
            raise raised
        if status:
            fail(self._handle, status)

    @property
    def backend(self) -> str:
        """Where calls compute: "cpu" or "cuda"."""
        return decode(lib.rw_context_backend(self._handle))

    @property
    def machine(self) -> str:
        """The machine in words."""
        return decode(lib.rw_context_machine(self._handle))

    @property
    def provenance(self) -> str:
        """Lines of "key: value" that go into every file that is written in this context."""
        return self._provenance

    @provenance.setter
    def provenance(self, text: str) -> None:
        self.check(lib.rw_context_set_provenance(self._handle, encode(text) if text else None))
        self._provenance = text

    _provenance = ""

    def file_provenance(self, path: str) -> str:
        """What a file says about where it comes from; "" where it says nothing."""
        text = C.c_char_p()
        self.check(lib.rw_file_provenance(self._handle, encode(path), C.byref(text)))
        try:
            return decode(text.value)
        finally:
            lib.rw_free(text)

    def record_inputs(self) -> InputFiles:
        """Records the files that calls of this thread read: with context.record_inputs() as files: ...; files.hashes has the
        SHA-256 of each by its path."""
        return InputFiles(self)

    @property
    def instruction_set(self) -> str:
        """That of the CPU's kernels: "avx512", "avx2" or "baseline"."""
        return decode(lib.rw_instruction_set())

    def parse(self, text: str, quantity: str = "number") -> float:
        """A number with a unit, as on the command line: parse("947MHz", "frequency_hz")."""
        name = f"RW_QUANTITY_{quantity.upper()}"
        if not hasattr(_abi, name):
            raise BadCallError(f"there is no quantity {quantity!r}")
        value = C.c_double()
        self.check(lib.rw_parse_quantity(self._handle, encode(text), getattr(_abi, name), C.byref(value)))
        return value.value

    def __repr__(self) -> str:
        return f"Context(backend={self.backend!r}, machine={self.machine!r})"


class InputFiles:
    """Files that were read while this was open (Context.record_inputs)."""

    def __init__(self, context: Context) -> None:
        self._context, self._handle = context, C.c_void_p()
        self.hashes: dict[str, str] = {}

    def __enter__(self) -> InputFiles:
        self._context.check(lib.rw_inputs_begin(self._context._handle, C.byref(self._handle)))
        return self

    def __exit__(self, *_: Any) -> None:
        text = C.create_string_buffer(65)
        for index in range(lib.rw_inputs_count(self._handle)):
            path = decode(lib.rw_inputs_get(self._handle, index, text))
            self.hashes[path] = decode(text.value)
        lib.rw_inputs_end(self._handle)


class _Raised(threading.local):
    """What callbacks raised during a call; they run in the thread that made it."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []


_FOLDER = os.path.dirname(__file__) + os.sep


def _level() -> int:
    """The stacklevel for warnings.warn at which the caller of the package stands."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        level, frame = level + 1, frame.f_back
    return level


def _warn(raised: _Raised) -> Callable[[Any, bytes], None]:
    def on_warning(_user: Any, message: bytes) -> None:
        try:
            warnings.warn(decode(message), RasterwaveWarning, stacklevel=_level())
        except BaseException as error:  # a filter may turn warnings into errors; nothing may pass through C
            raised.errors.append(error)

    return on_warning


def _tell(progress: Any, raised: _Raised) -> Callable[[Any, float, bytes], int]:
    def on_progress(_user: Any, share: float, stage: bytes) -> int:
        try:
            if raised.errors or interrupts:
                return 1
            return int(bool(progress and progress(share, decode(stage))))
        except BaseException as error:
            raised.errors.append(error)
            return 1

    return on_progress


class _Handle:
    """The library's object behind one of ours; a closed one is refused."""

    def __get__(self, owned: Any, _kind: Any = None) -> Any:
        handle = owned.__dict__.get("_handle") if owned is not None else self
        if handle is None:
            raise BadCallError(f"this {type(owned).__name__} is closed")
        return handle

    def __set__(self, owned: Any, handle: Any) -> None:
        owned.__dict__["_handle"] = handle


class Owned:
    """An object of the library: freed with its last user, and keeps alive what it was made from."""

    _context: Context
    _handle: Any = _Handle()

    def __init_subclass__(cls, **arguments: Any) -> None:
        """A closed object can still be printed: interpreters and debuggers do so with any object."""
        super().__init_subclass__(**arguments)
        describe = cls.__dict__.get("__repr__")
        if describe is not None:
            setattr(cls, "__repr__", _describe_open(describe))

    def _own(self, context: Context, handle: Any, destroy: str, *needed: Any) -> None:
        self._borrow(context, handle, *needed)
        # The callback holds what the library still needs while it frees the object.
        self._end = weakref.finalize(self, _destroy, getattr(lib, destroy), handle, self._needed)

    def _borrow(self, context: Context, handle: Any, *needed: Any) -> None:
        """Takes an object that another one frees."""
        self._context, self._handle, self._needed = context, handle, (context, *needed)
        for other in needed:
            other._used_by(self)

    def _used_by(self, user: Any) -> None:
        """Notes an object or an array that shows memory of this one, as long as it lives."""
        users, key = self.__dict__.setdefault("_users", {}), id(user)
        users[key] = weakref.ref(user, lambda _: users.pop(key, None))

    def close(self) -> None:
        """Frees the memory now, or with the last object or array that still shows it. The object cannot be used again."""
        end = self.__dict__.get("_end")
        if end is not None and not self.__dict__.get("_users"):
            end()
        self._handle = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        name = type(self).__name__
        raise TypeError(f"a {name} is memory of the library and cannot be pickled or copied: {_INSTEAD.get(name, 'make it anew')}")


def _describe_open(describe: Callable[[Any], str]) -> Callable[[Any], str]:
    def text_of(owned: Any) -> str:
        return describe(owned) if owned.__dict__.get("_handle") is not None else f"<closed {type(owned).__name__}>"

    return text_of


_INSTEAD = {
    "Map": "its layers are arrays, and to_xarray() has all of them",
    "Paths": "its arrays can be, and to_frame() has all of them",
    "Measurements": "make them from the frame or file in each process",
}


def _destroy(call: Any, handle: Any, _needed: Any) -> None:
    call(handle)
