"""Two real toolkits, CUDA 12 and 13, installed side by side: each is chosen whole."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import pytest
from cli_program import VARIABLES, run_json, second_toolkit

# Compiles with the toolkit that is in use and reports of which version each piece of it was: NVRTC says it itself, and
# by the version of the PTX that it writes; CCCL's headers say theirs where they are included.
COMPILE = """
import json
from cuprum import _cuprum, pathfinder
from cuprum.core import Program
if {chosen!r}:
    pathfinder.Toolkit({chosen!r}).use()
source = '#include <cub/version.cuh>\\nextern "C" __constant__ int cub = CUB_MAJOR_VERSION;'
code = Program(source, "versions.cu").compile("ptx").code.decode()
toolkit = pathfinder.Toolkit.in_use()
print(json.dumps({{
    "version": toolkit.version,
    "nvrtc": _cuprum.cuprum_nvrtc_version(),
    "ptx": code.split(".version ")[1].split()[0],
    "cub": code.split("cub = ")[1].split(";")[0],
    "paths": [pathfinder.find_cuda_library("nvrtc"), pathfinder.find_cuda_library("nvJitLink"),
              *pathfinder.find_cuda_include_dirs()],
    "loaded": pathfinder.load_nvidia_dynamic_lib("nvJitLink").abs_path,
    "findings": toolkit.check(),
}}))
"""


def compile_with(*, variable: str = "", chosen: str = "") -> Any:
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment |= {"CUPRUM_DRIVER": "sim", "CUPRUM_TOOLKIT": variable}
    # Both are on the path of this Python, as in an environment into which both were installed.
    environment["PYTHONPATH"] += os.pathsep + str(second_toolkit())
    command = [sys.executable, "-c", COMPILE.format(chosen=chosen)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("how", ["variable", "chosen"])
@pytest.mark.parametrize(
    ("wanted", "version", "ptx", "cub", "in_second"),
    [("12", [12, 4], "8.4", "2", True), (">=12.4,<13", [12, 4], "8.4", "2", True), ("13", [13, 0], "9.0", "3", False)],
)
def test_each_is_chosen_whole(how: str, wanted: str, version: list[int], ptx: str, cub: str, in_second: bool) -> None:
    report = compile_with(**{how: wanted})
    assert report["version"] == ".".join(map(str, version))
    assert report["nvrtc"] == version
    assert report["ptx"] == ptx
    assert report["cub"] == cub
    assert report["findings"] == []
    assert report["loaded"] in report["paths"]
    for path in report["paths"]:
        assert path.startswith(str(second_toolkit())) is in_second, path


def test_without_a_wish_the_first_one_is_taken_whole() -> None:
    report = compile_with()
    assert report["nvrtc"] == [
        12,
        4,
    ]  # wheels come before CUDA_PATH and /usr/local, or before other wheels by their order
    assert report["cub"] == "2"


def test_the_older_one_compiles_without_a_cache() -> None:
    # NVRTC 12.4 does not know --no-cache.
    code = """
from cuprum import pathfinder
from cuprum.core import Program, ProgramOptions
pathfinder.Toolkit("12").use()
options = ProgramOptions(no_cache=True, arch="compute_80")
print(Program("__global__ void k() {}", "c++", options).compile("ptx").code.decode())
"""
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment["PYTHONPATH"] += os.pathsep + str(second_toolkit())
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"CUPRUM_DRIVER": "sim"},
        timeout=60,
    )
    assert ".version 8.4" in result.stdout, result.stdout + result.stderr


def test_a_toolkit_cannot_be_put_in_use_once_the_other_has_compiled() -> None:
    code = """
import cuprum
from cuprum import pathfinder
from cuprum.core import Program
pathfinder.Toolkit("13").use()
Program("__global__ void k() {}", "k.cu").compile("ptx")
try:
    pathfinder.Toolkit("12").use()
except cuprum.InvalidState as error:
    print(error)
print(pathfinder.Toolkit.in_use().version)
"""
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment["PYTHONPATH"] += os.pathsep + str(second_toolkit())
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"CUPRUM_DRIVER": "sim"},
        timeout=60,
    )
    assert "NVRTC of another toolkit is open already" in result.stdout, result.stdout + result.stderr
    assert result.stdout.endswith("\n13.0\n")


def test_the_tool_finds_both() -> None:
    folder = second_toolkit() / "nvidia" / "cuda_nvrtc" / "lib"
    environment = {"LD_LIBRARY_PATH": str(folder), "CUPRUM_DRIVER": "sim"}
    for wanted, major in (("12", "12"), ("13", "13")):
        part = run_json("find", "nvrtc", "--toolkit", wanted, environment=environment)
        assert part["path"].endswith(f"libnvrtc.so.{major}")
        information = run_json("info", "--toolkit", wanted, environment=environment)
        assert information["toolkit"]["version"].startswith(major)
        versions = {
            part["version"] for part in information["parts"] if part["name"] in ("nvrtc", "nvJitLink", "cudart", "cccl")
        }
        assert {version.split(".")[0] for version in versions if version} == {major}


def test_what_only_the_other_toolkit_has_is_refused_until_it_is_named(tmp_path: pathlib.Path) -> None:
    # A toolkit of CUDA 13 with libdevice, and the wheels of CUDA 12 without the one that brings it. Their files are
    # linked, beside them: symbolic links would lead to the whole, and the files are large.
    wheels = pathlib.Path(tempfile.mkdtemp(prefix="without-nvcc-", dir=second_toolkit().parent))
    without_nvcc = shutil.ignore_patterns("cuda_nvcc")
    shutil.copytree(second_toolkit() / "nvidia", wheels / "nvidia", copy_function=os.link, ignore=without_nvcc)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "cuda.h").write_text("#define CUDA_VERSION 13000\n")
    libdevice = tmp_path / "nvvm" / "libdevice" / "libdevice.10.bc"
    libdevice.parent.mkdir(parents=True)
    libdevice.write_bytes(b"BC\xc0\xde")
    code = """
from cuprum import pathfinder
try:
    print("mixed in", pathfinder.Toolkit("12").find_bitcode_lib("device"))
except pathfinder.BitcodeLibNotFoundError as error:
    print("refused" if "is of CUDA 13.0" in str(error) else "absent", error)
print(pathfinder.Toolkit("12", from_elsewhere=["device"]).find_bitcode_lib("device"))
"""
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment["PYTHONPATH"] += os.pathsep + str(wheels)
    environment["CUDA_PATH"] = str(tmp_path)
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    shutil.rmtree(wheels)
    assert result.stdout.startswith("refused"), result.stdout + result.stderr
    assert result.stdout.splitlines()[-1] == str(libdevice)
