"""What a call from Python costs while it is traced, and while it is not.

CUPRUM_DRIVER=sim PYTHONPATH=build/python python benchmarks/trace_cost.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

CALLS = 2000
MEASURE = f"""
import statistics, timeit
from cuprum.core import Device
stream = Device(0).create_stream()
times = timeit.repeat(lambda: stream.is_done, number={CALLS}, repeat=25)
print(statistics.median(times) / {CALLS} * 1e6)
"""


def measured(trace: str | None) -> float:
    """Microseconds for a call, in a process of its own."""
    environment = {**os.environ, **({"CUPRUM_TRACE": trace} if trace else {})}
    return float(subprocess.check_output([sys.executable, "-c", MEASURE], env=environment, text=True))


def main() -> None:
    """Without a trace, and with each kind."""
    without = measured(None)
    print(f"stream.is_done, no trace\t{without:.3f} us")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("json", "txt"):
            traced = measured(f"{folder}/calls.{ending}")
            print(f"stream.is_done, into {ending}\t{traced:.3f} us, {traced - without:.3f} us more")


if __name__ == "__main__":
    main()
