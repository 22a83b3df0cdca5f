"""What NVML's header leaves open about pointer parameters, as parameters.py has it for the other libraries.

NVML marks few outputs. It keeps to rules instead: a structure whose first field is `version` is set up by the caller
and filled in; so is an array whose size is behind another pointer, which then says how many elements there are.
"""

from __future__ import annotations

import re

# Structures that are only read: by functions that set something.
_READ = re.compile(
    r"nvml(Device|System|GpuInstance)?Set(?!up)\w+|nvmlDevice(ModifyDrainState|QueryDrainState|RemoveGpu)"
    r"|nvmlDevicePowerSmoothing\w+|nvmlDeviceWorkloadPowerProfile(Set|Clear|Update)\w+"
    r"|nvmlDeviceSetupNvlinkNvleEncryptionKey_v1|nvmlSystemRegisterEvents|nvmlSystemEventSetFree"
)
_INPUTS = {
    *(("nvmlGetVgpuCompatibility", name) for name in ("vgpuMetadata", "pgpuMetadata")),
    ("nvmlDeviceSetTemperatureThreshold", "temp"),
}
# Structures without a version in which the caller says what it asks for.
_BOTH = {
    *((f"nvmlDevice{verb}FieldValues", "values") for verb in ("Get", "Clear")),
    *((f"nvml{of}GetVgpuSchedulerState_v2", "pSchedulerStateInfo") for of in ("Device", "GpuInstance")),
    *((f"nvml{of}GetVgpuSchedulerLog_v2", "pSchedulerLogInfo") for of in ("Device", "GpuInstance")),
    *((f"nvmlEventSetGetContext{what}_v1", "params") for what in ("Info", "Data")),
    ("nvmlDeviceDiscoverGpus", "pciInfo"),
    ("nvmlDeviceGetAccountingStats_v2", "stats"),
    ("nvmlDeviceGetConfComputeGpuAttestationReport", "gpuAtstReport"),
    ("nvmlDeviceGetMemoryLimits_v1", "limits"),
    ("nvmlDeviceGetNvLinkTelemetrySamples_v1", "samples"),
    ("nvmlDeviceLockNvlinkRemapTable_v1", "remapTableLockInfo"),
    ("nvmlDevicePerfMetricsGetSamples_v1", "samples"),
    ("nvmlDeviceReadPRMCounters_v1", "counterList"),
    ("nvmlDeviceReadWritePRM_v1", "buffer"),
    ("nvmlDeviceSetNvlinkBwModeAsync_v1", "setBwModeAsync"),
    ("nvmlEventSetGetGpuOperationalEventContextLegacyXid_v1", "params"),
    ("nvmlEventSetWait_v3", "params"),
    ("nvmlSystemGetCPER_v1", "cper"),
}

# Arrays, with the parameter that holds their number of elements or of bytes beside them.
_ARRAYS = {
    *("addresses", "clocksMHz", "computeInstances", "cpuSet", "deviceArray", "devices", "gpuInstances", "hwbcEntries"),
    *("infos", "nodeSet", "pids", "placements", "pstates", "sessionInfo", "sessionInfos", "timestamps"),
    *("utilizationSamples", "vgpuInstances", "vgpuTypeIds"),
}
_FUNCTION_ARRAYS = {
    *((f"nvmlDevice{verb}FieldValues", "values") for verb in ("Get", "Clear")),
    ("nvmlDeviceGetProcessUtilization", "utilization"),
    ("nvmlDeviceGetSamples", "samples"),
}
# Memory that is more than the structure which it is declared to point to: it ends with data whose length only the
# library knows.
_MEMORY = {
    ("nvmlVgpuInstanceGetMetadata", "vgpuMetadata"),
    ("nvmlDeviceGetVgpuMetadata", "pgpuMetadata"),
    *(("nvmlGetVgpuCompatibility", name) for name in ("vgpuMetadata", "pgpuMetadata")),
}
# Arrays for which there must be room enough, whatever the number that is returned: it is an output alone. The last
# one's size is in bytes.
_UNCOUNTED = {
    ("nvmlDeviceGetGpuInstances", "gpuInstances"),
    ("nvmlDeviceGetGpuInstancePossiblePlacements", "placements"),
    ("nvmlGpuInstanceGetComputeInstances", "computeInstances"),
    ("nvmlGpuInstanceGetComputeInstancePossiblePlacements", "placements"),
    ("nvmlDeviceGetGspFirmwareVersion", "version"),
    ("nvmlDeviceGetSupportedPerformanceStates", "pstates"),
}
_COUNTS = re.compile(r"\w*[cC]ount|cpuSetSize|nodeSetSize|length|size|bufferSize")


def is_memory(function: str, name: str) -> bool:
    """Whether it is memory of a size that its type does not say."""
    return (function, name) in _MEMORY


def is_uncounted(function: str, name: str) -> bool:
    """Whether it is an array whose number of elements no parameter limits."""
    return (function, name) in _UNCOUNTED


def direction(function: str, name: str, shape: str, names: list[str], shapes: list[str], is_versioned: bool) -> str:
    """ "in", "out" or "inout", of a pointer to what is not const."""
    is_record = shape.startswith(("ptr(struct:", "ptr(union:"))
    if (function, name) in _BOTH:
        return "inout"
    if (function, name) in _INPUTS or (is_record and _READ.fullmatch(function)):
        return "in"
    counts = {count_of(function, names, position, shapes) for position in range(len(names))}
    return "inout" if is_versioned or name in counts else "out"


def optional(function: str, name: str, shape: str, names: list[str], shapes: list[str]) -> bool:
    """Whether null is a value that the function takes: of an array whose size it asks for, and returns."""
    if is_memory(function, name) or (name == "placements" and is_uncounted(function, name)):
        return True
    if not shape.startswith("ptr("):
        return False
    count = count_of(function, names, names.index(name), shapes)
    return bool(count) and shapes[names.index(count)].startswith("ptr(")


def count_of(function: str, names: list[str], position: int, shapes: list[str]) -> str:
    """The parameter that holds the number of elements of an array; empty if it is none or has none."""
    name, shape = names[position], shapes[position]
    if not shape.startswith("ptr(") or is_uncounted(function, name):
        return ""
    is_array = name in _ARRAYS or (function, name) in _FUNCTION_ARRAYS or is_memory(function, name)
    if not is_array and shape != "ptr(char)":
        return ""
    for other, of in zip(names, shapes, strict=True):
        if other != name and _COUNTS.fullmatch(other) and of in ("i32", "u32", "ptr(u32)"):
            return other
    return ""
