#!/usr/bin/env python3
"""Writes what the languages repeat of the C ABI, from its headers and the tables of the algorithms. Needs nothing but
Python.

generate_interface.py --interface FOLDER    handles.i, interface.i and headers.i, which swig/cuprum.i includes, and
                                            algorithm_calls.hpp
generate_interface.py --java FOLDER         io/cuprum: *Members, the algorithms' classes, Parallel, Distributed,
                                            OutOfCore; internal/Operations
generate_interface.py --csharp FOLDER       Members.cs, Operations.cs, the algorithms' classes, Parallel.cs,
                                            Distributed.cs, OutOfCore.cs
generate_interface.py --python FOLDER       _cuprum.pyi, _operations.py, core/_members.py, parallel/_algorithms.py,
                                            parallel/_distributed_algorithms.py,
                                            parallel/_out_of_core_algorithms.py
generate_interface.py --docs FOLDER         the tables in parallel.md, which is committed

Files that would not change are left alone.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

SWIG = pathlib.Path(__file__).resolve().parents[1]
for layer in ("capi", "bindings"):
    sys.path.insert(0, str(SWIG.parent / layer / "generator"))

import algorithms  # noqa: E402
import csharp_algorithms  # noqa: E402
import csharp_distributed  # noqa: E402
import csharp_members  # noqa: E402
import csharp_out_of_core  # noqa: E402
import csharp_parallel  # noqa: E402
import description  # noqa: E402
import distributed_description as distributed  # noqa: E402
import documentation  # noqa: E402
import interface  # noqa: E402
import java_algorithms  # noqa: E402
import java_distributed  # noqa: E402
import java_members  # noqa: E402
import java_out_of_core  # noqa: E402
import java_parallel  # noqa: E402
import operations  # noqa: E402
import out_of_core_description as out_of_core  # noqa: E402
import python_algorithms  # noqa: E402
import python_distributed  # noqa: E402
import python_members  # noqa: E402
import python_out_of_core  # noqa: E402
import python_stub  # noqa: E402
from output import write  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for output in ("--interface", "--java", "--csharp", "--python", "--docs"):
        arguments.add_argument(output, type=pathlib.Path)
    options = arguments.parse_args()
    abi = description.load()
    if options.interface:
        write(options.interface / "handles.i", interface.handles(abi))
        write(options.interface / "interface.i", interface.interface(abi))
        write(options.interface / "headers.i", interface.headers())
        write(options.interface / "algorithm_calls.hpp", interface.algorithm_calls(abi))
    if options.java:
        package = options.java / "io" / "cuprum"
        write_all(package, "java", java_members.files(abi) | java_algorithm_files(abi))
        write(package / "internal" / "Operations.java", operations.java(abi))
    if options.csharp:
        members = {"Members.cs": csharp_members.text(abi), "Operations.cs": operations.csharp(abi)}
        write_all(options.csharp, "cs", members | csharp_algorithm_files(abi))
    if options.python:
        extension = (SWIG / "python" / "extension.pyi").read_text(encoding="utf-8")
        write(options.python / "_cuprum.pyi", python_stub.stub(abi, extension))
        write(options.python / "_operations.py", operations.python(abi))
        write(options.python / "core" / "_members.py", python_members.text(abi))
        write(options.python / "parallel" / "_algorithms.py", python_algorithms.text(*algorithms.load(abi)))
        several = options.python / "parallel" / "_distributed_algorithms.py"
        write(several, python_distributed.text(distributed.load(abi)))
        in_pieces = options.python / "parallel" / "_out_of_core_algorithms.py"
        write(in_pieces, python_out_of_core.text(out_of_core.load(abi)))
    if options.docs:
        page = options.docs / documentation.PAGE.name
        write(page, documentation.page(page.read_text(encoding="utf-8"), *algorithms.load(abi)))


def java_algorithm_files(abi: description.Description) -> dict[str, str]:
    classes, calls = algorithms.load(abi)
    texts = {f"{algorithm.name}.java": java_algorithms.source(algorithm) for algorithm in classes}
    several = java_distributed.source(distributed.load(abi))
    in_pieces = java_out_of_core.source(out_of_core.load(abi))
    return texts | {
        "Parallel.java": java_parallel.source(classes, calls),
        "Distributed.java": several,
        "OutOfCore.java": in_pieces,
    }


def csharp_algorithm_files(abi: description.Description) -> dict[str, str]:
    classes, calls = algorithms.load(abi)
    texts = {f"{algorithm.name}.cs": csharp_algorithms.source(algorithm) for algorithm in classes}
    several = csharp_distributed.source(distributed.load(abi))
    in_pieces = csharp_out_of_core.source(out_of_core.load(abi))
    return texts | {
        "Parallel.cs": csharp_parallel.source(classes, calls),
        "Distributed.cs": several,
        "OutOfCore.cs": in_pieces,
    }


def write_all(folder: pathlib.Path, suffix: str, texts: dict[str, str]) -> None:
    """These files, and no others of that suffix: what the headers or the table no longer have is not compiled."""
    for path in folder.glob(f"*.{suffix}"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        write(folder / name, text)


if __name__ == "__main__":
    main()
