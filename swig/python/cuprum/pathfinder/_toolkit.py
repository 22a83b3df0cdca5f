"""One toolkit: all of its parts from one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from cuprum import _operations
from cuprum._errors import HeaderNotFound, LibraryNotFound
from cuprum._native import Owner, _cuprum
from cuprum.pathfinder._located import Finding, LoadedDL, PartKind, findings, load, locate
from cuprum.pathfinder._remembered import forget


class Toolkit(Owner):
    """A toolkit of this machine, chosen once: ``Toolkit(">=12.4,<14")``.

    Parts of other toolkits are refused, but for those named in ``from_elsewhere``. LibraryNotFound when no toolkit of
    this machine fits; the message lists those that there are.
    """

    __slots__ = ()
    _destroy = _cuprum.cuprum_toolkit_destroy

    def __init__(self, version: str = "", *, from_elsewhere: Sequence[str] = ()) -> None:
        """The first toolkit with a matching version: ``">=12.4,<14"``, ``"13"``, or ``""`` for any."""
        super().__init__(_cuprum.cuprum_toolkit_find(version, from_elsewhere))

    @classmethod
    def in_use(cls) -> Self:
        """The toolkit that the functions of this module and ``cuprum.core.Program`` take parts from."""
        toolkit = cls.__new__(cls)
        Owner.__init__(toolkit, _cuprum.cuprum_toolkit_in_use())
        return toolkit

    def use(self) -> None:
        """Uses this toolkit, before anything is compiled: InvalidState if NVRTC of another toolkit is already open."""
        _cuprum.cuprum_toolkit_use(self._open_native(_operations.TOOLKIT_USE))
        forget()

    @property
    def root(self) -> str:
        """The toolkit's folder."""
        return self._describe()[0]

    @property
    def found_via(self) -> str:
        """How it was found: ``"wheel"``, ``"conda"``, ``"CUDA_PATH"`` and so on."""
        return self._describe()[1]

    @property
    def version(self) -> str:
        """The version: ``"13.0"``, or ``"13"`` if no more is known, or empty."""
        return self._describe()[2]

    def __repr__(self) -> str:
        return "Toolkit (closed)" if self.is_closed else f"Toolkit {self.version} at {self.root}"

    def _describe(self) -> list[str]:
        return _cuprum.cuprum_toolkit_describe(self._open_native(_operations.TOOLKIT_DESCRIBE))

    def _find(self, kind: PartKind, name: str) -> str:
        native = self._open_native(_operations.TOOLKIT_FIND_PART)
        return locate(kind, name, lambda: _cuprum.cuprum_toolkit_find_part(native, kind, name))[0]

    def load_nvidia_dynamic_lib(self, libname: str) -> LoadedDL:
        """Opens a library of it, like the module's function."""
        native = self._open_native(_operations.TOOLKIT_LOAD_LIBRARY)
        return load(libname, lambda: _cuprum.cuprum_toolkit_load_library(native, libname))

    def find_cuda_library(self, libname: str) -> str:
        """The path of a library of it. DynamicLibNotFoundError without one."""
        return self._find(PartKind.DYNAMIC_LIBRARY, libname)

    def find_nvidia_header_directory(self, libname: str) -> str | None:
        """The path of a folder of its headers; None if the toolkit does not have it."""
        try:
            return self._find(PartKind.HEADERS, libname)
        except HeaderNotFound:
            return None

    def find_bitcode_lib(self, name: str) -> str:
        """The path of a library of LLVM bitcode of it. BitcodeLibNotFoundError without one."""
        return self._find(PartKind.BITCODE_LIBRARY, name)

    def find_static_lib(self, name: str) -> str:
        """The path of a static library of it. StaticLibNotFoundError without one."""
        return self._find(PartKind.STATIC_LIBRARY, name)

    def find_nvidia_binary_utility(self, utility_name: str) -> str | None:
        """The path of a tool of it; None if the toolkit does not have it."""
        try:
            return self._find(PartKind.BINARY_UTILITY, utility_name)
        except LibraryNotFound:
            return None

    def find_cuda_include_dirs(self) -> list[str]:
        """CUDA's own headers, then CCCL's and those of crt/ where these are others. HeaderNotFound without CUDA's."""
        folders = [self._find(PartKind.HEADERS, "cudart")]
        folders += [found for name in ("cccl", "crt") if (found := self.find_nvidia_header_directory(name)) is not None]
        return list(dict.fromkeys(folders))

    def check(self) -> list[Finding]:
        """The mismatches of its parts with each other and with the driver."""
        return findings(_cuprum.cuprum_toolkit_check(self._open_native(_operations.TOOLKIT_CHECK)))
