"""What PyCUDA answers with a crash, with silence or with little is an error here that says what to do."""

from __future__ import annotations

import gc
import pickle
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.compat.pycuda import autoinit, compiler, driver, tools

SOURCE = """
__global__ void fill(float *to, float value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = value;
}
__global__ void many(char a, short b, double c, long long d) {}
__global__ void nothing() {}
__global__ void fault(int *p) { *(volatile int *)0x10 = 1; }
"""


@pytest.fixture(scope="module")
def module() -> compiler.SourceModule:
    return compiler.SourceModule(SOURCE)


@pytest.fixture
def fill(module: compiler.SourceModule) -> driver.Function:
    return module.get_function("fill")


@pytest.fixture
def memory() -> driver.DeviceAllocation:
    return driver.mem_alloc(64)


@pytest.fixture
def other() -> Iterator[driver.Context]:
    """A second context, current during the test."""
    context = driver.Device(0).make_context()
    yield context
    context.pop()
    context.detach()


BLOCK: dict[str, Any] = {"block": (16, 1, 1)}


def test_a_float_without_a_dtype_names_the_dtype_of_the_parameter(
    fill: driver.Function, memory: driver.DeviceAllocation
) -> None:
    with pytest.raises(TypeError, match=r"#1 \(0-based\) of fill: 1\.5 is Python's own float, which has no dtype"):
        fill(memory, 1.5, np.int32(16), **BLOCK)
    with pytest.raises(TypeError, match=r"the parameter has 4 bytes; pass numpy\.float32\(1\.5\)"):
        fill(memory, 1.5, np.int32(16), **BLOCK)


@pytest.mark.parametrize(
    ("position", "value", "advice"),
    [
        (0, 3, r"1 byte; pass numpy\.int8\(3\)"),
        (0, True, r"1 byte; pass numpy\.bool_\(True\)"),
        (1, 3, r"2 bytes; pass numpy\.int16\(3\)"),
        (2, 3.0, r"8 bytes; pass numpy\.float64\(3\.0\)"),
        (3, 3, r"8 bytes; pass numpy\.int64\(3\) or"),
        (3, 1j, r"8 bytes; pass numpy\.complex64\(1j\)"),
    ],
)
def test_pythons_numbers_are_refused_with_what_to_pass(
    module: compiler.SourceModule, position: int, value: Any, advice: str
) -> None:
    arguments: list[Any] = [np.int8(1), np.int16(1), np.float64(1), np.int64(1)]
    arguments[position] = value
    with pytest.raises(TypeError, match=advice.removesuffix(" or")):
        module.get_function("many")(*arguments, **BLOCK)


def test_a_number_of_another_size_than_the_parameter_is_refused(
    fill: driver.Function, memory: driver.DeviceAllocation
) -> None:
    with pytest.raises(driver.LogicError, match=r"fill: argument 1 \(0-based\), float64, has 8 bytes, .* parameter 4"):
        fill(memory, np.float64(1), np.int32(16), **BLOCK)
    with pytest.raises(driver.LogicError, match=r"0 \(0-based\), int32, has 4 bytes, the kernel's parameter 8"):
        fill(np.int32(16), np.float32(1), np.int32(16), **BLOCK)


def test_too_few_and_too_many_arguments_are_counted(fill: driver.Function, memory: driver.DeviceAllocation) -> None:
    with pytest.raises(driver.LogicError, match="fill: 1 argument given, the kernel has 3 parameters"):
        fill(memory, **BLOCK)
    with pytest.raises(driver.LogicError, match="fill: 4 arguments given, the kernel has 3 parameters"):
        fill(memory, np.float32(1), np.int32(1), np.int32(1), **BLOCK)


@pytest.mark.parametrize("value", [None, "text", [1, 2], object(), np.datetime64("2026-01-01"), np.str_("x")])
def test_what_a_kernel_cannot_take_is_named(fill: driver.Function, memory: driver.DeviceAllocation, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"#1 \(0-based\) of fill: a kernel cannot take {type(value).__name__}"):
        fill(memory, value, np.int32(16), **BLOCK)


