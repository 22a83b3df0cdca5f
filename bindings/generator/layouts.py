#!/usr/bin/env python3
"""Lists the structures whose layout differs between the toolkits that the lists know, as the table of docs/bindings.md.

A structure only grew when every field of the older layout is where it was: a program that sets the structure up whole,
and lets the library read it, is right with both. It moved when a field is elsewhere, has another size, or is gone.

    layouts.py [OLDEST]     from that toolkit on (12000)
"""

from __future__ import annotations

import itertools
import sys

import model

LIBRARIES = ("driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "nccl")


def places(record: model.Facts) -> dict[str, tuple[int, int]]:
    """Where each field lies, and how large it is."""
    return {path: (offset, field["size"]) for path, field, offset in model.leaves(record)}


def changes(oldest: int) -> list[tuple[str, int, int, int, list[str]]]:
    """(structure, first toolkit with a new layout, size before, size since, the fields that moved)."""
    found = []
    for library in LIBRARIES:
        table = model.load(library)
        for name, variants in sorted(table.sections["records"].items()):
            known = [v for v in variants if v["toolkits"][-1] >= oldest]
            for before, after in itertools.pairwise(known):
                if "fields" not in before or "fields" not in after:
                    continue
                old, new = places(before), places(after)
                # Reserved room becomes fields: that is what it is for.
                moved = [p for p in old if new.get(p) != old[p] and not p.rpartition(".")[2].startswith("reserved")]
                if moved or before["size"] != after["size"]:
                    found.append((name, after["toolkits"][0], before["size"], after["size"], moved))
    return found


def markdown(oldest: int) -> list[str]:
    lines = [
        "| structure | since | bytes before | bytes since | fields moved or gone |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, toolkit, before, after, moved in changes(oldest):
        version = f"{toolkit // 1000}.{toolkit % 1000 // 10}"
        shown = ", ".join(f"`{field}`" for field in moved[:3]) + (
            f" and {len(moved) - 3} more" if len(moved) > 3 else ""
        )
        lines.append(f"| `{name}` | {version} | {before} | {after} | {shown or 'none'} |")
    return lines


if __name__ == "__main__":
    print("\n".join(markdown(int(sys.argv[1]) if len(sys.argv) > 1 else 12000)))
