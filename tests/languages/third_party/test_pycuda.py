"""PyCUDA, built from its source as it comes: its programs, compiled by nvcc, run on the simulator unmodified."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

PACKAGES = pathlib.Path(os.environ["CUPRUM_TEST_PYCUDA"]) / "packages"
LOG = PACKAGES.parent.with_suffix(".log")
NVCC = pathlib.Path(os.environ["CUPRUM_TEST_NVCC"])
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"
OUR_PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "pycuda" / "programs"

#: Runs programs in one process, and writes what each has printed, or why it failed. PyCUDA's own kernels say where
#: they were compiled.
RUN_ALL = """
import contextlib, io, json, runpy, sys, traceback
import pycuda.autoinit
printed = {}
for program in sys.argv[2:]:
    with contextlib.redirect_stdout(io.StringIO()) as output:
        try:
            runpy.run_path(program, run_name="__main__")
        except BaseException:
            traceback.print_exc(file=output)
    lines = output.getvalue().splitlines(keepends=True)
    printed[program] = "".join(line for line in lines if not line.startswith("*** compiler output"))
json.dump(printed, open(sys.argv[1], "w"))
"""
#: PyCUDA is built without cuRAND's host library, which its curandom needs.
WITHOUT_CURAND = {"random_numbers"}
#: Programs of GPUArray, for which nvcc compiles 130 kernels in two minutes. They run where this variable is set.
USES_ARRAYS = re.compile(r"pycuda\.(gpuarray|cumath|elementwise|reduction|scan|curandom)|import gpuarray")
WITH_ALL_PROGRAMS = "CUPRUM_TEST_ALL_PYCUDA_PROGRAMS"


def environment_of_pycuda(tmp_path: pathlib.Path) -> dict[str, str]:
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
    return environment


def run_pycuda(environment: dict[str, str], *arguments: str) -> str:
    result = subprocess.run(
        [os.environ["CUPRUM_TEST_SIMULATE"], sys.executable, *arguments],
        capture_output=True, text=True, check=False, env=environment, timeout=500,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_pycuda_runs_its_users_programs(tmp_path: pathlib.Path) -> None:
    run_pycuda(environment_of_pycuda(tmp_path), str(PROGRAMS / "five_pycuda_programs.py"))


def test_pycuda_prints_what_cuprum_compat_pycuda_is_held_to(tmp_path: pathlib.Path) -> None:
    programs = sorted(path for path in OUR_PROGRAMS.glob("*.py") if path.stem not in WITHOUT_CURAND)
    if not os.environ.get(WITH_ALL_PROGRAMS):
        programs = [path for path in programs if not USES_ARRAYS.search(path.read_text(encoding="utf-8"))]
    # PyCUDA remembers kernels by the number of their context, which the contexts of that program get again.
    programs.sort(key=lambda path: path.stem == "contexts")
    assert len(programs) >= 20
    run_all, printed = tmp_path / "run_all.py", tmp_path / "printed.json"
    run_all.write_text(RUN_ALL)
    run_pycuda(environment_of_pycuda(tmp_path), str(run_all), str(printed), *map(str, programs))
    outputs = json.loads(printed.read_text())
    expected = {str(program): program.with_suffix(".out").read_text(encoding="utf-8") for program in programs}
    assert outputs == expected


def test_the_list_of_pycudas_names_is_complete(tmp_path: pathlib.Path) -> None:
    root = pathlib.Path(__file__).resolve().parents[3]
    listed = (root / "docs" / "pycuda-names.txt").read_text(encoding="utf-8").splitlines()
    names = [line.partition("  ")[0] for line in listed if not line.startswith("#")]
    by_hand = ("curandom.", "autoinit.", "autoprimaryctx.")
    output = run_pycuda(environment_of_pycuda(tmp_path), str(root / "scripts" / "pycuda_names.py"))
    assert output.split() == [name for name in names if not name.startswith(by_hand)]
