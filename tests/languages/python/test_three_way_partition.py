"""Elements in three parts against NumPy's, on the device and on the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind


@pytest.mark.parametrize("execution", ["device", "host"])
def test_each_part_is_in_the_elements_order(execution: Literal["device", "host"]) -> None:
    Device(0).set_current()
    place: Any = (lambda array: array) if execution == "host" else DeviceArray.from_numpy
    for count in (0, 1, 20011):
        data = np.random.default_rng(count).integers(-2, 3, count).astype(np.int8)
        # Of the host's conditions none is true for some elements that are not zero: the rest is empty there.
        second: Any = OpKind.IDENTITY if execution == "host" else lambda a: a < 0
        is_second = data != 0 if execution == "host" else data < 0
        parts = [place(np.zeros(count, np.int8)) for _ in range(3)]
        counts = place(np.full(2, 99, np.uint32))
        parallel.three_way_partition(
            d_in=place(data),
            d_first_part_out=parts[0],
            d_second_part_out=parts[1],
            d_unselected_out=parts[2],
            d_num_selected_out=counts,
            select_first_part_op=OpKind.LOGICAL_NOT,
            select_second_part_op=second,
            execution=execution,
        )
        if execution == "device":
            Device(0).sync()
            parts, counts = [part.to_numpy() for part in parts], counts.to_numpy()
        expected = [data[data == 0], data[is_second], data[(data != 0) & ~is_second]]
        assert counts.tolist() == [len(expected[0]), len(expected[1])]
        assert [part[: len(wanted)].tolist() for part, wanted in zip(parts, expected, strict=True)] == [
            wanted.tolist() for wanted in expected
        ]


def test_conditions_and_counts_that_do_not_fit_are_refused() -> None:
    data = np.zeros(4, np.int32)
    outputs = [np.zeros(4, np.int32) for _ in range(3)]
    names = ("d_first_part_out", "d_second_part_out", "d_unselected_out")
    arrays: dict[str, Any] = {"d_in": data, **dict(zip(names, outputs, strict=True))}
    conditions: dict[str, Any] = {"select_first_part_op": "logical_not", "select_second_part_op": "identity"}
    counts = np.zeros(2, np.int64)
    with parallel.make_three_way_partition(**arrays, **conditions, execution="host") as partition:
        call: dict[str, Any] = {"temp_storage": parallel.POOL, **arrays}
        with pytest.raises(TypeError, match="expected 2 integers of 64 or 32 bits"):
            partition(**call, d_num_selected_out=np.zeros(1, np.int64))
        for name in conditions:
            with pytest.raises(InvalidArgument, match="operator 'negate'"):
                partition(**call | {name: OpKind.NEGATE}, d_num_selected_out=counts)
        with pytest.raises(InvalidArgument, match="overlap"):
            partition(**call | {"d_unselected_out": outputs[0]}, d_num_selected_out=counts)
        partition(**call, d_num_selected_out=counts, **conditions)
    assert counts.tolist() == [4, 0]
