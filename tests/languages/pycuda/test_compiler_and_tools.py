"""SourceModule's arguments, and pycuda.tools."""

from __future__ import annotations

import io
import os
import pathlib
import warnings
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import _host_headers, characterize, compiler, driver, tools
from cuprum.compat.pycuda._nvcc_options import translate

HEADERS = sorted(path.name for path in pathlib.Path(_host_headers.FOLDER).iterdir())


@pytest.mark.parametrize(
    ("options", "translated"),
    [
        (["-I/a", "-I", "/b", "-I /c", "--include-path=/d,/e"], [f"--include-path=/{name}" for name in "abcde"]),
        (["-DA", "-D", "B=2", "-UA"], ["--define-macro=A", "--define-macro=B=2", "--undefine-macro=A"]),
        (["-use_fast_math", "--use_fast_math"], ["--use_fast_math"] * 2),
        (["-std=c++17", "-maxrregcount=32"], ["--std=c++17", "--maxrregcount=32"]),
        (["--maxrregcount", "16"], ["--maxrregcount=16"]),
        (["-G", "-lineinfo", "-w"], ["--device-debug", "--generate-line-info", "--disable-warnings"]),
        (["-O3", "-m64", "-v", "", "--expt-relaxed-constexpr"], []),
        (["-Xptxas", "-v,-O2"], ["--ptxas-options=-v", "--ptxas-options=-O2"]),
    ],
)  # fmt: skip
def test_nvccs_options_become_nvrtcs(options: list[str], translated: list[str]) -> None:
    assert translate(options) == translated


@pytest.mark.parametrize("header", HEADERS)
def test_each_header_of_the_hosts_library_can_be_included(header: str) -> None:
    source = f"#include <{header}>\n#include <{header}>\n__global__ void k() {{}}"
    assert compiler.compile(source, no_extern_c=header.endswith("pp"), target="ptx")


@pytest.mark.parametrize("is_after", [False, True])
def test_the_headers_go_with_cudas_own(is_after: bool) -> None:
    own = "".join(f"#include <{header}>\n" for header in HEADERS if not header.endswith("pp"))
    cudas = "#include <cuda_fp16.h>\n#include <cuda/std/cstdint>\n#include <cuda/std/climits>\n"
    source = own + cudas if is_after else cudas + own
    source += "__global__ void k(uint64_t *a) { *a = INT_MAX + sizeof(ptrdiff_t) + uint64_t(ceil(M_PI * FLT_MIN)); }"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiler.compile(source, no_extern_c=True, target="ptx")


def test_what_was_compiled_is_kept_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    compiler.SourceModule("__global__ void kept() {}", keep=True)
    folder = pathlib.Path(capsys.readouterr().out.removeprefix("*** compiler output in ").strip())
    assert "void kept()" in (folder / "kernel.cu").read_text()
    assert (folder / "kernel.code").stat().st_size > 0
    for name in os.listdir(folder):
        (folder / name).unlink()
    folder.rmdir()


def test_the_architecture_is_the_devices_or_the_one_that_was_asked_for() -> None:
    source = "__global__ void k(int *a) { *a = __CUDA_ARCH__; }"
    major, minor = driver.Context.get_device().compute_capability()
    for arch, expected in ((None, major * 100 + minor * 10), ("compute_75", 750)):
        found = np.zeros(1, np.int32)
        compiler.SourceModule(source, arch=arch).get_function("k")(driver.Out(found), block=(1, 1, 1))
        assert found[0] == expected


def test_what_the_compiler_warns_of_is_a_warning_where_the_module_is_made() -> None:
    with pytest.warns(
        UserWarning, match=r'succeeded, but said the following:(.|\n)*kernel\.cu\(1\).*"unused"'
    ) as caught:
        compiler.SourceModule("__global__ void k(int *a) { int unused; *a = 1; }")
    assert caught[0].filename == __file__


def test_debugging_compiles_with_debug_information() -> None:
    driver.set_debugging()
    try:
        assert "-G" in compiler.DEFAULT_NVCC_FLAGS
        assert b".debug" in compiler.compile("__global__ void k(int *a) { *a = 1; }", target="ptx")
    finally:
        driver.set_debugging(False)
    assert "-G" not in compiler.DEFAULT_NVCC_FLAGS


def test_the_compiler_has_a_version() -> None:
    assert compiler.get_nvcc_version().startswith("NVRTC, release 1")


def test_a_function_is_remembered_for_each_context_and_argument() -> None:
    calls: list[Any] = []

    @tools.context_dependent_memoize
    def remembered(number: int, twice: bool = False) -> int:
        calls.append((number, twice))
        return number * 2 if twice else number

    assert [remembered(1), remembered(1), remembered(1, twice=True), remembered(2)] == [1, 1, 2, 2]
    other = driver.Device(0).make_context()
    try:
        remembered(1)
    finally:
        other.pop()
        other.detach()
    assert calls == [(1, False), (1, True), (2, False), (1, False)]
    again = driver.Device(0).make_context()  # which may get the handle of the other one
    try:
        remembered(1)
        assert len(calls) == 5
    finally:
        again.pop()
        again.detach()
    tools.clear_context_caches()
    remembered(1)
    assert len(calls) == 6


