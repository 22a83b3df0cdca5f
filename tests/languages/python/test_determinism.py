"""How far results are the same, as an execution or a reduction requires it."""

from __future__ import annotations

import numpy as np
import pytest
from cuprum import Unsupported, parallel
from cuprum.core import Device
from cuprum.parallel import Determinism, DeviceArray, Execution, OpKind


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def test_gpu_to_gpu_is_another_order_than_the_devices_own() -> None:
    """Both are right but for rounding; the bits of the order are compared in C++ (test_determinism.cpp)."""
    values = np.ldexp(np.random.default_rng(1).random(50_000), np.arange(50_000) % 30).astype(np.float32)
    out = DeviceArray.from_numpy(np.zeros(1, np.float32))
    found = {}
    for determinism in Determinism:
        parallel.reduce_into(
            d_in=DeviceArray.from_numpy(values),
            d_out=out,
            num_items=len(values),
            op=OpKind.PLUS,
            h_init=np.float32(0),
            determinism=determinism,
        )
        Device(0).sync()
        found[determinism] = float(out.to_numpy()[0])
        assert found[determinism] == pytest.approx(values.sum(dtype=np.float64), rel=1e-5)
    assert found[Determinism.NOT_GUARANTEED] == found[Determinism.RUN_TO_RUN]
    same = Execution.DEVICE.require(Determinism.GPU_TO_GPU)
    assert parallel.reduce(values, execution=same) == found[Determinism.GPU_TO_GPU]


def test_what_cannot_be_kept_is_refused() -> None:
    values = np.ones(8, np.float32)
    for execution in (Execution.DEVICE, Execution.HOST):
        level = Determinism.RUN_TO_RUN if execution is Execution.DEVICE else Determinism.GPU_TO_GPU
        with pytest.raises(Unsupported, match=r"the order in which elements of float32 are combined"):
            parallel.scan(values, execution=execution.require(level))
        assert parallel.scan(values.astype(np.int32), execution=execution.require(Determinism.GPU_TO_GPU))[-1] == 8
    with pytest.raises(Unsupported, match="determinism gpu_to_gpu"):
        parallel.reduce(values, execution=Execution.HOST.require(Determinism.GPU_TO_GPU))
    with pytest.raises(ValueError, match="7 is not a valid Determinism"):
        Execution.HOST.require(7)  # type: ignore[arg-type]
