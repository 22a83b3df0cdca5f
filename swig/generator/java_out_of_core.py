"""Java's class of the algorithms over host memory in pieces, io.cuprum.OutOfCore, from the C header and
capi/out_of_core.toml."""

from __future__ import annotations

import java_table_classes
from algorithms import camel_case
from tables import Algorithm, Argument

_SUMMARY = (
    "Algorithms over {@link HostElements} of which a device's memory holds a part: built once for a {@link "
    "DeviceMemory}, or several, of different devices, types and an operator, and called many times, from several "
    "threads too, each with that much "
    "memory. The elements go through the device in pieces; a call returns when it is done. While a piece is worked "
    "on, the next one is copied in and the one before it is copied out, if the elements are in page-locked memory.",
    "<p>What does not fit, and too little of the device's memory, is an {@link InvalidArgumentException} before "
    "anything is done, which says how much is needed. After a later error what was to be written is undefined.",
)


class _Kind(java_table_classes.Kind):
    table = "out_of_core"
    summary = _SUMMARY
    name = "OutOfCore"
    base = "OutOfCoreAlgorithm"
    imports = ("java.util.List",)
    place = ("DeviceMemory", "memory")
    place_types = ("DeviceMemory", "List<DeviceMemory>")
    built = ("built", "memoryAddress", "memorySize")
    data_type = "HostElements"
    none = "null"
    result_type = "long"
    result = "count"

    def kept(self, algorithm: Algorithm) -> list[str]:
        return algorithm.type_names

    def field(self, name: str) -> str:
        return f"{camel_case(name)}Type"

    def returns(self, algorithm: Algorithm) -> str:
        return algorithm.result

    def data(self, argument: Argument, name: str) -> list[str]:
        field = self.field(argument.of)
        return [f'HostElements.address(OPERATION, "{name}", {name}, {field})', f"HostElements.size({name})"]

    def keeping(self, name: str) -> str:
        return f"Reference.reachabilityFence({name});"

    def taken(self, data: list[str]) -> str:
        return "count[0]"


def source(algorithms: list[Algorithm]) -> str:
    """The whole file."""
    return java_table_classes.source(_Kind(), algorithms)
