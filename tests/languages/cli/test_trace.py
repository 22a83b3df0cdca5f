"""`cuprum trace`: calls, kernels on their streams' rows, ranges; programs that make no call, and that do not start."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import sys
from typing import Any

from cli_program import run

PROGRAM = """
from cuprum.core import Device, LaunchConfig, Program, launch, nvtx
device = Device(0)
source = 'extern "C" __global__ void add_one(int* x) { x[threadIdx.x] += 1; }'
kernel = Program(source).compile("ptx").get_kernel("add_one")
stream, other, numbers = device.create_stream(), device.create_stream(), device.allocate(64)
with nvtx.annotate("outer"):
    for _ in range(3):
        launch(stream, LaunchConfig(grid=2, block=8), kernel, numbers)
    nvtx.mark("half way")
    stream.sync()
    launch(other, LaunchConfig(grid=1, block=4), kernel, numbers)
builder = device.create_graph_builder().begin_building()
launch(builder, LaunchConfig(grid=1, block=4), kernel, numbers)
graph = builder.end_building().complete()
graph.launch(stream)
stream.sync()
other.sync()
"""


def environment() -> dict[str, str]:
    return {"CUPRUM_DRIVER": "sim", "PYTHONPATH": os.environ["PYTHONPATH"]}


def traced(folder: pathlib.Path, *options: str) -> list[dict[str, Any]]:
    file = folder / "trace.json"
    command = ("trace", "-o", str(file), *options, "--", sys.executable, "-c", PROGRAM)
    result = run(*command, environment=environment())
    assert result.returncode == 0, result.stderr
    assert f"the trace is in {file}" in result.stderr
    events: list[dict[str, Any]] = json.loads(file.read_text())
    return events


def test_kernels_are_on_the_rows_of_their_streams(tmp_path: pathlib.Path) -> None:
    events = traced(tmp_path)
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert [kernel["name"] for kernel in kernels] == 4 * ["add_one"]
    assert kernels[0]["args"] == {"grid": [2, 1, 1], "block": [8, 1, 1]}
    assert len({kernel["tid"] for kernel in kernels}) == 2
    names = {event["tid"]: event["args"]["name"] for event in events if event["ph"] == "M"}
    assert all(names[kernel["tid"]].startswith("stream 0x") for kernel in kernels)
    assert len([event for event in events if event.get("cat") == "graph"]) == 1


def test_a_kernel_runs_after_its_launch_has_begun_and_before_what_waits_for_it(tmp_path: pathlib.Path) -> None:
    events = traced(tmp_path)
    launches = [event for event in events if event["name"].startswith("cuLaunchKernel")]
    kernels = sorted((event for event in events if event.get("cat") == "kernel"), key=lambda event: event["ts"])
    slack = 1000  # microseconds between the device's clock and the host's
    assert kernels[0]["ts"] >= launches[0]["ts"] - slack
    (mark,) = (event for event in events if event["name"] == "half way")
    (graph,) = (event for event in events if event["name"] == "cuGraphLaunch")
    assert any(kernel["ts"] >= mark["ts"] - slack for kernel in kernels)
    assert kernels[0]["ts"] + kernels[0]["dur"] <= graph["ts"] + slack  # waited for before
    on_one_stream = [kernel for kernel in kernels if kernel["tid"] == kernels[0]["tid"]]
    for first, second in itertools.pairwise(on_one_stream):
        assert first["ts"] + first["dur"] <= second["ts"] + 1


def test_ranges_and_marks_are_beside_the_calls(tmp_path: pathlib.Path) -> None:
    events = traced(tmp_path)
    (outer,) = (event for event in events if event["name"] == "outer")
    (mark,) = (event for event in events if event["name"] == "half way")
    assert outer["cat"] == mark["cat"] == "nvtx"
    assert outer["ts"] <= mark["ts"] <= outer["ts"] + outer["dur"]
    assert mark["ph"] == "i"


def test_kernels_can_be_left_out(tmp_path: pathlib.Path) -> None:
    events = traced(tmp_path, "--no-kernels")
    assert not [event for event in events if event.get("cat") in ("kernel", "graph")]
    assert not [event for event in events if event["name"] == "cuEventRecord"]


def test_a_command_without_calls_has_no_trace_and_keeps_its_status(tmp_path: pathlib.Path) -> None:
    result = run("trace", "-o", str(tmp_path / "t.json"), "--", "sh", "-c", "exit 7")
    assert result.returncode == 7
    assert "no call through Cuprum" in result.stderr


def test_a_command_that_cannot_be_started_is_named() -> None:
    result = run("trace", "--", "/nowhere/program")
    assert result.returncode == 127
    assert "/nowhere/program" in result.stderr
    assert run("trace").returncode == 2
