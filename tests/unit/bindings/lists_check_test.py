"""The check of the lists passes on a copy of bindings/ and fails once a list is changed."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

bindings, headers = (pathlib.Path(argument) for argument in sys.argv[1:3])


def check(copy: pathlib.Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(copy / "generator" / "update_lists.py"), "--check", "--headers", str(headers)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def replace(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new, 1))


with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder) / "bindings"
    shutil.copytree(bindings, copy)
    result = check(copy)
    assert result.returncode == 0, f"the unchanged copy does not pass:\n{result.stdout}{result.stderr}"
    for name, old, new in (
        ("tables/driver.json", '"version": 3020', '"version": 9000'),
        ("tables/nvrtc.json", "nvrtcVersion", "nvrtcRevision"),
    ):
        replace(copy / name, old, new)
    result = check(copy)
    assert result.returncode == 1, "changes pass"
    for name in ("driver.json", "nvrtc.json"):
        assert name in result.stdout, f"the difference does not name {name}:\n{result.stdout}"
