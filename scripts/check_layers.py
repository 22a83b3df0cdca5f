"""Checks that no layer includes a header of a layer that it may not know (the table in docs/architecture.md)."""

from __future__ import annotations

import pathlib
import re
import sys

# What each folder may include as "cuprum/<layer>/...". The simulator shares nothing with the SDK.
ALLOWED: dict[str, set[str]] = {
    "pathfinder": {"pathfinder"},
    "bindings": {"pathfinder", "bindings"},
    "core": {"pathfinder", "bindings", "core"},
    "parallel": {"pathfinder", "bindings", "core", "parallel"},
    "capi": {"pathfinder", "bindings", "core", "parallel", "capi"},
    "cli": {"pathfinder", "bindings", "core", "parallel", "capi"},
    "swig": {"capi"},
    "simulator": set(),
}
INCLUDE = re.compile(r'^\s*(?:#|%)\s*include\s*[<"]cuprum/([a-z_]+)/', re.MULTILINE)
SUFFIXES = {".cpp", ".hpp", ".c", ".h", ".i"}


def violations(root: pathlib.Path) -> list[str]:
    found = []
    for layer, allowed in ALLOWED.items():
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
                if match[1] not in allowed:
                    found.append(f"{path.relative_to(root)}: includes cuprum/{match[1]}/, which {layer}/ may not know")
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
