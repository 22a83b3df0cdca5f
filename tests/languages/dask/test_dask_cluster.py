"""cuprum.parallel.dask on a cluster of three processes, each with its simulated device; workers that are killed."""

from __future__ import annotations

import os
import pathlib
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import dask
import dask.array as da
import distributed
import numpy as np
import pytest
from cuprum.parallel import OpKind
from cuprum.parallel import dask as parallel
from cuprum.parallel.dask._devices import worker_device

COUNT = 4000
PARTITIONS = 8
#: Seconds after which something hangs.
LIMIT = 60


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 10}),
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def everyone(client: Any) -> Any:
    """The client, when all workers are there."""
    client.wait_for_workers(3, timeout=LIMIT)
    return client


def keys() -> Any:
    return np.random.default_rng(1).integers(-50, 50, COUNT).astype(np.int32)


def result_of(client: Any, array: Any) -> Any:
    """Computed, or an error after a while."""
    return client.compute(array).result(timeout=LIMIT)


def until(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + LIMIT
    while not (found := condition()):
        assert time.monotonic() < deadline, "nothing happened for a minute"
        time.sleep(0.05)
    return found


def test_all_algorithms_run_on_the_workers(everyone: Any) -> None:
    values = keys()
    data = da.from_array(values, chunks=COUNT // PARTITIONS)
    offset = 3  # a function is sent with what it refers to
    different, counts = np.unique(values, return_counts=True)
    found, sums = parallel.reduce_by_key(data, da.ones_like(data), OpKind.PLUS)
    halves = parallel.histogram_even(data, num_output_levels=3, lower_level=-50, upper_level=50)
    for array, expected in [
        (parallel.reduce(data), values.sum()),
        (parallel.scan(data, exclusive=True), values.cumsum() - values),
        (parallel.sort(data), np.sort(values)),
        (parallel.transform(data, lambda a: a + offset), values + offset),
        (halves, np.histogram(values, [-50, 0, 50])[0]),
        (found, different),
        (sums, counts),
    ]:
        assert np.array_equal(result_of(everyone, array), expected)


def test_workers_take_turns_with_the_devices(everyone: Any) -> None:
    workers = everyone.scheduler_info(n_workers=-1)["workers"]
    chosen = {
        worker["name"]: everyone.submit(worker_device, workers=[address], pure=False).result(timeout=LIMIT)
        for address, worker in workers.items()
    }
    assert len(chosen) == 3
    assert all(device == name % 2 for name, device in chosen.items())


def test_the_setting_and_cuda_visible_devices_choose_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker_device() == 0
    with dask.config.set({"cuprum.device": 1}):
        assert worker_device() == 1
    monkeypatch.setattr("cuprum.parallel.dask._devices._worker_index", lambda: 3)
    assert worker_device() == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,0")
    assert worker_device() == 0


def wait_for(gate: str, chunk: Any) -> Any:
    deadline = time.monotonic() + LIMIT
    while not pathlib.Path(gate).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return chunk


def of_step(step: str, dask_scheduler: Any = None) -> dict[str, list[str]]:
    """The tasks of a step that are done, and the workers that have their results."""
    return {
        str(key): [worker.address for worker in task.who_has]
        for key, task in dask_scheduler.tasks.items()
        if f"-{step}-" in str(key) and task.state == "memory"
    }


def kill(client: Any, address: str) -> None:
    process = client.run(os.getpid, workers=[address])[address]
    os.kill(process, signal.SIGKILL)
    until(lambda: address not in client.scheduler_info(n_workers=-1)["workers"])


@pytest.mark.parametrize("has_values", [False, True])
def test_a_sort_is_right_when_a_worker_is_killed_in_its_middle(
    everyone: Any, tmp_path: pathlib.Path, has_values: bool
) -> None:
    """The last partition waits until the others are sorted and one of them is lost with its worker."""
    gate = tmp_path / "gate"
    values = keys()
    size = COUNT // PARTITIONS
    chunks = [dask.delayed(values[i * size : (i + 1) * size]) for i in range(PARTITIONS)]
    chunks[-1] = dask.delayed(wait_for)(str(gate), chunks[-1])
    data = da.concatenate([da.from_delayed(chunk, (size,), np.int32) for chunk in chunks])
    positions = da.arange(COUNT, chunks=size)
    array = da.stack(parallel.sort_by_key(data, positions)) if has_values else parallel.sort(data)
    future = everyone.compute(array)
    done = until(lambda: everyone.run_on_scheduler(of_step, "partition"))
    assert not future.done()
    kill(everyone, next(iter(done.values()))[0])
    gate.touch()
    order = np.argsort(values, kind="stable")
    expected = [values[order], order] if has_values else values[order]
    assert np.array_equal(future.result(timeout=LIMIT), expected)


def test_what_a_worker_had_of_the_result_is_computed_again(everyone: Any) -> None:
    values = keys()
    data = da.from_array(values, chunks=COUNT // PARTITIONS) + 1
    kept = parallel.sort(data).persist()
    distributed.wait(kept, timeout=LIMIT)
    done = everyone.run_on_scheduler(of_step, "keys")
    assert len(done) == PARTITIONS
    kill(everyone, next(iter(done.values()))[0])
    assert np.array_equal(result_of(everyone, kept), np.sort(values + 1))


def test_an_error_of_a_task_ends_the_computation(everyone: Any) -> None:
    data = da.from_array(keys(), chunks=COUNT // PARTITIONS)
    with pytest.raises(Exception, match=r"a \+\* b"):
        result_of(everyone, parallel.transform(data, "a +* b"))
    assert result_of(everyone, parallel.reduce(data)) == keys().sum()
