#!/usr/bin/env python3
"""Writes what libcuprum.so exports: generate.py --output FOLDER makes FOLDER/symbols.txt, a name a line, sorted."""

from __future__ import annotations

import argparse
import pathlib

import description


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--output", type=pathlib.Path, required=True)
    folder = arguments.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "symbols.txt"
    text = "".join(f"{name}\n" for name in sorted(function.name for function in description.load().functions))
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    main()
