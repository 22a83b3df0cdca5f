import cuda.compute
import cupy as cp
import numpy as np
from cuda.compute import OpKind

d_in = cp.asarray([1, 2, 3, 4, 5], dtype=np.int32)
d_out = cp.empty(d_in.size, dtype=np.int32)
expected = {
    None: [1, 3, 6, 10, 15],
    "host": [11, 13, 16, 20, 25],
    "device": [11, 13, 16, 20, 25],
}
values = {None: None, "host": np.array([10], dtype=np.int32), "device": cp.asarray([10], dtype=np.int32)}

for kind, init_value in values.items():
    cuda.compute.inclusive_scan(d_in=d_in, d_out=d_out, op=OpKind.PLUS, init_value=init_value, num_items=d_in.size)
    assert d_out.get().tolist() == expected[kind]

    scanner = cuda.compute.make_inclusive_scan(d_in=d_in, d_out=d_out, op=OpKind.PLUS, init_value=init_value)
    arguments = {"d_in": d_in, "d_out": d_out, "op": OpKind.PLUS, "init_value": init_value, "num_items": d_in.size}
    temp_storage = cp.empty(scanner(temp_storage=None, **arguments), dtype=np.uint8)
    scanner(temp_storage=temp_storage, **arguments)
    assert d_out.get().tolist() == expected[kind]
print("inclusive_scan ok")
