"""Texture and surface objects: how kernels read and write images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._members import SurfaceObjectMembers, TextureObjectMembers
from cuprum.core._opaque_array import MipmappedArray, OpaqueArray, as_channels, as_format, format_number
from cuprum.core.typing import AddressModeType, ArrayFormatType, FilterModeType, ReadModeType

if TYPE_CHECKING:
    from enum import StrEnum

    from cuprum.core._device import Device

    Named = TypeVar("Named", bound=StrEnum)

_ADDRESS_MODES = {
    AddressModeType.WRAP: _cuprum.CUPRUM_ADDRESS_WRAP,
    AddressModeType.CLAMP: _cuprum.CUPRUM_ADDRESS_CLAMP,
    AddressModeType.MIRROR: _cuprum.CUPRUM_ADDRESS_MIRROR,
    AddressModeType.BORDER: _cuprum.CUPRUM_ADDRESS_BORDER,
}
_FILTER_MODES = {
    FilterModeType.POINT: _cuprum.CUPRUM_FILTER_POINT,
    FilterModeType.LINEAR: _cuprum.CUPRUM_FILTER_LINEAR,
}
_READ_MODES = {
    ReadModeType.ELEMENT_TYPE: _cuprum.CUPRUM_READ_ELEMENT_TYPE,
    ReadModeType.NORMALIZED_FLOAT: _cuprum.CUPRUM_READ_NORMALIZED_FLOAT,
}


class ResourceDescriptor:
    """The memory that a texture or a surface object reads. It keeps that memory.

    Made by ``from_opaque_array``, ``from_mipmapped_array``, ``from_linear`` and ``from_pitch2d``.
    """

    __slots__ = ("_format", "_height", "_kind", "_num_channels", "_pitch_bytes", "_size_bytes", "_source", "_width")

    _kind: str
    _source: OpaqueArray | MipmappedArray | Buffer
    _format: ArrayFormatType | None
    _num_channels: int | None
    _size_bytes: int | None
    _width: int | None
    _height: int | None
    _pitch_bytes: int | None

    def __init__(self) -> None:
        """Raises TypeError: class methods make descriptors."""
        raise TypeError("make descriptors with ResourceDescriptor.from_opaque_array() and its like")

    @classmethod
    def _of(cls, kind: str, source: Any, expected: type[Any]) -> ResourceDescriptor:
        if not isinstance(source, expected):
            raise TypeError(f"expected a {expected.__name__}, not {type(source).__name__}")
        descriptor = cls.__new__(cls)
        descriptor._kind = kind
        descriptor._source = source
        descriptor._format = None
        descriptor._num_channels = descriptor._size_bytes = None
        descriptor._width = descriptor._height = descriptor._pitch_bytes = None
        return descriptor

    @classmethod
    def from_opaque_array(cls, array: OpaqueArray) -> ResourceDescriptor:
        """An array, for textures and surfaces."""
        return cls._of("opaque_array", array, OpaqueArray)

    @classmethod
    def from_mipmapped_array(cls, mipmapped_array: MipmappedArray) -> ResourceDescriptor:
        """All levels of a mipmapped array, for textures."""
        return cls._of("mipmapped_array", mipmapped_array, MipmappedArray)

    @classmethod
    def from_linear(
        cls, buffer: Buffer, *, format: object, num_channels: int, size_bytes: int | None = None
    ) -> ResourceDescriptor:
        """A row of elements in a buffer, ``size_bytes`` of it or all, for textures that kernels read by number."""
        descriptor = cls._of("linear", buffer, Buffer)
        descriptor._format = as_format(format)
        descriptor._num_channels = as_channels(num_channels)
        descriptor._size_bytes = buffer.size if size_bytes is None else size_bytes
        if not 0 < descriptor._size_bytes <= buffer.size:
            raise ValueError(f"size_bytes must be from 1 to the buffer's {buffer.size}, not {size_bytes}")
        return descriptor

    @classmethod
    def from_pitch2d(
        cls, buffer: Buffer, *, format: object, num_channels: int, width: int, height: int, pitch_bytes: int
    ) -> ResourceDescriptor:
        """Rows of elements in a buffer, ``pitch_bytes`` apart, for textures."""
        descriptor = cls._of("pitch2d", buffer, Buffer)
        descriptor._format = as_format(format)
        descriptor._num_channels = as_channels(num_channels)
        if width < 1 or height < 1 or pitch_bytes < 1:
            raise ValueError(f"width, height and pitch_bytes must be at least 1, not {width}, {height}, {pitch_bytes}")
        descriptor._width, descriptor._height, descriptor._pitch_bytes = width, height, pitch_bytes
        return descriptor

    @property
    def kind(self) -> str:
        """``"opaque_array"``, ``"mipmapped_array"``, ``"linear"`` or ``"pitch2d"``."""
        return self._kind

    @property
    def source(self) -> OpaqueArray | MipmappedArray | Buffer:
        """The array or the buffer."""
        return self._source

    @property
    def format(self) -> ArrayFormatType | None:
        """What one channel of an element in a buffer is; None for arrays, as what follows."""
        return self._format

    @property
    def num_channels(self) -> int | None:
        """Channels of each element."""
        return self._num_channels

    @property
    def size_bytes(self) -> int | None:
        """Bytes of a row of elements."""
        return self._size_bytes

    @property
    def width(self) -> int | None:
        """Elements of each of several rows."""
        return self._width

    @property
    def height(self) -> int | None:
        """Rows."""
        return self._height

    @property
    def pitch_bytes(self) -> int | None:
        """Bytes from row to row."""
        return self._pitch_bytes

    def __repr__(self) -> str:
        return f"<ResourceDescriptor {self._kind} of {self._source!r}>"


def _as(kind: type[Named], name: str, value: Any) -> Named:
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(repr(each.value) for each in kind)
        raise ValueError(f"{name} must be one of {names}, not {value!r}") from None


@dataclass
class TextureObjectOptions:
    """How a texture object reads.

    - ``address_mode``: what lies outside: an ``AddressModeType`` or its name, or one for each of up to three axes.
      Without normalized coordinates wrapping and mirroring clamp.
    - ``filter_mode``, ``mipmap_filter_mode``: a ``FilterModeType`` or its name, within and between levels.
    - ``read_mode``: a ``ReadModeType`` or its name.
    - ``normalized_coords``: whether coordinates go from 0 to 1.
    - ``srgb``: whether colours of 8 bits become linear.
    - ``disable_trilinear_optimization``, ``seamless_cubemap``, ``max_anisotropy``: as the driver has them.
    - ``mipmap_level_bias``, ``min_mipmap_level_clamp``, ``max_mipmap_level_clamp``: of the level of detail.
    - ``border_color``: four numbers; None: zeros.
    """

    address_mode: AddressModeType | str | tuple[AddressModeType | str, ...] = AddressModeType.CLAMP
    filter_mode: FilterModeType | str = FilterModeType.POINT
    read_mode: ReadModeType | str = ReadModeType.ELEMENT_TYPE
    normalized_coords: bool = False
    srgb: bool = False
    disable_trilinear_optimization: bool = False
    seamless_cubemap: bool = False
    max_anisotropy: int = 0
    mipmap_filter_mode: FilterModeType | str = FilterModeType.POINT
    mipmap_level_bias: float = 0.0
    min_mipmap_level_clamp: float = 0.0
    max_mipmap_level_clamp: float = 0.0
    border_color: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """ValueError for what there is not."""
        modes = self.address_mode
        modes = (modes,) * 3 if isinstance(modes, str) else tuple(modes)
        if not 1 <= len(modes) <= 3:
            raise ValueError(f"address_mode must be one mode, or one to three of them, not {self.address_mode!r}")
        modes = tuple(_as(AddressModeType, "address_mode", mode) for mode in modes)
        self.address_mode = modes + modes[-1:] * (3 - len(modes))
        self.filter_mode = _as(FilterModeType, "filter_mode", self.filter_mode)
        self.mipmap_filter_mode = _as(FilterModeType, "mipmap_filter_mode", self.mipmap_filter_mode)
        self.read_mode = _as(ReadModeType, "read_mode", self.read_mode)
        if self.max_anisotropy < 0:
            raise ValueError(f"max_anisotropy must be at least 0, not {self.max_anisotropy}")
        if self.border_color is not None:
            self.border_color = tuple(float(part) for part in self.border_color)
            if len(self.border_color) != 4:
                raise ValueError(f"border_color must have 4 numbers, not {len(self.border_color)}")

    def _numbers(self) -> tuple[Any, ...]:
        modes = self.address_mode
        x, y, z = (modes,) * 3 if isinstance(modes, str) else modes
        return (
            _ADDRESS_MODES[AddressModeType(x)],
            _ADDRESS_MODES[AddressModeType(y)],
            _ADDRESS_MODES[AddressModeType(z)],
            _FILTER_MODES[FilterModeType(self.filter_mode)],
            _READ_MODES[ReadModeType(self.read_mode)],
            int(self.normalized_coords),
            int(self.srgb),
            int(self.disable_trilinear_optimization),
            int(self.seamless_cubemap),
            self.max_anisotropy,
            _FILTER_MODES[FilterModeType(self.mipmap_filter_mode)],
            self.mipmap_level_bias,
            self.min_mipmap_level_clamp,
            self.max_mipmap_level_clamp,
            *(self.border_color or (0.0, 0.0, 0.0, 0.0)),
        )


class TextureObject(TextureObjectMembers):
    """How kernels read an image: an argument of type ``cudaTextureObject_t``. It keeps its image.

    Made by ``Device.create_texture_object``. Close it when no kernel uses it any more.
    """

    __slots__ = ("_options", "_resource")
    _destroy = staticmethod(_cuprum.release_texture_object)

    _resource: ResourceDescriptor
    _options: TextureObjectOptions

    def __init__(self) -> None:
        """Raises TypeError: devices make texture objects."""
        raise TypeError("make texture objects with Device.create_texture_object()")

    @classmethod
    def _create(cls, device: Device, resource: ResourceDescriptor, options: TextureObjectOptions) -> TextureObject:
        if not isinstance(resource, ResourceDescriptor):
            raise TypeError(f"resource must be a ResourceDescriptor, not {type(resource).__name__}")
        texture = cls.__new__(cls)
        numbers = options._numbers()
        native = resource._source._open_native(_operations.TEXTURE_OBJECT_OF_OPAQUE_ARRAY)
        ordinal = device.device_id
        if resource._kind == "opaque_array":
            made = _cuprum.cuprum_texture_object_of_opaque_array(ordinal, native, *numbers)
        elif resource._kind == "mipmapped_array":
            made = _cuprum.cuprum_texture_object_of_mipmapped_array(ordinal, native, *numbers)
        else:
            element = format_number(resource._format or ArrayFormatType.UINT8), resource._num_channels or 0
            if resource._kind == "linear":
                size = resource._size_bytes or 0
                made = _cuprum.cuprum_texture_object_of_linear(ordinal, native, *element, size, *numbers)
            else:
                rows = resource._width or 0, resource._height or 0, resource._pitch_bytes or 0
                made = _cuprum.cuprum_texture_object_of_pitch2d(ordinal, native, *element, *rows, *numbers)
        texture._native = made
        texture._resource = resource
        texture._options = options
        return texture

    @property
    def resource(self) -> ResourceDescriptor:
        """What it was made of."""
        return self._resource

    @property
    def options(self) -> TextureObjectOptions:
        """How it reads."""
        return self._options

    @property
    def _kernel_argument(self) -> int:
        return self.handle

    def __repr__(self) -> str:
        return "<TextureObject closed>" if self.is_closed else f"<TextureObject {self.handle:#x} of {self._resource!r}>"


class SurfaceObject(SurfaceObjectMembers):
    """How kernels write an array and read what they wrote: an argument of type ``cudaSurfaceObject_t``. It keeps it.

    Made by ``Device.create_surface_object``, of an array that was made with ``is_surface_load_store``. Close it when no
    kernel uses it any more.
    """

    __slots__ = ("_resource",)
    _destroy = staticmethod(_cuprum.release_surface_object)

    _resource: ResourceDescriptor

    def __init__(self) -> None:
        """Raises TypeError: devices make surface objects."""
        raise TypeError("make surface objects with Device.create_surface_object()")

    @classmethod
    def _create(cls, device: Device, resource: ResourceDescriptor) -> SurfaceObject:
        if not isinstance(resource, ResourceDescriptor):
            raise TypeError(f"resource must be a ResourceDescriptor, not {type(resource).__name__}")
        if resource._kind != "opaque_array":
            raise ValueError(f"a surface object is of an OpaqueArray, not of {resource!r}")
        surface = cls.__new__(cls)
        native = resource._source._open_native(_operations.SURFACE_OBJECT_CREATE)
        surface._native = _cuprum.cuprum_surface_object_create(device.device_id, native)
        surface._resource = resource
        return surface

    @property
    def resource(self) -> ResourceDescriptor:
        """What it was made of."""
        return self._resource

    @property
    def _kernel_argument(self) -> int:
        return self.handle

    def __repr__(self) -> str:
        return "<SurfaceObject closed>" if self.is_closed else f"<SurfaceObject {self.handle:#x} of {self._resource!r}>"
