"""A box of a volume, copied to an array on the device and back."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda

volume = np.arange(4 * 5 * 6, dtype=np.float32).reshape(4, 5, 6)
descriptor = cuda.ArrayDescriptor3D()
descriptor.width, descriptor.height, descriptor.depth = 6, 5, 4
descriptor.format = cuda.dtype_to_array_format(volume.dtype)
descriptor.num_channels = 1
descriptor.flags = 0
array = cuda.Array(descriptor)

copy = cuda.Memcpy3D()
copy.set_src_host(volume)
copy.set_dst_array(array)
copy.width_in_bytes = copy.src_pitch = volume.strides[1]
copy.src_height = copy.height = 5
copy.depth = 4
copy()

box = np.zeros((2, 3, 4), np.float32)
back = cuda.Memcpy3D()
back.set_src_array(array)
back.src_x_in_bytes, back.src_y, back.src_z = 4, 2, 1
back.set_dst_host(box)
back.width_in_bytes = back.dst_pitch = box.strides[1]
back.dst_height = back.height = 3
back.depth = 2
back()
print(box)
print(np.array_equal(box, volume[1:3, 2:5, 1:5]))

known = array.get_descriptor_3d()
print(known.width, known.height, known.depth, known.num_channels, known.format)

matrix = np.arange(12, dtype=np.int32).reshape(3, 4)
rows = cuda.matrix_to_array(matrix, "C")
known = rows.get_descriptor()
print(known.width, known.height, known.num_channels, known.format)
columns = np.zeros((3, 2), np.int32)
part = cuda.Memcpy2D()
part.set_src_array(rows)
part.src_x_in_bytes = 8
part.set_dst_host(columns)
part.width_in_bytes = part.dst_pitch = 8
part.height = 3
part(aligned=False)
print(columns.tolist())
