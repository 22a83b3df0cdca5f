import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

data = np.array([0, 2, 5, 5, 9], dtype=np.int32)
values = np.array([1, 5, 6, 10, 0], dtype=np.int32)
d_data, d_values = cp.asarray(data), cp.asarray(values)
expected = np.searchsorted(data, values, side="right").tolist()

for out_type in (np.uint64, np.int32):
    d_out = cp.empty(len(values), dtype=out_type)
    # In one call.
    cuda.compute.upper_bound(
        d_data=d_data, num_items=len(data), d_values=d_values, num_values=len(values), d_out=d_out, comp=OpKind.LESS
    )
    assert d_out.get().tolist() == expected

    # Built once. The comparison is given to every call, too.
    for comp in (None, OpKind.LESS, lambda a, b: a < b):
        searcher = cuda.compute.make_upper_bound(d_data=d_data, d_values=d_values, d_out=d_out, comp=comp)
        searcher(
            d_data=d_data, num_items=len(data), d_values=d_values, num_values=len(values), d_out=d_out, comp=comp
        )
        assert d_out.get().tolist() == expected
print("upper_bound ok")
