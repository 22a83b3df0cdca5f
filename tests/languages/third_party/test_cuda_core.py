"""cuda-core: devices, programs, launches, memory, graphs."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest
from cuda.bindings import driver
from cuda.core import (
    Buffer,
    ContextOptions,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    EventOptions,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Linker,
    LinkerOptions,
    ManagedMemoryResource,
    PinnedMemoryResource,
    Program,
    ProgramOptions,
    SMResourceOptions,
    Stream,
    VirtualMemoryResource,
    launch,
)
from cuda.core.graph import GraphDefinition
from numpy.typing import NDArray

SOURCE = r"""
template <typename T> __global__ void scale(T* values, T factor, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}

extern "C" __global__ void add_one(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

extern "C" __global__ void sum(const float* values, float* total, int n) {
    extern __shared__ float parts[];
    float own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += values[i];
    parts[threadIdx.x] = own;
    __syncthreads();
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) *total = parts[0];
}
"""
N = 1000
CONFIG = LaunchConfig(grid=(N + 255) // 256, block=256)


@pytest.fixture(scope="module")
def device() -> Device:
    device = Device(0)
    device.set_current()
    return device


@pytest.fixture
def stream(device: Device) -> Stream:
    return device.create_stream()


@pytest.fixture(scope="module")
def code(device: Device) -> Any:
    program = Program(SOURCE, "c++", ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    return program.compile("cubin", name_expressions=("scale<float>", "scale<double>"))


class Array:
    """Device memory with a pinned host copy that NumPy sees."""

    def __init__(self, device: Device, stream: Stream, values: NDArray[Any]) -> None:
        self.stream = stream
        self.host_memory = LegacyPinnedMemoryResource().allocate(values.nbytes, stream=stream)
        self.host = np.from_dlpack(self.host_memory).view(values.dtype)
        self.host[:] = values
        self.memory = device.allocate(values.nbytes, stream=stream)
        self.memory.copy_from(self.host_memory, stream=stream)

    def values(self) -> NDArray[Any]:
        self.memory.copy_to(self.host_memory, stream=self.stream)
        self.stream.sync()
        return self.host


@pytest.fixture
def array(device: Device, stream: Stream) -> Array:
    return Array(device, stream, np.arange(N, dtype=np.float32))


def test_a_template_is_compiled_to_machine_code_and_launched(code: Any, stream: Stream, array: Array) -> None:
    assert code.code[:4] == b"\x7fELF"
    launch(stream, CONFIG, code.get_kernel("scale<float>"), array.memory, np.float32(2), np.int32(N))
    np.testing.assert_array_equal(array.values(), 2 * np.arange(N, dtype=np.float32))


def test_a_reduction_through_dynamic_shared_memory(device: Device, code: Any, stream: Stream, array: Array) -> None:
    total = Array(device, stream, np.zeros(1, dtype=np.float32))
    config = LaunchConfig(grid=1, block=128, shmem_size=128 * 4)
    launch(stream, config, code.get_kernel("sum"), array.memory, total.memory, np.int32(N))
    assert total.values()[0] == N * (N - 1) / 2


def test_kernels_describe_themselves(code: Any) -> None:
    kernel = code.get_kernel("scale<double>")
    assert kernel.num_arguments == 3
    assert [(info.offset, info.size) for info in kernel.arguments_info] == [(0, 8), (8, 8), (16, 4)]
    assert kernel.attributes.max_threads_per_block == 1024
    assert kernel.occupancy.max_active_blocks_per_multiprocessor(256, 0) > 0


def test_one_stream_waits_for_another(device: Device, code: Any, array: Array) -> None:
    first, second = device.create_stream(), device.create_stream()
    array.stream.sync()
    begin = first.record(options=EventOptions(timing_enabled=True))
    launch(first, CONFIG, code.get_kernel("add_one"), array.memory, np.int32(N))
    end = first.record(options=EventOptions(timing_enabled=True))
    second.wait(end)
    launch(second, CONFIG, code.get_kernel("scale<float>"), array.memory, np.float32(3), np.int32(N))
    second.sync()
    assert end.is_done
    assert end - begin >= 0
    np.testing.assert_array_equal(array.values(), 3 * (np.arange(N, dtype=np.float32) + 1))


def test_a_memory_pool_counts_what_is_used(device: Device, stream: Stream) -> None:
    # Of its own: what other tests have let go of may be on its way back to the device's.
    pool = DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=4 << 20))
    buffer = pool.allocate(1 << 20, stream=stream)
    assert pool.attributes.used_mem_current == 1 << 20
    buffer.fill(7, stream=stream)
    buffer.close(stream)
    stream.sync()
    assert pool.attributes.used_mem_current == 0


@pytest.mark.parametrize("resource", [PinnedMemoryResource, ManagedMemoryResource])
def test_pools_of_memory_that_the_host_sees_too(resource: Any, code: Any, stream: Stream) -> None:
    pool = resource()
    if resource is PinnedMemoryResource:
        # cuda.core leaves it to the driver which devices reach pinned memory: without this none does.
        access = driver.CUmemAccessDesc()
        access.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        (status,) = driver.cuMemPoolSetAccess(pool.handle, [access], 1)
        assert status == driver.CUresult.CUDA_SUCCESS
    buffer = pool.allocate(4 * N, stream=stream)
    stream.sync()
    assert buffer.is_host_accessible
    assert buffer.is_device_accessible
    values = np.from_dlpack(buffer).view(np.float32)
    values[:] = 5
    launch(stream, CONFIG, code.get_kernel("add_one"), buffer, np.int32(N))
    stream.sync()
    assert (values == 6).all()


def test_virtual_memory(device: Device, code: Any, stream: Stream, array: Array) -> None:
    resource = VirtualMemoryResource(device)
    buffer = resource.allocate(4 * N, stream=stream)
    assert buffer.size >= 4 * N
    part = Buffer.from_handle(buffer.handle, 4 * N, owner=buffer)
    part.copy_from(array.memory, stream=stream)
    launch(stream, CONFIG, code.get_kernel("add_one"), part, np.int32(N))
    part.copy_to(array.memory, stream=stream)
    np.testing.assert_array_equal(array.values(), np.arange(N, dtype=np.float32) + 1)


def test_a_graph_built_by_capture(device: Device, code: Any, stream: Stream, array: Array) -> None:
    builder = device.create_graph_builder().begin_building()
    launch(builder, CONFIG, code.get_kernel("add_one"), array.memory, np.int32(N))
    launch(builder, CONFIG, code.get_kernel("scale<float>"), array.memory, np.float32(2), np.int32(N))
    graph = builder.end_building().complete()
    for _ in range(2):
        graph.launch(stream)
    expected = np.arange(N, dtype=np.float32)
    np.testing.assert_array_equal(array.values(), ((expected + 1) * 2 + 1) * 2)


def test_a_graph_of_nodes(code: Any, stream: Stream, array: Array) -> None:
    definition = GraphDefinition()
    first = definition.launch(CONFIG, code.get_kernel("add_one"), array.memory, np.int32(N))
    first.launch(CONFIG, code.get_kernel("scale<float>"), array.memory, np.float32(5), np.int32(N))
    definition.instantiate().launch(stream)
    np.testing.assert_array_equal(array.values(), (np.arange(N, dtype=np.float32) + 1) * 5)


def test_a_graph_that_loops_as_long_as_a_kernel_says(device: Device, stream: Stream) -> None:
    source = """
    extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
        cudaGraphConditionalHandle, unsigned);
    extern "C" __global__ void count(cudaGraphConditionalHandle again, int* rounds) {
        cudaGraphSetConditional(again, ++*rounds < 7);
    }"""
    code = Program(source, "c++", ProgramOptions(std="c++17", arch=f"sm_{device.arch}")).compile("cubin")
    buffer = LegacyPinnedMemoryResource().allocate(4, stream=stream)
    rounds = np.from_dlpack(buffer).view(np.int32)
    rounds[:] = 0
    builder = device.create_graph_builder().begin_building()
    again = builder.create_condition(default_value=1)
    body = builder.while_loop(again)
    body.begin_building()
    launch(body, LaunchConfig(grid=1, block=1), code.get_kernel("count"), again, buffer)
    body.end_building()
    builder.end_building().complete().launch(stream)
    stream.sync()
    assert rounds[0] == 7


def test_a_part_of_the_multiprocessors(device: Device, code: Any) -> None:
    everything = device.resources.sm
    (part,), _rest = everything.split(SMResourceOptions(count=everything.min_partition_size))
    assert everything.min_partition_size <= part.sm_count <= everything.sm_count
    context = device.create_context(ContextOptions(resources=[part]))
    assert context.is_green
    stream = context.create_stream()
    assert stream.resources.sm.sm_count == part.sm_count
    array = Array(device, stream, np.arange(N, dtype=np.float32))
    launch(stream, CONFIG, code.get_kernel("add_one"), array.memory, np.int32(N))
    np.testing.assert_array_equal(array.values(), np.arange(N, dtype=np.float32) + 1)
    array.memory.close(stream)
    array.host_memory.close(stream)
    stream.sync()
    stream.close()
    context.close()


def replace_what_is_shared(pipe: Connection) -> None:
    """The other process's part of the test below."""
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    shared = pipe.recv()
    buffer = LegacyPinnedMemoryResource().allocate(16, stream=stream)
    values = np.from_dlpack(buffer).view(np.int32)
    shared.copy_to(buffer, stream=stream)
    stream.sync()
    pipe.send(values.tolist())
    values[:] += 3
    shared.copy_from(buffer, stream=stream)
    stream.sync()
    shared.close()


