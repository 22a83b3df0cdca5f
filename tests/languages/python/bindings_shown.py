"""What the tests of cuprum.bindings show of tests/conformance/bindings/most_used.txt; conftest.py has these for all.

    @pytest.mark.shows("cuMemAlloc", "cuMemFree")

stands before a test whose assertions are about what these functions do. At its end, each of them must have been called
in it and have succeeded: the trace of the calls says so. CUPRUM_TEST_SHOWN names a file that gets a line for each
function, "shown" if the test has passed, "skipped" with the reason if it was skipped; check_most_used.py reads them.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Generator, Iterator

import pytest
from bindings_support import c_interface

# "... us  thread 7  cuInit(Flags=0) = CUDA_SUCCESS"; functions that give a text have that as their result.
SUCCEEDED = re.compile(r"thread \d+  (\w+)\(.*\) = (?:\w*SUCCESS|cudaSuccess|\".*)$", re.MULTILINE)
FAILED = pytest.StashKey[bool]()
SKIPPED = pytest.StashKey[bool]()


def _functions(item: pytest.Item) -> list[str]:
    return [function for marker in item.iter_markers("shows") for function in marker.args]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shows(function, ...): the functions of the bindings whose work the test shows")
    if file := os.environ.get("CUPRUM_TEST_SHOWN"):
        pathlib.Path(file).write_text("")


@pytest.fixture(autouse=True)
def shown_calls(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    functions = _functions(request.node)
    if not functions:
        yield
        return
    trace = tmp_path_factory.getbasetemp() / "shown.txt"
    c = c_interface()
    assert c.cuprum_bindings_start_trace(str(trace).encode()) == 0
    yield
    assert c.cuprum_bindings_stop_trace() == 0
    if request.node.stash.get(SKIPPED, False):
        return
    called = set(SUCCEEDED.findall(trace.read_text()))
    assert set(functions) <= called, f"not called with success: {set(functions) - called}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[SKIPPED] = item.stash.get(SKIPPED, False) or report.skipped
    file = os.environ.get("CUPRUM_TEST_SHOWN")
    # A test that has passed is one whose end, with the check above, has passed too.
    is_shown = (
        report.when == "teardown" and report.passed and not (item.stash.get(FAILED, False) or item.stash[SKIPPED])
    )
    if file and (report.skipped or is_shown):
        outcome = "skipped" if report.skipped else "shown"
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        with pathlib.Path(file).open("a") as record:
            for function in _functions(item):
                print(outcome, function, item.name, reason, sep="\t", file=record)
    if not report.passed:
        item.stash[FAILED] = True
    return report
