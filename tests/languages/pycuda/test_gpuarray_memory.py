"""GPUArray's memory: copies from and to the host, views of parts, and what other packages see of it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import driver, gpuarray, tools
from cuprum.core.utils import StridedMemoryView

DTYPES = ["bool", "int8", "uint16", "int32", "float16", "float32", "float64", "complex64", "complex128", "M8[s]"]


def some(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [*DTYPES, gpuarray.vec.float3, np.dtype([("a", "i1"), ("b", "f8")])])
def test_elements_of_every_type_go_to_the_device_and_back(dtype: Any) -> None:
    random = np.random.default_rng(1)
    host = np.frombuffer(random.bytes(60 * np.dtype(dtype).itemsize), dtype=np.uint8).view(dtype).reshape(3, 4, 5)
    if host.dtype == np.bool_:
        host = host.view(np.uint8) % 2 == 1
    for shown in (host, host[1], host[:, ::2], host.transpose(1, 2, 0), host[::-1, :, 1:3]):
        device = gpuarray.to_gpu(shown)
        result = device.get()
        assert result.shape == shown.shape
        assert result.dtype == shown.dtype
        assert result.tobytes() == shown.tobytes()
        assert device.copy().get().tobytes() == shown.tobytes()


def test_the_order_of_the_axes_is_kept() -> None:
    host = some((3, 4, 5))
    for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)):
        shown = host.transpose(axes)
        device = gpuarray.to_gpu(shown)
        assert device.strides == shown.strides
        assert device.get().strides == shown.strides
        assert gpuarray.zeros_like(device).strides == shown.strides
        assert np.array_equal(device.get(), shown)
    gaps = gpuarray.to_gpu(host[:, ::2])
    assert gaps.strides == (40, 20, 4)
    assert gaps.flags.c_contiguous


def random_index(random: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index of slices, ints, newaxis and an ellipsis."""
    entries: list[Any] = []
    for size in shape[: random.integers(0, len(shape) + 1)]:
        kind = random.integers(0, 4)
        if kind == 0 and size:
            entries.append(int(random.integers(-size, size)))
        else:
            begin, end = (None if each < -size else int(each) for each in random.integers(-size - 2, size + 2, 2))
            entries.append(slice(begin, end, [None, 1, 2, -1, -2, 3][random.integers(0, 6)]))
    if random.random() < 0.3:
        entries.insert(int(random.integers(0, len(entries) + 1)), None)
    if random.random() < 0.4:
        entries.append(Ellipsis)
    return tuple(entries)


def test_indices_show_what_numpys_show() -> None:
    random = np.random.default_rng(2)
    for _ in range(150):
        shape = tuple(int(size) for size in random.integers(1, 6, random.integers(1, 5)))
        host = some(shape)
        device = gpuarray.to_gpu(host)
        index = random_index(random, shape)
        shown, expected = device[index], host[index]
        assert shown.shape == expected.shape
        assert np.array_equal(shown.get(), expected)
        assert np.array_equal(shown.copy().get(), expected)
        assert shown.base is device


def test_indices_set_what_numpys_set() -> None:
    random = np.random.default_rng(3)
    for turn in range(150):
        shape = tuple(int(size) for size in random.integers(1, 6, random.integers(1, 5)))
        host = some(shape)
        device = gpuarray.to_gpu(host)
        index = random_index(random, shape)
        values = -some(host[index].shape) - 1
        if turn % 3 == 0:
            device[index] = 77
            host[index] = 77
        elif turn % 3 == 1:
            device[index] = values
            host[index] = values
        else:
            device[index] = gpuarray.to_gpu(values.copy(order="F"))
            host[index] = values
        assert np.array_equal(device.get(), host)


def test_a_part_is_moved_within_its_array() -> None:
    host = some((4, 5))
    device = gpuarray.to_gpu(host)
    device[1:] = device[:-1]
    host[1:] = host[:-1].copy()
    device[:, ::-1] = device[:, :]
    host[:, ::-1] = host[:, :].copy()
    assert np.array_equal(device.get(), host)