def test_two_processes_share_a_pools_memory(device: Device, stream: Stream) -> None:
    pool = DeviceMemoryResource(device, options=DeviceMemoryResourceOptions(max_size=1 << 21, ipc_enabled=True))
    shared = pool.allocate(16, stream=stream)
    buffer = LegacyPinnedMemoryResource().allocate(16, stream=stream)
    values = np.from_dlpack(buffer).view(np.int32)
    values[:] = [1, 2, 3, 4]
    shared.copy_from(buffer, stream=stream)
    stream.sync()
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    other = spawn.Process(target=replace_what_is_shared, args=(theirs,))
    other.start()
    ours.send(shared)
    assert ours.poll(60), "the other process says nothing"
    assert ours.recv() == [1, 2, 3, 4]
    other.join(60)
    assert other.exitcode == 0
    shared.copy_to(buffer, stream=stream)
    stream.sync()
    assert values.tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize("kind", ["ptx", "cubin", "ltoir"])
def test_separately_compiled_parts_are_linked(kind: str, device: Device, stream: Stream) -> None:
    caller = """extern __device__ int triple(int);
    extern "C" __global__ void apply(int* values) { values[threadIdx.x] = triple(values[threadIdx.x]); }"""
    callee = "__device__ int triple(int x) { return 3 * x; }"
    arch = f"sm_{device.arch}"
    link_time = True if kind == "ltoir" else None
    options = ProgramOptions(arch=arch, relocatable_device_code=True, link_time_optimization=link_time)
    parts = [Program(source, "c++", options).compile(kind) for source in (caller, callee)]
    linked = Linker(*parts, options=LinkerOptions(arch=arch, link_time_optimization=link_time)).link("cubin")
    values = Array(device, stream, np.arange(32, dtype=np.int32))
    launch(stream, LaunchConfig(grid=1, block=32), linked.get_kernel("apply"), values.memory)
    np.testing.assert_array_equal(values.values(), 3 * np.arange(32))


