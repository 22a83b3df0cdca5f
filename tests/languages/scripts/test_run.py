"""What `./run` configures, builds and runs, with stand-ins for cmake and ctest."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

RUN = pathlib.Path(__file__).resolve().parents[3] / "run"

SETUP = """
say() { :; }
fail() { echo "run: $*" >&2; exit 1; }
stamp_is() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }
setup() { VIRTUAL_ENV=; }
install_third_party_packages() { :; }
install_for_tests() { mkdir -p "$1"; }
install_cccl_versions() { :; }
install_wheels() {
    mkdir -p "$1/nvidia/cu13/include"
    touch "$1/nvidia/cu13/include/cuda.h"
    echo "wheels in $1: ${*:4}" >>"$CALLS"
}
install_pycuda() { :; }
nvcc_is_installed() { :; }
"""
# Keeps the options that it is given, the last word on each, as cmake does.
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
[ "$1" = -S ] || exit 0
mkdir -p "$4"
cache=$4/CMakeCache.txt
touch "$cache"
for option; do
    case $option in -D*=*)
        name=${option#-D}
        name=${name%%=*}
        sed -i "/^$name:/d" "$cache"
        echo "$name:STRING=${option#*=}" >>"$cache" ;;
    esac
done
"""
CTEST = """#!/bin/sh
sanitizers="ASAN=$ASAN_OPTIONS LSAN=$LSAN_OPTIONS UBSAN=$UBSAN_OPTIONS TSAN=$TSAN_OPTIONS"
echo "ctest $* VIRTUAL_ENV=$VIRTUAL_ENV $sanitizers" >>"$CALLS"
case "$*" in *build-address*) exit "${ADDRESS_STATUS:-0}" ;; esac
"""

