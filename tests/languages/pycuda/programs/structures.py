"""A structure with a pointer, built in device memory by hand, and another passed by value."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule


class DoubleOpStruct:
    mem_size = 8 + np.uintp(0).nbytes

    def __init__(self, array, struct_arr_ptr):
        self.data = cuda.to_device(array)
        self.shape, self.dtype = array.shape, array.dtype
        cuda.memcpy_htod(int(struct_arr_ptr), np.int32(array.size))
        cuda.memcpy_htod(int(struct_arr_ptr) + 8, np.uintp(int(self.data)))

    def __str__(self):
        return str(cuda.from_device(self.data, self.shape, self.dtype))


struct_arr = cuda.mem_alloc(2 * DoubleOpStruct.mem_size)
do2_ptr = int(struct_arr) + DoubleOpStruct.mem_size
array1 = DoubleOpStruct(np.array([1, 2, 3], dtype=np.float32), struct_arr)
array2 = DoubleOpStruct(np.array([0, 4], dtype=np.float32), do2_ptr)

mod = SourceModule("""
    struct DoubleOperation {
        int datalen, __padding; // so 64-bit ptrs can be aligned
        float *ptr;
    };
    struct Step {
        float factor;
        int offset;
    };

    __global__ void double_array(DoubleOperation *a)
    {
        a = a + blockIdx.x;
        for (int idx = threadIdx.x; idx < a->datalen; idx += blockDim.x)
        {
            float *a_ptr = a->ptr;
            a_ptr[idx] *= 2;
        }
    }

    __global__ void step_array(DoubleOperation *a, Step step)
    {
        a->ptr[threadIdx.x] = a->ptr[threadIdx.x] * step.factor + step.offset;
    }
    """)
func = mod.get_function("double_array")
func(struct_arr, block=(32, 1, 1), grid=(2, 1))
print(array1, array2)

func(np.intp(do2_ptr), block=(32, 1, 1), grid=(1, 1))
print(array1, array2)

step_type = np.dtype([("factor", np.float32), ("offset", np.int32)])
steps = np.array([(10, 1)], dtype=step_type)
mod.get_function("step_array")(struct_arr, steps[0], block=(3, 1, 1))
mod.get_function("step_array")(struct_arr, steps, block=(3, 1, 1))
print(array1)
