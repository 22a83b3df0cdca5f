"""`cuprum cache`: what compiles have left on disk."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

import pytest
from cli_program import run


@pytest.fixture
def cache(tmp_path: pathlib.Path) -> dict[str, str]:
    """The environment of a cache with two entries."""
    environment = {"CUPRUM_CACHE_DIR": str(tmp_path / "cache"), "CUPRUM_DRIVER": "sim"}
    for name in ("first", "second"):
        source = tmp_path / f"{name}.cu"
        source.write_text(f'extern "C" __global__ void {name}() {{}}')
        result = run("compile", str(source), "--arch", "compute_80", "-o", "-", environment=environment)
        assert result.returncode == 0, result.stderr
    return environment


def entries(cache: dict[str, str]) -> list[pathlib.Path]:
    return sorted(pathlib.Path(cache["CUPRUM_CACHE_DIR"]).glob("*.compiled"))


def test_size_is_that_of_the_entries(cache: dict[str, str]) -> None:
    size = sum(path.stat().st_size for path in entries(cache))
    text = run("cache", environment=cache).stdout
    assert text == f"2 entries, {size} of at most 1073741824 bytes, in {cache['CUPRUM_CACHE_DIR']}\n"
    assert run("cache", "size", environment=cache).stdout == text
    assert json.loads(run("cache", "size", "--json", environment=cache).stdout)["bytes"] == size


def test_list_names_the_programs(cache: dict[str, str]) -> None:
    before = [path.stat().st_mtime_ns for path in entries(cache)]
    listed = json.loads(run("cache", "list", "--json", environment=cache).stdout)
    assert {pathlib.Path(each["program"]).name for each in listed} == {"first.cu", "second.cu"}
    assert sorted(each["path"] for each in listed) == [str(path) for path in entries(cache)]
    assert [path.stat().st_mtime_ns for path in entries(cache)] == before, "listing is no use"
    lines = run("cache", "list", environment=cache).stdout.splitlines()
    assert len(lines) == 2
    assert all(" bytes  " in line for line in lines)


def test_names_are_listed_as_utf_8(cache: dict[str, str], tmp_path: pathlib.Path) -> None:
    source = os.fsencode(tmp_path) + b"/caf\xe9 \xc3\xa9.cu"
    pathlib.Path(os.fsdecode(source)).write_text('extern "C" __global__ void third() {}')
    program = os.environ["CUPRUM_TEST_PROGRAM"]
    subprocess.run([program, "compile", source, "--arch", "compute_80", "-o", "-"], check=True, env=os.environ | cache)
    assert "/caf\ufffd \u00e9.cu  " in run("cache", "list", environment=cache).stdout
    listed = json.loads(run("cache", "list", "--json", environment=cache).stdout)
    assert "caf\ufffd \u00e9.cu" in {pathlib.Path(each["program"]).name for each in listed}


def test_verify_removes_what_is_damaged(cache: dict[str, str]) -> None:
    assert run("cache", "verify", environment=cache).stdout == "2 entries intact, 0 damaged and removed\n"
    damaged = entries(cache)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert json.loads(run("cache", "verify", "--json", environment=cache).stdout) == {"intact": 1, "removed": 1}
    assert damaged not in entries(cache)


def test_clear_removes_all(cache: dict[str, str]) -> None:
    assert run("cache", "clear", environment=cache).stdout == "2 entries removed\n"
    assert entries(cache) == []
    assert run("cache", "list", environment=cache).stdout == ""


def test_without_a_cache_it_says_why() -> None:
    result = run("cache", environment={"CUPRUM_CACHE": "off"})
    assert result.returncode == 2
    assert "there is no compile cache: CUPRUM_CACHE is off" in result.stderr


def test_other_words_are_refused() -> None:
    result = run("cache", "empty")
    assert result.returncode == 2
    assert "list, size, clear and verify, given 'empty'" in result.stderr
