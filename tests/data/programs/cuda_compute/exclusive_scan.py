import cuda.compute
import cupy as cp
import numpy as np

d_in = cp.asarray([-5, 0, 2, -3, 2, 4, 0, -1, 2, 8], dtype=np.int32)
d_out = cp.empty(d_in.size, dtype=np.int32)
h_init = np.array([1], dtype=np.int32)
d_init = cp.asarray([1], dtype=np.int32)
expected = [1, 1, 1, 2, 2, 2, 4, 4, 4, 4]


def max_op(a, b):
    return cuda.compute.maximum(a, b)


for init_value in (h_init, d_init):
    cuda.compute.exclusive_scan(d_in=d_in, d_out=d_out, op=max_op, init_value=init_value, num_items=d_in.size)
    assert d_out.get().tolist() == expected

    scanner = cuda.compute.make_exclusive_scan(d_in=d_in, d_out=d_out, op=max_op, init_value=init_value)
    arguments = {"d_in": d_in, "d_out": d_out, "op": max_op, "init_value": init_value, "num_items": d_in.size}
    temp_storage = cp.empty(scanner(temp_storage=None, **arguments), dtype=np.uint8)
    scanner(temp_storage=temp_storage, **arguments)
    assert d_out.get().tolist() == expected
print("exclusive_scan ok")
