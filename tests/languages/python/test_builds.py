"""What building an algorithm takes: which headers are read, and how often the compiler runs."""

from __future__ import annotations

import pathlib

import pytest
from conftest import RunPython

# Every algorithm, with types and operators that need more than others do. `n` is a count, `i` are integers.
ALGORITHMS = """
par.make_reduce_into(d_in=a, d_out=b, op=par.OpKind.PLUS, h_init=0.0)
par.make_reduce_into(d_in=a, d_out=b, op=par.OpKind.PLUS, h_init=0.0, determinism=par.Determinism.GPU_TO_GPU)
par.make_reduce_into(d_in=h, d_out=h, op=par.OpKind.MAXIMUM, h_init=np.float16(0))
par.make_reduce_into(d_in=c, d_out=c, op=par.OpKind.MULTIPLIES, h_init=np.complex64(0))
par.make_reduce_into(d_in=w, d_out=w, op=par.OpKind.PLUS, h_init=0)
par.make_reduce_into(d_in=p, d_out=p, op=larger, h_init=np.zeros(1, Pair))
par.make_argmin_into(d_in=a)
par.make_segmented_reduce(d_in=a, d_out=b, start_offsets_in=i, end_offsets_in=i, op=par.OpKind.PLUS, h_init=0.0)
par.make_exclusive_scan(d_in=a, d_out=b, op=par.OpKind.PLUS, init_value=0.0)
par.make_inclusive_scan(d_in=p, d_out=p, op=larger)
par.make_inclusive_segmented_scan(d_in=a, d_out=b, start_offsets_in=i, end_offsets_in=i, op=par.OpKind.PLUS)
par.make_inclusive_scan_by_key(d_in_keys=a, d_in_values=a, d_out=b, op=par.OpKind.PLUS)
par.make_radix_sort(d_in_keys=a, d_out_keys=b)
par.make_radix_sort(d_in_keys=i, d_out_keys=i, d_in_values=p, d_out_values=p)
par.make_merge_sort(d_in_keys=a, d_out_keys=b, d_in_values=i, d_out_values=i, op="a < b")
par.make_segmented_sort(d_in_keys=a, d_out_keys=b, start_offsets_in=i, end_offsets_in=i)
par.make_unary_transform(d_in=a, d_out=b, op="a * a")
par.make_binary_transform(d_in1=a, d_in2=a, d_out=b, op=par.OpKind.DIVIDES)
par.make_for_each(d_in=a, op="return a < 0;")
par.make_select(d_in=a, d_out=b, d_num_selected_out=n, cond="a > 1")
par.make_select_flagged(d_in=a, d_flags=i, d_out=b, d_num_selected_out=n)
par.make_partition(d_in=a, d_out=b, d_num_selected_out=n, select_op="a > 1")
par.make_three_way_partition(
    d_in=a, d_first_part_out=b, d_second_part_out=b, d_unselected_out=b, d_num_selected_out=n,
    select_first_part_op="a > 1", select_second_part_op="a < 0",
)
par.make_unique(d_in=a, d_out=b, d_num_selected_out=n)
par.make_unique_by_key(
    d_in_keys=a, d_in_items=i, d_out_keys=b, d_out_items=i, d_out_num_selected=n, op=par.OpKind.EQUAL_TO
)
par.make_reduce_by_key(
    d_in_keys=i, d_in_values=a, d_out_keys=i, d_out_values=b, d_num_runs_out=n, op=par.OpKind.PLUS
)
par.make_run_length_encode(d_in=i, d_out=i, d_lengths_out=i, d_num_runs_out=n)
par.make_non_trivial_runs(d_in=i, d_offsets_out=i, d_lengths_out=i, d_num_runs_out=n)
par.make_histogram_even(d_samples=a, d_histogram=i, h_lower_level=0.0, h_upper_level=1.0)
par.make_topk_max_keys(d_in_keys=a, d_out_keys=b)
par.make_lower_bound(d_data=a, d_values=a, d_out=n)
par.make_merge_pairs(
    d_in_keys1=a, d_in_values1=i, d_in_keys2=a, d_in_values2=i, d_out_keys=b, d_out_values=i
)
par.make_adjacent_difference_left(d_in=a, d_out=b)
par.make_min_max(d_in=a)
par.make_find_if(d_in=a, d_out=n, cond="a > 1")
"""

PRELUDE = """
import cuprum.parallel as par
import numpy as np
from cuprum.core import Device

Device(0).set_current()
Pair = np.dtype([("x", np.float32), ("y", np.int32)], align=True)
a, b = (par.DeviceArray.empty(16, np.float32) for _ in range(2))
h, c, i, n, p = (
    par.DeviceArray.empty(16, dtype) for dtype in (np.float16, np.complex64, np.int32, np.uint64, Pair)
)
w = par.DeviceArray.empty(16, par.int128)
larger = "a.x < b.x ? b : a"
"""


def compiles_of(run_python: RunPython, tmp_path: pathlib.Path, source: str) -> list[str]:
    """The results of the compiler's runs."""
    trace = tmp_path / "trace.txt"
    run_python(PRELUDE + source, environment={"CUPRUM_TRACE": str(trace), "CUPRUM_CACHE": "off"})
    runs = [line for line in trace.read_text().splitlines() if "nvrtcCompileProgram" in line]
    return ["failed" if "NVRTC_ERROR" in line else "done" for line in runs]


def test_no_algorithm_needs_a_header_that_is_left_out(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    assert "failed" not in compiles_of(run_python, tmp_path, ALGORITHMS)


@pytest.mark.parametrize(
    ("operator", "runs"),
    [
        ("a + b + 0 * int(sizeof(int2))", ["done"]),
        # The tuple's view of CUDA's vectors is in a header that CUB does not need.
        ("a + b + int(cuda::std::tuple_size<int2>::value) - 2", ["failed", "done"]),
    ],
)
def test_an_operator_may_use_what_algorithms_do_not(
    run_python: RunPython, tmp_path: pathlib.Path, operator: str, runs: list[str]
) -> None:
    source = f"""
i._buffer.copy_from_host(np.arange(16, dtype=np.int32).view(np.uint8))
total = par.DeviceArray.empty(1, np.int32)
reduce = par.make_reduce_into(d_in=i, d_out=total, op={operator!r}, h_init=np.int32(0))
reduce(temp_storage=par.POOL, d_in=i, d_out=total, num_items=16, h_init=np.int32(0))
assert total.to_numpy()[0] == 120
"""
    assert compiles_of(run_python, tmp_path, source) == runs


def test_a_mistake_in_an_operator_is_found_in_one_compile(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    source = """
from cuprum import CompileError
try:
    par.make_reduce_into(d_in=a, d_out=b, op="a + nothing", h_init=0.0)
except CompileError as error:
    assert "nothing" in error.log
else:
    raise AssertionError("it compiles")
"""
    assert compiles_of(run_python, tmp_path, source) == ["failed"]
