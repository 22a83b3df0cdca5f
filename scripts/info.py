"""Prints what Cuprum would use on this machine: driver, devices, toolkit parts, caches."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
from typing import Any


def folder_size(folder: pathlib.Path) -> int:
    return sum(entry.stat().st_size for entry in folder.rglob("*") if entry.is_file())


def caches(build: pathlib.Path) -> list[dict[str, Any]]:
    """The folders that grow: the driver's own JIT cache, the build tree and the Python environment."""
    root = pathlib.Path(__file__).resolve().parent.parent
    driver_cache = os.environ.get("CUDA_CACHE_PATH") or "~/.nv/ComputeCache"
    folders = {
        "driver JIT cache": pathlib.Path(driver_cache).expanduser(),
        "build folder": build,
        "Python environment": root / ".venv",
    }
    return [
        {"name": name, "path": str(path), "bytes": folder_size(path) if path.is_dir() else None}
        for name, path in folders.items()
    ]


def print_text(information: dict[str, Any]) -> None:
    def line(label: str, value: object) -> None:
        print(f"{label + ':':<22}{value}")

    def part(label: str, entry: dict[str, Any]) -> None:
        if entry.get("error"):
            line(label, "not found")
            print("    " + str(entry["error"]).replace("\n", "\n    "))
            return
        notes = [str(entry[key]) for key in ("version", "found_via") if entry.get(key)]
        line(label, f"{entry.get('path')}" + (f"  ({', '.join(notes)})" if notes else ""))

    line("Cuprum", information["cuprum"]["version"])
    part("driver", information["driver"])
    devices = information.get("devices")
    if isinstance(devices, list):
        for device in devices:
            kind = "simulator" if device.get("simulator") else "GPU"
            line(f"device {device['id']}", f"{device['name']}  ({kind}, sm_{device['arch']})")
    for label, entry in information.get("toolkit", {}).items():
        part(label, entry)
    compiles = information["compile_cache"]
    if compiles["enabled"]:
        used, limit = compiles["bytes"] / 1e6, compiles["size_limit"] / 1e6
        line("compile cache", f"{compiles['path']}  ({compiles['entries']} entries, {used:.1f} of {limit:.0f} MB)")
    else:
        line("compile cache", f"off: {compiles['disabled_reason']}")
    for cache in information["caches"]:
        size = "absent" if cache["bytes"] is None else f"{cache['bytes'] / 1e6:.1f} MB"
        line(cache["name"], f"{cache['path']}  ({size})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    arguments = parser.parse_args()

    from cuprum import _cuprum

    information: dict[str, Any] = json.loads(_cuprum.cuprum_info_json())
    information["caches"] = caches(arguments.build)
    if arguments.json:
        print(json.dumps(information, indent=2))
    else:
        print_text(information)
    return 0


if __name__ == "__main__":
    sys.exit(main())
