"""Counts the functions that each library has: in the toolkit's headers, in Cuprum's lists, and in each language."""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Library -> its class in Java and C#, and what the names of its functions begin with.
CLASSES = {
    "driver": "Driver",
    "runtime": "Runtime",
    "nvrtc": "Nvrtc",
    "nvjitlink": "NvJitLink",
    "nvvm": "Nvvm",
    "nvml": "Nvml",
    "nccl": "Nccl",
}
PREFIXES = {
    "driver": "cu",
    "runtime": "cuda",
    "nvrtc": "nvrtc",
    "nvjitlink": "nvJitLink",
    "nvvm": "nvvm",
    "nvml": "nvml",
    "nccl": "nccl",
}
Counts = dict[str, int]


def of_headers(folder: pathlib.Path) -> Counts:
    """What libclang finds in the headers, under the names that programs use; nothing where there is no libclang."""
    sys.path.insert(0, str(ROOT / "bindings" / "generator"))
    try:
        headers = importlib.import_module("headers")
    except ImportError:
        return {}
    counts = {}
    for library in importlib.import_module("libraries").LIBRARIES:
        if library.name == "nccl":  # no part of a toolkit: a header that lies beside its headers is of any version
            continue
        if all((folder / name).exists() for name in library.headers):
            versions = headers.typedef_versions([folder], library.typedefs)
            counts[library.name] = len(headers.Headers(library, folder, versions).facts()["functions"])
    return counts


def of_cpp(library: ctypes.CDLL) -> Counts:
    """The lists that libcuprum was compiled with."""
    counts = {}
    for name in CLASSES:
        count = ctypes.c_uint32()
        if library.cuprum_bindings_function_count(ctypes.byref(count), name.encode()) == 0:
            counts[name] = count.value
    return counts


def of_python() -> Counts:
    counts = {}
    for name, prefix in PREFIXES.items():
        try:
            module = importlib.import_module(f"cuprum.bindings.{name}")
        except ImportError:
            continue
        functions = (attribute for attribute in dir(module) if attribute.startswith(prefix))
        counts[name] = sum(
            1 for each in functions if not isinstance(value := getattr(module, each), type) and callable(value)
        )
    return counts


def of_java(jar: pathlib.Path) -> Counts:
    counts = {}
    for name, class_name in CLASSES.items() if jar.exists() else ():
        command = ["javap", "-public", "-cp", str(jar), f"io.cuprum.bindings.{class_name}"]
        listing = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        counts[name] = sum(1 for line in listing.splitlines() if " static " in line and "(" in line)
    return {name: count for name, count in counts.items() if count}


def of_csharp(documentation: pathlib.Path) -> Counts:
    """From the assembly's documentation, which has every public member."""
    if not documentation.exists():
        return {}
    members = [str(each.get("name")) for each in xml.etree.ElementTree.parse(documentation).iter("member")]
    return {
        name: sum(1 for member in members if member.startswith(f"M:Cuprum.Bindings.{class_name}."))
        for name, class_name in CLASSES.items()
    }


def counts_of(build: pathlib.Path) -> dict[str, Counts]:
    """Where -> library -> functions. A language that this build does not have is left out."""
    library = ctypes.CDLL(str(build / "lib" / "libcuprum.so"))
    path = ctypes.c_char_p()
    via = ctypes.c_char_p()
    headers: Counts = {}
    if library.cuprum_find_header_directory(ctypes.byref(path), ctypes.byref(via), b"cudart") == 0 and path.value:
        headers = of_headers(pathlib.Path(path.value.decode()))
    found = {
        "headers": headers,
        "C++ and C": of_cpp(library),
        "Python": of_python(),
        "Java": of_java(build / "java" / "cuprum.jar"),
        "C#": of_csharp(build / "csharp" / "package" / "lib" / "netstandard2.0" / "Cuprum.xml"),
    }
    return {where: counts for where, counts in found.items() if counts}


def report(build: pathlib.Path, as_json: bool) -> int:
    """Prints the counts; 1 if they differ anywhere."""
    found = counts_of(build)
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        print("functions  " + "".join(f"{name:>12}" for name in CLASSES))
        for where, counts in found.items():
            print(f"{where:<11}" + "".join(f"{counts.get(name, 0):>12}" for name in CLASSES))
    # Not every toolkit has each library's header in this folder: what it lacks is as in the lists.
    expected = {**found["C++ and C"], **found.get("headers", {})}
    different = [where for where, counts in found.items() if where != "headers" and counts != expected]
    if different:
        print(f"not as in the headers: {', '.join(different)}", file=sys.stderr)
    return 1 if different else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    arguments = parser.parse_args()
    return report(arguments.build, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
