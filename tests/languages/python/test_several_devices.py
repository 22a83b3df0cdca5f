"""What is meant where no device is named, with two devices: what the driver says is current, and where memory lies."""

from __future__ import annotations

import os

import pytest
from conftest import RunPython
from cuprum.core import Device

BEGIN = """
from cuprum.bindings import driver
from cuprum.core import Buffer, Device
from cuprum.core.utils import StridedMemoryView

def checked(results):
    assert int(results[0]) == 0, results[0]
    return results[1] if len(results) == 2 else results[1:]

first, second = Device(0), Device(1)
there = second.allocate(64)

class Foreign:
    __cuda_array_interface__ = {
        "shape": (16,), "typestr": "<i4", "data": (there.handle, False), "version": 3, "strides": None
    }
"""


@pytest.fixture
def with_two_devices(run_python: RunPython) -> RunPython:
    """Runs a program with two devices: the simulator's, or those of the machine."""
    if Device(0).is_simulator:
        variables = {**os.environ, "CUPRUM_SIM": "devices=2"}
        return lambda source: run_python(BEGIN + source, environment=variables)
    if len(Device.get_all_devices()) < 2:
        pytest.skip("this machine has one GPU")
    return lambda source: run_python(BEGIN + source)


def test_the_current_device_is_the_drivers(with_two_devices: RunPython) -> None:
    """As CuPy, PyTorch and others make theirs current without Cuprum."""
    with_two_devices("""
import threading
assert Device().device_id == 0  # none is current
checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(1))))
assert Device() is second
assert Device().default_stream.device is second
assert Device().allocate(16).device_id == 1
seen = []
thread = threading.Thread(target=lambda: seen.append(Device()))
thread.start()
thread.join()
assert seen == [first]
first.set_current()
assert Device() is first
checked(driver.cuCtxPopCurrent())
assert Device() is first
""")


def test_memory_is_on_the_device_where_it_lies(with_two_devices: RunPython) -> None:
    with_two_devices("""
first.set_current()
assert Buffer.from_handle(there.handle, 64).device_id == 1
assert Buffer.from_handle(first.allocate(64).handle, 64).device_id == 0
view = StridedMemoryView(Foreign(), -1)
assert view.device_id == 1
assert view.__dlpack_device__()[1] == 1
""")


def test_an_algorithm_takes_no_other_devices_arrays_and_streams(with_two_devices: RunPython) -> None:
    with_two_devices("""
import functools
import numpy as np
import cuprum
from cuprum.parallel import DeviceArray, OpKind, reduce, sort, scan, select, reduce_into

def refused(action, *words):
    try:
        action()
    except cuprum.InvalidArgument as error:
        for word in words:
            assert word in str(error), error
    else:
        raise AssertionError("not refused")

first.set_current()
here = DeviceArray.from_numpy(np.arange(10, dtype=np.int32))
total = DeviceArray.empty(1, np.int32)
far = DeviceArray(second.allocate(40), np.int32)
foreign = second.create_stream()
into = functools.partial(reduce_into, op=OpKind.PLUS, num_items=10, h_init=np.int32(0))
both = "memory of device 1, the algorithm was built for device 0"
for algorithm in (reduce, sort, scan, lambda array: select(array, "a > 3")):
    refused(lambda: algorithm(far), both)
    refused(lambda: algorithm(Foreign()), both)
refused(lambda: into(d_in=far, d_out=total), both, "input")
refused(lambda: into(d_in=here, d_out=far), both, "output")
refused(lambda: into(d_in=here, d_out=total, stream=foreign), "device 1", "device 0")
assert reduce(here) == 45
""")
