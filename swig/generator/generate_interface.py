#!/usr/bin/env python3
"""Writes what the languages repeat of the C ABI, from its headers. Needs nothing but Python.

generate_interface.py --interface FOLDER       handles.i, interface.i and headers.i, which swig/cuprum.i includes
generate_interface.py --python-stub FOLDER     _cuprum.pyi
generate_interface.py --java FOLDER            the algorithms' classes and Parallel.java
generate_interface.py --csharp FOLDER          the algorithms' classes and Parallel.cs

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
import csharp_parallel  # noqa: E402
import description  # noqa: E402
import interface  # noqa: E402
import java_algorithms  # noqa: E402
import java_parallel  # noqa: E402
import python_stub  # noqa: E402
from output import write  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--interface", type=pathlib.Path)
    arguments.add_argument("--python-stub", type=pathlib.Path)
    arguments.add_argument("--java", type=pathlib.Path)
    arguments.add_argument("--csharp", type=pathlib.Path)
    options = arguments.parse_args()
    abi = description.load()
    if options.interface:
        write(options.interface / "handles.i", interface.handles(abi))
        write(options.interface / "interface.i", interface.interface(abi))
        write(options.interface / "headers.i", interface.headers())
    if options.python_stub:
        extension = (SWIG / "python" / "extension.pyi").read_text(encoding="utf-8")
        write(options.python_stub / "_cuprum.pyi", python_stub.stub(abi, extension))
    if options.java or options.csharp:
        classes, calls = algorithms.load(abi)
        for folder, suffix, of_class, of_calls in (
            (options.java, "java", java_algorithms.source, java_parallel.source),
            (options.csharp, "cs", csharp_algorithms.source, csharp_parallel.source),
        ):
            if folder:
                texts = {f"{algorithm.name}.{suffix}": of_class(algorithm) for algorithm in classes}
                write_all(folder, suffix, texts | {f"Parallel.{suffix}": of_calls(calls)})


def write_all(folder: pathlib.Path, suffix: str, texts: dict[str, str]) -> None:
    """These files, and no others of that suffix: what the table no longer has is not compiled."""
    for path in folder.glob(f"*.{suffix}"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        write(folder / name, text)


if __name__ == "__main__":
    main()
