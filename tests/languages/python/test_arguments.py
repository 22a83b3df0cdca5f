"""What Python objects become as kernel arguments."""

from __future__ import annotations

import copy
import ctypes
import enum
import pickle
import struct
import sys
import warnings
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.core import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    Buffer,
    Device,
    Kernel,
    LaunchConfig,
    ObjectCode,
    Program,
    Stream,
    launch,
)

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
    "int*",
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
            launch(stream, LaunchConfig(1, block=1), kernel, out, value)
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


def test_an_int_becomes_a_float_for_a_floating_point_parameter(stored: Any) -> None:
    assert struct.unpack("f", stored("float", 2)) == (2.0,)
    assert struct.unpack("f", stored("float", True)) == (1.0,)
    assert struct.unpack("d", stored("double", -3)) == (-3.0,)
    assert struct.unpack("f", stored("float", 16777217)) == (16777216.0,), "to the nearest, as C does"


def test_any_int_but_zero_is_true_for_a_bool(stored: Any) -> None:
    assert stored("bool", 256) == b"\x01"
    assert stored("bool", 0) == b"\x00"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "int",
            32.0,
            r"argument 1 \(counted from 0\) takes int \(4 bytes\), given: the real number 32.*an integer",
        ),
        ("long long", 1.5, r"takes long long \(8 bytes\), given: the real number 1.5"),
        ("bool", 1.0, r"takes bool \(1 byte\), given: the real number 1"),
        (
            "int*",
            1.0,
            r"takes int\* \(8 bytes\), given: the real number 1.*give a Buffer, or a device address",
        ),
        ("int", np.float32(3), r"takes int \(4 bytes\), given: a floating-point number of 4 bytes"),
        ("float", np.int32(3), r"takes float \(4 bytes\), given: an integer of 4 bytes.*give a floating-point number"),
        ("int*", np.float64(1), r"takes int\* \(8 bytes\), given: a floating-point number of 8 bytes"),
        ("double", np.int64(1), r"takes double \(8 bytes\), given: an integer of 8 bytes"),
        ("float", ctypes.c_int(3), r"takes float \(4 bytes\), given: an integer of 4 bytes"),
        ("unsigned int", ctypes.c_float(3), r"takes unsigned int \(4 bytes\), given: a floating-point number"),
    ],
)
def test_an_argument_of_the_right_width_and_the_wrong_type_is_refused(
    stored: Any, name: str, value: object, message: str
) -> None:
    with pytest.raises(cuprum.ArgumentMismatch, match=f"(?s){message}"):
        stored(name, value)


def test_a_buffer_is_for_pointers_alone(stored: Any, device: Device) -> None:
    with device.allocate(8) as buffer:
        for name in ("unsigned long long", "long long", "double"):
            with pytest.raises(cuprum.ArgumentMismatch, match=rf"takes {name} \(8 bytes\), given: a buffer"):
                stored(name, buffer)
        assert struct.unpack("Q", stored("unsigned long long", buffer.handle)) == (buffer.handle,)


def test_a_scalar_of_the_other_byte_order_is_refused(stored: Any) -> None:
    for value in (np.array(1.0, dtype=">f4"), np.array(1, dtype=">i4")):
        with pytest.raises(TypeError, match="big-endian"):
            stored("float", value)


def test_bytes_are_taken_as_they_are(stored: Any) -> None:
    assert struct.unpack("f", stored("float", struct.pack("i", 0x3F800000))) == (1.0,)


SAXPY = 'extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) { if (n) y[0] = a * x[0]; }'


