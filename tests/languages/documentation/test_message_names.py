"""Messages of the C++ core reach every language, so they name things in words and not by C++ identifiers."""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
CLASSES = (
    "Buffer|BufferRef|BuildOptions|CodeType|Device|Event|EventOptions|EventRef|Execution|Iterator|Kernel|LaunchConfig|"
    "ObjectCode|Operator|OpKind|Program|ProgramOptions|SortOrder|Stream|StreamOptions|StreamRef|Type|Value"
)
CXX_NAME = re.compile(rf"(?<!::)\b(?:{CLASSES})::\w+")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def cxx_names(text: str) -> list[str]:
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("//", "#include")))
    return [found[0] for literal in LITERAL.finditer(code) for found in CXX_NAME.finditer(literal[1])]


def test_no_message_names_a_member_of_a_cxx_class() -> None:
    sources = [
        path for layer in ("pathfinder", "core", "parallel", "capi") for path in (ROOT / layer / "src").rglob("*.cpp")
    ]
    sources += [path for layer in ("core", "parallel") for path in (ROOT / layer / "src").rglob("*.hpp")]
    assert len(sources) > 50
    named = {str(path.relative_to(ROOT)): names for path in sources if (names := cxx_names(path.read_text()))}
    assert not named


def test_such_a_name_would_be_found() -> None:
    assert cxx_names('throw InvalidState("x", "use Device::allocate()");') == ["Device::allocate"]
    assert cxx_names("return Device::count();  // not in a message") == []
