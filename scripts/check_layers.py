"""Checks that no layer includes a header of a layer that the drawing in docs/architecture.md does not give it."""

from __future__ import annotations

import pathlib
import re
import sys

DRAWING = pathlib.Path("docs/architecture.md")
LAYER = re.compile(r"^([a-z]+)/ .*(?:<- ([a-z, ]+)|depends on nothing)$", re.MULTILINE)
INCLUDE = re.compile(r'^\s*(?:#|%)\s*include\s*[<"]cuprum/([a-z_]+)/', re.MULTILINE)
SUFFIXES = {".cpp", ".hpp", ".c", ".h", ".i"}


def allowed_layers(drawing: str) -> dict[str, set[str]]:
    """What each folder may include as "cuprum/<layer>/...". The simulator includes nothing so: it shares nothing."""
    layers = {match[1]: set((match[2] or "").split(", ")) - {""} for match in LAYER.finditer(drawing)}
    return {layer: named | {layer} if layer != "simulator" else set() for layer, named in layers.items()}


def violations(root: pathlib.Path) -> list[str]:
    layers = allowed_layers((root / DRAWING).read_text(encoding="utf-8"))
    if "core" not in layers or "simulator" not in layers:
        return [f"{DRAWING}: the drawing of the layers was not found in it"]
    found = []
    for layer, allowed in layers.items():
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
