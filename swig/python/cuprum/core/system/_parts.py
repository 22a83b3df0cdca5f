"""What a device's properties give: memory, its PCI link, processes, NVLink and the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cuprum._native import _cuprum
from cuprum.core.system._nvml import call, handle_of, word
from cuprum.core.system.typing import InforomObject

if TYPE_CHECKING:
    from cuprum.core.system._device import Device
    from cuprum.core.system.typing import FieldId


class MemoryInfo(NamedTuple):
    """A device's memory at one moment, in bytes, of all processes."""

    free: int
    total: int
    used: int
    #: By the driver, in neither of the others.
    reserved: int = 0


class BAR1MemoryInfo(MemoryInfo):
    """Memory through which others see the device's, in bytes."""

    __slots__ = ()


class Utilization(NamedTuple):
    """Percent of the time, over NVML's newest sample period."""

    #: In which a kernel ran.
    gpu: int
    #: In which memory was read or written.
    memory: int


class ProcessInfo(NamedTuple):
    """A process that computes on a device."""

    pid: int
    #: Bytes; 0xFFFFFFFFFFFFFFFF where the driver does not tell.
    used_gpu_memory: int
    gpu_instance_id: int = 0xFFFFFFFF
    compute_instance_id: int = 0xFFFFFFFF


class DeviceAttributes:
    """What a MIG device has."""

    __slots__ = ("_attributes",)

    def __init__(self, attributes: Any) -> None:
        """From NVML's own structure."""
        self._attributes = attributes

    @property
    def multiprocessor_count(self) -> int:
        """Multiprocessors."""
        return int(self._attributes.multiprocessorCount)

    @property
    def shared_copy_engine_count(self) -> int:
        """Copy engines that it shares."""
        return int(self._attributes.sharedCopyEngineCount)

    @property
    def shared_decoder_count(self) -> int:
        """Decoders that it shares."""
        return int(self._attributes.sharedDecoderCount)

    @property
    def shared_encoder_count(self) -> int:
        """Encoders that it shares."""
        return int(self._attributes.sharedEncoderCount)

    @property
    def shared_jpeg_count(self) -> int:
        """JPEG engines that it shares."""
        return int(self._attributes.sharedJpegCount)

    @property
    def shared_ofa_count(self) -> int:
        """Optical flow engines that it shares."""
        return int(self._attributes.sharedOfaCount)

    @property
    def gpu_instance_slice_count(self) -> int:
        """Slices of its GPU instance."""
        return int(self._attributes.gpuInstanceSliceCount)

    @property
    def compute_instance_slice_count(self) -> int:
        """Slices of its compute instance."""
        return int(self._attributes.computeInstanceSliceCount)

    @property
    def memory_size_mb(self) -> int:
        """Its memory in MiB."""
        return int(self._attributes.memorySizeMB)


class FieldValue:
    """One value that was asked for by number."""

    __slots__ = ("_value",)

    def __init__(self, field_value: Any) -> None:
        """From NVML's own structure."""
        self._value = field_value

    @property
    def field_id(self) -> FieldId:
        """Which."""
        from cuprum.core.system import typing

        return typing.FieldId(int(self._value.fieldId))

    @property
    def scope_id(self) -> int:
        """Whose, where the device has several."""
        return int(self._value.scopeId)

    @property
    def timestamp(self) -> int:
        """When it was read, in microseconds since 1970."""
        return int(self._value.timestamp)

    @property
    def latency_usec(self) -> int:
        """How long reading it took, in microseconds."""
        return int(self._value.latencyUsec)

    @property
    def value(self) -> int | float:
        """The value. An error where this one could not be read."""
        if int(self._value.nvmlReturn) != 0:
            from cuprum.core.system.exceptions import class_of

            code = int(self._value.nvmlReturn)
            raise class_of(code)(f"field {self._value.fieldId} cannot be read", code=code)
        value = self._value.value
        fields = ("dVal", "uiVal", "ulVal", "ullVal", "sllVal", "siVal", "usVal")
        read: int | float = getattr(value, fields[int(self._value.valueType)])
        return read


class FieldValues:
    """Values that were asked for together."""

    __slots__ = ("_values",)

    def __init__(self, field_values: list[Any]) -> None:
        """From NVML's own structures."""
        self._values = [FieldValue(value) for value in field_values]

    def __getitem__(self, idx: int) -> FieldValue:
        return self._values[idx]

    def __len__(self) -> int:
        return len(self._values)

    def validate(self) -> None:
        """Raises the error of the first value that could not be read."""
        self.get_all_values()

    def get_all_values(self) -> list[int | float]:
        """All values."""
        return [each.value for each in self._values]


