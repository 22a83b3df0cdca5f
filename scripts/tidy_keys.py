"""A key for each file that clang-tidy is to read: the same where all that its findings depend on is the same.

These are clang-tidy itself and what it is asked to check, how the file is compiled, its text and that of all that it
includes, which ninja has from the compiler. A file has no key where ninja does not know what it includes, or where that
has changed since it was compiled.

usage: tidy_keys.py BUILD_FOLDER COMMANDS_FOLDER < FILES
FILES: as compile_commands.py prints them, which has written COMMANDS_FOLDER.
prints "KEY FILE" for each, "- FILE" for one that has no key
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from compile_commands import JOINED, PRECOMPILED

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHECKS = (".clang-tidy", "tests/.clang-tidy", "scripts/tidy.sh")
OBJECT = re.compile(r" -o (\S+) -c \S+$")
PRECOMPILED_HEADER = re.compile(r"-include (\S+/cmake_pch\.hxx) ")
# The first line that ninja has of an object; the files that it was compiled from follow.
DEPENDENCIES = re.compile(r"^(\S.*): #deps \d+, deps mtime (\d+) \(VALID\)$")


def run(*command: str | pathlib.Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def compiled_from(build: pathlib.Path) -> dict[str, tuple[int, list[str]]]:
    """When each object of the build was compiled (ns), and the files that it was compiled from."""
    objects: dict[str, tuple[int, list[str]]] = {}
    files: list[str] = []
    for line in run("ninja", "-C", build, "-t", "deps").splitlines():
        if match := DEPENDENCIES.match(line):
            files = []
            objects[match[1]] = (int(match[2]), files)
        elif line.startswith("    "):
            files.append(line.strip())
        else:
            files = []  # of an object that is not up to date
    return objects


@functools.cache
def digest(file: str) -> str:
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()


def without_root(text: str) -> str:
    """A checkout in another folder has the same keys."""
    return text.replace(f"{ROOT}/", "")


class Keys:
    """Of the files of one build."""

    def __init__(self, build: pathlib.Path, commands: pathlib.Path) -> None:
        self._build = build
        self._tool = [run("clang-tidy", "--version"), *(digest(str(ROOT / name)) for name in CHECKS)]
        # With the precompiled headers, which compile_commands.py leaves out.
        self._compiled = {
            entry["file"]: entry["command"]
            for entry in reversed(json.loads((build / "compile_commands.json").read_text()))
        }
        self._read = {
            entry["file"]: entry["command"] for entry in json.loads((commands / "compile_commands.json").read_text())
        }
        self._objects = compiled_from(build)

    def _parts(self, source: str) -> set[str] | None:
        """What the build has compiled the source from; None if that is not known."""
        command = self._compiled.get(source, "")
        compiled = OBJECT.search(command)
        if compiled is None:
            return None
        objects = [compiled[1]]
        if header := PRECOMPILED_HEADER.search(command):
            objects.append(os.path.relpath(f"{header[1]}.gch", self._build))
        parts = {source}
        for each in objects:
            if each not in self._objects:
                return None
            when, files = self._objects[each]
            paths = [os.path.normpath(self._build / file) for file in files]
            if any(not os.path.exists(path) or os.stat(path).st_mtime_ns > when for path in paths):
                return None
            parts.update(path for path in paths if not path.endswith(".gch"))
        return parts

    def of(self, file: str) -> str:
        """The key of a file that is compiled, or of one that joins several; "-" if there is none."""
        joined = pathlib.Path(file).parent.name == "joined"
        sources = JOINED.findall(pathlib.Path(file).read_text()) if joined else [file]
        parts: set[str] = set()
        for source in sources:
            of_source = self._parts(source)
            if of_source is None:
                return "-"
            parts |= of_source
        command = OBJECT.sub("", PRECOMPILED.sub("", self._read[file]))
        lines = [*self._tool, without_root(command), *map(without_root, sources)]
        lines += (f"{without_root(part)} {digest(part)}" for part in sorted(parts))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def main(build: pathlib.Path, commands: pathlib.Path) -> None:
    keys = Keys(build, commands)
    for file in sys.stdin.read().splitlines():
        print(keys.of(file), file)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
