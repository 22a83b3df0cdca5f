"""Linkers, which join compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._members import LinkerMembers
from cuprum.core._module import CODE_TYPES, ObjectCode
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from typing import TypeAlias

    Texts: TypeAlias = str | tuple[str, ...] | list[str]


@dataclass
class LinkerOptions:
    """Options of one linker. None leaves the choice to nvJitLink. Where several texts are possible, one may be given.

    - ``name``: the name of the linked code, in errors.
    - ``arch``: the architecture, ``"sm_90"``; None is that of the device.
    - ``max_register_count``: the most registers that a thread may take.
    - ``time``: writes the time of each phase to the info log.
    - ``verbose``: writes registers and memory of each kernel to the info log.
    - ``link_time_optimization``: optimises across all inputs. LTO-IR turns it on.
    - ``ptx``: ``handle`` is one that makes PTX. ``link`` decides by its target.
    - ``optimization_level``: 0 or 3.
    - ``debug``: debug information.
    - ``lineinfo``: line numbers, for profilers and sanitizers.
    - ``ftz``: single-precision denormals become zero. This and the next three act on LTO-IR.
    - ``prec_div``: single-precision divisions are rounded correctly.
    - ``prec_sqrt``: single-precision square roots are rounded correctly.
    - ``fma``: a multiplication and an addition become one fused operation.
    - ``kernels_used``: kernels, by name or name expression; others may be removed.
    - ``variables_used``: variables, by name or name expression; others may be removed.
    - ``optimize_unused_variables``: removes variables that no code uses.
    - ``ptxas_options``: options for the assembler, ``"-v"``.
    - ``split_compile``: the number of threads that compile; 0 is one for each core.
    - ``split_compile_extended``: the same, split further, which may make the code slower.
    - ``no_cache``: turns off nvJitLink's own cache.
    - ``numba_debug``: has no effect.
    """

    name: str | None = "<default linker>"
    arch: str | None = None
    max_register_count: int | None = None
    time: bool | None = None
    verbose: bool | None = None
    link_time_optimization: bool | None = None
    ptx: bool | None = None
    optimization_level: int | None = None
    debug: bool | None = None
    lineinfo: bool | None = None
    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fma: bool | None = None
    kernels_used: Texts | None = None
    variables_used: Texts | None = None
    optimize_unused_variables: bool | None = None
    ptxas_options: Texts | None = None
    split_compile: int | None = None
    split_compile_extended: int | None = None
    no_cache: bool | None = None
    numba_debug: bool | None = None

    def as_options(self) -> list[str]:
        """The options as nvJitLink takes them."""
        options = [option for field, option in _SWITCHES.items() if getattr(self, field)]
        for field, option in _VALUES.items():
            value = getattr(self, field)
            if value is not None:
                options.append(f"{option}{int(value) if isinstance(value, bool) else value}")
        for field, option in _LISTS.items():
            value = getattr(self, field)
            if value is not None:
                options += [f"{option}={text}" for text in ([value] if isinstance(value, str) else value)]
        return options

    def as_bytes(self, backend: str = "nvjitlink") -> list[bytes]:
        """The options as nvJitLink takes them, as bytes. ``backend`` must be ``"nvjitlink"``."""
        if backend.lower() != "nvjitlink":
            raise ValueError(f"backend must be 'nvjitlink', not {backend!r}")
        return [option.encode() for option in self.as_options()]


#: Options that are there or not.
_SWITCHES = {
    "time": "-time",
    "verbose": "-verbose",
    "link_time_optimization": "-lto",
    "ptx": "-ptx",
    "debug": "-g",
    "lineinfo": "-lineinfo",
    "optimize_unused_variables": "-optimize-unused-variables",
    "no_cache": "-no-cache",
}
#: Options with a value; a bool is 1 or 0.
_VALUES = {
    "arch": "-arch=",
    "max_register_count": "-maxrregcount=",
    "optimization_level": "-O",
    "ftz": "-ftz=",
    "prec_div": "-prec-div=",
    "prec_sqrt": "-prec-sqrt=",
    "fma": "-fma=",
    "split_compile": "-split-compile=",
    "split_compile_extended": "-split-compile-extended=",
}
#: Options that may be given several times.
_LISTS = {
    "kernels_used": "-kernels-used",
    "variables_used": "-variables-used",
    "ptxas_options": "-Xptxas",
}


class Linker(LinkerMembers):
    """Links object codes: PTX, cubins, LTO-IR, fatbins, objects and libraries, in any mixture.

    Keeps its inputs, which may be closed, and can link them again, to another kind of code.
    """

    __slots__ = ("_name", "_symbol_mapping")
    _destroy = staticmethod(_cuprum.release_linker)

    def __init__(self, *object_codes: ObjectCode, options: LinkerOptions | Mapping[str, Any] | None = None) -> None:
        """Takes the inputs; ``link()`` links. ``options`` may be a dictionary of their fields."""
        self._native = 0
        if not object_codes:
            raise ValueError("a Linker needs at least one ObjectCode")
        for position, code in enumerate(object_codes):
            if not isinstance(code, ObjectCode):
                raise TypeError(f"input {position + 1} of the Linker must be an ObjectCode, not {type(code).__name__}")
        options = as_options(LinkerOptions, options)
        self._name = options.name or ""
        self._symbol_mapping: dict[str, str] = {}
        for code in object_codes:
            self._symbol_mapping = {**code.symbol_mapping, **self._symbol_mapping}
        self._native = _cuprum.cuprum_linker_create(self._name, self._lowered(options.as_options()))
        for code in object_codes:
            _cuprum.cuprum_linker_add(self._native, code._open_native(_operations.LINKER_ADD))

    def _lowered(self, options: Iterable[str]) -> list[str]:
        """With the names in the code for name expressions, including those given to ``from_ltoir`` and the like."""
        return [self._lowered_option(option) for option in options]

    def _lowered_option(self, option: str) -> str:
        name, separator, value = option.partition("=")
        is_symbol = name in (_LISTS["kernels_used"], _LISTS["variables_used"])
        return name + separator + (self._symbol_mapping.get(value, value) if is_symbol else value)

    def link(self, target_type: str) -> ObjectCode:
        """Links to ``"cubin"`` or, where all inputs are LTO-IR, to ``"ptx"``.

        The name expressions of the inputs are those of the result. NvJitLinkError says what does not match;
        its ``log`` has nvJitLink's messages.
        """
        target = CODE_TYPES.get(target_type.lower()) if isinstance(target_type, str) else None
        if target not in (CODE_TYPES["cubin"], CODE_TYPES["ptx"]):
            raise ValueError(f"target_type must be 'cubin' or 'ptx', not {target_type!r}")
        native = self._open_native(_operations.LINKER_LINK)
        return ObjectCode._wrap(_cuprum.cuprum_linker_link(native, target), self._name, dict(self._symbol_mapping))

    @classmethod
    def which_backend(cls) -> str:
        """The linker in use: always ``"nvJitLink"``."""
        return "nvJitLink"

    @property
    def backend(self) -> str:
        """The linker in use: ``"nvJitLink"``."""
        return self.which_backend()

    def __repr__(self) -> str:
        state = "closed" if self.is_closed else self.backend
        return f"<Linker {self._name!r}, {state}>"
