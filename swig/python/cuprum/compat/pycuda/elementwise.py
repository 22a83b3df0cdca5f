"""Kernels that do the same to every element: ``ElementwiseKernel``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._scalars import as_argument
from cuprum.compat.pycuda._usable import address_of
from cuprum.compat.pycuda.tools import ScalarArg, VectorArg, dtype_to_ctype, parse_c_arg

if TYPE_CHECKING:
    from cuprum.compat.pycuda._function import Function
    from cuprum.compat.pycuda._stream import Stream
    from cuprum.compat.pycuda.compiler import SourceModule

    Argument = ScalarArg | VectorArg
    _Compiled = tuple[SourceModule, Function, list[Argument]]

__all__ = [
    "ElementwiseKernel",
    "ScalarArg",
    "VectorArg",
    "dtype_to_ctype",
    "get_elwise_kernel",
    "get_elwise_kernel_and_types",
    "get_elwise_module",
    "get_elwise_range_module",
]

_LOOP = "for (i = cta_start + tid; i < n; i += total_threads)"
_RANGE_LOOP = """\
const long cuprum_first = start + (long)(cta_start + tid) * step;
    const long cuprum_stride = (long)total_threads * step;
    for (i = cuprum_first; step < 0 ? i > stop : i < stop; i += cuprum_stride)"""


def includes(arguments: Sequence[Argument], *texts: str, out: np.dtype[Any] | None = None) -> str:
    """The headers that a kernel needs: none where it can do without, since NVRTC takes long to read them."""
    dtypes = [argument.dtype for argument in arguments] + ([] if out is None else [out])
    lines = ""
    if any(dtype.kind == "c" for dtype in dtypes) or any("pycuda" in text for text in texts):
        lines += "#include <pycuda-complex.hpp>\n"
    if np.dtype(np.float16) in dtypes:
        lines += "#include <cuda_fp16.h>\n"
    return lines


def _source(
    arguments: Sequence[Argument],
    operation: str,
    name: str,
    preamble: str,
    loop_prep: str,
    after_loop: str,
    *,
    use_range: bool,
) -> str:
    declarators = ", ".join(argument.declarator() for argument in arguments)
    return f"""\
{includes(arguments, operation, preamble, loop_prep, after_loop)}{preamble}

extern "C" __global__ void {name}({declarators})
{{
    const size_t tid = threadIdx.x;
    const size_t total_threads = (size_t)gridDim.x * blockDim.x;
    const size_t cta_start = (size_t)blockDim.x * blockIdx.x;
    {"long" if use_range else "size_t"} i;
    {loop_prep};
    {_RANGE_LOOP if use_range else _LOOP}
    {{
        {operation};
    }}
    {after_loop};
}}
"""


def get_elwise_module(
    arguments: Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> SourceModule:
    """A module with the kernel ``name`` that does ``operation`` for each ``i`` below its argument ``n``."""
    return _module(arguments, operation, name, keep, options, preamble, loop_prep, after_loop, use_range=False)


def get_elwise_range_module(
    arguments: Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> SourceModule:
    """A module with the kernel ``name`` that does ``operation`` for each ``i`` of ``start``, ``stop`` and ``step``."""
    return _module(arguments, operation, name, keep, options, preamble, loop_prep, after_loop, use_range=True)


def _module(
    arguments: Sequence[Argument],
    operation: str,
    name: str,
    keep: bool,
    options: Sequence[str] | None,
    preamble: str,
    loop_prep: str,
    after_loop: str,
    *,
    use_range: bool,
) -> SourceModule:
    from cuprum.compat.pycuda.compiler import SourceModule

    return SourceModule(
        _source(arguments, operation, name, preamble, loop_prep, after_loop, use_range=use_range),
        options=None if options is None else list(options),
        keep=keep,
        no_extern_c=True,
    )


def parsed_arguments(arguments: str | Sequence[Argument]) -> list[Argument]:
    """The parameters that a text, or a list of ``VectorArg`` and ``ScalarArg``, describes."""
    if isinstance(arguments, str):
        return [parse_c_arg(argument) for argument in arguments.split(",")]
    return list(arguments)


def get_elwise_kernel_and_types(
    arguments: str | Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    use_range: bool = False,
    **kwargs: str,
) -> tuple[SourceModule, Function, list[Argument]]:
    """The module, its prepared kernel, and the kernel's parameters, with those that say which elements."""
    described = parsed_arguments(arguments)
    if use_range:
        described += [ScalarArg(np.intp, each) for each in ("start", "stop", "step")]
    else:
        described.append(ScalarArg(np.uintp, "n"))
    build = get_elwise_range_module if use_range else get_elwise_module
    module = build(described, operation, name, keep, options, **kwargs)
    function: Function = module.get_function(name)
    function.prepare(["P" if isinstance(each, VectorArg) else each.dtype for each in described])
    return module, function, described


def get_elwise_kernel(
    arguments: str | Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    **kwargs: str,
) -> Function:
    """A prepared kernel that does ``operation`` for each ``i`` below its last argument."""
    return get_elwise_kernel_and_types(arguments, operation, name, keep, options, False, **kwargs)[1]


