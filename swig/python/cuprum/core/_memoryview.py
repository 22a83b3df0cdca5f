"""Other libraries' arrays, as kernels and the parallel algorithms see them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuprum.core import _dlpack
from cuprum.core._buffer import Buffer
from cuprum.core._stream import Stream

if TYPE_CHECKING:
    import numpy as np

    from cuprum.core._stream import IsStreamType
    from cuprum.core._tensor_map import TensorMapDescriptor, TensorMapDescriptorOptions


class StridedMemoryView:
    """An array's address, shape, strides and type, through DLPack or ``__cuda_array_interface__``.

    ``stream_ptr`` is the handle of the stream that will use the memory: its later work is ordered after the work that
    the array's library has in flight; -1 for no order. The view keeps the array and its memory. Needs NumPy.

    - ``ptr``: the address of the first element.
    - ``shape``: the number of elements in each dimension.
    - ``strides``: in elements; None if the elements are contiguous, in C order.
    - ``dtype``: NumPy's type of the elements.
    - ``device_id``: the ordinal of the device; -1 for host memory.
    - ``is_device_accessible``: kernels can use the memory.
    - ``readonly``: the memory must not be written to.
    - ``exporting_obj``: the array.
    """

    __slots__ = (
        "__weakref__",
        "_device",
        "_keeper",
        "device_id",
        "dtype",
        "exporting_obj",
        "is_device_accessible",
        "ptr",
        "readonly",
        "shape",
        "strides",
    )

    ptr: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: np.dtype[Any]
    device_id: int
    is_device_accessible: bool
    readonly: bool
    exporting_obj: object
    #: DLPack's type and ordinal.
    _device: tuple[int, int]
    _keeper: object

    def __init__(self, obj: object, stream_ptr: int | None = None) -> None:
        """Through DLPack where the array has it, else through ``__cuda_array_interface__``."""
        if _dlpack.device_of(obj) is not None:
            self._read_dlpack(obj, stream_ptr)
        elif hasattr(obj, "__cuda_array_interface__"):
            self._read_interface(obj, stream_ptr)
        else:
            raise BufferError(f"{type(obj).__name__} has neither __dlpack__ nor __cuda_array_interface__")

    @classmethod
    def from_any_interface(cls, obj: object, stream_ptr: int | None = None) -> StridedMemoryView:
        """Through DLPack where the array has it, else through ``__cuda_array_interface__``."""
        return cls(obj, stream_ptr)

    @classmethod
    def from_dlpack(cls, obj: object, stream_ptr: int | None = None) -> StridedMemoryView:
        """Through DLPack."""
        view = cls.__new__(cls)
        view._read_dlpack(obj, stream_ptr)
        return view

    @classmethod
    def from_cuda_array_interface(cls, obj: object, stream_ptr: int | None = None) -> StridedMemoryView:
        """Through ``__cuda_array_interface__``."""
        view = cls.__new__(cls)
        view._read_interface(obj, stream_ptr)
        return view

    @classmethod
    def from_array_interface(cls, obj: object) -> StridedMemoryView:
        """An array in host memory, through ``__array_interface__``: NumPy's."""
        import numpy as np

        array = np.asarray(obj)
        view = cls.__new__(cls)
        view.dtype, view.shape, view.readonly = array.dtype, array.shape, not array.flags.writeable
        view.ptr = array.__array_interface__["data"][0]
        item_size = array.dtype.itemsize
        if any(stride % item_size for stride in array.strides):
            raise BufferError(f"strides must be multiples of the elements' {item_size} bytes: {array.strides}")
        contiguous = array.flags.c_contiguous
        view.strides = None if contiguous else tuple(stride // item_size for stride in array.strides)
        view.device_id, view.is_device_accessible = -1, False
        view.exporting_obj, view._keeper = obj, array
        view._device = (_dlpack.CPU, 0)
        return view

    @classmethod
    def from_buffer(
        cls,
        buffer: Buffer,
        shape: tuple[int, ...],
        strides: tuple[int, ...] | None = None,
        *,
        itemsize: int | None = None,
        dtype: Any = None,
        is_readonly: bool = False,
    ) -> StridedMemoryView:
        """Elements from the start of a buffer on: bytes, or so many bytes each. Orders no streams.

        ``strides`` are in elements, and not negative; None: contiguous.
        """
        import numpy as np

        view = cls.__new__(cls)
        view.dtype = np.dtype(dtype if dtype is not None else "u1" if itemsize is None else f"V{itemsize}")
        if itemsize is not None and view.dtype.itemsize != itemsize:
            raise ValueError(f"itemsize is {itemsize}, and elements of {view.dtype} have {view.dtype.itemsize} bytes")
        if strides is not None and (len(strides) != len(shape) or any(stride < 0 for stride in strides)):
            raise ValueError(f"strides must be {len(shape)} numbers that are not negative, and are {strides}")
        count = int(np.prod(shape, dtype=np.int64))
        if strides is not None and count:
            count = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        needed = count * view.dtype.itemsize
        if needed > buffer.size:
            raise ValueError(f"{shape} elements of {view.dtype} need {needed} bytes, and {buffer!r} is smaller")
        view.ptr, view.shape, view.strides = buffer.handle, tuple(shape), None if strides is None else tuple(strides)
        view.device_id, view.is_device_accessible, view.readonly = buffer.device_id, True, is_readonly
        view.exporting_obj, view._keeper = buffer, None
        view._device = (_dlpack.CUDA, view.device_id)
        return view

    def view(self, layout: None = None, dtype: Any = None) -> StridedMemoryView:
        """The same memory with elements of another type, which have the same size. ``layout`` must be None."""
        import copy

        import numpy as np

        if layout is not None:
            raise TypeError("a layout is cuda.core's own object: give shape and strides to from_buffer")
        changed = copy.copy(self)
        if dtype is not None:
            if np.dtype(dtype).itemsize != self.dtype.itemsize:
                raise ValueError(f"elements of {np.dtype(dtype)} and of {self.dtype} differ in size")
            changed.dtype = np.dtype(dtype)
        return changed

    def as_tensor_map(
        self,
        box_dim: tuple[int, ...] | None = None,
        *,
        options: TensorMapDescriptorOptions | None = None,
        element_strides: tuple[int, ...] | None = None,
        data_type: object | None = None,
        interleave: object | None = None,
        swizzle: object | None = None,
        l2_promotion: object | None = None,
        oob_fill: object | None = None,
    ) -> TensorMapDescriptor:
        """A tensor map that copies boxes of the view, of ``box_dim`` elements (compute capability 9.0).

        Either ``options``, or ``box_dim`` and the others by themselves. The map keeps the view.
        """
        from cuprum.core._tensor_map import TensorMapDescriptor

        return TensorMapDescriptor._from_tiled(
            self,
            box_dim,
            options=options,
            element_strides=element_strides,
            data_type=data_type,
            interleave=interleave,
            swizzle=swizzle,
            l2_promotion=l2_promotion,
            oob_fill=oob_fill,
        )

    def _read_dlpack(self, obj: object, stream_ptr: int | None) -> None:
        if stream_ptr is None and (_dlpack.device_of(obj) or (_dlpack.CPU, 0))[0] != _dlpack.CPU:
            raise BufferError("stream_ptr is needed: the handle of the stream that will use the memory, or -1")
        elements = _dlpack.take(obj, stream_ptr)
        self._keeper = elements.keeper
        self.ptr, self.shape, self.strides = elements.address, elements.shape, elements.strides
        self.dtype, self.readonly = elements.dtype, elements.is_read_only
        self._device = elements.device_type, elements.device_id
        self.is_device_accessible = elements.device_type != _dlpack.CPU
        self.device_id = elements.device_id if self.is_device_accessible else -1
        self.exporting_obj = obj

    def _read_interface(self, obj: Any, stream_ptr: int | None) -> None:
        import numpy as np

        from cuprum.core import _current

        if stream_ptr is None:
            raise BufferError("stream_ptr is needed: the handle of the stream that will use the memory, or -1")
        interface = obj.__cuda_array_interface__
        self.dtype = np.dtype(interface["typestr"])
        self.ptr, self.readonly = interface["data"]
        self.shape, strides = tuple(interface["shape"]), interface.get("strides")
        self.strides = None if strides is None else tuple(stride // self.dtype.itemsize for stride in strides)
        self.device_id, self.is_device_accessible = _current.of_memory(self.ptr), True
        self.exporting_obj, self._keeper = obj, None
        self._device = (_dlpack.CUDA, self.device_id)
        producer = interface.get("stream")
        if producer is not None and stream_ptr != _dlpack.NO_ORDER:
            _dlpack.order_after(stream_ptr or None, Stream.from_handle(producer))

    def copy_from(
        self,
        other: StridedMemoryView,
        stream: Stream | IsStreamType | None,
        allocator: object = None,
        blocking: bool | None = None,
    ) -> None:
        """Copies all elements of another view of the same shape and type, whatever the strides of both are.

        One of them at least is of memory that devices use. ``blocking`` None: waits until the copy is done where one is
        of other memory. ``stream`` None: only for such a copy, which then is done when this returns. ``allocator`` is
        not used, since no temporary memory is needed.

        The driver copies up to two dimensions with gaps in one call. Where the gaps have more dimensions, or the
        elements are in another order, there is a call for each part.
        """
        from cuprum.core import _strided_copy

        _strided_copy.copy(self, other, stream, blocking)

    def copy_to(
        self,
        other: StridedMemoryView,
        stream: Stream | IsStreamType | None = None,
        allocator: object = None,
        blocking: bool | None = None,
    ) -> None:
        """Copies all elements to another view, as ``other.copy_from(self)``."""
        other.copy_from(self, stream, allocator, blocking)

    @property
    def size(self) -> int:
        """How many elements there are."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        # So that a view is a kernel's argument, and an array for the parallel algorithms.
        if not self.is_device_accessible:
            raise AttributeError("a view of host memory has no __cuda_array_interface__")
        strides = self.strides
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.ptr, self.readonly),
            "version": 3,
            "strides": None if strides is None else tuple(stride * self.dtype.itemsize for stride in strides),
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The elements with their strides, for other libraries.

        Orders no streams: the view was ordered when it was taken.
        """
        return _dlpack.give(
            self,
            self.ptr,
            self._device,
            self.dtype,
            self.shape,
            max_version=max_version,
            dl_device=dl_device,
            copy=copy,
            strides=self.strides,
            is_read_only=self.readonly,
        )

    def __repr__(self) -> str:
        return f"<StridedMemoryView of {self.shape} {self.dtype} at {self.ptr:#x} on device {self.device_id}>"


class _Viewable:
    """An argument of a decorated function: ``view(stream_ptr)`` gives a view of it."""

    __slots__ = ("_obj",)

    def __init__(self, obj: object) -> None:
        self._obj = obj

    def view(self, stream_ptr: int | None = None) -> StridedMemoryView:
        return StridedMemoryView(self._obj, stream_ptr)


def args_viewable_as_strided_memory(
    arg_indices: tuple[int, ...],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a function that takes arrays: it gets objects whose ``view(stream_ptr)`` is a StridedMemoryView."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            viewable = [_Viewable(arg) if index in arg_indices else arg for index, arg in enumerate(args)]
            return function(*viewable, **kwargs)

        return wrapped

    return decorate
