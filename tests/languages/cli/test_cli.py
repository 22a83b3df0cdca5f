"""`cuprum find`, `info`, `devices`, help and usage errors: output, JSON, colour, exit codes."""

from __future__ import annotations

import pathlib

import pytest
from cli_program import DRIVER, TOOLKIT, run, run_json, run_on_terminal


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
    ("arguments", "problem"),
    [
        (("fnid", "nvrtc"), "there is no command 'fnid'\ndid you mean find?"),
        (("--json",), "there is no command\n"),
        (("find",), "find needs the name of a part"),
        (("find", "nvrtc", "cudart"), "find takes one name, given also 'cudart'"),
        (("info", "nvrtc"), "info takes options alone, given 'nvrtc'"),
        (("info", "--kind", "headers"), "there is no option --kind"),
        (("find", "nvrtc", "--kind", "book"), "there is no kind 'book'"),
        (("find", "nvrtc", "--kind"), "--kind needs a value"),
        (("find", "nvrtc", "--json=yes"), "--json takes no value"),
        (("find", "nvrtc", "--verbos"), "there is no option --verbos\ndid you mean --verbose?"),
        (("find", "nvrtc", "-x"), "there is no option -x"),
        (("find", "nvrtc", "--toolkit", "newest"), '"newest" is not a condition'),
        (("compile",), "compile needs a file"),
        (("compile", "/nowhere/a.cu"), "cannot read /nowhere/a.cu: No such file or directory"),
        (("compile", "/"), "cannot read /: it is a folder"),
        (("compile", "a.cu", "--type", "exe"), "there is no type 'exe'"),
        (("run",), "run needs a file"),
        (("run", "a.cu", "--grid", "0"), "--grid takes one to three whole numbers from 1, given '0'"),
        (("run", "a.cu", "--block", "1,2,3,4"), "--block takes one to three"),
        (("run", "a.cu", "--shared", "-1"), "--shared takes a whole number"),
        (("run", "a.cu", "2.5"), "argument '2.5': it has no type\nwrite f32:2.5"),
        (("run", "a.cu", "f16:2.5"), "there is no type 'f16'"),
        (("run", "a.cu", "f32"), "it has no value"),
        (("run", "a.cu", "f32:two"), "'two' is not a number"),
        (("run", "a.cu", "f32:1e300"), "'1e300' does not fit: the type has 32 bits"),
        (("run", "a.cu", "i8:128"), "'128' does not fit: the type has 8 bits"),
        (("run", "a.cu", "u32:-1"), "'-1' does not fit"),
        (("run", "a.cu", "i32:1.5"), "'1.5' is not a whole number"),
        (("run", "a.cu", "f32[3]=1,2"), "it has 2 values for 3 elements"),
        (("run", "a.cu", "f32[x]"), "'x' is not a number of elements"),
        (("run", "a.cu", "f32[3"), "the ']' is missing"),
        (("run", "a.cu", "f32[3]="), "there is nothing behind '='"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments: tuple[str, ...], problem: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("cuprum: ")
    assert problem in result.stderr
    # Nothing of how the tool is made.
    for internal in ("invalid_argument", "reading the command line", "Error", "cuprum::"):
        assert internal not in result.stderr


COMMANDS = ("find", "info", "devices", "doctor", "compile", "run", "version")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",), ("help",)])
def test_alone_it_prints_its_commands(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 0
    assert result.stderr == ""
    for word in (*COMMANDS, "usage:", "exit codes:", "CUPRUM_DRIVER"):
        assert word in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_of_its_own(command: str) -> None:
    text = run(command, "--help").stdout
    assert text.startswith(f"usage: cuprum {command}")
    assert run("help", command).stdout == text
    assert run(command, "-h").stdout == text


def test_version() -> None:
    assert run("version").stdout == run("--version").stdout
    assert run("version").stdout.startswith("cuprum 0.")


def test_options_may_come_before_the_command() -> None:
    assert run("--toolkit", ">=12", "--json", "find", "nvrtc").stdout.startswith("{")


def test_devices_are_listed() -> None:
    simulator = {"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "devices=2"}
    text = run("devices", environment=simulator).stdout
    assert text.count("simulator, sm_80") == 2
    assert [device["id"] for device in run_json("devices", environment=simulator)] == [0, 1]
    without = run("devices", hide=DRIVER)
    assert without.returncode == 1
    assert "no usable CUDA driver" in without.stderr
    assert "CUPRUM_DRIVER=sim" in without.stderr


def test_json_is_indented() -> None:
    lines = run("info", "--json", environment={"CUPRUM_DRIVER": "sim"}).stdout.splitlines()
    assert lines[:3] == ["{", '  "cuprum": {', '    "version": ' + lines[2].split(": ")[1]]
    assert lines[-1] == "}"
    assert not any(len(line) - len(line.lstrip()) > 10 for line in lines)
    assert run("doctor", "--json", environment={"CUPRUM_DRIVER": "sim"}).stdout.startswith("[\n  {\n")


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
    for command in ("doctor", "info", "--help", "devices"):
        environment = {"CUPRUM_DRIVER": "sim", **variables}
        assert "\x1b" not in run(command, environment=environment).stdout
        text = run_on_terminal(command, environment=environment)
        assert text
        assert ("\x1b[" in text) is coloured, command


def test_headings_are_coloured_as_findings_are() -> None:
    text = run_on_terminal("info", environment={"CUPRUM_DRIVER": "sim"})
    for heading in ("Cuprum", "driver", "device 0", "toolkit", "dynamic libraries", "conflicts"):
        assert f"\x1b[1;36m{heading}\x1b[0m" in text
    usage = run_on_terminal("fnid", environment={})
    assert usage.startswith("\x1b[1;31mcuprum:\x1b[0m there is no command")
