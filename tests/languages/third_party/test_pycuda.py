"""PyCUDA, built from its source as it comes: its programs, compiled by nvcc, run on the simulator unmodified."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

PACKAGES = pathlib.Path(os.environ["CUPRUM_TEST_PYCUDA"]) / "packages"
LOG = PACKAGES.parent.with_suffix(".log")
NVCC = pathlib.Path(os.environ["CUPRUM_TEST_NVCC"])
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"


def test_pycuda_runs_its_users_programs(tmp_path: pathlib.Path) -> None:
    if not NVCC.exists():
        pytest.skip(f"PyCUDA compiles with nvcc, and {NVCC} is not there; ./run test installs one")
    if not (PACKAGES / "pycuda").is_dir():
        log = LOG.read_text() if LOG.exists() else f"{LOG} is not there either; ./run test builds PyCUDA"
        pytest.fail(f"PyCUDA is not in {PACKAGES}:\n{log}")
    environment = dict(os.environ)
    environment |= {
        "PATH": f"{NVCC.parent}{os.pathsep}{environment['PATH']}",
        "PYTHONPATH": str(PACKAGES),
        "PYCUDA_CACHE_DIR": str(tmp_path),
    }
    result = subprocess.run(
        [os.environ["CUPRUM_TEST_SIMULATE"], sys.executable, str(PROGRAMS / "five_pycuda_programs.py")],
        capture_output=True, text=True, check=False, env=environment, timeout=500,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
