#!/usr/bin/env python3
"""Makes the lists of the CUDA libraries' functions and types, bindings/tables/<library>.json, from toolkits' headers.

Reads the headers of one or more CUDA toolkits with libclang (PyPI: libclang) and merges what they declare into the
lists, which are committed. Everything else is generated from the lists when Cuprum is built (generate.py).

    update_lists.py --headers DIR [--headers DIR ...]     merge these toolkits' headers and write the lists
    update_lists.py --headers DIR --check                 write nothing; fail if a list would change. Headers of a
                                                          toolkit that was never merged are not compared.

A toolkit that is merged again replaces what was known of it; what is known of other toolkits stays. So CI needs only
the toolkit at hand to see that the lists are current.
"""

from __future__ import annotations

import argparse
import difflib
import pathlib
import sys

import cpp
import model
from headers import Headers, header_version, typedef_versions
from libraries import LIBRARIES

ROOT = pathlib.Path(__file__).resolve().parents[2]


def known_versions(table: model.Table) -> dict[str, list[int]]:
    """For each function, the CUDA versions that gave it a new signature: a toolkit's headers may leave a function out
    (12.9's have no type of cuModuleGetFunctionCount)."""
    versions: dict[str, set[int]] = {}
    for variants in table.sections["functions"].values():
        for variant in variants:
            versions.setdefault(variant["query"], set()).add(variant["version"])
    return {query: sorted(found) for query, found in versions.items()}


def updated(header_folders: list[pathlib.Path], only_known: bool) -> dict[pathlib.Path, str]:
    """The lists, by path. `only_known`: leaves out toolkits that are not in the lists yet."""
    written: dict[pathlib.Path, str] = {}
    for library in LIBRARIES:
        table = model.load(library.name)
        versions = {**known_versions(table), **typedef_versions(header_folders, library.typedefs)}
        for headers in header_folders:
            absent = [name for name in library.headers if not (headers / name).exists()]
            if absent:
                print(f"{headers} has no {absent[0]}: nothing merged for {library.name}", file=sys.stderr)
                continue
            toolkit = header_version(library, headers)
            if only_known and toolkit not in table.toolkits:
                print(
                    f"{library.name}: the list does not know {library.numbered_as} {cpp.version_text(toolkit)} yet: "
                    "nothing to compare",
                    file=sys.stderr,
                )
                continue
            table.merge(toolkit, Headers(library, headers, versions).facts())
        if not table.toolkits:
            raise SystemExit(f"no headers of {library.title} given and no list to start from")
        written[model.path_of(library.name)] = model.dump(table)
    return written


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "--headers",
        action="append",
        type=pathlib.Path,
        required=True,
        help="include folder of a CUDA toolkit; may be given several times",
    )
    arguments.add_argument("--check", action="store_true", help="write nothing, fail if a list would change")
    options = arguments.parse_args()
    status = 0
    for path, text in updated(options.headers, only_known=options.check).items():
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        name = str(path.relative_to(ROOT))
        if options.check:
            status = 1
            sys.stdout.writelines(
                difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, name + " (now)")
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
