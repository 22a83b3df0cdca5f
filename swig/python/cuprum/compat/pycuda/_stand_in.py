"""``import pycuda`` finds the modules of this package."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_HERE = "cuprum.compat.pycuda"
_ABSENT = {
    "pycuda.gl": "cuprum.core.GraphicsResource shares buffers with OpenGL",
    "pycuda.sparse": "CuPy and PyTorch have sparse matrices, and take these arrays without a copy",
    "pycuda.debug": "python -m cuprum.compat.pycuda runs a program under cuda-gdb as any other",
}


class _Loader(Loader):
    """Gives an import of ``pycuda.x`` the module of this package itself, which stays the same under both names."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        self._own = module.__spec__, module.__loader__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # It has run, under its own name; the import system has put the other one into it.
        module.__spec__, module.__loader__ = self._own


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "pycuda" and not fullname.startswith("pycuda."):
            return None
        if fullname in _ABSENT:
            raise ModuleNotFoundError(f"{fullname} is not in {_HERE}: {_ABSENT[fullname]}", name=fullname)
        own = fullname.replace("pycuda", _HERE, 1)
        if any(part.startswith("_") for part in fullname.split(".")[1:]) or importlib.util.find_spec(own) is None:
            raise ModuleNotFoundError(f"{fullname} is not in {_HERE}", name=fullname)
        return ModuleSpec(fullname, _Loader(own), is_package=fullname == "pycuda")


def install() -> None:
    """From now on ``import pycuda`` and its modules are those here, whether or not PyCUDA is installed."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
