"""PyCUDA's exceptions, and the one way from a failed driver call to them."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

from cuprum import _errors
from cuprum._errors import ErrorDomain, Status
from cuprum.bindings import driver as _driver


class Error(_errors.Error):
    """The root of PyCUDA's exceptions: a ``cuprum.Error``, whose ``code`` is the ``CUresult``, or 0."""

    _default_status = Status.DRIVER


class LogicError(Error):
    """A mistake in the program: an invalid value, handle or context, a missing name."""


class MemoryError(Error, builtins.MemoryError):
    """No memory left."""

    _default_status = Status.OUT_OF_MEMORY


class LaunchError(Error):
    """A launch that failed, or a kernel that failed while it ran."""

    _default_status = Status.DEVICE_FAULT


class RuntimeError(Error, builtins.RuntimeError):
    """What the program is not to blame for: no device, no code for this device."""


class CompileError(Error):
    """A source that does not compile. ``stderr`` has the compiler's messages."""

    _default_status = Status.COMPILE

    def __init__(
        self, msg: str, command_line: list[str], stdout: str | None = None, stderr: str | None = None, **details: Any
    ) -> None:
        """``command_line`` is NVRTC's options, after the word ``nvrtc``."""
        text = f"{msg}\n[command: {' '.join(command_line)}]"
        if stdout:
            text += f"\n[stdout:\n{stdout}]"
        if stderr:
            text += f"\n[stderr:\n{stderr}]"
        super().__init__(text, **details)
        self.msg = msg
        self.command_line = command_line
        self.stdout = stdout
        self.stderr = stderr

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.msg, self.command_line, self.stdout, self.stderr), self.__dict__


_LAUNCH_ERRORS = frozenset(
    {
        700,  # illegal address
        701,  # out of resources
        702,  # timeout
        703,  # incompatible texturing
        714,  # hardware stack error
        715,  # illegal instruction
        716,  # misaligned address
        717,  # invalid address space
        718,  # invalid program counter
        719,  # launch failed
    }
)
_RUNTIME_ERRORS = frozenset(
    {
        100,  # no device
        209,  # no binary for the GPU
        214,  # uncorrectable ECC error
        301,  # file not found
        302,  # shared object symbol not found
        303,  # shared object initialisation failed
        600,  # not ready
        999,  # unknown
    }
)
_OUT_OF_MEMORY = 2
_NOT_INITIALIZED = 3
_INVALID_CONTEXT = 201

_ADVICE = {
    _NOT_INITIALIZED: "call driver.init(), or import cuprum.compat.pycuda.autoinit, first",
    _INVALID_CONTEXT: "no context is current in this thread: push one, or import cuprum.compat.pycuda.autoinit",
}


def error_class(code: int) -> type[Error]:
    """The class of exceptions for a ``CUresult``."""
    if code == _OUT_OF_MEMORY:
        return MemoryError
    if code in _LAUNCH_ERRORS:
        return LaunchError
    return RuntimeError if code in _RUNTIME_ERRORS else LogicError


def raise_status(status: int, function: str, detail: str = "", advice: str = "") -> NoReturn:
    """Raises what a driver call has failed with, in PyCUDA's words: ``cuMemAlloc failed: out of memory``."""
    code = int(status)
    missing = _driver.last_error_message()  # of the call that failed: before the next one
    err, text = _driver.cuGetErrorString(code)
    name = getattr(status, "name", str(code))
    reason = text.decode() if not err and text else name
    message = f"{function} failed: {reason}"
    if missing:
        message += f": {missing}"
    if detail:
        message += f" - {detail}"
    advice = advice or _ADVICE.get(code, "")
    if advice:
        message += f"; {advice}"
    raise error_class(code)(
        message,
        domain=ErrorDomain.DRIVER,
        code=code,
        name=name,
        operation=function,
        detail=detail,
        advice=advice,
    )


def status_of(code: int) -> int:
    """The ``CUresult`` of a number, where it is one of those."""
    try:
        return _driver.CUresult(code)
    except ValueError:
        return code


def raise_code(code: int, function: str, detail: str = "") -> NoReturn:
    """``raise_status`` for what is called in C++, which knows the ``CUresult`` as a number."""
    raise_status(status_of(code), function, detail)


def check(result: tuple[Any, ...], function: str, detail: str = "") -> None:
    """Raises unless a driver call that returns nothing has succeeded."""
    if result[0]:
        raise_status(result[0], function, detail)


def value_of(result: tuple[Any, ...], function: str, detail: str = "") -> Any:
    """What a driver call with one result returned."""
    if result[0]:
        raise_status(result[0], function, detail)
    return result[1]
