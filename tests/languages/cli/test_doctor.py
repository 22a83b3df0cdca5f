"""`cuprum doctor` on machines that lack something, and on set-ups that are wrong: each remedy is one that mends it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import pytest
from cli_program import DRIVER, TOOLKIT, VARIABLES, run, run_json

SIMULATOR = {"CUPRUM_DRIVER": "sim"}


def errors(findings: list[Any]) -> set[str]:
    return {finding["subject"] for finding in findings if finding["severity"] == "error"}


def test_with_nothing_driver_and_toolkit_are_missing() -> None:
    result = run("doctor", hide=TOOLKIT + DRIVER)
    assert result.returncode == 1
    assert "error: driver:" in result.stdout
    assert "error: toolkit:" in result.stdout
    assert "export CUPRUM_DRIVER=sim" in result.stdout
    assert "pip install nvidia-cuda-nvrtc" in result.stdout
    assert errors(run_json("doctor", hide=TOOLKIT + DRIVER)) == {"driver", "toolkit"}


def test_with_a_toolkit_and_no_driver_only_the_driver_is_missing() -> None:
    assert run("doctor", hide=DRIVER).returncode == 1
    assert errors(run_json("doctor", hide=DRIVER)) == {"driver"}


def test_with_everything_all_is_well() -> None:
    # The simulator's driver stands for the driver.
    result = run("doctor", environment=SIMULATOR)
    assert result.returncode == 0
    assert result.stdout.endswith("all is well\n")
    assert errors(run_json("doctor", environment=SIMULATOR)) == set()


def test_each_finding_says_what_to_do() -> None:
    for finding in run_json("doctor", hide=TOOLKIT + DRIVER):
        assert set(finding) == {"severity", "subject", "problem", "remedy"}
        assert finding["remedy"]


def test_a_wrong_option_of_the_simulator_is_an_error_that_names_it() -> None:
    environment = {"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "cc=8.1"}
    result = run("doctor", environment=environment)
    assert result.returncode == 1
    assert "CUPRUM_SIM: cc=8.1 is not valid, expected one of 7.5, 8.0" in result.stdout
    assert "CUPRUM_SIM: cc=8.1 is not valid" in run("info", environment=environment).stdout
    assert errors(run_json("doctor", environment=environment)) == {"CUPRUM_SIM"}


# --- remedies, carried out -------------------------------------------------------------------------------------------


def after(remedy: str, environment: dict[str, str], hide: tuple[str, ...] = ()) -> list[Any]:
    """What is found by a shell that has carried out a remedy: all of its text, comment included."""
    variables = {name: value for name, value in os.environ.items() if name not in VARIABLES} | environment
    # Hidden from the program alone: the shell is to run as it is.
    preload = f"LD_PRELOAD={os.environ['CUPRUM_TEST_HIDE_PATHS']} HIDE_PATHS={':'.join(hide)} " if hide else ""
    script = f'{remedy}\n{preload}"$CUPRUM_TEST_PROGRAM" doctor --json'
    result = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=False, env=variables)
    assert result.returncode in (0, 1), result.stderr
    found: list[Any] = json.loads(result.stdout)
    return found


def mend(subject: str, environment: dict[str, str], hide: tuple[str, ...] = ()) -> Any:
    """Sees that there is a finding, and that each of its remedies makes it go away; returns the finding."""
    findings = [f for f in run_json("doctor", environment=environment, hide=hide) if f["subject"] == subject]
    findings = [finding for finding in findings if finding["severity"] != "note"]
    assert len(findings) == 1, findings
    for remedy in findings[0]["remedy"].split("\nor: "):
        if remedy.startswith(("sudo ", "pip ", "docker ", "wsl.exe ", "nvidia-smi ", "python3 -m venv")):
            continue  # what a test cannot do to the machine
        left = after(remedy, environment, hide)
        assert not [f for f in left if f["subject"] == subject and f["severity"] != "note"], (remedy, left)
    return findings[0]


WRONG_VARIABLES = [
    ("CUPRUM_DRIVER", "gup", "CUPRUM_DRIVER"),
    ("CUPRUM_TOOLKIT", "newest", "CUPRUM_TOOLKIT"),
    ("CUPRUM_TOOLKIT", ">=14", "toolkit"),
    ("CUPRUM_TOOLKIT", "<12", "toolkit"),
    ("CUPRUM_SIM", "cc=8.1", "CUPRUM_SIM"),
    ("CUPRUM_SIM", "devices=0", "CUPRUM_SIM"),
    ("CUPRUM_SIM", "nonsense", "CUPRUM_SIM"),
    ("CUPRUM_SIM_NVML", "temperature=hot", "CUPRUM_SIM_NVML"),
    ("CUPRUM_SIMULATOR_PATH", "/nowhere", "driver"),
    ("CUPRUM_SIMULATOR_PATH", "relative", "driver"),
    ("CUPRUM_SIMULATOR_PATH", "/etc/passwd", "driver"),
    ("CUPRUM_CACHE_DIR", "/proc/cuprum", "compile cache"),
    ("CUPRUM_CACHE_DIR", "/etc/passwd", "compile cache"),
    ("CUPRUM_CACHE_SIZE", "much", "compile cache"),
    ("CUPRUM_CCCL_PATH", "/nowhere", "CUPRUM_CCCL_PATH"),
    ("CUPRUM_LIBRARY_PATH", "/nowhere", "CUPRUM_LIBRARY_PATH"),
    ("CUPRUM_SIM_NVRTC", "/nowhere/libnvrtc.so.13", "CUPRUM_SIM_NVRTC"),
    ("CUPRUM_SIM_NVJITLINK", "/nowhere/libnvJitLink.so.13", "CUPRUM_SIM_NVJITLINK"),
    ("CUPRUM_TRACE", "/nowhere/trace.txt", "CUPRUM_TRACE"),
    ("CUPRUM_TUNINGS", "/nowhere/table.txt", "CUPRUM_TUNINGS"),
    ("CUPRUM_TUNINGS", "/etc/passwd", "CUPRUM_TUNINGS"),
    ("CUPRUM_FAULT", "cuNothing=1", "CUPRUM_FAULT"),
    ("CUPRUM_FAULT", "cuInit=CUDA_ERROR_NO_DEVICE", "CUPRUM_FAULT"),
    ("CUPRUM_PER_THREAD_DEFAULT_STREAM", "yes", "CUPRUM_PER_THREAD_DEFAULT_STREAM"),
    ("CUDA_PATH", "/nowhere", "CUDA_PATH"),
    ("CUDA_PATH", "/etc", "CUDA_PATH"),
    ("CUDA_HOME", "relative", "CUDA_HOME"),
    ("CONDA_PREFIX", "/nowhere", "CONDA_PREFIX"),
    ("CUDNN_PATH", "/nowhere", "CUDNN_PATH"),
    ("LD_LIBRARY_PATH", "lib:/usr/lib", "LD_LIBRARY_PATH"),
    ("LD_LIBRARY_PATH", "/usr/local/cuda/lib64/stubs", "LD_LIBRARY_PATH"),
]


@pytest.mark.parametrize(("variable", "value", "subject"), WRONG_VARIABLES)
def test_a_wrong_variable_is_found_and_its_remedy_mends_it(variable: str, value: str, subject: str) -> None:
    finding = mend(subject, {**SIMULATOR, variable: value})
    assert any(entry in finding["problem"] for entry in value.split(":")) or variable == "CUPRUM_CACHE_DIR"


def test_no_variable_that_cuprum_reads_is_left_out() -> None:
    # Switches, of which every value means something.
    switches = {"CUPRUM_CACHE", "CUPRUM_SIM_INTERPRETER", "CUPRUM_HOST_AVX2", "CUPRUM_TRACE_KERNELS"}
    root = pathlib.Path(__file__).resolve().parents[3]
    read = set()
    for folder in ("pathfinder", "bindings", "core", "parallel", "capi", "simulator", "swig/csharp"):
        for file in [*(root / folder).rglob("*.cpp"), *(root / folder).rglob("*.hpp"), *(root / folder).rglob("*.cs")]:
            for marker in ('getenv("', 'environment("', 'EnvironmentVariable("'):
                for text in file.read_text().split(marker)[1:]:
                    read.add(text.partition('"')[0])
    ours = {name for name in read if name.startswith("CUPRUM_")}
    assert len(ours) > 10
    assert ours - switches <= {variable for variable, _, _ in WRONG_VARIABLES}


def test_an_unwritable_cache_without_a_variable_of_its_own() -> None:
    # HOME is no folder that a cache could be made in.
    mend("compile cache", {**SIMULATOR, "HOME": "/proc", "XDG_CACHE_HOME": ""})


def test_without_a_driver_the_simulator_mends_it() -> None:
    # Where drivers lie, and the simulator not.
    mend("driver", {}, hide=tuple(f"{folder}/libcuda.so" for folder in ("gnu", "lib", "lib64", "current", "nvidia")))


def test_a_simulator_that_was_not_installed_is_named() -> None:
    finding = run_json("doctor", environment=SIMULATOR, hide=("cuprum/simulator",))[0]
    assert finding["subject"] == "driver"
    assert "export CUPRUM_SIMULATOR_PATH=" in finding["remedy"]


#: What a stand-in for pip takes out of a toolkit, by package: files below include and beside NVRTC.
PIP = """#!/bin/bash
set -e
mkdir -p {site}/nvidia/cu13/include {site}/nvidia/cu13/lib
for package; do
    case "$package" in
    install | --force-reinstall) continue ;;
    nvidia-cuda-nvrtc==*) cp -s {library}/libnvrtc*so* {site}/nvidia/cu13/lib/ ;;
    nvidia-nvjitlink==*) cp -s {library}/libnvJitLink*so* {site}/nvidia/cu13/lib/ ;;
    nvidia-cuda-cccl==*) cp -rs {include}/cccl {site}/nvidia/cu13/include/ ;;
    nvidia-cuda-crt==*) cp -rs {include}/crt {site}/nvidia/cu13/include/ ;;
    nvidia-cuda-runtime==*) cp -s {include}/*.h {site}/nvidia/cu13/include/ ;;
    *) echo "there is no package $package" >&2; exit 1 ;;
    esac
    name=${{package%%==*}}
    mkdir {site}/${{name//-/_}}-{version}.1.dist-info
done
"""


@pytest.mark.parametrize(
    ("missing", "subject"),
    [
        ("include/cccl", "cccl (headers)"),
        ("include/crt", "crt (headers)"),
        ("lib64/libnvJitLink*", "nvJitLink (dynamic library)"),
        ("include/cuda*.h", "cudart (headers)"),
    ],
)
def test_what_a_toolkit_lacks_is_installed_where_it_is_found(
    tmp_path: pathlib.Path, missing: str, subject: str
) -> None:
    headers = run_json("find", "cudart", "--kind", "headers", environment=SIMULATOR)
    include = pathlib.Path(headers["path"]).resolve()
    library = pathlib.Path(run_json("find", "nvrtc", environment=SIMULATOR)["path"]).resolve().parent
    # The machine's toolkit without a part of it, in CUDA_PATH: links to its files, which are hidden where they are.
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    for source, name in ((include, "include"), (library, "lib64")):
        subprocess.run(["cp", "-rs", source, toolkit / name], check=True)
    for path in toolkit.glob(missing):
        subprocess.run(["rm", "-r", path], check=True)
    site = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    pip = tmp_path / "venv" / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text(PIP.format(site=site, include=include, library=library, version=headers["version"]))
    pip.chmod(0o755)
    environment = {
        **SIMULATOR,
        "CUDA_PATH": str(toolkit),
        "VIRTUAL_ENV": str(tmp_path / "venv"),
        "PATH": f"{pip.parent}:{os.environ['PATH']}",
    }
    hide = ("/usr/local/cuda", str(include), str(library))
    (finding,) = [f for f in run_json("doctor", environment=environment, hide=hide) if f["subject"] == subject]
    assert finding["remedy"].startswith("pip install ")
    left = after(finding["remedy"], environment, hide)
    assert not [f for f in left if f["subject"] == subject], left
