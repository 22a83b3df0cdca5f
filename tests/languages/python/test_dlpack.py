"""DLPack: other libraries' arrays taken, and ours given; with an exporter made by hand.

The libraries themselves: tests/languages/neighbours.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Buffer, Device, LaunchConfig, Program, ProgramOptions, Stream, launch
from cuprum.core.utils import StridedMemoryView, args_viewable_as_strided_memory
from cuprum.parallel import DeviceArray, OpKind

CPU, CUDA = 1, 2
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Unversioned(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype, capsule_name.argtypes = ctypes.c_char_p, (ctypes.py_object,)


class Exporter:
    """Another library's array over the memory of a buffer: counts what is asked of it."""

    def __init__(self, source: Any, dtype: Any, shape: tuple[int, ...], **options: Any) -> None:
        self.source, self.dtype, self.shape = source, np.dtype(dtype), shape
        self.strides: tuple[int, ...] | None = options.get("strides")
        self.is_old: bool = options.get("is_old", False)
        self.read_only: bool = options.get("read_only", False)
        self.major: int = options.get("major", 1)
        self.offset: int = options.get("offset", 0)
        self.device = (CUDA, 0)
        self.streams: list[int | None] = []
        self.deleted = 0
        self.capsules: list[Any] = []
        self._keep: list[Any] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: int | None = None, **options: Any) -> object:
        if self.is_old and options:
            raise TypeError("unexpected keyword argument 'max_version'")
        self.streams.append(stream)
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        strides = None if self.strides is None else (ctypes.c_int64 * len(self.shape))(*self.strides)
        code = CODES[self.dtype.kind]
        address = self.source.handle if isinstance(self.source, Buffer) else self.source.ctypes.data
        tensor = Tensor(
            address, *self.device, len(self.shape), code, self.dtype.itemsize * 8, 1, shape, strides, self.offset
        )
        deleter = DELETER(self._delete)
        managed: Any = (
            Unversioned(tensor, None, deleter)
            if self.is_old
            else Versioned(self.major, 0, None, deleter, int(self.read_only), tensor)
        )
        self._keep.append((shape, strides, deleter, managed))
        name = b"dltensor" if self.is_old else b"dltensor_versioned"
        self.capsules.append(new_capsule(ctypes.addressof(managed), name, None))
        return self.capsules[-1]

    def _delete(self, _: int) -> None:
        self.deleted += 1


@pytest.fixture
def data() -> np.ndarray[Any, Any]:
    return np.random.default_rng(7).integers(-100, 100, 1000).astype(np.int32)


def device_copy(data: np.ndarray[Any, Any]) -> Buffer:
    buffer = Device(0).allocate(data.nbytes)
    buffer.copy_from_host(data)
    return buffer


@pytest.mark.parametrize("is_old", [False, True])
def test_a_view_takes_the_capsule_and_calls_its_deleter_once(data: np.ndarray[Any, Any], is_old: bool) -> None:
    buffer = device_copy(data)
    exporter = Exporter(buffer, np.int32, (20, 50), is_old=is_old)
    view = StridedMemoryView(exporter, stream_ptr=-1)
    assert (view.ptr, view.shape, view.strides, view.dtype) == (buffer.handle, (20, 50), None, np.dtype(np.int32))
    assert (view.size, view.device_id, view.is_device_accessible, view.readonly) == (1000, 0, True, False)
    assert view.exporting_obj is exporter
    assert exporter.streams == [-1]
    assert capsule_name(exporter.capsules[0]) == (b"used_dltensor" if is_old else b"used_dltensor_versioned")
    assert exporter.deleted == 0
    del view
    exporter.capsules.clear()
    gc.collect()
    assert exporter.deleted == 1


def test_strides_offsets_and_read_only_memory_are_told(data: np.ndarray[Any, Any]) -> None:
    buffer = device_copy(data)
    exporter = Exporter(buffer, np.float32, (5, 4), strides=(8, 2), offset=16, read_only=True)
    view = StridedMemoryView.from_dlpack(exporter, -1)
    assert (view.ptr, view.strides, view.readonly) == (buffer.handle + 16, (8, 2), True)


def test_host_memory_is_viewed_too(data: np.ndarray[Any, Any]) -> None:
    view = StridedMemoryView.from_any_interface(data)
    assert (view.ptr, view.shape, view.device_id, view.is_device_accessible) == (data.ctypes.data, (1000,), -1, False)


