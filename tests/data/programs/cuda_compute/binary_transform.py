import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import CountingIterator, OpKind

d_in1 = cp.asarray([1, 2, 3, 4], dtype=np.int32)
d_in2 = cp.asarray([10, 20, 30, 40], dtype=np.int32)
d_out = cp.empty_like(d_in1)


def difference(a, b):
    return b - a


cuda.compute.binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=difference, num_items=4)
assert d_out.get().tolist() == [9, 18, 27, 36]

transformer = cuda.compute.make_binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=difference)
transformer(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=difference, num_items=4)
assert d_out.get().tolist() == [9, 18, 27, 36]

counting = CountingIterator(np.int32(5))
transformer = cuda.compute.make_binary_transform(d_in1=d_in1, d_in2=counting, d_out=d_out, op=OpKind.PLUS)
transformer(d_in1=d_in1, d_in2=counting, d_out=d_out, op=OpKind.PLUS, num_items=4)
assert d_out.get().tolist() == [6, 8, 10, 12]
print("binary_transform ok")
