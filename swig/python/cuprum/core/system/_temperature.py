"""Temperatures of a device."""

from __future__ import annotations

from typing import Any

from cuprum._native import _cuprum
from cuprum.core.system._nvml import call, handle_of, word
from cuprum.core.system.typing import TemperatureThresholds, ThermalController, ThermalTarget

THRESHOLDS = tuple(TemperatureThresholds)
_CONTROLLERS = dict(enumerate(ThermalController)) | {-1: ThermalController.UNKNOWN}
_TARGETS = dict(zip(ThermalTarget, (0, 1, 2, 4, 8, 9, 10, 11, 15), strict=True))


class ThermalSensor:
    """What one sensor measures, in degrees Celsius."""

    __slots__ = ("_sensor",)

    def __init__(self, sensor: Any) -> None:
        """From NVML's own structure."""
        self._sensor = sensor

    @property
    def controller(self) -> ThermalController:
        """What measures it."""
        return _CONTROLLERS.get(int(self._sensor.controller), ThermalController.UNKNOWN)

    @property
    def default_min_temp(self) -> int:
        """The least that it can measure."""
        return int(self._sensor.defaultMinTemp)

    @property
    def default_max_temp(self) -> int:
        """The most that it can measure."""
        return int(self._sensor.defaultMaxTemp)

    @property
    def current_temp(self) -> int:
        """What it measures now."""
        return int(self._sensor.currentTemp)

    @property
    def target(self) -> ThermalTarget:
        """Whose temperature it is."""
        number = int(self._sensor.target)
        return next((each for each, value in _TARGETS.items() if value == number), ThermalTarget.NONE)


class ThermalSettings:
    """The sensors of a device."""

    __slots__ = ("_settings",)

    def __init__(self, thermal_settings: Any) -> None:
        """From NVML's own structure."""
        self._settings = thermal_settings

    def __len__(self) -> int:
        return int(self._settings.count)

    def __getitem__(self, idx: int) -> ThermalSensor:
        if not 0 <= idx < len(self):
            raise IndexError(f"there are {len(self)} sensors, numbered from 0; asked for {idx}")
        return ThermalSensor(self._settings.sensor[idx])


class Temperature:
    """A device's temperatures, in degrees Celsius."""

    __slots__ = ("_index",)

    def __init__(self, index: int) -> None:
        """Of the device with that index."""
        self._index = index

    def get_sensor(self) -> int:
        """The GPU's temperature."""
        return _cuprum.cuprum_system_device_temperature(self._index)

    def get_threshold(self, threshold_type: TemperatureThresholds | str) -> int:
        """A temperature at which the device acts."""
        number = THRESHOLDS.index(word(TemperatureThresholds, threshold_type, "a temperature threshold"))
        return _cuprum.cuprum_system_device_temperature_threshold(self._index, number)

    @property
    def margin(self) -> int:
        """How far it is from where the device slows down."""
        from cuprum.bindings import nvml

        margin = nvml.nvmlMarginTemperature_v1_t()
        margin.version = nvml.nvmlMarginTemperature_v1
        call("nvmlDeviceGetMarginTemperature", handle_of(self._index), margin)
        return int(margin.marginTemperature)

    def get_thermal_settings(self, sensor_index: ThermalTarget | str) -> ThermalSettings:
        """The sensors of a part of the device, or of all."""
        number = _TARGETS[word(ThermalTarget, sensor_index, "the target of a sensor")]
        return ThermalSettings(call("nvmlDeviceGetThermalSettings", handle_of(self._index), number))
