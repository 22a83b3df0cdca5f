import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import SortOrder

d_in_keys = cp.asarray([-5, 0, 2, -3, 2, 4, 0, -1, 2, 8], dtype=np.int32)
d_in_values = cp.asarray(np.arange(10), dtype=np.float32)
d_out_keys, d_out_values = cp.empty_like(d_in_keys), cp.empty_like(d_in_values)
keys, values = d_in_keys.get(), d_in_values.get()
order = np.argsort(-keys, kind="stable")

arrays = {
    "d_in_keys": d_in_keys,
    "d_out_keys": d_out_keys,
    "d_in_values": d_in_values,
    "d_out_values": d_out_values,
}
cuda.compute.radix_sort(**arrays, num_items=d_in_keys.size, order=SortOrder.DESCENDING)
assert d_out_keys.get().tolist() == keys[order].tolist()
assert d_out_values.get().tolist() == values[order].tolist()

sorter = cuda.compute.make_radix_sort(**arrays, order=SortOrder.DESCENDING)
temp_storage = cp.empty(sorter(temp_storage=None, **arrays, num_items=d_in_keys.size), dtype=np.uint8)
sorter(temp_storage=temp_storage, **arrays, num_items=d_in_keys.size)
assert d_out_values.get().tolist() == values[order].tolist()

# Keys alone.
alone = {"d_in_keys": d_in_keys, "d_out_keys": d_out_keys, "d_in_values": None, "d_out_values": None}
sorter = cuda.compute.make_radix_sort(**alone, order=SortOrder.ASCENDING)
arguments = {**alone, "num_items": d_in_keys.size, "begin_bit": None, "end_bit": None, "stream": None}
temp_storage = cp.empty(sorter(temp_storage=None, **arguments), dtype=np.uint8)
sorter(temp_storage=temp_storage, **arguments)
assert d_out_keys.get().tolist() == sorted(keys.tolist())
print("radix_sort ok")
