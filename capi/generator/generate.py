#!/usr/bin/env python3
"""Writes what libcuprum.so exports: generate.py --output FOLDER makes FOLDER/symbols.txt, a name a line, sorted."""

from __future__ import annotations

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "generator"))

import description
from output import write


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--output", type=pathlib.Path, required=True)
    folder = arguments.parse_args().output
    text = "".join(f"{name}\n" for name in sorted(function.name for function in description.load().functions))
    write(folder / "symbols.txt", text)


if __name__ == "__main__":
    main()
