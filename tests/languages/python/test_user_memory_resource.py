"""Memory resources that the program writes: classes that derive from MemoryResource."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum import InvalidArgument, OutOfMemory, parallel
from cuprum.core import Buffer, Device, DeviceMemoryResource, LegacyPinnedMemoryResource, MemoryResource, Stream

pytestmark = pytest.mark.usefixtures("no_leaks")


class Recorder(MemoryResource):
    """Takes memory from another resource, and writes down what is asked of it. Does not call super().__init__()."""

    def __init__(self, upstream: MemoryResource) -> None:
        self.upstream = upstream
        self.live: dict[int, Buffer] = {}
        self.allocated: list[tuple[int, Any]] = []
        self.freed: list[tuple[int, int, Any]] = []

    def allocate(self, size: int, *, stream: Any = None) -> Buffer:
        buffer = self.upstream.allocate(size, stream=stream)
        self.allocated.append((size, stream))
        self.live[buffer.handle] = buffer
        return Buffer.from_handle(buffer.handle, size, mr=self, stream=stream)

    def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
        self.freed.append((ptr, size, stream))
        self.live.pop(ptr).close(stream)

    @property
    def is_device_accessible(self) -> bool:
        return self.upstream.is_device_accessible

    @property
    def is_host_accessible(self) -> bool:
        return self.upstream.is_host_accessible

    @property
    def device_id(self) -> int:
        return self.upstream.device_id


class Heap(MemoryResource):
    """Memory of the C library's, which no device uses."""

    live = 0
    failure: BaseException | None = None

    def allocate(self, size: int, *, stream: Any = None) -> Buffer:
        memory = ctypes.create_string_buffer(max(size, 1))
        address = ctypes.addressof(memory)
        self.__dict__.setdefault("memory", {})[address] = memory
        self.live += 1
        return Buffer.from_handle(address, size, mr=self, stream=stream)

    def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
        self.live -= 1
        del self.__dict__["memory"][ptr]
        if self.failure is not None:
            raise self.failure

    @property
    def is_device_accessible(self) -> bool:
        return False

    @property
    def is_host_accessible(self) -> bool:
        return True

    @property
    def device_id(self) -> int:
        raise RuntimeError("host memory has no device")


@pytest.fixture
def recorder(device: Device) -> Iterator[Recorder]:
    with DeviceMemoryResource(device, {}) as pool, Recorder(pool) as recorder:
        yield recorder
        recorder.allocated.clear()  # and the streams in it: pytest keeps the recorder
        recorder.freed.clear()


@pytest.fixture
def of_device(device: Device, recorder: Recorder) -> Iterator[Recorder]:
    """The recorder, as the resource that the device allocates from."""
    former = device.memory_resource
    device.memory_resource = recorder
    yield recorder
    device.memory_resource = former
    if isinstance(former, DeviceMemoryResource):
        former.close()


def test_a_buffer_is_freed_once_in_its_stream(recorder: Recorder, stream: Stream) -> None:
    buffer = recorder.allocate(16, stream=stream)
    assert recorder.allocated == [(16, stream)]
    assert buffer.memory_resource is recorder
    assert (buffer.size, buffer.device_id, buffer.is_host_accessible) == (16, 0, False)
    buffer.fill(7, stream=stream)
    address = buffer.handle
    assert recorder.freed == []
    buffer.close()
    buffer.close()
    assert recorder.freed == [(address, 16, stream)]
    assert isinstance(recorder.upstream, DeviceMemoryResource)
    stream.sync()
    assert recorder.upstream.attributes.used_mem_current == 0


def test_the_stream_of_choice_frees_it(device: Device, recorder: Recorder, stream: Stream) -> None:
    with device.create_stream() as second:
        recorder.allocate(16, stream=stream).close(second)
        buffer = recorder.allocate(16, stream=stream)
        buffer.set_deallocation_stream(second)
        buffer.close()
        assert [stream for *_, stream in recorder.freed] == [second, second]


def test_a_buffer_that_is_dropped_is_freed(recorder: Recorder, stream: Stream) -> None:
    recorder.allocate(16, stream=stream)
    gc.collect()
    assert len(recorder.freed) == 1
    assert not recorder.live


def test_a_view_keeps_the_memory(device: Device) -> None:
    recorder = Recorder(LegacyPinnedMemoryResource())
    with device.create_stream() as stream:
        buffer = recorder.allocate(16, stream=stream)
        view = memoryview(buffer)
        buffer.close()
        assert recorder.freed == []
        view[3] = 7
        view.release()
        assert len(recorder.freed) == 1


