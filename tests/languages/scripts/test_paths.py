"""The files that scripts name are there."""

from __future__ import annotations

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPTS = [ROOT / "run", *sorted((ROOT / "scripts").glob("*.sh"))]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script.name))
def test_what_a_script_names_in_the_tree_is_there(script: pathlib.Path) -> None:
    named = set(re.findall(r"\$root/((?:tests|scripts|examples|benchmarks|docs)/[\w./-]+\.\w+)", script.read_text()))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_there_are_names_to_look_at() -> None:
    assert any("$root/tests/" in script.read_text() for script in SCRIPTS)