def test_a_view_keeps_the_memory_and_shares_it() -> None:
    part = gpuarray.to_gpu(some((4, 3)))[2:]
    assert part.get().tolist() == [[6, 7, 8], [9, 10, 11]]
    device = gpuarray.to_gpu(some((4,)))
    shown = device[1:3]
    shown.fill(9)
    assert device.get().tolist() == [0, 9, 9, 3]
    assert shown.ptr == device.ptr + 4
    assert int(shown.gpudata) == shown.ptr


def test_reshape_ravel_squeeze_and_transpose() -> None:
    host = some((2, 3, 4))
    for device in (gpuarray.to_gpu(host), gpuarray.to_gpu(np.asfortranarray(host))):
        assert np.array_equal(device.reshape(6, 4).get(), host.reshape(6, 4))
        assert np.array_equal(device.reshape((4, -1)).get(), host.reshape(4, -1))
        assert np.array_equal(device.reshape(6, 4, order="F").get(), host.reshape(6, 4, order="F"))
        assert np.array_equal(device.ravel().get(), host.ravel())
        assert np.array_equal(device.T.get(), host.T)
        assert np.array_equal(gpuarray.transpose(device, (1, 2, 0)).get(), host.transpose(1, 2, 0))
        assert np.array_equal(device.transpose([-1, 0, 1]).get(), host.transpose(-1, 0, 1))
    device = gpuarray.to_gpu(host)
    assert device.reshape(2, 3, 4) is device
    assert device.reshape(24).gpudata == device.ptr
    assert gpuarray.reshape(device, 24).base is device
    assert np.array_equal(device.reverse().get(), host.ravel()[::-1].reshape(host.shape))
    assert device[:, None, 1:2].squeeze().shape == (2, 4)


def test_view_shows_the_bytes_as_another_type() -> None:
    host = some((3, 4))
    device = gpuarray.to_gpu(host)
    for dtype in (np.int32, np.uint8, np.complex64):
        assert np.array_equal(device.view(dtype).get(), host.view(dtype))
    columns = gpuarray.to_gpu(np.asfortranarray(host[:2]))
    assert columns.view(np.float64).shape == (1, 4)
    assert device.view().ptr == device.ptr
    with pytest.raises(ValueError, match="new type not compatible with array"):
        gpuarray.to_gpu(some((3, 3))).view(np.float64)


def test_set_and_get_in_arrays_that_are_there() -> None:
    host = some((3, 4))
    device = gpuarray.empty((3, 4), np.float32)
    device.set(np.asfortranarray(host))
    out = np.zeros((3, 4), np.float32)
    assert device.get(out) is out
    assert np.array_equal(out, host)
    wide = np.zeros((3, 8), np.float32)
    device.get(wide[:, ::2])
    assert np.array_equal(wide[:, ::2], host)
    with pytest.warns(UserWarning, match="Setting array from one with different shape"):
        device.set(host.ravel()[::-1].copy())
    assert device.get()[0, 0] == 11
    with pytest.warns(DeprecationWarning, match="arrays of different shape"):
        assert device.get(np.zeros(12, np.float32)).shape == (3, 4)


def test_copies_in_a_stream() -> None:
    stream = driver.Stream()
    host = driver.pagelocked_empty((2, 5), np.float32)
    host[...] = some((2, 5))
    device = gpuarray.to_gpu_async(host, stream=stream)
    back = device.get_async(stream, driver.pagelocked_empty((2, 5), np.float32))
    other = device.get(pagelocked=True, async_=True, stream=stream)
    stream.synchronize()
    assert np.array_equal(back, host)
    assert np.array_equal(other, host)
    device.set_async(host[::-1], stream)
    part = device[:, ::2].get_async(stream)
    stream.synchronize()
    assert np.array_equal(part, host[::-1, ::2])


