"""What a call of a built algorithm costs the host in each language: one table of those that are there.

usage: built_calls.py FOLDER...
FOLDER: a build tree, or what scripts/pack_gpu.sh and pack_managed.sh packed. A language is measured from the first
folder that has its program. CUPRUM_JAVA, CUPRUM_MONO: how Java and Mono are started (java, mono). On the simulator
CUPRUM_SIM=launch=none leaves the kernels out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent / "built_calls"


def _commands(folder: Path) -> dict[str, tuple[Path, list[str]]]:
    """By language: the file without which there is none, and the command."""
    java, mono = os.environ.get("CUPRUM_JAVA", "java"), os.environ.get("CUPRUM_MONO", "mono")
    classes, assembly = folder / "java/benchmarks", folder / "csharp/benchmarks/BuiltCalls.exe"
    programs = {"C++": folder / "bin/benchmark_built_calls_cpp", "C": folder / "bin/benchmark_built_calls_c_abi"}
    return {
        **{language: (program, [str(program)]) for language, program in programs.items()},
        "Python": (folder / "python/cuprum", [sys.executable, str(HERE / "in_python.py")]),
        "Java": (classes / "BuiltCalls.class", [java, "-cp", f"{folder / 'java/cuprum.jar'}:{classes}", "BuiltCalls"]),
        "C#": (assembly, [mono, str(assembly)]),
    }


def _run(folder: Path, command: list[str]) -> dict[str, str]:
    paths = {"LD_LIBRARY_PATH": folder / "lib", "PYTHONPATH": folder / "python"}
    before = {name: os.environ.get(name) for name in paths}
    environment = {name: f"{path}:{before[name]}" if before[name] else str(path) for name, path in paths.items()}
    ended = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split("\t") for line in ended.stdout.splitlines())


def main() -> int:
    folders = [Path(each).resolve() for each in sys.argv[1:]]
    if not folders:
        print(__doc__, file=sys.stderr)
        return 2
    found: dict[str, dict[str, str]] = {}
    failed = False
    for language in _commands(folders[0]):
        for folder in folders:
            needed, command = _commands(folder)[language]
            if not needed.exists():
                continue
            try:
                found[language] = _run(folder, command)
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"# {language}: {error}", file=sys.stderr)
                failed = True
            break
    print("# calls of built algorithms over 2^10 elements: microseconds of the host, asynchronous")
    print("\t".join([f"{'':16}", *(f"{language:>7}" for language in found)]))
    for call in next(iter(found.values()), {}):
        print("\t".join([f"{call:16}", *(f"{times[call]:>7}" for times in found.values())]))
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