# A compiler, and the project's Python, which says like the command line where NVRTC is.
FINDER = """#!/bin/sh
echo "${FOUND:-$VIRTUAL_ENV}/libnvrtc.so"
"""
TOOL = f"""{FINDER}echo "${{0##*/}} $*" >>"$CALLS"
"""


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    shutil.copy(RUN, tmp_path / "run")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "setup.sh").write_text(SETUP)
    (tmp_path / "bin").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name, text in (("bin/cmake", CMAKE), ("bin/ctest", CTEST), ("bin/c++", TOOL), (".venv/bin/python", TOOL)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    demo = tmp_path / "scripts" / "demo.sh"
    demo.write_text('#!/bin/sh\necho "demo VIRTUAL_ENV=$VIRTUAL_ENV" >>"$CALLS"\n')
    demo.chmod(0o755)
    (tmp_path / "build" / "bin").mkdir(parents=True)
    finder = tmp_path / "build" / "bin" / "cuprum"
    finder.write_text(FINDER)
    finder.chmod(0o755)
    return tmp_path


def sanitize(root: pathlib.Path, *arguments: str, address_status: int = 0) -> tuple[int, list[str]]:
    return run(root, "sanitize", *arguments, address_status=address_status)


def run(root: pathlib.Path, *arguments: str, address_status: int = 0, **variables: str) -> tuple[int, list[str]]:
    """Its status, and the calls of cmake and ctest so far."""
    calls = root / "calls"
    environment = {
        "PATH": f"{root / 'bin'}:/usr/bin:/bin",
        "CALLS": str(calls),
        "ADDRESS_STATUS": str(address_status),
        **variables,
    }
    result = subprocess.run([root / "run", *arguments], env=environment, capture_output=True, check=False)
    return result.returncode, calls.read_text().splitlines() if calls.exists() else []


def test_one_sanitizer_is_built_in_a_folder_of_its_own_and_tested(root: pathlib.Path) -> None:
    status, (configure, build, test) = sanitize(root, "address", "-R", "handles")
    assert status == 0
    assert f"-B {root}/build-address " in configure
    assert "-DCUPRUM_SANITIZE=address,undefined" in configure
    # The languages' packages are switched off by the last word on each.
    assert configure.rindex("-DCUPRUM_BUILD_PYTHON=OFF") > configure.rindex("-DCUPRUM_BUILD_PYTHON=ON")
    assert build == f"cmake --build {root}/build-address"
    assert (root / "build-address" / "cuda12").is_dir(), "a toolkit that tests compile with"
    assert f"--test-dir {root}/build-address " in test
    assert "-R handles" in test
    assert f"suppressions={root}/tests/support/sanitizers/leaks.txt" in test


def test_without_a_name_both_are_run(root: pathlib.Path) -> None:
    status, calls = sanitize(root, "-R", "handles")
    assert status == 0
    tests = [call for call in calls if call.startswith("ctest")]
    assert ["build-address" in test for test in tests] == [True, False]
    assert ["build-thread" in test for test in tests] == [False, True]
    assert "-DCUPRUM_SANITIZE=thread" in calls[3]
    assert f"suppressions={root}/tests/support/sanitizers/threads.txt" in tests[1]


def test_a_failure_is_the_status_of_the_whole(root: pathlib.Path) -> None:
    status, calls = sanitize(root, address_status=8)
    assert status != 0
    assert "build-thread" not in "\n".join(calls)


FOR_THE_DEMO = {
    "CUPRUM_BUILD_HOST_EXECUTION": "OFF",
    "CUPRUM_SIMULATOR_COMPANIONS": "OFF",
    "CUPRUM_SIMULATOR_BASELINE_ONLY": "ON",
    "CUPRUM_UNITY_BUILD": "ON",
    "CUPRUM_WARNINGS_AS_ERRORS": "OFF",
    "CMAKE_CXX_FLAGS_RELEASE": "-Og -DNDEBUG",
}
FOR_ALL = {
    **{name: {"ON": "OFF", "OFF": "ON"}.get(value, "") for name, value in FOR_THE_DEMO.items()},
    "CMAKE_CXX_FLAGS_RELEASE": "-O3 -DNDEBUG",
}


def cached(root: pathlib.Path) -> dict[str, str]:
    lines = (root / "build" / "CMakeCache.txt").read_text().splitlines()
    values = dict(line.replace(":STRING", "").split("=", 1) for line in lines)
    return {name: values.get(name, "") for name in FOR_THE_DEMO}


def test_the_demo_builds_less_until_another_command_builds_everything(root: pathlib.Path) -> None:
    assert run(root, "demo")[0] == 0
    assert cached(root) == FOR_THE_DEMO
    status, calls = run(root, "test")
    assert status == 0, calls
    assert cached(root) == FOR_ALL


def test_ci_joins_the_sources(root: pathlib.Path) -> None:
    assert run(root, "test", CI="true")[0] == 0
    assert cached(root) == FOR_ALL | {"CUPRUM_UNITY_BUILD": "ON"}


def test_the_demo_uses_a_build_folder_as_it_is(root: pathlib.Path) -> None:
    run(root, "test")
    before = cached(root)
    status, calls = run(root, "demo")
    assert status == 0
    assert cached(root) == before
    assert len([call for call in calls if call.startswith("cmake -S")]) == 1, "configured once"


def test_what_a_sanitizer_is_built_with_is_configured_once(root: pathlib.Path) -> None:
    sanitize(root, "thread")
    _, calls = sanitize(root, "thread")
    assert len([call for call in calls if call.startswith("cmake -S")]) == 1, "the last word on each option counts"


def test_the_suppressions_named_exist() -> None:
    folder = RUN.parent / "tests" / "support" / "sanitizers"
    assert {file.name for file in folder.iterdir()} == {"leaks.txt", "threads.txt"}


TOOLKITS = "# the newest is the last\n12.9 nvrtc-cu12==12.9.* crt-cu12==12.9.*\n13.5 nvrtc==13.5.*\n"


def test_a_toolkit_is_installed_by_itself_compared_with_the_lists_and_found_first(root: pathlib.Path) -> None:
    (root / "scripts" / "toolkits.txt").write_text(TOOLKITS)
    status, calls = run(root, "test", "--toolkit", "12.9", "-V")
    assert status == 0, calls
    environment = f"{root}/build/toolkits/12.9"
    assert f"wheels in {environment}/lib/python3/site-packages: nvrtc-cu12==12.9.* crt-cu12==12.9.*" in calls
    assert f"python {root}/bindings/generator/update_lists.py --check --headers {environment}/include" in calls
    compiled = [call for call in calls if call.startswith("c++")]
    assert [call.rsplit("/", 1)[1] for call in compiled] == [
        "driver.cpp",
        "runtime.cpp",
        "nvrtc.cpp",
        "nvjitlink.cpp",
        "nvvm.cpp",
        "nvml.cpp",
        "nccl.cpp",
    ]
    assert (root / "build" / "toolkits" / "12.9" / "include" / "cuda.h").exists()
    assert calls[-2] == f"demo VIRTUAL_ENV={environment}"
    assert " -V -R ^(test_core" in calls[-1]
    assert f"VIRTUAL_ENV={environment} " in calls[-1]


@pytest.mark.parametrize(("chosen", "passed"), [("-R python", "-R python"), ("-L quick", "-LE slow -R ^(test_core")])
def test_some_of_a_toolkits_tests_are_chosen_as_usual(root: pathlib.Path, chosen: str, passed: str) -> None:
    (root / "scripts" / "toolkits.txt").write_text(TOOLKITS)
    status, calls = run(root, "test", "--toolkit", "13.5", *chosen.split())
    assert status == 0, calls
    assert calls[-1].count(" -R ") == 1
    assert f" {passed}" in calls[-1]


# Tests of another toolkit than the one that is named would pass for those of that one.
def test_a_toolkit_that_another_hides_is_an_error(root: pathlib.Path) -> None:
    (root / "scripts" / "toolkits.txt").write_text(TOOLKITS)
    status, calls = run(root, "test", "--toolkit", "12.9", FOUND="/usr/local/cuda/lib64")
    assert status != 0
    assert not [call for call in calls if call.startswith(("ctest", "demo"))]


@pytest.mark.parametrize("version", ["12", "13.6", ""])
def test_a_toolkit_that_is_not_listed_is_refused_with_those_that_are(root: pathlib.Path, version: str) -> None:
    (root / "scripts" / "toolkits.txt").write_text(TOOLKITS)
    command = [str(root / "run"), "test", "--toolkit", *([version] if version else [])]
    result = subprocess.run(command, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "--toolkit takes one of 12.9 13.5" in result.stderr


@pytest.mark.parametrize(
    ("setups", "installed"),
    [
        (["swig numpy"], ["nvrtc==13.5.*"]),
        ([""], ["nvrtc==13.0.*"]),
        (["swig numpy", "", "swig numpy"], ["nvrtc==13.5.*", "nvrtc==13.0.*"]),
    ],
)
def test_without_a_toolkit_the_demo_has_the_newest_and_the_suite_that_of_ci(
    root: pathlib.Path, setups: list[str], installed: list[str]
) -> None:
    (root / "scripts" / "toolkits.txt").write_text("# newest last\n13.0 nvrtc==13.0.*\n13.5 nvrtc==13.5.*\n")
    script = [f"root={root}", f"source {RUN.parent / 'scripts' / 'setup.sh'}"]
    script += ["install_system_packages() { :; }", "install_python_environment() { :; }"]
    script += ["toolkit_is_installed() { return 1; }"] + [f"setup {packages}" for packages in setups]
    calls = root / "calls"
    environment = {"PATH": "/usr/bin:/bin", "CALLS": str(calls)}
    subprocess.run(["bash", "-euc", "\n".join(script)], env=environment, check=True)
    assert [call.split()[-1] for call in calls.read_text().splitlines()] == installed
