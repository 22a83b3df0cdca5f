"""Mistakes with arrays are errors that say what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import cumath, driver, gpuarray


def array(shape: Any = (4, 6), dtype: Any = np.float32) -> gpuarray.GPUArray:
    return gpuarray.to_gpu(np.ones(shape, dtype))


def gaps() -> gpuarray.GPUArray:
    return array()[:, ::2]


def freed() -> gpuarray.GPUArray:
    result = array()
    result.gpudata.free()
    return result


def part_of_freed() -> gpuarray.GPUArray:
    whole = array()
    part = whole[1][2:5]
    whole.gpudata.free()
    return part


#: Not what the functions take, as type checkers know.
HOST: Any = np.ones(3)
INDEX = gpuarray.arange(3, dtype=np.int32)
Call = Callable[[], Any]

GAPS: list[tuple[str, Call]] = [
    ("add", lambda: gaps() + gaps()),
    ("add a number", lambda: gaps() + 1),
    ("add in place", lambda: gaps().__iadd__(1)),
    ("add to one without gaps", lambda: array((4, 3)) + gaps()),
    ("compare", lambda: gaps() > 1),
    ("abs", lambda: abs(gaps())),
    ("power", lambda: gaps() ** 2),
    ("astype", lambda: gaps().astype(np.int32)),
    ("reshape", lambda: gaps().reshape(12)),
    ("reverse", lambda: gaps().reverse()),
    ("mul_add", lambda: gaps().mul_add(1, gaps(), 2)),
    ("real", lambda: array(dtype=np.complex64)[:, ::2].real),
    ("conj", lambda: array(dtype=np.complex64)[:, ::2].conj()),
    ("sin", lambda: cumath.sin(gaps())),
    ("fmod", lambda: cumath.fmod(gaps(), gaps())),
    ("sum", lambda: gpuarray.sum(gaps())),
    ("maximum", lambda: gpuarray.maximum(gaps(), 2)),
    ("where", lambda: gpuarray.where(gaps(), gaps(), gaps())),
    ("take", lambda: gpuarray.take(array(12)[::2], INDEX)),
    ("logical_not", lambda: gpuarray.logical_not(gaps())),
]


@pytest.mark.parametrize(("what", "call"), GAPS, ids=[each[0] for each in GAPS])
def test_an_array_with_gaps_is_refused_with_what_to_do(what: str, call: Call) -> None:
    with pytest.raises(RuntimeError, match=r"only contiguous arrays may be used as arguments to .*; make .*\.copy\(\)"):
        call()


def test_a_copy_of_an_array_with_gaps_has_none() -> None:
    assert (gaps().copy() + 1).get().tolist() == [[2, 2, 2]] * 4


FREED: list[tuple[str, Call]] = [
    ("add", lambda: freed() + 1),
    ("get", lambda: freed().get()),
    ("set", lambda: freed().set(np.zeros((4, 6), np.float32))),
    ("copy", lambda: freed().copy()),
    ("fill", lambda: freed().fill(1)),
    ("sum", lambda: gpuarray.sum(freed())),
    ("ptr", lambda: freed().ptr),
    ("a part", lambda: freed()[1]),
    ("add a part", lambda: part_of_freed() + 1),
    ("get a part", lambda: part_of_freed().get()),
]


@pytest.mark.parametrize(("what", "call"), FREED, ids=[each[0] for each in FREED])
def test_freed_memory_is_refused(what: str, call: Call) -> None:
    with pytest.raises(driver.LogicError, match="has been freed"):
        call()


REFUSED: list[tuple[str, Call, type[Exception], str]] = [
    # Shapes.
    ("shapes", lambda: array((2, 3)) + array((4,)), ValueError, r"broadcast together with shapes \(2, 3\) \(4,\)"),
    ("in place", lambda: array(3).__iadd__(array((2, 3))), ValueError, r"\(2, 3\) does not broadcast to \(3,\)"),
    ("where", lambda: gpuarray.where(array(3), array(3), array(4)), ValueError, "where: shapes do not match"),
    ("minimum", lambda: gpuarray.minimum(array(3), array(4)), ValueError, "minimum: shapes do not match"),
    ("dot", lambda: gpuarray.dot(array(3), array(4)), ValueError, "dot: the arrays have 3 and 4 elements"),
    ("fmod", lambda: cumath.fmod(array(3), array(4)), ValueError, "fmod: the arrays have the shapes"),
    ("reshape", lambda: array().reshape(5, 5), ValueError, r"must be unchanged: \(5, 5\) cannot have 24 elements"),
    ("reshape to a fraction", lambda: array().reshape(5, -1), ValueError, "must be unchanged"),
    ("reshape twice unknown", lambda: array().reshape(-1, -1), ValueError, "can only specify one unknown dimension"),
    ("transpose", lambda: array().transpose((0, 0)), ValueError, r"axes don't match array: \[0, 0\]"),
    ("set", lambda: array().set(np.zeros(3, np.float32)), ValueError, "must be the same size: they have 3 and 24"),
    ("get", lambda: array().get(np.zeros(3, np.float32)), ValueError, "must be the same size: they have 24 and 3"),
    ("set a part", lambda: array().__setitem__(0, np.zeros(3, np.float32)), ValueError, r"have \(3,\) and \(6,\)"),
    (
        "concatenate",
        lambda: gpuarray.concatenate([array((2, 3)), array((2, 4))]),
        ValueError,
        "1'th array has residual",
    ),
    ("dimensions", lambda: gpuarray.concatenate([array(3), array((1, 3))]), ValueError, "different number of axes"),
    ("an axis", lambda: gpuarray.concatenate([array(3)], axis=1), ValueError, "invalid axis 1 for 1 dimensions"),
    ("no arrays", lambda: gpuarray.stack([]), ValueError, "stack: need at least one array"),
    ("stack", lambda: gpuarray.stack([array(3), array(4)]), ValueError, "arrays must have the same shape"),
    ("a negative shape", lambda: gpuarray.empty((2, -1), np.int8), ValueError, "negative number of elements"),
    ("no shape", lambda: gpuarray.empty("3", np.int8), TypeError, "a shape is an int or a tuple of ints"),
    ("strides", lambda: gpuarray.empty((2, 2), np.int8, strides=(1,)), ValueError, "one for each dimension"),
    ("order", lambda: gpuarray.empty(3, np.int8, order="K"), ValueError, "invalid order: K"),
    ("base", lambda: gpuarray.GPUArray(3, np.int8, base=array()), ValueError, "give gpudata as well"),
    # Types.
    ("set", lambda: array().set(np.zeros((4, 6))), ValueError, "same dtype: they have float64 and float32"),
    ("get", lambda: array().get(np.zeros((4, 6))), TypeError, "same dtype: they have float32 and float64"),
    ("set a part", lambda: array().__setitem__(0, np.zeros(6)), TypeError, "same dtype: they have float64 and float32"),
    ("set a list", lambda: array().__setitem__(0, [1.0] * 6), TypeError, "not to list"),
    ("to_gpu", lambda: gpuarray.to_gpu([1, 2]), TypeError, r"not list; numpy\.asarray\(\) makes one"),
    (
        "complex in place",
        lambda: array().__iadd__(array(dtype=np.complex64)),
        TypeError,
        "float32 cannot hold complex64",
    ),
    ("a fraction in place", lambda: array(3, np.int32).__iadd__(0.5), TypeError, r"is int32, and 0\.5 is not"),
    ("too large", lambda: array(3, np.int8) + 1000, OverflowError, "1000 does not fit into int8, -128 to 127"),
    ("a fraction", lambda: array(3, np.int32).fill(0.5), TypeError, r"is int32, and 0\.5 is not"),
    ("divide", lambda: array(3, np.int32) / 2, TypeError, r"convert the array first, with astype\(numpy\.float32\)"),
    ("divide by 0", lambda: array(3) / 0, ZeroDivisionError, "dividing a GPUArray by 0"),
    ("structures", lambda: gpuarray.zeros(3, gpuarray.vec.float2) + 1, TypeError, "have no arithmetic"),
    ("order complex", lambda: array(3, np.complex64) < array(3), TypeError, "less is not defined for complex64"),
    ("bits of reals", lambda: array(3) & array(3), TypeError, "bitwise_and is not defined for float32"),
    ("complex to real", lambda: array(3, np.complex64).astype(np.float32), TypeError, "take its real or its imag"),
    ("to a structure", lambda: array(3).astype(gpuarray.vec.float2), TypeError, r"view\(\) shows the same bytes"),
    ("dtypes of where", lambda: gpuarray.where(array(), array(), array(dtype=int)), ValueError, "dtypes do not match"),
    ("floor of complex", lambda: cumath.floor(array(3, np.complex64)), TypeError, "floor is not defined for complex64"),
    ("frexp of integers", lambda: cumath.frexp(array(3, np.int32)), TypeError, "a function of real numbers"),
    ("a host array", lambda: cumath.sin(np.ones(3)), TypeError, r"not of ndarray; to_gpu\(\) makes one"),
    ("out", lambda: cumath.sin(array(3), out=array(4)), ValueError, "sin: out is like the array"),
    ("max of complex", lambda: gpuarray.max(array(3, np.complex64)), TypeError, "max is not defined for complex64"),
    ("max of nothing", lambda: gpuarray.max(gpuarray.zeros(0)), ValueError, "max of an array without elements"),
    ("sum of a host array", lambda: gpuarray.sum(HOST), TypeError, "sum reduces GPUArrays, not ndarray"),
    ("subset", lambda: gpuarray.subset_sum(array(3), array(3)), TypeError, "subset is a GPUArray of integers"),
    ("objects", lambda: gpuarray.empty(3, object), TypeError, "Python's objects"),
    ("logical out", lambda: gpuarray.logical_and(array(3), 1, out=array(3)), ValueError, "the result .* of bool"),
    ("logical host", lambda: gpuarray.logical_or(array(3), np.ones(3)), ValueError, "either scalar or GPUArrays"),
    # Indices.
    ("too large", lambda: array()[4], IndexError, "subindex in axis 0 out of range: 4 for 4 elements"),
    ("too small", lambda: array()[0, -7], IndexError, "subindex in axis 1 out of range: -7 for 6 elements"),
    ("too many", lambda: array()[0, 0, 0], IndexError, "too many axes in index: 3 for an array of 2"),
    ("two ellipses", lambda: array()[..., 0, ...], IndexError, "more than one ellipsis"),
    ("an array", lambda: array()[INDEX], IndexError, r"invalid subindex in axis 0: .*take\(\) picks"),
    ("a mask", lambda: array()[True], IndexError, "invalid subindex in axis 0: True"),
    ("indices", lambda: gpuarray.take(array(9), array(3)), TypeError, "take: indices are integers, not float32"),
    ("2D indices", lambda: gpuarray.take(array(9), array((2, 2), int)), ValueError, "indices must be 1D"),
    ("room", lambda: gpuarray.take(array(9), INDEX, out=array(2)), ValueError, "out has 2 elements, and 3 indices"),
    ("outs", lambda: gpuarray.multi_take([array(9)], INDEX, []), ValueError, "must have the same length"),
    ("dest_shape", lambda: gpuarray.multi_put([array(9)], INDEX), ValueError, "give dest_shape"),
    # Others.
    ("texture references", lambda: array().bind_to_texref(None), Exception, "texture references are gone from CUDA"),
    ("a vector type", lambda: gpuarray.vec.float9, AttributeError, "vec has no 'float9'"),
]


@pytest.mark.parametrize(
    ("what", "call", "kind", "message"), REFUSED, ids=[f"{each[0]}, {each[3]}" for each in REFUSED]
)
def test_a_mistake_is_named(what: str, call: Call, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_nothing_has_changed_after_a_mistake() -> None:
    device = gpuarray.arange(6, dtype=np.float32)
    for mistake in (lambda: device.__iadd__(gpuarray.zeros(5, np.float32)), lambda: device.__setitem__(9, 1)):
        with pytest.raises((ValueError, IndexError)):
            mistake()
    assert device.get().tolist() == [0, 1, 2, 3, 4, 5]
