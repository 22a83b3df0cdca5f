"""The tables of cuprum.bindings are made for the headers that Cuprum is built with, whichever toolkit's they are."""

from __future__ import annotations

import functools
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "swig" / "python" / "generator" / "generate.py"


Tables = Callable[[int], pathlib.Path]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The folder with the tables for the headers of a CUDA version."""

    @functools.cache
    def make(cuda: int) -> pathlib.Path:
        folder = tmp_path_factory.mktemp(f"cuda{cuda}")
        command = [sys.executable, "-B", str(GENERATOR), "--cuda", str(cuda)]
        subprocess.run([*command, "--tables", str(folder), "--stubs", str(folder)], check=True)
        return folder

    return make


@pytest.mark.parametrize(("cuda", "size"), [(12000, 1032), (13000, 1008)])
def test_structures_are_laid_out_as_in_these_headers(tables: Tables, cuda: int, size: int) -> None:
    source = (tables(cuda) / "tables_types.cpp").read_text()
    assert re.search(rf'"cudaDeviceProp", in_runtime, Kind::structure, {size},', source)


def test_functions_are_those_of_these_headers(tables: Tables) -> None:
    old = (tables(12000) / "runtime.pyi").read_text()
    new = (tables(13000) / "runtime.pyi").read_text()
    assert "def cudaGetDeviceProperties(" in old
    assert "def cudaGraphAddNode(" not in old  # came with 12.2
    assert "def cudaGraphAddNode(" in new
    assert "def cudaLaunchHostFunc_v2(" not in new  # came with 13.2
    assert "def cudaLaunchHostFunc_v2(" in (tables(13050) / "runtime.pyi").read_text()


@pytest.mark.parametrize(
    ("language", "cuda", "declarations"),
    [
        ("java", 12000, ["cuCtxCreate(long[] pctx, int flags, int dev)", "cudaThreadExit("]),
        ("java", 13000, ["cuCtxCreate(long[] pctx, CUctxCreateParams ctxCreateParams, int flags, int dev)"]),
        (
            "java",
            13050,
            ["cuDeviceGetCliqueInfo(CUcliqueInfo cliqueInfo, long[] count, int dev)", "nvJitLinkGetLinkedLTOIR("],
        ),
        ("csharp", 12000, ["cuCtxCreate(out IntPtr pctx, uint flags, int dev)", "cudaThreadExit("]),
        ("csharp", 13000, ["cuCtxCreate(out IntPtr pctx, CUctxCreateParams? ctxCreateParams, uint flags, int dev)"]),
        ("csharp", 13050, ["cuDeviceGetCliqueInfo(", "nvJitLinkGetLinkedLTOIR("]),
    ],
)
def test_javas_and_csharps_functions_are_those_of_these_headers(
    tmp_path: pathlib.Path, language: str, cuda: int, declarations: list[str]
) -> None:
    generator = ROOT / "bindings" / "generator" / "generate_managed.py"
    command = [sys.executable, "-B", str(generator), "--language", language, "--cuda", str(cuda)]
    subprocess.run([*command, "--output", str(tmp_path)], check=True)
    text = "".join(path.read_text() for path in tmp_path.iterdir())
    for declaration in declarations:
        assert declaration in text
    assert ("cudaThreadExit(" in text) == (cuda < 13000)  # CUDA 13 removed it


def test_the_documentation_lists_the_structures_that_differ() -> None:
    command = [sys.executable, "-B", str(ROOT / "bindings" / "generator" / "layouts.py")]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "`cudaDeviceProp` | 13.0 | 1032 | 1008" in listed
    assert listed in (ROOT / "docs" / "bindings.md").read_text()
