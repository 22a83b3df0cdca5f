"""Programs: source text with the options to compile it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from cuprum import _operations
from cuprum._errors import Error
from cuprum._native import Owner, _cuprum
from cuprum.core._module import CODE_TYPES, Kernel, ObjectCode
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum.core._program_cache import ProgramCacheResource

    Texts: TypeAlias = str | Iterable[str]
    Macro: TypeAlias = str | tuple[str, str]
    Numbers: TypeAlias = int | Iterable[int]
    Modules: TypeAlias = Sequence[tuple[str, str | bytes | bytearray]]

    class TextSink(Protocol):
        def write(self, text: str, /) -> object: ...


_NATIVE = 0
_SOURCE_TYPES = {"c++": 0, "ptx": 1, "nvvm": 2}
#: What a file name may end in for ``Program(code, "saxpy.cu")``, and what it says about the source.
_SUFFIXES = {
    **dict.fromkeys((".cu", ".cuh", ".cpp", ".cc", ".cxx", ".hpp"), "c++"),
    ".ptx": "ptx",
    ".ll": "nvvm",
    ".bc": "nvvm",
}
#: The compiler of each.
_BACKENDS = {"c++": "NVRTC", "ptx": "driver", "nvvm": "NVVM"}


@dataclass
class ProgramOptions:
    """Options of one compile. None leaves the choice to the compiler.

    The CUDA and CCCL headers are found and added without an option. Where several values are possible, one alone or a
    list may be given.

    Source and target:

    - ``name``: the name of the source in compile logs, ``"saxpy.cu"``.
    - ``arch``: the architecture, ``"sm_90"`` or ``"compute_90"``; None is that of the device.
    - ``std``: the C++ standard, ``"c++17"`` or ``"c++20"``.
    - ``define_macro``: ``"N"``, ``"N=4"`` or ``("N", "4")``.
    - ``undefine_macro``: names that lose their definition.
    - ``include_path``: header folders, searched before the toolkit's own.
    - ``pre_include``: headers that are included before the first line.
    - ``no_source_include``: does not search the folder of the source itself.
    - ``device_as_default_execution_space``: a function without ``__device__`` or ``__host__`` is a device function.
    - ``device_int128``: ``__int128`` is a type.
    - ``device_float128``: ``__float128`` is a type.
    - ``builtin_move_forward``: ``std::move`` and ``std::forward`` need no header.
    - ``builtin_initializer_list``: ``std::initializer_list`` needs no header.

    Code:

    - ``relocatable_device_code``: makes code that is to be linked with other code.
    - ``extensible_whole_program``: the program may be extended by device-side launches when it is linked.
    - ``debug``: debug information, and no optimisation.
    - ``lineinfo``: line numbers, for profilers and sanitizers.
    - ``device_code_optimize``: optimises also where ``debug`` is set.
    - ``max_register_count``: the most registers that a thread may take.
    - ``ftz``: single-precision denormals become zero.
    - ``prec_sqrt``: single-precision square roots are rounded correctly.
    - ``prec_div``: single-precision divisions are rounded correctly.
    - ``fma``: a multiplication and an addition become one fused operation.
    - ``use_fast_math``: fast and less exact mathematics: ``ftz`` and ``fma``, but not ``prec_div`` and ``prec_sqrt``.
    - ``extra_device_vectorization``: vectorises more.
    - ``restrict``: all pointer parameters of kernels are treated as ``__restrict__``.
    - ``link_time_optimization``: makes LTO-IR, which is optimised when it is linked.
    - ``gen_opt_lto``: optimises the LTO-IR already when it is made.
    - ``ptxas_options``: options for the assembler, ``"-v"``.

    Diagnostics and compile time:

    - ``disable_warnings``: no warnings.
    - ``diag_error``, ``diag_suppress``, ``diag_warn``: numbers of diagnostics that become errors, are not shown, or
      become warnings.
    - ``no_display_error_number``: diagnostics without their numbers.
    - ``brief_diagnostics``: diagnostics without the source line.
    - ``optimization_info``: reports optimisations of that kind; ``"inline"`` is the only one.
    - ``time``: the file that the time of each phase is written to.
    - ``fdevice_time_trace``: the file that a trace of the compile is written to.
    - ``split_compile``: the number of threads that optimise; 0 is one for each core.
    - ``fdevice_syntax_only``: checks the source and makes no code.
    - ``minimal``: leaves out some built-in features, to compile faster.
    - ``ofast_compile``: trades optimisation for a faster compile: ``"0"``, ``"min"``, ``"mid"`` or ``"max"``.
    - ``frandom_seed``: the text that names made by the compiler depend on.
    - ``numba_debug``: debug information as Numba wants it; newer compilers alone know it.
    - ``no_cache``: neither Cuprum nor the compiler keeps the result.

    Precompiled headers:

    - ``pch``: makes and uses them without further options.
    - ``create_pch``: the file to make.
    - ``use_pch``: the file to use.
    - ``pch_dir``: the folder that they are in.
    - ``pch_verbose``: says why a file could not be used.
    - ``pch_messages``: says when one is made or used.
    - ``instantiate_templates_in_pch``: templates are instantiated before the file is made.

    NVVM IR (``code_type="nvvm"``), which also takes ``name``, ``arch``, ``debug``, ``device_code_optimize``, ``ftz``,
    ``prec_sqrt``, ``prec_div``, ``fma`` and ``no_cache``, and none of the others:

    - ``extra_sources``: further modules, ``[(name, text or bitcode)]``, that are compiled with the program as one.
    - ``use_libdevice``: links libdevice, CUDA's library of mathematical functions.
    """

    name: str | None = "default_program"
    arch: str | None = None
    relocatable_device_code: bool | None = None
    extensible_whole_program: bool | None = None
    debug: bool | None = None
    lineinfo: bool | None = None
    device_code_optimize: bool | None = None
    ptxas_options: Texts | None = None
    max_register_count: int | None = None
    ftz: bool | None = None
    prec_sqrt: bool | None = None
    prec_div: bool | None = None
    fma: bool | None = None
    use_fast_math: bool | None = None
    extra_device_vectorization: bool | None = None
    link_time_optimization: bool | None = None
    gen_opt_lto: bool | None = None
    define_macro: Macro | list[Macro] | None = None
    undefine_macro: Texts | None = None
    include_path: Texts | None = None
    pre_include: Texts | None = None
    no_source_include: bool | None = None
    std: str | None = "c++17"
    builtin_move_forward: bool | None = None
    builtin_initializer_list: bool | None = None
    disable_warnings: bool | None = None
    restrict: bool | None = None
    device_as_default_execution_space: bool | None = None
    device_int128: bool | None = None
    optimization_info: str | None = None
    no_display_error_number: bool | None = None
    diag_error: Numbers | None = None
    diag_suppress: Numbers | None = None
    diag_warn: Numbers | None = None
    brief_diagnostics: bool | None = None
    time: str | None = None
    split_compile: int | None = None
    fdevice_syntax_only: bool | None = None
    minimal: bool | None = None
    no_cache: bool | None = None
    fdevice_time_trace: str | None = None
    device_float128: bool | None = None
    frandom_seed: str | None = None
    ofast_compile: str | None = None
    pch: bool | None = None
    create_pch: str | None = None
    use_pch: str | None = None
    pch_dir: str | None = None
    pch_verbose: bool | None = None
    pch_messages: bool | None = None
    instantiate_templates_in_pch: bool | None = None
    extra_sources: Modules | None = None
    use_libdevice: bool | None = None
    numba_debug: bool | None = None

    def as_bytes(self, backend: str, target_type: str | None = None) -> list[bytes]:
        """The options as the compiler takes them: ``"nvrtc"`` or ``"nvvm"``, which take the same from Cuprum."""
        if backend.lower() not in ("nvrtc", "nvvm"):
            raise ValueError(f"backend must be 'nvrtc' or 'nvvm', not {backend!r}")
        return [text.encode() for text in self.as_options()]

    def as_options(self) -> list[str]:
        """The options as NVRTC takes them. ``extra_sources`` are none of them."""
        options: list[str] = []
        for field, option in _SWITCHES.items():
            if getattr(self, field):
                options.append(option)
        if self.device_code_optimize is not None:
            options.append(f"--dopt={'on' if self.device_code_optimize else 'off'}")
        for field, option in _VALUES.items():
            value = getattr(self, field)
            if value is not None:
                options.append(f"{option}={str(value).lower() if isinstance(value, bool) else value}")
        for field, option in _LISTS.items():
            value = getattr(self, field)
            if value is not None:
                entries = [value] if isinstance(value, str | int | os.PathLike) else value
                options.extend(f"{option}={os.fspath(e) if isinstance(e, os.PathLike) else e}" for e in entries)
        macros = self.define_macro
        if macros is not None:
            for macro in macros if isinstance(macros, list) else [macros]:
                text = macro if isinstance(macro, str) else "=".join(macro)
                options.append(f"--define-macro={text}")
        return options


#: Options that are there or not.
_SWITCHES = {
    "extensible_whole_program": "--extensible-whole-program",
    "debug": "--device-debug",
    "lineinfo": "--generate-line-info",
    "use_fast_math": "--use_fast_math",
    "extra_device_vectorization": "--extra-device-vectorization",
    "link_time_optimization": "--dlink-time-opt",
    "gen_opt_lto": "--gen-opt-lto",
    "no_source_include": "--no-source-include",
    "disable_warnings": "--disable-warnings",
    "restrict": "--restrict",
    "device_as_default_execution_space": "--device-as-default-execution-space",
    "device_int128": "--device-int128",
    "no_display_error_number": "--no-display-error-number",
    "fdevice_syntax_only": "--fdevice-syntax-only",
    "minimal": "--minimal",
    "no_cache": "--no-cache",
    "device_float128": "--device-float128",
    "pch": "--pch",
    "use_libdevice": "--use-libdevice",
    "numba_debug": "--numba-debug",
}
#: Options with a value; a bool is `true` or `false`.
_VALUES = {
    "arch": "--gpu-architecture",
    "relocatable_device_code": "--relocatable-device-code",
    "max_register_count": "--maxrregcount",
    "ftz": "--ftz",
    "prec_sqrt": "--prec-sqrt",
    "prec_div": "--prec-div",
    "fma": "--fmad",
    "std": "--std",
    "builtin_move_forward": "--builtin-move-forward",
    "builtin_initializer_list": "--builtin-initializer-list",
    "optimization_info": "--optimization-info",
    "brief_diagnostics": "--brief-diagnostics",
    "time": "--time",
    "split_compile": "--split-compile",
    "fdevice_time_trace": "--fdevice-time-trace",
    "frandom_seed": "--frandom-seed",
    "ofast_compile": "--Ofast-compile",
    "create_pch": "--create-pch",
    "use_pch": "--use-pch",
    "pch_dir": "--pch-dir",
    "pch_verbose": "--pch-verbose",
    "pch_messages": "--pch-messages",
    "instantiate_templates_in_pch": "--instantiate-templates-in-pch",
}
#: Options that may be given several times.
_LISTS = {
    "ptxas_options": "--ptxas-options",
    "undefine_macro": "--undefine-macro",
    "include_path": "--include-path",
    "pre_include": "--pre-include",
    "diag_error": "--diag-error",
    "diag_suppress": "--diag-suppress",
    "diag_warn": "--diag-warn",
}


def _source_type(code_type: str) -> tuple[str, str | None]:
    """``"c++"`` or ``"ptx"``, and the file name where ``code_type`` is one."""
    if not isinstance(code_type, str):
        raise TypeError(f"code_type must be a str, not {type(code_type).__name__}")
    lower = code_type.lower()
    if lower in _SOURCE_TYPES:
        return lower, None
    suffix = os.path.splitext(lower)[1]
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix], code_type
    raise ValueError(
        f"code_type must be 'c++', 'ptx', 'nvvm' or the name of a source file ({', '.join(_SUFFIXES)}), "
        f"not {code_type!r}"
    )


def _bitcode(what: str, code: object) -> bytes:
    if isinstance(code, str):
        return code.encode()
    if isinstance(code, bytes | bytearray):
        return bytes(code)
    raise TypeError(f"{what} must be a str, bytes or bytearray, not {type(code).__name__}")


def _modules(sources: Modules | None) -> list[tuple[str, bytes]]:
    modules = []
    for index, module in enumerate(sources or ()):
        if not isinstance(module, tuple) or len(module) != 2:
            raise TypeError(f"extra_sources[{index}] must be a tuple (name, source), not {type(module).__name__}")
        name, code = module
        if not isinstance(name, str):
            raise TypeError(f"the name of extra_sources[{index}] must be a str, not {type(name).__name__}")
        modules.append((name, _bitcode(f"the source of extra_sources[{index}]", code)))
    return modules


def _texts(options: ProgramOptions, source_type: str) -> list[str]:
    """Those of the options that say something about such a source."""
    if source_type == "ptx":  # which the driver compiles
        return ["--use-libdevice"] if options.use_libdevice else []
    texts = options.as_options()
    if source_type == "nvvm" and options.std == ProgramOptions.std:  # the default, which nobody has asked for
        texts = [text for text in texts if not text.startswith("--std=")]
    return texts


class Program(Owner):
    """Source text with the options to compile it.

    ``code_type`` is ``"c++"``, ``"ptx"`` or ``"nvvm"``, NVVM IR as text or bitcode; the name of a source file, as in
    ``Program(code, "saxpy.cu")``, says that too, and is the name of the source in compile logs. After a
    compile, ``program.saxpy`` is the kernel of that name.
    """

    __slots__ = ("_compiled", "_extra_sources", "_kernels", "_options", "_source", "_source_options", "_source_type")
    _destroy = staticmethod(_cuprum.cuprum_program_destroy)

    _compiled: ObjectCode | None
    _kernels: dict[str, Kernel]

    def __init__(
        self,
        code: str | bytes | bytearray,
        code_type: str = "c++",
        options: ProgramOptions | Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps the source and its options; ``compile()`` compiles. ``options`` may be a dictionary of their fields."""
        self._native = 0
        self._compiled = None
        self._kernels = {}
        source_type, file_name = _source_type(code_type)
        options = as_options(ProgramOptions, options)
        name = file_name if file_name is not None else options.name
        self._source: Any
        if source_type == "nvvm":
            self._source = _bitcode("NVVM IR", code)
        else:
            self._source = code.decode() if isinstance(code, bytes | bytearray) else code
        self._source_type = source_type
        self._options = options
        self._source_options = (name, _texts(options, source_type))
        self._extra_sources = _modules(options.extra_sources)
        self._native = self._create([])

    def _create(self, more_options: Sequence[str]) -> int:
        name, options = self._source_options
        if more_options:
            # Given twice is an error for some options: those of the compile stand.
            given = {_option_name(option) for option in more_options}
            options = [option for option in options if _option_name(option) not in given]
        texts = [*options, *more_options]
        if self._source_type == "nvvm":
            native = _cuprum.cuprum_program_create_nvvm(self._source, name, texts)
        else:
            native = _cuprum.cuprum_program_create(self._source, _SOURCE_TYPES[self._source_type], name, texts)
        try:
            for module_name, module in self._extra_sources:
                _cuprum.cuprum_program_add_module(native, module, module_name)
        except BaseException:
            _cuprum.cuprum_program_destroy(native)
            raise
        return native

    def compile(
        self,
        target_type: str | Sequence[str] | None = None,
        name_expressions: Sequence[str] = (),
        logs: TextSink | None = None,
        *,
        cache: ProgramCacheResource | None = None,
    ) -> ObjectCode:
        """Compiles to ``"ptx"``, ``"cubin"`` or ``"ltoir"``; None is what the device loads directly.

        A list of NVRTC options may be given in place of the target; they are added to those of the program.
        ``name_expressions`` are C++ names of template instances and the like, found again by ``get_kernel``. The log
        of a successful compile, such as warnings, is written to ``logs``; that of a failed one is in
        ``CompileError.log``.
        """
        if cache is not None:
            return self._compile_with(cache, target_type, name_expressions, logs)
        native = self._open_native(_operations.PROGRAM_COMPILE)
        options: list[str] = []
        if target_type is not None and not isinstance(target_type, str):
            if not isinstance(target_type, Iterable):
                raise TypeError(
                    f"target_type must be a str or a sequence of NVRTC options, not {type(target_type).__name__}"
                )
            options = list(target_type)
            target_type = None
        expressions = [
            e.decode() if isinstance(e, bytes) else e for e in _as_list("name_expressions", name_expressions)
        ]
        code_type = self._target(target_type, options)
        if options:
            native = self._create(options)
        try:
            compiled = _cuprum.cuprum_program_compile(native, code_type, expressions)
            log = _cuprum.cuprum_program_log() if logs is not None else ""
        finally:
            if options:
                _cuprum.cuprum_program_destroy(native)
        # From here on the handle has its owner: a failure below frees it.
        code = ObjectCode._wrap(compiled, self._source_options[0] or "", {})
        for expression in expressions:
            code._symbol_mapping[expression] = _cuprum.cuprum_object_code_lowered_name(compiled, expression)
        if logs is not None and log:
            logs.write(log)
        self._compiled = code
        self._kernels = {}
        return code

    def _compile_with(
        self,
        cache: ProgramCacheResource,
        target_type: str | Sequence[str] | None,
        name_expressions: Sequence[str],
        logs: TextSink | None,
    ) -> ObjectCode:
        """From the cache, if it has the code; else compiled, and put there."""
        from cuprum.core._program_cache import make_program_cache_key

        if not isinstance(target_type, str):
            raise ValueError("with a cache the target is one of 'ptx', 'cubin' and 'ltoir'")
        if name_expressions:
            raise ValueError("a cache keeps code alone: compile without name_expressions, or without a cache")
        key = make_program_cache_key(
            code=self._source, code_type=self._source_type, options=self._options, target_type=target_type
        )
        known = cache.get(key)
        if known is not None:
            make = {"ptx": ObjectCode.from_ptx, "cubin": ObjectCode.from_cubin, "ltoir": ObjectCode.from_ltoir}
            code = make[target_type.lower()](known, name=self._source_options[0] or "")
            self._compiled, self._kernels = code, {}
            return code
        code = self.compile(target_type, logs=logs)
        cache[key] = code
        return code

    @staticmethod
    def _target(target_type: str | None, options: Sequence[str]) -> int:
        if target_type is None:
            # A virtual architecture has no machine code: the driver makes it from the PTX.
            values = [option.partition("=")[2] for option in options if _option_name(option) == "--gpu-architecture"]
            return CODE_TYPES["ptx"] if values and values[-1].startswith("compute_") else _NATIVE
        target = CODE_TYPES.get(target_type.lower())
        if target is None or target_type.lower() not in ("ptx", "cubin", "ltoir"):
            raise ValueError(f"target_type must be 'ptx', 'cubin' or 'ltoir', not {target_type!r}")
        return target

    @property
    def backend(self) -> str:
        """The compiler in use: ``"NVRTC"``, ``"NVVM"`` for NVVM IR, or ``"driver"`` for PTX."""
        return _BACKENDS[self._source_type]

    def __getattr__(self, name: str) -> Kernel:
        # Called for names that the class lacks. Python itself asks for names with underscores: for copies, pickles.
        # Whatever is wrong is an AttributeError, so that hasattr() and inspect have an answer.
        missing = f"'Program' object has no attribute {name!r}"
        if name.startswith("_"):
            raise AttributeError(missing, name=name, obj=self)
        if self._compiled is None:
            raise AttributeError(
                f"{missing}, and has no kernels yet: call compile() first, then its kernels are its attributes",
                name=name,
                obj=self,
            )
        kernel = self._kernels.get(name)
        if kernel is None:
            try:
                kernel = self._kernels[name] = self._compiled.get_kernel(name)
            except Error as error:
                raise AttributeError(f"{missing}: {error}", name=name, obj=self) from error
        return kernel

    def __repr__(self) -> str:
        state = "closed" if self.is_closed else self._source_type
        return f"<Program {self._source_options[0]!r}, {state}>"


#: NVRTC's short names.
_SHORT_NAMES = {"-arch": "--gpu-architecture", "-std": "--std"}


def _option_name(option: str) -> str:
    """The part before ``=``, in its long form; empty for an option that may be given several times."""
    name = option.partition("=")[0]
    name = _SHORT_NAMES.get(name, name)
    return "" if name in _REPEATABLE or not name.startswith("--") else name


_REPEATABLE = {*_LISTS.values(), "--define-macro"}


def _as_list(what: str, texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str | bytes):
        raise TypeError(f"{what} must be a sequence of str, not a single one")
    return list(texts)
