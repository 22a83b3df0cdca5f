"""The libraries that Cuprum exchanges arrays with, as the tests use them: one class each, all with the same members."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]


class Library:
    """A library that is installed and finds a device."""

    name = ""
    module = ""
    #: Whether the program chooses its streams.
    has_streams = True
    #: Whether its arrays can be written to in place.
    arrays_are_writable = True
    #: Whether the device that was current is current again after work on another.
    leaves_the_current_device = True

    def __init__(self) -> None:
        self.imported = importlib.import_module(self.module)

    def version(self) -> str:
        return str(self.imported.__version__)

    def num_devices(self) -> int:
        raise NotImplementedError

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        """A copy on the device, which is done."""
        raise NotImplementedError

    def to_numpy(self, array: Any) -> Values:
        """A copy, after all of the library's work."""
        raise NotImplementedError

    def address(self, array: Any) -> int:
        raise NotImplementedError

    def device_of(self, array: Any) -> int:
        raise NotImplementedError

    def take(self, exporter: Any) -> Any:
        """The library's array over another one's memory, for work in its current stream."""
        raise NotImplementedError

    def twice(self, array: Any) -> Any:
        """A new array, made in the library's current stream."""
        raise NotImplementedError

    def stream(self, device: int = 0) -> contextlib.AbstractContextManager[Any]:
        """A new stream, which is the library's current one inside the block. It has ``__cuda_stream__``."""
        raise NotImplementedError

    def sync(self) -> None:
        raise NotImplementedError


class CuPy(Library):
    name, module = "CuPy", "cupy"

    def num_devices(self) -> int:
        return int(self.imported.cuda.runtime.getDeviceCount())

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        with self.imported.cuda.Device(device):
            array = self.imported.asarray(values)
            self.sync()
            return array

    def to_numpy(self, array: Any) -> Values:
        with array.device:
            self.imported.cuda.Device().synchronize()
            return np.asarray(array.get())

    def address(self, array: Any) -> int:
        return int(array.data.ptr)

    def device_of(self, array: Any) -> int:
        return int(array.device.id)

    def take(self, exporter: Any) -> Any:
        return self.imported.from_dlpack(exporter)

    def twice(self, array: Any) -> Any:
        return array * 2

    @contextlib.contextmanager
    def stream(self, device: int = 0) -> Any:
        with self.imported.cuda.Device(device), self.imported.cuda.Stream(non_blocking=True) as stream:
            yield stream if hasattr(stream, "__cuda_stream__") else Lent(stream.ptr, stream)

    def sync(self) -> None:
        self.imported.cuda.Device().synchronize()


class PyTorch(Library):
    name, module = "PyTorch", "torch"

    def num_devices(self) -> int:
        return int(self.imported.cuda.device_count())

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        tensor = self.imported.from_numpy(values.copy()).to(f"cuda:{device}")
        self.imported.cuda.synchronize(device)
        return tensor

    def to_numpy(self, array: Any) -> Values:
        self.imported.cuda.synchronize(array.device)
        return np.asarray(array.cpu().numpy())

    def address(self, array: Any) -> int:
        return int(array.data_ptr())

    def device_of(self, array: Any) -> int:
        return int(array.device.index)

    def take(self, exporter: Any) -> Any:
        return self.imported.from_dlpack(exporter)

    def twice(self, array: Any) -> Any:
        return array * 2

    @contextlib.contextmanager
    def stream(self, device: int = 0) -> Any:
        stream = self.imported.cuda.Stream(device)
        with self.imported.cuda.device(device), self.imported.cuda.stream(stream):
            yield stream if hasattr(stream, "__cuda_stream__") else Lent(stream.cuda_stream, stream)

    def sync(self) -> None:
        self.imported.cuda.synchronize()


class Jax(Library):
    name, module = "JAX", "jax"
    has_streams = False
    arrays_are_writable = False
    leaves_the_current_device = False

    def __init__(self) -> None:
        super().__init__()
        importlib.import_module("jax.dlpack")

    def num_devices(self) -> int:
        return len(self.imported.devices("cuda"))

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        return self.imported.device_put(values, self.imported.devices("cuda")[device]).block_until_ready()

    def to_numpy(self, array: Any) -> Values:
        return np.array(array.block_until_ready())

    def address(self, array: Any) -> int:
        return int(array.unsafe_buffer_pointer())

    def device_of(self, array: Any) -> int:
        return int(next(iter(array.devices())).id)

    def take(self, exporter: Any) -> Any:
        return self.imported.dlpack.from_dlpack(exporter)

    def twice(self, array: Any) -> Any:
        return array * 2

    def sync(self) -> None:
        self.imported.effects_barrier()