def test_views_are_kernel_arguments_and_arrays_themselves(data: np.ndarray[Any, Any], stream: Stream) -> None:
    view = StridedMemoryView(Exporter(device_copy(data), np.int32, (10, 100)), stream.handle)
    assert parallel.reduce(view, np.int64(0)) == data.sum()
    kernel = Program(
        'extern "C" __global__ void negate(int* a) { a[threadIdx.x] = -a[threadIdx.x]; }', "c++", ProgramOptions()
    )
    launch(stream, LaunchConfig(grid=1, block=1000), kernel.compile("ptx").get_kernel("negate"), view)
    stream.sync()
    assert parallel.reduce(view, np.int64(0)) == -data.sum()
    again = StridedMemoryView.from_dlpack(view, -1)
    assert (again.ptr, again.shape) == (view.ptr, view.shape)


def test_numpy_reads_views_of_host_memory(data: np.ndarray[Any, Any]) -> None:
    view = StridedMemoryView(data)
    assert np.shares_memory(np.from_dlpack(view), data)
    data.flags.writeable = False
    assert not np.from_dlpack(StridedMemoryView(data)).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        StridedMemoryView(data).__dlpack__()  # a capsule that cannot say so
    every_second = np.from_dlpack(StridedMemoryView(data[::2]))
    assert np.shares_memory(every_second, data)
    assert np.array_equal(every_second, data[::2])
    with pytest.raises(TypeError, match="device memory"):
        parallel.reduce_into(d_in=view, d_out=DeviceArray.empty(1, np.int32), op=OpKind.PLUS, h_init=0)


@pytest.mark.parametrize("is_old", [False, True])
def test_algorithms_take_and_fill_dlpack_arrays(
    data: np.ndarray[Any, Any], stream: Stream, is_old: bool, device: Device
) -> None:
    keys, out = device_copy(data), device.allocate(data.nbytes)
    d_in = Exporter(keys, np.int32, (1000,), is_old=is_old)
    d_out = Exporter(out, np.int32, (1000,), is_old=is_old, strides=(1,))
    parallel.radix_sort(d_in_keys=d_in, d_out_keys=d_out, stream=stream)
    stream.sync()
    result = np.empty_like(data)
    out.copy_to_host(result)
    assert np.array_equal(result, np.sort(data))
    # Looked at for building, without an order; then used in the stream.
    assert set(d_in.streams) == {-1, stream.handle}
    assert d_out.streams == [stream.handle]
    assert d_in.deleted == len(d_in.streams)
    assert d_out.deleted == len(d_out.streams)
    assert parallel.reduce(Exporter(keys, np.int32, (50, 20), is_old=is_old), np.int64(0)) == data.sum()


def test_the_default_stream_has_its_number_of_the_standard(data: np.ndarray[Any, Any], device: Device) -> None:
    d_in = Exporter(device_copy(data), np.int32, (1000,))
    d_out = DeviceArray.empty(1, np.int32)
    parallel.reduce_into(d_in=d_in, d_out=d_out, op=OpKind.PLUS, h_init=0)
    device.default_stream.sync()
    assert d_out.to_numpy()[0] == data.sum()
    assert 0 not in d_in.streams


def test_what_cannot_be_used_is_refused_and_given_back(data: np.ndarray[Any, Any]) -> None:
    buffer = device_copy(data)
    out = DeviceArray.empty(1000, np.int32)
    rows = Exporter(buffer, np.int32, (100, 5), strides=(10, 1))
    with pytest.raises(ValueError, match="the array is not contiguous; pass a contiguous copy"):
        parallel.reduce(rows, 0)
    constant = Exporter(buffer, np.int32, (1000,), read_only=True)
    with pytest.raises(ValueError, match="read-only"):
        parallel.radix_sort(d_in_keys=constant, d_out_keys=constant)
    parallel.radix_sort(d_in_keys=constant, d_out_keys=out)  # as an input it is welcome
    gc.collect()
    assert rows.deleted == len(rows.streams)
    assert constant.deleted == len(constant.streams)
    with pytest.raises(BufferError, match=r"version 2\.0"):
        StridedMemoryView(Exporter(buffer, np.int32, (4,), major=2), -1)
    with pytest.raises(BufferError, match="stream_ptr is needed"):
        StridedMemoryView(Exporter(buffer, np.int32, (4,)))
    with pytest.raises(BufferError, match="neither __dlpack__ nor"):
        StridedMemoryView(object(), -1)
    on_host = Exporter(data, np.int32, (1000,))
    on_host.device = (CPU, 0)
    with pytest.raises(TypeError, match="or __dlpack__"):
        parallel.reduce_into(d_in=on_host, d_out=out, op=OpKind.PLUS, h_init=0)


