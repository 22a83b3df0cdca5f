#!/usr/bin/env python3
"""Writes the public names of cuda.core, with their arguments, as JSON: what docs/cuda-core.md compares Cuprum with.

    VENV_WITH_CUDA_CORE/bin/python scripts/cuda_core_names.py tests/languages/documentation/cuda_core_names.json

The names are what each module's ``__all__`` has, and the classes that their members give. Arguments are read from the
package's stubs and sources, since its extension modules have no signatures. No text of the package is kept.
"""

from __future__ import annotations

import ast
import enum
import importlib
import importlib.metadata
import json
import pathlib
import sys
from typing import Any

MODULES = ("", "graph", "system", "system.typing", "texture", "utils", "checkpoint", "typing")
#: Classes that no member gives to programs.
INTERNAL = {"AccessedBySetProxy", "AdjacencySetProxy", "IPCDataForBuffer", "IPCDataForMR", "PeerAccessPlan"}
INTERNAL |= {"PeerAccessibleBySetProxy"}
#: What every Python object has, and what is no part of the interface.
IGNORED = {"value", "name", "from_bytes", "to_bytes", "with_traceback", "add_note", "args"}


def folder() -> pathlib.Path:
    core = importlib.import_module("cuda.core")
    paths = [pathlib.Path(path) for path in core.__path__]
    return next(path for path in paths if (path / "_device.pyi").exists() or (path / "cu13").exists())


def sources(root: pathlib.Path) -> dict[str, ast.Module]:
    """By module, "_device" or "system._device", its stub or source."""
    root = root / "cu13" if (root / "cu13").exists() else root
    found: dict[str, ast.Module] = {}
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.pyi")]):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text())  # a stub after its source
    return found


def definition(trees: dict[str, ast.Module], module: str, name: str) -> Any:
    body = trees.get(module.removeprefix("cuda.core").lstrip("."), ast.Module([], [])).body
    return next((node for node in body if getattr(node, "name", None) == name), None)


def arguments(node: ast.FunctionDef) -> list[str]:
    """The names of the parameters; "*" before those that are given by name alone; "*args" and "**kwargs"."""
    given = node.args
    names = [each.arg for each in (*given.posonlyargs, *given.args)]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    if given.vararg:
        names.append("*" + given.vararg.arg)
    elif given.kwonlyargs:
        names.append("*")
    names += [each.arg for each in given.kwonlyargs]
    return names + (["**" + given.kwarg.arg] if given.kwarg else [])


def members(trees: dict[str, ast.Module], kind: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if issubclass(kind, enum.Enum) or kind.__name__ == "FieldId":
        # Those of NVML's fields are hundreds, and NVML's.
        return {} if kind.__name__ == "FieldId" else dict.fromkeys(getattr(kind, "__members__"), None)  # noqa: B009
    for name in dir(kind):
        if (name.startswith("_") and name != "__init__") or name in IGNORED:
            continue
        for base in kind.__mro__:
            node = definition(trees, base.__module__, base.__name__)
            if base is object or node is None:
                continue
            method = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == name), None)
            if method is not None:
                is_property = any(ast.unparse(each).endswith("property") for each in method.decorator_list)
                found[name] = None if is_property else arguments(method)
                break
            if any(isinstance(each, ast.AnnAssign) and getattr(each.target, "id", "") == name for each in node.body):
                found[name] = None
                break
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields:
        found["__init__"] = list(fields)
        found.update(dict.fromkeys(fields))
    # Classes that are not made by the program.
    if "__init__" in found and (not fields) and kind.__init__ is object.__init__:
        del found["__init__"]
    return found


def describe(trees: dict[str, ast.Module], value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, type) and issubclass(value, BaseException):
        return {"kind": "exception"}
    if isinstance(value, type):
        return {"kind": "class", "members": members(trees, value)}
    if callable(value):
        node = definition(trees, getattr(value, "__module__", ""), getattr(value, "__name__", name))
        return {"kind": "function", "arguments": arguments(node) if isinstance(node, ast.FunctionDef) else []}
    return {"kind": "value"}


def main() -> None:
    trees = sources(folder())
    listed: dict[str, Any] = {}
    known: set[type] = set()
    for module in MODULES:
        path = ".".join(filter(None, ("cuda.core", module)))
        imported = importlib.import_module(path)
        names = {name: getattr(imported, name) for name in sorted(set(imported.__all__))}
        known |= {value for value in names.values() if isinstance(value, type)}
        listed[module] = {name: describe(trees, value, name) for name, value in names.items()}
    # Classes of the package that no __all__ has, as cuda.core.system's FanInfo: what members give.
    given: dict[str, Any] = {}
    for module, tree in trees.items():
        if module.startswith(
            (
                "_utils",
                "_resource",
                "_include",
                "texture",
                "_layout",
                "_tensor",
                "utils._program",
                "_dlpack",
                "_kernel_arg",
            )
        ):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith(("_", "cy")) and node.name not in INTERNAL:
                try:
                    value = getattr(importlib.import_module(f"cuda.core.{module}"), node.name, None)
                except ImportError:
                    continue
                if isinstance(value, type) and value not in known and not issubclass(value, BaseException):
                    description = describe(trees, value, node.name)
                    description["members"].pop("__init__", None)
                    prefix = (
                        "system." if module.startswith("system") else "graph." if module.startswith("graph") else ""
                    )
                    given[prefix + node.name] = description
    listed["(given)"] = dict(sorted(given.items()))
    result = {"version": importlib.metadata.version("cuda-core"), "modules": listed}
    pathlib.Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