def test_a_launch_without_a_block_says_how_to_give_one(fill: driver.Function, memory: driver.DeviceAllocation) -> None:
    with pytest.raises(ValueError, match=r"must specify block size: fill .* block=\(256, 1, 1\)"):
        fill(memory, np.float32(1), np.int32(16))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"block": (4096, 1, 1)}, "the block has 4096 threads, this kernel takes at most 1024"),
        ({"block": (0, 1, 1)}, "each dimension of grid and block is at least 1"),
        ({"block": (16, 1, 1), "grid": (0, 1)}, "each dimension of grid and block is at least 1"),
        ({"block": (16, 1, 1), "shared": 1 << 20}, "raise that with set_attribute"),
    ],
)
def test_a_launch_that_does_not_fit_says_why(
    fill: driver.Function, memory: driver.DeviceAllocation, shape: dict[str, Any], message: str
) -> None:
    with pytest.raises((driver.LogicError, driver.LaunchError), match=message):
        fill(memory, np.float32(1), np.int32(16), **shape)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"block": (16.0, 1, 1)}, "has a size that is not an int; divide with // rather than /"),
        ({"block": (16, 1, 1), "grid": (3 / 2, 1)}, "divide with //"),
        ({"block": 16}, "block must be a tuple of one to three ints"),
        ({"block": (1, 1, 1, 1)}, "block must be a tuple of one to three ints"),
        ({"block": (16, 1, 1), "shared": "much"}, "shared must be a number of bytes"),
    ],
)
def test_a_shape_that_is_not_one_is_named(
    fill: driver.Function, memory: driver.DeviceAllocation, shape: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        fill(memory, np.float32(1), np.int32(16), **shape)


def test_freed_memory_is_refused_everywhere(fill: driver.Function, memory: driver.DeviceAllocation) -> None:
    memory.free()
    uses: list[Callable[[], Any]] = [
        memory.free,
        lambda: fill(memory, np.float32(1), np.int32(16), **BLOCK),
        lambda: driver.memcpy_htod(memory, np.zeros(4)),
        lambda: driver.memcpy_dtoh(np.zeros(4), memory),
        lambda: driver.memset_d8(memory, 0, 4),
        lambda: int(memory),
    ]
    for use in uses:
        with pytest.raises(driver.LogicError, match="has been freed; keep it until the last use"):
            use()


def test_arrays_with_gaps_are_refused(fill: driver.Function, memory: driver.DeviceAllocation) -> None:
    gaps = np.zeros(16, np.float32)[::2]
    uses: list[Callable[[], Any]] = [
        lambda: driver.memcpy_htod(memory, gaps),
        lambda: driver.memcpy_dtoh(gaps, memory),
        lambda: driver.to_device(gaps),
        lambda: fill(driver.Out(gaps), np.float32(1), np.int32(8), **BLOCK),
        lambda: fill(gaps, np.float32(1), np.int32(8), **BLOCK),
        lambda: driver.register_host_memory(gaps),
    ]
    for use in uses:
        with pytest.raises(
            ValueError, match=r"array is not contiguous \(shape \(8,\), strides \(8,\)\): copy it first"
        ):
            use()


def test_what_does_not_fit_into_an_allocation_is_not_copied(memory: driver.DeviceAllocation) -> None:
    with pytest.raises(driver.LogicError, match="memcpy_htod: 128 bytes do not fit into an allocation of 64 bytes"):
        driver.memcpy_htod(memory, np.zeros(16))
    with pytest.raises(driver.LogicError, match="memcpy_dtoh: 128 bytes do not fit into an allocation of 64 bytes"):
        driver.memcpy_dtoh(np.zeros(16), memory)
    with pytest.raises(driver.LogicError, match="memset_d32: 68 bytes do not fit"):
        driver.memset_d32(memory, 0, 17)
    with pytest.raises(OverflowError, match="memset_d8: 256 does not fit into 8 bits"):
        driver.memset_d8(memory, 256, 1)


def test_host_memory_that_is_none_is_named(memory: driver.DeviceAllocation) -> None:
    with pytest.raises(TypeError, match="memcpy_htod: list is not host memory"):
        driver.memcpy_htod(memory, [1, 2, 3])
    with pytest.raises(BufferError, match="memcpy_dtoh: the bytes that is written to is read-only"):
        driver.memcpy_dtoh(b"0123", memory)
    with pytest.raises(TypeError, match="memcpy_htod: ndarray is not device memory"):
        driver.memcpy_htod(np.zeros(4), np.zeros(4))
    with pytest.raises(TypeError, match="the stream is a int"):
        driver.memcpy_htod_async(memory, np.zeros(4), 5)  # type: ignore[arg-type]


def test_a_context_is_popped_once() -> None:
    raised: list[BaseException] = []

    def run() -> None:
        context = driver.Device(0).make_context()
        context.pop()
        try:
            context.pop()
        except driver.LogicError as error:
            raised.append(error)
        context.detach()
        for use in (context.push, context.detach):
            try:
                use()
            except driver.LogicError as error:
                raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [str(error).split(" failed")[0] for error in raised] == ["Context.pop", "Context.push", "Context.detach"]
    assert "cannot pop non-current context" in str(raised[0])
    assert "was detached; make a new one" in str(raised[1])


def test_a_context_below_another_is_not_detached(other: driver.Context) -> None:
    third = driver.Device(0).make_context()
    with pytest.raises(driver.LogicError, match="this context is below another one"):
        other.detach()
    third.pop()
    third.detach()


def test_without_a_context_the_error_says_so() -> None:
    raised: list[BaseException] = []

    def run() -> None:
        for use in (lambda: driver.mem_alloc(4), driver.Stream, driver.Event, lambda: compiler.SourceModule(SOURCE)):
            try:
                use()
            except driver.LogicError as error:
                raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(raised) == 4
    assert all("no context is current in this thread: push one, or import" in str(error) for error in raised)


def test_memory_of_another_context_is_refused(
    fill: driver.Function, memory: driver.DeviceAllocation, other: driver.Context
) -> None:
    foreign = driver.mem_alloc(64)
    with pytest.raises(driver.LogicError, match=r"the kernel belongs to .*, which is not current: push that first"):
        fill(memory, np.float32(1), np.int32(16), **BLOCK)
    driver.Context.pop()
    try:
        with pytest.raises(driver.LogicError, match=r"argument 0 \(0-based\) is memory of .*, the kernel belongs to"):
            fill(foreign, np.float32(1), np.int32(16), **BLOCK)
    finally:
        other.push()


def test_a_pool_serves_its_own_context(other: driver.Context) -> None:
    pool = tools.DeviceMemoryPool()
    driver.Context.pop()
    try:
        with pytest.raises(driver.LogicError, match="the pool belongs to a context that is not the current one"):
            pool.allocate(4)
    finally:
        other.push()


def test_memory_may_outlive_its_context() -> None:
    context = driver.Device(0).make_context()
    kept = [driver.mem_alloc(4), driver.Stream(), driver.Event(), compiler.SourceModule(SOURCE)]
    context.pop()
    context.detach()
    del kept
    gc.collect()
    assert driver.Context.get_current() == autoinit.context


def test_a_kernel_that_is_not_prepared_says_so(fill: driver.Function) -> None:
    with pytest.raises(driver.LogicError, match=r'fill: not prepared; .*, as in prepare\("PPi"\)'):
        fill.prepared_call((1, 1), (1, 1, 1), 1, 2, 3)


def test_prepared_types_are_compared_with_the_kernel(fill: driver.Function, memory: driver.DeviceAllocation) -> None:
    with pytest.raises(driver.LogicError, match=r"fill\.prepare: 2 types given, the kernel has 3 parameters"):
        fill.prepare("Pf")
    with pytest.raises(driver.LogicError, match=r"type 1 \(0-based\) has 8 bytes, the kernel's parameter 4"):
        fill.prepare("Pdi")
    with pytest.raises(TypeError, match=r"type 2 \(0-based\) is '!'"):
        fill.prepare("Pf!")
    with pytest.raises(TypeError, match="fill: an argument does not have the prepared type"):
        fill.prepare("Pfi").prepared_call((1, 1), (1, 1, 1), memory, "text", 4)


def test_names_that_are_not_there_list_those_that_are(module: compiler.SourceModule) -> None:
    with pytest.raises(driver.LogicError, match=r"cuModuleGetFunction failed: named symbol .*fault, fill, many"):
        module.get_function("filled")
    with pytest.raises(AttributeError, match="a Function has no attribute 'registry'"):
        _ = module.get_function("fill").registry
    with pytest.raises(AttributeError, match="a Device has no attribute 'wrap_size'"):
        _ = driver.Device(0).wrap_size


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-Xcompiler", "-Wall"], "-Xcompiler is for the host's compiler"),
        (["-gencode", "arch=compute_90,code=sm_90"], "-gencode names several architectures"),
        (["-lcublas"], "-l is for linking: link with cuprum.core.Linker"),
        (["--no-such-option"], "--no-such-option is not an option of NVRTC"),
        (["-I"], "-I has no value"),
    ],
)
def test_options_that_nvrtc_lacks_are_refused_with_the_reason(options: list[str], message: str) -> None:
    with pytest.raises(driver.CompileError, match=message):
        compiler.SourceModule("", options=options)
    with pytest.raises(TypeError, match=r"options must be a list of str, such as \['-w', '-G'\]"):
        compiler.SourceModule("", options="-w -G")


