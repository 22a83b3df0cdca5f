"""Contexts of one's own: pushed, popped, detached, and one for each thread."""

import threading

import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

SOURCE = "__global__ void add(int *a, int n) { a[threadIdx.x] += n; }"


class GPUThread(threading.Thread):
    def __init__(self, number):
        threading.Thread.__init__(self)
        self.number = number
        self.result = None

    def run(self):
        context = cuda.Device(0).make_context()
        try:
            array = np.arange(4, dtype=np.int32)
            SourceModule(SOURCE).get_function("add")(cuda.InOut(array), np.int32(self.number), block=(4, 1, 1))
            self.result = array.tolist()
        finally:
            context.pop()
            context.detach()


cuda.init()
threads = [GPUThread(10 * number) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
    print(thread.result)

below = cuda.Context.get_current()
first = cuda.Device(0).make_context()
print(cuda.Context.get_current() == first, first.get_device() == cuda.Device(0), first.get_api_version() > 0)
second = cuda.Device(0).make_context(cuda.ctx_flags.SCHED_BLOCKING_SYNC)
print(cuda.Context.get_current() == second, first == second)
memory = cuda.to_device(np.arange(3, dtype=np.int64))
cuda.Context.pop()
print(cuda.Context.get_current() == first)
del memory  # freed in the context that it belongs to
second.push()
print(cuda.Context.get_current() == second)
second.pop()
second.detach()
first.pop()
first.detach()
print(cuda.Context.get_current() == below)

primary = cuda.Device(0).retain_primary_context()
primary.push()
print(cuda.from_device(cuda.to_device(np.arange(3)), 3, np.int64))
primary.pop()
