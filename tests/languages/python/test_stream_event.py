"""Streams and events."""

from __future__ import annotations

import pickle
import threading
import time

import cuprum
import numpy as np
import pytest
from conftest import RunPython
from cuprum.bindings import driver
from cuprum.core import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    Device,
    Event,
    EventOptions,
    IPCEventDescriptor,
    Kernel,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Stream,
    StreamOptions,
    launch,
)


class Lender:
    """An object of another library that has a stream."""

    def __init__(self, handle: int, version: int = 0) -> None:
        self.handle = handle
        self.version = version

    def __cuda_stream__(self) -> tuple[int, int]:
        return self.version, self.handle


def test_options_reach_the_driver(device: Device) -> None:
    with device.create_stream() as stream:
        assert stream.is_nonblocking
        assert stream.priority == 0
        assert stream.device is device
    for options in (StreamOptions(nonblocking=False), {"nonblocking": False}):
        with device.create_stream(options=options) as stream:
            assert not stream.is_nonblocking
    with device.create_event(EventOptions(timing_enabled=True, blocking_sync=True)) as event:
        assert event.is_timing_enabled
        assert event.is_blocking_sync
        assert not event.is_ipc_enabled
        assert event.device is device
    with pytest.raises(TypeError, match="no option 'prio'"):
        device.create_stream(options={"prio": 1})
    with device.create_event({"ipc_enabled": True}) as event:
        assert event.is_ipc_enabled
    with pytest.raises(cuprum.InvalidArgument, match="cannot measure time"):
        device.create_event({"ipc_enabled": True, "timing_enabled": True})


def test_streams_tell_whether_they_are_capturing(device: Device, stream: Stream) -> None:
    assert not stream.is_capturing
    assert not device.default_stream.is_capturing
    device.set_current()  # the driver makes graphs in the current context
    # Relaxed: objects of other tests may be collected, and released, meanwhile.
    mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    assert driver.cuStreamBeginCapture(stream.handle, mode)[0] == driver.CUresult.CUDA_SUCCESS
    try:
        assert stream.is_capturing
    finally:
        error, graph = driver.cuStreamEndCapture(stream.handle)
    assert error == driver.CUresult.CUDA_SUCCESS
    driver.cuGraphDestroy(graph)
    assert not stream.is_capturing
    closed = device.create_stream()
    closed.close()
    with pytest.raises(cuprum.InvalidState, match="asking whether a stream is capturing: this Stream is closed"):
        closed.is_capturing  # noqa: B018


def test_events_measure_the_time_between_them(device: Device, stream: Stream) -> None:
    options = EventOptions(timing_enabled=True)
    begin = stream.record(options=options)
    with device.allocate(1 << 20) as buffer:
        buffer.fill(1, stream=stream)
        end = stream.record(options=options)
        end.sync()
    assert begin.is_done
    assert end.is_done
    assert 0 <= end - begin < 60_000
    assert begin - end <= 0


def test_an_event_can_be_recorded_again(stream: Stream, device: Device) -> None:
    with device.create_event() as event:
        assert stream.record(event) is event
        assert stream.record(event) is event
        with pytest.raises(ValueError, match="options are for a new event"):
            stream.record(event, EventOptions())
        with pytest.raises(TypeError, match="event must be an Event"):
            stream.record(stream)  # type: ignore[arg-type]


def test_a_stream_waits_for_events_and_streams(device: Device, saxpy: Kernel) -> None:
    with device.create_stream() as first, device.create_stream() as second, device.allocate(4096) as x:
        for waited_for in ("event", "stream", "lender"):
            x.fill(0, stream=first)
            if waited_for == "event":
                second.wait(first.record())
            elif waited_for == "stream":
                second.wait(first)
            else:
                second.wait(Lender(first.handle))
            x.fill(5, stream=second)
            second.sync()
            result = bytearray(4096)
            x.copy_to_host(result)
            assert result == bytes([5]) * 4096


def test_a_lent_stream_is_used_and_its_lender_kept_alive(device: Device, saxpy: Kernel) -> None:
    with device.create_stream() as owner, device.allocate(4) as buffer:
        lender = Lender(owner.handle)
        borrowed = device.create_stream(lender)
        assert borrowed.handle == owner.handle
        assert borrowed._lender is lender
        assert borrowed == owner
        assert hash(borrowed) == hash(owner)
        launch(lender, LaunchConfig(1, block=1), saxpy, 1.0, buffer, buffer, 1)
        borrowed.close()
        owner.sync()
    with pytest.raises(ValueError, match="version 7"):
        device.create_stream(Lender(0, version=7))


