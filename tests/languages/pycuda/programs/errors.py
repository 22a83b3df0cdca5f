"""What is an error, and of which class."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

add = SourceModule("__global__ void add(int *a, int n) { a[threadIdx.x] += n; }").get_function("add")
a = cuda.to_device(np.arange(4, dtype=np.int32))


def attempt(what, call):
    try:
        call()
    except (cuda.Error, BufferError, TypeError, ValueError) as error:
        print(what, "->", type(error).__name__)


attempt("a Python int", lambda: add(a, 5, block=(4, 1, 1)))
attempt("no block", lambda: add(a, np.int32(5)))
attempt("too many threads", lambda: add(a, np.int32(5), block=(4096, 1, 1)))
attempt("a list", lambda: add([1, 2], np.int32(5), block=(4, 1, 1)))
attempt("a source with a mistake", lambda: SourceModule("__global__ void broken( { }"))
attempt("too much memory", lambda: cuda.mem_alloc(1 << 60))
attempt("not contiguous", lambda: cuda.memcpy_htod(a, np.arange(8, dtype=np.int32)[::2]))
attempt("read-only", lambda: cuda.memcpy_dtoh(b"0123456789012345", a))
attempt("no such device", lambda: cuda.Device(1000))
attempt("no such file", lambda: cuda.module_from_file("/nothing/here.cubin"))
attempt("not code", lambda: cuda.module_from_buffer(b"this is no code at all"))
print(issubclass(cuda.LogicError, cuda.Error), issubclass(cuda.MemoryError, cuda.Error))

try:
    SourceModule("__global__ void broken() { undefined_thing(); }")
except cuda.CompileError as error:
    print("undefined_thing" in error.stderr, error.command_line[0] != "")
add(a, np.int32(5), block=(4, 1, 1))
print(cuda.from_device(a, 4, np.int32))
