"""Stands in for CuPy: what programs over arrays on the device need of it, and no more."""

import numpy as np
from cuprum.parallel import DeviceArray


class ndarray:
    def __init__(self, memory):
        self._memory = memory
        self.dtype, self.size, self.nbytes = memory.dtype, memory.size, memory.size * memory.dtype.itemsize
        self.shape = (self.size,)
        self.__cuda_array_interface__ = memory.__cuda_array_interface__

    def get(self):
        return self._memory.to_numpy()


def asarray(values, dtype=None):
    return ndarray(DeviceArray.from_numpy(np.asarray(values, dtype=dtype)))


array = asarray


def empty(shape, dtype=np.float64):
    return ndarray(DeviceArray.empty(int(np.prod(shape)), dtype))


def zeros(shape, dtype=np.float64):
    return asarray(np.zeros(int(np.prod(shape)), dtype))


def empty_like(other):
    return empty(other.size, other.dtype)


def asnumpy(values):
    return values.get()
