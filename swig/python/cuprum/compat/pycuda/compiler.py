"""``pycuda.compiler``: source text to kernels, with NVRTC in place of nvcc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from cuprum._errors import Unsupported
from cuprum.compat.pycuda._compile import compile, compile_plain
from cuprum.compat.pycuda._nvcc_options import DEFAULT_NVCC_FLAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.compat.pycuda._function import Function
    from cuprum.compat.pycuda._module import Module

__all__ = [
    "DEFAULT_NVCC_FLAGS",
    "CudaModule",
    "DynamicModule",
    "DynamicSourceModule",
    "SourceModule",
    "compile",
    "compile_plain",
    "get_nvcc_version",
    "preprocess_source",
]


class CudaModule:
    """A module and what is asked of it."""

    module: Module

    def get_global(self, name: str) -> tuple[int, int]:
        """The address of a ``__device__`` or ``__constant__`` variable, and its bytes."""
        return self.module.get_global(name)

    def get_texref(self, name: str) -> Any:
        """Refused: texture references are gone from CUDA."""
        return self.module.get_texref(name)

    def get_surfref(self, name: str) -> Any:
        """Refused: surface references are gone from CUDA."""
        return self.module.get_surfref(name)

    def get_function(self, name: str) -> Function:
        """The kernel of that name."""
        return self.module.get_function(name)


class SourceModule(CudaModule):
    """Source text, compiled for the current context's device and loaded there."""

    def __init__(
        self,
        source: str,
        nvcc: str = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] = (),
    ) -> None:
        """``options`` are nvcc's, as far as NVRTC has them; CompileError names the others.

        Names are C's, unless ``no_extern_c``. ``keep`` keeps the source and the result in a folder, and prints which.
        ``nvcc`` is not used.
        """
        from cuprum.compat.pycuda._module import module_from_buffer

        compiled = compile(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs)
        self.module = module_from_buffer(compiled)


class DynamicModule(CudaModule):
    """Refused: it links with ``cudadevrt``, for launches from kernels."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Raises Unsupported."""
        raise Unsupported(
            f"{type(self).__name__} is for kernels that launch kernels, which need nvcc and cudadevrt: use "
            "SourceModule where the program launches all kernels itself; cuprum.core.Linker, or driver.Linker, "
            "links code that was compiled with relocatable_device_code=True"
        )


class DynamicSourceModule(DynamicModule):
    """Refused: it links with ``cudadevrt``, for launches from kernels."""


def get_nvcc_version(nvcc: str = "nvcc") -> str:
    """What compiles in place of nvcc, and its version."""
    from cuprum.bindings import nvrtc

    err, major, minor = nvrtc.nvrtcVersion()
    if err:
        raise RuntimeError(f"get_nvcc_version: NVRTC was not found: {nvrtc.last_error_message()}")
    return f"NVRTC, release {major}.{minor}"


def preprocess_source(source: str, options: Sequence[str], nvcc: str) -> NoReturn:
    """Refused: NVRTC does not return preprocessed source."""
    raise Unsupported(
        "preprocess_source: NVRTC compiles in place of nvcc, and does not return preprocessed source; compile, with "
        "keep=True, to see what was compiled"
    )