@pytest.mark.parametrize("target", [None, "ptx"])
def test_the_types_of_an_extern_c_kernel_are_those_of_its_declaration(
    target: str | None, device: Device, stream: Stream
) -> None:
    kernel = Program(SAXPY).compile(target).get_kernel("saxpy")
    assert [(info.kind, info.type) for info in kernel.arguments_info] == [
        ("floating_point", "float"),
        ("pointer", "const float*"),
        ("pointer", "float*"),
        ("integer", "int"),
    ]
    offset, size = kernel.arguments_info[3]
    assert (offset, size) == (24, 4)
    assert copy.copy(kernel.arguments_info[1]).type == "const float*"
    assert pickle.loads(pickle.dumps(kernel.arguments_info[1])).kind == "pointer"
    with device.allocate(4) as x:
        for arguments in ((2, x, x, 32.0), (2, 1.0, x, 1), (x, x, x, 1), (2, x, x, np.float32(1))):
            with pytest.raises(cuprum.ArgumentMismatch):
                launch(stream, LaunchConfig(1, block=1), kernel, *arguments)
        stream.sync()


def test_ptx_of_others_tells_what_is_real(device: Device, stream: Stream) -> None:
    ptx = Program(SAXPY).compile("ptx").code
    kernel = ObjectCode.from_ptx(ptx).get_kernel("saxpy")
    assert [info.kind for info in kernel.arguments_info] in (
        ["floating_point", "integer_or_pointer", "integer_or_pointer", "integer"],
        ["floating_point", "pointer", "pointer", "integer"],
    )
    with device.allocate(4) as x:
        launch(stream, LaunchConfig(1, block=1), kernel, 2, x, x.handle, 0)
        with pytest.raises(cuprum.ArgumentMismatch, match="argument 1"):
            launch(stream, LaunchConfig(1, block=1), kernel, 2, 1.0, x, 1)
        stream.sync()


class TestAFloatForAnUnknownParameter:
    """8 bytes of which nothing is known may be a pointer: a float for them is passed, and warned of."""

    @pytest.fixture
    def kernel(self) -> Kernel:
        source = """
            struct Number { double d; };
            extern "C" __global__ void k(Number a, float b, double* out) { *out = a.d; }"""
        return Program(source).compile("ptx").get_kernel("k")

    def test_is_warned_of(self, kernel: Kernel, device: Device, stream: Stream) -> None:
        assert kernel.arguments_info[0].kind == "unknown"
        result = np.zeros(1)
        with device.allocate(8) as out:
            with pytest.warns(cuprum.CUDAWarning, match="kernel argument 0 of k is a float for a parameter of 8 bytes"):
                launch(stream, LaunchConfig(1, block=1), kernel, 2.5, 1.0, out)
            with pytest.warns(cuprum.CUDAWarning, match="kernel argument 0 of k"):
                kernel[LaunchConfig(1, block=1)](2.5, 1.0, out)
            device.sync()
            out.copy_to_host(result)
        assert result[0] == 2.5

    def test_is_not_launched_where_warnings_are_errors(self, kernel: Kernel, device: Device, stream: Stream) -> None:
        with device.allocate(8) as out, warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(2):
                with pytest.raises(cuprum.CUDAWarning):
                    launch(stream, LaunchConfig(1, block=1), kernel, 2.5, 1.0, out)

    def test_is_nothing_where_its_type_is_said(self, kernel: Kernel, device: Device, stream: Stream) -> None:
        with device.allocate(8) as out, warnings.catch_warnings():
            warnings.simplefilter("error")
            for value in (np.float64(2.5), ctypes.c_double(2.5), struct.pack("d", 2.5)):
                launch(stream, LaunchConfig(1, block=1), kernel, value, 1.0, out)
            double = Program('extern "C" __global__ void d(double a) {}').compile().get_kernel("d")
            launch(stream, LaunchConfig(1, block=1), double, 2.5)
            stream.sync()


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
        assert struct.unpack("Q", stored("int*", buffer)) == (buffer.handle,)


def test_a_subclass_of_buffer_is_one_too(stored: Any, device: Device) -> None:
    class Named(Buffer):
        pass

    with device.allocate(8) as owner, Named.from_handle(owner.handle, 8) as buffer:
        assert struct.unpack("Q", stored("int*", buffer)) == (owner.handle,)


