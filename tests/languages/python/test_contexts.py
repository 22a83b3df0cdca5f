"""Contexts, and green ones: parts of a device's multiprocessors."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cuprum
import numpy as np
import pytest
from conftest import RunPython
from cuprum.core import (
    Context,
    ContextOptions,
    Device,
    DeviceResources,
    SMResource,
    SMResourceOptions,
    Stream,
)

pytestmark = pytest.mark.usefixtures("no_leaks")


def in_thread(work: Callable[[], None]) -> None:
    """Runs it in a thread of its own, whose current context is nobody else's."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def test_a_devices_context_is_its_primary_one(device: Device, stream: Stream) -> None:
    context = device.context
    assert context == device.context == stream.context == device.default_stream.context
    assert hash(context) == hash(device.context)
    assert not context.is_green
    assert context.device is device
    assert context.resources.sm.sm_count == device.properties.multiprocessor_count
    assert stream.resources.sm.sm_count == device.resources.sm.sm_count
    with device.create_event() as event:
        assert event.context == context
    context.close()
    assert context.is_closed
    assert device.context != context
    assert repr(context) == "<Context closed>"
    with pytest.raises(cuprum.InvalidState, match="closed"):
        context.handle  # noqa: B018
    for cls in (Context, SMResource, DeviceResources):
        with pytest.raises(TypeError):
            cls()


def test_green_contexts_have_a_part_of_the_multiprocessors(device: Device) -> None:
    sm = device.resources.sm
    assert sm.min_partition_size > 0
    assert sm.coscheduled_alignment > 0
    (group,), rest = sm.split(SMResourceOptions(), dry_run=True)
    assert group.sm_count == min(sm.min_partition_size, sm.sm_count)
    assert group.sm_count + rest.sm_count == sm.sm_count
    with pytest.raises(ValueError, match="dry run"):
        device.create_context(ContextOptions(resources=[group]))
    (group,), rest = sm.split({"count": group.sm_count})
    with device.create_context(ContextOptions(resources=[group])) as green:
        assert green.is_green
        assert "Green context" in repr(green)
        assert green != device.context
        assert green.resources.sm.sm_count == group.sm_count
        stream = green.create_stream({"priority": -1})
        with pytest.raises(cuprum.InvalidArgument, match="nonblocking"):
            green.create_stream({"nonblocking": False})
    # The stream keeps it.
    with stream, device.allocate(16, stream=stream) as memory:
        assert stream.context.is_green
        assert stream.resources.sm.sm_count == group.sm_count
        memory.fill(7, stream=stream)
        values = np.zeros(16, np.uint8)
        memory.copy_to_host(values, stream=stream)
        stream.sync()
        assert list(values) == [7] * 16


def test_a_context_can_be_made_current_and_the_former_one_is_given_back(device: Device) -> None:
    (group,), _ = device.resources.sm.split(SMResourceOptions())

    def switch() -> None:
        with device.create_context({"resources": [group]}) as green:
            assert device.set_current(green) is None
            former = device.set_current(device.context)
            assert former == green
            assert former is not None
            assert former.is_green
            assert device.set_current(green) == device.context
            assert Device() is device
            device.set_current()

    in_thread(switch)
    with pytest.raises(TypeError, match="ctx must be a Context, not int"):
        device.set_current(5)  # type: ignore[arg-type]


