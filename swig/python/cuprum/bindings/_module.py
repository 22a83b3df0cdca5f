"""Fills the modules of the libraries: functions at once, classes and constants when they are asked for."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from typing import Any

from cuprum import _bindings
from cuprum._native import version as _version  # noqa: F401  (makes pathfinder look beside this package)

atexit.register(_bindings.stop_callbacks)


def fill(library: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Adds the library's functions to its module. Returns the module's ``__getattr__`` and ``__dir__``."""
    module = sys.modules[f"cuprum.bindings.{library}"]
    _bindings.add_functions(module, library)
    names = module.__dict__

    def get(name: str) -> Any:
        if name == "__all__":
            value: Any = directory()
        elif name.startswith("__"):
            raise AttributeError(f"module 'cuprum.bindings.{library}' has no attribute {name!r}")
        else:
            value = _bindings.attribute(library, name)
        names[name] = value
        return value

    def directory() -> list[str]:
        return sorted({*_bindings.names(library), *(name for name in names if not name.startswith("_"))})

    return get, directory
