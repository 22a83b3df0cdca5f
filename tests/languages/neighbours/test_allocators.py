"""Other libraries' memory pools as memory resources, and memory resources as their allocators."""

from __future__ import annotations

import ctypes
import gc
import importlib
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from cuprum import _cuprum, parallel
from cuprum.allocators._pool import PoolMemoryResource
from cuprum.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    Kernel,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    MemoryResource,
    Stream,
    launch,
)
from libraries import CuPy, Library, Numba, PyTorch

POOLS: list[type[Library]] = [CuPy, PyTorch]
LATE = 100_000_000


class Counting(MemoryResource):
    """Another resource, with a count of what is in use."""

    def __init__(self, upstream: MemoryResource) -> None:
        self.upstream = upstream
        self.live: dict[int, Buffer] = {}
        self.allocated = 0

    def allocate(self, size: int, *, stream: Any = None) -> Buffer:
        buffer = self.upstream.allocate(size, stream=stream)
        self.live[buffer.handle] = buffer
        self.allocated += 1
        return Buffer.from_handle(buffer.handle, size, mr=self, stream=stream)

    def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
        self.live.pop(ptr).close(stream)

    is_device_accessible, is_host_accessible, device_id = True, False, 0


@pytest.fixture
def counting(device: Device) -> Iterator[Counting]:
    """What device 0 allocates from."""
    former = device.memory_resource
    resource = Counting(DeviceMemoryResource(device, {}))
    device.memory_resource = resource
    yield resource
    gc.collect()
    device.memory_resource = former


def pool_of(library: Library) -> MemoryResource:
    if isinstance(library, CuPy):
        made: MemoryResource = importlib.import_module("cuprum.allocators.cupy").CuPyMemoryResource(0)
    else:
        made = importlib.import_module("cuprum.allocators.torch").TorchMemoryResource(0)
    return made


def in_use(library: Library) -> int:
    """The bytes that the library has given out."""
    if isinstance(library, CuPy):
        return int(library.imported.get_default_memory_pool().used_bytes())
    return int(library.imported.cuda.memory_allocated(0))


class Reusing(PoolMemoryResource):
    """A pool as CuPy's and PyTorch's are: what comes back is given out again at once, in the stream it was taken in."""

    def __init__(self) -> None:
        super().__init__(0)
        self.free: dict[tuple[int, int], list[Buffer]] = {}

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        kept = self.free.setdefault((stream.handle, size), [])
        buffer = kept.pop() if kept else Device(0).allocate(size, stream=stream)
        return buffer.handle, (kept, buffer)

    def _give_back(self, memory: Any) -> None:
        kept, buffer = memory
        kept.append(buffer)


# --- What the resources over pools have in common.


def test_memory_that_was_closed_is_given_out_again_in_its_stream(device: Device, stream: Stream) -> None:
    pool = Reusing()
    with pool.allocate(400, stream=stream) as buffer:
        address = buffer.handle
        assert (buffer.memory_resource, buffer.device_id, buffer.is_host_accessible) == (pool, 0, False)
    with pool.allocate(400, stream=stream) as again, pool.allocate(400, stream=None) as another:
        assert again.handle == address != another.handle


def test_what_was_closed_in_another_stream_is_waited_for(
    device: Device, stream: Stream, kernels: dict[str, Kernel]
) -> None:
    check_late_work_is_waited_for(Reusing(), device, stream, kernels)


def test_what_a_pool_has_not_allocated_is_not_freed(device: Device, stream: Stream) -> None:
    pool = Reusing()
    check_refusals(pool, stream)
    buffer = pool.allocate(16, stream=stream)
    address = buffer.handle
    buffer.close()
    with pytest.raises(ValueError, match="or it was freed before"):
        pool.deallocate(address, 16, stream=stream)


def check_late_work_is_waited_for(
    pool: MemoryResource, device: Device, stream: Stream, kernels: dict[str, Kernel]
) -> None:
    with device.create_stream() as other:
        kept, busy = device.allocate(400, stream=other), device.allocate(400, stream=other)
        buffer = pool.allocate(400, stream=stream)
        buffer.fill(np.float32(3).tobytes(), stream=stream)
        other.wait(stream)
        launch(other, LaunchConfig(1, block=32), kernels["fill_late"], busy, 0.0, 100, LATE)
        kept.copy_from(buffer, stream=other)
        address = buffer.handle
        buffer.close(other)
        again = pool.allocate(400, stream=stream)
        again.fill(0, stream=stream)
        stream.sync()
        values = np.empty(100, np.float32)
        kept.copy_to_host(values, stream=other)
        other.sync()
        assert (values == 3).all(), f"{address:#x} was given out again as {again.handle:#x} too early"


