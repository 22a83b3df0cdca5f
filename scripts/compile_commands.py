"""The compile commands of a build folder, for a tool that reads one file at a time, and which files it has to read.

Files that the build compiles as one (CUPRUM_UNITY_BUILD) are read as one too, and what they include is then read once:
most of the tool's work. A file that is compiled more than once keeps its first command; precompiled headers are left
out.

usage: compile_commands.py BUILD_FOLDER COMMANDS_FOLDER < FILES
writes COMMANDS_FOLDER/compile_commands.json; prints each of the files (absolute paths, one a line) that the build
compiles, or the file that joins it with others
"""

from __future__ import annotations

import json
import pathlib
import re
import sys

PRECOMPILED = re.compile(r"(?:-Winvalid-pch )?-include \S+/cmake_pch\.hxx ")
JOINED = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)


def compiled_files(file: pathlib.Path) -> list[str]:
    """What a file that CMake made joins, or the file itself."""
    return JOINED.findall(file.read_text()) if file.parent.name == "Unity" else [str(file)]


def main(build: pathlib.Path, folder: pathlib.Path, wanted: set[str]) -> None:
    commands: dict[str, dict[str, str]] = {}
    read_in: dict[str, str] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        entry["command"] = PRECOMPILED.sub("", entry["command"])
        commands.setdefault(entry["file"], entry)
        for file in compiled_files(pathlib.Path(entry["file"])):
            read_in.setdefault(file, entry["file"])
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=0))
    print(*sorted({read_in[file] for file in wanted & read_in.keys()}), sep="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), set(sys.stdin.read().splitlines()))
