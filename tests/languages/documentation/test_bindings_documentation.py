"""Every function of the bindings has, in each language, its line of documentation and the header's parameter names."""

from __future__ import annotations

import ast
import os
import pathlib
import re
import sys
import xml.etree.ElementTree
import zipfile
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["CUPRUM_TEST_BUILD"])
sys.path.insert(0, str(ROOT / "bindings" / "generator"))

import managed  # noqa: E402
import model  # noqa: E402

LIBRARIES = list(managed.CLASSES)
#: Function -> its line, and the names of its parameters.
Documentation = dict[str, tuple[str, list[str]]]


def cuda_version() -> int:
    """Of the headers that this build is made with, whose functions its languages have."""
    cache = (BUILD / "CMakeCache.txt").read_text()
    folder = re.search(r"^CUPRUM_CUDA_INCLUDE_DIR:PATH=(.*)$", cache, re.MULTILINE)
    assert folder
    version = re.search(r"^#define CUDA_VERSION (\d+)", pathlib.Path(folder[1], "cuda.h").read_text(), re.MULTILINE)
    assert version
    return int(version[1])


def functions(library: str) -> dict[str, Any]:
    return model.view(model.load(library), cuda_version())["functions"]


def expected(library: str) -> Documentation:
    return {name: (f["summary"], [p["name"] for p in f["parameters"]]) for name, f in functions(library).items()}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def built(path: str) -> pathlib.Path:
    if not (BUILD / path).exists():
        pytest.skip(f"{path} is not built here: the build leaves this language out")
    return BUILD / path


def test_each_line_is_one_and_says_what_the_function_does(library: str) -> None:
    for name, (summary, _) in expected(library).items():
        assert re.fullmatch(r"[A-Z].{10,90}\.", summary), name
        assert name not in summary


def test_cpp(library: str) -> None:
    header = (BUILD / "bindings" / "generated" / "cuprum" / "bindings" / f"{library}_functions.hpp").read_text()
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for note, name, parameters in re.findall(r"^/// (.+)\n[\w *]+?(\w+)\(([^;]*)\);", header, re.MULTILINE):
        # "void (*callback)(void* data)" is one parameter, whose name is inside.
        outer = re.sub(r"\(\*(\w+)\)\([^)]*\)", r" \1", parameters)
        names = [re.split(r"[ *]+", each.strip())[-1] for each in outer.split(",") if each.strip() not in ("", "void")]
        found.setdefault(name, []).append((note, names))
    for name, (summary, parameters) in expected(library).items():
        assert any(note.startswith(summary) and names == parameters for note, names in found[name]), name
        assert all(note.startswith(summary) for note, _ in found[name]), name


def test_python_stubs(library: str) -> None:
    stub = ast.parse((BUILD / "python" / "cuprum" / "bindings" / f"{library}.pyi").read_text())
    # The help of the functions themselves: test_bindings_coverage.py.
    others = {"bytes": "numbytes", "format": "pformat", "len": "length", "type": "typename", "from": "from_"}
    found: dict[str, list[ast.FunctionDef]] = {}
    for each in stub.body:
        if isinstance(each, ast.FunctionDef):
            found.setdefault(each.name, []).append(each)
    for name, (summary, parameters) in expected(library).items():
        known = [others.get(parameter, parameter) for parameter in parameters]
        for form in found[name]:
            assert ast.get_docstring(form) == summary, name
            assert {argument.arg for argument in form.args.args} <= set(known), name


def test_java(library: str) -> None:
    sources = built("java/cuprum-sources.jar")
    text = zipfile.ZipFile(sources).read(f"io/cuprum/bindings/{managed.CLASSES[library]}.java").decode()
    found = {}
    comments = r"^    /\*\*\n((?:     \*.*\n)*)     \*/\n    public static \w+ (\w+)\(([^)]*)\) \{"
    for comment, name, declared in re.findall(comments, text, re.MULTILINE):
        lines = [line.removeprefix("     *").strip() for line in comment.splitlines()]
        described = [line.split()[1] for line in lines if line.startswith("@param ")]
        assert described == [each.split()[-1] for each in declared.split(", ") if each], name
        # "default_": a word of the language's own.
        found[name] = (lines[0], [parameter.rstrip("_") for parameter in described])
    assert found == expected(library)


def test_csharp(library: str) -> None:
    built("csharp/package")
    (package,) = (BUILD / "csharp").glob("Cuprum.*.nupkg")
    documentation = zipfile.ZipFile(package).read("lib/netstandard2.0/Cuprum.xml")
    prefix = f"M:Cuprum.Bindings.{managed.CLASSES[library]}."
    found = {}
    for member in xml.etree.ElementTree.fromstring(documentation).iter("member"):
        if member.get("name", "").startswith(prefix):
            name = member.get("name", "").removeprefix(prefix).partition("(")[0]
            summary = (member.findtext("summary") or "").strip()
            found[name] = (summary, [parameter.get("name", "") for parameter in member.iter("param")])
    assert found == expected(library)
