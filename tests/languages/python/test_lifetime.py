"""Owners: closed in any order, by anyone, at any time."""

from __future__ import annotations

import gc
import itertools
import threading
import time
import weakref

import cuprum
import pytest
from conftest import SAXPY, RunPython
from cuprum import _cuprum
from cuprum.core import Buffer, Device, Event, Kernel, LaunchConfig, ObjectCode, Program, Stream, launch

EVERYTHING = f"""
import sys, os
import cuprum
from cuprum.core import Device, LaunchConfig, Program, launch
SAXPY = '''{SAXPY}'''
device = Device(0)
stream = device.create_stream()
program = Program(SAXPY, "saxpy.cu")
code = program.compile()
kernel = code.get_kernel("saxpy")
x, y = device.allocate(4096, stream=stream), device.allocate(4096)
event = stream.record()
launch(stream, LaunchConfig(4, block=256), kernel, 2.0, x, y, 1024)
"""


def test_objects_can_be_closed_twice_and_know_that_they_are_closed(device: Device) -> None:
    for owner in (device.create_stream(), device.create_event(), device.allocate(8), Program(SAXPY)):
        assert not owner.is_closed
        owner.close()
        assert owner.is_closed
        owner.close()
        assert "closed" in repr(owner)


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_objects_can_be_closed_in_any_order(order: tuple[int, ...], device: Device) -> None:
    stream = device.create_stream()
    program = Program(SAXPY)
    code = program.compile()
    kernel = code.get_kernel("saxpy")
    buffer = device.allocate(64, stream=stream)
    launch(stream, LaunchConfig(1, block=1), kernel, 1.0, buffer, buffer, 1)
    owners = (stream, code, kernel, buffer)
    for i in order:
        owners[i].close()
    program.close()
    device.sync()


@pytest.mark.usefixtures("no_leaks")
def test_a_kernel_outlives_its_code_and_program(device: Device, stream: Stream) -> None:
    with Program(SAXPY) as program, program.compile() as code:
        kernel = code.get_kernel("saxpy")
    with device.allocate(4) as buffer:
        buffer.fill(0, stream=stream)
        launch(stream, LaunchConfig(1, block=1), kernel, 1.0, buffer, buffer, 1)
        stream.sync()
    kernel.close()


def test_garbage_collection_frees_what_was_not_closed(device: Device) -> None:
    gc.collect()
    before = _cuprum.cuprum_live_handles()
    buffer = device.allocate(64)
    alive = weakref.ref(buffer)
    assert _cuprum.cuprum_live_handles() == before + 1
    cycle = [buffer]
    cycle.append(cycle)  # type: ignore[arg-type]
    del buffer, cycle
    gc.collect()
    assert alive() is None
    assert _cuprum.cuprum_live_handles() == before


def test_a_with_block_closes_also_when_it_raises(device: Device) -> None:
    with pytest.raises(KeyError), device.allocate(8) as buffer:
        raise KeyError
    assert buffer.is_closed


def test_owners_are_made_by_their_makers() -> None:
    for owner in (Stream, Event, Buffer, Kernel, ObjectCode):
        with pytest.raises(TypeError):
            owner()


def test_the_interpreter_can_exit_with_everything_alive(run_python: RunPython) -> None:
    result = run_python(EVERYTHING)
    assert result.stderr == ""


def test_the_interpreter_can_exit_with_everything_alive_in_a_cycle_and_in_threads(run_python: RunPython) -> None:
    result = run_python(
        EVERYTHING
        + """
import threading
cycle = [device, stream, program, code, kernel, x, y, event]
cycle.append(cycle)
sys.keep = cycle
del stream, program, code, kernel, x, y, event
def work(buffers=cycle[5:7]):
    while True:
        with device.allocate(64) as buffer:
            buffer.copy_from_host(bytes(64))
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
"""
    )
    assert result.stderr == ""


def test_sys_exit_and_an_exception_at_the_top_end_the_process_as_they_should(run_python: RunPython) -> None:
    assert run_python(EVERYTHING + "sys.exit(3)", check=False).returncode == 3
    failed = run_python(EVERYTHING + "raise KeyError('at the top')", check=False)
    assert failed.returncode == 1
    assert failed.stderr.strip().endswith("KeyError: 'at the top'")


