"""Compiled code and the kernels in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cuprum import _operations
from cuprum._errors import InvalidArgument
from cuprum._native import Owner, _cuprum
from cuprum.core import _current
from cuprum.core._members import KernelMembers, KernelOccupancyMembers

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._launch import LaunchConfig
    from cuprum.core._stream import IsStreamType, Stream

#: The names of the C ABI's code types.
CODE_TYPES = {"ptx": 1, "cubin": 2, "ltoir": 3, "fatbin": 4, "object": 5, "library": 6}
_CODE_TYPE_NAMES = {number: name for name, number in CODE_TYPES.items()}


#: The names of the C ABI's kinds of parameter, by number.
_KINDS = ("unknown", "boolean", "integer", "floating_point", "bfloat16", "pointer", "integer_or_pointer")


class _Place(NamedTuple):
    offset: int
    size: int


class ParamInfo(_Place):
    """A kernel's parameter: ``offset`` and ``size`` in its parameter buffer, in bytes, as a tuple, and what it is.

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
    """What a kernel needs, on the current device; ``attributes[device]`` for another. Sizes in bytes."""

    __slots__ = ("_device_id", "_kernel", "_values")

    def __init__(self, kernel: Kernel, device_id: int | None = None) -> None:
        """Those of a kernel, on a device or on the current one, like ``Kernel.attributes``."""
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


class KernelOccupancy(KernelOccupancyMembers):
    """How much of the current device a kernel can fill."""

    __slots__ = ()

    def __init__(self, kernel: Kernel) -> None:
        """That of a kernel, like ``Kernel.occupancy``."""
        self._kernel = kernel


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

    @property
    def arguments_info(self) -> list[ParamInfo]:
        """Where each parameter lies, and what it is as far as that is known."""
        native = self._open_native(_operations.KERNEL_ARGUMENT_INFO)
        parameters = []
        for i in range(self.num_arguments):
            kind, type_text = _cuprum.cuprum_kernel_argument_type(native, i)
            offset, size = _cuprum.cuprum_kernel_argument_info(native, i)
            parameters.append(ParamInfo(offset, size, _KINDS[kind], type_text))
        return parameters

    @property
    def attributes(self) -> KernelAttributes:
        """What it needs: registers, shared memory and so on."""
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
            with open(module, "rb") as file:
                code = file.read()
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
        """LTO-IR: its bytes, or the path of a file. A Linker makes of it what a device loads."""
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
        """An object, as nvcc writes it: its bytes, or the path of a file. A Linker makes of it what a device loads."""
        return cls._from("object", module, name, symbol_mapping)

    @classmethod
    def from_library(
        cls,
        module: bytes | str | os.PathLike[str],
        *,
        name: str = "",
        symbol_mapping: Mapping[str, str] | None = None,
    ) -> ObjectCode:
        """A library of objects: its bytes, or the path of a file. A Linker takes of it what other inputs use."""
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
        """What error messages call it."""
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
        """A kernel by its name, or by a name expression given to the compile. KernelNotFound lists those there are."""
        text = name.decode() if isinstance(name, bytes) else name
        native = self._open_native(_operations.OBJECT_CODE_GET_KERNEL)
        mapped = self._symbol_mapping.get(text, text)
        return Kernel._wrap(_cuprum.cuprum_object_code_get_kernel(native, mapped))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.code_type, self.code, self._name, self._symbol_mapping)

    def __repr__(self) -> str:
        return "<ObjectCode closed>" if self.is_closed else f"<ObjectCode {self._name!r}, {self.code_type}>"


def _unpickle(code_type: str, code: bytes, name: str, symbol_mapping: dict[str, str]) -> ObjectCode:
    return ObjectCode._from(code_type, code, name, symbol_mapping)