def test_an_array_of_another_library_is_its_address(stored: Any) -> None:
    class Array:
        __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "data": (0xFFFFFFFF00000001, False), "version": 3}

    assert struct.unpack("Q", stored("int*", Array())) == (0xFFFFFFFF00000001,)


def test_an_array_interface_without_an_address_is_refused(stored: Any) -> None:
    class Array:
        __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "version": 3}

    with pytest.raises(TypeError, match=r"kernel argument 1: .*Array has no 'data'"):
        stored("int*", Array())


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
        launch(stream, LaunchConfig(1, block=1), kernel, out, *[np.int32(i) if i % 2 else i for i in range(count)])
        stream.sync()
        out.copy_to_host(result)
    assert list(result) == list(range(count))


def test_bytes_larger_than_a_kernels_parameters_are_refused(stored: Any) -> None:
    with pytest.raises(ValueError, match="more than a kernel's parameters"):
        stored("int", bytes(100_000))


def test_whatever_a_launch_is_given_is_taken_the_same_way(device: Device, stream: Stream) -> None:
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
        launch(stream, LaunchConfig(1, block=2), kernel, out)
        launch(stream, OwnConfig(1, block=2), kernel, out)
        launch(*(stream, LaunchConfig(1, block=2), kernel, np.uint64(out.handle)))
        stream.sync()
        kernel[LaunchConfig(1, block=2)](out)
        device.sync()
        out.copy_to_host(result)
    assert int.from_bytes(result, "little") == 8
    empty = Program('extern "C" __global__ void empty() {}', "c++").compile("ptx").get_kernel("empty")
    launch(kernel=empty, stream=stream, config=LaunchConfig(1, block=1))
    stream.sync()


class Counted:
    """Device memory of another library, which counts how often it is asked for its address."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.count = 0

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self.count += 1
        return {"shape": (4,), "typestr": "|u1", "data": (self.address, False), "version": 3}


class Lender:
    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.stream.handle


def test_an_argument_is_converted_once_in_every_stream(device: Device, stream: Stream) -> None:
    source = 'extern "C" __global__ void add(int* out, int value) { *out += value; }'
    kernel = Program(source, "c++").compile("ptx").get_kernel("add")
    config = LaunchConfig(1, block=1)
    result = bytearray(4)
    with device.allocate(4) as out:
        out.fill(0, stream=stream)
        stream.sync()
        streams: list[Any] = [stream, device.default_stream, LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM]
        for each in [*streams, Lender(stream)]:
            counted = Counted(out.handle)
            launch(each, config, kernel, counted, 3)
            device.sync()
            assert counted.count == 1, each
        out.copy_to_host(result)
    assert int.from_bytes(result, "little") == 15


def test_launches_in_default_streams_leave_no_objects_behind(device: Device) -> None:
    kernel = Program('extern "C" __global__ void f(float a, int n) {}', "c++").compile("ptx").get_kernel("f")
    config = LaunchConfig(1, block=1)

    def many() -> None:
        for _ in range(200):
            launch(LEGACY_DEFAULT_STREAM, config, kernel, 2.0, 3)
        device.sync()

    many()
    before = sys.getallocatedblocks()
    many()
    assert sys.getallocatedblocks() - before < 20


def test_what_cannot_be_launched_is_named(device: Device, stream: Stream) -> None:
    kernel = Program('extern "C" __global__ void empty() {}', "c++").compile("ptx").get_kernel("empty")
    config = LaunchConfig(1, block=1)
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
    config = LaunchConfig(1, block=1)
    with device.allocate(4, stream=stream) as out:

        def many() -> None:
            for _ in range(200):
                launch(stream, config, kernel, out, 2.0, np.int32(3))
            stream.sync()

        many()
        before = sys.getallocatedblocks()
        many()
        assert sys.getallocatedblocks() - before < 20
