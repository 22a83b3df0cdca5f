import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in = cp.asarray([1, 2, 3, 4, 5], dtype=np.int32)
d_out = cp.empty_like(d_in)


def add_one(a):
    return a + 1


cuda.compute.unary_transform(d_in=d_in, d_out=d_out, op=add_one, num_items=d_in.size)
assert d_out.get().tolist() == [2, 3, 4, 5, 6]

transformer = cuda.compute.make_unary_transform(d_in=d_in, d_out=d_out, op=add_one)
transformer(d_in=d_in, d_out=d_out, op=add_one, num_items=d_in.size)
assert d_out.get().tolist() == [2, 3, 4, 5, 6]
transformer(d_in=d_out, d_out=d_out, op=add_one, num_items=d_in.size, stream=None)
assert d_out.get().tolist() == [3, 4, 5, 6, 7]

transformer = cuda.compute.make_unary_transform(d_in=d_in, d_out=d_out, op=OpKind.NEGATE)
transformer(d_in=d_in, d_out=d_out, op=OpKind.NEGATE, num_items=d_in.size)
assert d_out.get().tolist() == [-1, -2, -3, -4, -5]
print("unary_transform ok")
