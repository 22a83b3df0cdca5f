"""The operators of arrays: ``+``, ``==``, ``**`` and so on."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import BINARY, MULTIPLY_ADD, UNARY
from cuprum.compat.pycuda._scalars import (
    DType,
    common_dtype,
    common_dtype_of_scalar,
    is_scalar,
    real_dtype,
    require_numbers,
)
from cuprum.compat.pycuda._usable import require_contiguous


def _refuse_host_array(operation: str) -> NoReturn:
    raise TypeError(
        f"{operation}: one operand is a GPUArray and the other a numpy.ndarray; copy it to the device with "
        "gpuarray.to_gpu(), or the GPUArray to the host with get()"
    )


def broadcast_shape(first: Any, second: Any) -> tuple[int, ...]:
    """The shape that both arrays are broadcast to."""
    try:
        return np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        raise ValueError(f"operands could not be broadcast together with shapes {first.shape} {second.shape}") from None


def result_of(first: Any, second: Any, dtype: DType) -> Any:
    """A new array for one number from each pair of elements."""
    shape = first.shape
    if shape == second.shape or second.shape == ():
        return first._new_like_me(dtype)
    if shape == ():
        return second._new_like_me(dtype)
    return first._new(broadcast_shape(first, second), dtype)


def _both(operation: str, first: Any, second: Any) -> Any:
    if not (first._order and second._order):
        require_contiguous(first, operation)
        require_contiguous(second, operation)
    return launch(BINARY[operation], (first, second), result_of(first, second, common_dtype(first.dtype, second.dtype)))


def _binary(operation: str, array: Any, other: Any) -> Any:
    """``array op other``."""
    if isinstance(other, Operators):
        return _both(operation, array, other)
    if not is_scalar(other):
        return _not_an_operand(operation, other)
    return _with_number(operation, array, other)


def _with_number(operation: str, array: Any, number: Any, *, is_reflected: bool = False) -> Any:
    if not array._order:
        require_contiguous(array, operation)
    dtype = common_dtype_of_scalar(array.dtype, number)
    operands = (number, array) if is_reflected else (array, number)
    return launch(BINARY[operation], operands, array._new_like_me(dtype), value_type=dtype)


def _reflected(operation: str, array: Any, number: Any) -> Any:
    """``number op array``."""
    if not is_scalar(number):
        return _not_an_operand(operation, number)
    return _with_number(operation, array, number, is_reflected=True)


def _not_an_operand(operation: str, other: Any) -> Any:
    if isinstance(other, np.ndarray):
        _refuse_host_array(operation)
    return NotImplemented


def _in_place(operation: str, array: Any, other: Any) -> Any:
    """``array op= other``: what is calculated with has the array's type."""
    if not array._order:
        require_contiguous(array, operation)
    dtype = array.dtype
    require_numbers(dtype)
    if isinstance(other, Operators):
        other = _operand_in_place(operation, array, other)
    elif not is_scalar(other):
        return _not_an_operand(operation, other)
    return launch(BINARY[operation], (array, other), array, value_type=dtype)


def _operand_in_place(operation: str, array: Any, other: Any) -> Any:
    require_contiguous(other, operation)
    require_numbers(other.dtype)
    if other.dtype.kind == "c" and array.dtype.kind != "c":
        raise TypeError(f"{operation} in place: elements of the type {array.dtype} cannot hold {other.dtype}")
    if other.shape != array.shape and broadcast_shape(array, other) != array.shape:
        raise ValueError(
            f"{operation} in place: an array of the shape {other.shape} does not broadcast to {array.shape}"
        )
    if other is not array and array._overlaps(other) and other.strides != array.strides:
        return other.copy()  # it would be read after it was written
    return other


def _compare(operation: str, array: Any, other: Any) -> Any:
    """As PyCUDA has it: 0 and 1 in the operands' common type; with a number, in the array's."""
    if isinstance(other, Operators):
        return _both(operation, array, other)
    if not is_scalar(other):
        return _not_an_operand(operation, other)
    return launch(
        BINARY[operation],
        (array, other),
        _contiguous(array, operation)._new_like_me(),
        value_type=_type_of_number(array.dtype, other),
    )


def _contiguous(array: Any, operation: str) -> Any:
    require_contiguous(array, operation)
    return array


def _type_of_number(elements: DType, number: Any) -> DType:
    """The type that a number is compared in."""
    require_numbers(elements)
    if isinstance(number, np.generic):
        return number.dtype
    if type(number) is int and elements == np.uint64:
        return elements  # as a long, it would make C compare a large element as a negative number
    return np.dtype(type(number))


def _divide_by_number(array: Any, number: Any, result_dtype: DType) -> None:
    """Raises where PyCUDA has no quotient."""
    if isinstance(number, int | float | complex) and number == 0 and not isinstance(number, np.generic):
        raise ZeroDivisionError(f"dividing a GPUArray by {number!r}")
    if result_dtype.kind not in "fc":
        raise TypeError(
            f"dividing elements of the type {array.dtype} by {number!r} has results that they cannot hold; convert the "
            "array first, with astype(numpy.float32), or use //"
        )


