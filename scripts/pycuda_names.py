"""The public names of PyCUDA that is installed, module by module, with the members of its classes: one on a line.

docs/pycuda-names.txt is this list with the reasons for what is missing. Run it with PyCUDA in PYTHONPATH and a libcuda,
of which nothing is called. PyCUDA without cuRAND's host library has no names of `curandom`: those stand in the list as
its documentation has them.
"""

from __future__ import annotations

import importlib
import types
from typing import Any

#: Less those that make a context when they are imported, and have `context` and `device`.
MODULES = "characterize compiler cumath curandom driver elementwise gpuarray reduction scan tools"


def is_own(module: str, name: str, value: Any) -> bool:
    """Whether the module has made it, or says so by its name."""
    if name.startswith("_") or isinstance(value, types.ModuleType):
        return False
    owner = getattr(value, "__module__", None)
    if module == "driver" and owner == "pycuda._driver":
        return True
    if owner is None or not str(owner).startswith("pycuda"):
        return isinstance(value, int | list) and (name.isupper() or name.startswith("context_dependent"))
    return bool(owner in (f"pycuda.{module}", "pycuda._driver") or (module == "tools" and "dtypes" in owner))


def members(cls: Any) -> list[str]:
    """What a class has beyond Python's own."""
    inherited = {*dir(int), *dir(BaseException), "name"}  # the last is that of enumerators
    return [name for name in dir(cls) if not name.startswith("_") and name not in inherited]


def names() -> list[str]:
    """``driver.Context``, ``driver.Context.push`` and so on, in order."""
    found = set()
    for module in MODULES.split():
        try:
            loaded = importlib.import_module(f"pycuda.{module}")
        except (ImportError, AttributeError):
            continue
        for name, value in vars(loaded).items():
            if is_own(module, name, value):
                found.add(f"{module}.{name}")
                if isinstance(value, type):
                    found.update(f"{module}.{name}.{member}" for member in members(value))
    return sorted(found, key=str.lower)


if __name__ == "__main__":
    print("\n".join(names()))
