#!/usr/bin/env python3
"""Writes the C++ side of the bindings from the lists in bindings/tables. Needs nothing but Python.

    generate.py --output DIR

For every library alike, in DIR/cuprum/bindings:

    <library>_functions.def         the functions, for visitors (an X-macro)
    <library>_functions.hpp         the functions' declarations
    <library>_types.def             enumerators, structures, fields and constants, for visitors
    <library>_header.hpp            what stands in for the library's own header, where a build need not have that
    <library>_changed_symbols.def   exported names that have stood for several signatures, where there are any

A file that would not change is left alone, so that nothing is compiled anew for it.
"""

from __future__ import annotations

import argparse
import pathlib

import cpp
import model
import stand_in
from libraries import LIBRARIES
from output import write


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--output", type=pathlib.Path, required=True)
    folder = arguments.parse_args().output / "cuprum" / "bindings"
    for library in LIBRARIES:
        table = model.load(library.name)
        for name, text in cpp.files(library, table).items():
            write(folder / name, text)
        if library.guard:
            write(folder / f"{library.name}_header.hpp", stand_in.header(library, table))


if __name__ == "__main__":
    main()
