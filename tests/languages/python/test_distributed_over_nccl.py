"""Communicators over NCCL, of one process and of several; on the simulator over what stands in for NCCL. That the
algorithms do over it what they do without it, test_distributed.py shows, which runs over it too."""

from __future__ import annotations

import os
import pathlib
import socket
import subprocess
import sys
import time
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.core import Device
from cuprum.parallel import DeviceArray, distributed
from cuprum.parallel.distributed import Communicator, NcclOptions, Process

RANK = pathlib.Path(__file__).with_name("distributed_rank.py")
VARIABLES = {
    "torchrun": ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    "Open MPI": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    "PMI": ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    "Slurm": ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
}


@pytest.fixture(autouse=True)
def started_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (*VARIABLES.values(), ("MASTER_ADDR", "MASTER_PORT", "CUPRUM_MASTER_PORT")):
        for name in names:
            monkeypatch.delenv(name, raising=False)


def free_port() -> int:
    """Of two neighbours that are free."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                pass


def need_devices(count: int) -> None:
    if not Device(0).is_simulator and len(Device.get_all_devices()) < count:
        pytest.skip(f"this machine has fewer than {count} GPUs")


def run(scenario: str, count: int, folder: pathlib.Path, launcher: str = "torchrun", **more: str) -> list[Any]:
    """What the processes have printed, and how they have ended."""
    need_devices(count)
    port = str(free_port())
    processes = []
    for rank in range(count):
        values = (str(rank), str(count), str(rank))
        environment = {
            **os.environ,
            **dict(zip(VARIABLES[launcher], values, strict=True)),
            "CUPRUM_TEST_NCCL_FOLDER": str(folder),  # of the stand-in's files
            **({"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port} if launcher == "torchrun" else {}),
            **more,
        }
        processes.append(
            subprocess.Popen(
                [sys.executable, RANK, scenario],
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        )
    ended = []
    for process in processes:
        output, _ = process.communicate(timeout=300)
        ended.append((process.returncode, output))
    return ended


@pytest.mark.parametrize("scenario", ["algorithms", "exchange", "disagreement"])
@pytest.mark.parametrize("count", [2, 3])
def test_processes_that_torchrun_starts(scenario: str, count: int, tmp_path: pathlib.Path) -> None:
    for code, output in run(scenario, count, tmp_path):
        assert code == 0, output
        assert output.endswith("ok\n")
    assert not list(tmp_path.glob("cuprum-nccl*"))


def test_processes_that_meet_by_a_broadcast_of_their_own(tmp_path: pathlib.Path) -> None:
    file = str(tmp_path / "bytes")
    for code, output in run("algorithms", 2, tmp_path, "Open MPI", CUPRUM_TEST_BROADCAST_FILE=file):
        assert code == 0, output
    for code, output in run("algorithms", 2, tmp_path, "Slurm"):
        assert code == 2
        assert "it has no broadcast, expected a function that gives rank 0's bytes to all" in output


def test_a_process_that_dies_is_an_error_of_the_others(tmp_path: pathlib.Path) -> None:
    begin = time.monotonic()
    ended = run("death", 3, tmp_path)
    assert ended[1][0] == -9
    for code, output in (ended[0], ended[2]):
        assert code == 0, output
        assert "ncclRemoteError" in output or not Device(0).is_simulator
    assert time.monotonic() - begin < 60


def test_a_process_that_never_comes_is_an_error_of_the_others(tmp_path: pathlib.Path) -> None:
    file = str(tmp_path / "bytes")
    ended = run("absence", 3, tmp_path, CUPRUM_TEST_BROADCAST_FILE=file, CUPRUM_TEST_TIMEOUT="1.5")
    for code, output in (ended[0], ended[2]):
        assert code == 2
        assert "other ranks have not done their part in 1500 ms" in output


@pytest.mark.parametrize("launcher", VARIABLES)
def test_the_environment_says_which_process_this_is(launcher: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in zip(VARIABLES[launcher], ("5", "8", "1"), strict=True):
        monkeypatch.setenv(name, value)
    assert Process.from_environment() == Process(5, 8, 1, None)
    monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")
    monkeypatch.setenv("MASTER_PORT", "1")  # nobody listens at the next one
    process = Process.from_environment(timeout=0.1)
    assert (process.rank, process.count, process.local_rank) == (5, 8, 1)
    assert process.broadcast is not None
    with pytest.raises(cuprum.InvalidState, match="rank 0 has not answered rank 5 in 100 ms"):
        process.broadcast(bytearray(128))


def test_an_environment_that_is_not_complete_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(cuprum.InvalidState, match="torchrun"):
        Process.from_environment()
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "two")
    with pytest.raises(cuprum.InvalidArgument, match="'two', expected a number"):
        Process.from_environment()
    with pytest.raises(ValueError, match="timeout is -1 seconds, expected 0 to 4294967"):
        Process.from_environment(-1)


def sum_of(communicator: Communicator) -> int:
    """Of 1 and 2 on each rank."""
    inputs, sums = [], []
    for rank in range(communicator.local_size):
        buffer = communicator.device(rank).allocate(8)
        buffer.copy_from_host(np.array([1, 2], np.int32))
        inputs.append(DeviceArray(buffer, np.int32))
        sums.append(DeviceArray(communicator.device(rank).allocate(4), np.int32))
    distributed.Reduce(communicator, np.int32)(inputs, sums)
    return int(sums[-1].to_numpy()[0])


def test_a_broadcast_gets_128_bytes() -> None:
    given: list[bytearray] = []
    process = Process(broadcast=given.append)
    with Communicator(Device(0), process) as communicator:
        assert sum_of(communicator) == 3
    assert [type(data) for data in given] == [bytearray]
    assert len(given[0]) == 128
    assert any(given[0])
    del given[0][:]  # nothing refers to it any more
    with Communicator(0, Process(0, 1, 0, lambda data: None), NcclOptions(timeout=5)) as communicator:
        assert sum_of(communicator) == 3


class Wrong(BaseException):
    pass


@pytest.mark.parametrize("error", [RuntimeError("the network is down"), Wrong(), KeyboardInterrupt()])
def test_what_a_broadcast_raises_goes_to_the_caller(error: BaseException) -> None:
    def broadcast(data: bytearray) -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        Communicator(Device(0), Process(broadcast=broadcast))
    assert raised.value is error
    assert raised.traceback[-1].name == "broadcast"
    # An error of Cuprum's own as well.
    with pytest.raises(cuprum.InvalidState, match="torchrun"):
        Communicator(Device(0), Process(broadcast=lambda data: Process.from_environment()))


def test_a_broadcast_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="the broadcast has left 127 bytes, expected the 128 bytes of rank 0"):
        Communicator(Device(0), Process(broadcast=lambda data: data.pop()))
    with pytest.raises(TypeError, match="positional argument"):
        Communicator(Device(0), Process(broadcast=lambda: None))  # type: ignore[arg-type,misc]
    with pytest.raises(TypeError, match="not callable"):
        Communicator(Device(0), Process(broadcast=3))  # type: ignore[arg-type]


def test_processes_that_there_are_not_are_refused() -> None:
    def nothing(data: bytearray) -> None: ...

    with pytest.raises(cuprum.InvalidArgument, match="there are 2 processes, expected a rank below that"):
        Communicator(Device(0), Process(2, 2, 0, nothing))
    with pytest.raises(cuprum.InvalidArgument, match="it has no broadcast"):
        Communicator(Device(0), Process(0, 1))
    with pytest.raises(OverflowError, match="rank"):
        Communicator(Device(0), Process(-1, 2, 0, nothing))
    with pytest.raises(TypeError, match="count must be an int, not str"):
        Communicator(Device(0), Process(0, "1", 0, nothing))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="process must be a Process, not int"):
        Communicator(Device(0), 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a rank is a Device or its ordinal, not list"):
        Communicator([Device(0)], Process(broadcast=nothing))
    with pytest.raises(TypeError, match="the one device of a process, which is not given"):
        Communicator(Device(0))
    with pytest.raises(TypeError, match="options must be NcclOptions, not float"):
        Communicator(options=3.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout is 5000000"):
        Communicator(options=NcclOptions(5_000_000))
    with pytest.raises(cuprum.Error):
        Communicator(99, Process(broadcast=nothing))
    with pytest.raises(cuprum.InvalidArgument, match="rank 0 and rank 1"):
        Communicator([0, 0], options=NcclOptions())


def test_a_communicator_that_is_given_up_refuses_all() -> None:
    need_devices(2)
    with Communicator([1, 0], options=NcclOptions()) as communicator:
        assert not communicator.can_read_peers
        assert sum_of(communicator) == 6
        communicator.abort()
        with pytest.raises(cuprum.InvalidState, match="the program gave it up"):
            sum_of(communicator)


CHILD = """
from cuprum import Error
from cuprum.core import Device
from cuprum.parallel.distributed import Communicator, NcclOptions, Process
for make in (
    lambda: Communicator(options=NcclOptions()),
    lambda: Communicator(Device(0), Process(broadcast=lambda data: print("called"))),
):
    try:
        make()
    except Error as error:
        print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"HIDE_PATHS": "libnccl"}, ["NotFound", "libnccl.so.2", "nvidia-nccl-cu13"]),
        ({"CUPRUM_TEST_NCCL": "version=2.10"}, ["Unsupported", "NCCL 2.10", "expected NCCL 2.14 or newer"]),
        ({"CUPRUM_TEST_NCCL": "fail=ncclGetUniqueId"}, ["CUDAError", "ncclGetUniqueId", "ncclSystemError"]),
    ],
)
def test_nccl_that_does_not_serve_is_an_error(variables: dict[str, str], expected: list[str]) -> None:
    if not Device(0).is_simulator:
        pytest.skip("NCCL itself has no such settings")
    path = "" if "HIDE_PATHS" in variables else os.environ["LD_LIBRARY_PATH"]
    environment = {**os.environ, **variables, "LD_LIBRARY_PATH": path}
    child = subprocess.run([sys.executable, "-c", CHILD], env=environment, text=True, capture_output=True, check=True)
    assert "called" not in child.stdout
    for word in expected:
        assert child.stdout.count(word) >= 2, child.stdout
