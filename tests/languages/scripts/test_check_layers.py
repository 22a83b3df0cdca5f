"""The layering check must find a violation when there is one."""

from __future__ import annotations

import pathlib
import subprocess
import sys

CHECK = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "check_layers.py"


DRAWING = """
pathfinder/   finds the toolkit              depends on nothing
core/         Device, Stream                 <- pathfinder
cli/          the command-line tool          <- core, pathfinder
simulator/    a libcuda.so.1 look-alike      depends on nothing
"""


def run_check(root: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CHECK), str(root)], capture_output=True, text=True, check=False)


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_an_include_of_a_lower_layer_is_reported_with_file_and_layer(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "docs" / "architecture.md", DRAWING)
    write(tmp_path / "pathfinder" / "src" / "a.cpp", '#include "cuprum/core/device.hpp"\n')
    result = run_check(tmp_path)
    assert result.returncode == 1
    assert "pathfinder/src/a.cpp: includes cuprum/core/" in result.stderr


def test_an_include_of_a_higher_layer_passes(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "docs" / "architecture.md", DRAWING)
    write(
        tmp_path / "core" / "src" / "a.cpp",
        '#include "cuprum/pathfinder/error.hpp"\n#include "cuprum/core/device.hpp"\n',
    )
    assert run_check(tmp_path).returncode == 0


def test_a_layer_above_that_the_drawing_does_not_name_is_reported(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "docs" / "architecture.md", DRAWING.replace("<- core, pathfinder", "<- core"))
    write(tmp_path / "cli" / "src" / "a.cpp", '#include "cuprum/pathfinder/error.hpp"\n')
    assert "cli/src/a.cpp: includes cuprum/pathfinder/" in run_check(tmp_path).stderr


def test_the_simulator_includes_nothing_of_the_sdk(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "docs" / "architecture.md", DRAWING)
    write(tmp_path / "simulator" / "driver" / "a.cpp", '#include "cuprum/pathfinder/error.hpp"\n')
    assert run_check(tmp_path).returncode == 1


def test_without_the_drawing_the_check_fails(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "docs" / "architecture.md", "# Architecture\n")
    result = run_check(tmp_path)
    assert result.returncode == 1
    assert "the drawing of the layers was not found" in result.stderr
