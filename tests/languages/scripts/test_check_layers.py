"""The layering check must find a violation when there is one."""

from __future__ import annotations

import pathlib
import subprocess
import sys

CHECK = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "check_layers.py"


def run_check(root: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CHECK), str(root)], capture_output=True, text=True, check=False)


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def test_an_include_of_a_lower_layer_is_reported_with_file_and_layer(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "pathfinder" / "src" / "a.cpp", '#include "cuprum/core/device.hpp"\n')
    result = run_check(tmp_path)
    assert result.returncode == 1
    assert "pathfinder/src/a.cpp: includes cuprum/core/" in result.stderr


def test_an_include_of_a_higher_layer_passes(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "core" / "src" / "a.cpp", '#include "cuprum/pathfinder/error.hpp"\n')
    assert run_check(tmp_path).returncode == 0
