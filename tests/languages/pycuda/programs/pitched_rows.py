"""Rows in pitched memory, and a rectangle that is copied out of them."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

height, width = 5, 7
image = np.arange(height * width, dtype=np.float32).reshape(height, width)
image_gpu, pitch = cuda.mem_alloc_pitch(image.shape[1] * 4, height, 4)
print(pitch >= width * 4, pitch % 4)

copy = cuda.Memcpy2D()
copy.set_src_host(image)
copy.set_dst_device(image_gpu)
copy.width_in_bytes = copy.src_pitch = image.strides[0]
copy.dst_pitch = pitch
copy.height = height
copy(aligned=True)

SourceModule("""
__global__ void negate(char *image, int pitch)
{
  float *row = (float *)(image + threadIdx.y * pitch);
  row[threadIdx.x] = -row[threadIdx.x];
}
""").get_function("negate")(image_gpu, np.int32(pitch), block=(width, height, 1))

part = np.zeros((3, 4), np.float32)
back = cuda.Memcpy2D()
back.set_src_device(image_gpu)
back.src_x_in_bytes, back.src_y, back.src_pitch = 2 * 4, 1, pitch
back.set_dst_host(part)
back.dst_pitch = back.width_in_bytes = part.strides[0]
back.height = 3
back(aligned=False)
print(part, np.array_equal(part, -image[1:4, 2:6]))

stream = cuda.Stream()
whole = cuda.pagelocked_zeros((height, width), np.float32)
back.src_x_in_bytes = back.src_y = 0
back.set_dst_host(whole)
back.dst_pitch = back.width_in_bytes = whole.strides[0]
back.height = height
back(stream)
stream.synchronize()
print(np.array_equal(whole, -image))
cuda.memset_d2d32(image_gpu, pitch, 0, 2, height)
back(stream)
stream.synchronize()
print(whole[:, :3])
