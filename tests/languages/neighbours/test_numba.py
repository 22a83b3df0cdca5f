"""numba-cuda: its kernels on Cuprum's memory, and what it compiles in Cuprum's launches, links and algorithms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import (
    Buffer,
    Device,
    Kernel,
    LaunchConfig,
    Linker,
    LinkerOptions,
    ObjectCode,
    Program,
    ProgramOptions,
    Stream,
    launch,
)
from cuprum.core.utils import StridedMemoryView
from cuprum.parallel import DeviceArray, Operator, OpKind, RawOp

numba = pytest.importorskip("numba", reason="did not run: numba-cuda is not installed")
cuda = pytest.importorskip("numba.cuda", reason="did not run: numba-cuda is not installed")

types = numba.types


@cuda.jit
def add_arrays(a: Any, b: Any, result: Any) -> None:
    index = cuda.grid(1)
    if index < a.size:
        result[index] = a[index] + b[index]


@cuda.jit
def matrix_multiply(a: Any, b: Any, c: Any) -> None:
    row, column = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        c[row, column] = total


def device_copy(device: Device, values: np.ndarray[Any, Any], stream: Stream) -> Buffer:
    buffer = device.allocate(values.nbytes, stream=stream)
    buffer.copy_from_host(values, stream=stream)
    return buffer


# --- Their kernels, our memory.


def test_kernels_take_our_arrays_and_streams(device: Device, stream: Stream) -> None:
    n = 1_000_000
    a, b = np.ones(n, np.float32), np.ones(n, np.float32)
    a_device, b_device = device_copy(device, a, stream), device_copy(device, b, stream)
    result = device.allocate(a.nbytes, stream=stream)
    arrays = [DeviceArray(buffer, np.float32) for buffer in (a_device, b_device, result)]
    add_arrays[(n + 255) // 256, 256, cuda.external_stream(stream.handle)](*arrays)
    values = np.zeros(n, np.float32)
    result.copy_to_host(values, stream=stream)
    stream.sync()
    assert (values == 2).all()


def test_kernels_take_views_with_two_dimensions(device: Device, stream: Stream) -> None:
    random = np.random.default_rng(1)
    a, b = random.random((100, 60), dtype=np.float32), random.random((60, 80), dtype=np.float32)
    c = np.zeros((100, 80), np.float32)
    views = [
        StridedMemoryView.from_buffer(device_copy(device, values, stream), values.shape, dtype=np.float32)
        for values in (a, b, c)
    ]
    matrix_multiply[(7, 5), (16, 16), cuda.external_stream(stream.handle)](*views)
    views[2].exporting_obj.copy_to_host(c, stream=stream)  # type: ignore[attr-defined]
    stream.sync()
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_kernels_take_a_buffers_bytes_and_strided_views(device: Device, stream: Stream) -> None:
    first, second = device_copy(device, np.arange(64, dtype=np.uint8), stream), device.allocate(64, stream=stream)
    stream.sync()
    theirs = cuda.external_stream(stream.handle)
    add_arrays[1, 64, theirs](first, first, second)
    values = np.zeros(64, np.uint8)
    second.copy_to_host(values, stream=stream)
    stream.sync()
    assert values.tolist() == list(range(0, 128, 2))
    every_second = StridedMemoryView.from_buffer(first, (32,), (2,), dtype=np.uint8)
    add_arrays[1, 32, theirs](every_second, every_second, second)
    second.copy_to_host(values, stream=stream)
    stream.sync()
    assert values[:32].tolist() == list(range(0, 128, 4))


def test_their_arrays_are_arguments_of_our_kernels(device: Device, kernels: dict[str, Kernel], stream: Stream) -> None:
    array = cuda.to_device(np.arange(10, dtype=np.float32))
    launch(stream, LaunchConfig(1, block=32), kernels["negate"], array, 10)
    stream.sync()
    assert array.copy_to_host().tolist() == [-float(i) for i in range(10)]


# --- What they compile, our launches.


def scale(x: Any, factor: Any, n: Any) -> None:
    index = cuda.grid(1)
    if index < n:
        x[index] *= factor


def entry_of(ptx: str) -> str:
    found = re.search(r"\.entry\s+(\w+)", ptx)
    assert found is not None
    return found[1]


def check_scale(device: Device, stream: Stream, run: Callable[[Buffer, int], None]) -> None:
    values = np.arange(1000, dtype=np.float32)
    buffer = device_copy(device, values, stream)
    run(buffer, 1000)
    result = np.empty_like(values)
    buffer.copy_to_host(result, stream=stream)
    stream.sync()
    assert np.array_equal(result, values * 3)


def test_a_kernel_over_pointers_is_launched_from_its_ptx(device: Device, stream: Stream) -> None:
    signature = types.void(types.CPointer(types.float32), types.float32, types.int32)
    ptx, _ = cuda.compile(scale, signature, device=False, abi="numba", cc=device.compute_capability)
    kernel = ObjectCode.from_ptx(ptx.encode()).get_kernel(entry_of(ptx))
    assert [info.size for info in kernel.arguments_info] == [8, 4, 4]
    check_scale(device, stream, lambda buffer, n: launch(stream, LaunchConfig(4, block=256), kernel, buffer, 3.0, n))
    with pytest.raises(TypeError, match="3"):
        launch(stream, LaunchConfig(1, block=1), kernel, 3.0)


def test_a_kernel_over_an_array_takes_seven_arguments_for_it(device: Device, stream: Stream) -> None:
    signature = types.void(types.float32[::1], types.float32, types.int32)
    ptx, _ = cuda.compile(scale, signature, device=False, abi="numba", cc=device.compute_capability)
    kernel = ObjectCode.from_ptx(ptx.encode()).get_kernel(entry_of(ptx))

    def run(buffer: Buffer, n: int) -> None:
        array = (0, 0, n, 4, buffer, n, 4)  # meminfo, parent, number and size of elements, address, shape, strides
        launch(stream, LaunchConfig(4, block=256), kernel, *array, 3.0, n)

    check_scale(device, stream, run)


def test_a_compiled_kernels_ptx_is_launched(device: Device, stream: Stream) -> None:
    dispatcher = cuda.jit(types.void(types.CPointer(types.float32), types.float32, types.int32))(scale)
    (ptx,) = dispatcher.inspect_asm().values()
    kernel = ObjectCode.from_ptx(ptx.encode()).get_kernel(entry_of(ptx))
    check_scale(device, stream, lambda buffer, n: launch(stream, LaunchConfig(4, block=256), kernel, buffer, 3.0, n))


CALLER = """
extern "C" __device__ float scaled(float x, float factor);
extern "C" __global__ void scale_all(float* x, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = scaled(x[i], factor);
}
"""


def scaled(x: Any, factor: Any) -> Any:
    return x * factor


@pytest.mark.parametrize("output", ["ptx", "ltoir"])
def test_a_device_function_is_linked_into_our_kernel(device: Device, stream: Stream, output: str) -> None:
    signature = types.float32(types.float32, types.float32)
    code, _ = cuda.compile(scaled, signature, device=True, abi="c", cc=device.compute_capability, output=output)
    lto = output == "ltoir"
    options = ProgramOptions(relocatable_device_code=True, link_time_optimization=True if lto else None)
    caller = Program(CALLER, "c++", options).compile("ltoir" if lto else "ptx")
    function = ObjectCode.from_ltoir(code) if lto else ObjectCode.from_ptx(code.encode())
    linked = Linker(caller, function, options=LinkerOptions(link_time_optimization=True if lto else None)).link("cubin")
    kernel = linked.get_kernel("scale_all")
    check_scale(device, stream, lambda buffer, n: launch(stream, LaunchConfig(4, block=256), kernel, buffer, 3.0, n))


# --- What they compile, as operators of our algorithms.


def operator(function: Callable[..., Any], signature: Any, output: str = "ltoir", name: str | None = None) -> Operator:
    name = name or function.__name__
    code, _ = cuda.compile(
        function, signature, device=True, abi="c", abi_info={"abi_name": name}, output=output,
        cc=Device(0).compute_capability,
    )  # fmt: skip
    made = ObjectCode.from_ltoir(code) if output == "ltoir" else ObjectCode.from_ptx(code.encode())
    return Operator.compiled(name, made, passing="values")


def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


def by_last_digit(a: Any, b: Any) -> Any:
    return a % 10 < b % 10


def is_odd(a: Any) -> Any:
    return a % 2 == 1


def squared(a: Any) -> Any:
    return a * a


i4, b1 = types.int32, types.boolean
VALUES = np.array([31, 4, 15, 92, 65, 35, 89, 79], np.int32)


@pytest.mark.parametrize("output", ["ptx", "ltoir"])
def test_a_device_function_reduces_and_scans(device: Device, output: str) -> None:
    op = operator(larger, i4(i4, i4), output)
    if output == "ptx":
        assert parallel.reduce(VALUES, np.int32(0), op) == 92
    else:
        assert parallel.scan(VALUES, op=op).tolist() == np.maximum.accumulate(VALUES).tolist()


def test_a_device_function_transforms(device: Device) -> None:
    assert parallel.transform(VALUES, operator(squared, i4(i4))).tolist() == (VALUES**2).tolist()


def test_a_device_function_compares(device: Device) -> None:
    op = operator(by_last_digit, b1(i4, i4))
    assert parallel.sort(VALUES, op=op).tolist() == sorted(VALUES.tolist(), key=lambda a: a % 10)


def test_a_device_function_selects(device: Device) -> None:
    op = operator(is_odd, b1(i4))
    assert parallel.select(VALUES, op).tolist() == [a for a in VALUES.tolist() if a % 2]


def test_a_device_function_reads_through_an_iterator(device: Device) -> None:
    squares = parallel.TransformIterator(DeviceArray.from_numpy(VALUES), operator(squared, i4(i4)))
    total = DeviceArray.empty(1, np.int32)
    parallel.reduce_into(d_in=squares, d_out=total, num_items=VALUES.size, op=OpKind.PLUS, h_init=np.int32(0))
    device.sync()
    assert total.to_numpy()[0] == int((VALUES**2).sum())


def test_a_function_over_pointers_is_a_raw_operator(device: Device) -> None:
    def add(a: Any, b: Any, result: Any) -> None:
        result[0] = a[0] + b[0]

    pointer = types.CPointer(i4)
    code, _ = cuda.compile(
        add, types.void(pointer, pointer, pointer), abi="c", abi_info={"abi_name": "add"}, output="ltoir",
        cc=device.compute_capability,
    )  # fmt: skip
    assert parallel.reduce(VALUES, np.int32(0), RawOp(ltoir=code, name="add")) == VALUES.sum()


# --- What goes wrong.


def test_a_python_function_that_was_not_compiled_is_no_object_code(device: Device) -> None:
    with pytest.raises((TypeError, AttributeError)):
        Operator.compiled("squared", squared, passing="values")  # type: ignore[arg-type]


def test_a_dispatcher_as_an_operator_is_refused_with_what_to_do(device: Device) -> None:
    dispatcher = cuda.jit(device=True)(squared)
    with pytest.raises(TypeError, match=r"op\.py_func.*numba\.cuda\.compile"):
        parallel.transform(VALUES, dispatcher)


def test_memory_that_was_freed_is_refused_by_their_kernels(device: Device) -> None:
    array = DeviceArray.from_numpy(np.zeros(10, np.float32))
    array._buffer.close()
    with pytest.raises(Exception, match="closed"):
        add_arrays[1, 32](array, array, array)
