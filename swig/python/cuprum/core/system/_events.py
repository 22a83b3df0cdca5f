"""Events of devices, and of the whole system."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from cuprum._native import _cuprum
from cuprum.core.system._nvml import call, word
from cuprum.core.system.typing import EventType, SystemEventType

if TYPE_CHECKING:
    from cuprum.core.system._device import Device

#: NVML's bit of each.
EVENT_TYPES = dict(
    zip(
        EventType,
        (0, 1, 2, 4, 8, 16, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768),
        strict=True,
    )
)
_SYSTEM_EVENT_TYPES = {SystemEventType.UNBIND: 1, SystemEventType.BIND: 2}
_LONGEST_WAIT = 0x7FFFFFFF  # milliseconds at a time, where the wait has no end


class EventData(NamedTuple):
    """An event of a device."""

    device: Device
    event_type: EventType
    #: Of a critical error its number, the XID.
    event_data: int
    gpu_instance_id: int = 0xFFFFFFFF
    compute_instance_id: int = 0xFFFFFFFF


class DeviceEvents:
    """Events of a device that are waited for, from ``Device.register_events``."""

    __slots__ = ("__weakref__", "_close", "_events")

    def __init__(self, index: int, events: EventType | str | Iterable[EventType | str]) -> None:
        """Registers for them. NotSupportedError for types that the device does not tell."""
        given = [events] if isinstance(events, str) else list(events)
        mask = 0
        for each in given:
            mask |= EVENT_TYPES[word(EventType, each, "the type of an event")]
        self._events = _cuprum.cuprum_system_events_create(index, mask)
        self._close = weakref.finalize(self, _cuprum.cuprum_system_events_destroy, self._events)

    def wait(self, timeout_ms: int = 0) -> EventData:
        """Waits for the next event; without a timeout, as long as it takes. TimeoutError when there is none in time."""
        from cuprum.core.system._device import Device

        while True:
            happened, index, kind, data = _cuprum.cuprum_system_events_wait(self._events, timeout_ms or _LONGEST_WAIT)
            if happened:
                name = next((each for each, bit in EVENT_TYPES.items() if bit and bit & kind), EventType.NONE)
                return EventData(Device(index=index), name, data)
            if timeout_ms:
                _time_out(timeout_ms)


def _time_out(timeout_ms: int) -> NoReturn:
    from cuprum.core.system import exceptions

    raise exceptions.TimeoutError(f"there was no event within {timeout_ms} ms", code=10, name="NVML_ERROR_TIMEOUT")


class SystemEvent:
    """An event of the whole system."""

    __slots__ = ("_event",)

    def __init__(self, event_data: Any) -> None:
        """From NVML's own structure."""
        self._event = event_data

    @property
    def event_type(self) -> SystemEventType:
        """Its type."""
        return SystemEventType.UNBIND if int(self._event.eventType) == 1 else SystemEventType.BIND

    @property
    def gpu_id(self) -> int:
        """The device's place on the PCI bus as one number: domain, bus and device in 16, 8 and 8 bits."""
        return int(self._event.gpuId)

    @property
    def device(self) -> Device:
        """The device."""
        from cuprum.core.system._device import Device

        number = self.gpu_id
        return Device(pci_bus_id=f"{number >> 16:08X}:{number >> 8 & 0xFF:02X}:{number & 0xFF:02X}.0")


class SystemEvents:
    """Events of the system that were waited for together."""

    __slots__ = ("_events",)

    def __init__(self, event_data: Iterable[Any]) -> None:
        """From NVML's own structures."""
        self._events = [SystemEvent(each) for each in event_data]

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, idx: int) -> SystemEvent:
        return self._events[idx]


class RegisteredSystemEvents:
    """Events of the system that are waited for, from ``register_events``."""

    __slots__ = ("__weakref__", "_close", "_set")

    def __init__(self, events: SystemEventType | str | Iterable[SystemEventType | str]) -> None:
        """Registers for them."""
        from cuprum.bindings import nvml

        given = [events] if isinstance(events, str) else list(events)
        mask = 0
        for each in given:
            mask |= _SYSTEM_EVENT_TYPES[word(SystemEventType, each, "the type of a system event")]
        _cuprum.cuprum_system_device_count()  # starts NVML
        create = nvml.nvmlSystemEventSetCreateRequest_v1_t()
        create.version = nvml.nvmlSystemEventSetCreateRequest_v1
        call("nvmlSystemEventSetCreate", create)
        self._set = create.set
        self._close = weakref.finalize(self, _free, self._set)
        register = nvml.nvmlSystemRegisterEventRequest_v1_t()
        register.version = nvml.nvmlSystemRegisterEventRequest_v1
        register.eventTypes = mask
        register.set = self._set
        call("nvmlSystemRegisterEvents", register)

    def wait(self, timeout_ms: int = 0, buffer_size: int = 1) -> SystemEvents:
        """Waits for events, at most ``buffer_size`` of them. TimeoutError when there is none in time."""
        from cuprum.bindings import nvml

        if buffer_size < 1:
            raise ValueError(f"buffer_size is at least 1, not {buffer_size}")
        room = [nvml.nvmlSystemEventData_v1_t() for _ in range(buffer_size)]
        request = nvml.nvmlSystemEventSetWaitRequest_v1_t()
        request.version = nvml.nvmlSystemEventSetWaitRequest_v1
        request.timeoutms = timeout_ms
        request.set = self._set
        request.data = room
        request.dataSize = buffer_size
        call("nvmlSystemEventSetWait", request)
        return SystemEvents(room[: int(request.numEvent)])


def _free(event_set: Any) -> None:
    from cuprum.bindings import nvml

    request = nvml.nvmlSystemEventSetFreeRequest_v1_t()
    request.version = nvml.nvmlSystemEventSetFreeRequest_v1
    request.set = event_set
    nvml.nvmlSystemEventSetFree(request)


def register_events(
    events: SystemEventType | str | Iterable[SystemEventType | str],
) -> RegisteredSystemEvents:
    """Registers for events of the whole system, from now on."""
    return RegisteredSystemEvents(events)
