"""Compiled code and the kernels in it."""

from __future__ import annotations

import array
import operator
import os
import stat
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, SupportsIndex, SupportsInt

from cuprum import _operations
from cuprum._errors import InvalidArgument
from cuprum._native import Owner, _cuprum
from cuprum.core import _current
from cuprum.core._members import KernelMembers, KernelOccupancyMembers

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._global_variable import GlobalVariable
    from cuprum.core._launch import LaunchConfig
    from cuprum.core._stream import IsStreamType, Stream

#: The names of the C ABI's code types.
CODE_TYPES = {"ptx": 1, "cubin": 2, "ltoir": 3, "fatbin": 4, "object": 5, "library": 6}
_CODE_TYPE_NAMES = {number: name for name, number in CODE_TYPES.items()}


#: Bytes of a file with code, as in the other languages.
_LARGEST_FILE = 4 << 30

#: The names of the C ABI's kinds of parameter, by number.
_KINDS = ("unknown", "boolean", "integer", "floating_point", "bfloat16", "pointer", "integer_or_pointer")


class _Place(NamedTuple):
    offset: int
    size: int


class ParamInfo(_Place):
    """A kernel's parameter: ``offset`` and ``size`` in its parameter buffer, in bytes, as a tuple, and its kind.

    ``kind`` is ``"boolean"``, ``"integer"``, ``"floating_point"`` (of 2, 4 or 8 bytes), ``"bfloat16"``, ``"pointer"``,
    ``"integer_or_pointer"`` or ``"unknown"``, which structs are too. ``type`` is the type as C++ writes it,
    ``"const float*"``, or empty.
    """

    kind: str
    type: str

    def __new__(cls, offset: int, size: int, kind: str = "unknown", type: str = "") -> ParamInfo:
        info = super().__new__(cls, offset, size)
        info.kind = kind
        info.type = type
        return info

    def __repr__(self) -> str:
        return f"ParamInfo(offset={self.offset}, size={self.size}, kind={self.kind!r}, type={self.type!r})"


