"""The compile behind ``SourceModule``: PyCUDA's arguments, NVRTC's options, and what the driver loads."""

from __future__ import annotations

import io
import os
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from cuprum import _errors as _cuprum_errors
from cuprum.compat.pycuda._context import Context, current_context
from cuprum.compat.pycuda._errors import CompileError
from cuprum.compat.pycuda._host_headers import FOLDER
from cuprum.compat.pycuda._nvcc_options import DEFAULT_NVCC_FLAGS, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE_NAME = "kernel.cu"


def compile(
    source: str,
    nvcc: str = "nvcc",
    options: Sequence[str] | None = None,
    keep: bool = False,
    no_extern_c: bool = False,
    arch: str | None = None,
    code: str | None = None,
    cache_dir: str | bool | None = None,
    include_dirs: Sequence[str] = (),
    target: str = "cubin",
) -> bytes:
    """Compiles for the current context's device: to what its driver loads, or to ``target="ptx"`` or ``"fatbin"``."""
    if target not in ("cubin", "ptx", "fatbin"):
        raise ValueError(f"target must be 'cubin', 'ptx' or 'fatbin', not {target!r}")
    text = source.decode() if isinstance(source, bytes) else source
    if options is None:
        options = DEFAULT_NVCC_FLAGS
    elif isinstance(options, str):
        raise TypeError(f"options must be a list of str, such as {options.split()!r}, not one str")
    given = [*options, *(f"-I{folder}" for folder in include_dirs)]
    if not no_extern_c:
        text = f'extern "C" {{\n#line 1 "{_FILE_NAME}"\n{text}\n}}\n'
    return _compile(text, translate(given), _architecture(arch, code), target == "ptx", keep, cache_dir)


def compile_plain(
    source: str,
    options: Sequence[str],
    keep: bool,
    nvcc: str,
    cache_dir: str | bool | None,
    target: str = "cubin",
) -> bytes:
    """``compile`` of source and options as they are."""
    return compile(source, nvcc, options, keep, True, None, None, cache_dir, (), target)


def _architecture(arch: str | None, code: str | None) -> str:
    """NVRTC's name of the architecture: that of the device unless ``arch`` or ``code`` says another."""
    chosen = code or arch
    if chosen:
        return chosen.split(",")[0]
    current_context("SourceModule")
    major, minor = Context.get_device().compute_capability()
    return f"sm_{major}{minor}"


def _compile(
    source: str, options: list[str], architecture: str, to_ptx: bool, keep: bool, cache_dir: str | bool | None
) -> bytes:
    from cuprum.core._program import Program, ProgramOptions

    if to_ptx or architecture.startswith("compute_"):
        # Of a virtual architecture a compile makes PTX, whatever the driver would load.
        options = [*options, f"--gpu-architecture={architecture.replace('sm_', 'compute_')}"]
    options = [*options, f"--include-path={FOLDER}"]
    if cache_dir is False:
        options = [*options, "--no-cache"]
    messages = io.StringIO()
    program = Program(source, "c++", ProgramOptions(name=_FILE_NAME, arch=architecture, std=None))
    try:
        compiled = program.compile(options, logs=messages)
    except _cuprum_errors.CompileError as error:
        _refuse(error, architecture, options)
    if messages.getvalue():
        warnings.warn(f"The CUDA compiler succeeded, but said the following:\n{messages.getvalue()}", stacklevel=4)
    result: Any = compiled.code
    if keep:
        _keep(source, result)
    return bytes(result)


def _keep(source: str, code: bytes) -> None:
    """PyCUDA's ``keep``: the files stay, and where is said."""
    import tempfile

    folder = tempfile.mkdtemp(prefix="cuprum-pycuda-")
    for name, content in ((_FILE_NAME, source.encode()), ("kernel.code", code)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    print(f"*** compiler output in {folder}")


def _refuse(error: _cuprum_errors.CompileError, architecture: str, options: list[str]) -> NoReturn:
    command = ["nvrtc", f"--gpu-architecture={architecture}", *options, _FILE_NAME]
    raise CompileError(
        "compilation of kernel.cu failed",
        command,
        stderr=error.log or str(error),
        domain=error.domain,
        code=error.code,
        name=error.name,
        operation=error.operation,
        object=error.object,
        detail=error.detail,
        advice=error.advice,
        log=error.log,
    ) from None
