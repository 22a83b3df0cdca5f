"""The driver's linker, and modules that are loaded with its messages."""

from __future__ import annotations

from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context
from cuprum.compat.pycuda._errors import LogicError, raise_status, value_of
from cuprum.compat.pycuda._module import Module

_INFO_BUFFER, _INFO_BYTES, _ERROR_BUFFER, _ERROR_BYTES, _VERBOSE = 3, 4, 5, 6, 12
_LOG_BYTES = 32768


class _Messages:
    """The driver's options, and the room for its messages."""

    def __init__(self, options: Any, is_verbose: bool = False) -> None:
        self.info = bytearray(_LOG_BYTES)
        self.error = bytearray(_LOG_BYTES)
        given = [(int(name), value) for name, value in options]
        own = [
            (_INFO_BUFFER, self.info),
            (_INFO_BYTES, _LOG_BYTES),
            (_ERROR_BUFFER, self.error),
            (_ERROR_BYTES, _LOG_BYTES),
            *([(_VERBOSE, 1)] if is_verbose else []),
        ]
        both = [*own, *(each for each in given if each[0] not in {number for number, _ in own})]
        self.names: list[Any] = [_driver.CUjit_option(number) for number, _ in both]
        self.values = [value for _, value in both]

    def texts(self) -> tuple[str, str]:
        """What the driver has said, and what it has complained about."""
        info, error = (bytes(each).split(b"\0")[0].decode(errors="replace") for each in (self.info, self.error))
        return info, error


def load_with_messages(code: bytes, options: Any, message_handler: Any) -> Module:
    """``module_from_buffer`` with the driver's messages: ``message_handler(compile_success, info, error)``."""
    messages = _Messages(options)
    context = current_context("module_from_buffer")
    err, handle = _driver.cuModuleLoadDataEx(code, len(messages.names), messages.names, messages.values)
    info, error = messages.texts()
    if message_handler is not None:
        message_handler(not err, info, error)
    if err:
        raise_status(err, "cuModuleLoadDataEx", error)
    return Module._adopt(int(handle), context)


class Linker:
    """Links PTX, cubins and libraries into a module."""

    def __init__(self, message_handler: Any = None, options: Any = None, log_verbose: bool = False) -> None:
        """``message_handler(success, info, error)`` gets the messages; ``options`` are pairs or a dictionary."""
        pairs = [] if options is None else list(options.items() if isinstance(options, dict) else options)
        self._messages = _Messages(pairs, log_verbose)
        self._message_handler = message_handler
        self._context = current_context("Linker")
        made = _driver.cuLinkCreate(len(self._messages.names), self._messages.names, self._messages.values)
        self._state: Any = value_of(made, "cuLinkCreate")

    def _require_open(self) -> Any:
        if self._state is None:
            raise LogicError("Linker: it has linked already; make a new one", operation="Linker")
        return self._state

    def add_data(self, data: Any, input_type: Any, name: str = "unknown") -> None:
        """Adds code; ``input_type`` is one of ``driver.jit_input_type``."""
        code = data.encode() if isinstance(data, str) else bytes(data)
        kind = _driver.CUjitInputType(int(input_type))
        self._check(
            _driver.cuLinkAddData(self._require_open(), kind, code, len(code), name, 0, [], []), "cuLinkAddData"
        )

    def add_file(self, filename: str, input_type: Any) -> None:
        """Adds a file with code; ``input_type`` is one of ``driver.jit_input_type``."""
        kind = _driver.CUjitInputType(int(input_type))
        self._check(_driver.cuLinkAddFile(self._require_open(), kind, filename, 0, [], []), "cuLinkAddFile")

    def link_module(self) -> Module:
        """The module of all that was added; the linker is used up."""
        state = self._require_open()
        err, code, size = _driver.cuLinkComplete(state)
        self._check((err,), "cuLinkComplete")
        if self._message_handler is not None:
            self._message_handler(True, *self._messages.texts())
        err, handle = _driver.cuModuleLoadData(code)
        del size
        if err:
            raise_status(err, "cuModuleLoadData")
        self._close()
        return Module._adopt(int(handle), self._context)

    def _check(self, result: tuple[Any, ...], function: str) -> None:
        if result[0]:
            info, error = self._messages.texts()
            if self._message_handler is not None:
                self._message_handler(False, info, error)
            self._close()
            raise_status(result[0], function, error)

    def _close(self) -> None:
        state, self._state = self._state, None
        if state is not None:
            _driver.cuLinkDestroy(state)

    def __del__(self) -> None:
        try:
            self._close()
        except Exception:  # the driver or the context is gone
            return