class KernelAttributes:
    """A kernel's attributes on the current device; ``attributes[device]`` for another. Sizes in bytes."""

    __slots__ = ("_device_id", "_kernel", "_values")

    def __init__(self, kernel: Kernel, device_id: int | None = None) -> None:
        """The attributes of a kernel on a device or on the current one, like ``Kernel.attributes``."""
        self._kernel = kernel
        self._device_id = device_id
        self._values: dict[int, dict[str, int]] = {}

    def __getitem__(self, device: Device | int) -> KernelAttributes:
        from cuprum.core._device import Device

        if not isinstance(device, Device | int):
            raise TypeError(f"the device must be a Device or its ordinal, not {type(device).__name__}")
        return KernelAttributes(self._kernel, int(device))

    # Python would take [] for a sequence's, which never ends.
    __iter__: ClassVar[None] = None
    __contains__: ClassVar[None] = None

    def _get(self, name: str) -> int:
        device_id = _current.device_id() if self._device_id is None else self._device_id
        values = self._values.get(device_id)
        if values is None:
            native = self._kernel._open_native(_operations.KERNEL_ATTRIBUTES_GET)
            values = self._values[device_id] = _cuprum.cuprum_kernel_attributes_get(native, device_id)
        return values[name]

    def _set(self, attribute: int, value: int) -> None:
        device_id = _current.device_id() if self._device_id is None else self._device_id
        native = self._kernel._open_native(_operations.KERNEL_SET_ATTRIBUTE)
        _cuprum.cuprum_kernel_set_attribute(native, device_id, attribute, value)
        self._values.pop(device_id, None)

    @property
    def max_threads_per_block(self) -> int:
        """The largest block that it can be launched with; its registers may set it below the device's limit."""
        return self._get("max_threads_per_block")

    @property
    def shared_size_bytes(self) -> int:
        """Static shared memory per block."""
        return self._get("shared_size_bytes")

    @property
    def const_size_bytes(self) -> int:
        """Constant memory."""
        return self._get("const_size_bytes")

    @property
    def local_size_bytes(self) -> int:
        """Local memory per thread."""
        return self._get("local_size_bytes")

    @property
    def num_regs(self) -> int:
        """Registers per thread."""
        return self._get("num_regs")

    @property
    def ptx_version(self) -> int:
        """The virtual architecture that it was compiled for, 90 for ``compute_90``."""
        return self._get("ptx_version")

    @property
    def binary_version(self) -> int:
        """The architecture of its machine code, 90 for ``sm_90``."""
        return self._get("binary_version")

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """Settable: more than 48 KiB of dynamic shared memory per block must be asked for."""
        return self._get("max_dynamic_shared_size_bytes")

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, value: int) -> None:
        device_id = _current.device_id() if self._device_id is None else self._device_id
        native = self._kernel._open_native(_operations.KERNEL_SET_MAX_DYNAMIC_SHARED_SIZE)
        _cuprum.cuprum_kernel_set_max_dynamic_shared_size(native, device_id, value)
        self._values.pop(device_id, None)

    @property
    def cache_mode_ca(self) -> bool:
        """Whether it was compiled with ``-Xptxas --dlcm=ca``."""
        return bool(self._get("cache_mode_ca"))

    @property
    def preferred_shared_memory_carveout(self) -> int:
        """Settable: the percentage of a multiprocessor's memory for shared memory; -1 leaves it to the driver."""
        return self._get("preferred_shared_memory_carveout")

    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, value: int) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT, value)

    @property
    def cluster_size_must_be_set(self) -> bool:
        """Whether a launch without a cluster size fails."""
        return bool(self._get("cluster_size_must_be_set"))

    @property
    def required_cluster_width(self) -> int:
        """Settable: the width of a cluster in blocks; 0 if none is required."""
        return self._get("required_cluster_width")

    @required_cluster_width.setter
    def required_cluster_width(self, value: int) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_REQUIRED_CLUSTER_WIDTH, value)

    @property
    def required_cluster_height(self) -> int:
        """Settable: the height of a cluster in blocks; 0 if none is required."""
        return self._get("required_cluster_height")

    @required_cluster_height.setter
    def required_cluster_height(self, value: int) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_REQUIRED_CLUSTER_HEIGHT, value)

    @property
    def required_cluster_depth(self) -> int:
        """Settable: the depth of a cluster in blocks; 0 if none is required."""
        return self._get("required_cluster_depth")

    @required_cluster_depth.setter
    def required_cluster_depth(self, value: int) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_REQUIRED_CLUSTER_DEPTH, value)

    @property
    def non_portable_cluster_size_allowed(self) -> bool:
        """Settable: whether clusters of more than 8 blocks, which not every device supports, can be launched."""
        return bool(self._get("non_portable_cluster_size_allowed"))

    @non_portable_cluster_size_allowed.setter
    def non_portable_cluster_size_allowed(self, value: bool) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, int(value))

    @property
    def cluster_scheduling_policy_preference(self) -> int:
        """Settable: how clusters are distributed over a device: a ``CUclusterSchedulingPolicy``."""
        return self._get("cluster_scheduling_policy_preference")

    @cluster_scheduling_policy_preference.setter
    def cluster_scheduling_policy_preference(self, value: int) -> None:
        self._set(_cuprum.CUPRUM_KERNEL_CLUSTER_SCHEDULING_POLICY_PREFERENCE, int(value))


class MaxPotentialBlockSizeOccupancyResult(NamedTuple):
    """The launch that fills a device best: ``min_grid_size`` blocks of ``max_block_size`` threads."""

    min_grid_size: int
    max_block_size: int


def _is_in_c(size_for: object) -> bool:
    """Whether it is the address of a function: the bindings' type, ours or NVIDIA's, some of which are numbers too."""
    return type(size_for).__name__ == "CUoccupancyB2DSize"


def _size_function(size_for: object) -> Callable[[int], int]:
    if callable(size_for):
        return size_for
    if _is_in_c(size_for) and isinstance(size_for, SupportsInt):
        import ctypes  # seldom needed, and slow to import

        return ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int)(int(size_for))
    raise TypeError(
        "dynamic_shared_memory_needed must be a number of bytes, or a function that gives it for a number of threads, "
        f"not {type(size_for).__name__}"
    )


