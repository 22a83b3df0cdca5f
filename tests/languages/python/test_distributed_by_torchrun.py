"""Processes that torchrun itself starts, on two GPUs; without it, and on simulated devices, processes with the
environment that it makes."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import socket
import subprocess
import sys

import pytest
from cuprum.core import Device

RANK = pathlib.Path(__file__).with_name("torchrun_rank.py")
COUNT = 20_003  # elements


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def test_torchrun_starts_a_process_for_each_gpu() -> None:
    if Device(0).is_simulator:
        pytest.skip("PyTorch has no GPU: these devices are simulated")
    if len(Device.get_all_devices()) < 2:
        pytest.skip("this machine has fewer than 2 GPUs")
    if not has_torch():
        pytest.skip("there is no torchrun: PyTorch is not installed for this Python")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    run = subprocess.run([*torchrun, str(RANK)], text=True, capture_output=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    for rank in range(2):
        assert f"rank {rank} of 2: ok, with Cuprum's arrays and PyTorch's tensors" in run.stdout


def processes(count: int, folder: pathlib.Path, elements: int = COUNT) -> list[tuple[int, str]]:
    """How they have ended, and what they have printed."""
    with socket.socket() as store, socket.socket() as next_one:
        # torchrun's own store listens at MASTER_PORT: Cuprum takes another one.
        store.bind(("127.0.0.1", 0))
        store.listen()
        next_one.bind(("127.0.0.1", 0))
        own_port = str(next_one.getsockname()[1])
        next_one.close()
        started = [
            subprocess.Popen(
                [sys.executable, RANK, str(elements)],
                env={
                    **os.environ,
                    "RANK": str(rank),
                    "LOCAL_RANK": str(rank),
                    "WORLD_SIZE": str(count),
                    "LOCAL_WORLD_SIZE": str(count),
                    "GROUP_RANK": "0",
                    "MASTER_ADDR": "127.0.0.1",
                    "MASTER_PORT": str(store.getsockname()[1]),
                    "CUPRUM_MASTER_PORT": own_port,
                    "CUPRUM_TEST_WITHOUT_TORCH": "1",
                    "CUPRUM_TEST_NCCL_FOLDER": str(folder),  # of the stand-in's files
                },
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for rank in range(count)
        ]
        outputs = [process.communicate(timeout=300)[0] for process in started]
        return [(process.returncode, output) for process, output in zip(started, outputs, strict=True)]


@pytest.mark.parametrize("count", [2, 3])
def test_the_same_in_an_environment_like_torchruns(count: int, tmp_path: pathlib.Path) -> None:
    if len(Device.get_all_devices()) < count:
        pytest.skip(f"this machine has fewer than {count} GPUs")
    for rank, (code, output) in enumerate(processes(count, tmp_path)):
        assert code == 0, output
        assert f"rank {rank} of {count}: ok, with Cuprum's arrays" in output
