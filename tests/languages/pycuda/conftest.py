"""What the tests of PyCUDA's interface share. They run on the simulator (CUPRUM_DRIVER=sim, CI) and on a GPU."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from cuprum.compat.pycuda import autoinit, driver

RunPython = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def _context_stack() -> Iterator[None]:
    """A test leaves the context current that it found."""
    yield
    assert driver.Context.get_current() == autoinit.context


@pytest.fixture
def run_python(tmp_path: pathlib.Path) -> RunPython:
    """Runs Python in a fresh process."""

    def run(*arguments: str, check: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, **variables},
        )
        assert not check or result.returncode == 0, result.stderr
        return result

    return run
