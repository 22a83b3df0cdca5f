"""Operators that were compiled elsewhere and are linked to the algorithm."""

from __future__ import annotations

import pickle
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument, NvJitLinkError, Unsupported
from cuprum.core import Device, ObjectCode, Program, ProgramOptions
from cuprum.parallel import DeviceArray, Operator, RawOp
from cuprum.parallel._operators import as_operator

Kind = Literal["ptx", "ltoir"]
ELEMENTS = np.array([3, -9, 4, 70], np.int32)


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def compiled(source: str, kind: Kind) -> ObjectCode:
    options = ProgramOptions(
        arch="sm_80", relocatable_device_code=True, link_time_optimization=True if kind == "ltoir" else None
    )
    return Program(source, "c++", options).compile(kind)


LARGER = """
extern "C" __device__ void larger(void* a, void* b, void* result) {
    const int x = *static_cast<int*>(a), y = *static_cast<int*>(b);
    *static_cast<int*>(result) = x < y ? y : x;
}"""
SCALED = """
extern "C" __device__ double scale_of(void* state);
extern "C" __device__ void scaled(void* state, void* a, void* result) {
    *static_cast<double*>(result) = *static_cast<int*>(a) * scale_of(state);
}"""
SCALE_OF = """extern "C" __device__ double scale_of(void* state) { return *static_cast<double*>(state); }"""


@pytest.mark.parametrize("kind", ["ptx", "ltoir"])
def test_it_is_linked_to_the_algorithm(kind: Kind) -> None:
    op = Operator.compiled("larger", compiled(LARGER, kind))
    out = DeviceArray.empty(1, np.int32)
    parallel.reduce_into(
        d_in=DeviceArray.from_numpy(ELEMENTS), d_out=out, num_items=4, op=op, h_init=np.int32(-(2**31))
    )
    assert out.to_numpy().tolist() == [70]
    twice = Operator.compiled(
        "twice", compiled('extern "C" __device__ int twice(int a) { return 2 * a; }', kind), passing="values"
    )
    assert parallel.transform(ELEMENTS, twice).tolist() == (2 * ELEMENTS).tolist()


def test_raw_operators_have_a_state_and_more_code() -> None:
    state = np.float64(0.5).tobytes()
    ltoir, extra = compiled(SCALED, "ltoir").code, compiled(SCALE_OF, "ltoir").code
    op = RawOp(ltoir=ltoir, name="scaled", state=state, state_alignment=8, extra_ltoirs=[extra])
    out = DeviceArray.empty(4, np.float64)
    parallel.unary_transform(d_in=DeviceArray.from_numpy(ELEMENTS), d_out=out, op=op, num_items=4)
    assert out.to_numpy().tolist() == (ELEMENTS / 2).tolist()
    other = op.with_state(np.array((np.float64(2).view(np.uint64),), op._state_dtype))
    with parallel.make_unary_transform(d_in=DeviceArray.from_numpy(ELEMENTS), d_out=out, op=op) as transform:
        transform(d_in=DeviceArray.from_numpy(ELEMENTS), d_out=out, op=other, num_items=4)
    assert out.to_numpy().tolist() == (ELEMENTS * 2).tolist()


def again(op: Operator) -> Operator:
    """As another process gets it."""
    unpickled: Operator = pickle.loads(pickle.dumps(op))
    assert unpickled.text == op.text
    return unpickled


def test_operators_can_be_pickled() -> None:
    ltoir, extra = compiled(SCALED, "ltoir").code, compiled(SCALE_OF, "ltoir").code
    half = np.float64(0.5)
    raw = RawOp(ltoir=ltoir, name="scaled", state=half.tobytes(), state_alignment=8, extra_ltoirs=[extra])
    twice = raw.with_state(np.array((np.float64(2).view(np.uint64),), raw._state_dtype))
    for op, factor in [(raw, 0.5), (twice, 2.0)]:
        found = parallel.transform(ELEMENTS, again(again(op)), dtype=np.float64)
        assert found.tolist() == (ELEMENTS * factor).tolist()
    state = np.array([(3,)], [("scale", "i4")])
    scaled = Operator("a * scale", state=state)
    state["scale"] = 5  # the operator keeps what it was made with
    assert parallel.transform(ELEMENTS, again(scaled)).tolist() == (ELEMENTS * 3).tolist()
    other = scaled.with_state((4,)).with_state((7,))
    assert parallel.transform(ELEMENTS, again(other)).tolist() == (ELEMENTS * 7).tolist()
    assert len(pickle.dumps(other)) == len(pickle.dumps(scaled.with_state((7,))))
    people = np.array([(3, 1), (1, 2), (3, 0)], [("age", "i4"), ("weight", "i4")])
    by_fields = again(Operator.by_fields(people.dtype, "-age, weight"))
    assert parallel.sort(people, op=by_fields).tolist() == [(3, 0), (3, 1), (1, 2)]
    on_device: Any = DeviceArray.from_numpy(ELEMENTS)
    reading, _ = as_operator(lambda a: on_device[a], [np.dtype(np.int32)], None)
    with pytest.raises(TypeError, match="reads arrays on the device, which belong to this process"):
        pickle.dumps(reading)


def test_what_does_not_link_is_refused_where_it_is_built() -> None:
    code = compiled(LARGER, "ptx")
    missing = Operator.compiled("largest", code)
    data = DeviceArray.from_numpy(ELEMENTS)
    with pytest.raises(NvJitLinkError, match=r"(?s)operator 'largest'.*no function of that name"):
        parallel.make_reduce_into(d_in=data, d_out=DeviceArray.empty(1, np.int32), op=missing, h_init=0)
    with pytest.raises(InvalidArgument, match=r"operator 'larger'"):
        RawOp(ltoir=bytes(code.code), name="larger")
    with pytest.raises(InvalidArgument, match="no device function can have that name"):
        Operator.compiled("no name", code)
    with pytest.raises(ValueError, match="state_alignment is 3"):
        RawOp(ltoir=b"", name="f", state=b"abc", state_alignment=3)
    with pytest.raises(ValueError, match="expected 'pointers' or 'values'"):
        Operator.compiled("larger", code, passing="registers")  # type: ignore[arg-type]
    with pytest.raises(Unsupported, match="operator 'larger'"):
        parallel.reduce(ELEMENTS, np.int32(0), Operator.compiled("larger", code), execution="host")
