"""GPUs as NVML sees them: on a GPU the driver's NVML, else the simulator's."""

from __future__ import annotations

import os
import re

import pytest
from conftest import RunPython
from cuprum.core import Device, system
from cuprum.core.system import typing


@pytest.fixture
def device() -> system.Device:
    return Device(0).to_system_device()


def test_it_sees_the_devices_that_cuda_sees(device: system.Device) -> None:
    assert system.get_num_devices() >= len(Device.get_all_devices())
    assert device.uuid == Device(0).uuid
    assert device.uuid_without_prefix == device.uuid.removeprefix("GPU-")
    assert device.name == Device(0).name
    assert device.to_cuda_device() is Device(0)
    assert system.Device(uuid=device.uuid) == system.Device(pci_bus_id=device.pci_bus_id) == device
    assert len(list(system.Device.get_all_devices())) == system.Device.get_device_count()


def test_the_driver_has_versions() -> None:
    assert system.get_user_mode_driver_version() >= (12, 0)
    assert len(system.get_kernel_mode_driver_version()) in (2, 3)
    assert len(system.get_nvml_version()) >= 3
    assert system.get_driver_branch()
    assert "python" in system.get_process_name(os.getpid())


def test_a_device_is_named_in_one_way() -> None:
    for wrong in ({}, {"index": 0, "uuid": "GPU-0"}):
        with pytest.raises(ValueError, match="index, uuid or pci_bus_id"):
            system.Device(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"system device 4711.*\n.*NVML sees"):
        system.Device(index=4711)


def test_memory_that_is_used_is_counted(device: system.Device) -> None:
    before = device.memory_info
    buffer = Device(0).allocate(32 << 20)
    assert device.memory_info.used >= before.used + (32 << 20)
    assert os.getpid() in [process.pid for process in device.compute_running_processes]
    buffer.close()


def test_a_device_is_measured(device: system.Device) -> None:
    assert 10 <= device.temperature.get_sensor() <= 120
    assert device.temperature.get_threshold("shutdown") > 60
    assert device.temperature.margin > -50
    assert 0 <= device.utilization.gpu <= 100
    clock = device.get_clock(typing.ClockType.SM)
    assert 0 < clock.get_current_mhz() <= clock.get_max_mhz()
    assert device.power_usage <= 2 * device.power_limit
    assert device.arch >= typing.DeviceArch.TURING
    assert device.cuda_compute_capability == Device(0).compute_capability
    assert device.pci_info.vendor_id == 0x10DE
    assert device.pci_info.bus_id == device.pci_bus_id
    assert device.pci_info.current_link_width <= device.pci_info.max_link_width
    assert device.bar1_memory_info.total > 0


def test_values_are_asked_for_by_number(device: system.Device) -> None:
    values = device.get_field_values([typing.FieldId.DEV_MEMORY_TEMP, 0xFFFF])
    assert 10 < values[0].value < 120
    assert values[0].field_id == typing.FieldId.DEV_MEMORY_TEMP
    with pytest.raises(system.NvmlError):
        values.validate()


def test_words_that_there_are_not_are_refused(device: system.Device) -> None:
    with pytest.raises(ValueError, match="the type of a clock is one of 'graphics', 'sm'"):
        device.get_clock("bus")
    with pytest.raises(ValueError, match="the type of an event"):
        device.register_events("earthquake")


def test_what_a_device_does_not_have_is_not_supported(device: system.Device) -> None:
    if device.num_fans:
        pytest.skip("it has a fan")
    with pytest.raises(ValueError, match="has 0 fans"):
        device.get_fan()
    with pytest.raises(system.NvmlError) as error:
        device.fan_speed(0)
    assert isinstance(error.value, NotImplementedError | ValueError)
    assert error.value.code in (2, 3)


def test_an_event_that_does_not_happen_times_out(device: system.Device) -> None:
    assert typing.EventType.XID_CRITICAL_ERROR in device.get_supported_event_types()
    events = device.register_events([typing.EventType.XID_CRITICAL_ERROR])
    with pytest.raises(system.TimeoutError, match="within 5 ms"):
        events.wait(timeout_ms=5)


def test_a_fault_is_an_event(run_python: RunPython) -> None:
    result = run_python(
        """
from cuprum.core import Device, LaunchConfig, Program, launch
device = Device(0)
events = device.to_system_device().register_events("xid_critical_error")
kernel = Program('extern "C" __global__ void f(int* x) { *x = 1; }').compile("ptx").get_kernel("f")
stream = device.create_stream()
launch(stream, LaunchConfig(grid=1, block=1), kernel, 16)
try:
    stream.sync()
except Exception:
    pass
event = events.wait(timeout_ms=5000)
print(event.event_type, event.event_data, event.device.index)
"""
    )
    assert result.stdout.split() == ["xid_critical_error", "31", "0"], result.stdout + result.stderr


def test_settings_of_the_simulator_are_reported(run_python: RunPython) -> None:
    code = """
from cuprum.core import system
device, other = system.Device.get_all_devices()
fan = device.get_fan()
print(device.temperature.get_sensor(), device.power_usage, device.utilization.gpu, fan.speed, fan.control_policy)
fan.speed = 60
print(fan.speed, fan.speed_rpm, fan.control_policy, fan.min_max_speed, device.performance_state)
fan.set_default_speed()
device.is_persistence_mode_enabled = True
print(fan.speed, device.is_persistence_mode_enabled, other.is_persistence_mode_enabled)
print(system.get_topology_common_ancestor(device, other), [d.index for d in device.get_topology_nearest_gpus("node")])
print(system.get_p2p_status(device, other, "read"), "|", system.get_p2p_status(device, other, "nvlink"))
"""
    settings = {
        "CUPRUM_DRIVER": "sim",
        "CUPRUM_SIM": "devices=2",
        "CUPRUM_SIM_NVML": "temperature=61,power=180,utilization=70,fan=45",
    }
    result = run_python(code, environment=settings)
    assert result.stdout.splitlines() == [
        "61 180000 70 45 temperature_controlled",
        "60 2400 manual (30, 100) 0",
        "45 True False",
        "node [1]",
        "ok | not supported",
    ], result.stdout + result.stderr
    result = run_python(code, environment=settings | {"CUPRUM_SIM_NVML": "temperature=hot"}, check=False)
    assert re.search("CUPRUM_SIM_NVML: 'temperature=hot' is not valid", result.stderr)
    assert "the simulator does not start" in result.stderr


def test_without_nvml_every_place_that_was_searched_is_named(run_python: RunPython) -> None:
    result = run_python(
        "from cuprum.core import system\ntry:\n    system.get_num_devices()\n"
        "except system.LibraryNotFoundError as error:\n    print(error)",
        hide=("libnvidia-ml",),
        environment={"LD_LIBRARY_PATH": "/nowhere/lib", "CUPRUM_DRIVER": "gpu"},
    )
    for text in ("counting the machine's GPUs", "libnvidia-ml.so.1", "/nowhere/lib", "install NVIDIA's driver"):
        assert text in result.stdout, result.stdout + result.stderr