def test_the_resource_lives_as_long_as_its_buffers(device: Device, stream: Stream) -> None:
    freed: list[int] = []

    class Mine(Heap):
        def deallocate(self, ptr: int, size: int, *, stream: Any = None) -> None:
            super().deallocate(ptr, size, stream=stream)
            freed.append(size)

    resource = Mine()
    reference = weakref.ref(resource)
    buffer = resource.allocate(24)
    del resource
    gc.collect()
    assert reference() is buffer.memory_resource
    del buffer
    gc.collect()
    assert (freed, reference()) == ([24], None)


def test_a_resource_and_its_buffers_may_refer_to_each_other(stream: Stream) -> None:
    resource: Any = Heap()
    resource.mine = resource.allocate(24)
    buffer = resource.mine
    del resource
    gc.collect()
    assert buffer.memory_resource.live == 1
    buffer.close()
    gc.collect()
    assert buffer.memory_resource.live == 0
    del buffer


def test_without_a_stream_it_is_the_default_stream(device: Device, recorder: Recorder) -> None:
    inner = recorder.upstream.allocate(16, stream=device.default_stream)
    recorder.live[inner.handle] = inner
    Buffer.from_handle(inner.handle, 16, mr=recorder).close()
    assert recorder.freed == [(recorder.freed[0][0], 16, device.default_stream)]


def test_host_memory_that_no_device_uses(device: Device, stream: Stream) -> None:
    heap = Heap()
    with heap.allocate(16) as buffer, device.allocate(16) as on_device:
        assert (buffer.is_device_accessible, buffer.is_host_accessible, buffer.is_managed) == (False, True, False)
        memoryview(buffer)[:] = bytes(range(16))
        on_device.copy_from(buffer, stream=stream)
        back = np.zeros(16, np.uint8)
        on_device.copy_to_host(back, stream=stream)
        stream.sync()
        assert back.tolist() == list(range(16))
        assert buffer.__dlpack_device__() == (1, 0)
        assert np.from_dlpack(buffer).tolist() == list(range(16))
    gc.collect()
    assert heap.live == 0


def test_empty_buffers(stream: Stream) -> None:
    heap = Heap()
    buffer = heap.allocate(0)
    assert (buffer.size, heap.live) == (0, 1)
    buffer.close()
    assert heap.live == 0  # the program's own allocation, of an address that is not null
    Buffer.from_handle(0, 0, mr=heap).close()
    assert heap.live == 0


def test_copy_to_allocates_from_the_same_resource(recorder: Recorder, stream: Stream) -> None:
    with recorder.allocate(16, stream=stream) as buffer, buffer.copy_to(stream=stream) as copy:
        assert copy.memory_resource is recorder
    assert len(recorder.allocated) == len(recorder.freed) == 2


def test_what_allocate_raises_is_the_callers(of_device: Recorder, device: Device, stream: Stream) -> None:
    with pytest.raises(InvalidArgument, match="a pool allocates in a stream"):
        of_device.allocate(16)
    with pytest.raises(OutOfMemory):
        device.allocate(1 << 50, stream=stream)
    assert not of_device.live


def test_what_deallocate_raises_is_unraisable(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: raised.append(unraisable.exc_value))
    heap = Heap()
    heap.failure = ValueError("out of paper")
    buffer = heap.allocate(16)
    buffer.close()
    assert raised == [heap.failure]
    heap.failure = KeyboardInterrupt()
    heap.allocate(16).close()
    assert raised[1] is heap.failure
    raised.clear()


def test_a_device_allocates_from_it(device: Device, of_device: Recorder, stream: Stream) -> None:
    assert device.memory_resource is of_device
    assert DeviceMemoryResource(device) != of_device.upstream
    with device.allocate(16, stream=stream) as buffer:
        assert buffer.memory_resource is of_device
        assert of_device.allocated == [(16, stream)]
    assert len(of_device.freed) == 1
    with device.allocate(16) as without_stream:
        assert without_stream.memory_resource is None


@pytest.fixture(scope="module")
def sort() -> None:
    """Sorting is built, and kept for later calls: no leak of the tests that sort."""
    parallel.sort(_array(Device(0).allocate(400_000), np.zeros(100_000, np.int32)))


@pytest.mark.usefixtures("sort")
def test_the_parallel_algorithms_allocate_from_it(device: Device, of_device: Recorder) -> None:
    data = np.arange(100_000, dtype=np.int32)[::-1].copy()
    with device.allocate(data.nbytes, stream=device.default_stream) as on_device:
        on_device.copy_from_host(data)
        of_device.allocated.clear()
        view = parallel.sort(_array(on_device, data))
        assert np.array_equal(view.to_numpy(), np.sort(data))
        assert of_device.allocated
        del view
    gc.collect()
    assert not of_device.live


