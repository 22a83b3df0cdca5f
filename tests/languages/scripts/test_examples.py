"""Every example is there in every language, and says what it shows."""

from __future__ import annotations

import pathlib
import re

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
SUFFIXES = {"cpp": "cpp", "c": "c", "python": "py", "java": "java", "csharp": "cs"}


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def test_every_example_is_there_in_every_language() -> None:
    found = {
        language: {snake_case(path.stem) for path in (EXAMPLES / language).glob(f"*.{suffix}")}
        for language, suffix in SUFFIXES.items()
    }
    assert len(found["cpp"]) > 10
    assert all(names == found["cpp"] for names in found.values()), found


def test_every_example_says_what_it_shows() -> None:
    for language, suffix in SUFFIXES.items():
        for path in (EXAMPLES / language).glob(f"*.{suffix}"):
            assert re.match(r'//|/\*|"""', path.read_text()), path
