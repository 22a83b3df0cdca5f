"""The main job: compile, allocate, copy in, launch, time, copy out, check."""

from __future__ import annotations

import array

import numpy as np
import pytest
from conftest import SAXPY
from cuprum.core import Device, EventOptions, Kernel, LaunchConfig, Program, Stream, launch

pytestmark = pytest.mark.usefixtures("no_leaks")


def test_every_element_is_right(device: Device, stream: Stream, saxpy: Kernel) -> None:
    n = 100_001
    random = np.random.default_rng(seed=7)
    x, y = random.random(n, dtype=np.float32), random.random(n, dtype=np.float32)
    x_device, y_device = device.allocate(x.nbytes, stream=stream), device.allocate(y.nbytes, stream=stream)
    x_device.copy_from_host(x, stream=stream)
    y_device.copy_from_host(y, stream=stream)
    begin = stream.record(options=EventOptions(timing_enabled=True))
    launch(stream, LaunchConfig(grid=(n + 255) // 256, block=256), saxpy, 3.0, x_device, y_device, n)
    end = stream.record(options={"timing_enabled": True})
    result = np.empty_like(y)
    y_device.copy_to_host(result, stream=stream)
    stream.sync()
    np.testing.assert_allclose(result, 3.0 * x.astype(np.float64) + y, atol=1e-6, rtol=0)
    assert end - begin > 0


def test_numpy_is_not_needed(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = array.array("f", [1, 2, 3]), array.array("f", [10, 20, 30])
    x_device, y_device = device.allocate(12), device.allocate(12)
    x_device.copy_from_host(x)
    y_device.copy_from_host(y)
    launch(stream, LaunchConfig(1, block=32), saxpy, 2.0, x_device, y_device, 3)
    stream.sync()
    y_device.copy_to_host(y)
    assert list(y) == [12, 24, 36]


def test_a_program_written_for_cuda_core_in_its_shortest_form_runs(device: Device) -> None:
    device.use()
    n, a = 1024, 2.0
    x, y = np.arange(n, dtype=np.float32), np.ones(n, dtype=np.float32)
    x_dev, y_dev = device.mem_alloc(x.nbytes), device.mem_alloc(y.nbytes)
    x_dev.copy_from_host(x)
    y_dev.copy_from_host(y)
    program = Program(SAXPY, "saxpy.cu")
    program.compile(["--gpu-architecture=compute_75"])
    launch_config = LaunchConfig(grid=(n + 255) // 256, block=(256,))
    program.saxpy[launch_config](a, x_dev, y_dev, n)
    device.synchronize()
    result = np.empty_like(y)
    y_dev.copy_to_host(result)
    np.testing.assert_array_equal(result, 2 * x + 1)


def test_a_kernel_launches_in_a_stream_given_beside_the_configuration(
    device: Device, stream: Stream, saxpy: Kernel
) -> None:
    x, y = array.array("f", [1]), array.array("f", [1])
    with device.allocate(4) as x_device, device.allocate(4) as y_device:
        x_device.copy_from_host(x)
        y_device.copy_from_host(y)
        saxpy[LaunchConfig(1, block=1), stream](4.0, x_device, y_device, 1)
        stream.sync()
        y_device.copy_to_host(y)
    assert y[0] == 5
