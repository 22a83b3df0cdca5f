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


def compiles(folder: pathlib.Path, number: int, languages: list[str]) -> int:
    """How often the programs, all started at once over one empty cache, compile the same build between them."""
    folder.mkdir()
    programs = []
    for language in languages:
        environment = {"CUPRUM_CACHE_DIR": str(folder / "cache"), "CUPRUM_TRACE": str(folder / f"{language}.json")}
        programs.append(
            subprocess.Popen(
                [*PROGRAMS[language], "save", str(number), str(folder / language)], env={**os.environ, **environment}
            )
        )
    assert [program.wait(timeout=120) for program in programs] == [0] * len(languages)
    saved = {(folder / language).read_bytes() for language in languages}
    assert len(saved) == 1
    traces = [folder / f"{language}.json" for language in languages]
    # A process that calls no CUDA library, because it found the build, leaves no trace.
    return sum(trace.read_text().count('"nvrtcCompileProgram"') for trace in traces if trace.exists())


def test_a_build_is_made_once_however_many_processes_ask(tmp_path: pathlib.Path) -> None:
    alone = compiles(tmp_path / "alone", 70, ["c"])
    assert alone > 0
    assert compiles(tmp_path / "together", 71, list(PROGRAMS)) == alone


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
