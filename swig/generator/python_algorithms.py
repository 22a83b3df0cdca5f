"""Python's classes and functions of the algorithms, cuprum.parallel._algorithms, from the C headers and
capi/algorithms.toml."""

from __future__ import annotations

from algorithms import Algorithm, OneShot
from members import ORIGIN
from python_algorithm_classes import AlgorithmClass
from python_one_call_functions import AlgorithmFunctions

_HEAD = f'''"""The algorithms over elements where they are: objects that are built once, and the same in one call."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import (
    POOL,
    Algorithm,
    BuiltOperator,
    Determinism,
    SortOrder,
    SelectedCount,
    accumulator_dtype,
    initial_value,
    host_value,
    item_count,
    key_bits,
    native_stream,
    operator_handle,
    require_init,
    require_type,
    too_few,
)
from cuprum.parallel._arrays import dtype_of, elements_of
from cuprum.parallel._data import (
    compared_on_device,
    found_on_device,
    host_array,
    host_bytes,
    host_copy,
    is_in_place,
    parted_on_device,
    selected_on_device,
    sized,
    written_on_device,
)
from cuprum.parallel._double_buffer import is_double_buffer, sort_between, unbuffered
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator, built_output, has_type
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike
'''


def text(algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    """The whole module."""
    selections = {name: call for call in calls if call.python for name in call.python_functions}
    generated = [each for each in algorithms if not each.python.by_hand]
    parts = [_HEAD, _names(generated)]
    for algorithm in generated:
        parts.append(AlgorithmClass(algorithm).text())
        for function in algorithm.python.functions:
            parts += AlgorithmFunctions(algorithm, function, selections.get(function.name)).texts()
    return "\n\n".join(parts)


def _names(algorithms: list[Algorithm]) -> str:
    functions = [function.name for algorithm in algorithms for function in algorithm.python.functions]
    names = sorted([*functions, *(f"make_{name}" for name in functions)])
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
