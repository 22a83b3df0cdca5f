"""Tensor maps: what the tensor memory accelerator of a device copies boxes of a tensor by."""

from __future__ import annotations

import dataclasses
import enum
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._memoryview import StridedMemoryView


class TensorMapDataType(enum.IntEnum):
    """What an element is: ``CUtensorMapDataType``."""

    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    INT32 = 3
    UINT64 = 4
    INT64 = 5
    FLOAT16 = 6
    FLOAT32 = 7
    FLOAT64 = 8
    BFLOAT16 = 9
    FLOAT32_FTZ = 10
    TFLOAT32 = 11
    TFLOAT32_FTZ = 12


class TensorMapInterleave(enum.IntEnum):
    """How channels lie in memory: ``CUtensorMapInterleave``."""

    NONE = 0
    INTERLEAVE_16B = 1
    INTERLEAVE_32B = 2


class TensorMapSwizzle(enum.IntEnum):
    """How chunks of 16 bytes change places in shared memory: ``CUtensorMapSwizzle``."""

    NONE = 0
    SWIZZLE_32B = 1
    SWIZZLE_64B = 2
    SWIZZLE_128B = 3


class TensorMapL2Promotion(enum.IntEnum):
    """How much the L2 cache fetches at once: ``CUtensorMapL2promotion``."""

    NONE = 0
    L2_64B = 1
    L2_128B = 2
    L2_256B = 3


class TensorMapOOBFill(enum.IntEnum):
    """What elements outside the tensor are: ``CUtensorMapFloatOOBfill``."""

    NONE = 0
    NAN_REQUEST_ZERO_FMA = 1


class TensorMapIm2ColWideMode(enum.IntEnum):
    """How wide columns are loaded: ``CUtensorMapIm2ColWideMode``."""

    W = 0
    W128 = 1


@dataclasses.dataclass
class TensorMapDescriptorOptions:
    """How a tensor is copied in boxes: ``StridedMemoryView.as_tensor_map``.

    ``box_dim`` is the box's number of elements in each dimension. ``element_strides``: of every n-th element.
    ``data_type``, NumPy's or a TensorMapDataType, replaces the view's.
    """

    box_dim: tuple[int, ...]
    element_strides: tuple[int, ...] | None = None
    data_type: object = None
    interleave: TensorMapInterleave = TensorMapInterleave.NONE
    swizzle: TensorMapSwizzle = TensorMapSwizzle.NONE
    l2_promotion: TensorMapL2Promotion = TensorMapL2Promotion.NONE
    oob_fill: TensorMapOOBFill = TensorMapOOBFill.NONE

    def __post_init__(self) -> None:
        """Sequences become tuples."""
        self.box_dim = tuple(self.box_dim)
        if self.element_strides is not None:
            self.element_strides = tuple(self.element_strides)


#: By NumPy's names.
_TYPES = {
    "uint8": TensorMapDataType.UINT8,
    "uint16": TensorMapDataType.UINT16,
    "uint32": TensorMapDataType.UINT32,
    "int32": TensorMapDataType.INT32,
    "uint64": TensorMapDataType.UINT64,
    "int64": TensorMapDataType.INT64,
    "float16": TensorMapDataType.FLOAT16,
    "float32": TensorMapDataType.FLOAT32,
    "float64": TensorMapDataType.FLOAT64,
    "bfloat16": TensorMapDataType.BFLOAT16,
}
_TILED, _IM2COL, _IM2COL_WIDE = 0, 1, 2
#: cuprum_tensor_map_description.
_DESCRIPTION = struct.Struct("=Iii IQ iiii 5Q 5Q 5I 5I 3i 3i II")


def _data_type(view: StridedMemoryView, given: object) -> TensorMapDataType:
    if isinstance(given, TensorMapDataType):
        return given
    import numpy as np

    dtype = view.dtype if given is None else np.dtype(given)  # type: ignore[call-overload]
    found = _TYPES.get(dtype.name)
    if found is None:
        raise ValueError(f"tensor maps have no elements of {dtype}; give a data_type of {', '.join(_TYPES)}")
    return found


def _padded(name: str, numbers: Sequence[int] | None, rank: int, room: int = 5) -> tuple[int, ...]:
    """The numbers and zeros."""
    if numbers is None:
        return (0,) * room
    if len(numbers) != rank:
        raise ValueError(f"{name} must have {rank} numbers, as many as the tensor has dimensions, not {len(numbers)}")
    return (*numbers, *(0,) * (room - rank))


