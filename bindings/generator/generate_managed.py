#!/usr/bin/env python3
"""Writes the bindings' classes for Java or C# from the committed tables. Needs nothing but Python.

generate_managed.py --language java --cuda 13000 --output DIR      Driver.java, Runtime.java, Nvrtc.java and so on
generate_managed.py --language csharp --cuda 13000 --output DIR    the same for C#

--cuda is the CUDA_VERSION of the headers that the library is compiled with, which the classes call: both must mean the
same signatures.
"""

from __future__ import annotations

import argparse
import pathlib

import csharp
import java
from managed import CLASSES, Library
from output import write


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--language", choices=("java", "csharp"), required=True)
    arguments.add_argument("--cuda", type=int, required=True)
    arguments.add_argument("--output", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    for name, class_name in CLASSES.items():
        library = Library(name, options.cuda)
        text = java.source(library) if options.language == "java" else csharp.source(library)
        write(options.output / f"{class_name}.{'java' if options.language == 'java' else 'cs'}", text)


if __name__ == "__main__":
    main()
