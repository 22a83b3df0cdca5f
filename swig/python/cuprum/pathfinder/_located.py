"""What a search returns, the exceptions that it raises, and the calls that both the module and ``Toolkit`` make."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from cuprum._errors import Error, InvalidArgument, LibraryNotFound, Unsupported
from cuprum._native import _cuprum

#: The name in cuda.pathfinder.
DynamicLibNotFoundError = LibraryNotFound


class DynamicLibUnknownError(LibraryNotFound, InvalidArgument):
    """A name that no library has. The message offers the nearest ones."""


class DynamicLibNotAvailableError(LibraryNotFound, Unsupported):
    """A library that this platform does not have."""


class BitcodeLibNotFoundError(LibraryNotFound):
    """No usable library of LLVM bitcode."""


class StaticLibNotFoundError(LibraryNotFound):
    """No usable static library."""


class UnsupportedBinaryError(InvalidArgument):
    """A name that no tool has. ``utility`` is the name that was asked for."""

    utility: str


class PartKind(IntEnum):
    """The kinds of part, with the numbers of the C ABI."""

    DYNAMIC_LIBRARY = 0
    HEADERS = 1
    BITCODE_LIBRARY = 2
    STATIC_LIBRARY = 3
    BINARY_UTILITY = 4


class LocatedDynamicLib(NamedTuple):
    """A library that was found.

    ``abs_path`` is its path, ``found_via`` how it was found: ``"wheel"``, ``"conda"``, ``"CUDA_PATH"``, ``"loader"``
    and so on.
    """

    abs_path: str
    found_via: str


class LocatedHeaderDir(NamedTuple):
    """A header folder that was found: ``abs_path`` is its path, ``found_via`` how it was found."""

    abs_path: str
    found_via: str


class LocatedBitcodeLib(NamedTuple):
    """A library of LLVM bitcode that was found.

    ``name`` is what was asked for, ``abs_path`` its path, ``filename`` the path's last part, ``found_via`` how it was
    found.
    """

    name: str
    abs_path: str
    filename: str
    found_via: str


class LocatedStaticLib(NamedTuple):
    """A static library that was found.

    ``name`` is what was asked for, ``abs_path`` its path, ``filename`` the path's last part, ``found_via`` how it was
    found.
    """

    name: str
    abs_path: str
    filename: str
    found_via: str


class LoadedDL:
    """A library that is open.

    ``abs_path`` is its path, ``found_via`` how it was found, and ``was_already_loaded_from_elsewhere`` whether other
    code in this process had opened it before.
    """

    __slots__ = ("_handle_uint", "abs_path", "found_via", "was_already_loaded_from_elsewhere")

    def __init__(
        self, abs_path: str, was_already_loaded_from_elsewhere: bool, _handle_uint: int, found_via: str
    ) -> None:
        """Describes the open library."""
        self.abs_path = abs_path
        self.was_already_loaded_from_elsewhere = was_already_loaded_from_elsewhere
        #: For ``ctypes.CDLL(None, handle=...)``. Never close it.
        self._handle_uint = _handle_uint
        self.found_via = found_via

    def __repr__(self) -> str:
        return f"LoadedDL({self.abs_path!r}, found_via={self.found_via!r})"


class Finding(NamedTuple):
    """Something that is wrong or worth knowing, and what to do about it.

    ``severity`` is ``"error"``, ``"warning"`` or ``"note"``; ``subject`` is what it is about, ``problem`` what is wrong
    with it, and ``remedy`` how to fix it.
    """

    severity: str
    subject: str
    problem: str
    remedy: str


_SEVERITIES = ("note", "warning", "error")


def findings(count: int) -> list[Finding]:
    """What this thread's last diagnosis found."""
    found = [_cuprum.cuprum_finding(index) for index in range(count)]
    return [Finding(_SEVERITIES[severity], *texts) for severity, *texts in found]


def supported(kind: PartKind) -> dict[str, tuple[str, int]]:
    """Name to file and origin of the parts that this platform has."""
    parts = [_cuprum.cuprum_part_info(kind, index) for index in range(_cuprum.cuprum_part_count(kind))]
    return {name: (file, origin) for name, file, origin in parts}


_NOT_FOUND: dict[PartKind, type[LibraryNotFound]] = {
    PartKind.BITCODE_LIBRARY: BitcodeLibNotFoundError,
    PartKind.STATIC_LIBRARY: StaticLibNotFoundError,
}


def _as(cls: type[Error], error: Error) -> Error:
    """The same error as another class."""
    other = cls(*error.args)
    other.__dict__.update(error.__dict__)
    return other


def _named(kind: PartKind, name: str, error: Error) -> Error:
    """The error of a search as the class that cuda.pathfinder's users expect."""
    if isinstance(error, LibraryNotFound) and kind in _NOT_FOUND:
        return _as(_NOT_FOUND[kind], error)
    if isinstance(error, Unsupported) and kind is PartKind.DYNAMIC_LIBRARY:
        return _as(DynamicLibNotAvailableError, error)
    # Bad values of CUPRUM_DRIVER and CUPRUM_TOOLKIT are InvalidArgument too.
    if isinstance(error, InvalidArgument) and error.object == name:
        if kind is PartKind.DYNAMIC_LIBRARY:
            return _as(DynamicLibUnknownError, error)
        if kind is PartKind.BINARY_UTILITY:
            unsupported = _as(UnsupportedBinaryError, error)
            assert isinstance(unsupported, UnsupportedBinaryError)
            unsupported.utility = name
            return unsupported
    return error


def locate(kind: PartKind, name: str, find: Callable[[], list[str]] | None = None) -> list[str]:
    """Path and found_via; ``find`` does the search where it is not to be the one of the toolkit in use."""
    try:
        return _cuprum.cuprum_find_part(kind, name) if find is None else find()
    except Error as error:
        named = _named(kind, name, error)
        if named is error:
            raise
        raise named from None


def load(name: str, open_library: Callable[[], tuple[str, str, int, int]]) -> LoadedDL:
    try:
        path, found_via, handle, was_already_loaded = open_library()
    except Error as error:
        named = _named(PartKind.DYNAMIC_LIBRARY, name, error)
        if named is error:
            raise
        raise named from None
    return LoadedDL(path, bool(was_already_loaded), handle, found_via)
