#!/usr/bin/env python3
"""Writes the tables and stubs of the Python bindings from bindings/tables.

generate.py            write the files
generate.py --check    write nothing; fail if a committed file would change
"""

from __future__ import annotations

import pathlib
import sys

import native
import stubs
from plan import LIBRARIES, Plan

PYTHON = pathlib.Path(__file__).resolve().parents[1]


def files(plan: Plan) -> dict[pathlib.Path, str]:
    """The text of every file that is generated."""
    sources = PYTHON / "bindings"
    package = PYTHON / "cuprum" / "bindings"
    texts = {
        sources / "types.hpp": native.types_header(plan),
        sources / "tables_types.cpp": native.types_source(plan),
    }
    for library in LIBRARIES:
        texts[sources / f"tables_{library}.cpp"] = native.library_source(plan, library)
        texts[package / stubs.file_name(library)] = stubs.stub(plan, library)
    return texts


def main() -> int:
    stale = []
    for path, text in files(Plan()).items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale and "--check" in sys.argv[1:]:
        print(f"out of date: {', '.join(stale)}; run swig/python/generator/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
