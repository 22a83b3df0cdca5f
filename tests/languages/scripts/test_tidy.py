"""scripts/tidy.sh with a stand-in for clang-tidy: what is found fails, and so does a clang-tidy that does not work."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

TIDY = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "tidy.sh"


def tidy(tmp_path: pathlib.Path, clang_tidy: str) -> subprocess.CompletedProcess[str]:
    """Runs it in a repository of two files, the second of which is core/src/bad.cpp."""
    for file in ("core/src/good.cpp", "core/src/bad.cpp"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("")
    (tmp_path / "scripts").mkdir()
    shutil.copy(TIDY, tmp_path / "scripts")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text("[]")
    program = tmp_path / ".venv" / "bin" / "clang-tidy"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/bash\ncase "$*" in *bad.cpp) {clang_tidy} ;; esac\n')
    program.chmod(0o755)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "core"], check=True)
    return subprocess.run(
        [tmp_path / "scripts" / "tidy.sh", tmp_path / "build"], capture_output=True, text=True, check=False
    )


def test_nothing_found_is_success(tmp_path: pathlib.Path) -> None:
    result = tidy(tmp_path, "echo '123 warnings generated.' >&2")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("status", [0, 1])
def test_a_finding_is_printed_once_and_fails(tmp_path: pathlib.Path, status: int) -> None:
    result = tidy(tmp_path, f"echo 'bad.cpp:1:2: warning: bad [check]'; exit {status}")
    assert result.returncode == 1
    assert result.stderr == "bad.cpp:1:2: warning: bad [check]\n"


@pytest.mark.parametrize(
    ("crash", "status"),
    [("kill -SEGV $$", 139), ("echo 'PLEASE submit a bug report' >&2; exit 134", 134), ("exit 1", 1)],
)
def test_a_clang_tidy_that_crashes_fails_and_names_the_file(tmp_path: pathlib.Path, crash: str, status: int) -> None:
    result = tidy(tmp_path, crash)
    assert result.returncode == 1
    assert f"core/src/bad.cpp: error: clang-tidy failed with status {status}" in result.stderr


def test_sources_that_are_compiled_as_one_are_not_looked_at_with_a_guess(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(TIDY, tmp_path / "scripts")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text('[{"file": "core/Unity/unity_0_cxx.cxx"}]')
    program = tmp_path / ".venv" / "bin" / "clang-tidy"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    result = subprocess.run(
        [tmp_path / "scripts" / "tidy.sh", tmp_path / "build"], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr.count("-DCUPRUM_UNITY_BUILD=OFF")) == (1, 1)


def test_no_files_are_no_success(tmp_path: pathlib.Path) -> None:
    shutil.rmtree(tmp_path / "core", ignore_errors=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(TIDY, tmp_path / "scripts")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text("[]")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    result = subprocess.run([tmp_path / "scripts" / "tidy.sh", tmp_path / "build"], capture_output=True, check=False)
    assert result.returncode == 1
