"""What calls cost in two builds of Cuprum, old and new, side by side in one run.

    python benchmarks/compare_builds.py OLD_BUILD NEW_BUILD [--rounds N] [--cpu N]

Each build has processes of its own, which take turns, so that what else the machine does meets both. Python's calls are
those of python_overhead.py and launches of many kinds; the least of all rounds counts. The new build's program for the
C ABI (c_calls.cpp), with the library of each, and the program of each for C++ (launch_overhead.cpp) run several times,
and the least of their medians counts.

On the simulator (CUPRUM_DRIVER=sim) launches are switched off, so that what is left is what the calls cost.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from typing import IO, Any

HERE = pathlib.Path(__file__).resolve().parent
CALLS = 200
#: What timeit and the lambda around each call take, which is taken off.
NOTHING = "a call of an empty function"


def launches() -> dict[str, Callable[[], object]]:
    """Launches, by their arguments and streams. Runs with the package of either build."""
    import numpy as np

    core: Any = importlib.import_module("cuprum.core")
    device = core.Device(0)
    stream = device.create_stream()
    x = device.allocate(4096)
    config = core.LaunchConfig(1, block=32)
    launch = core.launch

    def kernel(*types: str) -> Any:
        parameters = ", ".join(f"{name} a{i}" for i, name in enumerate(types))
        source = f'extern "C" __global__ void with({parameters}) {{}}'
        return core.Program(source, "c++").compile("ptx").get_kernel("with")

    none, four = kernel(), kernel("float", "float*", "float*", "int")
    many = kernel(*["float*", "int", "float", "double"] * 20)
    scalars = (np.float32(2), x, x, np.int32(32))
    arguments = (x, 32, 2.0, 2.0) * 20
    legacy, own_default = core.LEGACY_DEFAULT_STREAM, device.default_stream

    class Lender:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, stream.handle

    lender = Lender()
    return {
        "launch, no arguments": lambda: launch(stream, config, none),
        "launch, 4 arguments": lambda: launch(stream, config, four, 2.0, x, x, 32),
        "launch, 4 arguments, NumPy's scalars": lambda: launch(stream, config, four, *scalars),
        "launch, 80 arguments": lambda: launch(stream, config, many, *arguments),
        "launch, LEGACY_DEFAULT_STREAM": lambda: launch(legacy, config, four, 2.0, x, x, 32),
        "launch, device.default_stream": lambda: launch(own_default, config, four, 2.0, x, x, 32),
        "launch, a stream of another library": lambda: launch(lender, config, four, 2.0, x, x, 32),
        "buffer.fill(1, stream=LEGACY_DEFAULT_STREAM)": lambda: x.fill(1, stream=legacy),
        "LEGACY_DEFAULT_STREAM.sync()": lambda: legacy.sync(),
    }


def serve() -> None:
    """Measures all calls once for each line that comes in."""
    core = importlib.import_module("cuprum.core")
    from python_overhead import calls

    made = calls(core, (2.0, 32))
    drain = made.pop("drain")
    made = {NOTHING: lambda: None, **made, **launches()}
    device = core.Device(0)
    for _ in sys.stdin:
        costs = {}
        for name, call in made.items():
            costs[name] = timeit.timeit(call, number=CALLS) / CALLS * 1e9
            drain()
            device.sync()
        print(json.dumps(costs), flush=True)


def environment(build: pathlib.Path) -> dict[str, str]:
    variables = dict(os.environ)
    variables["PYTHONPATH"] = f"{build / 'python'}:{HERE}"
    variables["LD_LIBRARY_PATH"] = str(build / "lib")
    if variables.get("CUPRUM_DRIVER") == "sim":
        variables.setdefault("CUPRUM_SIM", "launch=none")
    return variables


def python_costs(builds: list[pathlib.Path], rounds: int) -> list[dict[str, float]]:
    """Nanoseconds by call, for each build."""
    command = [sys.executable, __file__, "--serve"]
    processes = [
        subprocess.Popen(command, env=environment(build), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for build in builds
    ]
    least: list[dict[str, float]] = [{} for _ in builds]
    for i in range(rounds):
        order = list(range(len(builds)))
        for which in order if i % 2 == 0 else reversed(order):
            for name, cost in ask(processes[which]).items():
                least[which][name] = min(cost, least[which].get(name, cost))
    for process in processes:
        pipe(process.stdin).close()
        process.wait()
    return [{name: cost - costs[NOTHING] for name, cost in costs.items() if name != NOTHING} for costs in least]


def pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def ask(process: subprocess.Popen[str]) -> dict[str, float]:
    print(file=pipe(process.stdin), flush=True)
    line = pipe(process.stdout).readline()
    if not line:
        raise SystemExit("a benchmark has ended early; its error is above")
    costs: dict[str, float] = json.loads(line)
    return costs


def program_costs(programs: list[tuple[pathlib.Path, pathlib.Path]], rounds: int) -> list[dict[str, float]]:
    """Nanoseconds by row of a benchmark in C++, for each program and the build whose library it runs with."""
    seen: list[dict[str, list[float]]] = [{} for _ in programs]
    for _ in range(rounds):
        for rows, (program, build) in zip(seen, programs, strict=True):
            output = subprocess.run(
                [program], env=environment(build), check=True, capture_output=True, text=True
            ).stdout
            for line in output.splitlines():
                if not line.startswith("#"):
                    name, microseconds, *_ = line.split("\t")
                    rows.setdefault(name, []).append(float(microseconds) * 1e3)
    return [{name: min(costs) for name, costs in rows.items()} for rows in seen]


def print_table(title: str, old: dict[str, float], new: dict[str, float]) -> None:
    print(f"\n| {title} | old | new | new / old |\n| --- | --- | --- | --- |")
    for name, cost in new.items():
        before = old.get(name)
        compared = f"{before:.0f} ns | {cost:.0f} ns | {cost / before:.2f}" if before else f"| {cost:.0f} ns |"
        print(f"| {name} | {compared} |")
    ratios = [cost / old[name] for name, cost in new.items() if old.get(name)]
    print(f"\nMedian of new / old: {statistics.median(ratios):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="*", type=pathlib.Path, metavar="BUILD", help="the old one, the new one")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--cpu", type=int, help="the core that all of it runs on")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    if len(options.builds) != 2:
        parser.error("give two build folders: the old one, the new one")
    if options.cpu is not None:
        os.sched_setaffinity(0, {options.cpu})
    old, new = (build.resolve() for build in options.builds)
    print_table("Python", *python_costs([old, new], options.rounds))
    few = max(options.rounds // 8, 3)
    c_calls = new / "bin" / "benchmark_c_calls"
    print_table("C ABI", *program_costs([(c_calls, old), (c_calls, new)], few))
    cpp = [(build / "bin" / "benchmark_launch_overhead", build) for build in (old, new)]
    if all(program.exists() for program, _ in cpp):
        print_table("C++", *program_costs(cpp, few))


if __name__ == "__main__":
    main()
