"""The compile commands of a build folder, for a tool that reads one file at a time, and which files it has to read.

Files that the build compiles as one (CUPRUM_UNITY_BUILD) are read as one too, and what they include is then read once:
most of the tool's work. So are up to 8 of a test program's files, where no two define a name in the same way. A file
that is compiled more than once keeps its first command; precompiled headers are left out.

usage: compile_commands.py BUILD_FOLDER COMMANDS_FOLDER < FILES
writes COMMANDS_FOLDER/compile_commands.json, and COMMANDS_FOLDER/joined/*.cpp; prints each of the files (absolute
paths, one a line) that the build compiles, or the file that joins it with others
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from collections.abc import Iterable

from check_unnamed import unnamed_names

PRECOMPILED = re.compile(r"(?:-Winvalid-pch )?-include \S+/cmake_pch\.hxx ")
JOINED = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
# What a command is beside its file.
OF_FILE = re.compile(r" -o \S+ -c \S+$")
# Of a whole file, wherever they stand in it.
DEFINES = re.compile(r"^(?:#define|namespace|using|int) (\w+)(?=[ (=])(?! \{)", re.MULTILINE)
MOST_JOINED = 8


def compiled_files(file: pathlib.Path) -> list[str]:
    """What a file that CMake made joins, or the file itself."""
    return JOINED.findall(file.read_text()) if file.parent.name == "Unity" else [str(file)]


def join_tests(files: Iterable[str], commands: dict[str, dict[str, str]], folder: pathlib.Path) -> list[str]:
    """Joins the tests among the files, and gives what is then to be read."""
    alone: list[str] = []
    batches: dict[str, list[tuple[list[str], set[str]]]] = {}
    for file in files:
        path = pathlib.Path(file)
        if "tests" not in path.parts or path.suffix != ".cpp" or not path.exists():
            alone.append(file)
            continue
        text = path.read_text(encoding="utf-8")
        names = unnamed_names(text) | set(DEFINES.findall(text))
        of_program = batches.setdefault(OF_FILE.sub("", commands[file]["command"]), [])
        for joined, defined in of_program:
            if len(joined) < MOST_JOINED and not defined & names:
                joined.append(file)
                defined |= names
                break
        else:
            of_program.append(([file], names))
    folder.mkdir(exist_ok=True)
    for command, of_program in batches.items():
        for joined, _ in of_program:
            if len(joined) == 1:
                alone += joined
                continue
            file = str(folder / f"{len(commands)}.cpp")
            pathlib.Path(file).write_text("".join(f'#include "{each}"\n' for each in joined), encoding="utf-8")
            directory = commands[joined[0]]["directory"]
            commands[file] = {"directory": directory, "command": f"{command} -o joined.o -c {file}", "file": file}
            alone.append(file)
    return alone


def main(build: pathlib.Path, folder: pathlib.Path, wanted: set[str]) -> None:
    commands: dict[str, dict[str, str]] = {}
    read_in: dict[str, str] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        entry["command"] = PRECOMPILED.sub("", entry["command"])
        commands.setdefault(entry["file"], entry)
        for file in compiled_files(pathlib.Path(entry["file"])):
            read_in.setdefault(file, entry["file"])
    files = join_tests(sorted({read_in[file] for file in wanted & read_in.keys()}), commands, folder / "joined")
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=0))
    print(*sorted(files), sep="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), set(sys.stdin.read().splitlines()))
