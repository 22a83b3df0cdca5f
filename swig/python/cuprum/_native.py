"""Loads the extension module and makes it ready: everything that needs it imports ``_cuprum`` from here."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
from typing import Any, ClassVar, NoReturn, Self

from cuprum import _cuprum
from cuprum._errors import CUDAWarning, Error, InvalidState

__all__ = ["Owner", "_cuprum", "version"]

# The program ends whatever its kernels do: releases wait for them no longer than a moment.
atexit.register(_cuprum.begin_exit)


def _add_wheel_directories() -> None:
    """Tells pathfinder where NVIDIA's wheels of this interpreter are: beside this package, then along ``sys.path``."""
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in dict.fromkeys([beside, *sys.path]):
        # "" is the working directory, where nothing is looked for.
        if os.path.isabs(folder) and os.path.isdir(os.path.join(folder, "nvidia")):
            _cuprum.cuprum_add_wheel_directory(folder)


_add_wheel_directories()


def version() -> str:
    """The version of the library, ``"0.1.0"``."""
    number = _cuprum.cuprum_version()
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"


class Owner(_cuprum.Handle):
    """Owns a handle of the C ABI: destroyed by ``close()``, at the end of a ``with``, or with the object.

    Destroying a handle is safe from any thread, while the interpreter exits, and after a fork (where it does nothing).
    """

    __slots__ = ("__weakref__",)

    #: Destroys a handle. Kept by the class, because module globals may be gone when the last objects are collected.
    _destroy: ClassVar[Any]

    def __init__(self, native: int) -> None:
        """Takes the handle over."""
        self._native = native

    @property
    def is_closed(self) -> bool:
        """Whether it was closed; it cannot be used any more."""
        return self._native == 0

    def close(self) -> None:
        """Releases the resource. Calling it again does nothing."""
        native, self._native = self._native, 0
        if native:
            type(self)._destroy(native)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _warn_of_failed_release(self, error: BaseException) -> None:
        """What close() raised at the end of an object that was still open (handle.hpp, ``finalize``)."""
        if not isinstance(error, Error):
            raise error
        if not sys.is_finalizing():
            warnings.warn(f"{type(self).__name__} could not be released: {error}", CUDAWarning, stacklevel=2)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"cannot copy or pickle a {type(self).__name__}: what it stands for belongs to this object and process"
        )

    def _refuse_closed(self, operation: str) -> NoReturn:
        name = type(self).__name__
        raise InvalidState(
            f"{operation}: this {name} is closed",
            operation=operation,
            object=name,
            detail="it is closed",
        )