def test_a_pool_gives_its_blocks_back_before_there_is_no_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = tools.DeviceMemoryPool()
    kept = pool.allocate(1 << 20)
    kept.free()
    assert pool.held_blocks == 1
    free, _ = driver.mem_get_info()
    with pytest.raises(driver.MemoryError):
        pool.allocate(1 << 50)
    assert (pool.held_blocks, pool.managed_bytes) == (0, 0)
    assert pool.allocate(16).size == 16
    assert free > 0


def test_a_pool_may_be_freed_before_its_memory() -> None:
    pool = tools.DeviceMemoryPool()
    memory = pool.allocate(16)
    del pool
    driver.memset_d8(memory, 1, 16)
    memory.free()
    with pytest.raises(driver.LogicError, match="has been freed"):
        memory.free()


def test_a_debugging_pool_says_what_is_new() -> None:
    log = io.StringIO()
    pool = tools.DebugMemoryPool(interactive=False, logfile=log)
    pool.allocate(100).free()
    pool.allocate(100).free()
    assert log.getvalue().count("new bytes for 100, asked for at") == 1
    assert "test_a_debugging_pool_says_what_is_new" in log.getvalue()


def test_occupancy_agrees_with_the_drivers() -> None:
    from cuprum.bindings import driver as bindings

    source = "__global__ void k(float *a) { __shared__ float s[%d]; s[threadIdx.x] = *a; __syncthreads(); *a = s[0]; }"
    data = tools.DeviceData()
    for threads, floats in ((64, 64), (256, 2048), (1024, 8192)):
        kernel = compiler.SourceModule(source % floats).get_function("k")
        record = tools.OccupancyRecord(data, threads, kernel.shared_size_bytes, kernel.num_regs)
        err, blocks = bindings.cuOccupancyMaxActiveBlocksPerMultiprocessor(kernel.handle, threads, 0)
        assert not err
        assert record.tb_per_mp == blocks
    with pytest.raises(ValueError, match="2048 threads, a block has at most 1024"):
        tools.OccupancyRecord(data, 2048)


def test_types_have_names_in_c() -> None:
    assert tools.dtype_to_ctype(np.float32) == "float"
    assert [tools.get_or_register_dtype(name).name for name in ("int", "unsigned char", "double")] == [
        "int32",
        "uint8",
        "float64",
    ]
    own = tools.get_or_register_dtype(["own_pair", "struct own_pair"], np.dtype([("left", "i4"), ("right", "i4")]))
    assert tools.get_or_register_dtype("struct own_pair") == own
    assert tools.dtype_to_ctype(own) == "own_pair"
    with pytest.raises(RuntimeError, match=r"'own_pair' is .* already"):
        tools.get_or_register_dtype("own_pair", np.int8)
    with pytest.raises(ValueError, match="give it one with get_or_register_dtype"):
        tools.dtype_to_ctype(np.dtype([("z", "f8")]))
    with pytest.raises(ValueError, match="'unknown_t' is not registered"):
        tools.get_or_register_dtype("unknown_t")


@pytest.mark.parametrize(
    ("text", "cls", "dtype", "declarator"),
    [
        ("float *x", tools.VectorArg, np.float32, "float *x"),
        ("const unsigned int n", tools.ScalarArg, np.uint32, "unsigned int n"),
        ("double const* __restrict__ values", tools.VectorArg, np.float64, "double *values"),
        ("pycuda::complex<float> z", tools.ScalarArg, np.complex64, "pycuda::complex<float> z"),
    ],
)
def test_parameters_are_read_as_c_declares_them(text: str, cls: type, dtype: Any, declarator: str) -> None:
    argument = tools.parse_c_arg(text)
    assert (type(argument), argument.dtype, argument.declarator()) == (cls, np.dtype(dtype), declarator)


@pytest.mark.parametrize("text", ["float", "float **x", "what *x", "float x[3]", "float 3x"])
def test_a_parameter_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="parse_c_arg"):
        tools.parse_c_arg(text)


def test_the_default_device_is_chosen_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_DEVICE", "0")
    assert tools.get_default_device(5) == driver.Device(0)
    monkeypatch.setenv("CUDA_DEVICE", "first")
    with pytest.raises(driver.RuntimeError, match="CUDA_DEVICE is 'first'; it must be the number of a device"):
        tools.make_default_context()


@tools.mark_cuda_test
def test_a_marked_test_has_a_context_of_its_own() -> None:
    from cuprum.compat.pycuda import autoinit

    assert driver.Context.get_current() != autoinit.context


def test_sizes_are_those_of_the_device() -> None:
    assert characterize.sizeof("double2") == 16
    assert characterize.platform_bits() == 64
    assert characterize.has_stack()
