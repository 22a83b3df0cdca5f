"""What `./run sanitize` configures, builds and runs, with stand-ins for cmake and ctest."""

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
install_for_tests() { mkdir -p "$1"; }
"""
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
[ "$1" != -S ] || mkdir -p "$4"
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
    return tmp_path


def sanitize(root: pathlib.Path, *arguments: str, address_status: int = 0) -> tuple[int, list[str]]:
    calls = root / "calls"
    environment = {
        "PATH": f"{root / 'bin'}:/usr/bin:/bin",
        "CALLS": str(calls),
        "ADDRESS_STATUS": str(address_status),
    }
    result = subprocess.run([root / "run", "sanitize", *arguments], env=environment, capture_output=True, check=False)
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


def test_the_suppressions_named_exist() -> None:
    folder = RUN.parent / "tests" / "support" / "sanitizers"
    assert {file.name for file in folder.iterdir()} == {"leaks.txt", "threads.txt"}
