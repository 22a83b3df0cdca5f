"""What NVML tells of the machine's devices."""

from cuda.core import Device, system

assert system.get_num_devices() >= 1
assert len(system.get_user_mode_driver_version()) == 2
assert system.get_driver_branch()
for device in system.Device.get_all_devices():
    assert device.uuid.startswith("GPU-")
    memory = device.memory_info
    assert memory.total >= memory.free + memory.used
    assert 0 <= device.utilization.gpu <= 100
    assert 0 < device.temperature.get_sensor() < 120
    assert device.get_clock("sm").get_current_mhz() <= device.get_clock("sm").get_max_mhz()
    assert device.pci_info.bus_id
    assert device.cuda_compute_capability >= (7, 5)
    assert device == device or device.index >= 0
    try:
        device.get_clock("loud")
    except (ValueError, system.NvmlError):
        pass
    else:
        raise AssertionError("there is no such clock")
assert Device(0).uuid
print("done")
