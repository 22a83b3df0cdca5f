"""nvcc's options in NVRTC's words. What only nvcc can do is refused with the reason."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from typing import NoReturn

from cuprum.compat.pycuda._errors import CompileError

#: Options of every SourceModule that has none of its own: ``PYCUDA_DEFAULT_NVCC_FLAGS``.
DEFAULT_NVCC_FLAGS: list[str] = shlex.split(os.environ.get("PYCUDA_DEFAULT_NVCC_FLAGS", ""))

#: Options without a value.
_SWITCHES = {
    "--use_fast_math": "--use_fast_math",
    "-use_fast_math": "--use_fast_math",
    "--device-debug": "--device-debug",
    "-G": "--device-debug",
    "--generate-line-info": "--generate-line-info",
    "-lineinfo": "--generate-line-info",
    "--lineinfo": "--generate-line-info",
    "--disable-warnings": "--disable-warnings",
    "-w": "--disable-warnings",
    "--restrict": "--restrict",
    "-restrict": "--restrict",
    "--extra-device-vectorization": "--extra-device-vectorization",
    "-extra-device-vectorization": "--extra-device-vectorization",
    "--display-error-number": "--display-error-number",
    "--no-display-error-number": "--no-display-error-number",
    "--extended-lambda": "--extended-lambda",
    "-extended-lambda": "--extended-lambda",
    "--expt-extended-lambda": "--extended-lambda",
    "-expt-extended-lambda": "--extended-lambda",
}

#: Options that change nothing here: they are about the host's code, about files, or what NVRTC does anyway.
_WITHOUT_EFFECT = {
    "--expt-relaxed-constexpr",
    "-expt-relaxed-constexpr",
    "--resource-usage",
    "-res-usage",
    "-m64",
    "--machine=64",
    "-g",
    "--debug",
    "-v",
    "--verbose",
    "-k",
    "--keep",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "--cubin",
    "-cubin",
    "--ptx",
    "-ptx",
    "--allow-unsupported-compiler",
    "-allow-unsupported-compiler",
}

#: Options with a value, after ``=`` or as the next option; what NVRTC calls them.
_VALUES = {
    "-I": "--include-path",
    "--include-path": "--include-path",
    "-D": "--define-macro",
    "--define-macro": "--define-macro",
    "-U": "--undefine-macro",
    "--undefine-macro": "--undefine-macro",
    "-include": "--pre-include",
    "--pre-include": "--pre-include",
    "-std": "--std",
    "--std": "--std",
    "-arch": "--gpu-architecture",
    "--gpu-architecture": "--gpu-architecture",
    "-maxrregcount": "--maxrregcount",
    "--maxrregcount": "--maxrregcount",
    "-ftz": "--ftz",
    "--ftz": "--ftz",
    "-prec-div": "--prec-div",
    "--prec-div": "--prec-div",
    "-prec-sqrt": "--prec-sqrt",
    "--prec-sqrt": "--prec-sqrt",
    "-fmad": "--fmad",
    "--fmad": "--fmad",
    "-Xptxas": "--ptxas-options",
    "--ptxas-options": "--ptxas-options",
    "-diag-suppress": "--diag-suppress",
    "--diag-suppress": "--diag-suppress",
    "-diag-error": "--diag-error",
    "--diag-error": "--diag-error",
    "-diag-warn": "--diag-warn",
    "--diag-warn": "--diag-warn",
    "-default-stream": "",
    "--default-stream": "",
}

#: Options with a value that NVRTC lacks, and why they are refused.
_REFUSED = {
    "-Xcompiler": "is for the host's compiler, which does not run here: only device code is compiled",
    "--compiler-options": "is for the host's compiler, which does not run here: only device code is compiled",
    "-ccbin": "names the host's compiler, which does not run here: leave it out",
    "--compiler-bindir": "names the host's compiler, which does not run here: leave it out",
    "-L": "is for linking: link with cuprum.core.Linker",
    "--library-path": "is for linking: link with cuprum.core.Linker",
    "-l": "is for linking: link with cuprum.core.Linker",
    "--library": "is for linking: link with cuprum.core.Linker",
    "-Xlinker": "is for linking: link with cuprum.core.Linker",
    "--linker-options": "is for linking: link with cuprum.core.Linker",
    "-gencode": "names several architectures: give SourceModule one, as arch=; the default is the device's own",
    "--generate-code": "names several architectures: give SourceModule one, as arch=; the default is the device's own",
    "-code": "is SourceModule's own argument: code=",
    "--gpu-code": "is SourceModule's own argument: code=",
    "-o": "names a file: SourceModule writes none; keep=True keeps them",
    "--output-file": "names a file: SourceModule writes none; keep=True keeps them",
    "-x": "names a language: the source is CUDA C++",
    "--x": "names a language: the source is CUDA C++",
    "-rdc": "makes code that is to be linked: compile with cuprum.core.Program and link with cuprum.core.Linker",
    "--relocatable-device-code": (
        "makes code that is to be linked: compile with cuprum.core.Program and link with cuprum.core.Linker"
    ),
    "-dc": "makes code that is to be linked: compile with cuprum.core.Program and link with cuprum.core.Linker",
    "-dlink": "is for linking: link with cuprum.core.Linker",
}

#: Values that are written without a space after the letter.
_JOINED = ("-I", "-D", "-U", "-L", "-l")


def translate(options: Sequence[str]) -> list[str]:
    """The options as NVRTC takes them. CompileError where there is one that it lacks."""
    translated: list[str] = []
    remaining = iter(options)
    for option in remaining:
        if not isinstance(option, str):
            raise TypeError(f"options must be str, not {type(option).__name__}: {option!r}")
        text = option.strip()
        if not text or text in _WITHOUT_EFFECT:
            continue
        if text in _SWITCHES:
            translated.append(_SWITCHES[text])
        else:
            name, value = _split(text, remaining)
            translated.extend(_with_value(name, value, options))
    return translated


def _split(text: str, remaining: Iterator[str]) -> tuple[str, str | None]:
    """The option's name and its value."""
    name, equals, value = text.partition("=")
    if equals and (name in _VALUES or name in _REFUSED):
        return name, value
    if " " in text:  # "-I /folder" as one
        name, _, value = text.partition(" ")
        return name, value.strip()
    for prefix in _JOINED:
        if text.startswith(prefix) and len(text) > len(prefix):
            return prefix, text[len(prefix) :]
    if text in _VALUES:
        return text, next(remaining, None)
    return name, None


def _with_value(name: str, value: str | None, options: Sequence[str]) -> list[str]:
    if name in _REFUSED:
        _refuse(f"nvcc's option {name} {_REFUSED[name]}", options)
    if name not in _VALUES:
        _refuse(
            f"{name} is not an option of NVRTC, which compiles here in place of nvcc: leave it out, or compile with "
            "nvcc and load the result with driver.module_from_file",
            options,
        )
    if value is None:
        _refuse(f"nvcc's option {name} has no value", options)
    target = _VALUES[name]
    if not target:
        return []
    values = value.split(",") if target in ("--include-path", "--ptxas-options") else [value]
    return [f"{target}={each}" for each in values]


def _refuse(message: str, options: Sequence[str]) -> NoReturn:
    raise CompileError(message, ["nvcc", *map(str, options)])
