"""The base class of all algorithms, and what their calls share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.core import Buffer, _current
from cuprum.parallel._arrays import device_elements, dtype_of, elements_of, is_on_device, stream_of
from cuprum.parallel._execution import Determinism as Determinism
from cuprum.parallel._execution import is_host
from cuprum.parallel._iterators import Iterator
from cuprum.parallel._operators import Operator, as_operator
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import is_wide, pack_int128, wide_value

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike


class SortOrder(IntEnum):
    """Which of two keys comes first."""

    #: The smaller one.
    ASCENDING = 0
    #: The larger one; equal keys stay as they are.
    DESCENDING = 1


class _Pool:
    """Temporary storage from the device's stream-ordered pool."""

    def __repr__(self) -> str:
        return "POOL"


#: As ``temp_storage`` of a call: from the device's stream-ordered pool.
POOL = _Pool()


def initial_value(init: Any, elements: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An initial value as one of its own type; Python's numbers take the elements' type where they fit (NEP 50)."""
    if is_wide(elements) and isinstance(init, (int, np.integer)):
        return pack_int128(init, elements)
    if isinstance(init, bool):
        return np.asarray(init, dtype=elements if elements.names is None else None)
    if type(init) in (int, float, complex) and elements.names is None:
        kind = {int: "iufc", float: "fc", complex: "c"}[type(init)]
        is_bfloat16 = elements.name == "bfloat16"
        if elements.kind in kind or (is_bfloat16 and not isinstance(init, complex)):
            return np.asarray(init, dtype=elements)
        return np.asarray(init)
    if isinstance(init, tuple) and elements.names is not None:
        return np.asarray(init, dtype=elements)
    value = np.asarray(init)
    if value.size != 1:
        raise TypeError(f"the initial value is one value, not {value.size}")
    return value.reshape(())


class BuiltOperator:
    """An operator that an algorithm was built for. ``given`` is what the caller gave for it."""

    __slots__ = ("_given", "_op", "_operands", "_other", "_result")

    #: What a call was given last in its place, and that as an operator.
    _other: tuple[OperatorLike | None, Operator | None]

    def __init__(
        self, op: Operator, given: OperatorLike, operands: Sequence[np.dtype[Any]], result: DTypeLike | None
    ) -> None:
        self._op, self._given = op, given
        self._operands, self._result = operands, result
        self._other = (None, None)

    def of_call(self, op: OperatorLike | None) -> Operator | None:
        """The operator of a call; None: the one that was built. The C ABI compares them."""
        if op is None or op is self._given:
            return None
        if isinstance(op, Operator):
            return op
        given, operator = self._other
        if op is not given:
            operator, _ = as_operator(op, self._operands, self._result)
            self._other = op, operator
        return operator


class _AlgorithmType(type):
    """Has a class's ``__call__`` as ``_call``: calls of its objects go to AlgorithmHandle, in C, and from there to that
    one, unless they are like one before."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> _AlgorithmType:
        if "__call__" in members:
            members["_call"] = members.pop("__call__")
        return super().__new__(cls, name, bases, members)


class Algorithm(Owner, _cuprum.AlgorithmHandle, metaclass=_AlgorithmType):
    """Built once, called many times, from several threads too; immutable.

    Calls are asynchronous, in the stream's order: the arrays must stay as they are until the stream has passed them,
    and are kept alive by the caller. With ``temp_storage=None`` a call does nothing and returns the bytes of temporary
    storage that it needs, as those of ``cuda.compute`` do; with ``temp_storage=POOL`` it takes them from the device's
    stream-ordered pool.

    Those built with ``execution="host"`` take NumPy arrays, no stream and no temporary storage (``POOL``), and are done
    when they return.
    """

    __slots__ = ("_on_host", "_operators")
    _destroy = staticmethod(_cuprum.release_parallel_algorithm)

    _on_host: bool
    _operators: Sequence[BuiltOperator]

    def __init__(self) -> None:
        """Not for callers: ``make_reduce_into()`` and the like make algorithms. Raises TypeError."""
        raise TypeError("algorithms are made by make_reduce_into() and the like")

    def close(self) -> None:
        """Releases the resource. Calling it again does nothing."""
        self._forget_calls()
        super().close()

    @classmethod
    def _make(cls, native: int, execution: ExecutionLike, *operators: BuiltOperator) -> Any:
        algorithm = cls.__new__(cls)
        algorithm._native = native
        algorithm._operators = operators
        algorithm._on_host = is_host(execution)
        return algorithm

    def temp_storage_bytes(self, num_items: int) -> int:
        """The bytes of temporary storage that a call with ``num_items`` elements needs; 0 on the host's cores."""
        native = self._open_native("asking for temporary storage")
        return _cuprum.cuprum_parallel_temp_storage_bytes(native, num_items)

    def save(self) -> bytes:
        """The algorithm's compiled code, for ``load_builds`` in another process or on another machine.

        Unsupported for algorithms on the host's cores, for which nothing is compiled.
        """
        return _cuprum.cuprum_parallel_save(self._open_native("saving builds"))

    def _storage(self, temp_storage: Any, num_items: int) -> tuple[int, int] | None:
        if temp_storage is None:
            return None
        if temp_storage is POOL:
            return 0, 0
        if self._on_host:
            raise TypeError("algorithms on the host take no temporary storage: give POOL")
        address, size, dtype = device_elements(temp_storage, writable=True)
        return address, size * dtype.itemsize

    def _call_stream(self, stream: Stream | IsStreamType | None) -> Stream | None:
        """The stream of a call; none on the host's cores."""
        if not self._on_host:
            return stream_of(stream)
        if stream is not None:
            raise TypeError("a stream is given, but the algorithm runs on the host's cores (execution='host')")
        return None

    def _elements(
        self,
        array: Any,
        dtype: np.dtype[Any],
        count: int,
        name: str,
        call_stream: Stream | None,
        *,
        writable: bool = True,
    ) -> int:
        """The address of at least ``count`` elements of that type, for a call in that stream."""
        if isinstance(array, Iterator):
            raise TypeError(f"{name} is an iterator, and this algorithm takes memory there")
        address, size, own = elements_of(array, on_host=self._on_host, writable=writable, stream=call_stream)
        if own != dtype and type_text(own) != type_text(dtype):
            raise TypeError(f"{name} has elements of {own}, the results are {dtype}")
        if size < count:
            raise ValueError(f"{name} has {size} elements, expected {count}")
        return address

    def _output(
        self, array: Any, dtype: np.dtype[Any], count: int, name: str, call_stream: Stream | None
    ) -> tuple[int, int]:
        """The address of an output, or 0 and the iterator that is written through."""
        if not isinstance(array, Iterator):
            return self._elements(array, dtype, count, name, call_stream), 0
        if array.size is not None and array.size < count:
            raise ValueError(f"{name} has {array.size} elements, expected {count}")
        return 0, array._as_output(dtype, name, on_host=self._on_host)

    def _optional_elements(
        self,
        array: Any,
        dtype: np.dtype[Any] | None,
        count: int,
        name: str,
        call_stream: Stream | None,
        *,
        writable: bool = True,
    ) -> int:
        """The same for memory that an algorithm may be built without; 0 then."""
        if dtype is None and array is None:
            return 0
        if dtype is None:
            raise TypeError(f"{name} is given, but the algorithm was built without it")
        if array is None:
            raise TypeError(f"{name} is needed: the algorithm was built with it")
        return self._elements(array, dtype, count, name, call_stream, writable=writable)

    def _initial(self, init: Any, dtype: np.dtype[Any], call_stream: Stream | None) -> tuple[bytes, int]:
        """An initial value's bytes, or the address of one in device memory."""
        if init is None:
            return b"", 0
        if call_stream is not None and is_on_device(init):
            return b"", self._elements(init, dtype, 1, "the initial value", call_stream, writable=False)
        return np.asarray(wide_value(init, dtype), dtype=dtype).tobytes(), 0


def native_stream(call_stream: Stream | None, operation: str) -> int:
    return 0 if call_stream is None else call_stream._open_native(operation)


def item_count(num_items: int | None, *elements: Iterator, name: str = "num_items") -> int:
    if len(elements) == 1 and num_items is not None and elements[0].size is not None and num_items <= elements[0].size:
        return num_items
    sizes = [it.size for it in elements if it.size is not None]
    if num_items is None:
        if not sizes:
            raise TypeError(f"{name} is needed where no input has an end")
        return min(sizes)
    if any(size < num_items for size in sizes):
        raise ValueError(f"{name} is {num_items}, and an input has {min(sizes)} elements")
    return num_items


def require_type(name: str, given: np.dtype[Any], built: np.dtype[Any]) -> None:
    """TypeError unless two types are the same to the C ABI."""
    if type_text(given) != type_text(built):
        raise TypeError(f"{name} has elements of {given}, the algorithm was built for {built}")


def host_value(name: str, value: Any, dtype: np.dtype[Any]) -> bytes:
    """The bytes of one value in host memory, which keeps its value as one of that type."""
    given = np.asarray(wide_value(value, dtype))
    if given.size != 1:
        raise TypeError(f"{name} is one value, not {given.size}")
    converted = given.reshape(()).astype(dtype)
    if converted != given.reshape(()):
        raise ValueError(f"{name} is {given.reshape(())}, which {dtype} cannot hold")
    return converted.tobytes()


def too_few(what: str, count: int, name: str, size: int) -> ValueError:
    """For ``name``, which has ``size`` elements where there are ``count``."""
    return ValueError(f"there are {count} {what}, and {name} has {size} elements")


def operator_handle(operator: Operator | None) -> int:
    return 0 if operator is None else operator._open_native("calling an algorithm")


def require_init(name: str, *, is_needed: bool) -> TypeError:
    """For a call with an initial value of an algorithm built without one, or the other way round."""
    if is_needed:
        return TypeError(f"{name} is needed: the algorithm was built with one")
    return TypeError(f"{name} is given, but the algorithm was built without one")


def accumulator_dtype(init: Any, elements: np.dtype[Any], *, on_host: bool) -> np.dtype[Any]:
    """The type of an initial value, which may be an array of one element in device memory."""
    if not on_host and is_on_device(init):
        return dtype_of(init, on_host=False)
    dtype: np.dtype[Any] = initial_value(init, elements).dtype
    return dtype


class SelectedCount:
    """The output for how many were selected: integers of 64 bits, or of 32, which get the low halves of those of 64."""

    __slots__ = ("_array", "_call_stream", "_number", "_target", "_wide", "address")

    address: int

    def __init__(
        self,
        array: Any,
        count: int,
        call_stream: Stream | None,
        name: str,
        *,
        on_host: bool,
        apart_from: Sequence[Any],
        number: int = 1,
    ) -> None:
        """``count`` is the most that may be selected; ``apart_from``: what else is written, elsewhere; ``number``: how
        many such integers there are."""
        target, size, dtype = elements_of(array, on_host=on_host, writable=True, stream=call_stream)
        if dtype.kind not in "iu" or dtype.itemsize not in (4, 8) or size < number:
            expected = "one integer" if number == 1 else f"{number} integers"
            raise TypeError(f"{name} is of {size} elements of {dtype}, expected {expected} of 64 or 32 bits")
        if count > np.iinfo(dtype).max:
            raise ValueError(f"{name} is of {dtype}, which cannot hold a count of up to {count}")
        self._call_stream = call_stream
        self._array = array
        self._number = number
        self._wide: Any = None
        self._target, self.address = target, target
        if dtype.itemsize == 8:
            return  # the C ABI sees where it lies
        for other in apart_from:
            if isinstance(other, Iterator):
                continue  # where it writes is not known
            begin, others, own = elements_of(other, on_host=on_host)
            if begin - 4 * number < target < begin + others * own.itemsize:
                raise ValueError(f"{name} overlaps another output of the call")
        if call_stream is None:
            self._wide = np.zeros(number, np.uint64)
            self.address = int(self._wide.ctypes.data)
        else:
            self._wide = Buffer._allocate(call_stream.device.device_id, 8 * number, call_stream)
            self.address = self._wide.handle

    def deliver(self) -> None:
        """After the call."""
        if self._wide is None:
            return
        _cuprum.forget_run()
        if self._call_stream is None:
            self._array.reshape(-1)[: self._number] = self._wide
            return
        for i in range(self._number):
            low_half = Buffer.from_handle(self.address + 8 * i, 4)
            Buffer.from_handle(self._target + 4 * i, 4).copy_from(low_half, stream=self._call_stream)
        self._wide.close()


def key_bits(begin_bit: int | None, end_bit: int | None) -> tuple[int, int]:
    """The bits of the keys as the C ABI takes them: the end 0 for all from the first on."""
    begin = begin_bit or 0
    if end_bit == 0:
        raise ValueError(f"bits {begin} to 0: the first must be less than the end")
    return begin, end_bit or 0


def load_builds(saved: bytes) -> None:
    """Loads what ``save()`` returned: building the same algorithms then needs no compiler on the current device."""
    _cuprum.cuprum_parallel_load_builds(_current.device_id(), saved)
