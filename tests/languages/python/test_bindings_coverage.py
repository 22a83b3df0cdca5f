"""The bindings have all that the headers have: every function, type and constant of the libraries.

What the headers have, bindings/tables says; what C makes of it, the library itself (cuprum_bindings_record_layout,
compiled from the headers).
"""

from __future__ import annotations

import ctypes
import enum
import importlib
import inspect
import json
import keyword
import os
import pathlib
import re
from types import ModuleType
from typing import Any

import model
import pytest
from bindings_support import c_interface
from conftest import CUDA_LIBRARIES, RunPython
from cuprum import _bindings
from cuprum.bindings import driver

LIBRARIES = ("driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "nccl")
# Of the headers that the bindings are built with.
TABLES = {library: model.view(model.load(library), driver.CUDA_VERSION) for library in LIBRARIES}
NCCL = 71  # whatever the toolkit: its list has NCCL's versions
FUNCTIONS = {
    12090: {"driver": 455, "runtime": 319, "nvrtc": 26, "nvjitlink": 14, "nvvm": 13, "nvml": 364, "nccl": NCCL},
    13000: {"driver": 452, "runtime": 312, "nvrtc": 24, "nvjitlink": 14, "nvvm": 13, "nvml": 375, "nccl": NCCL},
    13050: {"driver": 495, "runtime": 340, "nvrtc": 29, "nvjitlink": 16, "nvvm": 14, "nvml": 413, "nccl": NCCL},
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def bindings(library: str) -> ModuleType:
    return importlib.import_module(f"cuprum.bindings.{library}")


def test_every_function_is_there(library: str, bindings: ModuleType) -> None:
    names = set(TABLES[library]["functions"])
    assert len(names) == FUNCTIONS[driver.CUDA_VERSION][library]
    missing = [name for name in names if not inspect.isbuiltin(getattr(bindings, name, None))]
    assert missing == []


def test_every_function_has_the_headers_parameters(library: str, bindings: ModuleType) -> None:
    others = {"bytes": "numbytes", "format": "pformat", "len": "length", "type": "typename"}
    for name, facts in TABLES[library]["functions"].items():
        function = getattr(bindings, name)
        known = [others.get(p["name"], p["name"]) for p in facts["parameters"]]
        known = [n + "_" if keyword.iskeyword(n) else n for n in known]
        shown = list(inspect.signature(function).parameters)
        assert [n for n in known if n in shown] == shown, name  # in C's order
        assert set(shown) <= set(known), name
        documentation = inspect.getdoc(function)
        assert documentation is not None
        assert documentation.startswith(facts["summary"]), name
        assert all(p["name"] in documentation for p in facts["parameters"]), name


def test_every_enumeration_is_there(library: str, bindings: ModuleType) -> None:
    table = TABLES[library]
    for tag in table["enums"]:
        expected = {n: e["value"] for n, e in table["enumerators"].items() if e["enum"] == tag}
        cls = getattr(bindings, tag)
        assert issubclass(cls, enum.IntEnum)
        assert {n: int(member) for n, member in cls.__members__.items()} == expected, tag


def test_every_structure_is_as_c_has_it(library: str, bindings: ModuleType) -> None:
    c = c_interface()
    checked = 0

    def check_fields(tag: str, cls: Any, path: str, base: int) -> None:
        nonlocal checked
        _, _, fields = _bindings.layout(cls)
        for name, offset, _count, _form in fields:
            here = f"{path}{name}"
            begin, size = ctypes.c_uint32(), ctypes.c_uint32()
            found = c.cuprum_bindings_field_layout(
                ctypes.byref(begin), ctypes.byref(size), library.encode(), tag.encode(), here.encode()
            )
            if found == 0:
                assert begin.value == base + offset, f"{tag}.{here}"
                checked += 1
                continue
            # A structure without a name of its own: C knows its fields.
            check_fields(tag, type(getattr(cls(), name)), f"{here}.", base + offset)

    for tag, facts in TABLES[library]["records"].items():
        if facts["kind"] == "opaque":
            continue
        cls = getattr(bindings, tag)
        size, alignment, _ = _bindings.layout(cls)
        c_size, c_alignment = ctypes.c_uint32(), ctypes.c_uint32()
        assert (
            c.cuprum_bindings_record_layout(
                ctypes.byref(c_size), ctypes.byref(c_alignment), library.encode(), tag.encode()
            )
            == 0
        )
        assert (size, alignment) == (c_size.value, c_alignment.value), tag
        check_fields(tag, cls, "", 0)
    assert checked >= {"driver": 400, "runtime": 400}.get(library, 0)


def test_every_field_can_be_read_and_written(library: str, bindings: ModuleType) -> None:
    for tag, facts in TABLES[library]["records"].items():
        if facts["kind"] == "opaque":
            continue
        cls = getattr(bindings, tag)
        value = cls()
        for name, _, _, form in _bindings.layout(cls)[2]:
            setattr(value, name, getattr(value, name))
            if form == "value" and isinstance(getattr(value, name), int):
                setattr(value, name, 1)
                assert getattr(value, name) == 1, f"{tag}.{name}"
        assert repr(value)


def test_every_named_type_is_there(library: str, bindings: ModuleType) -> None:
    # Not those of pointers to functions that only cuGetProcAddress needs, nor what C's own headers name.
    for name, facts in TABLES[library]["typedefs"].items():
        if re.match(r"(enum|struct|union|handle):", facts["shape"]):
            assert isinstance(getattr(bindings, name), type), name
    for name in ("CUdeviceptr", "CUdevice", "CUtexObject", "CUhostFn", "CUmemGenericAllocationHandle"):
        assert isinstance(getattr(driver, name), type)


def test_every_constant_is_there(library: str, bindings: ModuleType) -> None:
    for name, facts in TABLES[library]["constants"].items():
        assert getattr(bindings, name) == facts["value"], name


#: Calls every function with arguments that mean nothing, where no library can be opened; prints what came back.
CALL_ALL = """
import importlib, inspect, json, sys
from cuprum.bindings import driver

def argument(name, error):
    '''Something else where the last try was refused.'''
    text = str(error)
    if f': {name} takes memory ' in text:
        return bytearray(4096)
    if f': {name} takes a ' in text:
        kind = text.split(f': {name} takes a ')[1].split(',')[0].split(' or ')[0]
        cls = getattr(module, kind, None) or getattr(driver, kind, None)
        if cls is not None and hasattr(cls, 'getPtr'):
            return cls()
    return [] if 'list of attributes' in text else 0 if 'an int' in text or 'float' in text else None

module = importlib.import_module('cuprum.bindings.' + sys.argv[1])
results = {}
for name in json.loads(sys.argv[2]):
    function = getattr(module, name)
    arguments = {parameter: None for parameter in inspect.signature(function).parameters}
    for attempt in range(40):
        try:
            status = function(*arguments.values())[0]
            results[name] = (int(status), module.last_error_message())
            break
        except TypeError as error:
            refused = [p for p in arguments if f': {p} takes' in str(error)]
            if not refused:
                if 'the type of attribute' in str(error):
                    attribute = [p for p in arguments if p.startswith('att') or p == 'handleType'][0]
                    arguments[attribute] = arguments[attribute] + 1
                    continue
                raise
            arguments[refused[0]] = argument(refused[0], error)
print(json.dumps(results))
"""

MISSING = {
    "driver": ("CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", 303),
    "runtime": ("cudaErrorSharedObjectInitFailed", 303),
    "nvrtc": ("NVRTC_ERROR_INTERNAL_ERROR", 11),
    "nvjitlink": ("NVJITLINK_ERROR_INTERNAL", 6),
    "nvvm": ("NVVM_ERROR_PROGRAM_CREATION_FAILURE", 2),
    "nvml": ("NVML_ERROR_LIBRARY_NOT_FOUND", 12),
    "nccl": ("ncclSystemError", 2),
}


def test_every_function_says_that_its_library_is_missing(library: str, run_python: RunPython) -> None:
    names = sorted(TABLES[library]["functions"])
    program = CALL_ALL.replace("sys.argv[1]", repr(library)).replace("sys.argv[2]", repr(json.dumps(names)))
    result = run_python(
        program,
        hide=CUDA_LIBRARIES,
        environment={"CUPRUM_DRIVER": "gpu"},
    )
    results = json.loads(result.stdout)
    assert sorted(results) == names
    returns_text = {n for n, f in TABLES[library]["functions"].items() if f["result_shape"] == "ptr(const char)"}
    for name, (status, message) in results.items():
        assert name in message, f"{name}: {message}"
        if name not in returns_text | {"cudaCreateChannelDesc"}:
            assert status == MISSING[library][1], name


def test_every_function_says_that_the_driver_lacks_it(run_python: RunPython) -> None:
    """A driver of CUDA 12.2 that has four functions."""
    functions = TABLES["driver"]["functions"]
    program = CALL_ALL.replace("sys.argv[1]", "'driver'").replace("sys.argv[2]", repr(json.dumps(sorted(functions))))
    folder = os.environ["CUPRUM_TEST_OLD_DRIVER"]
    result = run_python(program, environment={"CUPRUM_DRIVER": "gpu", "LD_LIBRARY_PATH": folder})
    results = json.loads(result.stdout)
    has = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuMemAlloc", "cuGetProcAddress"}
    for name, (status, message) in results.items():
        if name in has:
            assert (status, message) == (0, "") or name == "cuGetProcAddress"
            continue
        version = functions[name]["version"]
        assert status == driver.CUresult.CUDA_ERROR_NOT_FOUND, name
        assert name in message
        assert "12.2" in message, message  # what is there
        assert f"{version // 1000}.{version % 1000 // 10}" in message, message  # what introduced the function
    assert len(results) == len(functions)


def test_every_function_is_found_or_the_driver_is_told_of(library: str) -> None:
    """As far as the resolver: an address, or what is missing, in which version."""
    c = c_interface()
    found = 0
    for name, facts in TABLES[library]["functions"].items():
        address = ctypes.c_uint64()
        status = c.cuprum_bindings_address_of(ctypes.byref(address), library.encode(), name.encode())
        if status == 0:
            assert address.value != 0
            found += 1
            continue
        message = _message(c)
        assert name in message, message
        version = facts["version"]
        assert f"{version // 1000}.{version % 1000 // 10}" in message, message
    # A runtime of CUDA 13 lacks 35 of those that CUDA 12.9's headers have, or has them otherwise; the simulator's NVML
    # has what core needs.
    assert (
        found
        >= {"driver": 100, "runtime": 280, "nvrtc": 24, "nvjitlink": 14, "nvvm": 13, "nvml": 70, "nccl": 0}[library]
    )


def test_a_function_of_several_signatures_is_the_one_of_these_headers(cu_device: driver.CUdevice) -> None:
    c = c_interface()
    compared = 0
    for name, variants in model.load("driver").sections["functions"].items():
        if name not in TABLES["driver"]["functions"]:
            continue
        version = TABLES["driver"]["functions"][name]["version"]
        address = ctypes.c_uint64()
        if c.cuprum_bindings_address_of(ctypes.byref(address), b"driver", name.encode()) != 0:
            continue  # this driver lacks it
        for variant in variants:
            err, asked_for, _ = driver.cuGetProcAddress(variant["query"], variant["version"], 0)
            assert err == driver.CUresult.CUDA_SUCCESS, name
            assert (asked_for == address.value) == (variant["version"] == version), name
            compared += len(variants) > 1
    assert compared >= 20


#: Calls every function that has outputs, in C's order, with None for all that may be None.
CALL_WITHOUT_PLACES = CALL_ALL.replace(
    "arguments = {parameter: None for parameter in inspect.signature(function).parameters}",
    "arguments = dict.fromkeys(PARAMETERS[name])",
).replace("results[name] = (int(status), module.last_error_message())", "results[name] = 'called'").replace(
    "            refused = [p", "            if ' takes memory ' in str(error):\n"
    "                results[name] = 'refused'\n                break\n            refused = [p"
)  # fmt: skip


def test_null_reaches_no_function_that_would_write_there(
    library: str, run_python: RunPython, tmp_path: pathlib.Path
) -> None:
    others = {"bytes": "numbytes", "format": "pformat", "len": "length", "type": "typename"}
    written = {
        name: {p["name"] for p in facts["parameters"] if p["direction"] != "in" and not p.get("optional")}
        for name, facts in TABLES[library]["functions"].items()
    }
    parameters = {
        name: [others.get(p["name"], p["name"]) for p in TABLES[library]["functions"][name]["parameters"]]
        for name, places in written.items()
        if places
    }
    program = CALL_WITHOUT_PLACES.replace("sys.argv[1]", repr(library))
    program = program.replace("sys.argv[2]", repr(json.dumps(sorted(parameters))))
    trace = tmp_path / "calls.txt"
    # No call is made: each is recorded, and fails. Functions of all libraries begin so.
    faults = {
        "driver": "cu*:1+=999",
        "runtime": "cuda*:1+=999",
        "nvrtc": "nvrtc*:1+=6",
        "nvjitlink": "nvJitLink*:1+=6",
        "nvvm": "nvvm*:1+=9",
        "nvml": "nvml*:1+=3",
        "nccl": "nccl*:1+=5",
    }
    result = run_python(
        f"PARAMETERS = {parameters!r}\n" + program,
        environment={"CUPRUM_TRACE": str(trace), "CUPRUM_FAULT": faults[library]},
    )
    outcomes = json.loads(result.stdout)
    assert sorted(outcomes) == sorted(parameters)
    calls = dict(re.findall(r"thread \d+  (\w+)\((.*)\) = ", trace.read_text()))
    assert set(calls) == {name for name, outcome in outcomes.items() if outcome == "called"}
    for name, arguments in calls.items():
        assert not [p for p in written[name] if re.search(rf"(^|, ){p}=(NULL|0x0)(,|$)", arguments)], (
            f"{name}({arguments})"
        )


def _message(c: ctypes.CDLL) -> str:
    class Info(ctypes.Structure):
        _fields_ = [
            ("struct_size", ctypes.c_uint32),
            ("status", ctypes.c_int32),
            ("domain", ctypes.c_int32),
            ("code", ctypes.c_int32),
            ("name", ctypes.c_char_p),
            ("message", ctypes.c_char_p),
            ("operation", ctypes.c_char_p),
            ("object", ctypes.c_char_p),
            ("detail", ctypes.c_char_p),
            ("advice", ctypes.c_char_p),
            ("log", ctypes.c_char_p),
        ]

    info = Info(struct_size=ctypes.sizeof(Info))
    assert c.cuprum_error_last(ctypes.byref(info)) == 0
    message: bytes = info.message
    return message.decode()
