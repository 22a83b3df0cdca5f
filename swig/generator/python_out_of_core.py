"""Python's classes of the algorithms over host memory in pieces, cuprum.parallel._out_of_core_algorithms, from the C
header and capi/out_of_core.toml."""

from __future__ import annotations

import python_table_classes
from members import ORIGIN
from tables import Algorithm, Argument

_HEAD = f'''"""The algorithms over host memory in pieces: built once for the memory of a device, or of several,
called with host memory."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import SortOrder, host_value
from cuprum.parallel._distributed import ScanKind, initial_bytes
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._out_of_core import DeviceMemory, OutOfCoreAlgorithm, host_elements, native_memory
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import OperatorLike
'''


class _Kind(python_table_classes.Kind):
    base = "OutOfCoreAlgorithm"
    place = ("memory", "DeviceMemory | Iterable[DeviceMemory]", "native_memory(memory, operation)")
    data_type = "Any"

    def kept(self, algorithm: Algorithm) -> dict[str, str]:
        return {f"_{name}_type": name for name in algorithm.type_names}

    def made(self, operator: str) -> list[str]:
        return ["built", operator]

    def result(self, algorithm: Algorithm) -> str:
        return "int" if algorithm.result else "None"

    def does(self, algorithm: Algorithm) -> str:
        does = super().does(algorithm)
        return f"{does} Gives {algorithm.result}." if algorithm.result else does

    def data(self, argument: Argument, name: str) -> tuple[list[str], list[str]]:
        writable = ", writable=True" if argument.is_written else ""
        return [], [f'host_elements("{name}", {name}, self._{argument.of}_type{writable})']

    def called(self, algorithm: Algorithm) -> tuple[str, list[str]]:
        return "return " if algorithm.result else "", []


def text(algorithms: list[Algorithm]) -> str:
    """The whole module."""
    return python_table_classes.text(_HEAD, _Kind(), algorithms)
