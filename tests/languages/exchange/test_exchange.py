"""Builds that a program in one language has saved run in every other one, where there is no compiler and no cache."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

#: language -> the command of its program, of the languages that are built.
PROGRAMS: dict[str, list[str]] = json.loads(os.environ["CUPRUM_TEST_EXCHANGE"])
NO_COMPILER = {
    "CUPRUM_CACHE": "off",
    "LD_PRELOAD": os.environ["CUPRUM_TEST_HIDE_PATHS"],
    "HIDE_PATHS": "libnvrtc",
}


def run(language: str, *arguments: object, **environment: str) -> str:
    result = subprocess.run(
        [*PROGRAMS[language], *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, f"{language} {arguments}:\n{result.stdout}{result.stderr}"
    return result.stdout


def test_what_each_language_saves_is_loaded_by_all(tmp_path: pathlib.Path) -> None:
    # Each writer has an operator of its own, so that no reader can use what another has written.
    files: list[object] = []
    for number, writer in enumerate(PROGRAMS, start=1):
        run(writer, "save", number, tmp_path / writer)
        files += [number, tmp_path / writer]
    expected = [str(500500 + 1000 * number) for number in range(1, len(PROGRAMS) + 1)]
    for reader in PROGRAMS:
        assert run(reader, "load", *files, **NO_COMPILER).split() == expected, reader


def test_what_was_not_saved_needs_the_compiler(tmp_path: pathlib.Path) -> None:
    run("c", "save", 90, tmp_path / "saved")
    result = subprocess.run(
        [*PROGRAMS["c"], "load", "91", str(tmp_path / "saved")],
        env={**os.environ, **NO_COMPILER},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode != 0
    assert "libnvrtc" in result.stderr