class KernelOccupancy(KernelOccupancyMembers):
    """How much of the current device a kernel can fill."""

    __slots__ = ()

    def __init__(self, kernel: Kernel) -> None:
        """The occupancy of a kernel, like ``Kernel.occupancy``."""
        self._kernel = kernel

    def max_potential_block_size(
        self, dynamic_shared_memory_needed: int | Callable[[int], int] | SupportsInt, block_size_limit: int = 0
    ) -> MaxPotentialBlockSizeOccupancyResult:
        """The block size at which the most threads run at once, and how many such blocks fill the device.

        ``dynamic_shared_memory_needed`` is the bytes for each block: a number, a function of the number of threads that
        returns it, or the ``CUoccupancyB2DSize`` of such a function in C. ``block_size_limit`` is the most threads that
        a block may have, 0 for as many as the kernel allows.
        """
        native = self._kernel._open_native(_operations.KERNEL_MAX_POTENTIAL_BLOCK_SIZE)
        device_id = _current.device_id()
        if isinstance(dynamic_shared_memory_needed, SupportsIndex) and not _is_in_c(dynamic_shared_memory_needed):
            needed = operator.index(dynamic_shared_memory_needed)
            result = _cuprum.cuprum_kernel_max_potential_block_size(native, device_id, needed, block_size_limit)
        else:
            size_for = _size_function(dynamic_shared_memory_needed)
            most = self._kernel.attributes[device_id].max_threads_per_block
            # Asked for here, and not by the driver: what it raises reaches the caller.
            sizes = array.array("Q", [size_for(threads) for threads in range(1, most + 1)])
            result = _cuprum.cuprum_kernel_max_potential_block_size_of_sizes(native, device_id, sizes, block_size_limit)
        return MaxPotentialBlockSizeOccupancyResult(*result)

    def _ask(
        self,
        question: Callable[..., int],
        operation: str,
        config: LaunchConfig,
        stream: Stream | IsStreamType,
    ) -> int:
        from cuprum.core._launch import LaunchConfig
        from cuprum.core._stream import as_stream

        kernel = self._kernel._open_native(operation)
        if not isinstance(config, LaunchConfig):
            raise TypeError(f"config must be a LaunchConfig, not {type(config).__name__}")
        in_stream = as_stream(stream)  # alive during the call, also where it only borrows
        return question(kernel, *config._numbers(), in_stream._open_native(operation))

    def max_potential_cluster_size(self, config: LaunchConfig, *, stream: Stream | IsStreamType) -> int:
        """The most blocks that a cluster can have when the kernel is launched so in a stream.

        The configuration's own ``cluster`` is ignored. More than 8 only when
        ``kernel.attributes.non_portable_cluster_size_allowed`` is set. Unsupported on a device without clusters.
        """
        question, operation = (
            _cuprum.cuprum_kernel_max_potential_cluster_size,
            _operations.KERNEL_MAX_POTENTIAL_CLUSTER_SIZE,
        )
        return self._ask(question, operation, config, stream)

    def max_active_clusters(self, config: LaunchConfig, *, stream: Stream | IsStreamType) -> int:
        """How many clusters of ``config.cluster`` blocks run at once on the stream's device, or on its part of it.

        Unsupported on a device without clusters. 0 where neither the configuration nor the kernel gives a cluster's
        dimensions.
        """
        question, operation = _cuprum.cuprum_kernel_max_active_clusters, _operations.KERNEL_MAX_ACTIVE_CLUSTERS
        return self._ask(question, operation, config, stream)


