"""Page-locked host memory: buffers of a resource, used by the host and by devices without a copy."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest
from cuprum import CUDAError, InvalidState, _cuprum
from cuprum.bindings import driver
from cuprum.core import (
    Buffer,
    Device,
    Kernel,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    MemoryResource,
    Stream,
    launch,
)

pytestmark = pytest.mark.usefixtures("no_leaks")
N = 1000


@pytest.fixture
def resource() -> Iterator[LegacyPinnedMemoryResource]:
    with LegacyPinnedMemoryResource() as resource:
        yield resource


class Gate:
    """Stops streams until it is opened."""

    def __init__(self, device: Device) -> None:
        """Shut."""
        self._value = device.allocate(4)
        self._value.copy_from_host(bytes(4))

    def stop(self, stream: Stream) -> None:
        equal = driver.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ
        assert driver.cuStreamWaitValue32(stream.handle, self._value.handle, 1, equal)[0] == 0

    def open(self) -> None:
        self._value.copy_from_host(np.array([1], np.uint32))


def test_the_host_and_kernels_use_the_same_bytes(
    resource: LegacyPinnedMemoryResource, stream: Stream, saxpy: Kernel
) -> None:
    with resource.allocate(4 * N) as x, resource.allocate(4 * N) as y:
        np.frombuffer(memoryview(x), np.float32)[:] = np.arange(N)
        np.frombuffer(memoryview(y), np.float32)[:] = 1
        launch(stream, LaunchConfig(grid=4, block=256), saxpy, 2.0, x, y, N)
        stream.sync()
        assert np.array_equal(np.frombuffer(memoryview(y), np.float32), 2 * np.arange(N, dtype=np.float32) + 1)


def test_a_buffer_knows_its_memory(device: Device, resource: LegacyPinnedMemoryResource) -> None:
    with resource.allocate(16) as buffer, device.allocate(16) as of_device:
        assert (buffer.is_host_accessible, buffer.is_device_accessible, buffer.is_managed) == (True, True, False)
        assert buffer.memory_resource is resource
        assert isinstance(resource, MemoryResource)
        assert (resource.is_host_accessible, resource.is_device_accessible) == (True, True)
        assert (resource.is_managed, resource.device_id) == (False, -1)
        assert (of_device.is_host_accessible, of_device.is_device_accessible) == (False, True)
        assert of_device.memory_resource is None
        borrowed = Buffer.from_handle(buffer.handle, 16)
        assert (borrowed.is_host_accessible, borrowed.memory_resource) == (True, None)
        assert not Buffer.from_handle(of_device.handle, 16).is_host_accessible


def test_a_resource_is_one_of_a_kind() -> None:
    with pytest.raises(TypeError, match=r"LegacyPinnedMemoryResource\(\)"):
        MemoryResource()


def test_a_view_is_of_the_memory_itself(resource: LegacyPinnedMemoryResource) -> None:
    with resource.allocate(8) as buffer:
        view = memoryview(buffer)
        assert (view.format, view.nbytes, view.readonly, view.contiguous) == ("B", 8, False, True)
        view[:] = b"12345678"
        assert np.frombuffer(memoryview(buffer), np.uint8).ctypes.data == buffer.handle
        assert bytes(buffer) == b"12345678"
        assert np.from_dlpack(buffer).tobytes() == b"12345678"
        assert buffer.__dlpack_device__() == (3, 0)  # kDLCUDAHost
        view.release()
    with resource.allocate(0) as empty:
        assert bytes(empty) == b""


def test_a_view_keeps_the_memory_of_a_closed_buffer(resource: LegacyPinnedMemoryResource) -> None:
    buffer = resource.allocate(8)
    before = _cuprum.cuprum_live_handles()
    first, second = np.frombuffer(memoryview(buffer), np.uint64), memoryview(buffer)
    buffer.close()
    assert buffer.is_closed
    first[0] = 7
    assert second[0] == 7
    assert _cuprum.cuprum_live_handles() == before
    second.release()
    assert _cuprum.cuprum_live_handles() == before
    del first
    gc.collect()
    assert _cuprum.cuprum_live_handles() == before - 1
    buffer.close()


def test_what_the_host_cannot_use_is_not_viewed(device: Device, resource: LegacyPinnedMemoryResource) -> None:
    with device.allocate(16) as of_device, pytest.raises(BufferError, match="pinned memory resource"):
        memoryview(of_device)
    buffer = resource.allocate(16)
    buffer.close()
    with pytest.raises(InvalidState, match="viewing a buffer as host memory: this Buffer is closed"):
        memoryview(buffer)


def test_copies_in_a_stream_return_before_the_stream_gets_to_them(
    device: Device, resource: LegacyPinnedMemoryResource, stream: Stream
) -> None:
    # If one of them waited for the stream, this would never end.
    gate = Gate(device)
    with resource.allocate(8) as source, resource.allocate(8) as target, device.allocate(8) as of_device:
        memoryview(source)[:] = b"12345678"
        gate.stop(stream)
        of_device.copy_from(source, stream=stream)
        of_device.copy_from_host(memoryview(source)[:2], offset=6, stream=stream)
        target.copy_from(of_device, stream=stream)
        of_device.copy_to_host(memoryview(target)[:2], offset=6, stream=stream)
        assert not stream.is_done
        gate.open()
        stream.sync()
        assert bytes(target) == b"12345612"


def test_a_buffer_may_be_closed_while_a_copy_uses_its_view(
    device: Device, resource: LegacyPinnedMemoryResource, stream: Stream
) -> None:
    gate, result = Gate(device), bytearray(8)
    with device.allocate(8) as of_device:
        source = resource.allocate(8)
        memoryview(source)[:] = b"12345678"
        gate.stop(stream)
        of_device.copy_from_host(source, stream=stream)
        source.close()
        gate.open()
        stream.sync()
        of_device.copy_to_host(result)
    assert result == b"12345678"


def test_a_copy_is_of_the_same_kind(resource: LegacyPinnedMemoryResource, stream: Stream) -> None:
    with resource.allocate(8) as buffer:
        memoryview(buffer)[:] = b"12345678"
        with buffer.copy_to(stream=stream) as copy:
            stream.sync()
            assert copy.memory_resource is resource
            assert bytes(copy) == b"12345678"


def test_buffers_outlive_their_resource(resource: LegacyPinnedMemoryResource) -> None:
    buffer = resource.allocate(8)
    resource.close()
    memoryview(buffer)[0] = 3
    assert buffer.memory_resource is resource
    with pytest.raises(InvalidState, match="allocating from a memory resource: this LegacyPinnedMemoryResource is"):
        resource.allocate(8)
    buffer.close()


def test_more_bytes_than_there_are_are_refused(resource: LegacyPinnedMemoryResource) -> None:
    with pytest.raises(MemoryError, match="allocating 1125899906842624 bytes"):
        resource.allocate(1 << 50)
    with pytest.raises((OverflowError, ValueError)):
        resource.allocate(-1)
    with pytest.raises(TypeError):
        resource.allocate("8")  # type: ignore[arg-type]


def test_what_the_resource_did_not_allocate_is_not_freed(resource: LegacyPinnedMemoryResource, stream: Stream) -> None:
    resource.deallocate(0, 0)
    resource.deallocate(0, 0, stream=stream)
    with pytest.raises(Exception, match="freeing page-locked host memory"):
        resource.deallocate(4096, 8)


@pytest.mark.parametrize("pinned", [True, False])
def test_memory_is_freed_in_the_stream_of_choice(device: Device, stream: Stream, pinned: bool) -> None:
    with LegacyPinnedMemoryResource() as resource, device.create_stream() as second:
        for chosen in (second, device.default_stream):
            buffer = resource.allocate(8, stream=stream) if pinned else device.allocate(8, stream=stream)
            stream.sync()
            buffer.fill(1, stream=second)
            chosen.wait(second)
            buffer.set_deallocation_stream(chosen)
            buffer.close()
            with pytest.raises(InvalidState):
                buffer.set_deallocation_stream(chosen)
            buffer.close(chosen)
        buffer = resource.allocate(8) if pinned else device.allocate(8)
        buffer.close(second)
        with device.allocate(8) as lender:
            borrowed = Buffer.from_handle(lender.handle, 8)
            borrowed.close(second)  # nothing is freed
            assert borrowed.is_closed
        with resource.allocate(8) as buffer, pytest.raises(TypeError):
            buffer.set_deallocation_stream(None)  # type: ignore[arg-type]


def test_host_memory_that_exists_is_registered(device: Device, stream: Stream) -> None:
    values = np.arange(N, dtype=np.float32)
    with Buffer.register_host_memory(values) as buffer, device.allocate(4 * N, stream=stream) as on_device:
        assert (buffer.handle, buffer.size) == (values.ctypes.data, 4 * N)
        assert (buffer.is_host_accessible, buffer.is_managed, buffer.memory_resource) == (True, False, None)
        on_device.copy_from(buffer, stream=stream)
        buffer.fill(0, stream=stream)
        stream.sync()
        assert not values.any()
        buffer.copy_from(on_device, stream=stream)
        stream.sync()
        assert np.array_equal(values, np.arange(N))
        for part in (values, values[N // 2 :]):
            with pytest.raises(CUDAError, match="use the buffer that this memory is registered with"):
                Buffer.register_host_memory(part)
    Buffer.register_host_memory(values).close(stream)
    Buffer.register_host_memory(values).close()


def test_host_memory_that_cannot_be_registered_is_refused() -> None:
    with pytest.raises(ValueError, match="bytes is read-only"):
        Buffer.register_host_memory(bytes(8))
    with pytest.raises(ValueError, match="C-contiguous"):
        Buffer.register_host_memory(np.zeros((4, 4))[:, 1])
    with pytest.raises(ValueError, match="registering 0 bytes of host memory"):
        Buffer.register_host_memory(bytearray())
    with pytest.raises(TypeError, match="bytes-like"):
        Buffer.register_host_memory(7)  # type: ignore[arg-type]


def test_registered_memory_is_kept(stream: Stream) -> None:
    memory = bytearray(16)
    buffer = Buffer.register_host_memory(memory)
    with pytest.raises(BufferError):
        memory.extend(b"more")
    view = memoryview(buffer)
    view[:] = bytes(range(16))
    assert memory == bytes(range(16))
    buffer.close(stream)
    assert view[15] == 15
    with pytest.raises(CUDAError):
        Buffer.register_host_memory(memory)
    view.release()
    Buffer.register_host_memory(memory).close()
    del buffer
    memory.extend(b"more")


def test_registered_memory_ends_with_the_last_reference(stream: Stream) -> None:
    buffer = Buffer.register_host_memory(np.zeros(N, np.uint8))
    buffer.fill(7, stream=stream)
    view = memoryview(buffer)
    del buffer
    stream.sync()
    assert view[N - 1] == 7
