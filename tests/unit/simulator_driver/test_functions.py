"""Which functions of the driver API the simulator has, and which it answers with CUDA_ERROR_NOT_SUPPORTED.

Every exported function has a weak stub (generated/stubs.cpp); one that is defined in an entry_*.cpp replaces its stub.
"""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
DRIVER = ROOT / "simulator" / "driver"
DATA = ROOT / "tests" / "data" / "driver"


def lines_of(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text().splitlines() if line and not line.startswith("#")]


def stubs() -> set[str]:
    texts = [(DRIVER / "generated" / name).read_text() for name in ("stubs.cpp", "newer_functions.cpp")]
    return {name for text in texts for name in re.findall(r'unsupported(?:_status)?\("(\w+)"\)', text)}


def entries() -> set[str]:
    texts = [path.read_text() for path in DRIVER.glob("*/entry_*.cpp")]
    return {name for text in texts for name in re.findall(r"CUDAAPI\s+(cu\w+)\s*\(", text)}


def exported_forms() -> dict[str, str]:
    """The newest exported form of each public name."""
    table = (DRIVER / "generated" / "proc_address_table.cpp").read_text()
    rows = re.findall(r'\{"(\w+)", \d+, DefaultStreamVariant::any,\s*reinterpret_cast<void\*>\(&(\w+)\)\}', table)
    return dict(rows)


def test_what_is_absent_is_listed() -> None:
    assert sorted(stubs() - entries()) == sorted(lines_of("absent_functions.txt"))


def test_what_programs_call_is_there_or_listed_as_absent() -> None:
    forms = exported_forms()
    absent = set(lines_of("absent_functions.txt"))
    there = entries()
    used = dict(line.split("\t") for line in lines_of("used_functions.txt"))
    assert len(used) > 200
    unknown = {name for name in used if name not in forms}
    assert not unknown
    missing = {name: by for name, by in used.items() if forms[name] not in there and forms[name] not in absent}
    assert not missing


def test_what_our_core_numba_and_cupys_driver_layer_call_is_there() -> None:
    forms = exported_forms()
    there = entries()
    used = dict(line.split("\t") for line in lines_of("used_functions.txt"))
    needed = {name for name, by in used.items() if {"core", "numba-cuda", "cupy"} & set(by.split())}
    assert needed
    assert not {name for name in needed if forms[name] not in there}


def test_every_function_that_is_there_is_called_by_a_test() -> None:
    """By name, or as text where cuda.h calls it deprecated. That its forms are one function is shown elsewhere."""
    folders = (ROOT / "tests" / "conformance" / "driver", ROOT / "tests" / "unit" / "simulator_driver")
    texts = [path.read_text() for folder in folders for path in folder.glob("*.[ch]pp")]
    called = {name for text in texts for name in re.findall(r'(?:cu\(\)\s*\.|")(cu[A-Z]\w+)\b', text)}
    assert len(called) > 300
    there = {re.sub(r"(_v\d+)?(_ptsz|_ptds)?$", "", name) for name in entries()}
    assert sorted(there - called) == []


def test_the_lists_are_sorted_and_name_nothing_twice() -> None:
    used = [line.split("\t")[0] for line in lines_of("used_functions.txt")]
    absent = lines_of("absent_functions.txt")
    assert used == sorted(set(used))
    assert len(absent) == len(set(absent))
