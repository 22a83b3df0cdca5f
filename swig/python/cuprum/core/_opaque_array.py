"""Arrays: device memory in an order that only the device knows, for textures and surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._members import MipmappedArrayMembers, OpaqueArrayMembers
from cuprum.core._stream import as_stream
from cuprum.core.typing import ArrayFormatType

if TYPE_CHECKING:
    from cuprum._typing import HostMemory
    from cuprum.core._device import Device
    from cuprum.core._graph_builder import GraphBuilder
    from cuprum.core._stream import IsStreamType, Stream

_NUMBERS = {
    ArrayFormatType.UINT8: _cuprum.CUPRUM_ARRAY_UINT8,
    ArrayFormatType.UINT16: _cuprum.CUPRUM_ARRAY_UINT16,
    ArrayFormatType.UINT32: _cuprum.CUPRUM_ARRAY_UINT32,
    ArrayFormatType.INT8: _cuprum.CUPRUM_ARRAY_INT8,
    ArrayFormatType.INT16: _cuprum.CUPRUM_ARRAY_INT16,
    ArrayFormatType.INT32: _cuprum.CUPRUM_ARRAY_INT32,
    ArrayFormatType.FLOAT16: _cuprum.CUPRUM_ARRAY_FLOAT16,
    ArrayFormatType.FLOAT32: _cuprum.CUPRUM_ARRAY_FLOAT32,
}
_FORMATS = {number: name for name, number in _NUMBERS.items()}


def format_number(name: ArrayFormatType) -> int:
    """That of the C ABI."""
    return _NUMBERS[name]


def as_format(value: object) -> ArrayFormatType:
    """A format by its name, or by a NumPy dtype or scalar type that has it."""
    name = value if isinstance(value, str) else getattr(value, "name", None) or getattr(value, "__name__", None)
    if name not in _NUMBERS:
        names = ", ".join(repr(each.value) for each in ArrayFormatType)
        raise ValueError(f"format must be one of {names}, or a NumPy dtype of that name, not {value!r}")
    return ArrayFormatType(name)


def as_channels(value: object) -> int:
    """1, 2 or 4."""
    for number in (1, 2, 4):
        if value == number:
            return number
    raise ValueError(f"num_channels must be 1, 2 or 4, not {value!r}")


def _as_shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, Sequence) or isinstance(shape, str) or not 1 <= len(shape) <= 3:
        raise ValueError(f"shape must be (width,), (width, height) or (width, height, depth), not {shape!r}")
    sizes = tuple(int(size) for size in shape)
    if min(sizes) < 1:
        raise ValueError(f"shape must be of numbers of at least 1, not {shape!r}")
    return sizes


def _shape_of(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(size for size in sizes if size != 0)


@dataclass
class OpaqueArrayOptions:
    """Options for ``Device.create_opaque_array``.

    - ``shape``: ``(width,)``, ``(width, height)`` or ``(width, height, depth)``, in elements.
    - ``format``: what one channel is: an ``ArrayFormatType``, its name, or a NumPy dtype.
    - ``num_channels``: 1, 2 or 4.
    - ``is_surface_load_store``: whether a ``SurfaceObject`` can be made of it.
    """

    shape: tuple[int, ...]
    format: object
    num_channels: int
    is_surface_load_store: bool = False

    def __post_init__(self) -> None:
        """ValueError for what there is not."""
        self.shape = _as_shape(self.shape)
        self.format = as_format(self.format)
        self.num_channels = as_channels(self.num_channels)


@dataclass
class MipmappedArrayOptions:
    """Options for ``Device.create_mipmapped_array``: as ``OpaqueArrayOptions``, of level 0, and ``num_levels``."""

    shape: tuple[int, ...]
    format: object
    num_channels: int
    num_levels: int
    is_surface_load_store: bool = False

    def __post_init__(self) -> None:
        """ValueError for what there is not."""
        self.shape = _as_shape(self.shape)
        self.format = as_format(self.format)
        self.num_channels = as_channels(self.num_channels)
        if self.num_levels < 1:
            raise ValueError(f"num_levels must be at least 1, not {self.num_levels}")


def _numbers(options: OpaqueArrayOptions | MipmappedArrayOptions, levels: int) -> tuple[int, ...]:
    width, height, depth = (*options.shape, 0, 0)[:3]
    number = _NUMBERS[as_format(options.format)]
    return number, options.num_channels, levels, width, height, depth, int(options.is_surface_load_store), 0


class OpaqueArray(OpaqueArrayMembers):
    """A CUDA array: kernels read it through a ``TextureObject`` and write it through a ``SurfaceObject``.

    Made by ``Device.create_opaque_array``. Its elements are filled and read by copies alone. It lives until it and what
    was made of it are closed.
    """

    __slots__ = ()
    _destroy = staticmethod(_cuprum.release_opaque_array)

    def __init__(self) -> None:
        """Raises TypeError: devices make arrays."""
        raise TypeError("make arrays with Device.create_opaque_array()")

    @classmethod
    def _wrap(cls, native: int) -> OpaqueArray:
        array = cls.__new__(cls)
        array._native = native
        return array

    @classmethod
    def _create(cls, device: Device, options: OpaqueArrayOptions) -> OpaqueArray:
        return cls._wrap(_cuprum.cuprum_opaque_array_create(device.device_id, *_numbers(options, 0)))

    @classmethod
    def _from_handle(cls, handle: int, owning: bool, *, device_id: int | None = None) -> OpaqueArray:
        """Borrows an array that other code has made, as a graphics library. ``owning`` must be False."""
        if owning:
            raise ValueError("an array that other code has made is borrowed: owning must be False")
        from cuprum.core._device import Device

        return cls._wrap(
            _cuprum.cuprum_opaque_array_from_native(Device().device_id if device_id is None else device_id, handle)
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """In elements."""
        return _shape_of(_cuprum.cuprum_opaque_array_shape(self._open_native(_operations.OPAQUE_ARRAY_SHAPE)))

    @property
    def format(self) -> ArrayFormatType:
        """What one channel of an element is."""
        return _FORMATS[_cuprum.cuprum_opaque_array_format(self._open_native(_operations.OPAQUE_ARRAY_FORMAT))]

    def copy_from(self, src: Buffer | HostMemory, *, stream: Stream | GraphBuilder | IsStreamType) -> None:
        """Copies all elements in, row after row without gaps, in the stream's order.

        ``src`` is a Buffer, or contiguous host memory with the buffer protocol, of at least ``size_bytes`` bytes. Host
        memory is kept alive until the stream has passed it, and must not be changed before that.
        """
        borrowed = as_stream(stream)
        if isinstance(src, Buffer):
            operation = _operations.OPAQUE_ARRAY_COPY_FROM
            _cuprum.cuprum_opaque_array_copy_from(
                self._open_native(operation), src._open_native(operation), borrowed._open_native(operation)
            )
            return
        operation = _operations.OPAQUE_ARRAY_COPY_FROM_HOST
        _cuprum.cuprum_opaque_array_copy_from_host(self._open_native(operation), src, borrowed._open_native(operation))
        borrowed._hold(src)

    def copy_to(self, dst: Any, *, stream: Stream | GraphBuilder | IsStreamType) -> Any:
        """Copies all elements out, row after row without gaps, in the stream's order, and returns ``dst``.

        ``dst`` is a Buffer, or contiguous writable host memory with the buffer protocol, of at least ``size_bytes``
        bytes. Host memory is kept alive until the stream has passed it.
        """
        borrowed = as_stream(stream)
        if isinstance(dst, Buffer):
            operation = _operations.OPAQUE_ARRAY_COPY_TO
            _cuprum.cuprum_opaque_array_copy_to(
                self._open_native(operation), dst._open_native(operation), borrowed._open_native(operation)
            )
            return dst
        operation = _operations.OPAQUE_ARRAY_COPY_TO_HOST
        _cuprum.cuprum_opaque_array_copy_to_host(self._open_native(operation), dst, borrowed._open_native(operation))
        borrowed._hold(dst)
        return dst

    def __repr__(self) -> str:
        if self.is_closed:
            return "<OpaqueArray closed>"
        size = " x ".join(map(str, self.shape))
        return f"<OpaqueArray of {size} elements of {self.num_channels} {self.format} of {self.device!r}>"


class MipmappedArray(MipmappedArrayMembers):
    """An image in several sizes, each half as large as the one before: levels, which are arrays.

    Made by ``Device.create_mipmapped_array``. It lives until it, its levels and what was made of them are closed.
    """

    __slots__ = ()
    _destroy = staticmethod(_cuprum.release_mipmapped_array)

    def __init__(self) -> None:
        """Raises TypeError: devices make mipmapped arrays."""
        raise TypeError("make mipmapped arrays with Device.create_mipmapped_array()")

    @classmethod
    def _create(cls, device: Device, options: MipmappedArrayOptions) -> MipmappedArray:
        array = cls.__new__(cls)
        numbers = _numbers(options, options.num_levels)
        array._native = _cuprum.cuprum_mipmapped_array_create(device.device_id, *numbers)
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """Of level 0, in elements."""
        return _shape_of(_cuprum.cuprum_mipmapped_array_shape(self._open_native(_operations.MIPMAPPED_ARRAY_SHAPE)))

    @property
    def format(self) -> ArrayFormatType:
        """What one channel of an element is."""
        return _FORMATS[_cuprum.cuprum_mipmapped_array_format(self._open_native(_operations.MIPMAPPED_ARRAY_FORMAT))]

    def get_level(self, level: int) -> OpaqueArray:
        """The array of one level, 0 the largest, which keeps the whole."""
        native = self._open_native(_operations.MIPMAPPED_ARRAY_GET_LEVEL)
        return OpaqueArray._wrap(_cuprum.cuprum_mipmapped_array_get_level(native, level))

    def __repr__(self) -> str:
        if self.is_closed:
            return "<MipmappedArray closed>"
        size = " x ".join(map(str, self.shape))
        return f"<MipmappedArray of {self.num_levels} levels, the first of {size} elements, of {self.device!r}>"
