"""What NVML's functions do, called from Python: the driver's on a GPU, else the simulator's, and the tests' own."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import RunPython
from cuprum.bindings import nvml

SUCCESS = nvml.nvmlReturn_t.NVML_SUCCESS
INSUFFICIENT_SIZE = nvml.nvmlReturn_t.NVML_ERROR_INSUFFICIENT_SIZE


def answer(returned: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call returned, where it may be None."""
    return returned


@pytest.fixture
def device() -> Iterator[nvml.nvmlDevice_t]:
    assert nvml.nvmlInit() == (SUCCESS,)
    err, device = nvml.nvmlDeviceGetHandleByIndex(0)
    assert err is SUCCESS
    yield device
    assert nvml.nvmlShutdown() == (SUCCESS,)


@pytest.fixture
def is_the_tests_own(device: nvml.nvmlDevice_t) -> None:
    if not nvml.nvmlDeviceGetName(device, 96)[1].startswith(b"Miniature"):
        pytest.skip("asks for what only the tests' own NVML has")


def test_nothing_works_before_nvml_is_initialised(run_python: RunPython) -> None:
    # In a process of its own: cuprum.core.system initialises NVML for good.
    result = run_python("from cuprum.bindings import nvml\nprint(nvml.nvmlDeviceGetCount()[0].name)")
    assert result.stdout == "NVML_ERROR_UNINITIALIZED\n"
    assert nvml.nvmlErrorString(nvml.nvmlReturn_t.NVML_ERROR_UNINITIALIZED) == (SUCCESS, b"Uninitialized")


def test_devices_are_found_by_index(device: nvml.nvmlDevice_t) -> None:
    err, count = nvml.nvmlDeviceGetCount()
    assert err is SUCCESS
    assert count >= 1
    assert nvml.nvmlDeviceGetIndex(device) == (SUCCESS, 0)
    assert answer(nvml.nvmlDeviceGetHandleByIndex(count)) == (nvml.nvmlReturn_t.NVML_ERROR_INVALID_ARGUMENT, None)


def test_texts_are_bytes_as_long_as_there_is_room(device: nvml.nvmlDevice_t) -> None:
    err, name = nvml.nvmlDeviceGetName(device, nvml.NVML_DEVICE_NAME_V2_BUFFER_SIZE)
    assert err is SUCCESS
    assert len(name) > 3
    assert b"\0" not in name
    assert answer(nvml.nvmlDeviceGetName(device, 2)) == (INSUFFICIENT_SIZE, None)
    err, uuid = nvml.nvmlDeviceGetUUID(device, nvml.NVML_DEVICE_UUID_V2_BUFFER_SIZE)
    assert re.match(rb"(GPU|MIG)-[0-9a-f-]{36}$", uuid)


def test_structures_are_returned(device: nvml.nvmlDevice_t) -> None:
    err, pci = nvml.nvmlDeviceGetPciInfo(device)
    assert err is SUCCESS
    assert re.match(rb"[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9]", pci.busId)
    err, memory = nvml.nvmlDeviceGetMemoryInfo(device)
    assert memory.total >= memory.free + memory.used


def test_a_structure_with_a_version_is_filled_in(device: nvml.nvmlDevice_t) -> None:
    memory = nvml.nvmlMemory_v2_t()
    mismatch = nvml.nvmlReturn_t.NVML_ERROR_FUNCTION_NOT_FOUND
    assert nvml.nvmlDeviceGetMemoryInfo_v2(device, memory) == (mismatch,)
    memory.version = nvml.nvmlMemory_v2
    assert nvml.nvmlDeviceGetMemoryInfo_v2(device, memory) == (SUCCESS,)
    assert memory.total > 1 << 30
    with pytest.raises(TypeError, match=r"nvmlDeviceGetMemoryInfo_v2: memory takes memory to write to"):
        nvml.nvmlDeviceGetMemoryInfo_v2(device, 0)


def test_a_list_without_room_says_how_many_elements_there_are(device: nvml.nvmlDevice_t) -> None:
    err, count, none = answer(nvml.nvmlDeviceGetSupportedMemoryClocks(device))
    assert (err, none) == (INSUFFICIENT_SIZE, None)
    assert count >= 1
    # Room for more is as good.
    err, same, clocks = nvml.nvmlDeviceGetSupportedMemoryClocks(device, count + 5)
    assert err is SUCCESS
    assert same == count == len(clocks)
    assert all(clock > 100 for clock in clocks)  # MHz
    # In C's order, nothing is returned.
    number, array = ctypes.c_uint(count), (ctypes.c_uint * count)()
    assert answer(nvml.nvmlDeviceGetSupportedMemoryClocks(device, number, array)) == (SUCCESS,)
    assert list(array) == clocks


def test_structures_in_a_list_are_read_and_filled_in(device: nvml.nvmlDevice_t) -> None:
    values = [nvml.nvmlFieldValue_t(), nvml.nvmlFieldValue_t()]
    values[0].fieldId = nvml.NVML_FI_DEV_MEMORY_TEMP
    values[1].fieldId = 0xFFFF
    assert nvml.nvmlDeviceGetFieldValues(device, 2, values) == (SUCCESS,)
    assert values[0].nvmlReturn == SUCCESS
    assert 10 < values[0].value.uiVal < 120  # degrees Celsius
    assert values[1].nvmlReturn != SUCCESS
    with pytest.raises(TypeError, match=r"values takes at least 3 elements, as valuesCount says, not 2"):
        nvml.nvmlDeviceGetFieldValues(device, 3, values)


@pytest.mark.usefixtures("is_the_tests_own")
def test_what_has_no_count_of_its_own_has_room_enough(device: nvml.nvmlDevice_t) -> None:
    assert nvml.nvmlDeviceGetGspFirmwareVersion(device) == (SUCCESS, b"610.17.00")
    err, instances, count = nvml.nvmlDeviceGetGpuInstances(device, 3)
    assert err is SUCCESS
    assert count == 3
    assert [int(instance) for instance in instances] == [0x100, 0x101, 0x102]


@pytest.mark.usefixtures("is_the_tests_own")
def test_a_text_whose_room_is_behind_a_pointer_says_how_long_it_is(device: nvml.nvmlDevice_t) -> None:
    assert answer(nvml.nvmlVgpuTypeGetName(11)) == (INSUFFICIENT_SIZE, None, 16)
    assert nvml.nvmlVgpuTypeGetName(11, 16) == (SUCCESS, b"Miniature vGPU", 16)


@pytest.mark.usefixtures("is_the_tests_own")
def test_every_other_function_returns_its_own_status(device: nvml.nvmlDevice_t) -> None:
    assert answer(nvml.nvmlDeviceGetPowerUsage(device)) == (nvml.nvmlReturn_t.NVML_ERROR_NOT_SUPPORTED, None)
    assert nvml.nvmlDeviceSetPersistenceMode(device, 1) == (nvml.nvmlReturn_t.NVML_ERROR_NOT_SUPPORTED,)


def test_without_nvml_every_place_that_was_searched_is_named(run_python: RunPython) -> None:
    result = run_python(
        "from cuprum.bindings import nvml\nprint(int(nvml.nvmlInit()[0]))\nprint(nvml.last_error_message())",
        hide=("libnvidia-ml",),
        environment={"LD_LIBRARY_PATH": "/nowhere/lib", "CUPRUM_DRIVER": "gpu"},
    )
    places = ("/nowhere/lib", "/usr/lib/x86_64-linux-gnu")
    for text in ("12", "nvmlInit", "libnvidia-ml.so.1", *places, "install NVIDIA's driver"):
        assert text in result.stdout, result.stdout
