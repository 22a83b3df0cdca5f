"""NumPy's types under their names in C."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    DType = np.dtype[Any]

_by_name: dict[str, DType] = {}
_by_type: dict[DType, str] = {}


def _fill() -> None:
    """NumPy's own numbers. The first name of each is the one that code is made with."""
    import numpy as np

    for names, dtype in (
        (["bool"], np.bool_),
        (["signed char", "char", "int8_t"], np.int8),
        (["unsigned char", "uint8_t"], np.uint8),
        (["short", "signed short", "short int", "signed short int", "int16_t"], np.int16),
        (["unsigned short", "unsigned short int", "uint16_t"], np.uint16),
        (["int", "signed int", "int32_t"], np.int32),
        (["unsigned int", "unsigned", "uint32_t"], np.uint32),
        (["long", "long int", "signed long", "signed long int"], np.int64),
        (["unsigned long", "unsigned long int", "size_t", "uintptr_t"], np.uint64),
        (["long long", "long long int", "signed long long", "int64_t"], np.longlong),
        (["unsigned long long", "unsigned long long int", "uint64_t"], np.ulonglong),
        (["float"], np.float32),
        (["double"], np.float64),
        (["half", "__half"], np.float16),
        (["pycuda::complex<float>"], np.complex64),
        (["pycuda::complex<double>"], np.complex128),
    ):
        for name in names:
            _by_name.setdefault(name, np.dtype(dtype))
        _by_type.setdefault(np.dtype(dtype), names[0])


def _filled() -> dict[str, DType]:
    if not _by_name:
        _fill()
    return _by_name


def get_or_register_dtype(c_names: str | Sequence[str], dtype: Any = None) -> DType:
    """The dtype under one of these names in C; with ``dtype``, which gets these names if it has none yet."""
    import numpy as np

    known = _filled()
    names = [c_names] if isinstance(c_names, str) else list(c_names)
    if dtype is None:
        if len(names) != 1:
            raise ValueError("get_or_register_dtype: give one name, or a dtype as well")
        if names[0] not in known:
            raise ValueError(f"get_or_register_dtype: {names[0]!r} is not registered; give its dtype as well")
        return known[names[0]]
    wanted: DType = np.dtype(dtype)
    for name in names:
        existing = known.get(name)
        if existing is not None and existing != wanted:
            raise RuntimeError(f"get_or_register_dtype: {name!r} is {existing} already, and cannot be {wanted} as well")
        known.setdefault(name, wanted)
    _by_type.setdefault(wanted, names[0])
    return wanted


def register_dtype(dtype: Any, c_names: str | Sequence[str], alias_ok: bool = False) -> DType:
    """``get_or_register_dtype`` with the arguments the other way round."""
    return get_or_register_dtype(c_names, dtype)


def base_dtype_to_ctype(dtype: Any) -> str:
    """``dtype_to_ctype`` without its second argument."""
    return dtype_to_ctype(dtype)


def dtype_to_ctype(dtype: Any, with_fp_tex_hack: bool = False) -> str:
    """The name in C of a dtype."""
    import numpy as np

    _filled()
    wanted = np.dtype(dtype)
    if with_fp_tex_hack:
        if wanted == np.float32:
            return "fp_tex_float"
        if wanted == np.float64:
            return "fp_tex_double"
    name = _by_type.get(wanted)
    if name is None:
        raise ValueError(
            f"dtype_to_ctype: {wanted} has no name in C; give it one with get_or_register_dtype(name, dtype), or use a "
            "dtype of NumPy's numbers"
        )
    return name
