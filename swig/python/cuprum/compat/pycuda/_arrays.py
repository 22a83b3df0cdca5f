"""Arrays whose order only the device knows, which kernels reach through texture and surface objects."""

from __future__ import annotations

from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, check, value_of
from cuprum.compat.pycuda._pointers import device_address, host_memory


class ArrayDescriptor:
    """The size of an array in elements, and their ``format`` (``driver.array_format``) and number of channels."""

    width: int = 0
    height: int = 0
    format: Any = 0
    num_channels: int = 0


class ArrayDescriptor3D(ArrayDescriptor):
    """``ArrayDescriptor`` with a ``depth`` and ``flags`` (``driver.array3d_flags``)."""

    depth: int = 0
    flags: int = 0


class Array:
    """An array of the current context, freed with the last reference to it."""

    def __init__(self, descriptor: ArrayDescriptor | ArrayDescriptor3D) -> None:
        """Allocates what the descriptor says."""
        self._handle = 0
        self._context = current_context("Array")
        if isinstance(descriptor, ArrayDescriptor3D):
            boxes = _driver.CUDA_ARRAY3D_DESCRIPTOR()
            _fill(boxes, descriptor)
            boxes.Depth, boxes.Flags = descriptor.depth, descriptor.flags
            made = _driver.cuArray3DCreate(boxes)
        else:
            rows = _driver.CUDA_ARRAY_DESCRIPTOR()
            _fill(rows, descriptor)
            made = _driver.cuArrayCreate(rows)
        self._handle = int(value_of(made, "cuArrayCreate"))

    @property
    def handle(self) -> int:
        """The ``CUarray``."""
        if not self._handle:
            raise LogicError("using an Array: it has been freed; keep it until the last use", operation="Array.handle")
        return self._handle

    def get_descriptor(self) -> ArrayDescriptor:
        """Its size and format."""
        known = value_of(_driver.cuArrayGetDescriptor(self.handle), "cuArrayGetDescriptor")
        return _read(known, ArrayDescriptor())

    def get_descriptor_3d(self) -> ArrayDescriptor3D:
        """Its size, format and flags."""
        known = value_of(_driver.cuArray3DGetDescriptor(self.handle), "cuArray3DGetDescriptor")
        descriptor = ArrayDescriptor3D()
        _read(known, descriptor)
        descriptor.depth, descriptor.flags = known.Depth, known.Flags
        return descriptor

    def free(self) -> None:
        """Gives it back; using it from then on is an error."""
        handle, self._handle = self.handle, 0
        self._destroy(handle)

    def _destroy(self, handle: int) -> None:
        release_in(self._context, _driver.cuArrayDestroy, "cuArrayDestroy", handle)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", 0)
        if handle:
            self._handle = 0
            try:
                self._destroy(handle)
            except Exception:  # the driver or the context is gone
                return


def _fill(native: Any, descriptor: ArrayDescriptor) -> None:
    native.Width, native.Height = descriptor.width, descriptor.height
    native.Format = _driver.CUarray_format(int(descriptor.format))
    native.NumChannels = descriptor.num_channels


def _read(native: Any, descriptor: ArrayDescriptor) -> ArrayDescriptor:
    from cuprum.compat.pycuda._enumerations import array_format

    descriptor.width, descriptor.height = native.Width, native.Height
    descriptor.format = array_format(int(native.Format))
    descriptor.num_channels = native.NumChannels
    return descriptor


def dtype_to_array_format(dtype: Any) -> Any:
    """The format of an array with such elements; complex and double have none of their own."""
    import numpy as np

    from cuprum.compat.pycuda._enumerations import array_format

    names = {
        "u1": "UNSIGNED_INT8",
        "u2": "UNSIGNED_INT16",
        "u4": "UNSIGNED_INT32",
        "i1": "SIGNED_INT8",
        "i2": "SIGNED_INT16",
        "i4": "SIGNED_INT32",
        "f2": "HALF",
        "f4": "FLOAT",
    }
    name = names.get(np.dtype(dtype).str[1:])
    if name is None:
        raise TypeError(
            f"dtype_to_array_format: an array cannot have elements of {np.dtype(dtype)}; it can have integers of 8, 16 "
            "and 32 bits, float16 and float32, in up to four channels"
        )
    return array_format[name]


def _rows(matrix: Any, order: str, what: str) -> tuple[int, int]:
    """Height and width of a matrix as the array has them."""
    if order.upper() == "C":
        height, width = matrix.shape
        is_right = matrix.flags.c_contiguous
    elif order.upper() == "F":
        width, height = matrix.shape
        is_right = matrix.flags.f_contiguous
    else:
        raise LogicError(f"{what}: order must be 'F' or 'C', not {order!r}", operation=what)
    if not is_right:
        raise ValueError(
            f"{what}: the matrix is not in order {order!r} without gaps; copy it with numpy.array(m, order)"
        )
    return height, width


def matrix_to_array(matrix: Any, order: str, allow_double_hack: bool = False) -> Array:
    """A NumPy matrix as an array on the device; ``allow_double_hack`` puts doubles into two channels of int32."""
    import numpy as np

    height, width = _rows(matrix, order, "matrix_to_array")
    descriptor = ArrayDescriptor()
    descriptor.width, descriptor.height = width, height
    if matrix.dtype == np.float64 and allow_double_hack:
        descriptor.format, descriptor.num_channels = dtype_to_array_format(np.int32), 2
    else:
        descriptor.format, descriptor.num_channels = dtype_to_array_format(matrix.dtype), 1
    return _filled(descriptor, matrix, width * matrix.dtype.itemsize, height)


