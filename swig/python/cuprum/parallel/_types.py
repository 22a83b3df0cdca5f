"""Element types: NumPy dtypes, and the texts that the C ABI has for them."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from cuprum.parallel._wide import int128, is_wide

_SCALARS = {
    "bool": "bool",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "float16": "float16",
    "bfloat16": "bfloat16",  # ml_dtypes
    "float32": "float32",
    "float64": "float64",
    "complex64": "complex64",
    "complex128": "complex128",
}

_CPP_NAMES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float16": "__half",
    "bfloat16": "__nv_bfloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "::cuda::std::complex<float>",
    "complex128": "::cuda::std::complex<double>",
}


def _structure_name(body: str) -> str:
    return "struct_" + hashlib.sha256(body.encode()).hexdigest()[:12]


#: Of the scalar dtypes that were asked for: a dtype makes its name anew each time.
_texts: dict[np.dtype[Any], str] = {}


def type_text(dtype: np.dtype[Any]) -> str:
    """A dtype's name in the C ABI, see ``_type_text``."""
    text = _texts.get(dtype)
    if text is None:
        text = _type_text(dtype)
        if dtype.names is None:
            _texts[dtype] = text
    return text


def _type_text(dtype: np.dtype[Any]) -> str:
    """A dtype's name in the C ABI: ``"float32"``, or a struct with its fields at their offsets.

    A structured dtype's alignment is that of a C struct where it was made with ``align=True``, else that of its most
    demanding field; fields that the device cannot reach at their offsets are an error.
    """
    if is_wide(dtype):
        return "int128" if dtype == int128 else "uint128"
    if dtype.names is None:
        if not dtype.isnative or dtype.name not in _SCALARS:
            raise TypeError(
                f"the algorithms have no type for the dtype {dtype}; they take bool, integers of 8 to 64 bits, "
                "float16, bfloat16, float32, float64, complex64, complex128, int128, uint128 (cuprum.parallel), and "
                "structs of these, in native byte order"
            )
        return _SCALARS[dtype.name]
    if dtype.subdtype is not None or not dtype.names:
        raise TypeError(f"the dtype {dtype} has no fields that a struct could have")
    parts = []
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]  # type: ignore[index]
        if not (name.isascii() and name.isidentifier()):
            raise TypeError(f"the field {name!r} of {dtype} has no name that C++ could have")
        parts.append((offset, f"{name}:{type_text(field)}@{offset}"))
    body = "{" + ",".join(text for _, text in sorted(parts)) + "}:" + f"{dtype.itemsize}:{_alignment(dtype)}"
    return _structure_name(body) + body


def _alignment(dtype: np.dtype[Any]) -> int:
    if is_wide(dtype):
        return dtype.itemsize
    if dtype.names is None:
        # CUDA's complex numbers are aligned to their size; NumPy's to that of their parts.
        return dtype.itemsize if dtype.kind == "c" else dtype.alignment
    return max(_alignment(dtype.fields[name][0]) for name in dtype.names)  # type: ignore[index]


def cpp_name(dtype: np.dtype[Any]) -> str:
    """The type's name in an operator's text."""
    if is_wide(dtype):
        return "__int128" if dtype == int128 else "unsigned __int128"
    if dtype.names is None:
        return _CPP_NAMES[type_text(dtype)]
    return type_text(dtype).split("{", 1)[0]


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype.name == "bfloat16"


def is_narrow_float(dtype: np.dtype[Any]) -> bool:
    """Whether the device computes functions of it in float."""
    return dtype.name in ("float16", "bfloat16")
