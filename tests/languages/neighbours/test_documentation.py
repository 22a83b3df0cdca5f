"""The programs of docs/ that need another library, and the examples beside other libraries."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest
from libraries import LIBRARIES, why_not

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The second word of a block's fence -> what must be there to run it.
MODULES = {
    "cuda.core": "cuda.core",
    "cupy": "cupy",
    "dask": "distributed",
    "jax": "jax",
    "numba": "numba.cuda",
    "pyopencl": "pyopencl",
    "tensorflow": "tensorflow",
    "torch": "torch",
}


def require(module: str) -> None:
    try:
        is_there = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        pytest.skip(f"did not run: {module} is not installed")
    for library in LIBRARIES:
        if library.module == module and (reason := why_not(library)):
            pytest.skip(f"did not run: {reason}")


def programs() -> list[Any]:
    found = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), start=1):
            found.append(pytest.param(match[1], match[2], id=f"{page.stem}-{number}-{match[1]}"))
    return found


def run(program: pathlib.Path) -> str:
    ended = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0", "PYOPENCL_NO_CACHE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize(("library", "code"), programs())
def test_a_program_of_the_documentation_runs(library: str, code: str, tmp_path: pathlib.Path) -> None:
    require(MODULES[library])
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    run(program)


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("numba_kernels", "numba.cuda"),
        ("cupy_sine", "cupy"),
        ("torch_sine", "torch"),
        ("pyopencl_add", "pyopencl"),
        ("dask_sort", "distributed"),
    ],
)
def test_an_example_runs(name: str, module: str) -> None:
    require(module)
    assert run(ROOT / "examples" / "neighbours" / f"{name}.py").endswith(": ok\n")


def test_every_example_is_run() -> None:
    written = {path.stem for path in (ROOT / "examples" / "neighbours").glob("*.py")}
    # Ray's wheel is large: its example says that no test runs it.
    assert written == {"numba_kernels", "cupy_sine", "torch_sine", "pyopencl_add", "dask_sort", "ray_sort"}
