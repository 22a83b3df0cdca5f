"""A kernel's arguments as the bytes that it is launched with.

A call's arguments are packed in one step by a ``Plan``, which depends on their types alone and is made once for each
combination of them: there the number of arguments and the size of each are compared with the kernel's own parameters.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from operator import attrgetter, index, methodcaller
from typing import TYPE_CHECKING, Any, NoReturn

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._errors import LogicError
from cuprum.compat.pycuda._handlers import ArgumentHandler
from cuprum.compat.pycuda._pointers import DeviceAllocation, PointerHolderBase, refuse_strides

if TYPE_CHECKING:
    import numpy as np

    Convert = Callable[[Any], Any]

#: struct's letter for the kind and the bytes of one of NumPy's numbers.
_LETTERS = {
    ("b", 1): "?",
    ("i", 1): "b",
    ("u", 1): "B",
    ("i", 2): "h",
    ("u", 2): "H",
    ("i", 4): "i",
    ("u", 4): "I",
    ("i", 8): "q",
    ("u", 8): "Q",
    ("f", 2): "e",
    ("f", 4): "f",
    ("f", 8): "d",
}
_POINTER = "Q"
_PARAMETERS = 4096  # more than any kernel has


class Parameters:
    """Where a kernel's parameters lie: ``(offset, bytes)`` of each."""

    __slots__ = ("is_known", "places")

    def __init__(self, function: int) -> None:
        """Asks the driver, which knows since CUDA 12.4."""
        self.places: list[tuple[int, int]] = []
        self.is_known = True
        for position in range(_PARAMETERS):
            err, offset, size = _driver.cuFuncGetParamInfo(function, position)
            if err:
                self.is_known = int(err) == 1  # an invalid value is the end
                break
            self.places.append((offset, size))


_BUFFER_POINTER = 1  # CU_LAUNCH_PARAM_BUFFER_POINTER
_BUFFER_SIZE = 2  # CU_LAUNCH_PARAM_BUFFER_SIZE


class Packet:
    """A launch's arguments in memory, and the list for the driver that says where they are."""

    __slots__ = ("_list", "address", "memory")

    def __init__(self, size: int) -> None:
        import ctypes  # not before the first launch

        self.memory = bytearray(max(size, 1))
        # The list, and the number of bytes that it points to.
        self._list = (ctypes.c_uint64 * 6)()
        self.address = ctypes.addressof(self._list)
        held = (ctypes.c_char * len(self.memory)).from_buffer(self.memory)
        self._list[:] = [_BUFFER_POINTER, ctypes.addressof(held), _BUFFER_SIZE, self.address + 40, 0, size]


class Plan:
    """How arguments of certain types become bytes."""

    __slots__ = ("converts", "handlers", "is_reusable", "pack_into", "packets", "rare_converts", "size")

    #: ``pack_into(buffer, 0, *values)``.
    pack_into: Callable[..., None]
    #: For arguments that ``struct`` does not take as they are: where, and what makes it one that it takes.
    converts: tuple[tuple[int, Convert], ...]
    #: The same, for arguments that struct takes as they are as a rule: called where it does not.
    rare_converts: tuple[tuple[int, Convert], ...]
    #: Where In, Out and InOut are.
    handlers: tuple[int, ...]
    #: Bytes.
    size: int
    #: Whether it holds for every argument of these types.
    is_reusable: bool
    #: Free ones. A launch takes one and puts it back, so that threads do not share one.
    packets: list[Packet]


class _Form:
    """One argument: struct's format for it, its bytes, and how it is converted."""

    __slots__ = ("alignment", "convert", "is_handler", "is_reusable", "letters", "size")

    def __init__(
        self,
        letters: str,
        size: int,
        convert: Convert | None = None,
        alignment: int | None = None,
        is_handler: bool = False,
        is_reusable: bool = True,
    ) -> None:
        self.letters = letters
        self.size = size
        self.convert = convert
        self.alignment = size if alignment is None else alignment
        self.is_handler = is_handler
        self.is_reusable = is_reusable


def _of_handler(handler: ArgumentHandler) -> int:
    return int(handler.get_device_alloc())


def _of_gpudata(array: Any) -> int:
    """An array's address; its gpudata is None where it has no elements."""
    memory = array.gpudata
    return 0 if memory is None else index(memory)


def _of_interface(array: Any) -> int:
    return int(array.__cuda_array_interface__["data"][0])


_to_bytes: Convert = methodcaller("tobytes")


