"""benchmarks/parallel_table.py with a stand-in for the baseline, and NumPy in CuPy's place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
BUILD = os.environ["CUPRUM_TEST_BUILD"]
BASELINES = [os.environ["CUPRUM_TEST_BASELINE_32"], os.environ["CUPRUM_TEST_BASELINE_64"]]
ROWS = ["reduce sum f32", "radix keys u32"]

STAND_IN = """
import os, time
from types import SimpleNamespace
import numpy
from numpy import *

def asnumpy(array):
    return array

if os.environ.get("CUPRUM_TEST_CUPY") == "wrong":
    def sort(array, **options):
        return array

class Event:
    def record(self):
        self.time = time.perf_counter()

    def synchronize(self):
        pass

cuda = SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: (end.time - begin.time) * 1e3)
"""


@pytest.fixture
def peers(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "torch.py").write_text("raise ImportError('there is none')")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(script: str, *arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def table(baselines: list[str], environment: dict[str, str]) -> tuple[int, dict[tuple[str, str], list[str]]]:
    """The exit status, and the columns after algorithm and n."""
    chosen = [word for row in ROWS for word in ("--only", row)]
    ended = run("parallel_table.py", BUILD, *baselines, "--sizes", "10,12", *chosen, environment=environment)
    lines = [[field.strip() for field in line.split("\t")] for line in ended.stdout.splitlines() if line[0] != "#"]
    assert lines, ended.stderr
    assert lines[0][:5] == ["algorithm", "n", "here", "CUB", "CUB, 64-bit"]
    return ended.returncode, {(line[0], line[1]): line[2:] for line in lines[1:]}


def test_each_column_is_of_its_own_library(peers: dict[str, str]) -> None:
    status, rows = table(BASELINES, peers)
    assert status == 0
    assert list(rows) == [(row, size) for row in ROWS for size in ("2^10", "2^12")]
    for (name, _), (here, cub, cub_64, cupy, torch, ratio, results) in rows.items():
        # The second baseline has no reduction.
        faster = min(float(cub), float(cub_64)) if name == "radix keys u32" else float(cub)
        assert (cub_64 == "") == (name == "reduce sum f32")
        assert float(ratio) == pytest.approx(float(here) / faster, rel=0.01, abs=0.001)
        assert float(cupy) > 0
        assert torch == ""
        assert results == "equal"


def test_a_baseline_and_peers_may_be_missing(peers: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text("raise ImportError('there is none')")
    status, rows = table(BASELINES[:1], peers)
    assert status == 0
    assert all(fields[2:5] == ["", "", ""] for fields in rows.values())


@pytest.mark.parametrize(
    ("setting", "expected"), [("CUPRUM_TEST_BASELINE", "DIFFERENT"), ("CUPRUM_TEST_CUPY", "equal, CuPy DIFFERENT")]
)
def test_results_that_differ_are_seen(peers: dict[str, str], setting: str, expected: str) -> None:
    status, rows = table(BASELINES, {**peers, setting: "wrong"})
    assert status == 1
    assert rows["radix keys u32", "2^12"][-1] == expected


def test_a_row_that_fails_is_named(peers: dict[str, str]) -> None:
    arguments = [BUILD, BASELINES[1], "--sizes", "10", "--only", "reduce sum f32"]
    ended = run("parallel_table.py", *arguments, environment=peers)
    assert ended.returncode == 1
    assert "# FAILED: the baseline has no cub_reduce_f32" in ended.stdout


def test_the_peers_calls_are_what_numpy_has(peers: dict[str, str]) -> None:
    ended = run("parallel_peers.py", "cupy", "--sizes", "10,13", environment=peers)
    rows = [line.split("\t") for line in ended.stdout.splitlines()]
    assert ended.stderr == ""
    assert len(rows) == 2 * 20
    assert {row[3] for row in rows} == {"equal"}
