"""What Python objects become as kernel arguments."""

from __future__ import annotations

import ctypes
import enum
import struct
import sys
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


def test_whatever_a_launch_is_given_is_taken_the_same_way(device: Device, stream: Stream) -> None:
    """Objects that are not exactly a Stream, a LaunchConfig and a Kernel go another way than those that are."""

    class OwnConfig(LaunchConfig):
        pass

    kernel = (
        Program('extern "C" __global__ void three(int* out) { *out += blockDim.x; }', "c++")
        .compile("ptx")
        .get_kernel("three")
    )
    result = bytearray(4)
    with device.allocate(4, stream=stream) as out:
        out.fill(0, stream=stream)
        launch(stream, LaunchConfig(1, 2), kernel, out)
        launch(stream, OwnConfig(1, 2), kernel, out)
        launch(*(stream, LaunchConfig(1, 2), kernel, np.uint64(out.handle)))
        stream.sync()
        kernel[LaunchConfig(1, 2)](out)
        device.sync()
        out.copy_to_host(result)
    assert int.from_bytes(result, "little") == 8
    empty = Program('extern "C" __global__ void empty() {}', "c++").compile("ptx").get_kernel("empty")
    launch(kernel=empty, stream=stream, config=LaunchConfig(1, 1))
    stream.sync()


def test_what_cannot_be_launched_is_named(device: Device, stream: Stream) -> None:
    kernel = Program('extern "C" __global__ void empty() {}', "c++").compile("ptx").get_kernel("empty")
    config = LaunchConfig(1, 1)
    any_launch: Any = launch
    for arguments, message in (
        ((7, config, kernel), "stream must be a Stream"),
        ((stream, (1, 1), kernel), "config must be a LaunchConfig"),
        ((stream, config, "empty"), "kernel must be a Kernel"),
        ((stream, config), "missing 1 required positional argument: 'kernel'"),
    ):
        with pytest.raises(TypeError, match=message):
            any_launch(*arguments)
    with pytest.raises(TypeError, match="unexpected keyword argument 'block'"):
        any_launch(stream, config, kernel, block=1)
    closed = device.create_stream()
    closed.close()
    with pytest.raises(cuprum.InvalidState, match="launching a kernel: this Stream is closed"):
        launch(closed, config, kernel)
    kernel.close()
    with pytest.raises(cuprum.InvalidState, match="launching a kernel: this Kernel is closed"):
        launch(stream, config, kernel)


def test_a_launch_leaves_no_objects_behind(device: Device, stream: Stream) -> None:
    kernel = Program('extern "C" __global__ void f(int* p, float a, int n) {}', "c++").compile("ptx").get_kernel("f")
    config = LaunchConfig(1, 1)
    with device.allocate(4, stream=stream) as out:

        def many() -> None:
            for _ in range(200):
                launch(stream, config, kernel, out, 2.0, np.int32(3))
            stream.sync()

        many()
        before = sys.getallocatedblocks()
        many()
        assert sys.getallocatedblocks() - before < 20