@pytest.mark.usefixtures("sort")
def test_what_it_raises_for_the_parallel_algorithms_is_the_same_object(device: Device, of_device: Recorder) -> None:
    error = LookupError("out of paper")

    def fail(size: int, *, stream: Any = None) -> Buffer:
        raise error

    data = np.arange(100_000, dtype=np.int32)
    with device.allocate(data.nbytes, stream=device.default_stream) as on_device:
        on_device.copy_from_host(data)
        of_device.allocate = fail  # type: ignore[method-assign]
        with pytest.raises(LookupError) as raised:
            parallel.sort(_array(on_device, data))
        assert raised.value is error
        of_device.allocate = lambda size, *, stream=None: None  # type: ignore[method-assign,assignment,return-value]
        with pytest.raises(TypeError, match=r"Recorder\.allocate\(\) must return a Buffer, not NoneType"):
            parallel.sort(_array(on_device, data))
        del of_device.allocate
        error.__traceback__ = None
        del raised


def _array(buffer: Buffer, like: Any) -> Any:
    from cuprum.core import utils

    return utils.StridedMemoryView.from_buffer(buffer, like.shape, dtype=like.dtype)


def test_many_threads_use_it_at_once(device: Device, recorder: Recorder) -> None:
    problems: list[BaseException] = []

    def work() -> None:
        try:
            with device.create_stream() as stream:
                for _ in range(50):
                    recorder.allocate(256, stream=stream).close()
                stream.sync()
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert (len(recorder.allocated), len(recorder.freed), recorder.live) == (200, 200, {})


def test_pools_take_memory_over(device: Device, stream: Stream) -> None:
    with DeviceMemoryResource(device, {}) as pool, DeviceMemoryResource(device, {}) as other:
        buffer = pool.allocate(16, stream=stream)
        # Two owners of one address: the first must not free it.
        with pytest.raises(InvalidArgument, match="the memory was not allocated from the memory pool"):
            Buffer.from_handle(buffer.handle, 16, mr=other, stream=stream)
        buffer.close()


def test_what_is_missing_is_said() -> None:
    class Empty(MemoryResource):
        pass

    for call, what in (
        (lambda: Empty().allocate(16, stream=None), r"must define allocate\(self, size, \*, stream\)"),
        (lambda: Empty().deallocate(16, 16, stream=None), r"must define deallocate\(self, ptr, size, \*, stream\)"),
        (lambda: Empty().device_id, "must define the property device_id"),
        (lambda: Buffer.from_handle(16, 16, mr=Empty()), "must define the property is_device_accessible"),
    ):
        with pytest.raises(TypeError, match="Empty derives from MemoryResource and " + what):
            call()
    assert Empty().is_managed is False


PROGRAM = """
import ctypes, os, sys, threading
from cuprum.core import Buffer, Device, MemoryResource

class Heap(MemoryResource):
    is_device_accessible, is_host_accessible, device_id = False, True, -1
    def allocate(self, size, *, stream=None):
        self.memory = ctypes.create_string_buffer(size)
        return Buffer.from_handle(ctypes.addressof(self.memory), size, mr=self)
    def deallocate(self, ptr, size, *, stream=None):
        print("freed", flush=True)

heap = Heap()
buffer = heap.allocate(16)
"""


def test_at_exit_memory_is_left_alone(run_python: RunPython) -> None:
    result = run_python(PROGRAM + "heap.mine = buffer\ncycle = [buffer]\ncycle.append(cycle)\n")
    assert (result.stdout, result.stderr) == ("", "")


def test_at_exit_other_threads_may_be_freeing(run_python: RunPython) -> None:
    program = """
    def work():
        while True:
            heap.allocate(16).close()
    Heap.deallocate = lambda self, ptr, size, *, stream=None: None
    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    """
    import textwrap

    result = run_python(PROGRAM + textwrap.dedent(program), check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_device_may_still_have_it_at_exit(run_python: RunPython) -> None:
    program = (
        "Heap.is_device_accessible = True\nDevice(0).memory_resource = heap = Heap()\nother = Device(0).allocate(16)"
    )
    result = run_python(PROGRAM + program)
    assert (result.stdout, result.stderr) == ("", "")


def test_a_forked_child_frees_nothing(run_python: RunPython) -> None:
    program = """
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
buffer.close()
del buffer
if child == 0:
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print("parent")
"""
    assert run_python(PROGRAM + program).stdout in ("freed\nparent\n",)
