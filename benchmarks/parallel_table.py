"""One table of the parallel algorithms on this machine: here, CUB with counts of 32 and of 64 bits, CuPy and PyTorch.

usage: parallel_table.py BUILD_FOLDER BASELINE.so [BASELINE_64.so] [--sizes 10,12,...,28] [--only NAME]...
BASELINE: of scripts/cub_baseline.sh. CuPy and PyTorch are those of this Python; a column is empty where one is missing.

Times are microseconds per call, by the device's clock over batches. Here and CUB are measured by benchmark_parallel in
one process, in turns, and their results compared; CuPy and PyTorch by parallel_peers.py over the same data, their
results compared with NumPy's up to 2^20. The exit status says whether every row ran and every result was equal.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SIZES = ",".join(str(log2) for log2 in range(10, 29, 2))
PEERS = {"cupy": "CuPy", "torch": "PyTorch"}
PEER_SECONDS = 180
HEADER = ("algorithm", "n", "here", "CUB", "CUB, 64-bit", *PEERS.values(), "here / CUB", "results")
WIDTHS = (28, 4, 10, 10, 11, 10, 10, 10, 0)


@dataclass(frozen=True)
class PeerRow:
    time: str
    is_equal: bool
    note: str


def print_line(fields: tuple[str, ...]) -> None:
    name, *others = fields
    text = [f"{name:{WIDTHS[0]}}", *(f"{field:>{width}}" for field, width in zip(others, WIDTHS[1:], strict=True))]
    print("\t".join(text).rstrip(), flush=True)


def peer_rows(library: str, arguments: list[str]) -> dict[tuple[str, int], PeerRow]:
    """What it printed until it ended, or until its time was over."""
    command = [sys.executable, str(Path(__file__).with_name("parallel_peers.py")), library, *arguments]
    rows = {}
    with subprocess.Popen(["timeout", str(PEER_SECONDS), *command], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            name, log2, time, result, note = line.rstrip("\n").split("\t")
            rows[name, int(log2)] = PeerRow(time, result != "DIFFERENT", note)
    if process.returncode:
        print(f"# {PEERS[library]} ended with {process.returncode}", flush=True)
    return rows


class Program:
    """benchmark_parallel: its lines, once more from the row after the one at which it could not go on."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self.has_failed = False

    def lines(self) -> Iterator[str]:
        after: list[str] = []
        while True:
            row = ""
            with subprocess.Popen(self._command + after, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout
                for line in process.stdout:
                    if line.startswith("# row "):
                        row = line.removeprefix("# row ").strip()
                    else:
                        yield line.rstrip("\n")
            self.has_failed = self.has_failed or process.returncode != 0
            if 0 <= process.returncode < 2:
                return
            yield f"# exit {process.returncode} at: {row or 'the start'}"
            if not row:
                return
            after = ["--after", row]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("baselines", nargs="+")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    chosen = ["--sizes", options.sizes, *(word for name in options.only for word in ("--only", name))]
    peers = {name: peer_rows(name, chosen) for name in PEERS}

    program = Program([str(options.build / "bin/benchmark_parallel"), *options.baselines, *chosen])
    all_equal = True
    noted = set()
    for line in program.lines():
        if line.startswith("# on "):
            print(line.split(";")[0])
            print_line(HEADER)
            continue
        if line.startswith("#") or not line:
            print(line, flush=True)
            continue
        name, size, here, cub, cub_64, ratio, _, _, result, note = (field.strip() for field in line.split("\t"))
        found = {library: peers[library].get((name, int(size.removeprefix("2^")))) for library in PEERS}
        notes = [note] if note else []
        notes += [f"{PEERS[library]}: {row.note}" for library, row in found.items() if row and row.note]
        if notes and name not in noted:
            print(f"# {'; '.join(notes)}")
            noted.add(name)
        results = [result] + [
            f"{PEERS[library]} DIFFERENT" for library, row in found.items() if row and not row.is_equal
        ]
        all_equal = all_equal and results == ["equal"]
        times = (here.removesuffix(" us"), cub.removesuffix(" us"), cub_64.removesuffix(" us"))
        peer_times = (row.time if row else "" for row in found.values())
        print_line((name, size, *times, *peer_times, ratio.removesuffix(" x"), ", ".join(results)))
    return 0 if all_equal and not program.has_failed else 1


if __name__ == "__main__":
    sys.exit(main())