def test_what_cannot_be_split_is_refused(device: Device) -> None:
    sm = device.resources.sm
    with pytest.raises(cuprum.InvalidArgument, match="splitting multiprocessors"):
        sm.split(SMResourceOptions(count=sm.sm_count + 1))
    with pytest.raises(cuprum.InvalidArgument, match="room for 1 groups"):
        sm.split(SMResourceOptions(count=[sm.sm_count, sm.sm_count]))
    with pytest.raises(cuprum.Unsupported, match="groups that differ"):
        sm.split(SMResourceOptions(count=[2, 4]))
    with pytest.raises(cuprum.Unsupported, match="coscheduled_sm_count"):
        sm.split(SMResourceOptions(coscheduled_sm_count=2))
    with pytest.raises(ValueError, match="count is empty"):
        sm.split(SMResourceOptions(count=[]))
    with pytest.raises(ValueError, match="needs resources"):
        device.create_context()
    with pytest.raises(TypeError, match="SMResource or WorkqueueResource, not int"):
        device.create_context(ContextOptions(resources=[1]))  # type: ignore[list-item]
    with pytest.raises((cuprum.InvalidArgument, ValueError)):
        device.create_context(ContextOptions(resources=[]))


def test_groups_have_no_multiprocessor_in_common(run_python: RunPython) -> None:
    # On a simulated device that has enough of them; on a GPU the setting says nothing.
    ended = run_python(
        """
        import numpy as np
        from cuprum.core import ContextOptions, Device, LaunchConfig, Program, SMResourceOptions, launch

        SOURCE = '''extern "C" __global__ void where(unsigned int* numbers) {
            unsigned int number;
            asm("mov.u32 %0, %%smid;" : "=r"(number));
            numbers[blockIdx.x] = number;
        }'''
        device = Device(0)
        where = Program(SOURCE).compile().get_kernel("where")
        groups, rest = device.resources.sm.split(SMResourceOptions(count=[8, 8]))
        seen = []
        for group in groups:
            stream = device.create_context(ContextOptions(resources=[group])).create_stream()
            memory = device.allocate(4 * 512, stream=stream)
            launch(stream, LaunchConfig(512, block=1024), where, memory)
            numbers = np.zeros(512, np.uint32)
            memory.copy_to_host(numbers, stream=stream)
            stream.sync()
            seen.append(set(numbers))
            assert len(seen[-1]) == group.sm_count
        print(len(seen[0] & seen[1]))
        """,
        environment={"CUPRUM_SIM": "cc=9.0,multiprocessors=32"},
    )
    assert ended.stdout == "0\n"


def test_a_green_context_has_the_workqueue_that_it_was_made_with(run_python: RunPython) -> None:
    ended = run_python(
        """
        from cuprum.core import ContextOptions, Device, SMResourceOptions, WorkqueueResourceOptions

        device = Device(0)
        (part,), _ = device.resources.sm.split(SMResourceOptions(count=8))
        workqueue = device.resources.workqueue
        print(workqueue.sharing_scope, workqueue.concurrency_limit >= 1, workqueue.device is device)
        workqueue.configure(WorkqueueResourceOptions(sharing_scope="green_ctx_balanced", concurrency_limit=3))
        for wrong in ({"sharing_scope": "mine"}, {"concurrency_limit": 0}):
            try:
                workqueue.configure(wrong)
            except ValueError as error:
                print(error)
        stream = device.create_context(ContextOptions(resources=[part, workqueue])).create_stream()
        print(stream.resources.workqueue, stream.resources.sm.sm_count)
        print(device.resources.workqueue.sharing_scope)
        """,
        environment={"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "cc=9.0,multiprocessors=32,cuda=13.1"},
    )
    assert ended.stdout.splitlines() == [
        "device_ctx True True",
        "sharing_scope must be one of 'device_ctx', 'green_ctx_balanced', not 'mine'",
        "concurrency_limit must be at least 1, not 0",
        "<WorkqueueResource 'green_ctx_balanced', for 3 streams at once> 8",
        "device_ctx",
    ]


def test_older_drivers_have_no_workqueues(run_python: RunPython) -> None:
    ended = run_python(
        """
        import cuprum
        from cuprum.core import Device

        for resources in (Device(0).resources, Device(0).context.resources):
            try:
                resources.workqueue
            except cuprum.Unsupported as error:
                print("need a driver for CUDA 13.1; this one is for 13.0" in str(error))
        """,
        environment={"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "cuda=13.0"},
    )
    assert ended.stdout == "True\nTrue\n"
