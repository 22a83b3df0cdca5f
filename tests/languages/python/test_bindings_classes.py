"""Handles, structures and enumerations."""

from __future__ import annotations

import ctypes
import gc
import struct

import numpy as np
import pytest
from cuprum.bindings import driver, nvrtc, runtime


def bytes_at(value: driver.CUdeviceptr, size: int) -> bytes:
    return ctypes.string_at(value.getPtr(), size)


def test_a_handle_is_a_number_with_an_address() -> None:
    pointer = driver.CUdeviceptr(0xFFFFFFFF00000001)
    assert int(pointer) == 0xFFFFFFFF00000001
    assert bytes_at(pointer, 8) == struct.pack("<Q", 0xFFFFFFFF00000001)
    assert hex(pointer) == "0xffffffff00000001"  # __index__
    assert int(driver.CUdevice(-2)) == -2
    assert int(driver.CUstream()) == 0


def test_handles_are_equal_when_they_are_the_same_of_one_class() -> None:
    assert driver.CUstream(5) == driver.CUstream(5)
    assert driver.CUstream(5) != driver.CUstream(6)
    other: object = driver.CUevent(5)
    assert driver.CUstream(5) != other
    assert len({driver.CUstream(5), driver.CUstream(5), driver.CUstream(6)}) == 2


def test_a_handle_shows_itself() -> None:
    assert repr(driver.CUstream(255)) == "<CUstream 0xff>"
    assert repr(driver.CUdevice(3)) == "<CUdevice 3>"
    assert repr(driver.CUdeviceptr(16)) == "<CUdeviceptr 16>"


def test_a_handle_can_lie_in_memory_of_the_callers() -> None:
    place = ctypes.c_uint64(7)
    handle = driver.CUevent(_ptr=ctypes.addressof(place))
    assert int(handle) == 7
    place.value = 8
    assert int(handle) == 8


def test_the_runtimes_handles_are_the_drivers() -> None:
    assert runtime.cudaStream_t is driver.CUstream
    assert runtime.cudaEvent_t is driver.CUevent
    assert runtime.cudaGraphExec_t is driver.CUgraphExec


def test_a_handle_refuses_what_is_none() -> None:
    with pytest.raises(TypeError, match=r"CUstream: init_value takes a CUstream, an int or None, not str"):
        driver.CUstream("5")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        driver.CUdeviceptr(-1)
    with pytest.raises(TypeError, match="cannot create"):
        type(driver.CUstream()).__base__()  # type: ignore[misc]


def test_a_structure_begins_with_zeros() -> None:
    copy = driver.CUDA_MEMCPY2D()
    assert ctypes.string_at(copy.getPtr(), 128) == bytes(128)
    assert copy.Height == 0
    assert copy.srcDevice == driver.CUdeviceptr(0)


def test_fields_are_where_c_has_them() -> None:
    copy = driver.CUDA_MEMCPY2D()
    copy.WidthInBytes = 0xFFFFFFFF00000001
    copy.Height = 3
    copy.dstDevice = driver.CUdeviceptr(77)
    copy.srcMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_HOST
    raw = ctypes.string_at(copy.getPtr(), 128)
    assert struct.unpack_from("<QQ", raw, 112) == (0xFFFFFFFF00000001, 3)
    assert struct.unpack_from("<Q", raw, 88) == (77,)
    assert struct.unpack_from("<I", raw, 16) == (1,)
    assert copy.srcMemoryType is driver.CUmemorytype.CU_MEMORYTYPE_HOST


def test_a_structure_within_another_is_a_view_of_it() -> None:
    attribute = driver.CUlaunchAttribute()
    value = attribute.value
    value.clusterDim.x = 5
    assert attribute.value.clusterDim.x == 5
    other = driver.CUlaunchAttributeValue()
    other.priority = -3
    attribute.value = other
    assert value.priority == -3
    del attribute, other
    gc.collect()
    assert value.priority == -3  # it keeps what it is a view of


