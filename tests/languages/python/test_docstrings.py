"""Every public name of the package says what it is, to `help()` and to editors."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from cuprum.core import DeviceProperties, ProgramOptions

MODULES = [
    "cuprum",
    "cuprum.core",
    "cuprum.core.utils",
    "cuprum.pathfinder",
    "cuprum.parallel",
    "cuprum.parallel.distributed",
    "cuprum.bindings",
    "cuprum.bindings.driver",
    "cuprum.bindings.runtime",
    "cuprum.bindings.nvrtc",
    "cuprum.bindings.nvjitlink",
    "cuprum.bindings.nvvm",
    "cuprum.bindings.nvml",
    "cuprum.bindings.nccl",
]
#: Generated from the toolkit's headers. What their classes and constants mean, NVIDIA's documentation says.
GENERATED = [name for name in MODULES if name.startswith("cuprum.bindings.")]


def text_of(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").strip()


def of_package(cls: type) -> bool:
    return cls.__module__.split(".")[0] == "cuprum"


def undocumented_members(cls: type, name: str) -> Iterator[str]:
    """What the package's own classes among the bases of `cls` define: in docstrings of its own, or in a class's."""
    bases = [base for base in cls.__mro__ if of_package(base)]
    members: dict[str, Any] = {}
    for base in reversed(bases):
        members.update(dict.fromkeys(inspect.get_annotations(base)))
        members.update(vars(base))
    described = " ".join(text_of(base) for base in bases)
    for member, value in members.items():
        if member.startswith("_") and member != "__init__":
            continue
        if isinstance(value, Enum) or (member == "__init__" and dataclasses.is_dataclass(cls)):
            continue
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        own = "" if isinstance(value, str | int | float | bool | None) else (function.__doc__ or "").strip()
        if (not own or own.startswith("Alias for field")) and f"``{member}``" not in described:
            yield f"{name}.{member}"


def undocumented(module_name: str) -> Iterator[str]:
    module = importlib.import_module(module_name)
    if not text_of(module):
        yield module_name
    for name in dir(module) if module_name in GENERATED else module.__all__:
        thing = getattr(module, name)
        full = f"{module_name}.{name}"
        if inspect.isclass(thing):
            if module_name in GENERATED:
                continue
            if not (thing.__doc__ or "").strip() or thing.__doc__ == getattr(thing.__base__, "__doc__", None):
                yield full
            yield from undocumented_members(thing, full)
        elif callable(thing) and hasattr(thing, "__name__") and not name.startswith("_") and not text_of(thing):
            yield full


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_docstring(module: str) -> None:
    missing = sorted(set(undocumented(module)))
    assert not missing, "without a docstring:\n" + "\n".join(missing)


def test_a_name_without_a_docstring_would_be_found() -> None:
    class Bare:
        field: int

        def __init__(self) -> None: ...

        def method(self) -> None: ...

    Bare.__module__ = "cuprum.example"
    assert set(undocumented_members(Bare, "Bare")) == {
        "Bare.__init__",
        "Bare.method",
        "Bare.field",
    }


def test_every_option_of_a_program_is_explained() -> None:
    explained = re.findall(r"``(\w+)``(?:,|: \S+)", text_of(ProgramOptions))
    for field in dataclasses.fields(ProgramOptions):
        assert field.name in explained, field.name


def test_properties_are_named_after_the_attributes_that_they_read() -> None:
    from cuprum.bindings import driver

    for name in DeviceProperties.names():
        described = vars(DeviceProperties)[name].__doc__
        attribute = re.match(r"``(CU_DEVICE_ATTRIBUTE_\w+)``, (?:a number|true or false)\.$", described)
        assert attribute, described
        number = vars(DeviceProperties)[name]._attribute
        assert getattr(driver.CUdevice_attribute, attribute[1]) == number, name
