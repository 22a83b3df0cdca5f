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
echo "ctest $* ASAN=$ASAN_OPTIONS LSAN=$LSAN_OPTIONS UBSAN=$UBSAN_OPTIONS TSAN=$TSAN_OPTIONS" >>"$CALLS"
case "$*" in *build-address*) exit "${ADDRESS_STATUS:-0}" ;; esac
"""


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    shutil.copy(RUN, tmp_path / "run")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "setup.sh").write_text(SETUP)
    (tmp_path / "bin").mkdir()
    for name, text in (("cmake", CMAKE), ("ctest", CTEST)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    demo = tmp_path / "scripts" / "demo.sh"
    demo.write_text("#!/bin/sh\n")
    demo.chmod(0o755)
    return tmp_path


def sanitize(root: pathlib.Path, *arguments: str, address_status: int = 0) -> tuple[int, list[str]]:
    return run(root, "sanitize", *arguments, address_status=address_status)


def run(root: pathlib.Path, *arguments: str, address_status: int = 0) -> tuple[int, list[str]]:
    """Its status, and the calls of cmake and ctest so far."""
    calls = root / "calls"
    environment = {
        "PATH": f"{root / 'bin'}:/usr/bin:/bin",
        "CALLS": str(calls),
        "ADDRESS_STATUS": str(address_status),
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
    assert cached(root) == {name: {"ON": "OFF", "OFF": "ON"}[value] for name, value in FOR_THE_DEMO.items()}


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