def check_refusals(pool: MemoryResource, stream: Stream) -> None:
    with pytest.raises(ValueError, match="has not allocated memory at 0x10"):
        pool.deallocate(16, 4, stream=None)
    with pytest.raises(ValueError, match="a number of bytes"):
        pool.allocate(-1, stream=stream)
    with pytest.raises(Exception, match=r"(?i)memory"):
        pool.allocate(1 << 50, stream=stream)
    assert pool.allocate(0, stream=stream).size == 0
    with pytest.raises(TypeError, match="stream"):
        pool.allocate(16, stream=5)  # type: ignore[arg-type]


# --- Their pools.


@pytest.mark.parametrize("library", POOLS, indirect=True, ids=[kind.name for kind in POOLS])
class TestTheirPool:
    def test_buffers_are_of_their_pool(self, library: Library, device: Device, stream: Stream) -> None:
        pool, before = pool_of(library), in_use(library)
        values = np.arange(1000, dtype=np.float32)
        with pool.allocate(4000, stream=stream) as buffer:
            assert in_use(library) >= before + 4000
            assert buffer.memory_resource is pool
            assert (buffer.device_id, buffer.is_host_accessible) == (0, False)
            buffer.copy_from_host(values, stream=stream)
            result = np.empty_like(values)
            buffer.copy_to_host(result, stream=stream)
            stream.sync()
            assert np.array_equal(result, values)
        assert in_use(library) == before

    def test_a_buffer_without_a_stream_is_of_the_default_stream(self, library: Library, device: Device) -> None:
        with pool_of(library).allocate(100, stream=None) as buffer:
            buffer.fill(7, stream=device.default_stream)
            values = bytearray(100)
            buffer.copy_to_host(values)
            assert values == bytes([7]) * 100

    def test_memory_freed_in_another_stream_is_not_used_before_its_work_is_done(
        self, library: Library, device: Device, stream: Stream, kernels: dict[str, Kernel]
    ) -> None:
        check_late_work_is_waited_for(pool_of(library), device, stream, kernels)

    def test_a_device_allocates_from_their_pool(self, library: Library, device: Device, stream: Stream) -> None:
        pool, former, before = pool_of(library), device.memory_resource, in_use(library)
        device.memory_resource = pool
        try:
            with device.allocate(1 << 20, stream=stream) as buffer:
                assert buffer.memory_resource is pool
                assert in_use(library) >= before + (1 << 20)
            assert parallel.reduce(np.arange(1000, dtype=np.int64), np.int64(0)) == 499500
        finally:
            device.memory_resource = former

    def test_what_cannot_be_is_refused(self, library: Library, device: Device, stream: Stream) -> None:
        check_refusals(pool_of(library), stream)

    def test_each_device_has_its_pool(self, two_devices: Library, device: Device, stream: Stream) -> None:
        second = type(pool_of(two_devices))(1)  # type: ignore[call-arg]
        with Device(1).create_stream() as of_second, second.allocate(400, stream=of_second) as buffer:
            assert buffer.device_id == second.device_id == 1
        with pytest.raises(ValueError, match="the stream is of"):
            second.allocate(400, stream=stream)
        assert Device() is device


# --- Ours, as their allocators.


@pytest.mark.parametrize("library", [CuPy], indirect=True, ids=["CuPy"])
class TestCuPysAllocator:
    def test_arrays_have_memory_of_the_resource(self, library: Library, counting: Counting) -> None:
        cupy = library.imported
        allocator = importlib.import_module("cuprum.allocators.cupy").cupy_allocator
        with cupy.cuda.using_allocator(allocator(counting)), library.stream():
            array = cupy.arange(1000, dtype=cupy.float32)
            assert library.address(array) in counting.live
            assert (library.to_numpy(cupy.sin(array)) == np.sin(np.arange(1000, dtype=np.float32))).mean() > 0.5
            assert cupy.empty(0).size == 0
        del array
        gc.collect()
        assert not counting.live
        with cupy.cuda.using_allocator(allocator()):
            array = cupy.zeros(10)
            assert library.address(array) in counting.live
            del array
        gc.collect()
        assert not counting.live

    def test_what_is_no_device_memory_is_refused(self, library: Library, device: Device) -> None:
        allocator = importlib.import_module("cuprum.allocators.cupy").cupy_allocator
        with pytest.raises(TypeError, match="must be a MemoryResource, not int"):
            allocator(5)

        class OnHost(Counting):
            is_device_accessible, is_host_accessible = False, True

        with pytest.raises(ValueError, match="no device can use"):
            allocator(OnHost(LegacyPinnedMemoryResource()))

    def test_too_much_is_an_error_that_says_so(self, library: Library, device: Device) -> None:
        cupy = library.imported
        allocator = importlib.import_module("cuprum.allocators.cupy").cupy_allocator
        small = DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=64 << 20))
        with cupy.cuda.using_allocator(allocator(small)), pytest.raises(MemoryError, match="allocating"):
            cupy.zeros(1 << 30, np.uint8)


