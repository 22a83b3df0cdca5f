"""Lower and upper bounds against NumPy's, on the device and on the host's cores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.bindings import driver
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray, OpKind

SIDES: dict[str, Literal["left", "right"]] = {"lower_bound": "left", "upper_bound": "right"}


@pytest.fixture(autouse=True)
def no_context_stays_current() -> Iterator[None]:
    yield
    driver.cuCtxSetCurrent(driver.CUcontext(0))


@pytest.mark.parametrize("execution", ["device", "host"])
@pytest.mark.parametrize("name", SIDES)
def test_positions_are_numpys(name: str, execution: Literal["device", "host"]) -> None:
    Device(0).set_current()
    generator = np.random.default_rng(7)
    place: Any = (lambda array: array) if execution == "host" else DeviceArray.from_numpy
    for count, dtype in ((0, np.int32), (1, np.int32), (20011, np.int32)):
        data = np.sort(generator.integers(0, 5000, count // 2).astype(dtype))
        values = generator.integers(-2, 5002, count).astype(dtype)
        out = place(np.zeros(count, np.uint64))
        getattr(parallel, name)(d_data=place(data), d_values=place(values), d_out=out, execution=execution)
        found = out if execution == "host" else out.to_numpy()
        assert found.tolist() == np.searchsorted(data, values, side=SIDES[name]).tolist()


def test_fewer_than_all_can_be_searched() -> None:
    data, values = np.array([1, 3, 5, 7], np.int16), np.array([8, 4, 0], np.int16)
    out = np.full(3, -1, np.int32)
    arrays: dict[str, Any] = {"d_data": data, "d_values": values, "d_out": out}
    with parallel.make_lower_bound(**arrays, comp=None, execution="host") as search:
        search(**arrays, num_items=2, num_values=2)
        assert out.tolist() == [2, 2, -1]
        search(**arrays, comp=OpKind.LESS)
        assert out.tolist() == [4, 2, 0]
        with pytest.raises(ValueError, match="num_values is 4, and an input has 3 elements"):
            search(**arrays, num_values=4)
        with pytest.raises(InvalidArgument, match="operator 'greater'"):
            search(**arrays, comp=OpKind.GREATER)
        with pytest.raises(TypeError, match="temp_storage"):
            search(**arrays, temp_storage=None)  # type: ignore[call-arg]


def test_an_iterator_without_an_end_needs_the_number_of_values() -> None:
    out = np.zeros(3, np.int64)
    data: Any = np.array([0, 1, 1], np.int32)
    counting = CountingIterator(np.int32(0))
    with pytest.raises(TypeError, match="num_values is needed"):
        parallel.upper_bound(d_data=data, d_values=counting, d_out=out, execution="host")
    parallel.upper_bound(d_data=data, d_values=counting, num_values=3, d_out=out, execution="host")
    assert out.tolist() == [1, 3, 3]
