"""Modules: compiled code in the current context."""

from __future__ import annotations

from typing import Any, NoReturn

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda import _errors
from cuprum.compat.pycuda._context import Context, current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, raise_status
from cuprum.compat.pycuda._function import Function, Kernel
from cuprum.compat.pycuda._textures import refuse_surface_reference, refuse_texrefs

_NOT_FOUND = 500


class Module:
    """Code that is loaded: from ``module_from_buffer``, ``module_from_file`` and ``SourceModule.module``."""

    __slots__ = ("__weakref__", "_context", "_kernels", "handle")

    #: The ``CUmodule``.
    handle: int
    _context: Context
    #: Those that were asked for, by name.
    _kernels: dict[str, Kernel]

    def __init__(self) -> None:
        """Raises TypeError: see ``module_from_buffer``."""
        raise TypeError("load code with module_from_buffer or module_from_file, or compile it with SourceModule")

    @classmethod
    def _load(cls, code: bytes, options: Any = ()) -> Module:
        module = cls.__new__(cls)
        module.handle = 0
        module._kernels = {}
        module._context = current_context("loading a module")
        names, values = [each[0] for each in options], [each[1] for each in options]
        if names:
            err, handle = _driver.cuModuleLoadDataEx(code, len(names), names, values)
        else:
            err, handle = _driver.cuModuleLoadData(code)
        if err:
            raise_status(err, "cuModuleLoadData", "", "" if int(err) != 209 else "compile it for this device")
        module.handle = int(handle)
        return module

    @classmethod
    def _adopt(cls, handle: int, context: Context) -> Module:
        """Of a module that the driver has loaded."""
        module = cls.__new__(cls)
        module.handle = handle
        module._kernels = {}
        module._context = context
        return module

    def get_function(self, name: str) -> Function:
        """The kernel of that name."""
        kernel = self._kernels.get(name)
        if kernel is None:
            err, handle = _driver.cuModuleGetFunction(self.handle, name)
            if err:
                self._refuse_name(err, "cuModuleGetFunction", name)
            kernel = self._kernels[name] = Kernel(int(handle), name)
        return Function._of(kernel, self)

    def get_global(self, name: str) -> tuple[int, int]:
        """The address of a ``__device__`` or ``__constant__`` variable, and its bytes."""
        err, address, size = _driver.cuModuleGetGlobal(self.handle, name)
        if err:
            self._refuse_name(err, "cuModuleGetGlobal", name)
        return int(address), size

    def get_texref(self, name: str) -> NoReturn:
        """Refused: texture references are gone from CUDA."""
        refuse_texrefs(f"get_texref({name!r})")

    def get_surfref(self, name: str) -> NoReturn:
        """Refused: surface references are gone from CUDA."""
        refuse_surface_reference(f"get_surfref({name!r})")

    def _refuse_name(self, err: Any, function: str, name: str) -> NoReturn:
        advice = ""
        if int(err) == _NOT_FOUND:
            kernels = self._kernel_names()
            known = f"; its kernels are {', '.join(kernels)}" if kernels else ""
            advice = (
                f'the module has no {name!r}{known}; declare it extern "C" where no_extern_c is set, because C++ '
                "changes names"
            )
        raise_status(err, function, "", advice)

    def _kernel_names(self) -> list[str]:
        err, count = _driver.cuModuleGetFunctionCount(self.handle)
        if err or not count:
            return []
        err, functions = _driver.cuModuleEnumerateFunctions(count, self.handle)
        names = []
        for function in functions or []:
            err, name = _driver.cuFuncGetName(function)
            if not err:
                names.append(name.decode() if isinstance(name, bytes) else str(name))
        return sorted(names)

    def __del__(self) -> None:
        handle = getattr(self, "handle", 0)
        if not handle:
            return
        self.handle = 0
        try:
            release_in(self._context, _driver.cuModuleUnload, "cuModuleUnload", handle)
        except Exception:  # the driver or the context is gone
            return

    def __repr__(self) -> str:
        return f"<Module {self.handle:#x}>"


def module_from_buffer(buffer: Any, options: Any = (), message_handler: Any = None) -> Module:
    """Loads PTX, a cubin or a fat binary. ``options`` are pairs of ``driver.jit_option`` and a value.

    ``message_handler(compile_success, info, error)`` gets the driver's messages.
    """
    code = buffer.encode() if isinstance(buffer, str) else bytes(buffer)
    if not code:
        raise LogicError("module_from_buffer: there is no code in it", operation="module_from_buffer")
    if message_handler is None:
        return Module._load(code, options)
    from cuprum.compat.pycuda._linker import load_with_messages

    return load_with_messages(code, options, message_handler)


def module_from_file(filename: str) -> Module:
    """Loads a file with PTX, a cubin or a fat binary."""
    try:
        with open(filename, "rb") as file:
            code = file.read()
    except OSError as error:
        raise _errors.RuntimeError(f"cuModuleLoad failed: file not found - {error}", operation="cuModuleLoad") from None
    return module_from_buffer(code)