@pytest.mark.parametrize("library", [PyTorch], indirect=True, ids=["PyTorch"])
class TestPyTorchsAllocator:
    def test_tensors_have_memory_of_the_device(self, library: Library, counting: Counting) -> None:
        torch = library.imported
        pool = torch.cuda.MemPool(importlib.import_module("cuprum.allocators.torch").torch_allocator().allocator())
        with torch.cuda.use_mem_pool(pool):
            tensor = torch.arange(1 << 20, device="cuda:0")
            assert counting.allocated > 0
            assert any(
                address <= tensor.data_ptr() < address + buffer.size for address, buffer in counting.live.items()
            )
        assert tensor.sum().item() == (1 << 19) * ((1 << 20) - 1)

    def test_all_of_pytorch_allocates_from_the_device(self, library: Library) -> None:
        # In a process of its own: PyTorch must not have allocated yet.
        program = """
            import torch
            from cuprum.allocators.torch import torch_allocator
            from cuprum.core import Device, DeviceMemoryResource, DeviceMemoryResourceOptions

            device = Device(0)
            pool = DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=256 << 20))
            device.memory_resource = pool
            torch.cuda.memory.change_current_allocator(torch_allocator())
            a = torch.ones(1 << 20, device="cuda")
            print((a + a).sum().item(), pool.attributes.used_mem_current >= 4 << 20)
            try:
                torch.zeros(1 << 30, dtype=torch.uint8, device="cuda")
            except RuntimeError as error:
                print("cuprum.allocators.torch: allocating" in str(error))
            del a
            torch.cuda.synchronize()
            print(pool.attributes.used_mem_current)
            """
        ended = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False, timeout=120
        )
        assert (ended.stdout.split(), ended.returncode) == (["2097152.0", "True", "True", "0"], 0), ended.stderr


def test_the_functions_that_pytorch_calls_take_memory_of_the_device(counting: Counting, stream: Stream) -> None:
    library = ctypes.CDLL(_cuprum.__file__)  # as CUDAPluggableAllocator finds them
    allocate, free = library.cuprum_torch_allocate, library.cuprum_torch_free
    allocate.restype = ctypes.c_void_p
    allocate.argtypes = (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    free.argtypes = (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    for handle in (stream.handle, None):
        first, second = allocate(1000, 0, handle), allocate(2000, 0, handle)
        assert sorted(buffer.size for buffer in counting.live.values()) == [1000, 2000]
        assert {first, second} == set(counting.live)
        free(first, 1000, 0, handle)
        assert set(counting.live) == {second}
        free(second, 2000, 0, handle)
        free(second, 2000, 0, handle)  # nothing of ours
        assert not counting.live
    assert allocate(0, 0, stream.handle) is None


@pytest.mark.parametrize("library", [Numba], indirect=True, ids=["numba-cuda"])
class TestNumbasMemoryManager:
    @pytest.mark.parametrize("chosen_by", ["a call", "the environment"])
    def test_arrays_have_memory_of_the_device(self, library: Library, chosen_by: str) -> None:
        # In a process of its own: numba chooses its memory manager once.
        program = """
            import sys
            import numpy as np
            from numba import cuda
            from cuprum.core import Device, DeviceMemoryResource

            if sys.argv[1] == "a call":
                from cuprum.allocators.numba import NumbaMemoryManager
                cuda.set_memory_manager(NumbaMemoryManager)

            @cuda.jit
            def double(x):
                x[cuda.threadIdx.x] *= 2

            device = Device(0)
            pool = DeviceMemoryResource(device, {})
            device.memory_resource = pool
            array = cuda.to_device(np.arange(100, dtype=np.float32))
            print(pool.attributes.used_mem_current >= 400)
            double[1, 100](array)
            print(array.copy_to_host().sum(), cuda.current_context().get_memory_info().free > 0)
            try:
                array.get_ipc_handle()
            except NotImplementedError as error:
                print("ipc_enabled" in str(error))
            del array
            device.sync()
            print(pool.attributes.used_mem_current)
            """
        import os

        name = {"the environment": "cuprum.allocators.numba"}.get(chosen_by, "default")
        ended = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program), chosen_by],
            env={**os.environ, "NUMBA_CUDA_MEMORY_MANAGER": name, "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert (ended.stdout.split(), ended.returncode) == (["True", "9900.0", "True", "True", "0"], 0), ended.stderr
