"""`cuprum find` and `cuprum info`: output, JSON, colour, exit codes."""

from __future__ import annotations

import os
import pathlib
import pty
import subprocess

import pytest
from cli_program import DRIVER, TOOLKIT, run, run_json


def test_find_prints_the_path_alone() -> None:
    result = run("find", "nvrtc")
    assert result.returncode == 0
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    assert pathlib.Path(line).name.startswith("libnvrtc.so")
    assert pathlib.Path(line).exists()


def test_find_says_how_it_was_found() -> None:
    result = run("find", "nvrtc", "--verbose")
    assert "found via " in result.stdout
    part = run_json("find", "nvrtc")
    assert part["kind"] == "dynamic library"
    assert part["path"] == result.stdout.splitlines()[0]
    assert part["found_via"] in result.stdout
    assert part["version"].count(".") == 1
    assert isinstance(part["rejected"], list)


def test_find_takes_the_kind_that_has_the_name_or_the_one_asked_for() -> None:
    library = run("find", "cudart").stdout
    headers = run("find", "cudart", "--kind", "headers").stdout
    assert ".so" in library
    assert (pathlib.Path(headers.strip()) / "cuda.h").exists()
    assert run("find", "cccl").stdout.strip().endswith(("include", "cccl"))


def test_a_part_that_is_not_there_lists_where_it_was_looked_for() -> None:
    result = run("find", "nvrtc", hide=TOOLKIT)
    assert result.returncode == 1
    assert result.stdout == ""
    assert "/usr/local/cuda" in result.stderr
    assert "pip install nvidia-cuda-nvrtc" in result.stderr
    part = run_json("find", "nvrtc", hide=TOOLKIT)
    assert part["path"] is None
    assert {"path": "/usr/local/cuda/lib64", "reason": "does not exist"} in part["rejected"]


def test_an_unknown_name_offers_the_nearest_one() -> None:
    result = run("find", "nvrct")
    assert result.returncode == 2
    assert "did you mean nvrtc" in result.stderr
    assert "did you mean nvdisasm" in run("find", "nvdisam").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("fnid", "nvrtc"),
        ("find",),
        ("find", "nvrtc", "cudart"),
        ("info", "nvrtc"),
        ("info", "--kind", "headers"),
        ("find", "nvrtc", "--kind", "book"),
        ("find", "nvrtc", "--kind"),
        ("find", "nvrtc", "--colour"),
        ("find", "nvrtc", "--toolkit", "newest"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("cuprum: ")


def test_help_and_version() -> None:
    usage = run("--help")
    assert usage.returncode == 0
    for word in ("find NAME", "info", "doctor", "--json", "Exit codes"):
        assert word in usage.stdout
    assert run("--version").stdout.startswith("cuprum 0.")


def test_a_toolkit_that_does_not_fit_is_not_taken() -> None:
    result = run("find", "nvrtc", "--toolkit", "<12")
    assert result.returncode == 1
    assert "does not allow" in result.stderr


def test_info_has_driver_devices_and_every_part() -> None:
    information = run_json("info", environment={"CUPRUM_DRIVER": "sim"})
    assert information["driver"]["simulator"] is True
    assert information["devices"][0]["id"] == 0
    assert information["toolkit"]["version"]
    assert information["conflicts"] == []
    parts = {(part["kind"], part["name"]): part for part in information["parts"]}
    assert pathlib.Path(parts["dynamic library", "nvrtc"]["path"]).exists()
    for kind, name in [("headers", "cccl"), ("bitcode library", "device"), ("static library", "cudadevrt")]:
        assert (kind, name) in parts
    assert all(part["path"] is not None or part["rejected"] for part in information["parts"])


def test_info_as_text_has_the_same() -> None:
    text = run("info", environment={"CUPRUM_DRIVER": "sim"}).stdout
    for word in ("Cuprum ", "driver ", "simulator", "device 0", "toolkit ", "libnvrtc.so", "conflicts"):
        assert word in text
    assert "not found" not in text
    assert "not found" in run("info", "-v", environment={"CUPRUM_DRIVER": "sim"}).stdout


def test_info_on_a_machine_with_nothing_says_so_and_does_not_fail() -> None:
    result = run("info", hide=TOOLKIT + DRIVER)
    assert result.returncode == 0
    assert result.stdout.count("none\n") >= 2
    assert run_json("info", hide=TOOLKIT + DRIVER)["toolkit"]["error"]


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_only_on_a_terminal(variables: dict[str, str], coloured: bool) -> None:
    assert "\x1b" not in run("doctor").stdout
    leader, follower = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "CUPRUM_DRIVER": "sim", **variables}
    command = [os.environ["CUPRUM_TEST_PROGRAM"], "doctor"]
    subprocess.run(command, stdout=follower, env=environment, check=False, timeout=60)
    os.close(follower)
    text = os.read(leader, 65536).decode()
    os.close(leader)
    assert text
    assert ("\x1b[" in text) is coloured
