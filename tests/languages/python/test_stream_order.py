"""Host functions, and words of memory that streams wait for and write."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Iterator

import cuprum
import numpy as np
import pytest
from conftest import RunPython
from cuprum.bindings import driver
from cuprum.core import Buffer, Device, LaunchConfig, LegacyPinnedMemoryResource, Stream, WaitCondition, launch
from cuprum.core import Kernel as KernelType


@pytest.fixture
def memory(stream: Stream) -> Iterator[Buffer]:
    with LegacyPinnedMemoryResource().allocate(64, stream=stream) as memory:
        np.frombuffer(memoryview(memory), np.uint8)[:] = 0
        yield memory


def words(memory: Buffer) -> np.ndarray:
    return np.frombuffer(memoryview(memory), np.uint32)


def test_host_functions_run_between_the_work_of_their_stream(device: Device, stream: Stream, memory: Buffer) -> None:
    for each in (stream, device.default_stream):
        seen: list[object] = []
        each.write_value32(memory, 0, 7)

        def look(seen: list[object] = seen) -> None:
            seen.append((int(words(memory)[0]), threading.get_ident()))

        each.launch_host_function(look)
        each.write_value32(memory, 0, 8)
        each.sync()
        assert seen[0][0] == 7  # type: ignore[index]
        assert seen[0][1] != threading.get_ident()  # type: ignore[index]
        assert words(memory)[0] == 8


def test_what_a_host_function_raises_is_unraisable_and_the_stream_goes_on(
    stream: Stream, memory: Buffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: raised.append(unraisable.exc_value))

    def fail() -> None:
        raise ValueError("out of paper")

    stream.launch_host_function(fail)
    stream.write_value32(memory, 0, 3)
    stream.sync()
    assert [str(error) for error in raised] == ["out of paper"]
    assert words(memory)[0] == 3


@pytest.mark.usefixtures("no_leaks")
def test_a_host_function_is_kept_until_it_was_called_and_let_go_of_outside_of_the_callback(stream: Stream) -> None:
    class Called:
        def __init__(self, buffer: Buffer) -> None:
            self.buffer = buffer  # which uses the driver when it goes, as a host function must not

        def __call__(self) -> None: ...

    function = Called(stream.device.allocate(16))
    watched = weakref.ref(function)
    stream.launch_host_function(function)
    del function
    stream.sync()
    # Let go of by the main thread, which this is, as soon as it runs Python code.
    until = time.monotonic() + 60
    while watched() is not None and time.monotonic() < until:
        time.sleep(0.001)
    assert watched() is None


@pytest.mark.usefixtures("no_leaks")
def test_what_is_no_function_is_refused(device: Device, stream: Stream) -> None:
    with pytest.raises(TypeError, match="function must be callable, not int"):
        stream.launch_host_function(5)  # type: ignore[arg-type]
    device.set_current()  # the driver makes graphs in the current context
    mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    assert driver.cuStreamBeginCapture(stream.handle, mode)[0] == driver.CUresult.CUDA_SUCCESS
    with pytest.raises(cuprum.InvalidState, match="captured into a graph"):
        stream.launch_host_function(print)
    status, graph = driver.cuStreamEndCapture(stream.handle)
    assert status == driver.CUresult.CUDA_SUCCESS
    assert driver.cuGraphDestroy(graph)[0] == driver.CUresult.CUDA_SUCCESS
    closed = device.create_stream()
    closed.close()
    with pytest.raises(cuprum.InvalidState, match="launching a host function: this Stream is closed"):
        closed.launch_host_function(print)


@pytest.mark.usefixtures("no_leaks")
def test_launches_behind_a_host_function_that_waits_for_python_do_not_hang(stream: Stream, saxpy: KernelType) -> None:
    # More than a stream has room for: the driver keeps the launches waiting until the function has run.
    calls: list[int] = []
    entered = threading.Event()

    def wait_a_moment() -> None:
        entered.set()
        time.sleep(0.01)  # lets go of the GIL, and needs it again
        calls.append(1)

    with stream.device.allocate(16, stream=stream) as x:
        stream.launch_host_function(wait_a_moment)
        for _ in range(3000):
            launch(stream, LaunchConfig(1, block=1), saxpy, 1.0, x, x, 0)
        stream.sync()
    assert calls == [1]


@pytest.mark.parametrize(
    ("condition", "value", "before", "after"),
    [
        (WaitCondition.GREATER_OR_EQUAL, 5, 4, 6),
        ("greater_or_equal", 2, 0xFFFFFFFF, 3),  # a counter that wraps around
        ("equal", 5, 6, 5),
        ("bitwise_and", 6, 9, 4),
        ("bitwise_nor", 0xFFFFFFF0, 0xF, 0x7),
    ],
)
def test_a_stream_waits_until_a_word_fulfils_the_condition(
    stream: Stream, memory: Buffer, condition: WaitCondition, value: int, before: int, after: int
) -> None:
    words(memory)[0] = before
    stream.wait_value32(memory, 0, value, condition)
    assert not stream.is_done
    words(memory)[0] = after
    stream.sync()

    words(memory)[2:4] = before
    stream.wait_value64(memory, 8, value << 32 | value, condition)
    assert not stream.is_done
    words(memory)[2:4] = after
    stream.sync()


def test_a_stream_waits_for_what_another_writes(device: Device, stream: Stream, memory: Buffer) -> None:
    with device.create_stream() as other, device.allocate(16) as flag:
        flag.fill(0, stream=stream)
        stream.sync()
        # What writes is put into its stream before what waits: the two streams may share a queue of the hardware.
        gate = threading.Event()
        stream.launch_host_function(gate.wait)
        stream.write_value64(flag, 8, 0xFFFFFFFF00000001)
        other.wait_value64(flag, 8, 0xFFFFFFFF00000001, "equal")
        other.write_value32(memory, 4, 9)
        assert not other.is_done
        gate.set()
        other.sync()
        assert words(memory)[1] == 9


def test_words_lie_inside_of_their_buffer_and_aligned(stream: Stream, memory: Buffer) -> None:
    for offset in (64, 62, 1 << 40):
        with pytest.raises(cuprum.InvalidArgument, match=r"making a stream wait for a value.*not inside"):
            stream.wait_value32(memory, offset, 0)
    with pytest.raises(cuprum.InvalidArgument, match=r"writing a value in a stream.*not aligned"):
        stream.write_value64(memory, 4, 0)
    with pytest.raises(ValueError, match="smaller"):
        stream.wait_value32(memory, 0, 0, "smaller")
    with pytest.raises(TypeError, match="buffer must be a Buffer, not int"):
        stream.write_value32(memory.handle, 0, 0)  # type: ignore[arg-type]
    with pytest.raises((OverflowError, ValueError, TypeError), match="value"):
        stream.write_value32(memory, 0, 1 << 32)


def test_a_host_function_that_is_still_to_come_does_not_keep_a_program_from_ending(run_python: RunPython) -> None:
    ended = run_python("""
        import time
        from cuprum.core import Device, LegacyPinnedMemoryResource

        stream = Device(0).create_stream()
        memory = LegacyPinnedMemoryResource().allocate(64, stream=stream)
        memoryview(memory)[:] = bytes(64)
        stream.launch_host_function(lambda: time.sleep(0.05))
        stream.launch_host_function(lambda: print("never"))
        print("the end")
    """)
    assert ended.stdout.splitlines()[0] == "the end"
    assert ended.stderr == ""
