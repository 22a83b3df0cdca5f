"""What NVML answers when a call fails, under the names of ``cuda.core.system``."""

from __future__ import annotations

from cuprum._errors import CUDAError, Error, InvalidArgument, LibraryNotFound, SymbolNotFound, Unsupported


class NvmlError(CUDAError):
    """An NVML call that failed; ``code`` is the ``nvmlReturn_t``."""


class UninitializedError(NvmlError):
    """NVML has not been started."""


class InvalidArgumentError(NvmlError, InvalidArgument):
    """An argument that NVML does not accept."""


class NotSupportedError(NvmlError, Unsupported):
    """The device does not have it."""


class NoPermissionError(NvmlError):
    """The process lacks the rights for it."""


class AlreadyInitializedError(NvmlError):
    """NVML has been started already."""


class NotFoundError(NvmlError, InvalidArgument):
    """There is no such thing."""


class InsufficientSizeError(NvmlError):
    """Too little room for the answer."""


class InsufficientPowerError(NvmlError):
    """The device's external power is not connected."""


class DriverNotLoadedError(NvmlError):
    """The kernel's driver is not loaded."""


class TimeoutError(NvmlError):
    """It did not happen in time."""


class IrqIssueError(NvmlError):
    """The kernel has a problem with the device's interrupts."""


#: No usable NVML: Cuprum's own error, which lists every place that was searched.
LibraryNotFoundError = LibraryNotFound
#: A function missing from the NVML that was found: Cuprum's own error.
FunctionNotFoundError = SymbolNotFound


class CorruptedInforomError(NvmlError):
    """The device's InfoROM is damaged."""


class GpuIsLostError(NvmlError):
    """The device is no longer on the bus."""


class ResetRequiredError(NvmlError):
    """The device has to be reset."""


class OperatingSystemError(NvmlError):
    """The operating system refuses it."""


class LibRmVersionMismatchError(NvmlError):
    """NVML and the kernel's driver are of different versions."""


class InUseError(NvmlError):
    """The device is in use."""


class MemoryError(NvmlError):
    """Too little memory."""


class NoDataError(NvmlError):
    """There is no data."""


class VgpuEccNotSupportedError(NvmlError):
    """Not with ECC of vGPUs."""


class InsufficientResourcesError(NvmlError):
    """Too few resources of some kind."""


class FreqNotSupportedError(NvmlError):
    """The frequency is not supported."""


class ArgumentVersionMismatchError(NvmlError):
    """The structure's version is not supported."""


class DeprecatedError(NvmlError):
    """The function is not supported any more."""


class NotReadyError(NvmlError):
    """The system is not ready."""


class GpuNotFoundError(NvmlError):
    """There is no such GPU."""


class InvalidStateError(NvmlError):
    """Not in this state."""


class ResetTypeNotSupportedError(NvmlError):
    """This kind of reset is not supported."""


class UnknownError(NvmlError):
    """An error inside the driver."""


_CLASSES: dict[int, type[Error]] = {
    1: UninitializedError,
    2: InvalidArgumentError,
    3: NotSupportedError,
    4: NoPermissionError,
    5: AlreadyInitializedError,
    6: NotFoundError,
    7: InsufficientSizeError,
    8: InsufficientPowerError,
    9: DriverNotLoadedError,
    10: TimeoutError,
    11: IrqIssueError,
    12: LibraryNotFoundError,
    13: FunctionNotFoundError,
    14: CorruptedInforomError,
    15: GpuIsLostError,
    16: ResetRequiredError,
    17: OperatingSystemError,
    18: LibRmVersionMismatchError,
    19: InUseError,
    20: MemoryError,
    21: NoDataError,
    22: VgpuEccNotSupportedError,
    23: InsufficientResourcesError,
    24: FreqNotSupportedError,
    25: ArgumentVersionMismatchError,
    26: DeprecatedError,
    27: NotReadyError,
    28: GpuNotFoundError,
    29: InvalidStateError,
    30: ResetTypeNotSupportedError,
    999: UnknownError,
}


def class_of(code: int) -> type[Error]:
    """The class of an ``nvmlReturn_t``."""
    return _CLASSES.get(code, NvmlError)


__all__ = [
    "AlreadyInitializedError",
    "ArgumentVersionMismatchError",
    "CorruptedInforomError",
    "DeprecatedError",
    "DriverNotLoadedError",
    "FreqNotSupportedError",
    "FunctionNotFoundError",
    "GpuIsLostError",
    "GpuNotFoundError",
    "InUseError",
    "InsufficientPowerError",
    "InsufficientResourcesError",
    "InsufficientSizeError",
    "InvalidArgumentError",
    "InvalidStateError",
    "IrqIssueError",
    "LibRmVersionMismatchError",
    "LibraryNotFoundError",
    "MemoryError",
    "NoDataError",
    "NoPermissionError",
    "NotFoundError",
    "NotReadyError",
    "NotSupportedError",
    "NvmlError",
    "OperatingSystemError",
    "ResetRequiredError",
    "ResetTypeNotSupportedError",
    "TimeoutError",
    "UninitializedError",
    "UnknownError",
    "VgpuEccNotSupportedError",
]
