"""Tensor maps, on a device of compute capability 9.0: on the simulator in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from cuprum import Error, Unsupported
from cuprum.core import (
    Buffer,
    Device,
    LaunchConfig,
    Program,
    TensorMapDescriptor,
    TensorMapDescriptorOptions,
    TensorMapSwizzle,
    launch,
)
from cuprum.core.utils import StridedMemoryView


def has_tensor_maps(device: Device) -> bool:
    return bool(device.properties.tensor_map_access_supported)


@pytest.fixture
def memory(device: Device) -> Iterator[Buffer]:
    device.set_current()
    if not has_tensor_maps(device):
        pytest.skip("the device has no tensor maps")
    with device.allocate(1 << 16) as memory:
        yield memory


def floats(memory: Buffer, *shape: int, strides: tuple[int, ...] | None = None) -> StridedMemoryView:
    return StridedMemoryView.from_buffer(memory, shape, strides, dtype=np.float32)


def test_on_a_device_that_has_them(device: Device) -> None:
    if has_tensor_maps(device) or not device.is_simulator:
        pytest.skip("the other tests run here")
    environment = {**os.environ, "CUPRUM_SIM": "cc=9.0"}
    environment.pop("CUPRUM_TEST_SHOWN", None)  # the file is this process's
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


def test_a_device_without_says_so(device: Device) -> None:
    if has_tensor_maps(device):
        pytest.skip("the device has tensor maps")
    device.set_current()
    with device.allocate(1 << 13) as memory, pytest.raises(Unsupported):
        floats(memory, 32, 64).as_tensor_map((8, 16))


def test_a_kernel_is_given_the_map(memory: Buffer, device: Device) -> None:
    source = """
    struct alignas(64) Map { unsigned long long words[16]; };
    extern "C" __global__ void copy_map(const __grid_constant__ Map map, unsigned long long* out) {
        out[threadIdx.x] = map.words[threadIdx.x];
    }"""
    kernel = Program(source).compile().get_kernel("copy_map")
    tensor_map = floats(memory, 32, 64).as_tensor_map((8, 16))
    with device.create_stream() as stream, device.allocate(128) as out:
        launch(stream, LaunchConfig(grid=1, block=16), kernel, tensor_map, out)
        stream.sync()
        found = bytearray(128)
        out.copy_to_host(found)
    assert bytes(found) == tensor_map._bytes
    assert tensor_map.device == device


def test_options_are_one_object_or_by_themselves(memory: Buffer) -> None:
    view = floats(memory, 32, 64)
    swizzled = TensorMapDescriptorOptions((8, 16), swizzle=TensorMapSwizzle.SWIZZLE_64B)
    one = view.as_tensor_map(options=swizzled)
    other = view.as_tensor_map((8, 16), swizzle=TensorMapSwizzle.SWIZZLE_64B)
    assert one._bytes == other._bytes != view.as_tensor_map((8, 16))._bytes
    with pytest.raises(TypeError, match="either options"):
        view.as_tensor_map((8, 16), options=swizzled)
    with pytest.raises(TypeError, match="box_dim is missing"):
        view.as_tensor_map()


def test_strides_and_types_are_the_views(memory: Buffer) -> None:
    padded = floats(memory, 32, 60, strides=(64, 1)).as_tensor_map((8, 16))
    assert padded._bytes != floats(memory, 32, 60).as_tensor_map((8, 16))._bytes
    halves = StridedMemoryView.from_buffer(memory, (32, 64), dtype=np.float16)
    assert halves.as_tensor_map((8, 16))._bytes != floats(memory, 32, 64).as_tensor_map((8, 16))._bytes
    with pytest.raises(ValueError, match="no elements of bool"):
        StridedMemoryView.from_buffer(memory, (32, 64), dtype=np.bool_).as_tensor_map((8, 16))
    with pytest.raises(Error, match="side by side"):
        floats(memory, 16, 16, strides=(1, 16)).as_tensor_map((8, 16))


def test_the_address_is_replaced(memory: Buffer, device: Device) -> None:
    tensor_map = floats(memory, 32, 64).as_tensor_map((8, 16))
    with device.allocate(1 << 13) as other:
        expected = floats(other, 32, 64).as_tensor_map((8, 16))
        tensor_map.replace_address(other)
        assert tensor_map._bytes == expected._bytes
    with pytest.raises(ValueError, match="host"):
        tensor_map.replace_address(np.zeros(4, np.float32))


def test_what_is_no_box_is_refused(memory: Buffer) -> None:
    view = floats(memory, 32, 64)
    with pytest.raises(ValueError, match="box_dim must have 2 numbers"):
        view.as_tensor_map((8,))
    with pytest.raises(Error, match=r"boxDim\[0\] is 300, not 1 to 256"):
        view.as_tensor_map((8, 300))
    with pytest.raises(TypeError, match="as_tensor_map"):
        TensorMapDescriptor()


def test_columns_of_pixels(memory: Buffer) -> None:
    pixels = floats(memory, 1, 16, 16, 16)
    made = TensorMapDescriptor._from_im2col(pixels, (-1, -1), (-1, -1), 16, 64)
    assert len(made._bytes) == 128
    with pytest.raises(ValueError, match="pixel_box_lower_corner must have 2"):
        TensorMapDescriptor._from_im2col(pixels, (-1,), (-1, -1), 16, 64)
