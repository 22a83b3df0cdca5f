"""What the environment asks of a process: CUPRUM_TRACE, CUPRUM_FAULT, CUPRUM_PER_THREAD_DEFAULT_STREAM."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile

program = sys.argv[1]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def results(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("cu")]


def test_a_chrome_trace_is_whole_also_when_the_process_dies() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for arguments, status in (((), 0), (("abort",), -6)):
            path = pathlib.Path(folder) / "calls.json"
            assert run(*arguments, CUPRUM_TRACE=str(path)).returncode == status
            calls = json.loads(path.read_text())
            assert [call["name"] for call in calls] == ["cuInit"] + 3 * ["cuDeviceGetCount"]
            assert calls[0]["args"] == {"Flags": 0, "result": "CUDA_SUCCESS"}
            assert all(call["ph"] == "X" and call["cat"] == "driver" and call["dur"] >= 0 for call in calls)
            assert [call["ts"] for call in calls] == sorted(call["ts"] for call in calls)


def test_any_other_file_is_text() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "calls.txt"
        run(CUPRUM_TRACE=str(path))
        assert path.read_text().splitlines()[0].endswith("cuInit(Flags=0) = CUDA_SUCCESS")


def test_faults_make_calls_fail() -> None:
    finished = run(CUPRUM_FAULT="cuInit=CUDA_ERROR_NO_DEVICE,cuDeviceGetCount:2+=700")
    assert results(finished.stdout) == ["cuInit 100", "cuDeviceGetCount 0"] + 2 * ["cuDeviceGetCount 700"] or (
        # a driver whose cuInit was not called says so
        results(finished.stdout) == ["cuInit 100", "cuDeviceGetCount 3"] + 2 * ["cuDeviceGetCount 700"]
    ), finished.stdout


def test_what_cannot_be_done_makes_every_call_fail_and_is_explained() -> None:
    for environment, part in (
        ({"CUPRUM_TRACE": "/nonexistent/calls.json"}, "/nonexistent/calls.json"),
        ({"CUPRUM_FAULT": "cuInit=NONSENSE"}, "NONSENSE"),
        ({"CUPRUM_PER_THREAD_DEFAULT_STREAM": "yes"}, "expected 0 or 1"),
    ):
        finished = run(**environment)
        assert results(finished.stdout) == ["cuInit 303"] + 3 * ["cuDeviceGetCount 303"], finished.stdout
        assert part in finished.stdout, finished.stdout


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("ok", name)
