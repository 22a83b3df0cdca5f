import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in_keys = cp.asarray([0, 2, 2, 9, 5, 5, 5, 8], dtype=np.int32)
d_in_items = cp.asarray([1, 2, 3, 4, 5, 6, 7, 8], dtype=np.float32)
d_out_keys, d_out_items = cp.empty_like(d_in_keys), cp.empty_like(d_in_items)

for op, count_type in ((OpKind.EQUAL_TO, np.int32), (lambda a, b: a == b, np.int64)):
    d_out_num_selected = cp.empty(1, dtype=count_type)
    arrays = {
        "d_in_keys": d_in_keys,
        "d_in_items": d_in_items,
        "d_out_keys": d_out_keys,
        "d_out_items": d_out_items,
        "d_out_num_selected": d_out_num_selected,
    }
    cuda.compute.unique_by_key(**arrays, op=op, num_items=d_in_keys.size)
    assert d_out_num_selected.get()[0] == 5
    assert d_out_keys.get()[:5].tolist() == [0, 2, 9, 5, 8]
    assert d_out_items.get()[:5].tolist() == [1, 2, 4, 5, 8]

    uniquer = cuda.compute.make_unique_by_key(**arrays, op=op)
    arguments = {**arrays, "op": op, "num_items": d_in_keys.size}
    temp_storage = cp.empty(uniquer(temp_storage=None, **arguments), dtype=np.uint8)
    uniquer(temp_storage=temp_storage, **arguments)
    assert d_out_num_selected.get()[0] == 5
print("unique_by_key ok")
