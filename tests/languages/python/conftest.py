"""What the tests share. They run on the simulator (CUPRUM_DRIVER=sim, CI) and on a GPU (CUPRUM_DRIVER=gpu)."""

from __future__ import annotations

import gc
import os
import pathlib
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator

import pytest
from bindings_shown import pytest_configure, pytest_runtest_makereport, shown_calls  # noqa: F401  (hooks, fixtures)
from bindings_support import cu_context, cu_device, cu_memory, cu_module, cu_stream  # noqa: F401  (fixtures)
from cuprum import _cuprum
from cuprum.core import Device, Kernel, Program, Stream
from cuprum.parallel import _iterators, _kept_operators

SAXPY = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""

#: What run_python hides so that no library of CUDA is found.
CUDA_LIBRARIES = (
    "libcuda",
    "libnvrtc",
    "libnvJitLink",
    "libnvvm",
    "libnvidia-ml",
    "libnccl",
    "/usr/local/cuda",
    "/nvidia/",
)
RunPython = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def device() -> Device:
    device = Device(0)
    # Made once and kept: no leak of the first test that uses it.
    assert device.default_stream is not None
    return device


@pytest.fixture
def stream(device: Device) -> Iterator[Stream]:
    with device.create_stream() as stream:
        yield stream


@pytest.fixture(scope="session")
def saxpy() -> Kernel:
    return Program(SAXPY, "saxpy.cu").compile().get_kernel("saxpy")


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """The test leaves as many handles as it found."""
    _kept_operators.forget()
    _iterators.forget()
    gc.collect()
    _ = Device(0).default_stream  # which a device keeps, once it was asked for
    before = _cuprum.cuprum_live_handles()
    yield
    _kept_operators.forget()
    _iterators.forget()
    gc.collect()
    assert _cuprum.cuprum_live_handles() == before


@pytest.fixture
def run_python(tmp_path: pathlib.Path) -> RunPython:
    """Runs a program in a fresh interpreter; `hide` makes paths that contain one of the words look absent."""

    def run(
        source: str,
        *,
        hide: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        options: tuple[str, ...] = (),
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, **(environment or {})}
        if hide:
            variables["LD_PRELOAD"] = os.environ["CUPRUM_TEST_HIDE_PATHS"]
            assert variables["LD_PRELOAD"], "CUPRUM_TEST_HIDE_PATHS does not name the library that hides paths"
            variables["HIDE_PATHS"] = ":".join(hide)
        result = subprocess.run(
            [sys.executable, *options, "-c", textwrap.dedent(source)],
            capture_output=True,
            text=True,
            check=False,
            env=variables,
            cwd=tmp_path,
            timeout=120,
        )
        if check:
            assert result.returncode == 0, f"exit status {result.returncode}\n{result.stdout}{result.stderr}"
        return result

    return run
