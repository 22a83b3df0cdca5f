"""What importing the package needs, and what it does not."""

from __future__ import annotations

import re

import pytest
from conftest import RunPython

#: Nothing of these is needed to launch a kernel, and each is slow to import.
HEAVY = ["numpy", "ctypes", "json", "subprocess", "asyncio", "importlib.metadata", "logging", "sysconfig"]
HEAVY += ["dataclasses", "inspect"]


def test_importing_brings_in_nothing_heavy(run_python: RunPython) -> None:
    result = run_python(
        "import cuprum, cuprum.core, cuprum.pathfinder, sys; print(sorted(sys.modules))", options=("-S",)
    )
    loaded = re.findall(r"'([^']+)'", result.stdout)
    assert "cuprum._cuprum" in loaded
    assert [module for module in HEAVY if module in loaded] == []


#: Nothing of these is needed to have a device and a stream: without byte code each would have to be compiled first.
LATER = ["_compile_batch", "_context", "_device_properties", "_host", "_linker", "_managed_buffer", "_memory_pool"]
LATER += ["_memory_resource", "_module", "_program", "_tensor_map", "_virtual_memory", "graph", "system", "texture"]


def test_what_a_program_does_not_name_is_loaded_later(run_python: RunPython) -> None:
    result = run_python(
        f"""
        import sys
        import cuprum.core
        print([name for name in {LATER} if f"cuprum.core.{{name}}" in sys.modules])
        listed = dir(cuprum.core)
        assert {{*cuprum.core.__all__, "graph", "__version__"}} <= {{*listed, "__version__"}}
        assert "_program" not in listed
        assert cuprum.core.Program is cuprum.core.Program and "Program" in vars(cuprum.core)
        from cuprum.core import *
        assert ObjectCode is cuprum.core.ObjectCode and Device.__module__ == "cuprum.core._device"
        """
    )
    assert result.stdout == "[]\n"


def test_options_are_dataclasses_from_their_first_use_on(run_python: RunPython) -> None:
    result = run_python(
        """
        import pickle, sys, threading
        from cuprum.core import AccessPolicyWindow, ProgramOptions, StreamOptions
        assert "dataclasses" not in sys.modules
        restored = pickle.loads(pickle.dumps(StreamOptions(priority=-1)))
        import dataclasses, inspect
        assert restored == StreamOptions(priority=-1) != StreamOptions()
        assert "arch" in inspect.signature(ProgramOptions).parameters
        assert dataclasses.is_dataclass(ProgramOptions)
        assert dataclasses.replace(ProgramOptions(), arch="sm_90").arch == "sm_90"
        assert repr(StreamOptions()).startswith("StreamOptions(")
        window = AccessPolicyWindow(1, 2)
        assert hash(window) == hash(AccessPolicyWindow(1, 2))
        try:
            window.size = 3
        except dataclasses.FrozenInstanceError as error:
            print(error)
        """
    )
    assert result.stdout == "cannot assign to field 'size'\n"


def test_options_are_made_once_by_several_threads(run_python: RunPython) -> None:
    run_python(
        """
        import threading
        from cuprum.core import ProgramOptions
        made, start = [], threading.Barrier(8)
        def make():
            start.wait()
            made.append(ProgramOptions(arch="sm_80"))
        threads = [threading.Thread(target=make) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert len(made) == 8 and all(each == made[0] for each in made)
        """
    )


def test_the_package_alone_does_not_load_the_library(run_python: RunPython) -> None:
    result = run_python("import cuprum, sys; print('cuprum._cuprum' in sys.modules, cuprum.Error.__name__)")
    assert result.stdout == "False Error\n"


def test_the_extension_module_needs_nothing_to_be_told(run_python: RunPython) -> None:
    """Errors are the package's as soon as it is loaded, with no call that makes it ready."""
    result = run_python(
        """
        import cuprum
        from cuprum import _cuprum
        try:
            _cuprum.cuprum_stream_sync(1)
        except cuprum.InvalidHandle as error:
            print(type(error).__name__, "by", error.operation)
        """
    )
    assert result.stdout == "InvalidHandle by waiting for a stream\n"


def test_sub_modules_come_at_first_use(run_python: RunPython) -> None:
    result = run_python(
        "import cuprum; print(cuprum.core.Device.__name__, cuprum.pathfinder.__name__, cuprum.bindings.driver.__name__)"
    )
    assert result.stdout == "Device cuprum.pathfinder cuprum.bindings.driver\n"


def test_importing_needs_neither_driver_nor_toolkit_nor_simulator(run_python: RunPython) -> None:
    run_python(
        "import cuprum.core, cuprum.pathfinder; print(cuprum.__version__)",
        hide=("libcuda", "libnvrtc", "/usr/local/cuda", "/nvidia/"),
        environment={"CUPRUM_DRIVER": "gpu"},
    )


#: In a fresh process: milliseconds of processor time that the import takes, and KiB by which the process grows.
COST = """
import time
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
before, begin = resident(), time.process_time()
import {module}
print((time.process_time() - begin) * 1e3, resident() - before)
"""


@pytest.mark.parametrize(
    ("module", "times_asyncio", "mebibytes"),
    [
        (f"cuprum.bindings.{library}", 0.8, 15)
        for library in ("driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "nccl")
    ]
    + [("cuprum.core", 1.6, 15), ("cuprum.pathfinder", 0.8, 15)],
)
def test_importing_is_cheap(run_python: RunPython, module: str, times_asyncio: float, mebibytes: float) -> None:
    # The least of several, of the time on the processor: the first may compile. A busy machine makes it longer, and
    # that of a module of Python itself as well.
    least, of_asyncio, growth = float("inf"), float("inf"), float("inf")
    for _ in range(20):
        time, grown = map(float, run_python(COST.format(module=module)).stdout.split())
        least, growth = min(least, time), min(growth, grown / 1024)
        of_asyncio = min(of_asyncio, float(run_python(COST.format(module="asyncio")).stdout.split()[0]))
        if least <= times_asyncio * of_asyncio and growth <= mebibytes:
            return
    pytest.fail(f"{least} ms and {growth} MiB, where asyncio takes {of_asyncio} ms")
