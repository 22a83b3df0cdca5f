"""Objects of every class after close, in other threads, without their context, in a forked child, at the end."""

from __future__ import annotations

import pathlib
import threading

import pytest
from conftest import RunPython
from cuprum import InvalidState
from objects import every_object, problems

BEGIN = f"""
import sys, os, gc, atexit
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import cuprum
from objects import every_object, lose_the_context, problems
objects = every_object()
"""


@pytest.mark.usefixtures("no_leaks")
def test_closed_ones_say_so() -> None:
    objects = every_object()
    assert len(objects) > 20
    for specimen in objects:
        specimen.owner.close()
        specimen.owner.close()
        assert problems([specimen], InvalidState, "closed", must_fail=True) == []


def test_threads_use_and_close_them() -> None:
    found: list[str] = []
    for specimen in every_object():

        def use(specimen=specimen) -> None:  # type: ignore[no-untyped-def]
            for name, call in specimen.uses.items():
                try:
                    call(specimen.owner)
                except BaseException as error:
                    found.append(f"{specimen.name}, {name}: {error}")

        for work in (use, specimen.owner.close):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    assert found == []


@pytest.mark.parametrize("is_primary", [False, True])
def test_a_context_that_the_program_has_pushed_stays_current(is_primary: bool, run_python: RunPython) -> None:
    # As OpenMM does: contexts of its own on the thread's stack, and calls of others in between.
    result = run_python(
        BEGIN
        + f"""
import numpy as np
from cuprum import parallel
from cuprum.bindings import driver
from cuprum.core import Device

def checked(result):
    assert result[0] == 0, result
    return result[1] if len(result) > 1 else None

below = checked(driver.cuCtxCreate(None, 0, 0))
if {is_primary}:
    current = checked(driver.cuDevicePrimaryCtxRetain(0))
    checked(driver.cuCtxPushCurrent(current))
else:
    current = checked(driver.cuCtxCreate(None, 0, 0))

def check(where):
    found = checked(driver.cuCtxPopCurrent())
    if int(found) != int(current) or int(checked(driver.cuCtxGetCurrent())) != int(below):
        print("another context is current:", where)
    checked(driver.cuCtxPushCurrent(found))

del objects
objects = every_object()
check("making the objects")
for name, owner, uses in objects:
    for use, call in uses.items():
        call(owner)
        check(name + ", " + use)
    owner.close()
    check("closing " + name)
values = np.arange(1000, dtype=np.float32)
for call in (lambda: parallel.reduce(values), lambda: parallel.sort(values), lambda: Device(0).sync(),
             lambda: Device().memory_info, lambda: Device(0).allocate(16).close(), gc.collect):
    call()
    check("an algorithm or a device's own call")
Device(0).set_current()
if int(checked(driver.cuCtxGetCurrent())) != int(checked(driver.cuDevicePrimaryCtxRetain(0))):
    print("set_current has not changed it")
"""
    )
    assert (result.stdout, result.stderr) == ("", "")


def test_they_outlive_their_context(run_python: RunPython) -> None:
    result = run_python(
        BEGIN
        + """
lose_the_context()
print(*problems(objects, cuprum.DeviceFault, "the context is lost", must_fail=False), sep="\\n", end="")
for specimen in objects[::2]:
    specimen.owner.close()
del objects, specimen
gc.collect()
"""
    )
    assert (result.stdout, result.stderr) == ("", "")


@pytest.mark.parametrize("closing", [True, False])
def test_they_are_the_parents_after_a_fork(closing: bool, run_python: RunPython) -> None:
    result = run_python(
        "import warnings\nwarnings.simplefilter('ignore', DeprecationWarning)  # Python 3.12's, of fork with threads\n"
        + BEGIN
        + f"""
child = os.fork()
if child == 0:
    print(*problems(objects, cuprum.Error, "fork", must_fail=False), sep="\\n", end="", flush=True)
    if {closing}:
        for specimen in objects:
            specimen.owner.close()
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
for name, owner, uses in objects:
    for call in uses.values():
        call(owner)
"""
    )
    assert (result.stdout, result.stderr) == ("", "")


def test_the_interpreter_exits_with_all_of_them(run_python: RunPython) -> None:
    result = run_python(
        BEGIN
        + """
def at_exit():
    for name, owner, uses in objects:
        for call in uses.values():
            try:
                call(owner)
            except cuprum.Error:
                pass
    for specimen in objects[::2]:
        specimen.owner.close()
atexit.register(at_exit)
sys.keep = every_object()
sys.keep.append(sys.keep)
"""
    )
    assert (result.stdout, result.stderr) == ("", "")
