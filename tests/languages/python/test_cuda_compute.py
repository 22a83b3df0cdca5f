"""Programs in the style of cuda.compute's documentation run with nothing changed but the module's name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.parallel import POOL, DeviceArray, Operator, OpKind
from test_programs import PROGRAMS

FOLDER = PROGRAMS / "cuda_compute"
NAMES = [*parallel._algorithms.__all__, "unary_transform", "binary_transform", "histogram_even"]
#: The rest is Cuprum's own.
THEIRS = {
    line.partition("  ")[0]
    for line in (PROGRAMS.parents[2] / "docs" / "cuda-compute-names.txt").read_text(encoding="utf-8").splitlines()
}


@pytest.mark.parametrize("name", sorted({name for name in NAMES if not name.startswith("make_")} & THEIRS))
def test_a_program_of_each_algorithm(name: str, run_python: RunPython) -> None:
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8").replace("cuda.compute", "cuprum.parallel")
    # CuPy's place is taken by what is in the folder.
    with_arrays = f"import sys\nsys.path.insert(0, {str(FOLDER / 'stand_ins')!r})\n{source}"
    assert run_python(with_arrays).stdout == f"{name} ok\n"


@pytest.fixture
def numbers() -> DeviceArray:
    return DeviceArray.from_numpy(np.arange(1, 6, dtype=np.int32))


def test_an_operator_is_taken_at_a_call_in_whatever_way_it_was_given_before(numbers: DeviceArray) -> None:
    out = DeviceArray.empty(1, np.int32)
    given: list[Any] = [OpKind.PLUS, "plus", Operator("plus"), np.add, lambda a, b: a + b]
    for built in given:
        with parallel.make_reduce_into(d_in=numbers, d_out=out, op=built, h_init=0) as algorithm:
            for called in [*given, None]:
                algorithm(temp_storage=POOL, d_in=numbers, d_out=out, num_items=5, op=called, h_init=0)
                assert out.to_numpy()[0] == 15


def test_another_operator_at_a_call_is_refused_and_never_ignored(numbers: DeviceArray) -> None:
    out = DeviceArray.empty(1, np.int32)
    with parallel.make_reduce_into(d_in=numbers, d_out=out, op=OpKind.PLUS, h_init=0) as algorithm:
        others: list[Any] = [OpKind.MAXIMUM, "a * b", lambda a, b: a * b]
        for other in others:
            with pytest.raises(InvalidArgument, match="the algorithm was built for 'plus'"):
                algorithm(temp_storage=POOL, d_in=numbers, d_out=out, op=other, h_init=0)
    with (
        parallel.make_unary_transform(d_in=numbers, d_out=numbers, op="a + 1") as transform,
        pytest.raises(InvalidArgument, match=r"the algorithm was built for 'a \+ 1'"),
    ):
        transform(d_in=numbers, d_out=numbers, op="a + 2")


def test_inputs_of_transformations_have_names_and_places(numbers: DeviceArray) -> None:
    out = DeviceArray.empty(5, np.int32)
    with parallel.make_binary_transform(d_in1=numbers, d_in2=numbers, d_out=out, op="a * b") as product:
        product(d_in1=numbers, d_in2=numbers, d_out=out)
        assert out.to_numpy().tolist() == [1, 4, 9, 16, 25]
        product(numbers, out, d_out=out)
        assert out.to_numpy().tolist() == [1, 8, 27, 64, 125]
        with pytest.raises(TypeError, match="d_in2"):
            product(d_in1=numbers, d_out=out)  # type: ignore[call-arg]


@pytest.mark.parametrize("execution", ["device", "host"])
def test_a_reduction_without_an_initial_value_is_of_the_elements_alone(execution: Any) -> None:
    values = np.array([5, -3, 4], np.int16)
    data: Any = values if execution == "host" else DeviceArray.from_numpy(values)
    out: Any = np.full(1, 99, np.int16) if execution == "host" else DeviceArray.from_numpy(np.full(1, 99, np.int16))
    with parallel.make_reduce_into(d_in=data, d_out=out, op=OpKind.MINIMUM, execution=execution) as smallest:
        smallest(temp_storage=POOL, d_in=data, d_out=out, num_items=0)
        assert (out if execution == "host" else out.to_numpy())[0] == 99  # nothing is written
        smallest(temp_storage=POOL, d_in=data, d_out=out)
        assert (out if execution == "host" else out.to_numpy())[0] == -3
        with pytest.raises(TypeError, match="h_init is given, but the algorithm was built without one"):
            smallest(temp_storage=POOL, d_in=data, d_out=out, h_init=0)
    with (
        parallel.make_reduce_into(d_in=data, d_out=out, op=OpKind.MINIMUM, h_init=0, execution=execution) as algorithm,
        pytest.raises(TypeError, match="h_init is needed"),
    ):
        algorithm(temp_storage=POOL, d_in=data, d_out=out)


def test_an_initial_value_in_device_memory_is_read_in_the_streams_order(numbers: DeviceArray) -> None:
    first, sums = DeviceArray.empty(1, np.int32), DeviceArray.empty(5, np.int32)
    parallel.reduce_into(d_in=numbers, d_out=first, op=OpKind.PLUS, h_init=0)
    with parallel.make_exclusive_scan(d_in=numbers, d_out=sums, op=OpKind.PLUS, init_value=first) as scan:
        scan(temp_storage=POOL, d_in=numbers, d_out=sums, init_value=first)
        assert sums.to_numpy().tolist() == [15, 16, 18, 21, 25]
        # The same object takes both.
        scan(temp_storage=POOL, d_in=numbers, d_out=sums, init_value=np.int32(1))
        assert sums.to_numpy().tolist() == [1, 2, 4, 7, 11]
        with pytest.raises(TypeError, match="the initial value has elements of float32"):
            scan(temp_storage=POOL, d_in=numbers, d_out=sums, init_value=DeviceArray.empty(1, np.float32))
        with pytest.raises(InvalidArgument, match=r"initial value and output.*overlap"):
            scan(temp_storage=POOL, d_in=numbers, d_out=sums, init_value=sums)


def test_how_many_were_selected_fits_its_type() -> None:
    data = np.arange(10, dtype=np.int32)
    for dtype in (np.int32, np.uint32, np.int64, np.uint64):
        found = np.zeros(1, dtype)
        arrays: dict[str, Any] = {"d_in": data, "d_out": data.copy(), "d_num_selected_out": found}
        parallel.select(**arrays, cond=OpKind.IDENTITY, execution="host")
        assert found[0] == 9
    with pytest.raises(TypeError, match="expected one integer of 64 or 32 bits"):
        parallel.select(
            d_in=data, d_out=data.copy(), d_num_selected_out=np.zeros(1, np.int16), cond="identity", execution="host"
        )
    constants = parallel.ConstantIterator(np.int32(1))
    with pytest.raises(ValueError, match="which cannot hold a count of up to 2147483648"):
        parallel.select(
            d_in=constants,
            d_out=DeviceArray.empty(1, np.int32),
            d_num_selected_out=DeviceArray.empty(1, np.int32),
            cond="identity",
            num_items=2**31,
        )
