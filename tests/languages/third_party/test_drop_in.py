"""The programs of tests/languages/drop_in with cuda.core itself, for which they are written."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parents[1] / "drop_in").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_runs(program: pathlib.Path) -> None:
    result = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=120)
    assert result.stdout == "done\n", result.stderr
