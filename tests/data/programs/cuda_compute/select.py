import cuda.compute
import cupy as cp
import numpy as np

d_in = cp.asarray([1, 2, 3, 4, 5, 6, 7, 8], dtype=np.int32)
d_out = cp.empty_like(d_in)


def is_even(x):
    return x % 2 == 0


for count_type, room in ((np.uint64, 2), (np.int32, 1)):
    d_num_selected_out = cp.empty(room, dtype=count_type)
    arrays = {"d_in": d_in, "d_out": d_out, "d_num_selected_out": d_num_selected_out}
    cuda.compute.select(**arrays, cond=is_even, num_items=d_in.size)
    assert d_num_selected_out.get()[0] == 4
    assert d_out.get()[:4].tolist() == [2, 4, 6, 8]

    selector = cuda.compute.make_select(**arrays, cond=is_even)
    arguments = {**arrays, "cond": is_even, "num_items": d_in.size}
    temp_storage = cp.empty(selector(temp_storage=None, **arguments), dtype=np.uint8)
    selector(temp_storage=temp_storage, **arguments)
    assert d_num_selected_out.get()[0] == 4
print("select ok")
