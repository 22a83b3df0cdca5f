"""Control of profilers, and what is asked about OpenGL."""

from __future__ import annotations

from typing import Any, NoReturn

from cuprum._errors import Unsupported
from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._errors import check


def start_profiler() -> None:
    """The profiler that the program runs under records from here on."""
    check(_driver.cuProfilerStart(), "cuProfilerStart")


def stop_profiler() -> None:
    """The profiler that the program runs under records no more."""
    check(_driver.cuProfilerStop(), "cuProfilerStop")


def initialize_profiler(config_file: str, output_file: str, output_mode: Any) -> NoReturn:
    """Refused: CUDA 12 has removed it."""
    raise Unsupported(
        "initialize_profiler: CUDA 12 has removed cuProfilerInitialize; run the program under Nsight Systems or Nsight "
        "Compute, and choose what is recorded with start_profiler and stop_profiler"
    )


def have_gl_ext() -> bool:
    """False: ``pycuda.gl`` is not here. ``cuprum.core.GraphicsResource`` shares buffers with OpenGL."""
    return False
