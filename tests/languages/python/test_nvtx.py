"""Ranges and marks, as a trace and an injected tool get them; live objects by kind."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess

import pytest
from conftest import RunPython
from cuprum.core import Device, live_objects, nvtx

#: A tool's library, as NVTX's protocol has it: it prints what it is called with.
TOOL = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
typedef void (*slot)(void);
typedef struct { size_t size; int (*get)(int, slot***, unsigned*); } callbacks;
static void mark(const char* text) { printf("mark %s\n", text); }
static int push(const char* text) { printf("push %s\n", text); return 0; }
static int pop(void) { printf("pop\n"); return 0; }
static uint64_t start(const char* text) { printf("start %s\n", text); return 77; }
static void end(uint64_t id) { printf("end %d\n", (int)id); fflush(stdout); }
int InitializeInjectionNvtx2(const void* (*get_table)(uint32_t)) {
    const callbacks* table = get_table(1);
    slot** slots;
    unsigned size = 0;
    if (!table || !table->get(1, &slots, &size) || size < 12) return 0;
    *slots[2] = (slot)mark;
    *slots[5] = (slot)start;
    *slots[7] = (slot)end;
    *slots[9] = (slot)push;
    *slots[11] = (slot)pop;
    return 1;
}
"""

RANGES = """
from cuprum.core import nvtx
assert nvtx.push_range("outer") == 0
assert nvtx.push_range("inner") == 1
nvtx.mark("here")
assert nvtx.pop_range() == 1
assert nvtx.pop_range() == 0
assert nvtx.pop_range() == -1
number = nvtx.start_range("long")
nvtx.end_range(number)
nvtx.end_range(number)
"""


def test_ranges_nest_within_a_thread() -> None:
    with nvtx.annotate("outer"):
        assert nvtx.push_range("inner") == 1
        assert nvtx.pop_range() == 1

    @nvtx.annotate("each call")
    def double(value: int) -> int:
        return 2 * value

    assert double(4) == 8
    assert nvtx.pop_range() == -1


def test_a_trace_has_ranges_without_any_call_of_cuda(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ranges.json"
    run_python(RANGES, environment={"CUPRUM_TRACE": str(file)})
    events = json.loads(file.read_text())
    assert [event["name"] for event in events] == ["here", "inner", "outer", "long"]
    assert all(event["cat"] == "nvtx" for event in events)


def test_an_injected_tool_gets_them(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "tool.c").write_text(TOOL)
    library = tmp_path / "libtool.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "tool.c"], check=True)
    result = run_python(RANGES, environment={"NVTX_INJECTION64_PATH": str(library)})
    expected = ["push outer", "push inner", "mark here", "pop", "pop", "pop", "start long", "end 77"]
    assert result.stdout.splitlines() == expected


def test_live_objects_are_counted_by_kind() -> None:
    before = live_objects()
    with Device(0).create_stream() as stream:
        assert live_objects()["stream"] == before["stream"] + 1
        event = stream.record()
        assert live_objects()["event"] == before["event"] + 1
        event.close()
    assert live_objects() == before
