#!/usr/bin/env python3
"""Writes what the languages repeat of the C ABI, from its headers. Needs nothing but Python.

generate_interface.py --interface FOLDER    handles.i, interface.i and headers.i, which swig/cuprum.i includes
generate_interface.py --java FOLDER         io/cuprum/*Members.java, io/cuprum/internal/Operations.java
generate_interface.py --csharp FOLDER       Members.cs, Operations.cs
generate_interface.py --python FOLDER       _cuprum.pyi, _operations.py, core/_members.py

Files that would not change are left alone.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

SWIG = pathlib.Path(__file__).resolve().parents[1]
for layer in ("capi", "bindings"):
    sys.path.insert(0, str(SWIG.parent / layer / "generator"))

import csharp_members  # noqa: E402
import description  # noqa: E402
import interface  # noqa: E402
import java_members  # noqa: E402
import operations  # noqa: E402
import python_members  # noqa: E402
import python_stub  # noqa: E402
from output import write  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for output in ("--interface", "--java", "--csharp", "--python"):
        arguments.add_argument(output, type=pathlib.Path)
    options = arguments.parse_args()
    abi = description.load()
    if options.interface:
        write(options.interface / "handles.i", interface.handles(abi))
        write(options.interface / "interface.i", interface.interface(abi))
        write(options.interface / "headers.i", interface.headers())
    if options.java:
        package = options.java / "io" / "cuprum"
        for name, text in java_members.files(abi).items():
            write(package / name, text)
        write(package / "internal" / "Operations.java", operations.java(abi))
    if options.csharp:
        write(options.csharp / "Members.cs", csharp_members.text(abi))
        write(options.csharp / "Operations.cs", operations.csharp(abi))
    if options.python:
        extension = (SWIG / "python" / "extension.pyi").read_text(encoding="utf-8")
        write(options.python / "_cuprum.pyi", python_stub.stub(abi, extension))
        write(options.python / "_operations.py", operations.python(abi))
        write(options.python / "core" / "_members.py", python_members.text(abi))


if __name__ == "__main__":
    main()
