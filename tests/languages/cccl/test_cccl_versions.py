"""The algorithms are compiled from the CUB of every CCCL that is known, and with the NVRTC of CUDA 12."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

# One build of each kind of kernel, checked against NumPy; then of which versions they were.
PROGRAM = """
import numpy as np
from cuprum import _cuprum
from cuprum.parallel import argmin, reduce, scan, sort, transform

data = np.random.default_rng(7).integers(0, 1000, 20011).astype(np.int32)
assert reduce(data, 0, lambda a, b: a + b) == data.sum()
assert argmin(data) == data.argmin()
assert (scan(data, op="a + b") == np.cumsum(data)).all()
assert (sort(data) == np.sort(data)).all()
order = np.argsort(-data, kind="stable")
assert (sort(data, op=lambda a, b: a > b) == data[order]).all()
assert (transform(data, lambda a: a * 2 + 1) == data * 2 + 1).all()
assert (transform(data, lambda a, b: a * b, second=data) == data * data).all()
print(_cuprum.cuprum_nvrtc_version()[0])
"""


def run(**variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUPRUM_SIM")}
    environment.pop("CUPRUM_TOOLKIT", None)
    environment |= {"CUPRUM_DRIVER": "sim"} | variables
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment, timeout=120
    )


def cuda12() -> pathlib.Path:
    folder = pathlib.Path(os.environ["CUPRUM_TEST_CUDA12"])
    assert folder.is_dir(), f"{folder} is not there; ./run test installs it"
    return folder


def cccl(version: str) -> str:
    folder = pathlib.Path(os.environ["CUPRUM_TEST_CCCL"]) / version / "nvidia" / "cu13" / "include" / "cccl"
    assert folder.is_dir(), f"{folder} is not there; ./run test installs it"
    return str(folder)


@pytest.mark.parametrize(("version", "compute_capability"), [("3.1", "8.0"), ("3.2", "9.0")])
def test_the_known_versions_give_the_same(version: str, compute_capability: str) -> None:
    result = run(CUPRUM_CCCL_PATH=cccl(version), CUPRUM_SIM=f"cc={compute_capability}")
    assert (result.returncode, result.stdout.strip()) == (0, "13"), result.stderr


def test_cuda_12_takes_a_known_cccl_of_this_machine() -> None:
    result = run(CUPRUM_TOOLKIT="12", PYTHONPATH=os.environ["PYTHONPATH"] + os.pathsep + str(cuda12()))
    assert (result.returncode, result.stdout.strip()) == (0, "12"), result.stderr


def test_another_version_is_refused_with_those_that_are_known() -> None:
    folder = cuda12() / "nvidia" / "cuda_cccl" / "include"
    result = run(CUPRUM_CCCL_PATH=str(folder))
    assert result.returncode == 1
    for part in (f"CCCL 2.3 in {folder}", "expected", "CCCL 3.0, 3.1 and 3.2", "nvidia-cuda-cccl==13.0.*"):
        assert part in result.stderr


def test_a_folder_without_cccl_is_refused() -> None:
    result = run(CUPRUM_CCCL_PATH="/nowhere")
    assert result.returncode == 1
    assert "no CCCL in /nowhere" in result.stderr
