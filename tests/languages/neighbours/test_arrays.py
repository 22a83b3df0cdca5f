"""Arrays in and out without a copy, in the order of streams, where they are: the same for each library."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Stream, launch
from cuprum.core.utils import StridedMemoryView
from cuprum.parallel import DeviceArray, OpKind
from libraries import Library

Kernels = dict[str, Kernel]
BLOCK = LaunchConfig(1, block=256)
#: How late work is that the other side must wait for, in ns.
LATE = 100_000_000


def values_of(buffer: Buffer) -> np.ndarray[Any, Any]:
    values = np.empty(buffer.size // 4, np.float32)
    buffer.copy_to_host(values)
    return values


# --- Theirs, used by Cuprum.


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "complex64", "float16"])
def test_their_array_is_viewed_where_it_is(library: Library, device: Device, stream: Stream, dtype: str) -> None:
    values = np.arange(24).reshape(4, 6).astype(dtype)
    array = library.from_numpy(values)
    view = StridedMemoryView(array, stream.handle)
    assert view.ptr == library.address(array)
    assert (view.shape, view.dtype, view.device_id) == ((4, 6), values.dtype, 0)
    assert view.strides in (None, (6, 1))
    assert view.is_device_accessible
    copy = np.empty_like(values)
    Buffer.from_handle(view.ptr, values.nbytes, owner=view).copy_to_host(copy, stream=stream)
    stream.sync()
    assert np.array_equal(copy, values)


def test_a_kernel_writes_into_their_array(library: Library, device: Device, stream: Stream, kernels: Kernels) -> None:
    if not library.arrays_are_writable:
        pytest.skip(f"does not apply: {library.name}'s arrays are immutable")
    array = library.from_numpy(np.arange(100, dtype=np.float32))
    launch(stream, BLOCK, kernels["negate"], StridedMemoryView(array, stream.handle), 100)
    stream.sync()
    assert np.array_equal(library.to_numpy(array), -np.arange(100, dtype=np.float32))


def test_algorithms_take_their_arrays(library: Library, device: Device) -> None:
    values = np.random.default_rng(5).integers(-1000, 1000, 5000).astype(np.int32)
    array = library.from_numpy(values)
    assert parallel.reduce(array, np.int64(0)) == values.sum()
    out = DeviceArray.empty(values.size, np.int32)
    parallel.radix_sort(d_in_keys=array, d_out_keys=out)
    device.sync()
    assert np.array_equal(out.to_numpy(), np.sort(values))
    assert np.array_equal(library.to_numpy(array), values)


def test_their_late_work_is_waited_for(streaming: Library, device: Device, stream: Stream, kernels: Kernels) -> None:
    out = device.allocate(400)
    array = streaming.from_numpy(np.zeros(100, np.float32))
    with streaming.stream() as theirs:
        array = streaming.twice(array)  # it is of that stream
        launch(theirs, BLOCK, kernels["fill_late"], StridedMemoryView(array, -1), 7.0, 100, LATE)
        view = StridedMemoryView(array, stream.handle)
        launch(stream, BLOCK, kernels["copy"], view, out, 100)
        stream.sync()
        assert (values_of(out) == 7).all()


def test_algorithms_wait_for_their_late_work(
    streaming: Library, device: Device, stream: Stream, kernels: Kernels
) -> None:
    total = DeviceArray.empty(1, np.float32)
    array = streaming.from_numpy(np.zeros(100, np.float32))
    reduce_into = parallel.make_reduce_into(d_in=array, d_out=total, op=OpKind.PLUS, h_init=np.float32(0))
    with streaming.stream() as theirs:
        array = streaming.twice(array)
        launch(theirs, BLOCK, kernels["fill_late"], StridedMemoryView(array, -1), 3.0, 100, LATE)
        reduce_into(
            temp_storage=parallel.POOL, d_in=array, d_out=total, num_items=100, h_init=np.float32(0), stream=stream
        )
        stream.sync()
        assert total.to_numpy()[0] == 300


# --- Ours, used by them.


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "complex64", "float16"])
def test_they_use_our_memory_where_it_is(library: Library, device: Device, dtype: str) -> None:
    values = np.arange(100).astype(dtype)
    ours = DeviceArray.from_numpy(values)
    array = library.take(ours)
    assert library.address(array) == ours.__cuda_array_interface__["data"][0]
    assert np.array_equal(library.to_numpy(array), values)


def test_a_part_of_a_buffer_has_their_shape(library: Library, device: Device, stream: Stream) -> None:
    values = np.arange(24, dtype=np.float32)
    buffer = device.allocate(256, stream=stream)
    buffer.copy_from_host(values, stream=stream)
    stream.sync()
    array = library.take(StridedMemoryView.from_buffer(buffer, (4, 6), dtype=np.float32))
    assert np.array_equal(library.to_numpy(array), values.reshape(4, 6))
    assert np.array_equal(library.to_numpy(library.twice(array)), 2 * values.reshape(4, 6))


def test_our_memory_lives_as_long_as_their_array(library: Library, device: Device) -> None:
    ours = DeviceArray.from_numpy(np.full(1000, 3, np.float32))
    array = library.take(ours)
    del ours
    gc.collect()
    overwriting = [DeviceArray.from_numpy(np.zeros(1000, np.float32)) for _ in range(8)]
    assert (library.to_numpy(array) == 3).all()
    del overwriting


def test_our_late_work_is_waited_for(streaming: Library, device: Device, stream: Stream, kernels: Kernels) -> None:
    buffer = device.allocate(400, stream=stream)
    buffer.fill(0, stream=stream)
    stream.sync()
    with streaming.stream():
        streaming.to_numpy(streaming.twice(streaming.from_numpy(np.zeros(100, np.float32))))  # compiles what it needs
        launch(stream, BLOCK, kernels["fill_late"], buffer, 7.0, 100, LATE)
        doubled = streaming.twice(streaming.take(DeviceArray(buffer, np.float32)))
        assert (streaming.to_numpy(doubled) == 14).all()


def test_buffers_of_a_closed_stream_are_given_too(library: Library, device: Device) -> None:
    stream = device.create_stream()
    buffer = device.allocate(400, stream=stream)
    buffer.fill(0, stream=stream)
    stream.close()
    device.sync()
    assert (library.to_numpy(library.take(DeviceArray(buffer, np.float32))) == 0).all()


# --- Streams.


def test_kernels_are_launched_in_their_stream(streaming: Library, device: Device, kernels: Kernels) -> None:
    with streaming.stream() as theirs:
        array = streaming.twice(streaming.from_numpy(np.full(100, 2, np.float32)))
        launch(theirs, BLOCK, kernels["negate"], array, 100)  # its address: the order is the stream's
        assert (streaming.to_numpy(streaming.twice(array)) == -8).all()
        ours = Stream.from_handle(theirs.__cuda_stream__()[1])
        assert device.create_stream(theirs).handle == ours.handle


# --- Devices.


def test_their_array_on_the_second_device_is_viewed_there(
    two_devices: Library, device: Device, kernels: Kernels
) -> None:
    values = np.arange(100, dtype=np.float32)
    array = two_devices.from_numpy(values, 1)
    with Device(1).create_stream() as stream:
        view = StridedMemoryView(array, stream.handle)
        assert (view.device_id, view.ptr) == (1, two_devices.address(array))
        copy = Device(1).allocate(400, stream=stream)
        launch(stream, BLOCK, kernels["copy"], view, copy, 100)
        stream.sync()
        assert np.array_equal(values_of(copy), values)
    assert Device() is device or not two_devices.leaves_the_current_device
    Device(1).set_current()
    try:
        assert parallel.reduce(array, np.float32(0), execution=Device(1)) == values.sum()
    finally:
        device.set_current()


def test_our_buffer_on_the_second_device_is_their_array_there(two_devices: Library, device: Device) -> None:
    values = np.arange(100, dtype=np.float32)
    buffer = Device(1).allocate(400)
    buffer.copy_from_host(values)
    array = two_devices.take(DeviceArray(buffer, np.float32))
    assert two_devices.device_of(array) == 1
    assert np.array_equal(two_devices.to_numpy(array), values)
    assert Device() is device or not two_devices.leaves_the_current_device
    device.set_current()


def test_their_late_work_on_the_second_device_is_waited_for(
    two_devices: Library, device: Device, kernels: Kernels
) -> None:
    if not two_devices.has_streams:
        pytest.skip(f"does not apply: {two_devices.name} does not let a program choose its streams")
    second = Device(1)
    out = second.allocate(400)
    array = two_devices.from_numpy(np.zeros(100, np.float32), 1)
    with second.create_stream() as ours, two_devices.stream(1) as theirs:
        array = two_devices.twice(array)
        launch(theirs, BLOCK, kernels["fill_late"], StridedMemoryView(array, -1), 7.0, 100, LATE)
        view = StridedMemoryView(array, ours.handle)
        launch(ours, BLOCK, kernels["copy"], view, out, 100)
        ours.sync()
        assert (values_of(out) == 7).all()


# --- What goes wrong.


def test_what_was_closed_is_not_given(library: Library, device: Device) -> None:
    buffer = device.allocate(400)
    array = DeviceArray(buffer, np.float32)
    buffer.close()
    with pytest.raises(Exception, match="closed"):
        library.take(array)


def test_a_view_needs_to_know_the_stream_that_will_use_it(library: Library, device: Device) -> None:
    with pytest.raises(BufferError, match="stream_ptr is needed"):
        StridedMemoryView(library.from_numpy(np.zeros(4, np.float32)))


def test_an_array_that_is_not_contiguous_is_refused_by_algorithms(library: Library, device: Device) -> None:
    if library.name in ("JAX", "TensorFlow"):
        pytest.skip(f"does not apply: {library.name}'s arrays are contiguous")
    array = library.from_numpy(np.zeros((4, 6), np.float32))[:, ::2]
    with pytest.raises(ValueError, match="not contiguous; pass a contiguous copy"):
        parallel.reduce(array, np.float32(0))
    assert StridedMemoryView(array, -1).strides == (6, 2)


def test_an_array_of_another_device_is_refused(two_devices: Library, device: Device) -> None:
    array = two_devices.from_numpy(np.zeros(100, np.float32), 1)
    out = DeviceArray.empty(1, np.float32)
    if device.can_access_peer(Device(1)):
        pytest.skip("does not apply: the devices can use each other's memory")
    with pytest.raises(ValueError, match="device 1"):
        parallel.reduce_into(d_in=array, d_out=out, op=OpKind.PLUS, h_init=np.float32(0))
