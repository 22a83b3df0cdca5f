"""NVML, NVIDIA's library to monitor and manage devices. See ``cuprum.bindings`` for how functions are called.

It is part of NVIDIA's driver; the simulator has none. A structure that begins with ``version`` takes the macro of its
name there, and is passed to be filled in::

    memory = nvml.nvmlMemory_v2_t()
    memory.version = nvml.nvmlMemory_v2
    (err,) = nvml.nvmlDeviceGetMemoryInfo_v2(device, memory)

Where there is no room for all elements (``NVML_ERROR_INSUFFICIENT_SIZE``), the call returns how many there are::

    err, count, _ = nvml.nvmlDeviceGetSupportedMemoryClocks(device)
    err, count, clocks = nvml.nvmlDeviceGetSupportedMemoryClocks(device, count)
"""

from cuprum._bindings import last_error_message as last_error_message
from cuprum.bindings._module import fill

__getattr__, __dir__ = fill("nvml")
del fill
