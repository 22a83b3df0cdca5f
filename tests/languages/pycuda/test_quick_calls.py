"""The calls that are C++ (cuprum.compat.pycuda._native): no Python where they are usual, PyCUDA's in every form."""

from __future__ import annotations

import functools
import gc
import io
import sys
import threading
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum.compat.pycuda import driver
from cuprum.compat.pycuda.compiler import SourceModule
from cuprum.compat.pycuda.tools import DebugMemoryPool, DeviceMemoryPool, PageLockedMemoryPool


def python_functions(call: Callable[[], object]) -> list[str]:
    """The functions in Python that a call runs, itself excepted."""
    seen: list[str] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            seen.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen[1:]


lasting = driver.mem_alloc(64)


def usual_calls() -> dict[str, Callable[[], object]]:
    memory, other = driver.mem_alloc(64), driver.mem_alloc(64)
    stream, event, pool = driver.Stream(), driver.Event(), DeviceMemoryPool()
    pool.allocate(64).free()
    event.record(stream).synchronize()
    host = np.zeros(4, np.float32)
    return {
        "mem_alloc": lambda: driver.mem_alloc(64),
        "free": lambda: driver.mem_alloc(64).free(),
        "pool.allocate": lambda: pool.allocate(60),
        "int": lambda: int(memory),
        "memcpy_htod": lambda: driver.memcpy_htod(memory, host),
        "memcpy_htod to an address": functools.partial(driver.memcpy_htod, int(lasting), host),
        "memcpy_htod_async": lambda: driver.memcpy_htod_async(memory, host, stream),
        "memcpy_dtoh": lambda: driver.memcpy_dtoh(host, memory),
        "memcpy_dtoh_async": lambda: driver.memcpy_dtoh_async(host, memory, stream=stream),
        "memcpy_dtod": lambda: driver.memcpy_dtod(memory, other, 64),
        "memcpy_dtod_async": lambda: driver.memcpy_dtod_async(memory, other, 64, None),
        "memset_d8": lambda: driver.memset_d8(memory, 255, 64),
        "memset_d16": lambda: driver.memset_d16(memory, -1, 32),
        "memset_d32": lambda: driver.memset_d32(memory, 0, 16),
        "memset_d32_async": lambda: driver.memset_d32_async(memory, 0, 16, stream),
        "record": lambda: event.record(stream),
        "record in the default stream": lambda: event.record(),
        "event.synchronize": lambda: event.synchronize(),
        "event.query": lambda: event.query(),
        "stream.synchronize": lambda: stream.synchronize(),
        "stream.is_done": lambda: stream.is_done(),
        "stream.wait_for_event": lambda: stream.wait_for_event(event),
    }


@pytest.mark.parametrize("name", usual_calls())
def test_a_usual_call_runs_no_python(name: str) -> None:
    call = usual_calls()[name]
    call()
    assert python_functions(call) == []


def test_arguments_are_given_by_name_too() -> None:
    values = np.arange(4, dtype=np.uint32)
    back = np.zeros_like(values)
    stream, event = driver.Stream(), driver.Event()
    memory, other = driver.mem_alloc(bytes=16), driver.mem_alloc(bytes=np.int64(16))
    driver.memcpy_htod(dest=memory, src=values)
    driver.memcpy_dtod(dest=other, src=memory, size=np.int32(16))
    driver.memcpy_dtoh(src=other, dest=back)
    assert back.tolist() == [0, 1, 2, 3]
    driver.memset_d32(dest=memory, data=np.uint32(7), size=np.int64(2))
    driver.memcpy_dtoh_async(back, src=memory, stream=stream)
    assert event.record(stream=stream) is event
    stream.wait_for_event(evt=event)
    stream.synchronize()
    assert back.tolist() == [7, 7, 2, 3]
    assert DeviceMemoryPool().allocate(size=16).size == 16


