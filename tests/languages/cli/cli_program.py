"""Runs the program `cuprum`, on this machine or on one that lacks something."""

from __future__ import annotations

import json
import os
import pathlib
import pty
import subprocess
from typing import Any

#: What a toolkit is found by.
TOOLKIT = ("/usr/local/cuda", "/nvidia/", "libnvrtc", "libcudart", "cuda_runtime.h", "libdevice")
DRIVER = ("libcuda.so",)

#: What the machine that runs the tests has set must not show.
VARIABLES = ("CUPRUM_DRIVER", "CUPRUM_TOOLKIT", "CUPRUM_SIMULATOR_PATH", "LD_LIBRARY_PATH", "CONDA_PREFIX")


def run(
    *arguments: str, hide: tuple[str, ...] = (), environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    variables |= environment or {}
    if hide:
        variables["LD_PRELOAD"] = os.environ["CUPRUM_TEST_HIDE_PATHS"]
        variables["HIDE_PATHS"] = ":".join(hide)
    return subprocess.run(
        [os.environ["CUPRUM_TEST_PROGRAM"], *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=variables,
        cwd="/",
        timeout=60,
    )


def run_on_terminal(*arguments: str, environment: dict[str, str]) -> str:
    """What it prints, standard error included, where both are a terminal."""
    leader, follower = pty.openpty()
    variables = {"PATH": os.environ["PATH"], "TERM": "xterm", **environment}
    process = subprocess.Popen(
        [os.environ["CUPRUM_TEST_PROGRAM"], *arguments], stdout=follower, stderr=follower, env=variables
    )
    os.close(follower)
    text = b""
    # Read meanwhile: a terminal keeps no more than a few kilobytes.
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # how Linux says that nobody has the other end
            break
        if not part:
            break
        text += part
    os.close(leader)
    process.wait(timeout=60)
    return text.decode()


def run_json(*arguments: str, hide: tuple[str, ...] = (), environment: dict[str, str] | None = None) -> Any:
    return json.loads(run(*arguments, "--json", hide=hide, environment=environment).stdout)


def second_toolkit() -> pathlib.Path:
    """The site-packages folder with the wheels of CUDA 12."""
    folder = pathlib.Path(os.environ["CUPRUM_TEST_CUDA12"])
    assert folder.is_dir(), f"{folder} is not there; ./run test installs it"
    return folder