class InforomInfo:
    """What a device's InfoROM holds."""

    __slots__ = ("_index",)

    def __init__(self, device: Device) -> None:
        """Of that device."""
        self._index = device.index

    def get_version(self, inforom: InforomObject | str) -> str:
        """The version of one of its parts."""
        number = tuple(InforomObject).index(word(InforomObject, inforom, "a part of the InfoROM"))
        text: bytes = call("nvmlDeviceGetInforomVersion", handle_of(self._index), number, 16)
        return text.decode()

    @property
    def image_version(self) -> str:
        """The version of all of it."""
        text: bytes = call("nvmlDeviceGetInforomImageVersion", handle_of(self._index), 16)
        return text.decode()

    @property
    def configuration_checksum(self) -> int:
        """The checksum of its configuration."""
        return int(call("nvmlDeviceGetInforomConfigurationChecksum", handle_of(self._index)))

    def validate(self) -> None:
        """Reads it and compares its checksums. CorruptedInforomError where they differ."""
        call("nvmlDeviceValidateInforom", handle_of(self._index))

    @property
    def bbx_flush_time(self) -> tuple[int, int]:
        """When the black box was last written, in microseconds since 1970, and how long that took."""
        time, duration = call("nvmlDeviceGetLastBBXFlushTime", handle_of(self._index))
        return int(time), int(duration)

    @property
    def board_part_number(self) -> str:
        """The number of the board's model."""
        text: bytes = call("nvmlDeviceGetBoardPartNumber", handle_of(self._index), 80)
        return text.decode()


class MigInfo:
    """A device's division into instances (MIG)."""

    __slots__ = ("_device",)

    def __init__(self, device: Device) -> None:
        """Of that device."""
        self._device = device

    @property
    def is_mig_device(self) -> bool:
        """Whether the device itself is such an instance."""
        return bool(call("nvmlDeviceIsMigDeviceHandle", handle_of(self._device.index)))

    @property
    def mode(self) -> bool:
        """Whether the device is divided now. Setting it needs root's rights."""
        return bool(call("nvmlDeviceGetMigMode", handle_of(self._device.index))[0])

    @mode.setter
    def mode(self, mode: bool) -> None:
        call("nvmlDeviceSetMigMode", handle_of(self._device.index), int(mode))

    @property
    def pending_mode(self) -> bool:
        """Whether it will be after its next reset."""
        return bool(call("nvmlDeviceGetMigMode", handle_of(self._device.index))[1])

    @property
    def device_count(self) -> int:
        """How many instances it can have."""
        return int(call("nvmlDeviceGetMaxMigDeviceCount", handle_of(self._device.index)))

    @property
    def parent(self) -> Device:
        """The device that this one is an instance of. Raises NotSupportedError, as devices here are whole."""
        raise self._refusal("the parent of an instance")

    def get_device_by_index(self, index: int) -> Device:
        """Raises NotSupportedError: instances have no device here."""
        raise self._refusal(f"instance {index}")

    def get_all_devices(self) -> Iterable[Device]:
        """None where the device is not divided; else raises NotSupportedError."""
        if self.mode:
            raise self._refusal("the instances")
        return iter(())

    def _refusal(self, what: str) -> Exception:
        from cuprum.core.system.exceptions import NotSupportedError

        return NotSupportedError(f"{what} of {self._device!r}: cuprum.core.system has whole GPUs alone", code=3)


class NvlinkInfoMeta(type):
    """What is known of NVLink before any link is asked for."""

    @property
    def max_links(cls) -> int:
        """The most links that a device can have."""
        from cuprum.bindings import nvml

        return int(nvml.NVML_NVLINK_MAX_LINKS)


class NvlinkInfo(metaclass=NvlinkInfoMeta):
    """One NVLink of a device."""

    __slots__ = ("_index", "_link")

    _VERSIONS: ClassVar = {1: (1, 0), 2: (2, 0), 3: (2, 2), 4: (3, 0), 5: (3, 1), 6: (4, 0), 7: (5, 0)}

    def __init__(self, device: Device, link: int) -> None:
        """That link of the device. ValueError for a number that no device has."""
        if not 0 <= link < NvlinkInfo.max_links:
            raise ValueError(f"a link has a number from 0 to {NvlinkInfo.max_links - 1}, not {link}")
        self._index = device.index
        self._link = link

    @property
    def version(self) -> tuple[int, int]:
        """The version of NVLink."""
        number = int(call("nvmlDeviceGetNvLinkVersion", handle_of(self._index), self._link))
        return self._VERSIONS.get(number, (number, 0))

    @property
    def state(self) -> bool:
        """Whether it is active."""
        return bool(int(call("nvmlDeviceGetNvLinkState", handle_of(self._index), self._link)))