def test_a_forked_child_can_drop_everything_and_exit_and_the_parent_goes_on(run_python: RunPython) -> None:
    result = run_python(
        "import warnings\nwarnings.simplefilter('ignore', DeprecationWarning)  # Python 3.12's, of fork with threads\n"
        + EVERYTHING
        + """
stream.sync()
child = os.fork()
if child == 0:
    import gc
    x.close(); kernel.close(); stream.close()
    del x, y, program, code, kernel, event, stream
    gc.collect()
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
launch(stream, LaunchConfig(4, block=256), kernel, 2.0, x, y, 1024)
stream.sync()
print("parent goes on")
"""
    )
    assert result.stdout == "parent goes on\n"
    assert result.stderr == ""


def test_using_a_device_in_a_forked_child_is_an_error_and_no_hang(run_python: RunPython) -> None:
    result = run_python(
        EVERYTHING
        + """
stream.sync()
child = os.fork()
if child == 0:
    try:
        stream.sync()
    except cuprum.Error as error:
        print(error, flush=True)
        sys.exit(7)
    sys.exit(8)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    )
    assert "fork" in result.stdout


@pytest.mark.usefixtures("no_leaks")
def test_threads_can_share_a_device_and_each_use_their_own_stream(device: Device, saxpy: Kernel) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                with device.create_stream() as stream, device.allocate(4096) as x, device.allocate(4096) as y:
                    x.fill(0, stream=stream)
                    y.fill(number, stream=stream)
                    launch(stream, LaunchConfig(4, block=256), saxpy, 1.0, x, y, 1024)
                    result = bytearray(4096)
                    y.copy_to_host(result, stream=stream)
                    stream.sync()
                    assert result == bytes([number]) * 4096
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_last_reference_may_be_dropped_on_another_thread(device: Device) -> None:
    gc.collect()
    before = _cuprum.cuprum_live_handles()
    box = [device.create_stream(), device.create_event(), device.allocate(64)]
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()
    assert _cuprum.cuprum_live_handles() == before


def test_the_current_device_belongs_to_the_thread(device: Device) -> None:
    seen: list[int] = []
    device.set_current()
    thread = threading.Thread(target=lambda: seen.append(Device().device_id))
    thread.start()
    thread.join()
    assert seen == [0]
    assert Device() is device


SPIN = """
extern "C" __global__ void spin(volatile int* cell, long long rounds) {
    for (long long i = 0; i < rounds; ++i) *cell += 1;
}
"""


def ticks_during_sync(stream: Stream, kernel: Kernel, cell: Buffer, rounds: int) -> tuple[int, float]:
    """How often another thread gets its turn while this one waits for the kernel, and the seconds that it waits."""
    ticks: list[float] = []
    waiting = threading.Event()
    done = threading.Event()

    def tick() -> None:
        waiting.wait()
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    launch(stream, LaunchConfig(1, block=1), kernel, cell, rounds)
    waiting.set()
    begin = time.perf_counter()
    stream.sync()
    end = time.perf_counter()
    done.set()
    thread.join()
    return sum(begin < moment < end for moment in ticks), end - begin


def test_other_threads_run_while_one_waits_for_the_device(device: Device, stream: Stream) -> None:
    kernel = Program(SPIN).compile().get_kernel("spin")
    rounds, seconds = 1000, 0.0
    with device.allocate(4) as cell:
        while seconds < 0.2:  # however fast the device and however busy this machine
            ticks, seconds = ticks_during_sync(stream, kernel, cell, rounds)
            rounds *= 4
    # Holding the GIL, sync() would let none through.
    assert ticks > 5, f"{ticks} ticks in {seconds:.3f} s"


def test_a_failed_release_in_the_garbage_collector_is_a_warning_and_no_exception(device: Device) -> None:
    buffer = device.allocate(8)
    _cuprum.cuprum_buffer_destroy(buffer._native)
    with pytest.warns(cuprum.CUDAWarning, match="Buffer could not be released"):
        del buffer
        gc.collect()