def test_each_fill_sets_as_many_bytes_as_it_says() -> None:
    memory = driver.mem_alloc(8)
    back = np.zeros(8, np.uint8)
    for width, fill in ((1, driver.memset_d8), (2, driver.memset_d16), (4, driver.memset_d32)):
        for data in (0, 1, (1 << (8 * width)) - 1, -1, -(1 << (8 * width - 1))):
            driver.memset_d8(memory, 0x55, 8)
            fill(memory, data, 1)
            driver.memcpy_dtoh(back, memory)
            expected = (data % (1 << (8 * width))).to_bytes(width, "little") + b"\x55" * (8 - width)
            assert back.tobytes() == expected
        for data in (1 << (8 * width), -(1 << (8 * width - 1)) - 1, 1 << 70):
            with pytest.raises(OverflowError, match=f"{data} does not fit into {8 * width} bits"):
                fill(memory, data, 1)
        with pytest.raises(TypeError):
            fill(memory, 1.0, 1)  # type: ignore[arg-type]
        with pytest.raises(driver.LogicError, match=f"{8 + width} bytes do not fit into an allocation of 8 bytes"):
            fill(memory, 0, 8 // width + 1)
        with pytest.raises(OverflowError):
            fill(memory, 0, -1)


def test_copies_take_whatever_lies_without_gaps() -> None:
    memory = driver.mem_alloc(24)
    values = np.arange(6, dtype=np.float32)
    for source in (
        values,
        bytes(values),
        bytearray(values),
        values.data,
        np.asfortranarray(values.reshape(3, 2).T),
    ):
        driver.memset_d8(memory, 0, 24)
        driver.memcpy_htod(memory, source)
        assert driver.from_device(memory, 6, np.float32).tolist() == values.tolist()
    dates = np.array(["2020-01-01", "2021-01-01"], "M8[D]")
    driver.memcpy_htod(memory, dates)  # of which NumPy gives no buffer
    assert driver.from_device(memory, 2, np.int64).tolist() == dates.astype(np.int64).tolist()
    frozen = values.copy()
    frozen.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        driver.memcpy_dtoh(frozen, memory)
    with pytest.raises(ValueError, match="not contiguous"):
        driver.memcpy_htod(memory, values[::2])
    with pytest.raises(TypeError, match="float is not device memory"):
        driver.memcpy_htod(1.5, values)
    with pytest.raises(TypeError, match="int is not host memory"):
        driver.memcpy_htod(memory, 3)
    with pytest.raises(TypeError, match=r"give a driver\.Stream"):
        driver.memcpy_htod_async(memory, values, 7)  # type: ignore[arg-type]
    memory.free()
    with pytest.raises(driver.LogicError, match="has been freed"):
        driver.memcpy_htod(memory, values)


def test_what_the_driver_refuses_is_raised_with_its_words() -> None:
    with pytest.raises(driver.MemoryError, match=f"cuMemAlloc failed: out of memory - {1 << 60} bytes") as caught:
        driver.mem_alloc(1 << 60)
    assert (caught.value.code, caught.value.name) == (2, "CUDA_ERROR_OUT_OF_MEMORY")
    for size in (0, -1):
        with pytest.raises(driver.LogicError, match="ask for at least 1"):
            driver.mem_alloc(size)
    event, stream = driver.Event(), driver.Stream()
    handle, event.handle = event.handle, 0
    calls: dict[str, Callable[[], object]] = {
        "cuEventRecord": event.record,
        "cuEventSynchronize": event.synchronize,
        "cuEventQuery": event.query,
        "cuStreamWaitEvent": lambda: stream.wait_for_event(event),
    }
    for function, call in calls.items():
        with pytest.raises(driver.LogicError, match=f"{function} failed") as failed:
            call()
        assert failed.value.operation == function
    event.handle = handle
    with pytest.raises(driver.Error, match=r"cuMemcpyHtoD failed: .* - 4 bytes"):
        driver.memcpy_htod(1 << 20, np.zeros(1, np.float32))


def test_sizes_of_a_launch_may_be_any_integers() -> None:
    module = SourceModule(
        "__global__ void shape(unsigned *a) {"
        " a[0] = blockDim.x; a[1] = blockDim.y; a[2] = blockDim.z;"
        " a[3] = gridDim.x; a[4] = gridDim.y; a[5] = gridDim.z; }"
    )
    shape = module.get_function("shape")
    memory = driver.mem_alloc(24)
    shapes: list[tuple[Any, Any, list[int]]] = [
        ((2, 3, 4), (5, 6, 7), [2, 3, 4, 5, 6, 7]),
        ((np.int64(2), 3, 4), (5, 6), [2, 3, 4, 5, 6, 1]),
        ([2, 3, 1], [2], [2, 3, 1, 2, 1, 1]),
        ((2,), np.array([2, 3]), [2, 1, 1, 2, 3, 1]),
        ((True, 2, 1), (3, True, 1), [1, 2, 1, 3, 1, 1]),
    ]
    for block, grid, expected in shapes:
        shape(memory, block=block, grid=grid)
        assert driver.from_device(memory, 6, np.uint32).tolist() == expected
        shape.prepare("P").prepared_call(grid, block, memory)
        assert driver.from_device(memory, 6, np.uint32).tolist() == expected
    with pytest.raises(OverflowError):
        shape(memory, block=(1 << 32, 1, 1))
    with pytest.raises((OverflowError, driver.LogicError)):
        shape(memory, block=(-1, 1, 1))
    with pytest.raises(TypeError, match="shared must be a number of bytes"):
        shape(memory, block=(1, 1, 1), shared=1.0)  # type: ignore[arg-type]
    with pytest.raises(driver.LogicError, match=r"cuLaunchKernel failed: .*at least 1") as refused:
        shape(memory, block=(0, 1, 1))
    assert refused.value.name == "CUDA_ERROR_INVALID_VALUE"


def test_memory_is_freed_in_its_context_whichever_is_current() -> None:
    free = driver.mem_get_info()[0]
    memory = driver.mem_alloc(1 << 20)
    pool = DeviceMemoryPool()
    pooled = pool.allocate(1 << 20)
    other = driver.Device(0).make_context()
    try:
        memory.free()
        del pooled
        pool.free_held()
        with pytest.raises(driver.LogicError, match="the pool belongs to a context that is not the current one"):
            pool.allocate(16)
    finally:
        other.detach()
    assert pool.managed_bytes == 0
    assert driver.mem_get_info()[0] >= free


def test_threads_share_a_pool() -> None:
    pool, context = DeviceMemoryPool(), driver.Context.attach()
    pool.allocate(1000).free()
    failures: list[BaseException] = []

    def use() -> None:
        context.push()
        try:
            for size in range(1, 400):
                kept = [pool.allocate(size) for _ in range(3)]
                assert len({int(memory) for memory in kept}) == 3
                kept.pop().free()
        except BaseException as error:
            failures.append(error)
        finally:
            driver.Context.pop()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert (pool.active_blocks, pool.active_bytes) == (0, 0)
    assert pool.held_blocks > 0
    pool.free_held()
    assert (pool.held_blocks, pool.managed_bytes) == (0, 0)


def test_bins_hold_the_sizes_between_two_of_their_blocks() -> None:
    for bits in (0, 2, 4, 32):
        pool = DeviceMemoryPool(bits)
        for size in [*range(200), 4095, 4096, 4097, 1 << 33, (1 << 64) - 1]:
            number = pool.bin_number(size)
            assert pool.alloc_size(number) >= size
            assert pool.bin_number(pool.alloc_size(number)) == number
            assert number == 0 or pool.alloc_size(number - 1) < max(size, 1)
    with pytest.raises(OverflowError):
        pool.bin_number(1 << 64)
    with pytest.raises(OverflowError, match="more than 2\\^64 bytes"):
        pool.alloc_size(1 << 40)
    for bits in (-1, 33):
        with pytest.raises(ValueError, match="is 0 to 32"):
            DeviceMemoryPool(bits)


def test_a_pool_that_holds_nothing_gives_blocks_back_at_once() -> None:
    pool = DeviceMemoryPool()
    memory = pool.allocate(4096)
    pool.stop_holding()
    assert (pool.active_blocks, pool.managed_bytes) == (1, pool.alloc_size(pool.bin_number(4096)))
    del memory
    assert (pool.active_blocks, pool.held_blocks, pool.managed_bytes) == (0, 0, 0)
    pagelocked = PageLockedMemoryPool()
    array = pagelocked.allocate(16, np.float32)
    assert (pagelocked.active_bytes, len(array.base)) == (64, 64)
    del array
    assert pagelocked.held_blocks == 1


def test_memory_that_its_own_pool_refers_to_is_collected() -> None:
    class Pool(DebugMemoryPool):
        kept: Any

    pool = Pool(interactive=False, logfile=io.StringIO())
    pool.kept = pool.allocate(64)
    gone = weakref.ref(pool)
    del pool
    gc.collect()
    assert gone() is None


def test_objects_that_outlive_the_program_do_not_disturb_its_end(run_python: RunPython) -> None:
    program = (
        "import cuprum.compat.pycuda.autoinit, cuprum.compat.pycuda.driver as cuda\n"
        "from cuprum.compat.pycuda.tools import DeviceMemoryPool\n"
        "import builtins\n"
        "pool = DeviceMemoryPool()\n"
        "builtins.kept = cuda.mem_alloc(64), pool.allocate(64), cuda.Stream(), cuda.Event(), pool\n"
    )
    result = run_python("-c", program)
    assert (result.stdout, result.stderr) == ("", "")
