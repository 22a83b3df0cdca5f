"""The traces that the examples have left, all of which ran right: none of their calls is shown as an error."""

from __future__ import annotations

import os
import pathlib
import re

import pytest

TRACES = sorted(pathlib.Path(os.environ["CUPRUM_EXAMPLE_TRACES"]).glob("*.txt"))
#: A status that is no success, by its name. Work that has not ended yet is no failure.
FAILURE = re.compile(
    r"\) = (CUDA_ERROR_|NVRTC_ERROR_|NVJITLINK_ERROR_|NVVM_ERROR_|NVML_ERROR_|cudaError)(?!NOT_READY|NotReady)\w+"
)


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: str(trace.stem))
def test_a_healthy_program_has_no_errors_in_its_trace(trace: pathlib.Path) -> None:
    text = trace.read_text()
    # The algorithms on the host's cores call no library of CUDA's; examples of memory and of events launch nothing.
    uses = ("cuLaunchKernel", "cuMemAlloc", "cuMemHostAlloc", "cuStreamWaitEvent")
    assert any(call in text for call in uses) or "host" in trace.stem.lower()
    failed = [line for line in text.splitlines() if FAILURE.search(line)]
    if re.search("compile_?all", trace.stem.lower()):  # which shows what a compile says that fails
        failed = [
            line for line in failed if not re.search(r"^.*nvrtcCompileProgram\(.* = NVRTC_ERROR_COMPILATION$", line)
        ]
    assert failed == []


def test_there_are_traces() -> None:
    assert len(TRACES) >= 10
