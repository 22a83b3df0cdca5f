"""Programs written for cuda.core and cuda.bindings run with nothing changed but their import lines."""

from __future__ import annotations

import pathlib
import re

from conftest import RunPython

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"


def with_our_imports(program: pathlib.Path) -> str:
    source, count = re.subn(
        r"^(from|import) cuda\.(?:cccl\.)?", r"\1 cuprum.", program.read_text(encoding="utf-8"), flags=re.M
    )
    assert count > 0, f"{program} imports nothing from cuda"
    return source


def test_cuda_core_in_its_shortest_form(run_python: RunPython) -> None:
    result = run_python(with_our_imports(PROGRAMS / "cuda_python_core.py"))
    assert result.stdout == "cuda.core SAXPY ok\n"


def test_cuda_pathfinder(run_python: RunPython) -> None:
    library, folders = run_python(with_our_imports(PROGRAMS / "cuda_python_pathfinder.py")).stdout.splitlines()
    assert re.fullmatch(r"CUDA runtime library: /.*libcudart\.so\.\d+", library)
    assert re.fullmatch(r"CUDA header directories: \['/.+'\]", folders)


def test_cuda_bindings_with_outputs_as_in_c(run_python: RunPython) -> None:
    result = run_python(with_our_imports(PROGRAMS / "cuda_python_nvrtc_driver.py"))
    assert result.stdout.startswith("PTX:\n")
    assert result.stdout.endswith("SAXPY ok\n")
