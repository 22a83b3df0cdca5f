"""The machine's GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum
from cuprum.core._members import SystemDeviceMembers
from cuprum.core.system._clocks import ClockInfo, CoolerInfo, FanInfo
from cuprum.core.system._events import EVENT_TYPES, DeviceEvents
from cuprum.core.system._nvml import bits, call, handle_of, listed, word
from cuprum.core.system._parts import (
    BAR1MemoryInfo,
    DeviceAttributes,
    FieldValues,
    GpuDynamicPstatesInfo,
    InforomInfo,
    MemoryInfo,
    MigInfo,
    NvlinkInfo,
    PciInfo,
    ProcessInfo,
    RepairStatus,
    Utilization,
)
from cuprum.core.system._temperature import Temperature
from cuprum.core.system.typing import (
    AddressingMode,
    AffinityScope,
    ClocksEventReasons,
    ClockType,
    DeviceArch,
    EventType,
    GpuP2PCapsIndex,
    GpuP2PStatus,
    GpuTopologyLevel,
)

if TYPE_CHECKING:
    from cuprum.core._device import Device as CudaDevice

_BRANDS = (
    "Unknown",
    "Quadro",
    "Tesla",
    "NVS",
    "GRID",
    "GeForce",
    "Titan",
    "NVIDIA vApps",
    "NVIDIA VPC",
    "NVIDIA VCS",
) + ("NVIDIA VWS", "NVIDIA Cloud Gaming", "Quadro RTX", "NVIDIA RTX", "NVIDIA", "GeForce RTX", "Titan RTX")
_REASONS = {1 << number: reason for number, reason in enumerate(tuple(ClocksEventReasons)[1:])}
_LEVELS = dict(zip(GpuTopologyLevel, range(0, 60, 10), strict=True))


class Device(SystemDeviceMembers):
    """One GPU as NVIDIA's management library (NVML) sees it: by its index, its UUID or its PCI bus id.

    Indices are in the order of PCI buses, which need not be CUDA's. NVML needs no CUDA context. What a device does not
    have is a NotSupportedError.
    """

    __slots__ = ("_index",)

    _index: int

    def __init__(
        self, *, index: int | None = None, uuid: bytes | str | None = None, pci_bus_id: bytes | str | None = None
    ) -> None:
        """The device that one of them names. ValueError for none of them, or for several."""
        if sum(each is not None for each in (index, uuid, pci_bus_id)) != 1:
            raise ValueError("a device is named by index, uuid or pci_bus_id: give one of them")
        if uuid is not None:
            self._index = _cuprum.cuprum_system_find_uuid(uuid.decode() if isinstance(uuid, bytes) else uuid)
        elif pci_bus_id is not None:
            text = pci_bus_id.decode() if isinstance(pci_bus_id, bytes) else pci_bus_id
            self._index = _cuprum.cuprum_system_find_pci_bus_id(text)
        else:
            assert index is not None
            _cuprum.cuprum_system_device_minor_number(index)  # an error where there is no such device
            self._index = index

    @classmethod
    def get_device_count(cls) -> int:
        """How many devices there are, also those that CUDA_VISIBLE_DEVICES hides from CUDA."""
        return _cuprum.cuprum_system_device_count()

    @classmethod
    def get_all_devices(cls) -> Iterable[Device]:
        """All devices, in the order of their indices."""
        return (cls(index=index) for index in range(cls.get_device_count()))

    @classmethod
    def get_all_devices_with_cpu_affinity(cls, cpu_index: int) -> Iterable[Device]:
        """The devices that are near a CPU."""
        _cuprum.cuprum_system_device_count()
        handles = listed("nvmlSystemGetTopologyGpuSet", cpu_index)
        return (cls(index=int(call("nvmlDeviceGetIndex", handle))) for handle in handles)

    @property
    def _handle(self) -> Any:
        return handle_of(self._index)

    @property
    def index(self) -> int:
        """The index."""
        return self._index

    @property
    def uuid_without_prefix(self) -> str:
        """The UUID without ``GPU-``, as ``cuprum.core.Device`` has it elsewhere."""
        return self.uuid.partition("-")[2]

    @property
    def numa_node_id(self) -> int:
        """The NUMA node of its memory."""
        return int(call("nvmlDeviceGetNumaNodeId", self._handle))

    @property
    def arch(self) -> DeviceArch:
        """The architecture."""
        number = int(call("nvmlDeviceGetArchitecture", self._handle))
        return DeviceArch(number) if number in DeviceArch._value2member_map_ else DeviceArch.UNKNOWN

    @property
    def brand(self) -> str:
        """The brand."""
        number = int(call("nvmlDeviceGetBrand", self._handle))
        return _BRANDS[number] if number < len(_BRANDS) else "Unknown"

    @property
    def module_id(self) -> int:
        """The number of its module on the board."""
        return int(call("nvmlDeviceGetModuleId", self._handle))

    @property
    def is_c2c_enabled(self) -> bool:
        """Whether it is linked to the CPU chip to chip."""
        return bool(call("nvmlDeviceGetC2cModeInfoV", self._handle).isC2cEnabled)

    @property
    def is_persistence_mode_enabled(self) -> bool:
        """Whether the driver stays loaded while no program uses the device. Setting it needs root's rights on a GPU."""
        return bool(_cuprum.cuprum_system_device_is_persistence_mode_enabled(self._index))

    @is_persistence_mode_enabled.setter
    def is_persistence_mode_enabled(self, enabled: bool) -> None:
        _cuprum.cuprum_system_device_set_persistence_mode(self._index, int(enabled))

    @property
    def cuda_compute_capability(self) -> tuple[int, int]:
        """The compute capability, ``(9, 0)``."""
        major, minor = call("nvmlDeviceGetCudaComputeCapability", self._handle)
        return int(major), int(minor)

    def to_cuda_device(self) -> CudaDevice:
        """The CUDA device with this UUID. ValueError when CUDA does not see it."""
        from cuprum.core._device import Device as CudaDevice

        return CudaDevice(_cuprum.cuprum_system_device_cuda(self._index))

    @property
    def addressing_mode(self) -> AddressingMode | None:
        """How it reaches memory that the system has allocated; None where it does not."""
        from cuprum.bindings import nvml

        mode = nvml.nvmlDeviceAddressingMode_v1_t()
        mode.version = nvml.nvmlDeviceAddressingMode_v1
        call("nvmlDeviceGetAddressingMode", self._handle, mode)
        return {1: AddressingMode.HMM, 2: AddressingMode.ATS}.get(int(mode.value))

    @property
    def mig(self) -> MigInfo:
        """Its division into instances."""
        return MigInfo(self)

    def get_memory_affinity(self, scope: AffinityScope | str = AffinityScope.NODE) -> list[int]:
        """The NUMA nodes near it."""
        return self._near("nvmlDeviceGetMemoryAffinity", scope)

    def get_cpu_affinity(self, scope: AffinityScope | str = AffinityScope.NODE) -> list[int]:
        """The CPUs near it."""
        return self._near("nvmlDeviceGetCpuAffinityWithinScope", scope)

    def _near(self, function: str, scope: AffinityScope | str) -> list[int]:
        number = tuple(AffinityScope).index(word(AffinityScope, scope, "the scope of an affinity"))
        words = call(function, self._handle, 16, number)
        return bits(sum(int(each) << (64 * place) for place, each in enumerate(words)))

    def set_cpu_affinity(self) -> None:
        """Lets this thread run on the CPUs near the device alone."""
        call("nvmlDeviceSetCpuAffinity", self._handle)

    def clear_cpu_affinity(self) -> None:
        """Lets this thread run on all CPUs again."""
        call("nvmlDeviceClearCpuAffinity", self._handle)

    def get_clock(self, clock_type: ClockType | str) -> ClockInfo:
        """One of its clocks."""
        return ClockInfo(self._index, clock_type)

    @property
    def is_auto_boosted_clocks_enabled(self) -> tuple[bool, bool]:
        """Whether its clocks rise by themselves, and whether they do by default."""
        now, default = call("nvmlDeviceGetAutoBoostedClocksEnabled", self._handle)
        return bool(int(now)), bool(int(default))

    @property
    def current_clock_event_reasons(self) -> list[ClocksEventReasons]:
        """Why its clocks are not at their most now."""
        return _reasons(int(call("nvmlDeviceGetCurrentClocksEventReasons", self._handle)))

    @property
    def supported_clock_event_reasons(self) -> list[ClocksEventReasons]:
        """The reasons that it can tell."""
        return _reasons(int(call("nvmlDeviceGetSupportedClocksEventReasons", self._handle)))

    @property
    def cooler(self) -> CoolerInfo:
        """Its cooler."""
        from cuprum.bindings import nvml

        info = nvml.nvmlCoolerInfo_v1_t()
        info.version = nvml.nvmlCoolerInfo_v1
        call("nvmlDeviceGetCoolerInfo", self._handle, info)
        return CoolerInfo(info)

    @property
    def attributes(self) -> DeviceAttributes:
        """What it has as a MIG device."""
        return DeviceAttributes(call("nvmlDeviceGetAttributes", self._handle))

    @property
    def is_display_connected(self) -> bool:
        """Whether a display is connected to it."""
        return bool(int(call("nvmlDeviceGetDisplayMode", self._handle)))

    @property
    def is_display_active(self) -> bool:
        """Whether it draws a display."""
        return bool(int(call("nvmlDeviceGetDisplayActive", self._handle)))

    def register_events(self, events: EventType | str | Sequence[EventType | str]) -> DeviceEvents:
        """Its events of these types from now on."""
        return DeviceEvents(self._index, events)

    def get_supported_event_types(self) -> list[EventType]:
        """The types of events that it tells."""
        mask = _cuprum.cuprum_system_device_supported_event_types(self._index)
        return [each for each, bit in EVENT_TYPES.items() if bit & mask]

    def get_fan(self, fan: int = 0) -> FanInfo:
        """One of its fans. ValueError for a number that no fan of it has."""
        if not 0 <= fan < self.num_fans:
            raise ValueError(f"{self!r} has {self.num_fans} fans, numbered from 0; asked for {fan}")
        return FanInfo(self._index, fan)

    def get_field_values(self, field_ids: Sequence[int | tuple[int, int]]) -> FieldValues:
        """Several values by their numbers (``FieldId``), or by a number and a scope."""
        return FieldValues(self._fields("nvmlDeviceGetFieldValues", field_ids))

    def clear_field_values(self, field_ids: Sequence[int | tuple[int, int]]) -> None:
        """Sets counters to zero."""
        self._fields("nvmlDeviceClearFieldValues", field_ids)

    def _fields(self, function: str, field_ids: Sequence[int | tuple[int, int]]) -> list[Any]:
        from cuprum.bindings import nvml

        values = []
        for each in field_ids:
            value = nvml.nvmlFieldValue_t()
            value.fieldId, value.scopeId = each if isinstance(each, tuple) else (each, 0)
            values.append(value)
        if values:
            call(function, self._handle, len(values), values)
        return values

    @property
    def inforom(self) -> InforomInfo:
        """Its InfoROM."""
        return InforomInfo(self)

    @property
    def bar1_memory_info(self) -> BAR1MemoryInfo:
        """The memory through which others see the device's."""
        memory = call("nvmlDeviceGetBAR1MemoryInfo", self._handle)
        return BAR1MemoryInfo(int(memory.bar1Free), int(memory.bar1Total), int(memory.bar1Used))

    @property
    def memory_info(self) -> MemoryInfo:
        """Its memory, of all processes."""
        total, free, used, reserved = _cuprum.cuprum_system_device_memory_info(self._index)
        return MemoryInfo(free, total, used, reserved)

    def get_nvlink(self, link: int) -> NvlinkInfo:
        """One of its NVLinks."""
        return NvlinkInfo(self, link)

    def get_nvlink_count(self) -> int:
        """How many NVLinks it has."""
        from cuprum.bindings import nvml

        return int(self.get_field_values([nvml.NVML_FI_DEV_NVLINK_LINK_COUNT])[0].value)

    def get_nvlinks(self) -> Iterable[NvlinkInfo]:
        """All its NVLinks."""
        return (NvlinkInfo(self, link) for link in range(self.get_nvlink_count()))

    @property
    def pci_info(self) -> PciInfo:
        """Its place on the PCI bus, and its link."""
        from cuprum.bindings import nvml

        info = nvml.nvmlPciInfoExt_v1_t()
        info.version = nvml.nvmlPciInfoExt_v1
        call("nvmlDeviceGetPciInfoExt", self._handle, info)
        return PciInfo(info, self._index)

    @property
    def dynamic_pstates_info(self) -> GpuDynamicPstatesInfo:
        """How busy its parts are."""
        return GpuDynamicPstatesInfo(call("nvmlDeviceGetDynamicPstatesInfo", self._handle))

    @property
    def supported_pstates(self) -> list[int]:
        """The performance states that it can have; 0 is the fastest."""
        states = call("nvmlDeviceGetSupportedPerformanceStates", self._handle, 16)
        return [int(state) for state in states if int(state) < 16]

    @property
    def compute_running_processes(self) -> list[ProcessInfo]:
        """The processes that compute on it."""
        count = _cuprum.cuprum_system_device_processes(self._index)
        return [ProcessInfo(*_cuprum.cuprum_system_process(number)) for number in range(count)]

    @property
    def repair_status(self) -> RepairStatus:
        """Repairs that wait for its next reset."""
        return RepairStatus(self._index)

    @property
    def temperature(self) -> Temperature:
        """Its temperatures."""
        return Temperature(self._index)

    def get_topology_nearest_gpus(self, level: GpuTopologyLevel | str) -> Iterable[Device]:
        """The devices that have this in common with it."""
        number = _LEVELS[word(GpuTopologyLevel, level, "a level of the topology")]
        handles = listed("nvmlDeviceGetTopologyNearestGpus", self._handle, number)
        return (Device(index=int(call("nvmlDeviceGetIndex", handle))) for handle in handles)

    @property
    def utilization(self) -> Utilization:
        """How busy it is."""
        return Utilization(self.gpu_utilization, self.memory_utilization)

    def __eq__(self, other: object) -> bool:
        return self._index == other._index if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash((Device, self._index))

    def __repr__(self) -> str:
        return f"<system.Device {self._index} ({self.name})>"


def _reasons(mask: int) -> list[ClocksEventReasons]:
    return [reason for bit, reason in _REASONS.items() if bit & mask]


def get_topology_common_ancestor(device1: Device, device2: Device) -> GpuTopologyLevel:
    """What two devices have in common on the way to each other."""
    number = _cuprum.cuprum_system_device_topology(device1.index, device2.index)
    return tuple(GpuTopologyLevel)[number // 10]


def get_p2p_status(device1: Device, device2: Device, index: GpuP2PCapsIndex | str) -> GpuP2PStatus:
    """How a device reaches another one in some way."""
    ways = {"read": 0, "write": 1, "nvlink": 2, "atomics": 3, "pci": 4, "prop": 4, "unknown": 5}
    number = ways[word(GpuP2PCapsIndex, index, "a way to another device")]
    return tuple(GpuP2PStatus)[_cuprum.cuprum_system_device_p2p_status(device1.index, device2.index, number)]