def test_an_array_over_memory_that_is_there() -> None:
    memory = driver.mem_alloc(64)
    array = gpuarray.GPUArray((4, 4), np.float32, gpudata=memory)
    array.fill(2)
    assert array.gpudata is memory
    diagonal = gpuarray.GPUArray((4,), np.float32, gpudata=int(memory), base=array, strides=(20,))
    diagonal[:] = some((4,))
    assert array.get()[[0, 1, 2, 3], [0, 1, 2, 3]].tolist() == [0, 1, 2, 3]
    assert array.get()[0, 1] == 2
    spaced = gpuarray.GPUArray((3,), np.float32, strides=(12,))
    spaced[:] = some((3,))
    assert spaced.get().tolist() == [0, 1, 2]
    assert spaced.gpudata.size >= 28


def test_memory_from_an_allocator_of_the_programs() -> None:
    pool = tools.DeviceMemoryPool()
    array = gpuarray.to_gpu(some((3, 3)), allocator=pool.allocate)
    result = array + array
    assert result.allocator == pool.allocate
    assert pool.active_blocks == 2
    assert np.array_equal(result.get(), some((3, 3)) * 2)
    assert float(gpuarray.sum(array).get()) == 36
    del array, result
    assert pool.active_blocks == 0


def test_arrays_without_elements_and_without_dimensions() -> None:
    for shape in ((0,), (3, 0), (0, 2)):
        empty = gpuarray.zeros(shape, np.float32)
        assert empty.get().shape == shape
        assert (empty + 1).get().shape == shape
        assert empty.ptr == 0
        assert empty.copy().shape == shape
        assert float(gpuarray.sum(empty).get()) == 0
    single = gpuarray.to_gpu(np.array(3, np.float32))
    assert (single * 2).get() == 6
    assert single.shape == ()
    assert single.reshape(1, 1).get().tolist() == [[3]]
    with pytest.raises(TypeError, match=r"len\(\) of unsized object"):
        len(single)


def test_text_truth_length_and_iteration() -> None:
    array = gpuarray.to_gpu(some((2, 2)))
    assert str(array) == str(array.get())
    assert repr(array) == repr(array.get())
    assert len(array) == 2
    assert [row.get().tolist() for row in array] == [[0, 1], [2, 3]]
    assert bool(gpuarray.to_gpu(np.array([2])))
    assert not gpuarray.to_gpu(np.array(0))
    with pytest.raises(ValueError, match=r"Use a\.any\(\) or a\.all\(\)"):
        bool(array)
    with pytest.raises(TypeError, match="unhashable"):
        hash(array)
    assert "C_CONTIGUOUS : True" in repr(array.flags)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda array: pickle.loads(pickle.dumps(array))])
def test_copies_and_pickles(copied: Callable[[Any], Any]) -> None:
    array = gpuarray.to_gpu(some((3, 2)))
    other = copied(array)
    array.fill(0)
    assert isinstance(other, gpuarray.GPUArray)
    assert np.array_equal(other.get(), some((3, 2)))


def test_other_packages_see_the_memory() -> None:
    array = gpuarray.to_gpu(some((3, 4)))
    interface = array.__cuda_array_interface__
    assert interface["shape"] == (3, 4)
    assert interface["data"] == (array.ptr, False)
    assert interface["typestr"] == "<f4"
    assert array[:, ::2].__cuda_array_interface__["strides"] == (16, 8)
    view = StridedMemoryView(array, stream_ptr=-1)
    assert view.ptr == array.ptr
    assert view.shape == (3, 4)
    assert array.__dlpack_device__() == (2, 0)
    assert "dltensor" in str(array.__dlpack__())
    with pytest.raises(BufferError, match="not contiguous"):
        array[:, ::2].__dlpack__()


def test_splay_covers_all_elements() -> None:
    for count in (1, 31, 32, 1000, 100000, 10**8):
        (blocks, _), (threads, _, _) = gpuarray.splay(count)
        assert threads % 32 == 0
        assert threads <= 128
        assert blocks == 1 or blocks * threads <= count + 32 * blocks
    array = gpuarray.zeros(1000, np.float32)
    assert (array._grid, array._block) == gpuarray.splay(1000)
