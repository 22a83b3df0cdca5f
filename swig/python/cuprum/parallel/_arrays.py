"""Elements in device memory and in host memory."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import Error
from cuprum._native import _cuprum
from cuprum.core import Buffer, Event, _current, _dlpack
from cuprum.core._stream import Stream, as_stream

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core._stream import IsStreamType


class DeviceArray(_cuprum.DeviceArrayFields):
    """The elements of a ``Buffer``, or of a part of one: what the algorithms take and what other libraries read.

    ``size`` is the number of elements, ``dtype`` NumPy's type of them.
    """

    __slots__ = ()

    def __init__(self, buffer: Buffer, dtype: DTypeLike, size: int | None = None, *, offset: int = 0) -> None:
        """``size`` elements of a buffer, which it keeps alive, from byte ``offset`` on; None: as many as fit."""
        self._buffer = buffer
        self._offset = offset
        self.dtype = np.dtype(dtype)
        room = (buffer.size - offset) // self.dtype.itemsize
        self.size = room if size is None else size
        if offset < 0 or not 0 <= self.size <= room:
            raise ValueError(f"{self.size} elements of {self.dtype} from byte {offset} on do not fit into {buffer!r}")

    @classmethod
    def from_numpy(cls, array: Any, stream: Stream | IsStreamType | None = None) -> DeviceArray:
        """A copy on the current device, made in ``stream``; None: in the default stream."""
        values = np.ascontiguousarray(array)
        buffer = Buffer._allocate(_current.device_id(), values.nbytes, None)
        buffer.copy_from_host(values.reshape(-1).view(np.uint8), stream=stream)
        return cls(buffer, values.dtype, values.size)

    @classmethod
    def empty(cls, size: int, dtype: DTypeLike) -> DeviceArray:
        """Room for ``size`` elements on the current device; the content is undefined."""
        return cls(Buffer._allocate(_current.device_id(), size * np.dtype(dtype).itemsize, None), dtype, size)

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """A copy in host memory, in the order of the device's default stream: work in other streams must be done."""
        result = np.empty(self.size, self.dtype)
        self._buffer.copy_to_host(result.view(np.uint8), offset=self._offset)
        return result

    def __len__(self) -> int:
        return self.size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """For other libraries: version 3, with the stream that the memory was allocated in, if it was in one."""
        return {
            "shape": (self.size,),
            "typestr": self.dtype.str,
            "descr": self.dtype.descr if self.dtype.names else [("", self.dtype.str)],
            "data": (self._buffer.handle + self._offset, False),
            "version": 3,
            "strides": None,
            "stream": _dlpack.interface_stream(self._buffer._stream),
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of device and its number, as DLPack has them."""
        return self._buffer.__dlpack_device__()

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """For other libraries. ``stream`` waits for the stream that the memory was allocated in, if it was in one."""
        capsule = _dlpack.give(
            self,
            self._buffer.handle + self._offset,
            self.__dlpack_device__(),
            self.dtype,
            (self.size,),
            max_version=max_version,
            dl_device=dl_device,
            copy=copy,
        )
        _dlpack.order_after(stream, self._buffer._stream)
        return capsule

    def __repr__(self) -> str:
        return f"<DeviceArray of {self.size} {self.dtype}>"


def _interface_dtype(array: Any, interface: dict[str, Any]) -> np.dtype[Any]:
    if isinstance(array, DeviceArray):
        own: np.dtype[Any] = array.dtype
        return own  # descr loses the alignment of structs
    dtype = getattr(array, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype
    descr = interface.get("descr")
    described: np.dtype[Any] = np.dtype(descr if descr and descr[0][0] else interface["typestr"])
    return described


def _check(is_contiguous: bool, is_read_only: bool, writable: bool) -> None:
    if not is_contiguous:
        raise ValueError("the array is not contiguous; pass a contiguous copy")
    if writable and is_read_only:
        raise ValueError("the array is read-only, and the result is written to it")


def _dlpack_device(array: Any) -> tuple[int, int] | None:
    """Of an array in device memory."""
    if isinstance(array, np.ndarray):
        return None
    device = _dlpack.device_of(array)
    return device if device is not None and device[0] in (_dlpack.CUDA, _dlpack.CUDA_MANAGED) else None


def device_elements(
    array: Any, *, writable: bool = False, stream: Stream | None = None, device_id: int | None = None
) -> tuple[int, int, np.dtype[Any]]:
    """Address, number and type of an array's elements on the device.

    ``stream`` will use them, after the work that the array's library has in flight, on the device ``device_id``, by
    default the current one; None: they are not used.
    The memory stays valid for as long as the array, which the caller keeps.
    """
    kind = type(array)
    if kind is DeviceArray:
        return array._buffer.handle + array._offset, array.size, array.dtype
    if kind.__module__ == "torch":
        known = _tensor_elements(array, stream)
        if known is not None:
            return known
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        dtype = _interface_dtype(array, interface)
        shape = interface["shape"]
        address, is_read_only = interface["data"]
        strides = interface.get("strides")
        if (is_read_only and writable) or strides is not None:
            _check(_dlpack.is_contiguous(tuple(shape), strides, dtype.itemsize), is_read_only, writable)
        # Of Cuprum's own memory the caller knows the order, as in every other call.
        producer = None if isinstance(array, DeviceArray | Buffer) else interface.get("stream")
        if stream is not None and producer is not None:
            _wait_for(stream, producer, _current.device_id() if device_id is None else device_id)
        return int(address or 0), math.prod(shape), dtype
    if _dlpack_device(array) is not None:
        elements = _dlpack.take(array, _dlpack.stream_number(stream))
        _check(_dlpack.is_contiguous(elements.shape, elements.strides), elements.is_read_only, writable)
        return elements.address, int(np.prod(elements.shape, dtype=np.int64)), elements.dtype
    raise TypeError(
        "expected an array in device memory (with __cuda_array_interface__ or __dlpack__), not "
        f"{type(array).__name__}; DeviceArray.from_numpy() copies one there"
    )


#: NumPy's types for PyTorch's.
_tensor_dtypes: dict[Any, np.dtype[Any]] = {}


def _tensor_elements(tensor: Any, stream: Stream | None) -> tuple[int, int, np.dtype[Any]] | None:
    """The same of one of PyTorch's tensors, whose ``__cuda_array_interface__`` is Python code that takes longer than a
    launch, and does not name the stream that PyTorch works in. Everything is asked for each time: a tensor's memory,
    shape and type may be exchanged. None where that has to be asked for, of which it makes its errors as well."""
    try:
        if tensor.requires_grad or not (tensor.is_cuda and tensor.is_contiguous()):
            return None
        dtype = _tensor_dtypes.get(tensor.dtype)
        if dtype is None:
            interface = tensor.__cuda_array_interface__
            dtype = _tensor_dtypes[tensor.dtype] = np.dtype(interface["typestr"])
        elements = tensor.data_ptr(), tensor.numel(), dtype
        if stream is None:
            return elements
        device = tensor.get_device()
    except (AttributeError, TypeError, RuntimeError):
        return None
    _wait_for(stream, _pytorchs_stream(device) or _dlpack.LEGACY_STREAM, device)
    return elements


def _pytorchs_stream(device: int) -> int:
    """The stream that PyTorch works in on the device, in this thread."""
    torch = sys.modules["torch"]
    # What its own compiler calls; torch.cuda.current_stream makes an object of it, which takes longer than a launch.
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    handle: int = torch.cuda.current_stream(device).cuda_stream if raw is None else raw(device)
    return handle


def _wait_for(stream: Stream, producer: int, device_id: int) -> None:
    """Work in the stream comes after what the array's library has in flight in its own, on that device."""
    own = stream.handle
    if own == producer or (own == 0 and producer == _dlpack.LEGACY_STREAM):
        return
    key = (device_id, producer)
    known = _producers.get(key)
    if known is not None:
        try:
            _order(stream, known)
            return
        except Error:
            # Their context is gone, with the event; another stream may have the same handle now.
            _producers.pop(key, None)
    made = (Stream._wrap(_cuprum.cuprum_stream_from_native(device_id, producer)), Event._make_default(device_id))
    _order(stream, made)
    if len(_producers) == _MOST_PRODUCERS:
        _producers.clear()
    _producers[key] = made


def _order(stream: Stream, producer: tuple[Stream, Event]) -> None:
    """Threads share the event: one that waits for what another has recorded since waits for more, not for less."""
    theirs, event = producer
    theirs.record(event)
    stream.wait(event)


#: The streams of other libraries, by device and handle, each with the event that orders ours after it.
_producers: dict[tuple[int, int], tuple[Stream, Event]] = {}
_MOST_PRODUCERS = 64


def host_elements(array: Any, *, writable: bool = False) -> tuple[int, int, np.dtype[Any]]:
    """Address, number and type of an array's elements in host memory."""
    if is_on_device(array):
        raise TypeError(
            f"expected an array in host memory for execution='host'; this {type(array).__name__} is in device memory"
        )
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected a NumPy array for execution='host', not {type(array).__name__}")
    if not array.flags.c_contiguous:
        raise ValueError("the array is not contiguous; pass a contiguous copy")
    if writable and not array.flags.writeable:
        raise ValueError("the array is read-only, and the result is written to it")
    return int(array.__array_interface__["data"][0]), array.size, array.dtype


def elements_of(
    array: Any, *, on_host: bool, writable: bool = False, stream: Stream | None = None
) -> tuple[int, int, np.dtype[Any]]:
    """Address, number and type of an array's elements, where the algorithm runs."""
    if on_host:
        return host_elements(array, writable=writable)
    return device_elements(array, writable=writable, stream=stream)


def dtype_of(array: Any, *, on_host: bool) -> np.dtype[Any]:
    """The type of an array's elements, where the algorithm runs, or of an iterator's."""
    from cuprum.parallel._iterators import Iterator

    if isinstance(array, Iterator):
        return array.dtype
    return elements_of(array, on_host=on_host)[2]


def is_on_device(array: Any) -> bool:
    return hasattr(array, "__cuda_array_interface__") or _dlpack_device(array) is not None


def stream_of(stream: Stream | IsStreamType | None) -> Stream:
    """The stream given, or the current device's default stream."""
    if stream is not None:
        return as_stream(stream)
    device_id = _current.device_id()
    default = _default_streams.get(device_id)
    if default is None:
        from cuprum.core import Device

        default = _default_streams[device_id] = Device(device_id).default_stream
    return default


#: Each device's own.
_default_streams: dict[int, Stream] = {}
