"""Contexts, and each thread's stack of them.

The stack is PyCUDA's, in which a context knows whether it is active, on top of the driver's own. A context that other
code has made current (``cuprum.core``, a library) is taken as it is and never destroyed.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._errors import LogicError, check, raise_status, value_of
from cuprum.compat.pycuda._native import ContextBase

if TYPE_CHECKING:
    from types import TracebackType

    from cuprum.compat.pycuda._device import Device


class _Stack(threading.local):
    def __init__(self) -> None:
        self.contexts: list[Context] = []


_stack = _Stack()


class Mixing:
    """Whether memory of one context may reach a kernel of another by mistake."""

    #: Set once there are two contexts, and for good unset by peer access, which allows it.
    is_possible = False
    is_allowed = False
    _handles: set[int] = set()

    @classmethod
    def add(cls, handle: int) -> None:
        """For every context that is made or found."""
        cls._handles.add(handle)
        cls.is_possible = len(cls._handles) > 1 and not cls.is_allowed


class Context(ContextBase):
    """What memory, modules, streams and events belong to: from ``Device.make_context`` and its like."""

    __slots__ = ("__weakref__", "_device", "_kind")

    _device: Device | None
    #: ``"own"`` (destroyed with its last use), ``"primary"`` (released then) or ``"borrowed"``.
    _kind: str

    def __init__(self) -> None:
        """Raises TypeError: contexts come from devices."""
        raise TypeError("ask a device for a context: Device(0).make_context(), or Device(0).retain_primary_context()")

    @classmethod
    def _of(cls, handle: int, kind: str, device: Device | None = None) -> Context:
        context = cls.__new__(cls)
        context.handle = int(handle)
        context._kind = kind
        context._device = device
        context._is_alive = True
        if kind != "borrowed":
            Mixing.add(context.handle)
        return context

    def push(self) -> None:
        """Makes it current in this thread, on top of what was."""
        self._require_alive("push")
        check(_driver.cuCtxPushCurrent(self.handle), "cuCtxPushCurrent")
        _stack.contexts.append(self)

    @staticmethod
    def pop() -> None:
        """Takes this thread's current context off the stack: what was below is current again."""
        stack = _stack.contexts
        if not stack:
            raise LogicError(
                "Context.pop failed: invalid device context - cannot pop non-current context: this thread's stack of "
                "contexts is empty; each push() and make_context() is popped once, in the thread that made it",
                operation="Context.pop",
            )
        check(_driver.cuCtxPopCurrent(), "cuCtxPopCurrent")
        stack.pop()

    def detach(self) -> None:
        """Gives the context up: takes it off this thread's stack where it is on top, and destroys it.

        What it held (memory, modules, streams) is gone with it. The primary context stays as long as something uses it.
        """
        self._require_alive("detach")
        stack = _stack.contexts
        if stack and stack[-1] is self:
            Context.pop()
        elif any(context is self for context in stack):
            raise LogicError(
                "Context.detach failed: this context is below another one on this thread's stack; pop that first",
                operation="Context.detach",
            )
        self._release()

    def _release(self) -> None:
        """A context of the program's own is destroyed; the primary one is released when its last object is gone."""
        for forget in _forgetters:
            forget(self)
        self._is_alive = False
        if self._kind == "own":
            check(_driver.cuCtxDestroy(self.handle), "cuCtxDestroy")

    def __del__(self) -> None:
        # On no thread's stack, since those keep it.
        if sys.is_finalizing():
            return
        kind = getattr(self, "_kind", "")
        if kind == "primary" and self._device is not None:
            _driver.cuDevicePrimaryCtxRelease(self._device._ordinal)
        elif kind == "own" and self._is_alive:
            _driver.cuCtxDestroy(self.handle)

    def _require_alive(self, what: str) -> None:
        if not self._is_alive:
            raise LogicError(
                f"Context.{what} failed: this context was detached; make a new one with Device.make_context()",
                operation=f"Context.{what}",
            )

    @staticmethod
    def get_current() -> Context | None:
        """The context that is current in this thread."""
        stack = _stack.contexts
        if stack:
            return stack[-1]
        return _adopted()

    @staticmethod
    def attach(flags: int = 0) -> Context:
        """The context that is current in this thread, whoever has made it so."""
        return current_context("Context.attach")

    @staticmethod
    def get_device() -> Device:
        """The device of the current context."""
        from cuprum.compat.pycuda._device import Device

        current = current_context("Context.get_device")
        if current._device is None:
            current._device = Device(int(value_of(_driver.cuCtxGetDevice(), "cuCtxGetDevice")))
        return current._device

    @staticmethod
    def synchronize() -> None:
        """Waits for all work of the current context."""
        check(_driver.cuCtxSynchronize(), "cuCtxSynchronize")

    @staticmethod
    def get_limit(limit: Any) -> int:
        """One of ``driver.limit``."""
        return int(value_of(_driver.cuCtxGetLimit(int(limit)), "cuCtxGetLimit"))

    @staticmethod
    def set_limit(limit: Any, value: int) -> None:
        """Sets one of ``driver.limit``."""
        check(_driver.cuCtxSetLimit(int(limit), value), "cuCtxSetLimit")

    @staticmethod
    def get_cache_config() -> Any:
        """One of ``driver.func_cache``."""
        return value_of(_driver.cuCtxGetCacheConfig(), "cuCtxGetCacheConfig")

    @staticmethod
    def set_cache_config(config: Any) -> None:
        """One of ``driver.func_cache``: what kernels of the context prefer."""
        check(_driver.cuCtxSetCacheConfig(int(config)), "cuCtxSetCacheConfig")

    @staticmethod
    def get_shared_config() -> Any:
        """One of ``driver.shared_config``."""
        return value_of(_driver.cuCtxGetSharedMemConfig(), "cuCtxGetSharedMemConfig")

    @staticmethod
    def set_shared_config(config: Any) -> None:
        """One of ``driver.shared_config``."""
        check(_driver.cuCtxSetSharedMemConfig(int(config)), "cuCtxSetSharedMemConfig")

    def get_api_version(self) -> int:
        """The version of the driver API that the context was made for."""
        return int(value_of(_driver.cuCtxGetApiVersion(self.handle), "cuCtxGetApiVersion"))

    @staticmethod
    def enable_peer_access(peer: Context, flags: int = 0) -> None:
        """Lets kernels of the current context reach memory of ``peer``."""
        check(_driver.cuCtxEnablePeerAccess(peer.handle, flags), "cuCtxEnablePeerAccess")
        Mixing.is_allowed, Mixing.is_possible = True, False

    @staticmethod
    def disable_peer_access(peer: Context) -> None:
        """Takes ``enable_peer_access`` back."""
        check(_driver.cuCtxDisablePeerAccess(peer.handle), "cuCtxDisablePeerAccess")

    def __enter__(self) -> Context:
        self.push()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        Context.pop()

    def __eq__(self, other: object) -> bool:
        return self.handle == other.handle if isinstance(other, Context) else NotImplemented

    def __hash__(self) -> int:
        return hash((Context, self.handle))

    def __repr__(self) -> str:
        return f"<Context {self.handle:#x}{'' if self._is_alive else ' detached'}>"