def test_a_compile_error_has_log_and_options() -> None:
    with pytest.raises(driver.CompileError, match=r'kernel\.cu\(2\).*identifier "missing" is undefined') as raised:
        compiler.SourceModule("__global__ void k(int *a) {\n *a = missing;\n}", options=["-DX=1"])
    error = raised.value
    assert error.command_line[0] == "nvrtc"
    assert "--define-macro=X=1" in error.command_line
    assert error.stderr is not None
    assert "missing" in error.stderr
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.stderr, copy.command_line) == (str(error), error.stderr, error.command_line)


def test_a_header_that_device_code_cannot_have_is_named_with_what_there_is() -> None:
    with pytest.raises(driver.CompileError, match="vector"):
        compiler.SourceModule("#include <vector>\n__global__ void k() {}", no_extern_c=True)


@pytest.mark.parametrize(
    "use",
    [
        lambda: driver.TextureReference(),
        lambda: driver.matrix_to_texref(np.zeros((2, 2)), None, "C"),
        lambda: compiler.SourceModule(SOURCE).get_texref("t"),
        lambda: compiler.SourceModule(SOURCE).get_function("nothing")(block=(1, 1, 1), texrefs=[1]),
        lambda: compiler.SourceModule(SOURCE).get_function("nothing").prepare("", texrefs=[1]),
    ],
)
def test_texture_references_are_refused_with_what_to_use(use: Callable[[], Any]) -> None:
    with pytest.raises(cuprum.Unsupported, match=r"texture references are gone from CUDA.*create_texture_object"):
        use()


@pytest.mark.parametrize("cls", [compiler.DynamicModule, compiler.DynamicSourceModule])
def test_what_needs_cudadevrt_is_refused(cls: type) -> None:
    with pytest.raises(cuprum.Unsupported, match=f"{cls.__name__} is for kernels that launch kernels"):
        cls("source")


def test_every_exception_is_cuprums_and_pycudas() -> None:
    with pytest.raises(cuprum.Error) as raised:
        driver.mem_alloc(1 << 60)
    assert isinstance(raised.value, driver.MemoryError)
    assert isinstance(raised.value, MemoryError)
    assert (raised.value.code, raised.value.name) == (2, "CUDA_ERROR_OUT_OF_MEMORY")
    assert str(raised.value).startswith("cuMemAlloc failed: out of memory")
