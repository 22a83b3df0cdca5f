import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in = cp.asarray([8, 6, 7, 5, 3, 0, 9], dtype=np.int32)
d_out = cp.empty(1, dtype=np.int32)
h_init = np.array([100], dtype=np.int32)


def add(a, b):
    return a + b


# In one call.
cuda.compute.reduce_into(d_in=d_in, d_out=d_out, num_items=d_in.size, op=OpKind.PLUS, h_init=h_init)
assert d_out.get()[0] == 138
cuda.compute.reduce_into(d_in=d_in, d_out=d_out, num_items=d_in.size, op=add, h_init=h_init)
assert d_out.get()[0] == 138

# Built once. The operator is given to every call, too.
for op in (OpKind.PLUS, add, lambda a, b: a + b):
    reducer = cuda.compute.make_reduce_into(d_in=d_in, d_out=d_out, op=op, h_init=h_init)
    arguments = {"d_in": d_in, "d_out": d_out, "num_items": d_in.size, "op": op, "h_init": h_init}
    temp_storage_bytes = reducer(temp_storage=None, **arguments)
    temp_storage = cp.empty(temp_storage_bytes, dtype=np.uint8)
    reducer(temp_storage=temp_storage, **arguments)
    assert d_out.get()[0] == 138

# Without an initial value.
cuda.compute.reduce_into(d_in=d_in, d_out=d_out, num_items=d_in.size, op=OpKind.MAXIMUM, h_init=None)
assert d_out.get()[0] == 9
product = lambda a, b: a * b  # noqa: E731
reducer = cuda.compute.make_reduce_into(d_in=d_in, d_out=d_out, op=product, h_init=None)
arguments = {"d_in": d_in, "d_out": d_out, "op": product, "h_init": None}
temp_storage = cp.empty(reducer(temp_storage=None, num_items=4, **arguments), dtype=np.uint8)
reducer(temp_storage=temp_storage, num_items=4, **arguments)
assert d_out.get()[0] == 8 * 6 * 7 * 5
reducer(temp_storage=temp_storage, num_items=0, **arguments)
assert d_out.get()[0] == 8 * 6 * 7 * 5
print("reduce_into ok")
