"""Arrays that stay where a context computes, for other libraries without a copy: DLPack and CUDA's array interface."""

from __future__ import annotations

import ctypes as C
import math
from typing import Any, Sequence

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, lib, new

_CPU, _CUDA = 1, 2  # devices of DLPack
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5}  # its types, by the kinds of numpy

# Objects of our own: those of ctypes.pythonapi are shared with all that set their types.
_new_capsule = C.PYFUNCTYPE(C.py_object, C.c_void_p, C.c_char_p, C.c_void_p)(("PyCapsule_New", C.pythonapi))
_capsule_is_valid = C.PYFUNCTYPE(C.c_int, C.c_void_p, C.c_char_p)(("PyCapsule_IsValid", C.pythonapi))
_capsule_pointer = C.PYFUNCTYPE(C.c_void_p, C.c_void_p, C.c_char_p)(("PyCapsule_GetPointer", C.pythonapi))


class _Tensor(C.Structure):
    """DLManagedTensor."""

    _fields_ = [
        ("data", C.c_void_p),
        ("device_type", C.c_int32),
        ("device_number", C.c_int32),
        ("dimensions", C.c_int32),
        ("type_code", C.c_uint8),
        ("type_bits", C.c_uint8),
        ("lanes", C.c_uint16),
        ("shape", C.POINTER(C.c_int64)),
        ("strides", C.POINTER(C.c_int64)),
        ("offset", C.c_uint64),
        ("owner", C.c_void_p),
        ("deleter", C.CFUNCTYPE(None, C.c_void_p)),
    ]


def _drop(capsule: int) -> None:
    """Deletes the tensor of a capsule that no library has taken."""
    if _capsule_is_valid(capsule, b"dltensor"):
        address = _capsule_pointer(capsule, b"dltensor")
        _Tensor.from_address(address).deleter(address)


_drop_capsule = C.PYFUNCTYPE(None, C.c_void_p)(_drop)


class DeviceArray(Owned):
    """An array in memory of a context's backend: of the GPU where it computes on one, main memory otherwise.

    Other libraries take it without a copy: torch.from_dlpack(array), cupy.asarray(array), jax.dlpack.from_dlpack(array),
    numpy.from_dlpack(array) in main memory. They share the memory, which lives until the last of them is gone. Values
    are there when a call of this package returns, for every stream; what another library does to them on a stream of
    its own is to be finished before copy_to_host and before the array is given to a call again, which wait for it.
    """

    def __init__(self, shape: int | Sequence[int], dtype: Any = np.float32, context: Context | None = None) -> None:
        context, handle = context or Context(), C.c_void_p()
        self.shape = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(side) for side in shape)
        self.dtype = np.dtype(dtype)
        if any(side < 0 for side in self.shape) or not self.shape:
            raise BadCallError(f"shape {self.shape}: one or more numbers from 0 on are needed")
        if self.dtype.kind not in _CODES or not self.dtype.isnative:
            raise BadCallError(f"dtype {self.dtype}: an array holds numbers in the byte order of the machine")
        context.check(lib.rw_buffer_create(context._handle, max(self.nbytes, 1), C.byref(handle)))
        self._own(context, handle, "rw_buffer_destroy")

    @classmethod
    def from_numpy(cls, values: Any, context: Context | None = None) -> DeviceArray:
        """A copy of an array."""
        array = np.ascontiguousarray(values)
        made = cls(array.shape, array.dtype, context)
        made.copy_from_host(array)
        return made

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return int(self.size * self.dtype.itemsize)

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def device(self) -> str:
        """ "cuda" or "cpu"."""
        return self._context.backend

    @property
    def pointer(self) -> int:
        """Address of the first value, on the device."""
        return int(lib.rw_buffer_data(self._handle) or 0)

    def copy_to_host(self, out: Any = None) -> Any:
        """The values as an array of numpy, or in the one given."""
        array = np.empty(self.shape, self.dtype) if out is None else _host_array(out, self.shape, self.dtype)
        self._context.check(
            lib.rw_buffer_read(self._context._handle, self._handle, 0, array.ctypes.data, array.nbytes)
        )
        return array

    def copy_from_host(self, values: Any) -> None:
        """Takes the values of an array of the same shape."""
        array = np.ascontiguousarray(values, dtype=self.dtype)
        if array.shape != self.shape:
            raise BadCallError(f"values: an array of shape {self.shape} is needed, not {array.shape}")
        self._context.check(
            lib.rw_buffer_write(self._context._handle, self._handle, 0, array.ctypes.data, array.nbytes)
        )

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.device != "cuda":
            raise AttributeError("the array is in main memory: use numpy.from_dlpack or numpy.asarray")
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "strides": None,
            "version": 3,
            "stream": None,  # nothing is left to wait for
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CUDA, 0) if self.device == "cuda" else (_CPU, 0)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """A capsule for another library. Values are there for every stream, so that none is waited for."""
        if copy:
            raise BufferError("the array is shared: copy it after taking it")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array stays on device {self.__dlpack_device__()}: use copy_to_host")
        asked, tensor = new(_abi.rw_dlpack_view), C.c_void_p()
        asked.shape = (C.c_size_t * self.ndim)(*self.shape)
        asked.dimensions, asked.type_code = self.ndim, _CODES[self.dtype.kind]
        asked.type_bits = 8 * self.dtype.itemsize
        call = lib.rw_buffer_to_dlpack
        self._context.check(call(self._context._handle, self._handle, C.byref(asked), C.byref(tensor)))
        return _new_capsule(tensor, b"dltensor", C.cast(_drop_capsule, C.c_void_p))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.device == "cuda":
            raise TypeError("the array is in memory of the GPU: copy_to_host() brings it to numpy")
        array = np.from_dlpack(self)
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        return array.astype(wanted) if copy or wanted != self.dtype else array

    def __reduce__(self) -> Any:
        return DeviceArray.from_numpy, (self.copy_to_host(),)  # back where the other process computes

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} of {self.dtype} on {self.device}>"


def _host_array(out: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """An array of numpy that can take values of a shape and type, as they lie."""
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == dtype
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        found = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise BadCallError(f"out: a writeable array of {dtype} {shape}, row after row, is needed, not {found}")
    return out


def place_of(out: Any, shape: tuple[int, ...], dtype: Any, context: Context) -> tuple[int, int]:
    """Address and place (a number of rw_memory_location) of what shall take values."""
    if isinstance(out, DeviceArray):
        about: Any = {"shape": out.shape, "typestr": out.dtype.str, "data": (out.pointer, False)}
        if out.device != context.backend:
            raise BadCallError(f"out: the array is on {out.device}, and the scene's context computes on {context.backend}")
    elif hasattr(out, "__cuda_array_interface__"):
        about = out.__cuda_array_interface__
        if context.backend != "cuda":
            raise BadCallError("out: the array is in memory of a GPU, and the scene's context computes on the CPU")
    else:
        return _host_array(out, shape, dtype).ctypes.data, _abi.RW_MEMORY_HOST
    address, read_only = about["data"]
    dense = about.get("strides") in (None, (shape[1] * shape[2] * dtype.itemsize, shape[2] * dtype.itemsize, dtype.itemsize))
    if tuple(about["shape"]) != shape or np.dtype(about["typestr"]) != dtype or read_only or not dense:
        raise BadCallError(
            f"out: a writeable array of {dtype} {shape}, row after row, is needed, "
            f"not {about['typestr']} {tuple(about['shape'])}"
        )
    return int(address), _abi.RW_MEMORY_BACKEND
