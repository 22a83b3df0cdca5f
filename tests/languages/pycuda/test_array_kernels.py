"""Kernels of the program's own over arrays: ElementwiseKernel, ReductionKernel and the scan kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import driver, elementwise, gpuarray
from cuprum.compat.pycuda.elementwise import ElementwiseKernel, ScalarArg, VectorArg
from cuprum.compat.pycuda.reduction import ReductionKernel
from cuprum.compat.pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from cuprum.compat.pycuda.tools import get_or_register_dtype


def test_elementwise_with_all_kinds_of_arguments() -> None:
    kernel = ElementwiseKernel(
        "const float *x, double a, unsigned char *flags, pycuda::complex<double> c, "
        "pycuda::complex<double> *z, half *h",
        "z[i] = c * (a * x[i]); flags[i] = x[i] > 2; h[i] = x[i]",
        "many",
    )
    x = gpuarray.arange(5, dtype=np.float32)
    flags, z, h = gpuarray.empty(5, np.uint8), gpuarray.empty(5, np.complex128), gpuarray.empty(5, np.float16)
    kernel(x, 0.5, flags, 2 + 1j, z, h)
    assert flags.get().tolist() == [0, 0, 0, 1, 1]
    assert np.array_equal(z.get(), (2 + 1j) * 0.5 * np.arange(5))
    assert h.get().tolist() == [0, 1, 2, 3, 4]


def test_elementwise_from_descriptions_of_arguments() -> None:
    kernel = ElementwiseKernel([VectorArg(np.float32, "x"), ScalarArg(np.int32, "n_")], "x[i] = n_ * (n - i)")
    x = gpuarray.zeros((2, 3), np.float32)
    kernel(x, np.int64(2))
    assert x.get().ravel().tolist() == [12, 10, 8, 6, 4, 2]


RANGES = [slice(2, 9, 3), slice(9, 2, -2), slice(0, 0), slice(5, 2), slice(3, 12), slice(None, 4)]


@pytest.mark.parametrize("chosen", RANGES)
def test_elementwise_over_a_range(chosen: slice) -> None:
    x = gpuarray.zeros(12, np.int32)
    COUNT(x, range=chosen)
    expected = np.zeros(12, np.int32)
    for i in range(chosen.start or 0, chosen.stop, chosen.step or 1):
        expected[i] = i + 1
    assert np.array_equal(x.get(), expected)


@pytest.mark.parametrize("chosen", [slice(None), slice(-4, None), slice(None, None, -5), slice(10, -20, -3), slice(20)])
def test_elementwise_over_a_slice(chosen: slice) -> None:
    x = gpuarray.zeros(12, np.int32)
    COUNT(x, slice=chosen)
    expected = np.zeros(12, np.int32)
    expected[chosen] = np.arange(1, 13)[chosen]
    assert np.array_equal(x.get(), expected)


COUNT: Any = ElementwiseKernel("int *x", "x[i] = i + 1", "count_up")


def test_elementwise_before_and_after_the_loop_and_in_a_stream() -> None:
    kernel = ElementwiseKernel(
        "int *x, int *total",
        "sum += twice(x[i]); if (x[i] < 0) continue; sum += 1",
        name="summing",
        preamble="__device__ int twice(int x) { return 2 * x; }",
        loop_prep="int sum = 0",
        after_loop="atomicAdd(total, sum)",
        options=["-DUNUSED=1"],
    )
    stream = driver.Stream()
    x = gpuarray.to_gpu(np.arange(-500, 500, dtype=np.int32))
    total = gpuarray.zeros(1, np.int32)
    kernel(x, total, stream=stream)
    stream.synchronize()
    assert total.get()[0] == 2 * x.get().sum() + 500


def test_the_functions_below_elementwise_kernels() -> None:
    kernel = elementwise.get_elwise_kernel("float a, float *x", "x[i] = a + i", "with_prepared_call")
    x = gpuarray.zeros(4, np.float32)
    kernel.prepared_call(x._grid, x._block, 0.5, x.gpudata, x.size)
    assert x.get().tolist() == [0.5, 1.5, 2.5, 3.5]
    module, function, arguments = elementwise.get_elwise_kernel_and_types("int *x", "x[i] = 1", use_range=True)
    assert [argument.name for argument in arguments] == ["x", "start", "stop", "step"]
    assert "kernel" in repr(function)
    assert module.get_function("kernel") is not None


def test_a_reduction_with_numbers_among_its_arguments() -> None:
    kernel = ReductionKernel(
        np.float64, "0", "a + b", "x[i] > limit ? scale * x[i] : 0", "const float *x, float limit, double scale"
    )
    host = np.arange(5000, dtype=np.float32)
    result = kernel(gpuarray.to_gpu(host), 10.5, 0.25)
    assert result.shape == ()
    assert result.dtype == np.float64
    assert float(result.get()) == 0.25 * host[host > 10.5].sum(dtype=np.float64)


def test_a_reduction_takes_the_first_vector_without_an_expression() -> None:
    kernel = ReductionKernel(np.int32, "-100", "max(a, b)", arguments="int unused, int *x, int *y", name="largest")
    x = gpuarray.to_gpu(np.array([3, 9, -4], np.int32))
    out = gpuarray.empty((), np.int32)
    assert kernel(5, x, x, out=out, stream=driver.Stream(), allocator=driver.mem_alloc) is out
    driver.Context.synchronize()
    assert int(out.get()) == 9
    assert int(kernel(5, gpuarray.zeros(0, np.int32), x).get()) == -100


def test_a_reduction_to_a_structure() -> None:
    pair = get_or_register_dtype("test_pair", np.dtype([("value", np.float32), ("index", np.int32)]))
    kernel = ReductionKernel(
        pair,
        neutral="make_pair(-1e30f, -1)",
        reduce_expr="a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b",
        map_expr="make_pair(x[i], i)",
        arguments="float *x",
        preamble="struct test_pair { float value; int index; };\n"
        "__device__ test_pair make_pair(float v, int i) { test_pair p; p.value = v; p.index = i; return p; }\n",
    )
    random = np.random.default_rng(1)
    for count in (1, 100, 70001):
        host = random.integers(0, 1000, count).astype(np.float32)
        result = kernel(gpuarray.to_gpu(host)).get()
        assert (result["value"], result["index"]) == (host.max(), host.argmax())


SIZES = [1, 6, 7, 8, 895, 896, 897, 5000, 60001]


def test_inclusive_and_exclusive_scans() -> None:
    random = np.random.default_rng(2)
    inclusive = InclusiveScanKernel(np.int32, "a+b")
    exclusive = ExclusiveScanKernel(np.int32, "a+b", neutral="0")
    for count in SIZES:
        host = random.integers(-9, 9, count).astype(np.int32)
        device = gpuarray.to_gpu(host)
        new = inclusive(device, "new")
        assert np.array_equal(new.get(), np.cumsum(host))
        assert np.array_equal(device.get(), host)
        out = gpuarray.empty_like(device)
        assert exclusive(device, out) is out
        assert np.array_equal(out.get(), np.cumsum(host) - host)
        stream = driver.Stream()
        assert inclusive(device, stream=stream, allocator=driver.mem_alloc) is device
        stream.synchronize()
        assert np.array_equal(device.get(), np.cumsum(host))
    nothing = gpuarray.zeros(0, np.int32)
    assert inclusive(nothing) is nothing


def test_scans_keep_the_order_of_the_elements() -> None:
    # The composition of the functions x -> m x + c, modulo 2**32, which is not commutative.
    line = get_or_register_dtype("test_line", np.dtype([("m", np.uint32), ("c", np.uint32)]))
    preamble = (
        "struct test_line { unsigned m, c; };\n"
        "__device__ test_line after(test_line a, test_line b) {\n"
        "    test_line r; r.m = b.m * a.m; r.c = b.m * a.c + b.c; return r;\n}\n"
        "__device__ test_line unit() { test_line r; r.m = 1; r.c = 0; return r; }\n"
    )
    random = np.random.default_rng(3)
    host = np.empty(20011, line)
    host["m"], host["c"] = random.integers(0, 2**32, (2, host.size), dtype=np.uint32)
    expected = host.copy()
    m = c = 0
    for i, (own_m, own_c) in enumerate(host.tolist()):
        m, c = (own_m, own_c) if i == 0 else (own_m * m % 2**32, (own_m * c + own_c) % 2**32)
        expected[i] = m, c
    inclusive = InclusiveScanKernel(line, "after(a, b)", preamble=preamble, name_prefix="lines")
    assert np.array_equal(inclusive(gpuarray.to_gpu(host), "new").get(), expected)
    exclusive = ExclusiveScanKernel(line, "after(a, b)", "unit()", preamble=preamble)
    result = exclusive(gpuarray.to_gpu(host)).get()
    assert np.array_equal(result[1:], expected[:-1])
    assert result[0].item() == (1, 0)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_scans_of_other_types(dtype: str) -> None:
    host = np.arange(2000).astype(dtype)
    assert np.array_equal(InclusiveScanKernel(dtype, "a+b")(gpuarray.to_gpu(host)).get(), np.cumsum(host))


def refusals() -> list[tuple[str, Any, type[Exception], str]]:
    array = np.zeros((4, 4), np.float32)
    return [
        ("range and slice", lambda: COUNT(ints(), range=slice(1), slice=slice(1)), TypeError, "both range and slice"),
        ("an open range", lambda: COUNT(ints(), range=slice(1, None)), ValueError, "needs a stop"),
        ("too few arguments", lambda: COUNT(), TypeError, r"count_up takes 1 arguments \(x\), not 0"),
        ("an unknown name", lambda: COUNT(ints(), grid=3), TypeError, "unexpected keyword argument 'grid'"),
        (
            "a host array",
            lambda: COUNT(np.zeros(3, np.int32)),
            TypeError,
            "'x' of count_up is a vector: give a GPUArray",
        ),
        (
            "other elements",
            lambda: COUNT(gpuarray.to_gpu(array)),
            TypeError,
            "elements of the type int32, and the array's",
        ),
        ("gaps", lambda: COUNT(ints()[::2]), RuntimeError, "only contiguous arrays .* count_up"),
        (
            "a fraction for an int",
            lambda: SCALE(ints(), 1.5),
            TypeError,
            "argument 'a' of scale is int32, and 1.5 is not",
        ),
        ("a large int", lambda: SCALE(ints(), 2**40), OverflowError, "does not fit into int32"),
        ("an array for a number", lambda: SCALE(ints(), ints()), TypeError, "argument 'a' of scale is int32"),
        ("a text for a number", lambda: SCALE(ints(), "3"), TypeError, "argument 'a' of scale is int32"),
        ("no vector", lambda: ElementwiseKernel("float a", "a"), TypeError, "at least one vector argument"),
        ("an unknown type", lambda: ElementwiseKernel("quux *a", "a"), Exception, "quux"),
        ("an unknown option", lambda: ElementwiseKernel("int *x", "x", epilogue="x"), TypeError, "'epilogue'"),
        ("no arguments", lambda: ReductionKernel(np.int32, "0", "a+b"), TypeError, "arguments are missing"),
        ("no vector", lambda: ReductionKernel(np.int32, "0", "a+b", "a", "int a"), TypeError, "at least one vector"),
        ("another out", lambda: MOST(ints(), out=gpuarray.zeros(1, np.float32)), ValueError, "same dtype as dtype_out"),
        ("gaps", lambda: MOST(ints()[::2]), RuntimeError, "only contiguous arrays .* most"),
        ("two arguments", lambda: MOST(ints(), ints()), TypeError, "most takes 1 arguments"),
        ("no neutral", lambda: ExclusiveScanKernel(np.int32, "a+b"), ValueError, "neutral element is required"),
        ("another shape", lambda: SCAN(ints(), gpuarray.zeros(3, np.int32)), ValueError, "must have the same shape"),
        ("two dimensions", lambda: SCAN(ints().reshape(2, 4)), ValueError, "one dimension, not 2"),
        ("gaps", lambda: SCAN(ints()[::2]), RuntimeError, "only contiguous arrays"),
        ("other elements", lambda: SCAN(gpuarray.zeros(4, np.float32)), TypeError, "made for elements of int32"),
        ("a host array", lambda: SCAN(np.zeros(4, np.int32)), TypeError, "scans a GPUArray"),
        ("another word", lambda: SCAN(ints(), "old"), ValueError, "'new' for a new one, not 'old'"),
    ]


def ints() -> gpuarray.GPUArray:
    return gpuarray.zeros(8, np.int32)


SCALE = ElementwiseKernel("int *x, int a", "x[i] *= a", "scale")
MOST = ReductionKernel(np.int32, "0", "max(a, b)", arguments="int *x", name="most")
SCAN: Any = InclusiveScanKernel(np.int32, "a+b")
REFUSALS = refusals()


@pytest.mark.parametrize(("what", "call", "kind", "message"), REFUSALS, ids=[each[0] for each in REFUSALS])
def test_a_mistake_is_named(what: str, call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_a_kernel_that_does_not_compile_shows_the_compilers_words() -> None:
    from cuprum.compat.pycuda.driver import CompileError

    with pytest.raises(CompileError, match='identifier "nowhere" is undefined'):
        ElementwiseKernel("int *x", "x[i] = nowhere")(ints())


def test_kernels_are_compiled_once_in_each_context() -> None:
    x = ints()
    COUNT(x)
    first = COUNT.generate_stride_kernel_and_types(False)[1]
    assert COUNT.generate_stride_kernel_and_types(False)[1] is first
    context = driver.Device(0).make_context()
    try:
        COUNT(ints())
        own = COUNT.generate_stride_kernel_and_types(False)[1]
        assert own is not first
        result = (ints() + 1).get()
        with pytest.raises(driver.LogicError, match="its memory belongs to"):
            COUNT(x)
        with pytest.raises(driver.LogicError, match="its memory belongs to"):
            x + 1
    finally:
        context.pop()
        context.detach()
    assert result.tolist() == [1] * 8
    assert COUNT.generate_stride_kernel_and_types(False)[1] is first
