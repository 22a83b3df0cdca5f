"""A GPU as NVML sees it: its memory, temperature, power and clocks, and that it counts the memory of this program."""

from __future__ import annotations

import sys

from cuprum.core import Device, system

SIZE = 64 << 20


def main() -> int:
    device = Device(0)
    device.allocate(4).close()  # the device is in use from here on
    gpu = device.to_system_device()
    before = gpu.memory_info.used
    buffer = device.allocate(SIZE)
    grown = gpu.memory_info.used - before
    buffer.close()

    clock = gpu.get_clock("sm")
    right = grown >= SIZE and gpu.to_cuda_device() == device and clock.get_current_mhz() <= clock.get_max_mhz()
    print(
        f"{gpu.name}: {grown >> 20} MiB more, {gpu.temperature.get_sensor()} degrees, {gpu.power_usage / 1000:.0f} W, "
        f"{clock.get_current_mhz()} MHz, one of {system.get_num_devices()}: {'right' if right else 'wrong'}"
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
