import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in_keys = cp.asarray([-5, 0, 2, -3, 2, 4, 0, -1, 2, 8], dtype=np.int32)
d_in_values = cp.asarray(np.arange(10), dtype=np.float32)
d_out_keys, d_out_values = cp.empty_like(d_in_keys), cp.empty_like(d_in_values)
keys, values = d_in_keys.get(), d_in_values.get()
order = np.argsort(keys, kind="stable")

arrays = {
    "d_in_keys": d_in_keys,
    "d_in_values": d_in_values,
    "d_out_keys": d_out_keys,
    "d_out_values": d_out_values,
}
for op in (OpKind.LESS, lambda lhs, rhs: lhs < rhs):
    cuda.compute.merge_sort(**arrays, num_items=d_in_keys.size, op=op)
    assert d_out_keys.get().tolist() == keys[order].tolist()
    assert d_out_values.get().tolist() == values[order].tolist()

    sorter = cuda.compute.make_merge_sort(**arrays, op=op)
    temp_storage = cp.empty(sorter(temp_storage=None, **arrays, num_items=d_in_keys.size, op=op), dtype=np.uint8)
    sorter(temp_storage=temp_storage, **arrays, num_items=d_in_keys.size, op=op)
    assert d_out_values.get().tolist() == values[order].tolist()
print("merge_sort ok")