class Kernel(KernelMembers, _cuprum.KernelHandle):
    """A kernel, ready to be launched on any device. Made by ``ObjectCode.get_kernel``; keeps its code loaded.

    ``kernel[config](*args)`` launches it in the default stream of the current device,
    ``kernel[config, stream](*args)`` in a stream, like ``launch(stream, config, kernel, *args)``.
    """

    __slots__ = ("_attributes",)
    _destroy = staticmethod(_cuprum.release_kernel)

    _attributes: KernelAttributes | None

    def __init__(self) -> None:
        """Raises TypeError: kernels come from ``ObjectCode.get_kernel``."""
        raise TypeError("get kernels from ObjectCode.get_kernel()")

    @classmethod
    def _wrap(cls, native: int) -> Kernel:
        kernel = cls.__new__(cls)
        kernel._native = native
        kernel._attributes = None
        return kernel

    @staticmethod
    def from_handle(handle: int, mod: ObjectCode | None = None) -> Kernel:
        """A kernel that other code has loaded, by its ``CUkernel``.

        ``mod`` is the object code that it belongs to, which the kernel keeps loaded. Without it, the caller
        keeps the library loaded for as long as the kernel is used.
        """
        if mod is not None and not isinstance(mod, ObjectCode):
            raise TypeError(f"mod must be an ObjectCode, not {type(mod).__name__}")
        code = 0 if mod is None else mod._open_native(_operations.KERNEL_FROM_NATIVE)
        return Kernel._wrap(_cuprum.cuprum_kernel_from_native(int(handle), code))

    @property
    def arguments_info(self) -> list[ParamInfo]:
        """The offset and size of each parameter, and its type as far as it is known."""
        native = self._open_native(_operations.KERNEL_ARGUMENT_INFO)
        parameters = []
        for i in range(self.num_arguments):
            kind, type_text = _cuprum.cuprum_kernel_argument_type(native, i)
            offset, size = _cuprum.cuprum_kernel_argument_info(native, i)
            parameters.append(ParamInfo(offset, size, _KINDS[kind], type_text))
        return parameters

    @property
    def attributes(self) -> KernelAttributes:
        """The kernel's attributes: registers, shared memory and so on."""
        if self._attributes is None:
            self._attributes = KernelAttributes(self)
        return self._attributes

    @property
    def occupancy(self) -> KernelOccupancy:
        """How much of a device it can fill."""
        return KernelOccupancy(self)

    def __getitem__(self, config: LaunchConfig | tuple[LaunchConfig, Stream | IsStreamType]) -> Callable[..., None]:
        from cuprum.core._device import Device
        from cuprum.core._launch import launch

        stream: Stream | IsStreamType
        if isinstance(config, tuple):
            config, stream = config
        else:
            stream = Device().default_stream
        chosen = config

        def launch_with(*args: object) -> None:
            launch(stream, chosen, self, *args)

        return launch_with

    # Python would take [] for a sequence's, which never ends.
    __iter__: ClassVar[None] = None
    __contains__: ClassVar[None] = None

    def __repr__(self) -> str:
        return "<Kernel closed>" if self.is_closed else f"<Kernel {self.name}>"


