"""Programs that are written for cuda.core run with cuprum.core, after its name is replaced in their imports."""

from __future__ import annotations

import pathlib
import re

import pytest
from conftest import RunPython

PROGRAMS = sorted((pathlib.Path(__file__).parents[1] / "drop_in").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_for_cuda_core_runs(program: pathlib.Path, run_python: RunPython) -> None:
    source, count = re.subn(r"\bcuda\.(core|bindings)\b", r"cuprum.\1", program.read_text())
    assert count
    assert run_python(source).stdout == "done\n"


def test_there_are_ten() -> None:
    assert len(PROGRAMS) >= 10
