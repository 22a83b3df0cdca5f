"""Histograms of several channels, on the device and on the host's cores, against NumPy's of each channel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import POOL, DeviceArray
from test_batches import Place, here, there


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
@pytest.mark.parametrize(("channels", "active"), [(1, 1), (2, 2), (3, 2), (4, 3), (4, 4)])
def test_each_channel_is_counted_as_by_numpy(place: Place, dtype: Any, channels: int, active: int) -> None:
    Device(0).set_current()
    random = np.random.default_rng(channels * 10 + active)
    for count in (0, 1, 5000):
        pixels = random.integers(0, 200, (count, channels)).astype(dtype)
        levels = [np.arange(0, 201, 40), np.array([0, 3, 150]), np.arange(0, 181, 9), np.array([10, 190])][:active]
        expected = np.concatenate([np.histogram(pixels[:, i], own)[0] for i, own in enumerate(levels)])
        # NumPy's last bin has its upper bound.
        ends = np.cumsum([len(own) - 1 for own in levels]) - 1
        expected[ends] -= [(pixels[:, i] == own[-1]).sum() for i, own in enumerate(levels)]
        samples = there(place, pixels.ravel())
        counts = there(place, np.full(len(expected), 7, np.int64))
        parallel.multi_histogram_range(
            d_samples=samples,
            d_levels=there(place, np.concatenate(levels)),
            d_histogram=counts,
            num_channels=channels,
            num_output_levels=[len(own) for own in levels],
            execution=place,
        )
        assert here(counts).tolist() == expected.tolist()

        bounds = [(0, 200, 10), (50, 60, 1), (0, 100, 3), (-5, 45, 7)][:active]
        expected = np.concatenate(
            [
                np.bincount((own[(own >= low) & (own < high)] - low) * bins // (high - low), minlength=bins)
                for own, (low, high, bins) in zip(pixels.T.astype(int), bounds, strict=False)
            ]
        )
        counts = there(place, np.full(len(expected), 7, np.uint32))
        parallel.multi_histogram_even(
            d_samples=samples,
            d_histogram=counts,
            num_channels=channels,
            num_output_levels=[bins + 1 for _, _, bins in bounds],
            lower_level=[low for low, _, _ in bounds],
            upper_level=[high for _, high, _ in bounds],
            execution=place,
        )
        assert here(counts).tolist() == expected.tolist()


@pytest.mark.parametrize("place", ["device", "host"])
def test_it_is_built_once_and_called_for_some_pixels(place: Place) -> None:
    Device(0).set_current()
    samples = there(place, np.arange(30, dtype=np.uint8))
    counts = there(place, np.zeros(6, np.int32))
    given: dict[str, Any] = {"d_samples": samples, "d_histogram": counts}
    levels: dict[str, Any] = {"h_lower_level": [0, 1], "h_upper_level": [30, 31]}
    with parallel.make_multi_histogram_even(
        **given, num_channels=3, num_active_channels=2, **levels, execution=place
    ) as algorithm:
        assert algorithm(**given, h_num_output_levels=[4, 4], **levels) == 0
        assert here(counts).tolist() == [0] * 6
        algorithm(temp_storage=POOL, **given, h_num_output_levels=[4, 4], **levels)
        assert here(counts).tolist() == [4, 3, 3, 4, 3, 3]
        algorithm(temp_storage=POOL, **given, h_num_output_levels=[4, 4], **levels, num_pixels=4)
        assert here(counts).tolist() == [4, 0, 0, 4, 0, 0]
        with pytest.raises(InvalidArgument, match="1 given, and the algorithm was built for 2 channels"):
            algorithm(temp_storage=POOL, **given, h_num_output_levels=[4], **levels)
        with pytest.raises(ValueError, match="30 elements"):
            algorithm(temp_storage=POOL, **given, h_num_output_levels=[4, 4], **levels, num_pixels=11)
        with pytest.raises(ValueError, match="d_histogram"):
            algorithm(temp_storage=POOL, **given, h_num_output_levels=[4, 5], **levels)
    for channels, active in ((5, 2), (2, 3), (0, 0)):
        with pytest.raises(InvalidArgument, match="expected 1 to 4"):
            parallel.make_multi_histogram_even(
                **given, num_channels=channels, num_active_channels=active, **levels, execution=place
            )


def test_channels_of_a_picture_on_the_device() -> None:
    Device(0).set_current()
    picture = np.random.default_rng(1).integers(0, 256, (64, 48, 3)).astype(np.uint8)
    counts = DeviceArray.empty(3 * 256, np.uint32)
    parallel.multi_histogram_even(
        d_samples=DeviceArray.from_numpy(picture.ravel()),
        d_histogram=counts,
        num_channels=3,
        num_output_levels=[257] * 3,
        lower_level=[0] * 3,
        upper_level=[256] * 3,
    )
    expected = np.concatenate([np.bincount(picture[..., i].ravel(), minlength=256) for i in range(3)])
    assert np.array_equal(counts.to_numpy(), expected)
