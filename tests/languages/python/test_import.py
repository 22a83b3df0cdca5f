"""What importing the package needs, and what it does not."""

from __future__ import annotations

import re

from conftest import RunPython

#: Nothing of these is needed to launch a kernel, and each is slow to import.
HEAVY = ("numpy", "ctypes", "json", "subprocess", "asyncio", "importlib.metadata", "logging", "sysconfig")


def test_importing_brings_in_nothing_heavy(run_python: RunPython) -> None:
    result = run_python(
        "import cuprum, cuprum.core, cuprum.pathfinder, sys; print(sorted(sys.modules))", options=("-S",)
    )
    loaded = re.findall(r"'([^']+)'", result.stdout)
    assert "cuprum._cuprum" in loaded
    assert [module for module in HEAVY if module in loaded] == []


def test_the_package_alone_does_not_load_the_library(run_python: RunPython) -> None:
    result = run_python("import cuprum, sys; print('cuprum._cuprum' in sys.modules, cuprum.Error.__name__)")
    assert result.stdout == "False Error\n"


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


def test_the_time_to_import_is_shown(run_python: RunPython) -> None:
    # For the log; benchmarks/ keep the numbers.
    report = run_python("import cuprum.core", options=("-X", "importtime")).stderr
    times = {module: int(time) / 1000 for time, module in re.findall(r"\| +(\d+) \| *(cuprum(?:\.core)?)\n", report)}
    print(times, "milliseconds")
    assert set(times) == {"cuprum", "cuprum.core"}
    # `cuprum` is imported within `cuprum.core` or before it; neither can have taken nothing.
    assert all(times.values())
