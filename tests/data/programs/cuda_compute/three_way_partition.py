import cuda.compute
import cupy as cp
import numpy as np

h_input = np.array([0, 2, 9, 1, 5, 6, 7, -3, 17, 10], dtype=np.int32)
d_in = cp.asarray(h_input)
d_first_part_out, d_second_part_out, d_unselected_out = (cp.empty_like(d_in) for _ in range(3))


def less_than_4(x):
    return x < 4


def greater_than_8(x):
    return x > 8


for count_type in (np.int64, np.int32):
    d_num_selected_out = cp.empty(2, dtype=count_type)
    arrays = {
        "d_in": d_in,
        "d_first_part_out": d_first_part_out,
        "d_second_part_out": d_second_part_out,
        "d_unselected_out": d_unselected_out,
        "d_num_selected_out": d_num_selected_out,
        "select_first_part_op": less_than_4,
        "select_second_part_op": greater_than_8,
    }
    cuda.compute.three_way_partition(**arrays, num_items=h_input.size)
    assert d_num_selected_out.get().tolist() == [4, 3]
    assert d_first_part_out.get()[:4].tolist() == [0, 2, 1, -3]
    assert d_second_part_out.get()[:3].tolist() == [9, 17, 10]
    assert d_unselected_out.get()[:3].tolist() == [5, 6, 7]

    partitioner = cuda.compute.make_three_way_partition(**arrays)
    temp_storage_bytes = partitioner(temp_storage=None, **arrays, num_items=h_input.size)
    temp_storage = cp.empty(temp_storage_bytes, dtype=np.uint8)
    partitioner(temp_storage=temp_storage, **arrays, num_items=5)
    assert d_num_selected_out.get().tolist() == [3, 1]
    assert d_unselected_out.get()[:1].tolist() == [5]
print("three_way_partition ok")