def test_the_fields_of_a_union_share_their_bytes() -> None:
    value = driver.CUlaunchAttributeValue()
    value.cooperative = 1
    assert value.priority == 1
    assert value.pad == b"\1" + bytes(63)


def test_arrays_of_bytes_are_bytes() -> None:
    uuid = driver.CUuuid()
    uuid.bytes = bytes(range(16))
    assert uuid.bytes == bytes(range(16))
    uuid.bytes = b"ab"
    assert uuid.bytes == b"ab" + bytes(14)
    with pytest.raises(ValueError, match=r"CUuuid.bytes takes at most 16 bytes, not 17"):
        uuid.bytes = bytes(17)


def test_other_arrays_are_lists() -> None:
    descriptor = driver.CUDA_TEXTURE_DESC()
    modes = [driver.CUaddress_mode.CU_TR_ADDRESS_MODE_CLAMP] * 3
    descriptor.addressMode = modes
    assert descriptor.addressMode == modes
    descriptor.borderColor = [0.5, 1, 2, 4]
    assert descriptor.borderColor == [0.5, 1.0, 2.0, 4.0]
    with pytest.raises(ValueError, match=r"CUDA_TEXTURE_DESC.borderColor takes 4 values, not 2"):
        descriptor.borderColor = [1, 2]
    with pytest.raises(TypeError):
        descriptor.borderColor = [9, 9, 9, "x"]  # type: ignore[list-item]
    assert descriptor.borderColor == [0.5, 1.0, 2.0, 4.0]  # as it was


def test_pointers_to_structures_take_lists_and_keep_them() -> None:
    configuration = driver.CUlaunchConfig()
    attributes = [driver.CUlaunchAttribute(), driver.CUlaunchAttribute()]
    attributes[1].id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PRIORITY
    configuration.attrs = attributes
    configuration.numAttrs = 2
    assert configuration.attrs == attributes
    raw = ctypes.string_at(configuration.getPtr(), 56)
    (address,) = struct.unpack_from("<Q", raw, 40)
    gc.collect()
    second = driver.CUlaunchAttribute(_ptr=address + 72)
    assert second.id is driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PRIORITY
    configuration.attrs = None
    assert configuration.attrs == []


def test_addresses_in_structures_keep_their_buffers() -> None:
    copy = driver.CUDA_MEMCPY2D()
    copy.srcHost = np.arange(100, dtype=np.uint8)
    gc.collect()
    assert ctypes.string_at(copy.srcHost, 100) == bytes(range(100))


def test_a_structure_shows_its_fields() -> None:
    location = driver.CUmemLocation()
    location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    location.id = 2
    assert repr(location) == "type : 1\nid : 2"
    access = driver.CUmemAccessDesc()
    assert str(access) == "location :\n    type : 0\n    id : 0\nflags : 0"


def test_a_field_names_itself_when_it_is_refused() -> None:
    copy = driver.CUDA_MEMCPY2D()
    with pytest.raises(TypeError, match=r"CUDA_MEMCPY2D.Height takes an int, not str"):
        copy.Height = "3"  # type: ignore[assignment]
    with pytest.raises(OverflowError, match=r"CUDA_MEMCPY2D.Height"):
        copy.Height = -1
    with pytest.raises(TypeError, match=r"CUDA_MEMCPY2D.dstArray takes a CUarray, an int or None, not CUstream"):
        copy.dstArray = driver.CUstream()  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        copy.height = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del copy.Height


def test_a_structure_that_wants_more_alignment_has_it() -> None:
    maps = [driver.CUtensorMap() for _ in range(20)]
    assert all(tensor_map.getPtr() % 64 == 0 for tensor_map in maps)


def test_unknown_values_of_an_enumeration_are_numbers() -> None:
    location = driver.CUmemLocation()
    location.type = 12345  # type: ignore[assignment]
    assert location.type == 12345


def test_flags_keep_all_their_bits() -> None:
    assert driver.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_FLUSH == 1 << 30
    assert int(nvrtc.nvrtcResult.NVRTC_SUCCESS) == 0