def _form_of(argument: Any, position: int, name: str, expected: int | None) -> _Form:
    if isinstance(argument, DeviceAllocation | PointerHolderBase):
        return _Form(_POINTER, 8)
    if isinstance(argument, ArgumentHandler):
        return _Form(_POINTER, 8, _of_handler, is_handler=True)
    if isinstance(argument, bool | int | float | complex) and type(argument).__module__ == "builtins":
        _refuse_untyped(argument, position, name, expected)
    if hasattr(argument, "gpudata"):
        return _Form(_POINTER, 8, _of_gpudata)
    if hasattr(argument, "__cuda_array_interface__"):
        return _Form(_POINTER, 8, _of_interface)
    opaque = getattr(argument, "_kernel_argument", None)  # texture and surface objects, tensor maps of cuprum.core
    if isinstance(opaque, int):
        return _Form(_POINTER, 8, attrgetter("_kernel_argument"))
    if isinstance(opaque, bytes):
        return _Form(f"{len(opaque)}s", len(opaque), attrgetter("_kernel_argument"), 64)
    import numpy as np

    if isinstance(argument, np.generic):
        return _form_of_scalar(argument, position, name)
    if isinstance(argument, np.ndarray):
        return _form_of_array(argument, position, name)
    try:
        size = memoryview(argument).nbytes
    except TypeError:
        _refuse(argument, position, name)
    return _Form(f"{size}s", size, bytes, 16, is_reusable=False)


def _form_of_scalar(argument: np.generic, position: int, name: str) -> _Form:
    dtype = argument.dtype
    letters = _LETTERS.get((dtype.kind, dtype.itemsize))
    if letters is not None:
        return _Form(letters, dtype.itemsize)
    if dtype.kind in "OmMSU":
        _refuse(argument, position, name)
    # Complex numbers, bfloat16 and structures: their bytes. Structures of one class differ in size.
    is_reusable = dtype.fields is None and dtype.kind != "V"
    return _Form(f"{dtype.itemsize}s", dtype.itemsize, _to_bytes, _alignment(dtype), is_reusable=is_reusable)


def _alignment(dtype: np.dtype[Any]) -> int:
    """Of a value whose place in the parameters is not known."""
    return dtype.itemsize if dtype.kind == "c" else dtype.alignment


def _form_of_array(argument: np.ndarray[Any, Any], position: int, name: str) -> _Form:
    """A NumPy array: passed by value, except managed memory, which kernels reach where it is."""
    from cuprum.compat.pycuda._host_memory import managed_address

    if not argument.flags.forc:
        refuse_strides(f"kernel argument {position}", argument)
    if managed_address(argument) is not None:
        return _Form(_POINTER, 8, managed_address, is_reusable=False)
    if argument.dtype.hasobject:
        _refuse(argument, position, name)
    size = argument.nbytes
    return _Form(f"{size}s", size, _to_bytes, argument.dtype.alignment, is_reusable=False)


def _refuse_untyped(argument: Any, position: int, name: str, expected: int | None) -> NoReturn:
    """For Python's own numbers, which have no dtype."""
    if isinstance(argument, bool):
        types = ["bool_"]
    elif isinstance(argument, int):
        types = {1: ["int8"], 2: ["int16"], 4: ["int32"], 8: ["int64", "intp"]}.get(expected or 0, ["int32", "int64"])
    elif isinstance(argument, float):
        types = {2: ["float16"], 4: ["float32"], 8: ["float64"]}.get(expected or 0, ["float32", "float64"])
    else:
        types = {8: ["complex64"], 16: ["complex128"]}.get(expected or 0, ["complex64", "complex128"])
    size = "" if not expected else f", and the parameter has {expected} byte{'' if expected == 1 else 's'}"
    raise TypeError(
        f"invalid type on parameter #{position} (0-based) of {name}: {argument!r} is Python's own "
        f"{type(argument).__name__}, which has no dtype{size}; pass "
        + " or ".join(f"numpy.{each}({argument!r})" for each in types)
    )


def _refuse(argument: Any, position: int, name: str) -> NoReturn:
    raise TypeError(
        f"invalid type on parameter #{position} (0-based) of {name}: a kernel cannot take {type(argument).__name__}; "
        "pass one of NumPy's numbers, what mem_alloc returns, a GPUArray, driver.In, Out or InOut of an array, or "
        "bytes of a structure"
    )