class Operators:
    """What an array does with operators. With a number, with an array of its shape, or with one that is broadcast."""

    # NumPy's arrays and numbers leave the operators to this class.
    __array_priority__ = 100
    __array_ufunc__ = None

    dtype: DType
    _order: int

    def _new_like_me(self, dtype: Any = None, order: str = "C") -> Any:
        raise NotImplementedError

    def copy(self) -> Any:
        """A copy."""
        raise NotImplementedError

    def mul_add(
        self, selffac: Any, other: Any, otherfac: Any, add_timer: Any = None, stream: Any = None, out: Any = None
    ) -> Any:
        """``selffac * self + otherfac * other``. ``add_timer`` is given the work, and a function for its seconds."""
        require_contiguous(self, "mul_add")
        require_contiguous(other, "mul_add")
        result = result_of(self, other, common_dtype(self.dtype, other.dtype)) if out is None else out
        if result.shape != broadcast_shape(self, other):
            raise ValueError(f"mul_add: out has the shape {result.shape}, the result {broadcast_shape(self, other)}")
        operands = (selffac, self, otherfac, other)
        if add_timer is None:
            return launch(MULTIPLY_ADD, operands, result, stream, value_type=result.dtype)
        from cuprum.compat.pycuda._stream import Event

        start, end = Event().record(stream), Event()
        launch(MULTIPLY_ADD, operands, result, stream, value_type=result.dtype)
        end.record(stream)
        add_timer(3 * result.size, lambda: end.synchronize().time_since(start) * 1e-3)
        return result

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Operators):
            return _both("add", self, other)
        if is_scalar(other) and other == 0:
            return self.copy()
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.__add__(other)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Operators):
            return _both("subtract", self, other)
        if is_scalar(other) and other == 0:
            return self.copy()
        return _binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _reflected("subtract", self, other)

    def __mul__(self, other: Any) -> Any:
        return _binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary("multiply", self, other)

    def __truediv__(self, other: Any) -> Any:
        """Of two arrays of integers the quotient is an integer, as in C."""
        if is_scalar(other):
            if other == 1:
                return self.copy()
            _divide_by_number(self, other, common_dtype_of_scalar(self.dtype, other))
        return _binary("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _reflected("divide", self, other)

    def __pow__(self, other: Any) -> Any:
        return _binary("power", self, other)

    def __rpow__(self, other: Any) -> Any:
        return _reflected("power", self, other)

    def __floordiv__(self, other: Any) -> Any:
        return _binary("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _reflected("floor_divide", self, other)

    def __mod__(self, other: Any) -> Any:
        return _binary("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _reflected("remainder", self, other)

    def __and__(self, other: Any) -> Any:
        return _binary("bitwise_and", self, other)

    def __or__(self, other: Any) -> Any:
        return _binary("bitwise_or", self, other)

    def __xor__(self, other: Any) -> Any:
        return _binary("bitwise_xor", self, other)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> Any:
        return _binary("left_shift", self, other)

    def __rshift__(self, other: Any) -> Any:
        return _binary("right_shift", self, other)

    def __iadd__(self, other: Any) -> Any:
        return _in_place("add", self, other)

    def __isub__(self, other: Any) -> Any:
        return _in_place("subtract", self, other)

    def __imul__(self, other: Any) -> Any:
        return _in_place("multiply", self, other)

    def __itruediv__(self, other: Any) -> Any:
        if is_scalar(other):
            if other == 1:
                return self
            _divide_by_number(self, other, self.dtype)
        return _in_place("divide", self, other)

    def __ipow__(self, other: Any) -> Any:
        return _in_place("power", self, other)

    def __ifloordiv__(self, other: Any) -> Any:
        return _in_place("floor_divide", self, other)

    def __imod__(self, other: Any) -> Any:
        return _in_place("remainder", self, other)

    def __iand__(self, other: Any) -> Any:
        return _in_place("bitwise_and", self, other)

    def __ior__(self, other: Any) -> Any:
        return _in_place("bitwise_or", self, other)

    def __ixor__(self, other: Any) -> Any:
        return _in_place("bitwise_xor", self, other)

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        require_numbers(self.dtype)
        return launch(UNARY["negative"], (_contiguous(self, "negative"),), self._new_like_me())

    def __invert__(self) -> Any:
        require_numbers(self.dtype)
        operation = "logical_not" if self.dtype.kind == "b" else "invert"
        return launch(UNARY[operation], (_contiguous(self, "invert"),), self._new_like_me())

    def __abs__(self) -> Any:
        require_numbers(self.dtype)
        result = _contiguous(self, "abs")._new_like_me(real_dtype(self.dtype))
        return launch(UNARY["absolute"], (self,), result, types=(self.dtype,))

    def __eq__(self, other: object) -> Any:
        return _compare("equal", self, other)

    def __ne__(self, other: object) -> Any:
        return _compare("not_equal", self, other)

    def __lt__(self, other: Any) -> Any:
        return _compare("less", self, other)

    def __le__(self, other: Any) -> Any:
        return _compare("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return _compare("greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return _compare("greater_equal", self, other)

    __hash__ = None  # type: ignore[assignment]
