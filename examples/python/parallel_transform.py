"""A transformation: of pairs over host data, and on the device with an operator whose state is given at each call, and
of three inputs."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    data = np.arange(10000, dtype=np.int32)
    pairs = parallel.transform(data, lambda a, b: a * 3 - b, second=data)

    stream = Device(0).create_stream()
    d_in = DeviceArray.from_numpy(data)
    d_out = DeviceArray.empty(data.size, np.float64)
    scale = parallel.Operator("a * factor", state=np.array((1.0,), [("factor", "f8")]))
    transform = parallel.make_unary_transform(d_in=d_in, d_out=d_out, op=scale)
    ok = np.array_equal(pairs, 2 * data)
    for factor in (0.5, 2.0):  # no second build: the state is an argument of the kernel
        transform(d_in, d_out=d_out, op=scale.with_state((factor,)), stream=stream)
        stream.sync()
        scaled = d_out.to_numpy()
        ok = ok and np.array_equal(scaled, data * factor)

    half = parallel.ConstantIterator(np.float64(0.5))
    parallel.nary_transform(d_ins=[d_in, d_in, half], d_out=d_out, op=lambda a, b, c: 1.0 * a * b + c)
    ok = ok and np.array_equal(d_out.to_numpy(), 1.0 * data * data + 0.5)

    print(f"last {pairs[-1]} and {scaled[-1]:g}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
