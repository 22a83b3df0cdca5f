"""Attributes and occupancy of kernels, variables of code."""

from __future__ import annotations

import array
import ctypes
import io
import os
import pathlib
import pickle

import cuprum
import numpy as np
import pytest
from cuprum.bindings import driver
from cuprum.core import (
    CompileProgress,
    CompileRequest,
    Device,
    Kernel,
    LaunchConfig,
    ObjectCode,
    Program,
    Stream,
    compile_all,
    launch,
)
from cuprum.core.utils import clear_compile_cache, compile_cache_info, parse_diagnostics, verify_compile_cache

SOURCE = """
extern "C" __constant__ float factors[4] = {1, 2, 3, 4};
extern "C" __device__ int counter = 5;
namespace inner { __device__ double total = 1.5; }
extern "C" __global__ void scale(float* x) {
    x[threadIdx.x] *= factors[threadIdx.x];
    if (threadIdx.x == 0) { counter += 1; inner::total += 1; }
}
"""

SETTABLE = (
    "max_dynamic_shared_size_bytes",
    "preferred_shared_memory_carveout",
    "required_cluster_width",
    "required_cluster_height",
    "required_cluster_depth",
    "non_portable_cluster_size_allowed",
    "cluster_scheduling_policy_preference",
)


@pytest.fixture
def code(device: Device) -> ObjectCode:
    return Program(SOURCE, "c++").compile("ptx", name_expressions=("&inner::total",))


@pytest.fixture
def kernel(code: ObjectCode) -> Kernel:
    return code.get_kernel("scale")


@pytest.mark.parametrize("name", SETTABLE)
def test_attributes_that_are_set_are_read(kernel: Kernel, name: str) -> None:
    setattr(kernel.attributes, name, 1)
    assert getattr(kernel.attributes, name) == 1
    assert getattr(kernel.attributes[0], name) == 1


def test_attributes_have_their_defaults(kernel: Kernel) -> None:
    attributes = kernel.attributes
    assert attributes.cache_mode_ca is False
    assert attributes.cluster_size_must_be_set is False
    assert attributes.non_portable_cluster_size_allowed is False
    assert attributes.preferred_shared_memory_carveout == -1


def test_a_value_that_the_driver_does_not_take_is_refused(kernel: Kernel) -> None:
    with pytest.raises(cuprum.CUDAError, match="setting the preferred shared memory carveout to 101"):
        kernel.attributes.preferred_shared_memory_carveout = 101
    with pytest.raises(AttributeError):
        kernel.attributes.num_regs = 3  # type: ignore[misc]


def test_the_block_size_that_fills_a_device_is_found(device: Device, kernel: Kernel) -> None:
    best = kernel.occupancy.max_potential_block_size(0, 0)
    resident = kernel.occupancy.max_active_blocks_per_multiprocessor(best.max_block_size, 0)
    assert best.min_grid_size == resident * device.properties.multiprocessor_count
    assert kernel.occupancy.max_potential_block_size(0, 64).max_block_size <= 64


