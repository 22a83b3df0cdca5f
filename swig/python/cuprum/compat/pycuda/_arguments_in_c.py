"""Parameters of kernels as C declares them: what ``ElementwiseKernel`` and its like take as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.compat.pycuda._dtypes import dtype_to_ctype, get_or_register_dtype

if TYPE_CHECKING:
    import numpy as np


class Argument:
    """A parameter: its dtype and its name."""

    dtype: np.dtype[Any]
    name: str

    def __init__(self, dtype: Any, name: str) -> None:
        """``Argument(numpy.float32, "x")``."""
        import numpy as np

        self.dtype = np.dtype(dtype)
        self.name = name

    def declarator(self) -> str:
        """The parameter in C."""
        raise NotImplementedError(f"{type(self).__name__}: make a VectorArg or a ScalarArg")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dtype})"


class VectorArg(Argument):
    """An array: ``float *x``."""

    struct_char = "P"

    def declarator(self) -> str:
        """The parameter in C."""
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(Argument):
    """A number: ``float x``."""

    def declarator(self) -> str:
        """The parameter in C."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"

    @property
    def struct_char(self) -> str:
        """What ``Function.prepare`` calls its type."""
        return self.dtype.char


#: What a declaration may say besides, and what is not kept of it.
_QUALIFIERS = frozenset({"const", "volatile", "__restrict__", "__restrict"})


def parse_c_arg(c_arg: str) -> VectorArg | ScalarArg:
    """The parameter that C declares so: ``parse_c_arg("const float *x")``."""
    words = c_arg.replace("*", " * ").split()
    words = [word for word in words if word not in _QUALIFIERS]
    stars = words.count("*")
    if stars > 1 or "[" in c_arg or "&" in c_arg:
        raise ValueError(f"parse_c_arg: {c_arg!r} is neither a number nor a pointer to numbers, such as 'float *x'")
    words = [word for word in words if word != "*"]
    if len(words) < 2:
        raise ValueError(f"parse_c_arg: {c_arg!r} needs a type and a name, as in 'float *x' or 'int n'")
    *kind, name = words
    if not name.isidentifier():
        raise ValueError(f"parse_c_arg: {name!r} in {c_arg!r} is not a name")
    try:
        dtype = get_or_register_dtype(" ".join(kind))
    except ValueError:
        raise ValueError(
            f"parse_c_arg: {c_arg!r}: the type {' '.join(kind)!r} is not known; register it with "
            "tools.get_or_register_dtype(name, dtype)"
        ) from None
    return (VectorArg if stars else ScalarArg)(dtype, name)


def get_arg_type(c_arg: str) -> str:
    """The letter of the parameter's type for ``Function.prepare``."""
    return parse_c_arg(c_arg).struct_char
