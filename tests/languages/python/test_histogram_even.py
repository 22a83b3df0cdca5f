"""Histograms against NumPy's, on the device and on the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import POOL, DeviceArray


@pytest.mark.parametrize("execution", ["device", "host"])
@pytest.mark.parametrize("bins", [1, 100, 1000])
def test_counts_are_numpys(bins: int, execution: Literal["device", "host"]) -> None:
    Device(0).set_current()
    place: Any = (lambda array: array) if execution == "host" else DeviceArray.from_numpy
    for count in (0, 1, 20011):
        samples = np.random.default_rng(count).integers(-10, 2010, count).astype(np.int16)
        histogram = place(np.full(bins, 7, np.int64))
        parallel.histogram_even(
            d_samples=place(samples),
            d_histogram=histogram,
            num_output_levels=bins + 1,
            lower_level=0,
            upper_level=2000,
            execution=execution,
        )
        found = histogram if execution == "host" else histogram.to_numpy()
        # NumPy counts the upper bound, too.
        assert found.tolist() == np.histogram(samples[samples < 2000], bins, (0, 2000))[0].tolist()


def test_levels_that_do_not_fit_are_refused() -> None:
    samples, histogram = np.zeros(4, np.int32), np.zeros(2, np.int32)
    arrays: dict[str, Any] = {"d_samples": samples, "d_histogram": histogram}
    with pytest.raises(TypeError, match="the lower level is of int32, and the upper one of float64"):
        parallel.make_histogram_even(**arrays, h_lower_level=np.int32(0), h_upper_level=2.5, execution="host")
    bounds: dict[str, Any] = {"h_lower_level": np.int32(0), "h_upper_level": np.int32(2)}
    with parallel.make_histogram_even(**arrays, **bounds, execution="host") as count:
        call: dict[str, Any] = {"temp_storage": POOL, **arrays, **bounds}
        for levels, error, message in (
            (1, ValueError, "there are 1 levels"),
            (2.5, TypeError, "one integer"),
            (4, ValueError, "d_histogram has 2 elements, expected 3"),
        ):
            with pytest.raises(error, match=message):
                count(**call, h_num_output_levels=levels)
        with pytest.raises(ValueError, match=r"h_upper_level is 2\.5, which int32 cannot hold"):
            count(**call | {"h_upper_level": 2.5}, h_num_output_levels=3)
        with pytest.raises(InvalidArgument, match="the lower one is 0 and the upper one -1"):
            count(**call | {"h_upper_level": -1}, h_num_output_levels=3)
        assert count(**call, h_num_output_levels=3) == 0
    assert histogram.tolist() == [4, 0]
