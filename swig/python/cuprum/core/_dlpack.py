"""The DLPack protocol of the array API standard: importing other libraries' arrays, and exporting ours."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._stream import Stream

if TYPE_CHECKING:
    import numpy as np

#: DLDeviceType.
CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13

#: DLDataTypeCode.
_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6
_KINDS = {_INT: "i", _UINT: "u", _FLOAT: "f", _COMPLEX: "c"}
_CODES = {kind: code for code, kind in _KINDS.items()}

#: As a consumer's stream: no order is made, and CUDA's name for the legacy default stream.
NO_ORDER, LEGACY_STREAM = -1, 1


class Elements(NamedTuple):
    """What a capsule held. The memory stays valid for as long as ``keeper`` is alive."""

    address: int
    device_type: int
    device_id: int
    code: int
    bits: int
    lanes: int
    shape: tuple[int, ...]
    #: In elements; None where they are contiguous.
    strides: tuple[int, ...] | None
    is_read_only: bool
    keeper: object

    @property
    def dtype(self) -> np.dtype[Any]:
        import numpy as np

        if self.lanes == 1:
            if self.code in _KINDS and self.bits % 8 == 0:
                return np.dtype(f"{_KINDS[self.code]}{self.bits // 8}")
            if (self.code, self.bits) == (_BOOL, 8):
                return np.dtype(np.bool_)
            if (self.code, self.bits) == (_BFLOAT, 16):
                try:
                    bfloat16: np.dtype[Any] = np.dtype(importlib.import_module("ml_dtypes").bfloat16)
                except ImportError as error:
                    raise BufferError("NumPy has no type for bfloat16 elements: install ml_dtypes") from error
                return bfloat16
        raise BufferError(
            f"the DLPack elements of type code {self.code}, {self.bits} bits and {self.lanes} lanes have no NumPy type"
        )


def is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, item_size: int = 1) -> bool:
    """Whether the elements are contiguous. Strides are in elements, or in bytes with the elements' size."""
    if strides is None or 0 in shape:
        return True
    expected = item_size
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length > 1 and stride != expected:
            return False
        expected *= length
    return True


def device_of(array: object) -> tuple[int, int] | None:
    """Device type and ordinal of an array with ``__dlpack__``, else None."""
    ask = getattr(array, "__dlpack_device__", None)
    if ask is None or not hasattr(array, "__dlpack__"):
        return None
    device_type, device_id = ask()
    return int(device_type), int(device_id)


def stream_number(stream: Stream | None) -> int:
    """What ``__dlpack__`` is passed for the stream that will use the memory; None: it is not used."""
    return NO_ORDER if stream is None else stream.handle or LEGACY_STREAM


def take(array: Any, stream: int | None) -> Elements:
    """The elements of an array with ``__dlpack__``, for work in ``stream`` (as ``stream_number`` tells it)."""
    device = device_of(array)
    if device is None:
        raise BufferError(f"{type(array).__name__} has no __dlpack__ and __dlpack_device__")
    ordered = {} if device[0] == CPU else {"stream": stream}
    if device[0] == CUDA and device[1] != _current.device_id():
        capsule = _exported_on(device[1], array, ordered)
    else:
        capsule = _exported(array, ordered)
    return Elements(*_cuprum.dlpack_take_capsule(capsule))


def _exported(array: Any, ordered: dict[str, int | None]) -> object:
    try:
        return array.__dlpack__(max_version=(1, 0), **ordered)
    except TypeError:  # exporters from before max_version
        return array.__dlpack__(**ordered)


def _exported_on(device_id: int, array: Any, ordered: dict[str, int | None]) -> object:
    """With the array's device current, which PyTorch wants for its tensors. The context of before is current again."""
    from cuprum.bindings import driver
    from cuprum.core._device import Device

    (pushed,) = driver.cuCtxPushCurrent(int(Device(device_id).context.handle))
    try:
        return _exported(array, ordered)
    finally:
        if pushed == driver.CUresult.CUDA_SUCCESS:
            driver.cuCtxPopCurrent()


def give(
    owner: object,
    address: int,
    device: tuple[int, int],
    dtype: np.dtype[Any] | None,
    shape: tuple[int, ...],
    *,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
    strides: tuple[int, ...] | None = None,
    is_read_only: bool = False,
) -> object:
    """A capsule, which keeps ``owner``. ``dtype`` None: bytes, as ``cuda.core`` gives them.

    ``strides`` are in elements; None: contiguous.
    """
    if copy:
        raise BufferError("the memory is exported without a copy; copy it and export the copy")
    if dl_device is not None and tuple(dl_device) != device:
        raise BufferError(f"the memory is on the DLPack device {device}, and cannot be exported to {tuple(dl_device)}")
    is_versioned = max_version is not None and max_version[0] >= 1
    if is_read_only and not is_versioned:
        raise BufferError("the memory is read-only, which DLPack capsules before version 1.0 cannot tell")
    code, bits = (_INT, 8) if dtype is None else _type_of(dtype)
    return _cuprum.dlpack_make_capsule(owner, address, *device, code, bits, shape, strides, is_read_only, is_versioned)


def _type_of(dtype: np.dtype[Any]) -> tuple[int, int]:
    bits = dtype.itemsize * 8
    if dtype.name == "bfloat16":
        return _BFLOAT, bits
    if dtype.kind == "b":
        return _BOOL, bits
    if dtype.names is None and dtype.kind in _CODES and dtype.isnative:
        return _CODES[dtype.kind], bits
    raise BufferError(f"DLPack has no type for elements of {dtype}")


def order_after(consumer: int | None, producer: object) -> None:
    """Makes a consumer's stream, as ``__dlpack__`` is given it, wait for all work so far in the producer's."""
    if consumer == NO_ORDER or not isinstance(producer, Stream) or producer.is_closed:
        return
    Stream.from_handle(LEGACY_STREAM if consumer is None else consumer).wait(producer)


def interface_stream(producer: object) -> int | None:
    """What ``__cuda_array_interface__`` says of the stream that memory was allocated in; None: nothing to wait for."""
    if not isinstance(producer, Stream) or producer.is_closed:
        return None
    return producer.handle or LEGACY_STREAM
