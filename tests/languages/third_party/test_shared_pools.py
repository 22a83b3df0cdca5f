"""Processes that share memory pools and end in any order: none of them crashes."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


def run(program: str, *arguments: str) -> None:
    command = [sys.executable, "-X", "faulthandler", str(HERE / program), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
    # Of a worker that crashed its own faulthandler writes.
    assert "Fatal Python error" not in result.stderr


@pytest.mark.parametrize("kind", ["device", "pinned"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_workers_that_share_a_pool_end_in_any_order(seed: int, kind: str) -> None:
    run("shared_pool_workers.py", str(seed), kind)


@pytest.mark.parametrize("seed", range(8))
def test_forked_children_end_in_any_way(seed: int) -> None:
    run("shared_pool_forks.py", str(seed))
