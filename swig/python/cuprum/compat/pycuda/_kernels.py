"""The kernels of this package, compiled once in each context that needs them, and how many threads run them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import Context, add_cache, current_context
from cuprum.compat.pycuda._errors import value_of

if TYPE_CHECKING:
    from cuprum.compat.pycuda._function import Function

_THREADS = 256
_BLOCKS_PER_MULTIPROCESSOR = 16

Grid = tuple[int, int]
Block = tuple[int, int, int]


class ContextState:
    """What is kept for one context."""

    __slots__ = ("__weakref__", "context", "kernels", "most_blocks", "multiprocessors")

    def __init__(self, context: Context) -> None:
        self.context = context
        #: Kernels, by whatever tells them apart.
        self.kernels: dict[Hashable, Any] = {}
        self.multiprocessors = Context.get_device().multiprocessor_count
        #: So many keep the device busy: a launch with more elements gives each thread several.
        self.most_blocks = self.multiprocessors * _BLOCKS_PER_MULTIPROCESSOR

    def geometry(self, count: int) -> tuple[Grid, Block]:
        """How many blocks of how many threads, for kernels whose threads step over all of ``count`` elements."""
        blocks = -(-count // _THREADS) or 1
        most = self.most_blocks
        return (blocks if blocks < most else most, 1), (_THREADS, 1, 1)


#: By the driver's number for each context, which it gives only once: handles return when contexts are destroyed.
_states: dict[int, ContextState] = {}
_last: ContextState | None = None


def state_of_context() -> ContextState:
    """That of the current context."""
    global _last
    context = current_context("using a GPUArray")
    last = _last
    if last is not None and last.context is context:
        return last
    number = int(value_of(_driver.cuCtxGetId(context.handle), "cuCtxGetId"))
    state = _states.get(number)
    if state is None:
        for gone in [each for each, known in _states.items() if not known.context._is_alive]:
            del _states[gone]
        state = _states[number] = ContextState(context)
    elif state.context is not context:
        state.context = context
    _last = state
    return state


def clear() -> None:
    """Forgets the kernels of all contexts."""
    global _last
    _last = None
    _states.clear()


add_cache(clear)


def kernel_for(key: Hashable, make: Callable[[], Any]) -> Any:
    """The current context's kernel for that key, which ``make`` compiles the first time."""
    kernels = state_of_context().kernels
    kernel = kernels.get(key)
    if kernel is None:
        kernel = kernels[key] = make()
    return kernel


def compiled(source: str, name: str, types: Sequence[Any]) -> Function:
    """A kernel of this package's own source, prepared for arguments of these types.

    Without warnings: a comparison with 0 is pointless for some of the types that a text is for.
    """
    from cuprum.compat.pycuda.compiler import SourceModule

    module = SourceModule(source, options=["--disable-warnings"], no_extern_c=True)
    function: Function = module.get_function(name)
    return function.prepare(types)
