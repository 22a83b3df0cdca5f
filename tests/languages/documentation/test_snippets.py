"""Runs the fenced code blocks of README.md and docs/.

A block whose fence has a second word (```python cupy) needs that library; tests/languages/neighbours runs them.
"""

from __future__ import annotations

import itertools
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["CUPRUM_TEST_BUILD"])
JAR = BUILD / "java" / "cuprum.jar"
CSHARP = BUILD / "csharp" / "package"
BLOCK = re.compile(r"^```(cpp|csharp|c|java|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets() -> list[Any]:
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), start=1):
            name = f"{page.relative_to(ROOT)}-{number}-{match[1]}"
            if match[1] in ("java", "csharp"):
                package = JAR if match[1] == "java" else CSHARP
                if not package.exists() or "class Snippet" not in match[2]:
                    continue  # a build without that language, or a part of a program
            found.append(pytest.param(match[1], match[2], id=name))
    return found


def includes(*layers: str) -> list[str]:
    return [f"-I{ROOT / layer / 'include'}" for layer in layers]


def run(command: list[object]) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.mark.parametrize(("language", "code"), snippets())
def test_a_snippet_of_the_documentation_runs(language: str, code: str, tmp_path: pathlib.Path) -> None:
    source = tmp_path / f"snippet.{language}"
    source.write_text(code, encoding="utf-8")
    library = BUILD / "lib"
    program = tmp_path / "snippet"
    if language == "python":
        run([sys.executable, source])
        return
    # A program outside the build tree must be told where the simulator and the algorithms on the host are.
    os.environ["CUPRUM_SIMULATOR_PATH"] = str(library / "cuprum" / "simulator")
    os.environ["LD_LIBRARY_PATH"] = str(library)
    if language == "java":
        run(["java", "-cp", JAR, source])
        return
    if language == "csharp":
        assembly = CSHARP / "lib" / "netstandard2.0"
        run(["mcs", f"-r:{assembly / 'Cuprum.dll'}", f"-out:{program}.exe", source])
        os.environ["MONO_PATH"] = str(assembly)
        os.environ["CUPRUM_LIBRARY_PATH"] = str(CSHARP / "runtimes" / "linux-x64" / "native")
        run(["mono", f"{program}.exe"])
        return
    if language == "cpp":
        archives = [library / f"libcuprum_{layer}.a" for layer in ("parallel", "core", "bindings", "pathfinder")]
        compiler = [
            os.environ["CUPRUM_TEST_CXX"],
            "-std=c++20",
            *includes("pathfinder", "bindings", "core", "parallel"),
            f"-I{BUILD / 'bindings' / 'generated'}",
            f"-I{BUILD / 'parallel' / 'include'}",
        ]
        compiler += ["-isystem", os.environ["CUPRUM_TEST_CUDA_INCLUDE"]]
        run([*compiler, source, *archives, "-ldl", "-pthread", "-o", program])
    else:
        compiler = [os.environ["CUPRUM_TEST_CC"], "-std=c99", *includes("capi")]
        run([*compiler, source, f"-L{library}", "-lcuprum", f"-Wl,-rpath,{library}", "-o", program])
    run([program])


def test_there_are_snippets_to_run() -> None:
    assert len(snippets()) >= 2


#: The libraries that programs of docs/ are written for, beside Cuprum.
NEEDED = {
    "python": {"cuda.core", "cupy", "dask", "jax", "numba", "pyopencl", "tensorflow", "torch"},
    "java": {"jcuda"},
    "csharp": {"managedcuda"},
}


def test_what_a_block_needs_is_known() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for language, needed in re.findall(r"^```(\w+) (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert needed in NEEDED.get(language, ()), f"{page.name}: ```{language} {needed}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("from-*.md")), ids=lambda page: page.stem)
def test_every_program_to_migrate_is_followed_by_one_that_runs(page: pathlib.Path) -> None:
    blocks = re.findall(r"^```(\w+)( \S+)?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert any(needed for _, needed, _ in blocks)
    for (_, before, _), (language, after, code) in itertools.pairwise(blocks):
        assert not (before and after), f"{page.name}: a program for{before} is followed by another one for{after}"
        if not after:
            assert language == "python" or "class Snippet" in code, f"{page.name}: this does not run:\n{code}"
    assert not blocks[-1][1], f"{page.name} ends with a program that was not migrated"
