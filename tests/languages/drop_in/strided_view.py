"""A function that takes any array: it looks at address, shape, strides and type."""

import numpy as np
from cuda.core.utils import StridedMemoryView, args_viewable_as_strided_memory


@args_viewable_as_strided_memory((0,))
def describe(array):
    view = array.view(-1)
    assert isinstance(view, StridedMemoryView)
    return view.shape, view.strides, view.dtype, view.device_id, view.is_device_accessible, view.readonly


array = np.arange(24, dtype=np.float32).reshape(4, 6)
shape, strides, dtype, device, accessible, readonly = describe(array)
assert tuple(shape) == (4, 6)
assert dtype == np.float32
assert device == -1
assert not accessible
assert not readonly

shape, strides, *_ = describe(array[:, ::2])
assert tuple(shape) == (4, 3)
assert tuple(strides) == (6, 2)  # in elements
print("done")
