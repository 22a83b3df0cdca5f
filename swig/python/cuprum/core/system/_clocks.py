"""Clocks, coolers and fans of a device."""

from __future__ import annotations

from typing import Any

from cuprum._native import _cuprum
from cuprum.core.system._nvml import call, handle_of, word
from cuprum.core.system.typing import ClockId, ClockType, CoolerControl, CoolerTarget, FanControlPolicy

CLOCK_TYPES = tuple(ClockType)


class ClockOffsets:
    """How far a clock is from where it would be, in MHz."""

    __slots__ = ("_offset",)

    def __init__(self, clock_offset: Any) -> None:
        """From NVML's own structure."""
        self._offset = clock_offset

    @property
    def clock_offset_mhz(self) -> int:
        """The offset now."""
        return int(self._offset.clockOffsetMHz)

    @property
    def max_offset_mhz(self) -> int:
        """The most that it can be."""
        return int(self._offset.maxClockOffsetMHz)

    @property
    def min_offset_mhz(self) -> int:
        """The least that it can be."""
        return int(self._offset.minClockOffsetMHz)


class ClockInfo:
    """One clock of a device, from ``Device.get_clock``."""

    __slots__ = ("_index", "_type")

    def __init__(self, index: int, clock_type: ClockType | str) -> None:
        """That clock of the device with that index."""
        self._index = index
        self._type = CLOCK_TYPES.index(word(ClockType, clock_type, "the type of a clock"))

    def get_current_mhz(self, clock_id: ClockId | str = ClockId.CURRENT) -> int:
        """Its frequency."""
        if word(ClockId, clock_id, "the value of a clock") == ClockId.CURRENT:
            return _cuprum.cuprum_system_device_clock(self._index, self._type)
        return self.get_max_customer_boost_mhz()

    def get_max_mhz(self) -> int:
        """Its frequency at most."""
        return _cuprum.cuprum_system_device_max_clock(self._index, self._type)

    def get_max_customer_boost_mhz(self) -> int:
        """The most that its board's maker allows."""
        return int(call("nvmlDeviceGetMaxCustomerBoostClock", handle_of(self._index), self._type))

    def get_min_max_clock_of_pstate_mhz(self, pstate: int) -> tuple[int, int]:
        """Its least and its greatest frequency in a performance state."""
        least, most = call("nvmlDeviceGetMinMaxClockOfPState", handle_of(self._index), self._type, pstate)
        return int(least), int(most)

    def get_offsets(self, pstate: int) -> ClockOffsets:
        """Its offsets in a performance state."""
        from cuprum.bindings import nvml

        offset = nvml.nvmlClockOffset_v1_t()
        offset.version = nvml.nvmlClockOffset_v1
        offset.type = nvml.nvmlClockType_t(self._type)
        offset.pstate = nvml.nvmlPstates_t(pstate)
        call("nvmlDeviceGetClockOffsets", handle_of(self._index), offset)
        return ClockOffsets(offset)


class CoolerInfo:
    """A device's cooler."""

    __slots__ = ("_info",)

    def __init__(self, cooler_info: Any) -> None:
        """From NVML's own structure."""
        self._info = cooler_info

    @property
    def signal_type(self) -> CoolerControl | None:
        """How it is controlled; None where it is not."""
        return {1: CoolerControl.TOGGLE, 2: CoolerControl.VARIABLE}.get(int(self._info.signalType))

    @property
    def target(self) -> list[CoolerTarget]:
        """What it cools."""
        mask = int(self._info.target)
        return [each for number, each in enumerate(CoolerTarget) if mask >> number & 1]


class FanInfo:
    """One fan of a device, from ``Device.get_fan``."""

    __slots__ = ("_fan", "_index")

    def __init__(self, index: int, fan: int) -> None:
        """That fan of the device with that index."""
        self._index = index
        self._fan = fan

    @property
    def speed(self) -> int:
        """The speed that the fan is told to have, in percent. Setting it needs root's rights on a GPU."""
        return _cuprum.cuprum_system_device_fan_speed(self._index, self._fan)

    @speed.setter
    def speed(self, speed: int) -> None:
        _cuprum.cuprum_system_device_set_fan_speed(self._index, speed, self._fan)

    @property
    def speed_rpm(self) -> int:
        """The speed that it has, in revolutions a minute."""
        from cuprum.bindings import nvml

        info = nvml.nvmlFanSpeedInfo_v1_t()
        info.version = nvml.nvmlFanSpeedInfo_v1
        info.fan = self._fan
        call("nvmlDeviceGetFanSpeedRPM", handle_of(self._index), info)
        return int(info.speed)

    @property
    def target_speed(self) -> int:
        """The speed that it is going to have, in percent."""
        return int(call("nvmlDeviceGetTargetFanSpeed", handle_of(self._index), self._fan))

    @property
    def min_max_speed(self) -> tuple[int, int]:
        """The least and the greatest speed that can be set, in percent."""
        least, most = call("nvmlDeviceGetMinMaxFanSpeed", handle_of(self._index))
        return int(least), int(most)

    @property
    def control_policy(self) -> FanControlPolicy:
        """Who sets its speed."""
        return tuple(FanControlPolicy)[int(call("nvmlDeviceGetFanControlPolicy_v2", handle_of(self._index), self._fan))]

    def set_default_speed(self) -> None:
        """Leaves its speed to the driver again."""
        _cuprum.cuprum_system_device_set_default_fan_speed(self._index, self._fan)
