"""The exceptions of Cuprum: the hierarchy of the C++ core, with the names that ``cuda.core`` uses."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuprum._diagnostics import Diagnostic


class Status(IntEnum):
    """What kind of failure it was: the status codes of the C ABI."""

    SUCCESS = 0
    INVALID_ARGUMENT = 1
    INVALID_HANDLE = 2
    INVALID_STATE = 3
    OUT_OF_MEMORY = 4
    LIBRARY_NOT_FOUND = 5
    HEADER_NOT_FOUND = 6
    SYMBOL_NOT_FOUND = 7
    DRIVER = 8
    NVRTC = 9
    NVJITLINK = 10
    COMPILE = 11
    KERNEL_NOT_FOUND = 12
    ARGUMENT_MISMATCH = 13
    DEVICE_FAULT = 14
    UNSUPPORTED = 15
    NOT_READY = 16
    NVVM = 17
    INTERNAL = 99


class ErrorDomain(IntEnum):
    """The library that ``Error.code`` comes from."""

    CUPRUM = 0
    DRIVER = 1
    RUNTIME = 2
    NVRTC = 3
    NVJITLINK = 4
    PATHFINDER = 5
    NVVM = 6
    NVML = 7
    NCCL = 8


class Error(Exception):
    """The root of all exceptions of Cuprum. ``str(error)`` has everything below in one readable text.

    A failed call has changed nothing. A text is empty if there is nothing to say.

    - ``status``: what kind of failure it was.
    - ``domain``: the library that ``code`` comes from.
    - ``code``: the domain's own code, such as the ``CUresult``; 0 if it has none.
    - ``name``: the code's name, ``"CUDA_ERROR_INVALID_VALUE"``.
    - ``operation``: what was being done.
    - ``object``: the object that it was being done to.
    - ``detail``: what was expected and what was given, or the library's own message.
    - ``advice``: what to do next.
    - ``log``: the log of a failed compile, with line numbers; else empty.
    """

    status: Status
    domain: ErrorDomain
    code: int
    name: str
    operation: str
    object: str
    detail: str
    advice: str
    log: str

    _default_status = Status.INTERNAL

    def __init__(
        self,
        message: str,
        *,
        status: Status | None = None,
        domain: ErrorDomain = ErrorDomain.CUPRUM,
        code: int = 0,
        name: str = "",
        operation: str = "",
        object: str = "",
        detail: str = "",
        advice: str = "",
        log: str = "",
    ) -> None:
        """Keeps the message, which ``str()`` gives, and its parts."""
        super().__init__(message)
        self.status = self._default_status if status is None else status
        self.domain = domain
        self.code = code
        self.name = name
        self.operation = operation
        self.object = object
        self.detail = detail
        self.advice = advice
        self.log = log

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the compiler or the linker, one by one; empty for other errors."""
        from cuprum._diagnostics import parse_diagnostics

        return parse_diagnostics(self.log) if self.log else []

    def __reduce__(self) -> tuple[Any, ...]:
        # BaseException's own would call __init__ with the message and then set the attributes: the same, but it keeps
        # no keyword, so say it outright.
        return type(self), self.args, self.__dict__


class InvalidArgument(Error, ValueError):
    """An invalid argument."""

    _default_status = Status.INVALID_ARGUMENT


class InvalidHandle(Error):
    """An object that is not alive or not of the right type."""

    _default_status = Status.INVALID_HANDLE


class InvalidState(Error, RuntimeError):
    """An object that is closed, or in the wrong state for the call."""

    _default_status = Status.INVALID_STATE


class Unsupported(Error, NotImplementedError):
    """Not supported by this driver, device, toolkit or build."""

    _default_status = Status.UNSUPPORTED


class NotReady(Error):
    """A result that is not ready yet."""

    _default_status = Status.NOT_READY


class InternalError(Error):
    """A bug in Cuprum."""


class NotFound(Error):
    """A library, header folder or symbol that was not found. The message lists every place searched."""


class LibraryNotFound(NotFound, RuntimeError):
    """No usable library: the driver, NVRTC or another part of the toolkit."""

    _default_status = Status.LIBRARY_NOT_FOUND


class HeaderNotFound(NotFound):
    """No usable header folder."""

    _default_status = Status.HEADER_NOT_FOUND


class SymbolNotFound(NotFound):
    """A function missing from the library that was found."""

    _default_status = Status.SYMBOL_NOT_FOUND


class CUDAError(Error):
    """A CUDA driver call that failed; ``code`` is the ``CUresult``."""

    _default_status = Status.DRIVER


class OutOfMemory(CUDAError, MemoryError):
    """Host or device memory is exhausted."""

    _default_status = Status.OUT_OF_MEMORY


class DeviceFault(CUDAError):
    """A fault on the device, such as an illegal address. Later calls on its context fail in the same way."""

    _default_status = Status.DEVICE_FAULT


class NVRTCError(Error):
    """An NVRTC call that failed; ``code`` is the ``nvrtcResult``."""

    _default_status = Status.NVRTC


class CompileError(NVRTCError):
    """A program that does not compile. ``log`` has the compiler's messages."""

    _default_status = Status.COMPILE


class NvJitLinkError(Error):
    """An nvJitLink call that failed; ``code`` is the ``nvJitLinkResult``."""

    _default_status = Status.NVJITLINK


class NVVMError(Error):
    """A libNVVM call that failed; ``code`` is the ``nvvmResult``."""

    _default_status = Status.NVVM


class KernelNotFound(Error, LookupError):
    """A kernel name that the compiled program does not have. The message names those that it has."""

    _default_status = Status.KERNEL_NOT_FOUND


class ArgumentMismatch(Error, TypeError):
    """Kernel arguments that do not match the kernel's parameters."""

    _default_status = Status.ARGUMENT_MISMATCH


class CUDAWarning(RuntimeWarning):
    """A failure that cannot be raised, such as one while an object is garbage-collected."""


_CLASSES: dict[int, type[Error]] = {
    cls._default_status: cls
    for cls in (
        InvalidArgument,
        InvalidHandle,
        InvalidState,
        Unsupported,
        NotReady,
        LibraryNotFound,
        HeaderNotFound,
        SymbolNotFound,
        CUDAError,
        OutOfMemory,
        DeviceFault,
        NVRTCError,
        CompileError,
        NvJitLinkError,
        NVVMError,
        KernelNotFound,
        ArgumentMismatch,
        InternalError,
    )
}


def make_error(
    status: int,
    domain: int,
    code: int,
    name: str,
    message: str,
    operation: str,
    object: str,
    detail: str,
    advice: str,
    log: str,
) -> Error:
    """The exception for a failed call of the C ABI. Called by the extension module (errors.hpp)."""
    cls = _CLASSES.get(status, InternalError)
    if domain == ErrorDomain.NVML:
        from cuprum.core.system.exceptions import class_of  # only here: few programs ask NVML

        cls = class_of(code)
    return cls(
        message,
        status=Status(status) if status in Status._value2member_map_ else Status.INTERNAL,
        domain=ErrorDomain(domain) if domain in ErrorDomain._value2member_map_ else ErrorDomain.CUPRUM,
        code=code,
        name=name,
        operation=operation,
        object=object,
        detail=detail,
        advice=advice,
        log=log,
    )