def make_plan(arguments: Sequence[Any], parameters: Parameters, name: str) -> Plan:
    """The plan for arguments of these types."""
    places = parameters.places
    if parameters.is_known and len(arguments) != len(places):
        raise LogicError(
            f"{name}: {len(arguments)} argument{'' if len(arguments) == 1 else 's'} given, the kernel has "
            f"{len(places)} parameter{'' if len(places) == 1 else 's'}",
            operation="launching a kernel",
            object=name,
        )
    forms = []
    for position, argument in enumerate(arguments):
        expected = places[position][1] if parameters.is_known else None
        form = _form_of(argument, position, name, expected)
        if expected is not None and form.size != expected:
            _refuse_size(argument, position, name, form.size, expected)
        forms.append(form)
    return _plan_of(forms, places if parameters.is_known else None)


def _refuse_size(argument: Any, position: int, name: str, size: int, expected: int) -> NoReturn:
    kind = getattr(argument, "dtype", type(argument).__name__)
    raise LogicError(
        f"{name}: argument {position} (0-based), {kind}, has {size} byte{'' if size == 1 else 's'}, the kernel's "
        f"parameter {expected}; see whether the types and their order are the kernel's",
        operation="launching a kernel",
        object=name,
    )


def _plan_of(forms: Sequence[_Form], places: Sequence[tuple[int, int]] | None) -> Plan:
    letters = ["<"]
    end = 0
    for position, form in enumerate(forms):
        if places is not None:
            offset = places[position][0]
        else:
            offset = -(-end // form.alignment) * form.alignment
        if offset > end:
            letters.append(f"{offset - end}x")
        letters.append(form.letters)
        end = offset + form.size
    plan = Plan()
    packed = struct.Struct("".join(letters))
    plan.pack_into = packed.pack_into
    plan.size = packed.size
    plan.packets = []
    converts = [(i, form.convert) for i, form in enumerate(forms) if form.convert is not None]
    plan.converts = tuple((i, convert) for i, convert in converts if convert is not _as_pointer)
    plan.rare_converts = tuple((i, convert) for i, convert in converts if convert is _as_pointer)
    plan.handlers = tuple(i for i, form in enumerate(forms) if form.is_handler)
    plan.is_reusable = all(form.is_reusable for form in forms)
    return plan


def plan_of_types(types: Any, parameters: Parameters, name: str) -> Plan:
    """The plan for ``Function.prepare``: a letter of struct's, or a dtype, for each parameter."""
    forms = [_form_of_type(each, position, name) for position, each in enumerate(types)]
    places = parameters.places
    if parameters.is_known:
        if len(forms) != len(places):
            raise LogicError(
                f"{name}.prepare: {len(forms)} types given, the kernel has {len(places)} "
                f"parameter{'' if len(places) == 1 else 's'}",
                operation="Function.prepare",
                object=name,
            )
        for position, (form, place) in enumerate(zip(forms, places, strict=True)):
            if form.size != place[1]:
                raise LogicError(
                    f"{name}.prepare: type {position} (0-based) has {form.size} bytes, the kernel's parameter "
                    f"{place[1]}",
                    operation="Function.prepare",
                    object=name,
                )
    return _plan_of(forms, places if parameters.is_known else None)


def _form_of_type(each: Any, position: int, name: str) -> _Form:
    import numpy as np

    if isinstance(each, str) and each in ("P", "O"):
        return _Form(_POINTER, 8, _as_pointer)
    if isinstance(each, str) and each in "FD":
        each = "c8" if each == "F" else "c16"
    try:
        dtype = np.dtype(each)
    except TypeError:
        raise TypeError(
            f"{name}.prepare: type {position} (0-based) is {each!r}; give a letter such as 'P', 'i' or 'f', or a dtype "
            "such as numpy.intp or numpy.float32"
        ) from None
    letters = _LETTERS.get((dtype.kind, dtype.itemsize))
    if letters is not None:
        is_address = dtype.itemsize == 8 and dtype.kind in "iu"
        return _Form(_POINTER, 8, _as_pointer) if is_address else _Form(letters, dtype.itemsize)
    return _Form(f"{dtype.itemsize}s", dtype.itemsize, _as_bytes(dtype), _alignment(dtype))


def _as_pointer(value: Any) -> int:
    """An address or a number of 8 bytes, which may be negative."""
    try:
        number = index(value)
    except TypeError:
        number = _of_gpudata(value) if hasattr(value, "gpudata") else _of_interface(value)
    return number & 0xFFFFFFFFFFFFFFFF


def _as_bytes(dtype: np.dtype[Any]) -> Convert:
    def convert(value: Any) -> bytes:
        import numpy as np

        return np.asarray(value, dtype).tobytes()

    return convert
