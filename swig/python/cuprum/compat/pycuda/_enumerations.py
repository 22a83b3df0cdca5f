"""The driver's enumerations under PyCUDA's names, ``device_attribute.WARP_SIZE``: each made when it is asked for.

As PyCUDA's they are ints, whose text is the name, and the classes have ``names`` and ``values``.
"""

from __future__ import annotations

import enum
from typing import Any

from cuprum.bindings import driver as _driver

#: The driver's enumeration, and what the names of its enumerators lose.
_SOURCES = {
    "address_mode": ("CUaddress_mode", "CU_TR_ADDRESS_MODE_"),
    "array_cubemap_face": ("CUarray_cubemap_face", "CU_CUBEMAP_FACE_"),
    "array_format": ("CUarray_format", "CU_AD_FORMAT_"),
    "compute_mode": ("CUcomputemode", "CU_COMPUTEMODE_"),
    "ctx_flags": ("CUctx_flags", "CU_CTX_"),
    "device_attribute": ("CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_"),
    "event_flags": ("CUevent_flags", "CU_EVENT_"),
    "filter_mode": ("CUfilter_mode", "CU_TR_FILTER_MODE_"),
    "func_cache": ("CUfunc_cache", "CU_FUNC_CACHE_"),
    "function_attribute": ("CUfunction_attribute", "CU_FUNC_ATTRIBUTE_"),
    "graphics_register_flags": ("CUgraphicsRegisterFlags", "CU_GRAPHICS_REGISTER_FLAGS_"),
    "ipc_mem_flags": ("CUipcMem_flags", "CU_IPC_MEM_"),
    "jit_fallback": ("CUjit_fallback", "CU_"),
    "jit_input_type": ("CUjitInputType", "CU_JIT_INPUT_"),
    "jit_option": ("CUjit_option", "CU_JIT_"),
    "jit_target": ("CUjit_target", "CU_TARGET_"),
    "limit": ("CUlimit", "CU_LIMIT_"),
    "mem_attach_flags": ("CUmemAttach_flags", "CU_MEM_ATTACH_"),
    "memory_type": ("CUmemorytype", "CU_MEMORYTYPE_"),
    "pointer_attribute": ("CUpointer_attribute", "CU_POINTER_ATTRIBUTE_"),
    "shared_config": ("CUsharedconfig", "CU_SHARED_MEM_CONFIG_"),
}

#: Enumerators that the headers no longer have, or have as macros.
_ALSO = {
    "ctx_flags": {"BLOCKING_SYNC": 4, "MAP_HOST": 8, "LMEM_RESIZE_TO_MAX": 16},
    "device_attribute": {
        "REGISTERS_PER_BLOCK": 12,
        "SHARED_MEMORY_PER_BLOCK": 8,
        "GPU_OVERLAP": 15,
        "MAXIMUM_TEXTURE2D_ARRAY_WIDTH": 27,
        "MAXIMUM_TEXTURE2D_ARRAY_HEIGHT": 28,
        "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES": 29,
    },
    "jit_target": {"COMPUTE_30": 30, "COMPUTE_32": 32, "COMPUTE_35": 35, "COMPUTE_37": 37},
    "profiler_output_mode": {"KEY_VALUE_PAIR": 0, "CSV": 1},
}

#: Flags that PyCUDA has as classes of numbers.
_FLAGS = {
    "array3d_flags": {
        "ARRAY3D_2DARRAY": 1,
        "ARRAY3D_LAYERED": 1,
        "2DARRAY": 1,
        "SURFACE_LDST": 2,
        "CUBEMAP": 4,
        "TEXTURE_GATHER": 8,
    },
    "host_alloc_flags": {"PORTABLE": 1, "DEVICEMAP": 2, "WRITECOMBINED": 4},
    "mem_host_register_flags": {"PORTABLE": 1, "DEVICEMAP": 2},
}

NAMES = frozenset(_SOURCES) | frozenset(_ALSO) | frozenset(_FLAGS)
_MODULE = "cuprum.compat.pycuda.driver"


class _Named(enum.IntEnum):
    def __str__(self) -> str:
        return self.name


def _make(name: str) -> Any:
    if name in _FLAGS:
        return type(name, (), {"__module__": _MODULE, **_FLAGS[name]})
    source, prefix = _SOURCES.get(name, ("", ""))
    # Those of another prefix are not the enumeration's, and MAX is the number of them.
    members = {
        member.removeprefix(prefix): value.value
        for member, value in (getattr(_driver, source).__members__.items() if source else ())
        if member.startswith(prefix)
    }
    for also, number in _ALSO.get(name, {}).items():
        members.setdefault(also, number)
    make: Any = _Named
    made = make(name, members, module=_MODULE)
    made.names = dict(made.__members__)
    made.values = {int(member): member for member in made}
    return made


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()[name] = _make(name)
    return made