class PciInfo:
    """A device's place on the PCI bus, and its link."""

    __slots__ = ("_index", "_info")

    def __init__(self, pci_info_ext: Any, index: int) -> None:
        """From NVML's own structure."""
        self._info = pci_info_ext
        self._index = index

    @property
    def bus(self) -> int:
        """The bus."""
        return int(self._info.bus)

    @property
    def bus_id(self) -> str:
        """All of it: ``00000000:01:00.0``."""
        text: bytes = self._info.busId
        return text.partition(b"\0")[0].decode()

    @property
    def device(self) -> int:
        """The device on the bus."""
        return int(self._info.device)

    @property
    def domain(self) -> int:
        """The domain of the bus."""
        return int(self._info.domain)

    @property
    def vendor_id(self) -> int:
        """Its maker: 0x10DE for NVIDIA."""
        return int(self._info.pciDeviceId) & 0xFFFF

    @property
    def device_id(self) -> int:
        """Its maker's number for it."""
        return int(self._info.pciDeviceId) >> 16

    @property
    def subsystem_id(self) -> int:
        """The number of its board."""
        return int(self._info.pciSubSystemId)

    @property
    def base_class(self) -> int:
        """PCI's class: 3 for what displays."""
        return int(self._info.baseClass)

    @property
    def sub_class(self) -> int:
        """PCI's class below that one."""
        return int(self._info.subClass)

    @property
    def link_generation(self) -> int:
        """The generation of PCI that the device can have by itself."""
        return int(call("nvmlDeviceGetGpuMaxPcieLinkGeneration", handle_of(self._index)))

    @property
    def max_link_generation(self) -> int:
        """The generation that its link can have here."""
        return _cuprum.cuprum_system_device_pci_max_link_generation(self._index)

    @property
    def max_link_width(self) -> int:
        """The lanes that its link can have here."""
        return _cuprum.cuprum_system_device_pci_max_link_width(self._index)

    @property
    def current_link_generation(self) -> int:
        """The generation of its link now."""
        return _cuprum.cuprum_system_device_pci_link_generation(self._index)

    @property
    def current_link_width(self) -> int:
        """The lanes of its link now."""
        return _cuprum.cuprum_system_device_pci_link_width(self._index)

    @property
    def rx_throughput(self) -> int:
        """What it receives, in KB/s."""
        return _cuprum.cuprum_system_device_pci_rx_throughput(self._index)

    @property
    def tx_throughput(self) -> int:
        """What it sends, in KB/s."""
        return _cuprum.cuprum_system_device_pci_tx_throughput(self._index)

    @property
    def replay_counter(self) -> int:
        """How often something was sent again."""
        return _cuprum.cuprum_system_device_pci_replay_counter(self._index)


class GpuDynamicPstatesUtilization:
    """How busy a part of the device is."""

    __slots__ = ("_utilization",)

    def __init__(self, utilization: Any) -> None:
        """From NVML's own structure."""
        self._utilization = utilization

    @property
    def is_present(self) -> bool:
        """Whether the device has that part."""
        return bool(self._utilization.bIsPresent)

    @property
    def percentage(self) -> int:
        """Percent of the newest second."""
        return int(self._utilization.percentage)

    @property
    def inc_threshold(self) -> int:
        """The percentage from which on clocks rise."""
        return int(self._utilization.incThreshold)

    @property
    def dec_threshold(self) -> int:
        """The percentage below which clocks fall."""
        return int(self._utilization.decThreshold)


class GpuDynamicPstatesInfo:
    """How busy the parts of a device are: its GPU, its memory's interface, its video units, its bus."""

    __slots__ = ("_parts",)

    def __init__(self, gpu_dynamic_pstates_info: Any) -> None:
        """From NVML's own structure."""
        self._parts = [GpuDynamicPstatesUtilization(each) for each in gpu_dynamic_pstates_info.utilization]

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, idx: int) -> GpuDynamicPstatesUtilization:
        return self._parts[idx]


class RepairStatus:
    """Repairs that wait for the device's next reset."""

    __slots__ = ("_status",)

    def __init__(self, index: int) -> None:
        """Of the device with that index."""
        from cuprum.bindings import nvml

        self._status = nvml.nvmlRepairStatus_v1_t()
        self._status.version = nvml.nvmlRepairStatus_v1
        call("nvmlDeviceGetRepairStatus", handle_of(index), self._status)

    @property
    def channel_repair_pending(self) -> bool:
        """Of a memory channel."""
        return bool(self._status.bChannelRepairPending)

    @property
    def tpc_repair_pending(self) -> bool:
        """Of a group of multiprocessors."""
        return bool(self._status.bTpcRepairPending)
