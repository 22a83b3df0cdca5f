"""What Python objects become as kernel arguments."""

from __future__ import annotations

import ctypes
import enum
import struct
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

STORE = """
template <class T> __global__ void store(T* out, T value) { *out = value; }
struct Pair { int first; double second; };
"""
TYPES = ["bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int"] + [
    "long long",
    "unsigned long long",
    "float",
    "double",
    "Pair",
    "float2",
    "double2",
]


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    expressions = [f"store<{name}>" for name in TYPES]
    with Program(STORE, "store.cu").compile(name_expressions=expressions) as code:
        return {name: code.get_kernel(f"store<{name}>") for name in TYPES}


@pytest.fixture
def stored(device: Device, stream: Stream, kernels: dict[str, Kernel]) -> Any:
    """stored(type, value): the bytes that the kernel received for `value`."""

    def run(name: str, value: object) -> bytes:
        kernel = kernels[name]
        result = bytearray(kernel.arguments_info[1].size)
        with device.allocate(16, stream=stream) as out:
            out.fill(0xCC, stream=stream)
            launch(stream, LaunchConfig(1, 1), kernel, out, value)
            out.copy_to_host(result, stream=stream)
            stream.sync()
        return bytes(result)

    return run


class Colour(enum.IntEnum):
    RED = 3


class CPair(ctypes.Structure):
    _fields_ = [("first", ctypes.c_int), ("second", ctypes.c_double)]


@pytest.mark.parametrize(
    ("name", "value", "layout", "expected"),
    [
        ("int", 7, "i", 7),
        ("int", -7, "i", -7),
        ("int", True, "i", 1),
        ("bool", True, "?", True),
        ("bool", False, "?", False),
        ("int", Colour.RED, "i", 3),
        ("signed char", -128, "b", -128),
        ("unsigned char", 255, "B", 255),
        ("short", -32768, "h", -32768),
        ("unsigned short", 65535, "H", 65535),
        ("unsigned int", 0xFFFFFFFF, "I", 0xFFFFFFFF),
        ("long long", -(1 << 63), "q", -(1 << 63)),
        ("unsigned long long", 0xFFFFFFFF00000001, "Q", 0xFFFFFFFF00000001),
        ("unsigned long long", (1 << 64) - 1, "Q", (1 << 64) - 1),
        ("float", 0.1, "f", struct.unpack("f", struct.pack("f", 0.1))[0]),
        ("double", 0.1, "d", 0.1),
        ("float", np.float32(0.1), "f", float(np.float32(0.1))),
        ("double", np.float64(0.1), "d", 0.1),
        ("int", np.int32(-5), "i", -5),
        ("unsigned char", np.uint8(200), "B", 200),
        ("unsigned long long", np.uint64(0xFFFFFFFF00000001), "Q", 0xFFFFFFFF00000001),
        ("bool", np.bool_(True), "?", True),
        ("float", ctypes.c_float(2.5), "f", 2.5),
        ("double", ctypes.c_double(2.5), "d", 2.5),
        ("long long", ctypes.c_int64(-9), "q", -9),
        ("unsigned short", ctypes.c_uint16(9), "H", 9),
    ],
)
def test_a_scalar_arrives_as_the_parameters_type(
    stored: Any, name: str, value: object, layout: str, expected: object
) -> None:
    assert struct.unpack(layout, stored(name, value)) == (expected,)


def test_a_complex_is_two_doubles(stored: Any) -> None:
    assert struct.unpack("2d", stored("double2", 1.5 - 2.5j)) == (1.5, -2.5)
    assert struct.unpack("2d", stored("double2", np.complex128(1 + 2j))) == (1, 2)
    assert struct.unpack("2f", stored("float2", np.complex64(3 + 4j))) == (3, 4)
    with pytest.raises(cuprum.ArgumentMismatch, match="argument 1"):
        stored("float2", 1 + 2j)


def test_a_struct_is_given_as_ctypes_numpy_or_bytes(stored: Any) -> None:
    pair = np.dtype([("first", np.int32), ("second", np.float64)], align=True)
    for value in (CPair(3, 0.5), np.array((3, 0.5), dtype=pair)[()], struct.pack("i4xd", 3, 0.5)):
        assert struct.unpack("i4xd", stored("Pair", value)) == (3, 0.5)


def test_a_buffer_is_its_address(stored: Any, device: Device) -> None:
    with device.allocate(8) as buffer:
        assert struct.unpack("Q", stored("unsigned long long", buffer)) == (buffer.handle,)


def test_a_subclass_of_buffer_is_one_too(stored: Any, device: Device) -> None:
    class Named(Buffer):
        pass

    with device.allocate(8) as owner, Named.from_handle(owner.handle, 8) as buffer:
        assert struct.unpack("Q", stored("unsigned long long", buffer)) == (owner.handle,)


def test_an_array_of_another_library_is_its_address(stored: Any) -> None:
    class Array:
        __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "data": (0xFFFFFFFF00000001, False), "version": 3}

    assert struct.unpack("Q", stored("unsigned long long", Array())) == (0xFFFFFFFF00000001,)


def test_an_array_interface_without_an_address_is_refused(stored: Any) -> None:
    class Array:
        __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "version": 3}

    with pytest.raises(TypeError, match=r"kernel argument 1: .*Array has no 'data'"):
        stored("unsigned long long", Array())


def test_an_integer_beyond_64_bits_is_refused_with_its_position(stored: Any) -> None:
    for value in (1 << 64, -(1 << 63) - 1):
        with pytest.raises(OverflowError, match="kernel argument 1"):
            stored("unsigned long long", value)


def test_more_arguments_than_fit_on_the_stack_arrive_too(device: Device, stream: Stream) -> None:
    count = 200
    parameters = ", ".join(f"int p{i}" for i in range(count))
    stores = " ".join(f"out[{i}] = p{i};" for i in range(count))
    source = f'extern "C" __global__ void many(int* out, {parameters}) {{ {stores} }}'
    kernel = Program(source).compile().get_kernel("many")
    result = np.zeros(count, dtype=np.int32)
    with device.allocate(result.nbytes) as out:
        launch(stream, LaunchConfig(1, 1), kernel, out, *[np.int32(i) if i % 2 else i for i in range(count)])
        stream.sync()
        out.copy_to_host(result)
    assert list(result) == list(range(count))


def test_bytes_larger_than_a_kernels_parameters_are_refused(stored: Any) -> None:
    with pytest.raises(ValueError, match="more than a kernel's parameters"):
        stored("int", bytes(100_000))
