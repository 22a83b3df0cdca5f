#!/usr/bin/env python3
"""Writes the tables and the type stubs of the Python bindings from bindings/tables. Needs nothing but Python.

generate.py --tables FOLDER [--cuda VERSION]   the extension module's tables, for the headers of that toolkit (12090 for
                                               12.9) or of the newest
generate.py --stubs FOLDER [--cuda VERSION]    <library>.pyi

Files that would not change are left alone.
"""

from __future__ import annotations

import argparse
import pathlib

import native
import stubs
from output import write
from plan import LIBRARIES, Plan  # makes bindings/generator known


def write_all(folder: pathlib.Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        write(folder / name, text)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cuda", type=int)
    arguments.add_argument("--tables", type=pathlib.Path)
    arguments.add_argument("--stubs", type=pathlib.Path)
    options = arguments.parse_args()
    plan = Plan(options.cuda)
    if options.tables:
        sources = {f"tables_{library}.cpp": native.library_source(plan, library) for library in LIBRARIES}
        sources |= {"types.hpp": native.types_header(plan), "tables_types.cpp": native.types_source(plan)}
        write_all(options.tables, sources)
    if options.stubs:
        write_all(options.stubs, {stubs.file_name(library): stubs.stub(plan, library) for library in LIBRARIES})


if __name__ == "__main__":
    main()
