"""An addition takes the files that docs/adding.md lists, and no others."""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
PRODUCT = ("pathfinder", "bindings", "core", "parallel", "capi", "cli", "swig", "cmake", "simulator")
SOURCES = {".hpp", ".cpp", ".h", ".i", ".txt", ".cmake", ".toml", ".py", ".pyi", ".java", ".cs", ".json"}


def listed(section: str) -> set[str]:
    """The files in the table of a section."""
    text = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8").split(f"## {section}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))


def naming(names: str) -> set[str]:
    """The files of the product in whose text or name it stands, but for what is generated into the source tree."""
    found = set()
    for folder in PRODUCT:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix not in SOURCES or "__pycache__" in path.parts or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            is_generated = "do not edit" in text[:1000]
            if not is_generated and re.search(names, path.name + text, re.IGNORECASE):
                found.add(str(path.relative_to(ROOT)))
    return found


def test_an_algorithm_takes_the_files_that_are_listed() -> None:
    expected = {path.replace("<algorithm>", "unique_by_key") for path in listed("An algorithm")}
    assert 5 <= len(expected) <= 10
    assert naming("unique_?by_?key") == expected


def test_an_algorithm_takes_at_most_ten_files() -> None:
    assert 5 <= len(naming("segmented_?reduce")) <= 10
