#!/usr/bin/env python3
"""Functions in the entry files of the simulated driver are short.

An exported function checks its arguments, finds objects and calls them; what is done then belongs to the objects. So
each function in simulator/driver/*/entry_*.cpp, exported or not, has at most `limit` statements, those of its lambdas
included. --list prints how many each has.
"""

from __future__ import annotations

import pathlib
import re
import sys

limit = 10
definition = re.compile(r"^[A-Za-z][^;{}=]*?\b(\w+)\([^;{}]*(?:\{\}[^;{}]*)*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
# Neither a comment nor a text ends a statement, and the three parts of a for's head are one.
ignored = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|\bfor \([^{;]*;[^{;]*;')


def statements(body: str) -> int:
    # The `});` that ends an entry does not count as a statement.
    return ignored.sub("", body).count(";") - body.rstrip().endswith("});")


def main(root: pathlib.Path, listed: bool) -> int:
    lengths = [
        (statements(body), name, path.relative_to(root))
        for path in sorted(root.glob("simulator/driver/*/entry_*.cpp"))
        for name, body in definition.findall(path.read_text())
    ]
    if listed:
        for length, name, path in sorted(lengths, reverse=True):
            print(f"{length:4} {name}  {path}")
    failed = not lengths
    for length, name, path in lengths:
        if length > limit:
            failed = True
            print(
                f"{path}: {name} has {length} statements; {limit} are an entry's limit, the rest belongs to its subject"
            )
    return int(failed)


if __name__ == "__main__":
    roots = [argument for argument in sys.argv[1:] if argument != "--list"]
    sys.exit(main(pathlib.Path(roots[0] if roots else pathlib.Path(__file__).parent.parent), "--list" in sys.argv))