@pytest.mark.parametrize("kinds", [("ltoir", "ptx"), ("ptx", "ltoir")])
def test_ptx_and_lto_ir_call_each_other(kinds: tuple[str, str], device: Device, stream: Stream) -> None:
    sources = (
        """extern "C" __device__ int triple(int);
        extern "C" __global__ void apply(int* values) { values[threadIdx.x] = triple(values[threadIdx.x]); }""",
        """extern "C" __device__ int triple(int x) { return 3 * x; }""",
    )
    arch = f"sm_{device.arch}"
    parts = []
    for kind, source in zip(kinds, sources, strict=True):
        link_time = True if kind == "ltoir" else None
        options = ProgramOptions(arch=arch, relocatable_device_code=True, link_time_optimization=link_time)
        parts.append(Program(source, "c++", options).compile(kind))
    linked = Linker(*parts, options=LinkerOptions(arch=arch, link_time_optimization=True)).link("cubin")
    values = Array(device, stream, np.arange(32, dtype=np.int32))
    launch(stream, LaunchConfig(grid=1, block=32), linked.get_kernel("apply"), values.memory)
    np.testing.assert_array_equal(values.values(), 3 * np.arange(32))


def test_a_link_without_a_definition_names_it(device: Device) -> None:
    source = """extern __device__ int nowhere(int);
    extern "C" __global__ void apply(int* values) { *values = nowhere(*values); }"""
    arch = f"sm_{device.arch}"
    part = Program(source, "c++", ProgramOptions(arch=arch, relocatable_device_code=True)).compile("ptx")
    linker = Linker(part, options=LinkerOptions(arch=arch))
    with pytest.raises(Exception, match="nowhere"):
        linker.link("cubin")