def test_the_default_streams_are_there_on_every_device(device: Device, saxpy: Kernel) -> None:
    assert LEGACY_DEFAULT_STREAM.handle == 1
    assert PER_THREAD_DEFAULT_STREAM.handle == 2
    assert device.default_stream is device.default_stream
    with device.allocate(16) as buffer:
        for stream in (LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM, device.default_stream):
            buffer.fill(0, stream=stream)
            launch(stream, LaunchConfig(1, block=1), saxpy, 1.0, buffer, buffer, 1)
            stream.sync()
            assert stream.is_done
            assert not stream.is_closed
    LEGACY_DEFAULT_STREAM.close()
    assert not LEGACY_DEFAULT_STREAM.is_closed


def test_streams_are_equal_when_they_are_the_same_stream(device: Device) -> None:
    with device.create_stream() as first, device.create_stream() as second:
        assert first == Stream.from_handle(first.handle)
        assert first != second
        assert first != 1
        assert len({first, second, Stream.from_handle(first.handle)}) == 2


def test_memory_can_be_allocated_and_freed_in_the_order_of_a_stream(device: Device, stream: Stream) -> None:
    for _ in range(10):
        with device.allocate(1 << 16, stream=stream) as buffer:
            buffer.fill(1, stream=stream)
    buffer = device.allocate(1 << 16, stream=stream)
    with device.create_stream() as other:
        other.wait(stream)
        buffer.fill(2, stream=other)
        buffer.close(other)
    assert buffer.is_closed
    stream.sync()


def test_events_and_streams_say_what_they_are(stream: Stream, device: Device) -> None:
    assert repr(stream).startswith("<Stream 0x")
    assert repr(stream.record()).startswith("<Event 0x")
    assert isinstance(stream.record(), Event)
    assert "Device 0" in repr(device)


def test_recording_and_waiting_say_what_is_closed(stream: Stream, device: Device) -> None:
    event = device.create_event()
    closed = device.create_stream()
    closed.close()
    with pytest.raises(cuprum.InvalidState, match="recording an event: this Stream is closed"):
        closed.record(event)
    with pytest.raises(cuprum.InvalidState, match="making a stream wait for an event: this Stream is closed"):
        closed.wait(event)
    event.close()
    with pytest.raises(cuprum.InvalidState, match="recording an event: this Event is closed"):
        stream.record(event)
    with pytest.raises(cuprum.InvalidState, match="making a stream wait for an event: this Event is closed"):
        stream.wait(event)


def test_events_are_recorded_in_default_streams_too(device: Device) -> None:
    event = device.create_event()
    for stream in (LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM, device.default_stream):
        assert stream.record(event) is event
        stream.wait(event)
        stream.sync()
        assert event.is_done


def test_methods_in_c_take_arguments_by_name_and_what_converts(device: Device, stream: Stream) -> None:
    event = device.create_event()
    assert stream.record(event=event) is event
    stream.wait(event_or_stream=event)
    with device.allocate(4, stream=stream) as x, device.allocate(4, stream=stream) as y:
        lent = Lender(stream.handle)
        x.fill(value=bytearray(b"\1\2\3\4"), stream=lent)
        y.copy_from(src=x, stream=lent)
        read = bytearray(4)
        y.copy_to_host(read, stream=stream)
        stream.sync()
        assert read == b"\1\2\3\4"


