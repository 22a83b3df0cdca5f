"""Python's classes of the algorithms over several devices, cuprum.parallel._distributed_algorithms, from the C header
and capi/distributed.toml."""

from __future__ import annotations

import python_table_classes
from members import ORIGIN
from tables import Algorithm, Argument

_HEAD = f'''"""The algorithms over several devices: built once for a communicator, called with lists of shards."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import SortOrder, host_value
from cuprum.parallel._communicator import Communicator
from cuprum.parallel._distributed import (
    DistributedAlgorithm,
    ReducedShard,
    ScanKind,
    ShardList,
    initial_bytes,
    native_communicator,
    take_reduced,
)
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._distributed import ShardsLike
    from cuprum.parallel._operators import OperatorLike
'''


class _Kind(python_table_classes.Kind):
    base = "DistributedAlgorithm"
    place = ("communicator", "Communicator", "native_communicator(communicator, operation)")
    describes_place = False
    data_type = "ShardsLike"

    def kept(self, algorithm: Algorithm) -> dict[str, str]:
        names = ["keys", algorithm.operands] if algorithm.result else algorithm.value_types
        return {f"_{name}": name for name in names}

    def made(self, operator: str) -> list[str]:
        return ["built", "communicator", operator]

    def result(self, algorithm: Algorithm) -> str:
        return "list[ReducedShard]" if algorithm.result else "None"

    def data(self, argument: Argument, name: str) -> tuple[list[str], list[str]]:
        writable = ", writable=True" if argument.is_written else ""
        made = f'{name}_list = ShardList("{name}", {name}, self._streams{writable})'
        return [made], [f"{name}_list.types", f"{name}_list.memory", f"{name}_list.counts"]

    def called(self, algorithm: Algorithm) -> tuple[str, list[str]]:
        if not algorithm.result:
            return "", []
        kept = ", ".join(f"self.{name}" for name in self.kept(algorithm))
        return "reduced = ", [f"return take_reduced(reduced, len(self._streams), {kept})"]


def text(algorithms: list[Algorithm]) -> str:
    """The whole module."""
    return python_table_classes.text(_HEAD, _Kind(), algorithms)
