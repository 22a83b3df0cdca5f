"""Ctrl-C ends a wait, and neither it nor the end of the program waits for a kernel that does not end."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import RunPython

#: Launches a kernel that does not end into the device's default stream, which copies without a stream wait for, and
#: `interrupt()` presses Ctrl-C a little later. A GPU ends the kernel with the process.
ENDLESS = """
    import os, signal, threading, time
    from cuprum.core import Device, LaunchConfig, Program, launch

    device = Device(0)
    spin = Program('extern "C" __global__ void spin(volatile int* stop) { while (*stop == 0) {} }', "c++")
    spin = spin.compile("ptx").get_kernel("spin")
    zero, other = device.allocate(4), device.allocate(4)
    zero.copy_from_host(bytes(4))
    stream = device.create_stream()

    def endless(where=stream):
        launch(where, LaunchConfig(grid=1, block=32), spin, zero)

    def interrupt():
        def press():
            global pressed
            time.sleep(0.3)
            pressed = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press, daemon=True).start()

    def expect_interrupted(wait):
        interrupt()
        try:
            wait()
        except KeyboardInterrupt:
            print("interrupted after", time.monotonic() - pressed)
        else:
            print("not interrupted")
"""

WAITS = {
    "stream": "endless(); expect_interrupted(stream.sync)",
    "stream_with_copies": "other.copy_from_host(bytes(4), stream=stream); endless(); expect_interrupted(stream.sync)",
    "default_stream": "endless(device.default_stream); expect_interrupted(device.default_stream.sync)",
    "event": "endless(); event = stream.record(); expect_interrupted(event.sync)",
    "device": "endless(); expect_interrupted(device.sync)",
    "copy_to_host": "endless(device.default_stream); expect_interrupted(lambda: other.copy_to_host(bytearray(4)))",
    "copy_from_host": "endless(device.default_stream); expect_interrupted(lambda: other.copy_from_host(bytes(4)))",
}


@pytest.mark.parametrize("wait", WAITS)
def test_ctrl_c_ends_a_wait_and_the_program_goes_on_to_its_end(run_python: RunPython, wait: str) -> None:
    program = textwrap.dedent(ENDLESS) + WAITS[wait] + "\ndel other, zero\nprint('done')\n"
    begin = time.monotonic()
    result = run_python(program)
    assert "interrupted after" in result.stdout, result.stdout + result.stderr
    # A tenth of a second is aimed at; the rest is for a busy machine.
    assert float(result.stdout.split()[2]) < 2
    assert result.stdout.endswith("done\n")
    assert time.monotonic() - begin < 60


def test_a_handler_that_does_not_raise_does_not_end_the_wait(run_python: RunPython) -> None:
    program = textwrap.dedent(ENDLESS) + textwrap.dedent(
        """
        calls = []
        signal.signal(signal.SIGINT, lambda *_: calls.append(1))
        interrupt()
        host = bytearray(4)
        work = Program('extern "C" __global__ void work(int* x, long long n) {'
                       ' long long t = clock64(); while (clock64() - t < n) {} x[0] = 1; }', "c++")
        launch(stream, LaunchConfig(grid=1, block=1), work.compile("ptx").get_kernel("work"), other, 1_500_000_000)
        stream.sync()
        other.copy_to_host(host)
        print(len(calls), host[0])
        """
    )
    assert run_python(program).stdout == "1 1\n"


def test_an_interrupted_wait_can_be_repeated(run_python: RunPython) -> None:
    program = textwrap.dedent(ENDLESS) + textwrap.dedent(
        """
        endless()
        expect_interrupted(stream.sync)
        expect_interrupted(stream.sync)
        expect_interrupted(device.sync)
        expect_interrupted(device.sync)
        """
    )
    assert run_python(program).stdout.count("interrupted after") == 4


def test_a_release_that_hangs_does_not_hold_up_the_end_of_the_process(run_python: RunPython) -> None:
    program = textwrap.dedent(ENDLESS) + textwrap.dedent(
        """
        import ctypes, sys
        # It stands for what the driver does when the process ends: it waits for calls in other threads.
        libc = ctypes.CDLL(None)
        libc.on_exit(libc.pause, None)
        endless()
        expect_interrupted(stream.sync)
        del other
        print("done")
        sys.exit(3)
        """
    )
    result = run_python(program, check=False)
    assert (result.returncode, result.stderr) == (3, "")
    assert result.stdout.endswith("done\n")


@pytest.mark.parametrize("end", ["", "raise SystemExit(3)", "import sys; sys.exit(3)"])
def test_a_program_ends_that_leaves_an_endless_kernel(run_python: RunPython, end: str) -> None:
    begin = time.monotonic()
    result = run_python(textwrap.dedent(ENDLESS) + "endless()\n" + end + "\n", check=False)
    assert result.returncode == (3 if end else 0), result.stderr
    assert result.stderr == ""
    assert time.monotonic() - begin < 60


def test_ctrl_c_that_nobody_catches_ends_the_program(tmp_path: pathlib.Path) -> None:
    program = textwrap.dedent(ENDLESS) + "endless()\nprint('waiting', flush=True)\nstream.sync()\n"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    watchdog.cancel()
    assert process.returncode in (-signal.SIGINT, 130), errors
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_a_stream_may_be_closed_while_another_thread_waits_for_it(run_python: RunPython) -> None:
    program = textwrap.dedent(ENDLESS) + textwrap.dedent(
        """
        work = Program('extern "C" __global__ void work(long long n) {'
                       ' long long t = clock64(); while (clock64() - t < n) {} }', "c++")
        launch(stream, LaunchConfig(grid=1, block=1), work.compile("ptx").get_kernel("work"), 500_000_000)
        threading.Timer(0.1, stream.close).start()
        stream.sync()
        print(stream.is_closed)
        """
    )
    assert run_python(program).stdout == "True\n"


@pytest.mark.skipif(os.environ.get("CUPRUM_DRIVER") != "sim", reason="only the simulator says so")
def test_a_fault_that_nobody_waited_for_is_reported_at_the_end(run_python: RunPython) -> None:
    program = """
        from cuprum.core import Device, LaunchConfig, Program, launch
        device = Device(0)
        stream = device.create_stream()
        buffer = device.allocate(4)
        code = 'extern "C" __global__ void overrun(int* x) { x[1000] = 1; }'
        launch(stream, LaunchConfig(grid=1, block=1), Program(code, "c++").compile("ptx").get_kernel("overrun"), buffer)
    """
    result = run_python(program)
    assert "Cuprum simulator: CUDA_ERROR_ILLEGAL_ADDRESS: kernel 'overrun'" in result.stderr
    assert result.stderr.count("kernel 'overrun'") == 1


@pytest.mark.skipif(os.environ.get("CUPRUM_DRIVER") != "sim", reason="only the simulator has these options")
def test_a_wrong_option_of_the_simulator_is_named(run_python: RunPython) -> None:
    result = run_python("from cuprum.core import Device; Device(0)", environment={"CUPRUM_SIM": "cc=8.1"}, check=False)
    assert "CUPRUM_SIM: cc=8.1 is not valid, expected one of 7.5, 8.0" in result.stderr