def test_a_capsule_is_taken_once(data: np.ndarray[Any, Any]) -> None:
    class Again(Exporter):
        def __dlpack__(self, *, stream: int | None = None, **options: Any) -> object:
            return self.capsules[0] if self.capsules else super().__dlpack__(stream=stream, **options)

    exporter = Again(device_copy(data), np.int32, (4,))
    view = StridedMemoryView(exporter, -1)
    with pytest.raises(BufferError, match="taken before"):
        StridedMemoryView(exporter, -1)
    del view
    gc.collect()
    assert exporter.deleted == 1


def test_host_arrays_of_other_libraries_are_taken(data: np.ndarray[Any, Any]) -> None:
    on_host = Exporter(data, np.int32, (1000,))
    on_host.device = (CPU, 0)
    assert parallel.reduce(on_host, 0) == data.sum()


class Reexport:
    """Asks one of our arrays for a capsule of that version, and nothing else of it."""

    def __init__(self, array: DeviceArray, max_version: tuple[int, int] | None) -> None:
        self._array, self._max_version = array, max_version

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __dlpack__(self, *, stream: int | None = None) -> object:
        return self._array.__dlpack__(stream=stream, max_version=self._max_version)


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_buffers_and_device_arrays_are_exported(
    data: np.ndarray[Any, Any], max_version: tuple[int, int] | None, stream: Stream
) -> None:
    array = DeviceArray.from_numpy(data)
    assert array.__dlpack_device__() == (CUDA, 0)

    address = array.__cuda_array_interface__["data"][0]
    other = Reexport(array, max_version)
    view = StridedMemoryView(other, stream.handle)
    assert (view.ptr, view.shape, view.dtype) == (address, (1000,), np.dtype(np.int32))
    assert parallel.reduce(other, np.int64(0)) == data.sum()
    buffer = Device(0).allocate(64, stream=stream)
    whole = StridedMemoryView(buffer, stream.handle)
    assert (whole.ptr, whole.shape, whole.dtype) == (buffer.handle, (64,), np.dtype(np.int8))  # as in cuda.core
    untaken = buffer.__dlpack__(stream=-1)
    del untaken  # gives the buffer back itself
    with pytest.raises(BufferError, match="without a copy"):
        buffer.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="cannot be exported to"):
        buffer.__dlpack__(dl_device=(CPU, 0))
    with pytest.raises((BufferError, RuntimeError)):
        np.from_dlpack(array)  # NumPy takes host memory alone
    del view, whole, buffer, array, other


def test_the_array_interface_names_the_stream_that_the_memory_was_allocated_in(device: Device) -> None:
    stream = device.create_stream()
    buffer = device.allocate(64, stream=stream)
    array = DeviceArray(buffer, np.float32)
    in_default = device.allocate(64, stream=device.default_stream)
    assert buffer.__cuda_array_interface__["stream"] == stream.handle
    assert array.__cuda_array_interface__["stream"] == stream.handle
    assert in_default.__cuda_array_interface__["stream"] == 1  # 0 is not allowed
    assert device.allocate(64).__cuda_array_interface__["stream"] is None
    stream.close()
    assert array.__cuda_array_interface__["stream"] is None


def test_the_memory_lives_as_long_as_a_view() -> None:
    array = DeviceArray.from_numpy(np.arange(4, dtype=np.int32))
    view = StridedMemoryView.from_dlpack(array, -1)
    view.exporting_obj = None
    buffer = array._buffer
    address = buffer.handle
    del array, buffer
    gc.collect()
    borrowed = Buffer.from_handle(address, 16, owner=view)
    result = np.empty(4, np.int32)
    borrowed.copy_to_host(result)
    assert result.tolist() == [0, 1, 2, 3]


def test_structs_have_no_dlpack_type() -> None:
    array = DeviceArray.empty(3, np.dtype([("x", np.float32), ("y", np.int32)]))
    with pytest.raises(BufferError, match="no type for elements"):
        array.__dlpack__()


def test_decorated_functions_view_their_arguments(data: np.ndarray[Any, Any], stream: Stream) -> None:
    @args_viewable_as_strided_memory((0,))
    def double(array: Any, stream: Stream) -> int:
        view = array.view(stream.handle)
        program = Program(
            'extern "C" __global__ void twice(int* a, int n)'
            " { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }",
            "c++",
            ProgramOptions(),
        )
        kernel = program.compile("ptx").get_kernel("twice")
        launch(stream, LaunchConfig(grid=8, block=128), kernel, view.ptr, np.int32(view.size))
        return int(view.size)

    buffer = device_copy(data)
    assert double(Exporter(buffer, np.int32, (1000,)), stream) == 1000
    stream.sync()
    result = np.empty_like(data)
    buffer.copy_to_host(result)
    assert np.array_equal(result, data * 2)