class ElementwiseKernel:
    """``operation``, C++ text, for each element: ``i`` is its index, ``n`` how many there are.

    ``arguments`` are a kernel's parameters, as text: ``"float a, float *x"``. ``preamble`` goes before the kernel,
    ``loop_prep`` and ``after_loop`` into it, before and after the loop over a thread's elements. ``options`` are
    NVRTC's. The kernel is compiled at the first call.
    """

    def __init__(
        self,
        arguments: str | Sequence[Argument],
        operation: str,
        name: str = "kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        **kwargs: str,
    ) -> None:
        unknown = kwargs.keys() - {"preamble", "loop_prep", "after_loop"}
        if unknown:
            raise TypeError(f"ElementwiseKernel has no argument {', '.join(map(repr, sorted(unknown)))}")
        self.gen_kwargs: dict[str, Any] = kwargs | {
            "arguments": arguments,
            "operation": operation,
            "name": name,
            "keep": keep,
            "options": options,
        }
        #: By context, and by whether a range is given.
        self._compiled: WeakKeyDictionary[_kernels.ContextState, dict[bool, _Compiled]] = WeakKeyDictionary()
        #: The last of these, without a range.
        self._last: tuple[_kernels.ContextState, Callable[..., None]] | None = None
        self._arguments = parsed_arguments(arguments)
        #: With whether they are vectors, and whether Python's floats are passed as they are.
        self._described = [
            (argument, argument.dtype, isinstance(argument, VectorArg), argument.dtype.kind == "f")
            for argument in self._arguments
        ]
        if not any(isinstance(argument, VectorArg) for argument in self._arguments):
            raise TypeError(
                f"{name}: ElementwiseKernel can only be used with functions that have at least one vector argument; "
                "its number of elements is the number of calls"
            )

    def get_texref(self, name: str, use_range: bool = False) -> NoReturn:
        """Raises Unsupported: CUDA has no texture references any more."""
        from cuprum.compat.pycuda._function import refuse_texrefs

        refuse_texrefs()

    def generate_stride_kernel_and_types(self, use_range: bool) -> _Compiled:
        """The module, kernel and parameters in the current context."""
        state = _kernels.state_of_context()
        of_context = self._compiled.setdefault(state, {})
        if use_range not in of_context:
            of_context[use_range] = get_elwise_kernel_and_types(use_range=use_range, **self.gen_kwargs)
        return of_context[use_range]

    def __call__(
        self,
        *args: Any,
        range: slice | None = None,
        slice: slice | None = None,
        stream: Stream | None = None,
    ) -> None:
        """Runs it for each element of the first array, or for the indices of ``range`` or of ``slice`` of that array.

        ``range`` is taken as it is, ``slice`` as Python takes slices: it may count from the end. A number is converted
        to its parameter's type, and refused if it does not fit.
        """
        state = _kernels.state_of_context()
        given, count = self._convert(args, state)
        if slice is not None:
            if range is not None:
                raise TypeError("may not specify both range and slice keyword arguments")
            start, stop, step = slice.indices(count)
        elif range is not None:
            start, stop, step = _bounds(range)
        else:
            last = self._last
            if last is None or last[0] is not state:
                last = self._last = state, self.generate_stride_kernel_and_types(False)[1].prepared_async_call
            if count:
                grid, block = state.geometry(count)
                last[1](grid, block, stream, *given, count)
            return
        _, function, _ = self.generate_stride_kernel_and_types(True)
        chosen = max(0, -(-(stop - start) // step))
        if chosen:
            grid, block = state.geometry(chosen)
            function.prepared_async_call(grid, block, stream, *given, start, stop, step)

    def _convert(self, args: Sequence[Any], state: _kernels.ContextState) -> tuple[list[Any], int]:
        """The kernel's arguments, and how many elements the first array has."""
        described = self._described
        if len(args) != len(described):
            self._refuse_count(args)
        given: list[Any] = []
        count = -1
        for (argument, dtype, is_vector, is_float), value in zip(described, args):  # noqa: B905 (they are as many)
            if is_vector:
                given.append(address_of(value, state, argument, self.gen_kwargs["name"]))
                if count < 0:
                    count = value.size
            elif is_float and type(value) is float:
                given.append(value)
            else:
                what = f"argument {argument.name!r} of {self.gen_kwargs['name']}"
                given.append(as_argument(value, dtype, what))
        return given, count

    def _refuse_count(self, args: Sequence[Any]) -> NoReturn:
        names = ", ".join(argument.name for argument in self._arguments)
        name = self.gen_kwargs["name"]
        raise TypeError(f"{name} takes {len(self._arguments)} arguments ({names}), not {len(args)}")


def _bounds(chosen: slice) -> tuple[int, int, int]:
    start = 0 if chosen.start is None else int(chosen.start)
    step = 1 if chosen.step is None else int(chosen.step)
    if chosen.stop is None or step == 0:
        raise ValueError(f"range={chosen!r} needs a stop, and a step that is not 0")
    return start, int(chosen.stop), step
