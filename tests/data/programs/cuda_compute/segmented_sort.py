import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import SortOrder

h_in_keys = np.array([9, 1, 5, 4, 2, 8, 7, 3, 6], dtype=np.int32)
h_in_values = np.array([90, 10, 50, 40, 20, 80, 70, 30, 60], dtype=np.int32)
starts, ends = np.array([0, 3, 5], dtype=np.int64), np.array([3, 5, 9], dtype=np.int64)
expected = [1, 5, 9, 2, 4, 3, 6, 7, 8]

d_in_keys, d_in_values = cp.asarray(h_in_keys), cp.asarray(h_in_values)
d_out_keys, d_out_values = cp.empty_like(d_in_keys), cp.empty_like(d_in_values)
arrays = {
    "d_in_keys": d_in_keys,
    "d_out_keys": d_out_keys,
    "d_in_values": d_in_values,
    "d_out_values": d_out_values,
    "start_offsets_in": cp.asarray(starts),
    "end_offsets_in": cp.asarray(ends),
}
sizes = {"num_items": h_in_keys.size, "num_segments": len(starts)}
cuda.compute.segmented_sort(**arrays, **sizes, order=SortOrder.ASCENDING)
assert d_out_keys.get().tolist() == expected
assert d_out_values.get().tolist() == [10 * key for key in expected]

sorter = cuda.compute.make_segmented_sort(**arrays, order=SortOrder.DESCENDING)
temp_storage = cp.empty(max(1, sorter(temp_storage=None, **arrays, **sizes)), dtype=np.uint8)
sorter(temp_storage=temp_storage, **arrays, **sizes)
assert d_out_keys.get().tolist() == [9, 5, 1, 4, 2, 8, 7, 6, 3]

# Keys alone.
alone = arrays | {"d_in_values": None, "d_out_values": None}
sorter = cuda.compute.make_segmented_sort(**alone, order=SortOrder.ASCENDING)
sorter(temp_storage=temp_storage, **alone, **sizes)
assert d_out_keys.get().tolist() == expected
print("segmented_sort ok")
