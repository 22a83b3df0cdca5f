"""``GPUArray``: memory of a device with a shape and a type."""

from __future__ import annotations

import math
import warnings
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from cuprum.compat.pycuda import _transfer
from cuprum.compat.pycuda._layout import (
    ArrayFlags,
    Shape,
    as_shape,
    c_strides,
    compact_strides,
    f_strides,
    indexed,
    resolved_shape,
    strides_in_order,
)
from cuprum.compat.pycuda._native import mem_alloc
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import UNARY
from cuprum.compat.pycuda._operators import Operators
from cuprum.compat.pycuda._pointers import DeviceAllocation
from cuprum.compat.pycuda._scalars import is_scalar, real_dtype
from cuprum.compat.pycuda._usable import require_contiguous

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cuprum.compat.pycuda._scalars import DType
    from cuprum.compat.pycuda._stream import Stream

    Allocator = Callable[[int], Any]

_C_ORDER = 1
_F_ORDER = 2


class GPUArray(Operators):
    """An array on the device, much like a ``numpy.ndarray``: operators work element by element.

    ``allocator(bytes)`` gives the memory. With ``gpudata``, memory that is there already is used, which ``base`` keeps
    alive. Strides are in bytes.
    """

    shape: Shape
    dtype: DType
    strides: Shape
    #: Elements.
    size: int
    mem_size: int
    nbytes: int
    itemsize: int
    allocator: Allocator
    #: The memory; the address of a part of another array's memory; None without elements.
    gpudata: Any
    base: Any
    #: In which orders the elements lie without gaps: _C_ORDER, _F_ORDER, both, or 0 for neither.
    _order: int

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        allocator: Allocator = mem_alloc,
        base: Any = None,
        gpudata: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        self.shape = as_shape(shape)
        self.dtype = np.dtype(dtype)
        if self.dtype.hasobject:
            raise TypeError("a GPUArray cannot have Python's objects as its elements")
        itemsize = self.dtype.itemsize
        if strides is None:
            self.strides = strides_in_order(self.shape, itemsize, order)
        else:
            self.strides = tuple(as_index(stride) for stride in strides)
            if len(self.strides) != len(self.shape):
                raise ValueError(f"strides {self.strides} do not fit the shape {self.shape}: one for each dimension")
        self.allocator = allocator
        self._finish(gpudata, base)

    def _finish(self, gpudata: Any, base: Any) -> None:
        shape, itemsize = self.shape, self.dtype.itemsize
        self.size = self.mem_size = size = math.prod(shape)
        self.itemsize = itemsize
        self.nbytes = size * itemsize
        if len(shape) <= 1:
            self._order = 3 if not size or size == 1 or self.strides[0] == itemsize else 0
        else:
            flags = ArrayFlags(self)
            self._order = _C_ORDER * flags.c_contiguous | _F_ORDER * flags.f_contiguous
        if gpudata is None and base is not None:
            raise ValueError("base keeps the memory of gpudata alive: give gpudata as well")
        if gpudata is None and size:
            gpudata = self.allocator(self._bytes())
        self.gpudata = gpudata
        self.base = base

    def _bytes(self) -> int:
        """From the first element to the end of the last."""
        if self._order:
            return self.nbytes
        if any(stride < 0 for stride in self.strides):
            raise ValueError(f"strides {self.strides}: an array with memory of its own has no negative ones")
        return self.itemsize + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))

    @classmethod
    def _single(cls, dtype: DType, allocator: Allocator) -> Self:
        """A new array without dimensions: what ``__init__`` makes of these, in less time."""
        new = cls.__new__(cls)
        new.shape = new.strides = ()
        new.dtype = dtype
        new.size = new.mem_size = 1
        new.nbytes = new.itemsize = dtype.itemsize
        new.allocator = allocator
        new._order = _C_ORDER | _F_ORDER
        new.gpudata = allocator(dtype.itemsize)
        new.base = None
        return new

    def _new(self, shape: Shape, dtype: DType, order: str = "C") -> Self:
        """A new array with memory from the same allocator."""
        return self.__class__(shape, dtype, allocator=self.allocator, order=order)

    def _new_like_me(self, dtype: Any = None, order: str = "C") -> Self:
        """A new array of this shape, whose elements have this one's order if they lie without gaps."""
        cls = self.__class__
        own = self.dtype
        if dtype is None:
            dtype = own
        if cls is not GPUArray:
            return cls(self.shape, dtype, allocator=self.allocator, order="F" if self._order == _F_ORDER else order)
        # What __init__ does, where all of it is known.
        new = cls.__new__(cls)
        new.shape = shape = self.shape
        new.dtype = dtype
        itemsize = dtype.itemsize
        new.itemsize = itemsize
        new.size = new.mem_size = size = self.size
        new.nbytes = nbytes = size * itemsize
        new.allocator = self.allocator
        mask = self._order
        if mask and itemsize == own.itemsize:
            new.strides = self.strides
            new._order = mask
        elif mask == _F_ORDER or (not mask and order == "F"):
            new.strides = f_strides(shape, itemsize)
            new._order = _F_ORDER if len(shape) > 1 and size > 1 else 3
        else:
            new.strides = c_strides(shape, itemsize)
            new._order = mask or (_C_ORDER if len(shape) > 1 and size > 1 else 3)
        new.gpudata = self.allocator(nbytes) if nbytes else None
        new.base = None
        return new

    def _view(self, shape: Shape, strides: Shape, *, dtype: Any = None, offset: int = 0) -> GPUArray:
        """A part of this array's memory as another array."""
        view = GPUArray.__new__(GPUArray)
        view.shape = shape
        view.strides = strides
        view.dtype = self.dtype if dtype is None else dtype
        view.allocator = self.allocator
        view._finish(None if self.gpudata is None else int(self.gpudata) + offset, None)
        view.base = self
        return view

    def _overlaps(self, other: Any) -> bool:
        """Whether the two may have bytes in common."""
        if not self.size or not other.size:
            return False
        first, second = self.gpudata, other.gpudata
        if isinstance(first, DeviceAllocation) and isinstance(second, DeviceAllocation):
            return first is second
        begin, end = self._extent()
        other_begin, other_end = other._extent()
        return bool(begin < other_end and other_begin < end)

    def _extent(self) -> tuple[int, int]:
        steps = [(size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True)]
        begin = self.ptr
        low, high = sum(step for step in steps if step < 0), sum(step for step in steps if step > 0)
        return begin + low, begin + high + self.itemsize

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def ptr(self) -> int:
        """The address of the first element; 0 without elements."""
        return 0 if self.gpudata is None else int(self.gpudata)

    @property
    def flags(self) -> ArrayFlags:
        """Whether the elements lie without gaps, and in which order."""
        return ArrayFlags(self)

    @property
    def _grid(self) -> tuple[int, int]:
        from cuprum.compat.pycuda._splay import splay

        return splay(self.mem_size)[0]

    @property
    def _block(self) -> tuple[int, int, int]:
        from cuprum.compat.pycuda._splay import splay

        return splay(self.mem_size)[1]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": None if self._order & _C_ORDER else self.strides,
            "data": (self.ptr, False),
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "stream": 1,  # the legacy default stream, in which operators work
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        from cuprum.compat.pycuda._context import Context
        from cuprum.core import _dlpack

        return _dlpack.CUDA, Context.get_device()._ordinal

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """The elements for other libraries, without a copy; ``stream`` waits for the default stream."""
        from cuprum.core import LEGACY_DEFAULT_STREAM, _dlpack

        if not self._order & _C_ORDER:
            raise BufferError(f"DLPack: the array is not contiguous (strides {self.strides}): export a copy() of it")
        capsule = _dlpack.give(
            self,
            self.ptr,
            self.__dlpack_device__(),
            self.dtype,
            self.shape,
            max_version=max_version,
            dl_device=dl_device,
            copy=copy,
        )
        _dlpack.order_after(stream, LEGACY_DEFAULT_STREAM)
        return capsule

    def __array__(self, *arguments: Any, **named: Any) -> Any:
        raise TypeError("a GPUArray does not become a numpy.ndarray by itself: copy it to the host with get()")

    def set(self, ary: Any, async_: bool = False, stream: Stream | None = None) -> None:
        """Copies a host array of the same size and type into this one; with ``async_`` in ``stream``."""
        if not isinstance(ary, np.ndarray):
            raise TypeError(f"set() copies a numpy.ndarray, not {type(ary).__name__}; make one with numpy.asarray()")
        if ary.size != self.size:
            raise ValueError(f"ary and self must be the same size: they have {ary.size} and {self.size} elements")
        if ary.shape != self.shape:
            warnings.warn(f"Setting array from one with different shape: {ary.shape}, not {self.shape}", stacklevel=2)
            ary = ary.reshape(self.shape)
        if ary.dtype != self.dtype:
            raise ValueError(f"ary and self must have the same dtype: they have {ary.dtype} and {self.dtype}")
        _transfer.copy_from_host(self, ary, is_async=async_, stream=stream)

    def set_async(self, ary: Any, stream: Stream | None = None) -> None:
        """``set`` in a stream, in which ``ary``, which should be page-locked, stays as it is until the copy is done."""
        self.set(ary, async_=True, stream=stream)

    def get(
        self,
        ary: Any = None,
        pagelocked: bool = False,
        async_: bool = False,
        stream: Stream | None = None,
    ) -> Any:
        """A copy on the host: in ``ary``, or in a new array, page-locked if wanted; with ``async_`` in ``stream``."""
        if ary is None:
            ary = _transfer.host_array_like(self, pagelocked=pagelocked)
        else:
            if not isinstance(ary, np.ndarray):
                raise TypeError(f"get() copies into a numpy.ndarray, not {type(ary).__name__}")
            if ary.size != self.size:
                raise ValueError(f"self and ary must be the same size: they have {self.size} and {ary.size} elements")
            if ary.dtype != self.dtype:
                raise TypeError(f"self and ary must have the same dtype: they have {self.dtype} and {ary.dtype}")
        shown = ary
        if ary.shape != self.shape:
            warnings.warn(
                f"get() between arrays of different shape is deprecated: {self.shape} and {ary.shape}",
                DeprecationWarning,
                stacklevel=2,
            )
            shown = ary.view()
            shown.shape = self.shape
        _transfer.copy_to_host(shown, self, is_async=async_, stream=stream)
        return shown

    def get_async(self, stream: Stream | None = None, ary: Any = None) -> Any:
        """``get`` in a stream: the host array, page-locked if it shall not wait, has the elements once that is done."""
        return self.get(ary=ary, async_=True, stream=stream)

    def copy(self) -> Self:
        """A copy without gaps, whose axes have the same order."""
        new = self.__class__(
            self.shape,
            self.dtype,
            self.allocator,
            strides=compact_strides(self.shape, self.strides, self.itemsize),
        )
        _transfer.copy_on_device(new, self)
        return new

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        from cuprum.compat.pycuda._creation import to_gpu

        return to_gpu, (self.get(),)

    def __str__(self) -> str:
        return str(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                f"The truth value of an array with {self.size} elements is ambiguous. Use a.any() or a.all()"
            )
        return bool(self.get())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[GPUArray]:
        if not self.shape:
            raise TypeError("iteration over an array without dimensions")
        return (self[position] for position in range(self.shape[0]))

    def fill(self, value: Any, stream: Stream | None = None) -> Self:
        """Sets all elements to ``value``. Returns the array."""
        return launch(UNARY["copy"], (value,), self, stream, value_type=self.dtype)  # type: ignore[no-any-return]

    def reverse(self, stream: Stream | None = None) -> Self:
        """A copy in which the elements, taken as one dimension, have the reverse order."""
        require_contiguous(self, "reverse")
        result = self._new_like_me()
        backwards = self._view((self.size,), (-self.itemsize,), offset=max(self.size - 1, 0) * self.itemsize)
        launch(UNARY["copy"], (backwards,), result._flat(), stream, types=(self.dtype,))
        return result

    def _flat(self) -> GPUArray:
        """The memory of an array without gaps in one dimension."""
        return self._view((self.size,), (self.itemsize,))

    def astype(self, dtype: Any, stream: Stream | None = None) -> Self:
        """A copy whose elements are converted as C does: a real number loses its fraction when it becomes an int."""
        wanted = np.dtype(dtype)
        require_contiguous(self, "astype")
        if wanted == self.dtype:
            return self.copy()
        kinds = "biufc"
        if wanted.kind not in kinds or self.dtype.kind not in kinds:
            raise TypeError(
                f"astype: {self.dtype} does not convert to {wanted}; view() shows the same bytes as that type"
            )
        if self.dtype.kind == "c" and wanted.kind not in "cb":
            raise TypeError(f"astype: {self.dtype} does not convert to {wanted}; take its real or its imag first")
        return launch(UNARY["copy"], (self,), self._new_like_me(wanted), stream, types=(self.dtype,))  # type: ignore[no-any-return]

    def any(self, stream: Stream | None = None, allocator: Allocator | None = None) -> GPUArray:
        """Whether one element at least is not 0: an array without dimensions."""
        from cuprum.compat.pycuda._reductions import any as any_of

        return any_of(self, stream=stream, allocator=allocator)

    def all(self, stream: Stream | None = None, allocator: Allocator | None = None) -> GPUArray:
        """Whether no element is 0: an array without dimensions."""
        from cuprum.compat.pycuda._reductions import all as all_of

        return all_of(self, stream=stream, allocator=allocator)

    def reshape(self, *shape: Any, order: str = "C") -> GPUArray:
        """The same elements in another shape, in which one dimension may be -1.

        A view, except where the elements do not lie in ``order``: then a copy that does.
        """
        require_contiguous(self, "reshape")
        if len(shape) == 1 and isinstance(shape[0], tuple | list):
            shape = tuple(shape[0])
        wanted = resolved_shape(shape, self.size)
        has_order = self._order & (_F_ORDER if order == "F" else _C_ORDER)
        if wanted == self.shape and has_order:
            return self
        strides = strides_in_order(wanted, self.itemsize, order)
        if has_order:
            return self._view(wanted, strides)
        ordered = self._new(self.shape, self.dtype, order)
        _transfer.copy_on_device(ordered, self)
        return ordered._view(wanted, strides)

    def ravel(self) -> GPUArray:
        """All elements in one dimension."""
        return self.reshape(self.size)

    def view(self, dtype: Any = None) -> GPUArray:
        """The same bytes as elements of another type: along the axis whose neighbours lie next to each other."""
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        old, new = self.itemsize, wanted.itemsize
        if old == new:
            return self._view(self.shape, self.strides, dtype=wanted)
        axis = min(range(self.ndim), key=lambda axis: (abs(self.strides[axis]), -axis), default=-1)
        if axis < 0 or self.strides[axis] != old or self.shape[axis] * old % new:
            raise ValueError(
                f"new type not compatible with array: {self.shape} elements of {old} bytes, strides {self.strides}, "
                f"cannot be shown as elements of {new} bytes"
            )
        shape, strides = list(self.shape), list(self.strides)
        shape[axis] = shape[axis] * old // new
        strides[axis] = new
        return self._view(tuple(shape), tuple(strides), dtype=wanted)

    def squeeze(self) -> GPUArray:
        """A view without the dimensions of one element."""
        kept = [axis for axis, size in enumerate(self.shape) if size != 1]
        return self._view(tuple(self.shape[axis] for axis in kept), tuple(self.strides[axis] for axis in kept))

    def transpose(self, axes: Any = None) -> GPUArray:
        """A view with the dimensions in another order: reversed, or as ``axes`` says."""
        chosen = list(range(self.ndim - 1, -1, -1)) if axes is None else [as_index(axis) for axis in axes]
        if sorted(axis % self.ndim if -self.ndim <= axis < self.ndim else -1 for axis in chosen) != list(
            range(self.ndim)
        ):
            raise ValueError(f"axes don't match array: {chosen} for {self.ndim} dimensions")
        return self._view(tuple(self.shape[axis] for axis in chosen), tuple(self.strides[axis] for axis in chosen))

    @property
    def T(self) -> GPUArray:
        """``transpose()``."""
        return self.transpose()

    def __getitem__(self, index: Any) -> GPUArray:
        view = indexed(self.shape, self.strides, index)
        return self._view(view.shape, view.strides, offset=view.offset)

    def __setitem__(self, index: Any, value: Any) -> None:
        part = self[index]
        if is_scalar(value):
            part.fill(value)
            return
        if not isinstance(value, GPUArray | np.ndarray):
            raise TypeError(
                f"elements are set to a number, a GPUArray or a numpy.ndarray, not to {type(value).__name__}"
            )
        if value.shape != part.shape:
            raise ValueError(f"src and dst must be same shape: they have {value.shape} and {part.shape}")
        if value.dtype != part.dtype:
            raise TypeError(f"src and dst must have same dtype: they have {value.dtype} and {part.dtype}")
        if isinstance(value, GPUArray):
            _transfer.copy_on_device(part, value)
        else:
            _transfer.copy_from_host(part, value)

    @property
    def real(self) -> GPUArray:
        """The real parts: a new array, or this one if its elements are real."""
        return self._part("real") if self.dtype.kind == "c" else self

    @property
    def imag(self) -> GPUArray:
        """The imaginary parts: a new array, of zeros if the elements are real."""
        return self._part("imag") if self.dtype.kind == "c" else self._new_like_me().fill(0)

    def _part(self, name: str) -> GPUArray:
        require_contiguous(self, name)
        result = self._new_like_me(real_dtype(self.dtype))
        return launch(UNARY[name], (self,), result, types=(self.dtype,))  # type: ignore[no-any-return]

    def conj(self, out: GPUArray | None = None) -> GPUArray:
        """The conjugates: in ``out`` or a new array; this array if its elements are real."""
        if self.dtype.kind != "c":
            return self
        require_contiguous(self, "conj")
        result = self._new_like_me() if out is None else out
        if result.shape != self.shape or result.dtype.kind != "c":
            raise ValueError(
                f"conj: out has {result.shape} elements of {result.dtype}, the array {self.shape} of {self.dtype}"
            )
        return launch(UNARY["conj"], (self,), result, types=(self.dtype,))  # type: ignore[no-any-return]

    conjugate = conj

    def bind_to_texref(self, texref: Any, allow_offset: bool = False) -> Any:
        """Raises Unsupported: CUDA has no texture references any more."""
        from cuprum.compat.pycuda._function import refuse_texrefs

        refuse_texrefs()

    def bind_to_texref_ext(self, texref: Any, *arguments: Any, **named: Any) -> Any:
        """Raises Unsupported: CUDA has no texture references any more."""
        self.bind_to_texref(texref)
