"""Cuprum beside other libraries: a test runs where its library is installed and finds a device, and says so elsewhere.

CI runs them on the simulator, under cuprum-simulate, with what runs there; scripts/gpu_neighbours.sh on a GPU.
"""

from __future__ import annotations

import collections
import os
import pathlib
import warnings
from collections.abc import Iterator

# Before the libraries are imported: they share the device.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")

import pytest
from cuprum.core import Device, Kernel, Program, Stream
from libraries import LIBRARIES, Library, why_not

SOURCE = r"""
__device__ void wait_for(unsigned long long nanoseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}
extern "C" __global__ void fill_late(float* x, float value, int n, unsigned long long nanoseconds) {
    wait_for(nanoseconds);
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = value;
}
extern "C" __global__ void copy(const float* from, float* to, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}
extern "C" __global__ void negate(float* x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = -x[i];
}
"""

_usable: dict[type[Library], Library | str] = {}


def _library(kind: type[Library]) -> Library:
    if kind not in _usable:
        reason = why_not(kind)
        _usable[kind] = kind() if reason is None else reason
    found = _usable[kind]
    if isinstance(found, str):
        pytest.skip(f"did not run: {found}")
    return found


@pytest.fixture(params=LIBRARIES, ids=[kind.name for kind in LIBRARIES])
def library(request: pytest.FixtureRequest) -> Library:
    return _library(request.param)


@pytest.fixture
def streaming(library: Library) -> Library:
    """A library whose streams the program chooses."""
    if not library.has_streams:
        pytest.skip(f"does not apply: {library.name} does not let a program choose its streams")
    return library


@pytest.fixture
def two_devices(library: Library) -> Library:
    if library.num_devices() < 2:
        pytest.skip("did not run: needs two devices, and there is one")
    return library


@pytest.fixture
def device() -> Device:
    device = Device(0)
    device.set_current()
    return device


@pytest.fixture
def stream(device: Device) -> Iterator[Stream]:
    with device.create_stream() as stream:
        yield stream


@pytest.fixture(scope="session")
def kernels() -> dict[str, Kernel]:
    code = Program(SOURCE, "neighbours.cu").compile()
    return {name: code.get_kernel(name) for name in ("fill_late", "copy", "negate")}


@pytest.fixture(autouse=True)
def _no_performance_advice() -> None:
    try:
        from numba.core.errors import NumbaPerformanceWarning
    except ImportError:
        return
    warnings.filterwarnings("ignore", category=NumbaPerformanceWarning)


# --- The record of a run: a line for each library, CUPRUM_TEST_RECORD names the file.

_results: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
_reasons: dict[str, set[str]] = collections.defaultdict(set)


def _subject(nodeid: str) -> str:
    for kind in LIBRARIES:
        if f"[{kind.name}" in nodeid or f"-{kind.name}]" in nodeid:
            return kind.name
    file = pathlib.PurePath(nodeid.split("::")[0]).stem.removeprefix("test_")
    return {"cupy": "CuPy", "pytorch": "PyTorch", "numba": "numba-cuda", "pyopencl": "PyOpenCL"}.get(file, file)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    subject = _subject(report.nodeid)
    if report.when == "call" or report.outcome != "passed":
        _results[subject][report.outcome] += 1
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        _reasons[subject].add(report.longrepr[2].removeprefix("Skipped: "))


def pytest_sessionfinish() -> None:
    name = os.environ.get("CUPRUM_TEST_RECORD")
    if not name:
        return
    versions = {kind.name: found.version() for kind, found in _usable.items() if isinstance(found, Library)}
    lines = ["| library | version | passed | failed | not run | why not |", "| --- | --- | --- | --- | --- | --- |"]
    for subject in sorted(_results, key=str.lower):
        counts, reasons = _results[subject], "; ".join(sorted(_reasons[subject]))
        numbers = f"{counts['passed']} | {counts['failed']} | {counts['skipped']}"
        lines.append(f"| {subject} | {versions.get(subject, '')} | {numbers} | {reasons} |")
    pathlib.Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
