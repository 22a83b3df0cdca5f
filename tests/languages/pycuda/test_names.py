"""Every public name of PyCUDA is there, or docs/pycuda-names.txt says why it is not."""

from __future__ import annotations

import collections
import functools
import importlib
import pathlib
import re

import pytest
from conftest import RunPython
from cuprum.compat.pycuda import driver

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"


def listed() -> dict[str, str]:
    """Name -> what is there in its place; empty where the name itself is."""
    lines = (DOCS / "pycuda-names.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("  ")[::2] for line in lines if not line.startswith("#")]
    assert len({name for name, _ in pairs}) == len(pairs) > 900
    return dict(pairs)


def is_there(name: str) -> bool:
    module, *parts = name.split(".")
    try:
        functools.reduce(getattr, parts, importlib.import_module(f"cuprum.compat.pycuda.{module}"))
    except (ImportError, AttributeError):
        return False
    return True


def test_each_name_of_pycudas_is_there_or_has_a_reason() -> None:
    wrong = [name for name, instead in listed().items() if is_there(name) == bool(instead)]
    assert wrong == []


def test_the_table_in_the_documentation_counts_them() -> None:
    names = listed()
    there = collections.Counter(name.split(".")[0] for name, instead in names.items() if not instead)
    missing = collections.Counter(name.split(".")[0] for name, instead in names.items() if instead)
    text = (DOCS / "pycuda.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert {module: (int(ours), int(lacking)) for module, ours, lacking in rows} == {
        module: (there[module], missing[module]) for module in there
    }


def test_the_documentation_names_what_is_missing_with_its_reason() -> None:
    text = (DOCS / "pycuda.md").read_text(encoding="utf-8")
    reasons = {instead for instead in listed().values() if instead}
    assert [reason for reason in reasons if reason not in text] == []


@pytest.mark.parametrize("name", sorted(name for name in dir(driver) if not name.startswith("__")))
def test_whatever_the_driver_module_lists_is_there(name: str) -> None:
    assert getattr(driver, name) is not None


def test_enumerations_are_as_pycudas() -> None:
    attribute = driver.device_attribute.WARP_SIZE
    assert isinstance(attribute, int)
    assert (str(attribute), f"{attribute}") == ("WARP_SIZE", "WARP_SIZE")
    assert driver.device_attribute.names["WARP_SIZE"] is driver.device_attribute.values[int(attribute)] is attribute
    assert driver.host_alloc_flags.DEVICEMAP | driver.host_alloc_flags.PORTABLE == 3
    assert getattr(driver.array3d_flags, "2DARRAY") == 1


def test_a_driver_that_is_missing_is_named_with_where_it_was_looked_for(run_python: RunPython) -> None:
    program = """
from cuprum.compat.pycuda import driver
try:
    driver.init()
except driver.RuntimeError as error:
    print(str(error))
"""
    told = run_python("-c", program, CUPRUM_DRIVER="sim", CUPRUM_SIMULATOR_PATH="/nowhere").stdout
    assert told.startswith("cuInit failed: ")
    assert "calling cuInit" in told
    assert "/nowhere" in told


def test_importing_is_lazy_and_needs_neither_a_driver_nor_numpy(run_python: RunPython) -> None:
    program = """
import sys
import cuprum
assert not any(name.startswith("cuprum.compat") for name in sys.modules)
import cuprum.compat.pycuda.driver as cuda, cuprum.compat.pycuda.compiler, cuprum.compat.pycuda.tools
for name in ("numpy", "ctypes", "cuprum.core", "cuprum.compat.pycuda._host_memory", "cuprum.compat.pycuda.gpuarray"):
    assert name not in sys.modules, name
assert issubclass(cuda.MemoryError, MemoryError)
"""
    run_python("-c", program)