class TensorMapDescriptor:
    """A tensor map, which a kernel takes as ``const __grid_constant__ CUtensorMap``.

    Made by ``StridedMemoryView.as_tensor_map``. It keeps the memory that it was made of.
    """

    __slots__ = ("__weakref__", "_bytes", "_device_id", "_owner")

    _bytes: bytes
    _device_id: int
    _owner: object

    def __init__(self) -> None:
        """Raises TypeError: ``StridedMemoryView.as_tensor_map`` makes descriptors."""
        raise TypeError("make tensor maps with StridedMemoryView.as_tensor_map()")

    @classmethod
    def _encode(
        cls,
        view: StridedMemoryView,
        mode: int,
        options: TensorMapDescriptorOptions,
        box: tuple[int, ...] = (0,) * 5,
        lower: tuple[int, ...] = (0,) * 3,
        upper: tuple[int, ...] = (0,) * 3,
        channels: int = 0,
        pixels: int = 0,
    ) -> TensorMapDescriptor:
        view = _device_view(view)
        rank = len(view.shape)
        if not 1 <= rank <= 5:
            raise ValueError(f"a tensor map has 1 to 5 dimensions, not {rank}")
        device_id = _device_of(view)
        description = _DESCRIPTION.pack(
            _DESCRIPTION.size,
            mode,
            _data_type(view, options.data_type),
            rank,
            view.ptr,
            TensorMapInterleave(options.interleave),
            TensorMapSwizzle(options.swizzle),
            TensorMapL2Promotion(options.l2_promotion),
            TensorMapOOBFill(options.oob_fill),
            *_padded("shape", view.shape, rank),
            *_padded("strides", view.strides, rank),
            *box,
            *_padded("element_strides", options.element_strides, rank),
            *lower,
            *upper,
            channels,
            pixels,
        )
        descriptor = cls.__new__(cls)
        descriptor._bytes = bytes(_cuprum.cuprum_tensor_map_encode(device_id, description))
        descriptor._device_id, descriptor._owner = device_id, view
        return descriptor

    @classmethod
    def _from_tiled(
        cls,
        view: StridedMemoryView,
        box_dim: Sequence[int] | None = None,
        *,
        options: TensorMapDescriptorOptions | Mapping[str, Any] | None = None,
        **others: Any,
    ) -> TensorMapDescriptor:
        given = {name: value for name, value in others.items() if value is not None}
        if options is None:
            if box_dim is None:
                raise TypeError("box_dim is missing: the number of elements of a box in each dimension")
            options = TensorMapDescriptorOptions(tuple(box_dim), **given)
        elif box_dim is not None or given:
            raise TypeError("give either options, or box_dim and the others by themselves")
        options = as_options(TensorMapDescriptorOptions, options)
        rank = len(view.shape)
        return cls._encode(view, _TILED, options, box=_padded("box_dim", options.box_dim, rank))

    @classmethod
    def _from_im2col(
        cls,
        view: StridedMemoryView,
        pixel_box_lower_corner: Sequence[int],
        pixel_box_upper_corner: Sequence[int],
        channels_per_pixel: int,
        pixels_per_column: int,
        **others: Any,
    ) -> TensorMapDescriptor:
        spatial = len(view.shape) - 2
        if not 1 <= spatial <= 3:
            raise ValueError(f"columns of pixels are of tensors of 3 to 5 dimensions, not {len(view.shape)}")
        return cls._encode(
            view,
            _IM2COL,
            TensorMapDescriptorOptions((), **others),
            lower=_padded("pixel_box_lower_corner", pixel_box_lower_corner, spatial, 3),
            upper=_padded("pixel_box_upper_corner", pixel_box_upper_corner, spatial, 3),
            channels=channels_per_pixel,
            pixels=pixels_per_column,
        )

    @classmethod
    def _from_im2col_wide(
        cls,
        view: StridedMemoryView,
        pixel_box_lower_corner_width: int,
        pixel_box_upper_corner_width: int,
        channels_per_pixel: int,
        pixels_per_column: int,
        *,
        mode: TensorMapIm2ColWideMode = TensorMapIm2ColWideMode.W,
        swizzle: TensorMapSwizzle = TensorMapSwizzle.SWIZZLE_128B,
        **others: Any,
    ) -> TensorMapDescriptor:
        return cls._encode(
            view,
            _IM2COL_WIDE + TensorMapIm2ColWideMode(mode),
            TensorMapDescriptorOptions((), swizzle=swizzle, **others),
            lower=(pixel_box_lower_corner_width, 0, 0),
            upper=(pixel_box_upper_corner_width, 0, 0),
            channels=channels_per_pixel,
            pixels=pixels_per_column,
        )

    @property
    def device(self) -> Device | None:
        """The device whose memory it is of."""
        from cuprum.core._device import Device

        return Device(self._device_id)

    @property
    def _kernel_argument(self) -> bytes:
        return self._bytes

    def replace_address(self, tensor: object) -> None:
        """The same tensor in other memory: an array of a device, a view of one, or a Buffer."""
        view = _device_view(tensor)
        self._bytes = bytes(_cuprum.cuprum_tensor_map_replace_address(self._device_id, self._bytes, view.ptr))
        self._owner = view

    def __repr__(self) -> str:
        return f"<TensorMapDescriptor of device {self._device_id}>"


def _device_of(view: StridedMemoryView) -> int:
    from cuprum.core import _current

    return view.device_id if view.device_id >= 0 else _current.device_id()


def _device_view(tensor: object) -> StridedMemoryView:
    from cuprum.core._memoryview import StridedMemoryView

    if isinstance(tensor, Buffer):
        view = StridedMemoryView.from_buffer(tensor, (tensor.size,))
    elif isinstance(tensor, StridedMemoryView):
        view = tensor
    else:
        view = StridedMemoryView(tensor, -1)
    if not view.is_device_accessible:
        raise ValueError("a tensor map is of memory that the device can use, not of the host's: copy it to a Buffer")
    return view
