import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in = cp.asarray([8, 6, 7, 5, 3, 0, 9], dtype=np.int32)
offsets = np.array([0, 2, 2, 7], dtype=np.int64)
start_offsets_in, end_offsets_in = cp.asarray(offsets[:-1]), cp.asarray(offsets[1:])
d_out = cp.empty(3, dtype=np.int32)
h_init = np.array([5], dtype=np.int32)

arrays = {
    "d_in": d_in,
    "d_out": d_out,
    "start_offsets_in": start_offsets_in,
    "end_offsets_in": end_offsets_in,
}
for op in (OpKind.MINIMUM, lambda a, b: cuda.compute.minimum(a, b)):
    cuda.compute.segmented_reduce(**arrays, num_segments=3, op=op, h_init=h_init)
    assert d_out.get().tolist() == [5, 5, 0]

    reducer = cuda.compute.make_segmented_reduce(**arrays, op=op, h_init=h_init)
    arguments = {**arrays, "num_segments": 3, "op": op, "h_init": h_init, "max_segment_size": 5}
    temp_storage = cp.empty(max(1, reducer(temp_storage=None, **arguments)), dtype=np.uint8)
    reducer(temp_storage=temp_storage, **arguments)
    assert d_out.get().tolist() == [5, 5, 0]
print("segmented_reduce ok")