def _adopted() -> Context | None:
    """What other code has made current."""
    err, handle = _driver.cuCtxGetCurrent()
    if err:
        return None
    number = int(handle)
    return Context._of(number, "borrowed") if number else None


def current_context(what: str) -> Context:
    """The current context of this thread; ``what`` needs one."""
    stack = _stack.contexts
    if stack:
        return stack[-1]
    adopted = _adopted()
    if adopted is None:
        raise LogicError(
            f"{what} failed: invalid device context - no context is current in this thread: push one, or import "
            "cuprum.compat.pycuda.autoinit (a new thread has no context until it pushes one)",
            operation=what,
        )
    return adopted


def push_new(context: Context) -> None:
    """For a context that the driver has already made current."""
    _stack.contexts.append(context)


def release_in(context: Context, function: Any, name: str, handle: int) -> None:
    """Calls the driver's ``function(handle)`` in the context, whichever is current; nothing if the context is gone."""
    if not context._is_alive and context._kind == "own":
        return
    err, current = _driver.cuCtxGetCurrent()
    if not err and int(current) == context.handle:
        check(function(handle), name)
        return
    with Activated(context):
        check(function(handle), name)


class Activated:
    """Makes the context current, if it is not, for the duration of a ``with``."""

    __slots__ = ("_context", "_is_pushed")

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_pushed = False

    def __enter__(self) -> None:
        err, handle = _driver.cuCtxGetCurrent()
        if err or int(handle) != self._context.handle:
            check(_driver.cuCtxPushCurrent(self._context.handle), "cuCtxPushCurrent")
            self._is_pushed = True

    def __exit__(self, *exception: object) -> None:
        if self._is_pushed:
            err, _ = _driver.cuCtxPopCurrent()
            if err and exception[0] is None:
                raise_status(err, "cuCtxPopCurrent")


#: What empties the caches of ``context_dependent_memoize``.
_caches: list[Any] = []
#: What makes them forget the entries of one context. Another one may get its handle.
_forgetters: list[Any] = []


def add_cache(clear: Any, forget: Any = None) -> None:
    """``clear()`` empties a cache whose entries belong to contexts, ``forget(context)`` removes those of one."""
    _caches.append(clear)
    if forget is not None:
        _forgetters.append(forget)


def clear_caches() -> None:
    """Empties all caches whose entries belong to contexts."""
    for clear in _caches:
        clear()