def test_the_shared_memory_of_each_block_size_is_asked_for(kernel: Kernel) -> None:
    def needed(threads: int) -> int:
        return 0 if threads <= 64 else 1 << 20

    assert kernel.occupancy.max_potential_block_size(needed, 0).max_block_size == 64
    in_c = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int)(needed)
    address = ctypes.cast(in_c, ctypes.c_void_p).value
    assert address is not None
    of_c = driver.CUoccupancyB2DSize(address)
    assert kernel.occupancy.max_potential_block_size(of_c, 0).max_block_size == 64
    with pytest.raises(ZeroDivisionError):
        kernel.occupancy.max_potential_block_size(lambda threads: 1 // 0, 0)
    with pytest.raises(TypeError, match="must be a number of bytes, or a function"):
        kernel.occupancy.max_potential_block_size("many", 0)  # type: ignore[arg-type]


def test_variables_are_memory_that_keeps_their_code(
    device: Device, stream: Stream, code: ObjectCode, kernel: Kernel
) -> None:
    factors, counter = code.get_global("factors"), code.get_global(b"counter")
    total = code.get_global("&inner::total")
    assert factors.size == 16
    assert not factors.is_host_accessible
    factors.copy_from_host(array.array("f", [10, 20, 30, 40]))
    x = device.allocate(16, stream=stream)
    x.copy_from_host(array.array("f", [1, 1, 1, 2]), stream=stream)
    launch(stream, LaunchConfig(grid=1, block=4), kernel, x)
    result = array.array("f", bytes(16))
    x.copy_to_host(result, stream=stream)
    stream.sync()
    assert list(result) == [10, 20, 30, 80]
    code.close()
    kernel.close()
    count, sum_ = array.array("i", [0]), array.array("d", [0])
    counter.copy_to_host(count)
    total.copy_to_host(sum_)
    assert (count[0], sum_[0]) == (6, 2.5)
    factors.close(stream)
    with pytest.raises(cuprum.InvalidState):
        factors.copy_from_host(bytes(16))


def test_variables_are_values_of_their_types(device: Device, stream: Stream, code: ObjectCode, kernel: Kernel) -> None:
    factors, counter = code.get_global("factors"), code.get_global("counter")
    assert (factors.name, counter.name) == ("factors", "counter")
    factors.set_values([4, 3, 2, 1], np.float32)
    assert factors.values(np.float32).tolist() == [4, 3, 2, 1]
    factors.set_values(np.array([[8, 7], [6, 5]], np.float32), stream=stream)
    assert factors.values("f4", stream=stream).tolist() == [8, 7, 6, 5]
    pairs = np.dtype([("first", np.float32, 2), ("second", np.float32, 2)])
    assert factors.value(pairs)["second"].tolist() == [6, 5]
    counter.set_value(41, np.int32, stream=stream)
    x = device.allocate(16, stream=stream)
    launch(stream, LaunchConfig(grid=1, block=4), kernel, x)
    assert counter.value(np.int32, stream=stream) == 42
    assert counter.value(np.int32) == 42


def test_variables_are_read_and_written_as_a_whole(code: ObjectCode) -> None:
    factors = code.get_global("factors")
    before = factors.values(np.float32).tolist()
    with pytest.raises(cuprum.InvalidArgument, match="factors has 16 bytes, and a value of float64 has 8"):
        factors.value(np.float64)
    with pytest.raises(cuprum.InvalidArgument, match="factors has 16 bytes, and 3 of float32 has 12"):
        factors.set_values([1, 2, 3], np.float32)
    with pytest.raises(cuprum.InvalidArgument, match=r"no whole number of values of \|S5"):
        factors.values("S5")
    assert factors.values(np.float32).tolist() == before


def test_a_variable_that_is_not_there_is_refused(code: ObjectCode) -> None:
    with pytest.raises(cuprum.InvalidArgument, match="looking for the variable 'missing'"):
        code.get_global("missing")
    code.close()
    with pytest.raises(cuprum.InvalidState, match="looking for a variable"):
        code.get_global("factors")


def test_kernels_are_taken_by_their_handles(code: ObjectCode, kernel: Kernel) -> None:
    taken = Kernel.from_handle(kernel.handle, code)
    assert taken.name == "scale"
    assert taken.handle == Kernel.from_handle(kernel.handle).handle == kernel.handle
    assert [info.kind for info in taken.arguments_info] == ["pointer"]
    with pytest.raises(cuprum.InvalidArgument, match="the handle is null"):
        Kernel.from_handle(0)
    with pytest.raises(TypeError, match="mod must be an ObjectCode"):
        Kernel.from_handle(kernel.handle, "code")  # type: ignore[arg-type]


def test_code_is_read_from_regular_files_only(tmp_path: pathlib.Path, code: ObjectCode) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in ("/dev/zero", pipe):
        with pytest.raises(cuprum.InvalidArgument, match="not a regular file"):
            ObjectCode.from_ptx(path)
    file = tmp_path / "code.ptx"
    file.write_bytes(code.code)
    assert ObjectCode.from_ptx(file).code == code.code


def test_the_compile_cache_is_counted_verified_and_cleared(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUPRUM_CACHE_DIR", str(tmp_path / "cache"))
    before = compile_cache_info()
    assert (before.directory, before.disabled_reason, before.entries) == (str(tmp_path / "cache"), "", 0)
    for _ in range(2):
        Program(SOURCE, "c++", {"arch": "compute_80"}).compile("ptx")
    after = compile_cache_info()
    assert (after.hits - before.hits, after.misses - before.misses, after.entries) == (1, 1, 1)
    assert 0 < after.size < after.size_limit
    assert verify_compile_cache() == (1, 0)
    (entry,) = (tmp_path / "cache").glob("*.compiled")
    entry.write_bytes(entry.read_bytes() + b"?")
    assert verify_compile_cache() == (0, 1)
    assert compile_cache_info().dropped == after.dropped + 1
    Program(SOURCE, "c++", {"arch": "compute_80"}).compile("ptx")
    clear_compile_cache()
    assert compile_cache_info().entries == 0


def test_a_compile_log_is_taken_apart() -> None:
    options = {"arch": "compute_80", "name": "wrong.cu"}
    with pytest.raises(cuprum.CompileError) as caught:
        Program("__global__ void k() {\n    wrong();\n}\n", "c++", options).compile("ptx")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic[:5] == ("error", "wrong.cu", 2, 5, "")
    assert "wrong" in diagnostic.text
    assert cuprum.Error("no log").diagnostics == []
    logs = io.StringIO()
    Program('extern "C" __global__ void k() {\n    int unused;\n}\n', "c++", options).compile("ptx", logs=logs)
    (warning,) = parse_diagnostics(logs.getvalue())
    assert (warning.severity, warning.line, warning.code) == ("warning", 2, "177-D")


@pytest.mark.parametrize("count", [-1, 0])
def test_a_program_needs_a_register_at_least(count: int) -> None:
    with pytest.raises(cuprum.InvalidArgument, match=f"the maximum register count is {count}"):
        Program(SOURCE, "c++", {"max_register_count": count}).compile("ptx")


@pytest.mark.parametrize("kind", ["ptx", "cubin", "ltoir", "fatbin", "object", "library"])
def test_every_kind_of_code_is_pickled(kind: str) -> None:
    made = getattr(ObjectCode, f"from_{kind}")(b"\x7fbytes", name="n", symbol_mapping={"a<int>": "_Za"})
    again = pickle.loads(pickle.dumps(made))
    assert (again.code_type, again.code, again.name) == (kind, made.code, "n")
    assert again.symbol_mapping == {"a<int>": "_Za"}


def test_many_programs_are_compiled_at_once() -> None:
    def program(i: int) -> Program:
        source = f'template <class T> __global__ void fill(T*) {{}}\nextern "C" __global__ void k{i}() {{}}'
        return Program(source, "c++", {"name": f"p{i}.cu"})

    programs = [program(i) for i in range(4)]
    requests = [CompileRequest(each, "ptx", ["fill<int>"]) for each in programs]
    seen: list[CompileProgress] = []
    codes = compile_all(requests, num_threads=2, progress=seen.append)
    assert sorted(each.index for each in seen) == [0, 1, 2, 3]
    assert [(each.done, each.total) for each in seen] == [(i, 4) for i in range(1, 5)]
    assert all(each.succeeded and each.program is programs[each.index] for each in seen)
    for i, code in enumerate(codes):
        assert (code.name, code.code_type) == (f"p{i}.cu", "ptx")
        assert code.get_kernel(f"k{i}").num_arguments == 0
        assert code.get_kernel("fill<int>").num_arguments == 1
    again: list[CompileProgress] = []
    compile_all(requests, progress=again.append)
    assert all(each.from_cache for each in again)
    assert compile_all([]) == []
    with pytest.raises(ZeroDivisionError):
        compile_all(programs, progress=lambda progress: 1 // 0)


def test_every_program_that_fails_is_named() -> None:
    good = Program('extern "C" __global__ void k() { int unused; }', "c++", {"name": "good.cu"})
    bad = [Program("__global__ void k() { wrong(); }", "c++", {"name": f"bad{i}.cu"}) for i in range(2)]
    seen: dict[int, CompileProgress] = {}
    with pytest.raises(
        cuprum.CompileError, match=r"(?s)2 of 3.*program 0 'bad0.cu', program 2 'bad1.cu' fail"
    ) as error:
        compile_all([bad[0], good, bad[1]], progress=lambda progress: seen.update({progress.index: progress}))
    assert {each.file for each in error.value.diagnostics} == {"bad0.cu", "bad1.cu"}
    assert [seen[i].succeeded for i in range(3)] == [False, True, False]
    assert "unused" in seen[1].log
    assert "bad1.cu" in seen[2].log
    with pytest.raises(TypeError, match="must be a Program or a CompileRequest, not str"):
        compile_all(["source"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="num_threads is 0 or more"):
        compile_all([good], num_threads=-1)
    good.close()
    with pytest.raises(cuprum.InvalidState, match="closed"):
        compile_all([good])
