"""Kernels and how they are launched."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, NoReturn

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._arguments import Packet, Parameters, Plan, make_plan, plan_of_types
from cuprum.compat.pycuda._context import Context, Mixing
from cuprum.compat.pycuda._errors import LogicError, check, raise_status, status_of, value_of
from cuprum.compat.pycuda._handlers import after_launch
from cuprum.compat.pycuda._memory import stream_handle
from cuprum.compat.pycuda._native import launch_packed
from cuprum.compat.pycuda._pointers import DeviceAllocation
from cuprum.compat.pycuda._stream import Event
from cuprum.compat.pycuda._textures import refuse_texrefs as refuse_texrefs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cuprum.compat.pycuda._module import Module
    from cuprum.compat.pycuda._stream import Stream

_INVALID_HANDLE = 400
_SHAPE_ERRORS = (1, 701)  # an invalid value, out of resources


def _pack_converted(plan: Plan, packet: Packet, values: Sequence[Any]) -> None:
    """After struct has not taken them as they are: GPUArrays, negative numbers."""
    if not plan.rare_converts:
        raise
    converted = list(values)
    for position, convert in plan.rare_converts:
        converted[position] = convert(converted[position])
    plan.pack_into(packet.memory, 0, *converted)


def _three(sizes: tuple[int, ...]) -> tuple[int, int, int]:
    if len(sizes) > 3:
        raise TypeError(f"{len(sizes)} dimensions")
    width, height, depth, *_ = (*sizes, 1, 1, 1)
    return width, height, depth


class Kernel:
    """What all Functions of one kernel have in common."""

    __slots__ = ("_parameters", "handle", "name", "plans")

    #: By the types of the arguments.
    plans: dict[tuple[type, ...], Plan]

    def __init__(self, handle: int, name: str) -> None:
        self.handle = handle
        self.name = name
        self.plans = {}
        self._parameters: Parameters | None = None

    def parameters(self) -> Parameters:
        """Asked for once."""
        if self._parameters is None:
            self._parameters = Parameters(self.handle)
        return self._parameters


class Function:
    """A kernel: call it with its arguments, ``block=`` and ``grid=``."""

    __slots__ = (
        "__weakref__",
        "_kernel",
        "_module",
        "_name",
        "_plans",
        "_prepared",
        "handle",
    )

    #: The ``CUfunction``.
    handle: int

    def __init__(self) -> None:
        """Raises TypeError: functions come from modules."""
        raise TypeError("ask a module for a kernel: SourceModule(...).get_function(name)")

    @classmethod
    def _of(cls, kernel: Kernel, module: Module) -> Function:
        function = cls.__new__(cls)
        function.handle = kernel.handle
        function._name = kernel.name
        function._kernel = kernel
        function._plans = kernel.plans
        function._module = module
        function._prepared = None
        return function

    _name: str
    #: Kept loaded as long as this lives.
    _module: Module
    _kernel: Kernel
    #: The kernel's.
    _plans: dict[tuple[type, ...], Plan]
    _prepared: Plan | None

    def __call__(
        self,
        *args: Any,
        block: tuple[int, ...] | None = None,
        grid: tuple[int, ...] = (1, 1, 1),
        stream: Stream | None = None,
        shared: int = 0,
        texrefs: Sequence[Any] = (),
        time_kernel: bool = False,
    ) -> float | None:
        """Launches ``grid`` blocks of ``block`` threads with ``shared`` bytes of dynamic shared memory.

        Arguments: numbers of NumPy's, whose dtype is the parameter's type; device memory; GPUArrays; ``In``, ``Out``
        and ``InOut`` of host arrays; structures as arrays, scalars or bytes. With ``time_kernel`` waits for the kernel,
        and returns the seconds that it took.
        """
        if block is None:
            self._refuse_no_block()
        if texrefs:
            refuse_texrefs(f"{self._name}(texrefs=)")
        plan = self._plans.get(tuple(map(type, args)))
        if plan is None:
            plan = self._make_plan(args)
        if time_kernel or plan.handlers:
            return self._call_slowly(plan, args, block, grid, stream, shared, time_kernel)
        self._launch(plan, args, block, grid, 0 if stream is None else stream_handle(stream), shared)
        return None

    def _launch(
        self,
        plan: Plan,
        values: Sequence[Any],
        block: tuple[int, ...],
        grid: tuple[int, ...],
        stream: int,
        shared: int,
    ) -> None:
        if Mixing.is_possible:
            self._require_one_context(values)
        converts = plan.converts
        if converts:
            values = list(values)
            for position, convert in converts:
                values[position] = convert(values[position])
        packets = plan.packets
        try:
            packet = packets.pop()
        except IndexError:
            packet = Packet(plan.size)
        try:
            try:
                plan.pack_into(packet.memory, 0, *values)
            except (struct.error, TypeError):
                _pack_converted(plan, packet, values)
            err = launch_packed(self.handle, grid, block, shared, stream, packet.address)
            if err is None:
                err = self._launch_unusual(block, grid, stream, shared, packet.address)
        except (struct.error, TypeError, OverflowError) as error:
            self._refuse_launch(error, block, grid, shared)
        finally:
            packets.append(packet)
        if err:
            self._raise_launch(err, block, grid, shared)

    def _launch_unusual(self, block: Any, grid: Any, stream: int, shared: Any, address: int) -> int:
        """For sizes that are not tuples of Python's ints."""
        x, y, z = block if len(block) == 3 else _three(block)
        width, height, depth = grid if len(grid) == 3 else _three(grid)
        return _driver.cuLaunchKernel(self.handle, width, height, depth, x, y, z, shared, stream, 0, address)[0]

    def _require_one_context(self, values: Sequence[Any]) -> None:
        """Raises where memory of another context than the kernel's is an argument."""
        own = self._module._context
        for position, value in enumerate(values):
            memory = getattr(value, "gpudata", value)
            is_managed = hasattr(memory, "attach")
            if isinstance(memory, DeviceAllocation) and not is_managed and memory._context != own:
                raise LogicError(
                    f"{self._name}: argument {position} (0-based) is memory of {memory._context}, the kernel belongs "
                    f"to {own}: allocate it, or compile the kernel, while the other's context is current, or copy with "
                    "memcpy_peer",
                    operation="launching a kernel",
                    object=self._name,
                )

    def _make_plan(self, args: Sequence[Any]) -> Plan:
        plan = make_plan(args, self._kernel.parameters(), self._name)
        if plan.is_reusable:
            self._plans[tuple(map(type, args))] = plan
        return plan

    def _call_slowly(
        self,
        plan: Plan,
        args: Sequence[Any],
        block: tuple[int, ...],
        grid: tuple[int, ...],
        stream: Stream | None,
        shared: int,
        time_kernel: bool,
    ) -> float | None:
        handlers = [args[position] for position in plan.handlers]
        for handler in handlers:
            handler.pre_call(stream)
        handle = stream_handle(stream)
        seconds = None
        if time_kernel:
            if stream is None:
                Context.synchronize()
            start, end = Event(), Event()
            start.record(stream)
            self._launch(plan, args, block, grid, handle, shared)
            end.record(stream)
            end.synchronize()
            seconds = end.time_since(start) * 1e-3
        else:
            self._launch(plan, args, block, grid, handle, shared)
        if handlers:
            after_launch(handlers, stream)
        return seconds

    def prepare(self, arg_types: Any, texrefs: Sequence[Any] = ()) -> Function:
        """Says the arguments' types for ``prepared_call``: letters, as in ``"PPi"``, or dtypes. Returns itself."""
        if texrefs:
            refuse_texrefs(f"{self._name}.prepare(texrefs=)")
        self._prepared = plan_of_types(arg_types, self._kernel.parameters(), self._name)
        return self

    def _refuse_unprepared(self) -> NoReturn:
        raise LogicError(
            f'{self._name}: not prepared; say the types of its arguments first, as in prepare("PPi")',
            operation="Function.prepared_call",
            object=self._name,
        )

    def prepared_call(self, grid: tuple[int, ...], block: tuple[int, ...], *args: Any, shared_size: int = 0) -> None:
        """Launches in the default stream, with arguments of the prepared types."""
        plan = self._prepared or self._refuse_unprepared()
        self._launch(plan, args, block, grid, 0, shared_size)

    def prepared_async_call(
        self, grid: tuple[int, ...], block: tuple[int, ...], stream: Stream | None, *args: Any, shared_size: int = 0
    ) -> None:
        """Launches in ``stream``, with arguments of the prepared types."""
        plan = self._prepared or self._refuse_unprepared()
        self._launch(plan, args, block, grid, stream_handle(stream), shared_size)

    def prepared_timed_call(
        self, grid: tuple[int, ...], block: tuple[int, ...], *args: Any, shared_size: int = 0
    ) -> Callable[[], float]:
        """Launches, and returns a function that waits for the kernel and returns the seconds that it took."""
        plan = self._prepared or self._refuse_unprepared()
        start, end = Event(), Event()
        start.record()
        self._launch(plan, args, block, grid, 0, shared_size)
        end.record()

        def get_call_time() -> float:
            end.synchronize()
            return end.time_since(start) * 1e-3

        return get_call_time

    def _refuse_no_block(self) -> NoReturn:
        raise ValueError(
            f"must specify block size: {self._name} is launched without block=; say how many threads a block "
            "has, as in block=(256, 1, 1), and with grid= how many blocks there are"
        )

    def _refuse_launch(self, error: Exception, block: Any, grid: Any, shared: Any) -> NoReturn:
        """For what Python could not make a launch of: a shape, or a prepared argument."""
        if block is None:
            self._refuse_no_block()
        for what, sizes in (("block", block), ("grid", grid)):
            if not isinstance(sizes, tuple | list) or not 1 <= len(sizes) <= 3:
                raise TypeError(
                    f"{self._name}: {what} must be a tuple of one to three ints, such as (256, 1, 1), not {sizes!r}"
                ) from None
            if not all(hasattr(size, "__index__") for size in sizes):
                raise TypeError(
                    f"{self._name}: {what}={sizes!r} has a size that is not an int; divide with // rather than /"
                ) from None
        if not hasattr(shared, "__index__"):
            raise TypeError(f"{self._name}: shared must be a number of bytes, not {shared!r}") from None
        if isinstance(error, struct.error):
            raise TypeError(f"{self._name}: an argument does not have the prepared type: {error}") from None
        raise error

    def _raise_launch(self, err: Any, block: Any, grid: Any, shared: Any) -> NoReturn:
        shape = f"{self._name} with grid={tuple(grid)}, block={tuple(block)}, shared={shared}"
        raise_status(status_of(err), "cuLaunchKernel", shape, self._advice(int(err), block, grid, shared))

    def _advice(self, code: int, block: Any, grid: Any, shared: Any) -> str:
        """What is known of a launch that the driver has refused."""
        if code == _INVALID_HANDLE:
            return f"the kernel belongs to {self._module._context}, which is not current: push that first"
        threads = math.prod(block)
        most = self.get_attribute(_driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
        if code in _SHAPE_ERRORS and threads > most:
            return f"the block has {threads} threads, this kernel takes at most {most}"
        name = _driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        if code in _SHAPE_ERRORS and shared > self.get_attribute(name):
            return (
                f"this kernel takes at most {self.get_attribute(name)} bytes of dynamic shared memory; raise that with "
                "set_attribute(function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)"
            )
        return (
            "each dimension of grid and block is at least 1" if code in _SHAPE_ERRORS and 0 in (*block, *grid) else ""
        )

    def get_attribute(self, attribute: Any) -> int:
        """One of ``driver.function_attribute``."""
        return int(value_of(_driver.cuFuncGetAttribute(int(attribute), self.handle), "cuFuncGetAttribute"))

    def set_attribute(self, attribute: Any, value: int) -> None:
        """Sets one of ``driver.function_attribute``, such as MAX_DYNAMIC_SHARED_SIZE_BYTES."""
        check(_driver.cuFuncSetAttribute(self.handle, int(attribute), value), "cuFuncSetAttribute")

    def set_cache_config(self, fc: Any) -> None:
        """One of ``driver.func_cache``: what the kernel prefers."""
        check(_driver.cuFuncSetCacheConfig(self.handle, int(fc)), "cuFuncSetCacheConfig")

    def set_shared_config(self, config: Any) -> None:
        """One of ``driver.shared_config``."""
        check(_driver.cuFuncSetSharedMemConfig(self.handle, int(config)), "cuFuncSetSharedMemConfig")

    def param_set_texref(self, texref: Any) -> NoReturn:
        """Refused: texture references are gone from CUDA."""
        refuse_texrefs(f"{self._name}.param_set_texref")

    def __getattr__(self, name: str) -> int:
        # kernel.num_regs: the function's attributes in small letters.
        if name.startswith("_") or name == "handle":
            raise AttributeError(name)
        from cuprum.compat.pycuda._enumerations import function_attribute

        try:
            attribute = function_attribute[_RENAMED.get(name, name.upper())]
        except KeyError:
            raise AttributeError(
                f"a Function has no attribute {name!r}: it has the names of driver.function_attribute in small letters"
            ) from None
        return self.get_attribute(attribute)

    def __repr__(self) -> str:
        return f"<Function {self._name}>"


#: PyCUDA's old names.
_RENAMED = {"registers": "NUM_REGS", "lmem": "LOCAL_SIZE_BYTES", "smem": "SHARED_SIZE_BYTES"}