class TensorFlow(Library):
    """Its tensors have no ``__dlpack__``: it has functions for capsules."""

    name, module = "TensorFlow", "tensorflow"
    has_streams = False
    arrays_are_writable = False

    def num_devices(self) -> int:
        return len(self.imported.config.list_physical_devices("GPU"))

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        with self.imported.device(f"GPU:{device}"):
            tensor = self.imported.identity(self.imported.constant(values))
        self.sync()
        return Tensor(self.imported, tensor)

    def to_numpy(self, array: Any) -> Values:
        return np.asarray(array.tensor.numpy())

    def address(self, array: Any) -> int:
        from cuprum.core.utils import StridedMemoryView

        return StridedMemoryView(array, -1).ptr

    def device_of(self, array: Any) -> int:
        return int(array.__dlpack_device__()[1])

    def take(self, exporter: Any) -> Any:
        # The legacy default stream waits for the work so far; TensorFlow's streams are not to be had.
        capsule = exporter.__dlpack__(stream=1)
        from cuprum.core import Device

        Device(exporter.__dlpack_device__()[1]).default_stream.sync()
        return Tensor(self.imported, self.imported.experimental.dlpack.from_dlpack(capsule))

    def twice(self, array: Any) -> Any:
        return Tensor(self.imported, array.tensor * 2)

    def sync(self) -> None:
        self.imported.test.experimental.sync_devices()


class Tensor:
    """A TensorFlow tensor with the DLPack protocol. ``to_dlpack`` returns when the tensor's work is done."""

    def __init__(self, tensorflow: Any, tensor: Any) -> None:
        self.tensorflow, self.tensor = tensorflow, tensor

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, int(self.tensor.device.rsplit(":", 1)[1])

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return self.tensorflow.experimental.dlpack.to_dlpack(self.tensor)


class Numba(Library):
    """Its arrays have ``__cuda_array_interface__`` alone, and each has the stream that it was made with."""

    name, module = "numba-cuda", "numba.cuda"

    def __init__(self) -> None:
        super().__init__()
        self._stream: Any = 0
        from numba import cuda

        @cuda.jit  # type: ignore[untyped-decorator]
        def double(array: Any, result: Any) -> None:
            index = cuda.grid(1)
            if index < array.size:
                result[index] = array[index] * 2

        self._double = double

    def version(self) -> str:
        import importlib.metadata

        return importlib.metadata.version("numba-cuda")

    def num_devices(self) -> int:
        return len(self.imported.gpus)

    def from_numpy(self, values: Values, device: int = 0) -> Any:
        with self.imported.gpus[device]:
            array = self.imported.to_device(values, stream=self._stream)
            self.imported.synchronize()
            return array

    def to_numpy(self, array: Any) -> Values:
        self.imported.synchronize()
        return np.asarray(array.copy_to_host())

    def address(self, array: Any) -> int:
        return int(array.__cuda_array_interface__["data"][0])

    def device_of(self, array: Any) -> int:
        return int(array.gpu_data.context.device.id) if array.gpu_data.context else 0

    def take(self, exporter: Any) -> Any:
        return self.imported.as_cuda_array(exporter)

    def twice(self, array: Any) -> Any:
        flat = array.ravel()
        result = self.imported.device_array(flat.size, flat.dtype, stream=self._stream)
        self._double[(flat.size + 127) // 128, 128, self._stream](flat, result)
        return result.reshape(array.shape).bind(self._stream)  # a new shape forgets its stream

    @contextlib.contextmanager
    def stream(self, device: int = 0) -> Any:
        with self.imported.gpus[device]:
            self._stream = self.imported.stream()
            try:
                yield self._stream
            finally:
                self._stream.synchronize()
                self._stream = 0

    def sync(self) -> None:
        self.imported.synchronize()


class Lent:
    """A library's stream that has no ``__cuda_stream__`` of its own."""

    def __init__(self, handle: int, stream: Any) -> None:
        self.handle, self.stream = handle, stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle


LIBRARIES: list[type[Library]] = [CuPy, PyTorch, Jax, TensorFlow, Numba]


def why_not(library: type[Library]) -> str | None:
    """The reason why a library cannot be used here; None where it can."""
    try:
        found = importlib.util.find_spec(library.module)
    except ModuleNotFoundError:
        found = None
    if found is None:
        return f"{library.name} is not installed"
    try:
        if library().num_devices() == 0:
            return f"{library.name} finds no device"
    except Exception as error:
        return f"{library.name} finds no device: {type(error).__name__}: {str(error).splitlines()[0]}"
    return None
