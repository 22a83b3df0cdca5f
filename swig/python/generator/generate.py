#!/usr/bin/env python3
"""Writes the tables and stubs of the Python bindings from bindings/tables.

generate.py                                 write the files: what the headers of the newest toolkit declare
generate.py --check                         write nothing; fail if a committed file would change
generate.py --cuda VERSION --output FOLDER  write to a folder what the headers of that toolkit declare (12090 for 12.9)
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import native
import stubs
from plan import LIBRARIES, Plan

PYTHON = pathlib.Path(__file__).resolve().parents[1]


def files(plan: Plan, sources: pathlib.Path, package: pathlib.Path) -> dict[pathlib.Path, str]:
    """The text of every file that is generated."""
    texts = {
        sources / "types.hpp": native.types_header(plan),
        sources / "tables_types.cpp": native.types_source(plan),
    }
    for library in LIBRARIES:
        texts[sources / f"tables_{library}.cpp"] = native.library_source(plan, library)
        texts[package / stubs.file_name(library)] = stubs.stub(plan, library)
    return texts


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--cuda", type=int)
    arguments.add_argument("--output", type=pathlib.Path)
    options = arguments.parse_args()
    if options.output:
        places = options.output, options.output
    else:
        places = PYTHON / "bindings" / "generated", PYTHON / "cuprum" / "bindings"
    stale = []
    for path, text in files(Plan(options.cuda), *places).items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale and options.check:
        print(f"out of date: {', '.join(stale)}; run swig/python/generator/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