def make_multichannel_2d_array(ndarray: Any, order: str) -> Array:
    """Elements with several channels as an array: shape (height, width, channels), or reversed for order ``"F"``."""
    if order.upper() == "C":
        height, width, channels = ndarray.shape
    elif order.upper() == "F":
        channels, width, height = ndarray.shape
    else:
        raise LogicError(
            f"make_multichannel_2d_array: order must be 'F' or 'C', not {order!r}",
            operation="make_multichannel_2d_array",
        )
    host_memory("make_multichannel_2d_array", ndarray, False)
    descriptor = ArrayDescriptor()
    descriptor.width, descriptor.height = width, height
    descriptor.format, descriptor.num_channels = dtype_to_array_format(ndarray.dtype), channels
    return _filled(descriptor, ndarray, width * channels * ndarray.dtype.itemsize, height)


def _filled(descriptor: ArrayDescriptor, source: Any, row_bytes: int, height: int) -> Array:
    from cuprum.compat.pycuda._copies import Memcpy2D

    array = Array(descriptor)
    copy = Memcpy2D()
    copy.set_src_host(source)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = row_bytes
    copy.height = height
    copy(aligned=True)
    return array


def np_to_array(nparray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """A NumPy array of two or three dimensions as an array on the device."""
    import numpy as np

    shape = nparray.shape if order.upper() == "C" else nparray.shape[::-1]
    laid_out = np.asarray(nparray, order="C" if order.upper() == "C" else "F")
    return _boxed(shape, nparray.dtype, allowSurfaceBind, lambda copy: copy.set_src_host(laid_out))


def gpuarray_to_array(gpuarray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """A GPUArray of two or three dimensions as an array on the device."""
    shape = gpuarray.shape if order.upper() == "C" else gpuarray.shape[::-1]
    return _boxed(shape, gpuarray.dtype, allowSurfaceBind, lambda copy: copy.set_src_device(gpuarray.gpudata))


def _boxed(shape: Any, dtype: Any, is_surface: bool, set_source: Any) -> Array:
    from cuprum.compat.pycuda._copies import Memcpy3D
    from cuprum.compat.pycuda._enumerations import array3d_flags

    if len(shape) not in (2, 3):
        raise LogicError(
            f"the array has {len(shape)} dimensions; one on the device has 2 or 3", operation="making an array"
        )
    depth, height, width = shape if len(shape) == 3 else (0, *shape)
    descriptor = ArrayDescriptor3D()
    descriptor.width, descriptor.height, descriptor.depth = width, height, depth
    descriptor.flags = array3d_flags.SURFACE_LDST if is_surface else 0
    if dtype.kind == "c" or (dtype.kind == "f" and dtype.itemsize == 8):  # as two or four numbers of 32 bits
        descriptor.format, descriptor.num_channels = dtype_to_array_format("i4"), dtype.itemsize // 4
    else:
        descriptor.format, descriptor.num_channels = dtype_to_array_format(dtype), 1
    array = Array(descriptor)
    copy = Memcpy3D()
    set_source(copy)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = width * dtype.itemsize
    copy.src_height = copy.height = height
    copy.depth = max(depth, 1)
    copy()
    return array


def memcpy_dtoa(ary: Array, index: int, src: Any, len: int) -> None:
    """Copies ``len`` bytes of device memory to an array of one dimension, from byte ``index`` on."""
    check(_driver.cuMemcpyDtoA(ary.handle, index, device_address("memcpy_dtoa", src), len), "cuMemcpyDtoA")


def memcpy_atod(dest: Any, ary: Array, index: int, len: int) -> None:
    """Copies ``len`` bytes of an array of one dimension, from byte ``index`` on, to device memory."""
    check(_driver.cuMemcpyAtoD(device_address("memcpy_atod", dest), ary.handle, index, len), "cuMemcpyAtoD")


def memcpy_htoa(ary: Array, index: int, src: Any) -> None:
    """Copies host memory to an array of one dimension, from byte ``index`` on."""
    memory, size = host_memory("memcpy_htoa", src, False)
    check(_driver.cuMemcpyHtoA(ary.handle, index, memory, size), "cuMemcpyHtoA")


def memcpy_atoh(dest: Any, ary: Array, index: int) -> None:
    """Copies an array of one dimension, from byte ``index`` on, to host memory: as many bytes as that has."""
    memory, size = host_memory("memcpy_atoh", dest, True)
    check(_driver.cuMemcpyAtoH(memory, ary.handle, index, size), "cuMemcpyAtoH")


def memcpy_atoa(dest: Array, dest_index: int, src: Array, src_index: int, len: int) -> None:
    """Copies ``len`` bytes between arrays of one dimension."""
    check(_driver.cuMemcpyAtoA(dest.handle, dest_index, src.handle, src_index, len), "cuMemcpyAtoA")


py_memcpy_htoa = memcpy_htoa
py_memcpy_atoh = memcpy_atoh