def _read_file(path: str | os.PathLike[str]) -> bytes:
    """Not from a device or a pipe, which may never end, and which opening may wait for."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        problem = ""
        if not stat.S_ISREG(status.st_mode):
            problem = "it is not a regular file"
        elif status.st_size > _LARGEST_FILE:
            problem = f"the file has {status.st_size} bytes, code has at most {_LARGEST_FILE}"
        if problem:
            advice = "copy the code to a file, or pass its bytes"
            raise InvalidArgument(
                f"reading code from the file {os.fspath(path)!r}: {problem}; {advice}",
                operation="reading code from a file",
                object=os.fspath(path),
                detail=problem,
                advice=advice,
            )
        return file.read(status.st_size)


class ObjectCode(Owner):
    """Compiled code: from ``Program.compile``, or from elsewhere with ``from_ptx``, ``from_cubin`` and so on.

    Loaded into the driver at the first ``get_kernel``. Kernels stay usable when it is closed.
    """

    __slots__ = ("_name", "_symbol_mapping")
    _destroy = staticmethod(_cuprum.release_object_code)

    _name: str
    #: Name expression -> name in the code.
    _symbol_mapping: dict[str, str]

    def __init__(self) -> None:
        """Raises TypeError: object code comes from ``Program.compile``, ``from_ptx`` and so on."""
        raise TypeError("make object code with Program.compile() or ObjectCode.from_ptx(), from_cubin(), from_fatbin()")

    @classmethod
    def _wrap(cls, native: int, name: str, symbol_mapping: dict[str, str]) -> ObjectCode:
        code = cls.__new__(cls)
        code._native = native
        code._name = name
        code._symbol_mapping = symbol_mapping
        return code

    @classmethod
    def _from(
        cls,
        code_type: str,
        module: bytes | str | os.PathLike[str],
        name: str,
        symbol_mapping: Mapping[str, str] | None,
    ) -> ObjectCode:
        if isinstance(module, str | os.PathLike):
            code = _read_file(module)
            name = name or os.path.basename(module)
        else:
            try:
                code = bytes(memoryview(module))
            except TypeError:
                raise TypeError(
                    f"the {code_type} code must be bytes, or the path of a file, not {type(module).__name__}"
                ) from None
        if not code:
            raise InvalidArgument(f"the {code_type} code is empty", object=name, detail="it has no bytes")
        native = _cuprum.cuprum_object_code_create(code, CODE_TYPES[code_type], name)
        return cls._wrap(native, name, dict(symbol_mapping or {}))

    @classmethod
    def from_ptx(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """PTX: its text as bytes, or the path of a file with it."""
        return cls._from("ptx", module, name, symbol_mapping)

    @classmethod
    def from_cubin(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """A cubin: its bytes, or the path of a file."""
        return cls._from("cubin", module, name, symbol_mapping)

    @classmethod
    def from_ltoir(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """LTO-IR: its bytes, or the path of a file. A Linker turns it into code that a device loads."""
        return cls._from("ltoir", module, name, symbol_mapping)

    @classmethod
    def from_fatbin(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """A fatbin: its bytes, or the path of a file."""
        return cls._from("fatbin", module, name, symbol_mapping)

    @classmethod
    def from_object(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """An object, as nvcc writes it: its bytes, or the path of a file. A Linker turns it into loadable code."""
        return cls._from("object", module, name, symbol_mapping)

    @classmethod
    def from_library(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """A library of objects: its bytes, or the path of a file. A Linker takes from it what other inputs use."""
        return cls._from("library", module, name, symbol_mapping)

    @property
    def code(self) -> bytes:
        """The bytes; PTX is text without a NUL at its end."""
        return _cuprum.cuprum_object_code_bytes(self._open_native(_operations.OBJECT_CODE_BYTES))

    @property
    def code_type(self) -> str:
        """``"ptx"``, ``"cubin"``, ``"ltoir"``, ``"fatbin"``, ``"object"`` or ``"library"``."""
        return _CODE_TYPE_NAMES[_cuprum.cuprum_object_code_type(self._open_native(_operations.OBJECT_CODE_TYPE))]

    @property
    def name(self) -> str:
        """Its name in error messages."""
        return self._name

    @property
    def symbol_mapping(self) -> dict[str, str]:
        """The name in the code of each name expression that was given to the compile."""
        return dict(self._symbol_mapping)

    @property
    def kernel_names(self) -> list[str]:
        """The names of all kernels. Loads the code."""
        native = self._open_native(_operations.OBJECT_CODE_KERNEL_COUNT)
        count = _cuprum.cuprum_object_code_kernel_count(native)
        return [_cuprum.cuprum_object_code_kernel_name(native, i) for i in range(count)]

    def get_kernel(self, name: str | bytes) -> Kernel:
        """A kernel by its name, or by a name expression given to the compile. KernelNotFound lists all kernels."""
        text = name.decode() if isinstance(name, bytes) else name
        native = self._open_native(_operations.OBJECT_CODE_GET_KERNEL)
        mapped = self._symbol_mapping.get(text, text)
        return Kernel._wrap(_cuprum.cuprum_object_code_get_kernel(native, mapped))

    def get_global(self, name: str | bytes) -> GlobalVariable:
        """A ``__device__``, ``__constant__`` or ``__managed__`` variable on the current device: a buffer, with values.

        By its name, or by the name expression ``"&name"`` given to the compile. The memory belongs to the code, which
        the buffer keeps loaded. InvalidArgument when the code has no such variable.
        """
        from cuprum.core._global_variable import GlobalVariable

        text = name.decode() if isinstance(name, bytes) else name
        native = self._open_native(_operations.OBJECT_CODE_GET_GLOBAL)
        mapped = self._symbol_mapping.get(text, text)
        return GlobalVariable._of(_cuprum.cuprum_object_code_get_global(native, _current.device_id(), mapped), text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.code_type, self.code, self._name, self._symbol_mapping)

    def __repr__(self) -> str:
        return "<ObjectCode closed>" if self.is_closed else f"<ObjectCode {self._name!r}, {self.code_type}>"


def _unpickle(code_type: str, code: bytes, name: str, symbol_mapping: dict[str, str]) -> ObjectCode:
    return ObjectCode._from(code_type, code, name, symbol_mapping)