def test_methods_in_c_refuse_what_python_ones_would(device: Device, stream: Stream) -> None:
    with pytest.raises(TypeError, match="event must be an Event, not Stream"):
        stream.record(stream)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="options are for a new event"):
        stream.record(device.create_event(), EventOptions())
    with pytest.raises(TypeError, match="stream must be a Stream or have __cuda_stream__"):
        stream.wait(7)  # type: ignore[arg-type]
    with device.allocate(4) as x, device.allocate(8) as y:
        with pytest.raises(TypeError, match="src must be a Buffer, not bytes"):
            x.copy_from(b"1234", stream=stream)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="8 bytes cannot be copied to 4 bytes"):
            x.copy_from(y, stream=stream)
        with pytest.raises(TypeError, match="stream"):
            x.fill(1)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="stream must be a Stream"):
            x.fill(1, stream=0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Event.sync(stream)  # type: ignore[arg-type]


def test_what_was_read_of_an_object_is_not_read_once_it_is_closed(device: Device, stream: Stream) -> None:
    other, event, buffer = device.create_stream(), stream.record(), device.allocate(4)
    for owner in (other, event, buffer):
        assert owner.handle == owner.handle != 0
        owner.close()
        with pytest.raises(cuprum.InvalidState, match=f"this {type(owner).__name__} is closed"):
            owner.handle  # noqa: B018
    for use in (other.sync, lambda: other.is_done, event.sync, lambda: event.is_done, lambda: buffer.device_id):
        with pytest.raises(cuprum.InvalidState, match="is closed"):
            use()
    with pytest.raises(cuprum.InvalidState, match="this Buffer is closed"):
        buffer.fill(1, stream=stream)


def test_a_default_streams_handle_is_that_of_the_device_in_use() -> None:
    assert (LEGACY_DEFAULT_STREAM.handle, PER_THREAD_DEFAULT_STREAM.handle) == (1, 2)
    assert (LEGACY_DEFAULT_STREAM.handle, PER_THREAD_DEFAULT_STREAM.handle) == (1, 2)


TWO_DEVICES = """
import threading
from cuprum.core import LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM, Device, LaunchConfig, Program, launch

source = 'extern "C" __global__ void count(int* out) { ++*out; }'
kernel = Program(source, "c++").compile("ptx").get_kernel("count")
streams = (LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM)
config = LaunchConfig(1, block=1)

def work(device_id):
    Device(device_id).set_current()
    out = Device(device_id).allocate(4)
    out.fill(0, stream=LEGACY_DEFAULT_STREAM)
    LEGACY_DEFAULT_STREAM.sync()
    for _ in range(10):
        for stream in streams:
            launch(stream, config, kernel, out)
            stream.sync()
    result = bytearray(4)
    out.copy_to_host(result)
    seen[device_id] = (*(stream.device.device_id for stream in streams), int.from_bytes(result, "little"))

seen = {}
threads = [threading.Thread(target=work, args=(device_id,)) for device_id in (0, 1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(seen[0], seen[1], LEGACY_DEFAULT_STREAM.device.device_id)
"""


def test_a_default_stream_is_that_of_the_threads_current_device(run_python: RunPython) -> None:
    environment = {"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "devices=2"}
    assert run_python(TWO_DEVICES, environment=environment).stdout == "(0, 0, 20) (1, 1, 20) 0\n"


def test_another_process_waits_for_a_shared_event(device: Device, stream: Stream, run_python: RunPython) -> None:
    with LegacyPinnedMemoryResource().allocate(4, stream=stream) as memory:
        words = np.frombuffer(memoryview(memory), np.uint32)
        words[0] = 0
        event = device.create_event({"ipc_enabled": True, "blocking_sync": True})
        descriptor = event.ipc_descriptor
        assert pickle.loads(pickle.dumps(descriptor)) == descriptor == event.ipc_descriptor
        stream.wait_value32(memory, 0, 1)
        stream.record(event)
        other = f"""
            import pickle, sys
            from cuprum.core import Device, Event
            device = Device(0)
            device.set_current()
            event = pickle.loads(bytes.fromhex({pickle.dumps(event).hex()!r}))
            assert event.is_ipc_enabled and event.is_blocking_sync and not event.is_timing_enabled
            assert event.device is device
            print(event.is_done)
            sys.stdout.flush()
            again = Event.from_ipc_descriptor(pickle.loads(bytes.fromhex({pickle.dumps(descriptor).hex()!r})))
            stream = device.create_stream()
            stream.wait(again)
            event.sync()
            stream.sync()
            print(again.is_done)
        """
        results = []
        thread = threading.Thread(target=lambda: results.append(run_python(other)))
        thread.start()
        time.sleep(0.2)  # so that it most likely waits; either way it must end with True
        words[0] = 1
        thread.join()
        assert results[0].stdout.split()[-1] == "True"
        stream.sync()
        event.close()


def test_only_events_that_are_made_so_are_shared_and_not_with_their_own_process(device: Device) -> None:
    with device.create_event() as event:
        with pytest.raises(cuprum.InvalidState, match=r"sharing an event.*IPC option"):
            event.ipc_descriptor  # noqa: B018
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(event)
    with device.create_event({"ipc_enabled": True}) as event:
        with pytest.raises(cuprum.CUDAError, match="opening another process's event"):
            Event.from_ipc_descriptor(event.ipc_descriptor)
        with pytest.raises(TypeError, match="IPCEventDescriptor, not bytes"):
            Event.from_ipc_descriptor(bytes(64))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ipc_descriptor"):
        IPCEventDescriptor()
    with pytest.raises(cuprum.InvalidArgument, match="64 bytes"):
        Event.from_ipc_descriptor(IPCEventDescriptor._init(b"short", False))
