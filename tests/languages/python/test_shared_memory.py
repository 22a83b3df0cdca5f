"""Pools and buffers that processes share."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState, Unsupported
from cuprum.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    IPCAllocationHandle,
    IPCBufferDescriptor,
    PinnedMemoryResource,
    PinnedMemoryResourceOptions,
)

SPAWN = multiprocessing.get_context("spawn")


def add_one(handle: IPCAllocationHandle, descriptor: IPCBufferDescriptor, kind: str, size: int, answers: Any) -> None:
    """In the other process: each byte of the buffer becomes one more."""
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    pool: DeviceMemoryResource | PinnedMemoryResource
    if kind == "device":
        pool = DeviceMemoryResource.from_allocation_handle(device, handle)
    else:
        pool = PinnedMemoryResource.from_allocation_handle(handle)
    handle.close()
    buffer = Buffer.from_ipc_descriptor(pool, descriptor, stream=stream)
    values = np.zeros(size, np.uint8)
    buffer.copy_to_host(values, stream=stream)
    stream.sync()
    values += 1
    buffer.copy_from_host(values, stream=stream)
    stream.sync()
    found: list[Any] = [
        buffer.is_mapped,
        pool.is_mapped,
        pool.is_ipc_enabled,
        buffer.size,
        buffer.memory_resource is pool,
    ]
    for action in (lambda: pool.allocate(16, stream=stream), lambda: pool.allocation_handle):
        try:
            action()
            found.append("no error")
        except InvalidState as error:
            found.append(str(error))
    buffer.close()
    stream.sync()
    answers.send(found)


@pytest.fixture
def stream() -> Any:
    return Device(0).create_stream()


@pytest.fixture
def pool() -> DeviceMemoryResource:
    return DeviceMemoryResource(0, DeviceMemoryResourceOptions(ipc_enabled=True))


def receive_and_add_one(requests: Connection, size: int, answers: Any) -> None:
    """In the other process: what it works on comes over a pipe."""
    handle, descriptor, kind = requests.recv()
    add_one(handle, descriptor, kind, size, answers)


def shareable(kind: str) -> DeviceMemoryResource | PinnedMemoryResource:
    if kind == "device":
        return DeviceMemoryResource(0, DeviceMemoryResourceOptions(ipc_enabled=True))
    try:
        return PinnedMemoryResource(PinnedMemoryResourceOptions(ipc_enabled=True))
    except Unsupported as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("kind", ["device", "pinned"])
@pytest.mark.parametrize("way", ["started with it", "over a pipe"])
def test_another_process_uses_the_same_memory(way: str, kind: str, stream: Any) -> None:
    pool = shareable(kind)
    buffer = pool.allocate(1000, stream=stream)
    buffer.fill(41, stream=stream)
    stream.sync()
    ours, theirs = SPAWN.Pipe()
    handle = pool.allocation_handle
    shared = (handle, buffer.ipc_descriptor, kind)
    if way == "over a pipe":
        request, there = SPAWN.Pipe()
        process = SPAWN.Process(target=receive_and_add_one, args=(there, 1000, theirs))
        process.start()
        request.send(shared)
    else:
        process = SPAWN.Process(target=add_one, args=(*shared, 1000, theirs))
        process.start()
    theirs.close()
    found = ours.recv()
    process.join()
    assert process.exitcode == 0
    assert found[:5] == [True, True, True, 1000, True]
    assert "only that one allocates from it" in found[5]
    assert "another process's pool" in found[6]
    values = np.zeros(1000, np.uint8)
    buffer.copy_to_host(values, stream=stream)
    stream.sync()
    assert set(values.tolist()) == {42}
    handle.close()


def test_a_pool_says_whether_it_is_shared(pool: DeviceMemoryResource, stream: Any) -> None:
    assert pool.is_ipc_enabled
    assert not pool.is_mapped
    alone = DeviceMemoryResource(0, DeviceMemoryResourceOptions())
    assert not alone.is_ipc_enabled
    assert not pool.allocate(16, stream=stream).is_mapped
    with pytest.raises(InvalidState, match="made without the IPC option"):
        _ = alone.allocation_handle
    with pytest.raises(InvalidArgument, match="pool that was made with the IPC option"):
        _ = alone.allocate(16, stream=stream).ipc_descriptor
    with pytest.raises(InvalidArgument, match="pool that was made with the IPC option"):
        _ = Device(0).allocate(16).ipc_descriptor


def test_handles_own_their_descriptors(pool: DeviceMemoryResource) -> None:
    handle = pool.allocation_handle
    number = int(handle)
    assert os.fstat(number)
    assert handle.handle == number
    handle.close()
    handle.close()
    assert handle.is_closed
    with pytest.raises(ValueError, match="closed"):
        int(handle)
    with pytest.raises(InvalidArgument, match=f"no open file of that number.*{number}|{number}.*no open file"):
        DeviceMemoryResource.from_allocation_handle(0, number)
    with pytest.raises(TypeError, match="allocation_handle of DeviceMemoryResource"):
        IPCAllocationHandle()
    with pytest.raises(TypeError, match=r"Buffer\.ipc_descriptor"):
        IPCBufferDescriptor()


def test_descriptors_are_picklable_values(pool: DeviceMemoryResource, stream: Any) -> None:
    buffer = pool.allocate(100, stream=stream)
    descriptor = buffer.ipc_descriptor
    copy = pickle.loads(pickle.dumps(descriptor))
    assert copy == descriptor
    assert hash(copy) == hash(descriptor)
    assert copy.size == 100
    with pytest.raises(InvalidArgument, match="not one that another process shares"):
        Buffer.from_ipc_descriptor(pool, descriptor, stream=stream)
    with pytest.raises(TypeError, match="mr must be a DeviceMemoryResource or a PinnedMemoryResource, not int"):
        Buffer.from_ipc_descriptor(7, descriptor, stream=stream)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="stream must be a Stream, not None"):
        Buffer.from_ipc_descriptor(pool, descriptor, stream=None)  # type: ignore[arg-type]
    buffer.close()
    with pytest.raises(InvalidState, match="sharing a buffer: this Buffer is closed"):
        _ = buffer.ipc_descriptor


@pytest.mark.parametrize("kind", ["device", "pinned"])
@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_workers_that_share_pools_end_in_any_order(method: str, kind: str) -> None:
    seed = 1 + len(method) + len(kind)
    program = str(pathlib.Path(__file__).with_name("shared_pool_workers.py"))
    command = [sys.executable, "-X", "faulthandler", program, str(seed), method, kind]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
    # Of a worker that crashed its own faulthandler writes.
    assert "Fatal Python error" not in result.stderr
