"""Which device a task runs on."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask

from cuprum.core import Context, Device, _current
from cuprum.parallel._arrays import device_elements, is_on_device


def worker_device() -> int:
    """The device of the worker that the task runs on.

    That of the setting ``cuprum.device``; where CUDA_VISIBLE_DEVICES is set, as dask-cuda sets it for each worker, the
    first one; else the workers whose names end in a number, as those of a LocalCluster do, take turns.
    """
    chosen = dask.config.get("cuprum.device", None)
    if chosen is not None:
        return int(chosen)
    if os.environ.get("CUDA_VISIBLE_DEVICES"):
        return 0
    index = _worker_index()
    return 0 if index is None else index % len(Device.get_all_devices())


def _worker_index() -> int | None:
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        name = str(distributed.get_worker().name)
    except ValueError:  # not in a worker
        return None
    number = None if "://" in name else re.search(r"\d+$", name)
    return None if number is None else int(number[0])


@contextmanager
def on_device(*chunks: Any) -> Iterator[None]:
    """Makes current the device that a chunk is on, or else the worker's; afterwards what was current is again."""
    addresses = (device_elements(chunk)[0] for chunk in chunks if is_on_device(chunk))
    address = next((each for each in addresses if each), 0)
    device = Device(_current.of_memory(address) if address else worker_device())
    former = Context._current()
    device.set_current()
    try:
        yield
    finally:
        if former is not None:
            former.set_current()
