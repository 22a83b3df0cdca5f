"""The driver's enumerations under PyCUDA's names, ``device_attribute.WARP_SIZE``: each made when it is asked for."""

from __future__ import annotations

import enum
from typing import Any

from cuprum.bindings import driver as _driver

#: The driver's enumeration, and what the names of its enumerators lose.
_SOURCES = {
    "address_mode": ("CUaddress_mode", "CU_TR_ADDRESS_MODE_"),
    "array_format": ("CUarray_format", "CU_AD_FORMAT_"),
    "ctx_flags": ("CUctx_flags", "CU_CTX_"),
    "device_attribute": ("CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_"),
    "event_flags": ("CUevent_flags", "CU_EVENT_"),
    "filter_mode": ("CUfilter_mode", "CU_TR_FILTER_MODE_"),
    "func_cache": ("CUfunc_cache", "CU_FUNC_CACHE_"),
    "function_attribute": ("CUfunction_attribute", "CU_FUNC_ATTRIBUTE_"),
    "ipc_mem_flags": ("CUipcMem_flags", "CU_IPC_MEM_"),
    "jit_input_type": ("CUjitInputType", "CU_JIT_INPUT_"),
    "jit_option": ("CUjit_option", "CU_JIT_"),
    "jit_fallback": ("CUjit_fallback", "CU_PREFER_"),
    "jit_target": ("CUjit_target", "CU_TARGET_"),
    "limit": ("CUlimit", "CU_LIMIT_"),
    "memory_type": ("CUmemorytype", "CU_MEMORYTYPE_"),
    "mem_attach_flags": ("CUmemAttach_flags", "CU_MEM_ATTACH_"),
    "p2p_attribute": ("CUdevice_P2PAttribute", "CU_DEVICE_P2P_ATTRIBUTE_"),
    "shared_config": ("CUsharedconfig", "CU_SHARED_MEM_CONFIG_"),
    "stream_flags": ("CUstream_flags", "CU_STREAM_"),
}

#: Flags that the headers have as macros.
_FLAGS = {
    "host_alloc_flags": {"PORTABLE": 1, "DEVICEMAP": 2, "WRITECOMBINED": 4},
    "mem_host_register_flags": {"PORTABLE": 1, "DEVICEMAP": 2},
    "mem_peer_register_flags": {"DEVICEMAP": 2},
    "array3d_flags": {"ARRAY3D_LAYERED": 1, "2DARRAY": 1, "SURFACE_LDST": 2, "CUBEMAP": 4, "TEXTURE_GATHER": 8},
}

#: Names that PyCUDA has besides.
_ALSO = {
    "ctx_flags": {"SCHED_MASK": "SCHED_MASK", "BLOCKING_SYNC": "BLOCKING_SYNC"},
    "device_attribute": {
        "REGISTERS_PER_BLOCK": "MAX_REGISTERS_PER_BLOCK",
        "SHARED_MEMORY_PER_BLOCK": "MAX_SHARED_MEMORY_PER_BLOCK",
    },
}

NAMES = frozenset(_SOURCES) | frozenset(_FLAGS)


def _make(name: str) -> type[enum.IntEnum]:
    if name in _FLAGS:
        return enum.IntEnum(name, _FLAGS[name], module="cuprum.compat.pycuda.driver")
    source, prefix = _SOURCES[name]
    # Those of another prefix (a count, an alias of old names) are not PyCUDA's.
    members = {
        member.removeprefix(prefix): value.value
        for member, value in getattr(_driver, source).__members__.items()
        if member.startswith(prefix)
    }
    for alias, original in _ALSO.get(name, {}).items():
        if original in members:
            members.setdefault(alias, members[original])
    members.pop("MAX", None)
    return enum.IntEnum(name, members, module="cuprum.compat.pycuda.driver")


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()[name] = _make(name)
    return made
