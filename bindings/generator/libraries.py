"""The CUDA libraries that the bindings cover."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Library:
    """What the generator must be told of a library; everything else it reads from the headers."""

    name: str  # the C++ namespace
    title: str
    header: str
    function: str  # regular expression that public function names match
    more: tuple[str, ...] = ()  # other headers that declare functions of the library
    typedefs: tuple[str, ...] = ()  # headers with PFN_<name>_v<version> types: since when a signature exists
    # The macro that keeps the header from being read twice, where C++ is built with the table's declarations in place
    # of the header: one that many toolkits do not have, or keep in a folder of its own.
    guard: str = ""
    # Functions that have another name now, which the header defines as macros beside those of other versions.
    former_names: tuple[str, ...] = ()
    # Whose versions the lists have: "CUDA", whose number cuda.h has, or the library's own, of a header with this macro
    # (10000 * major + 100 * minor + patch).
    numbered_as: str = "CUDA"
    version_macro: str = ""
    includes: tuple[str, ...] = ()  # what the declarations that stand in for the header need
    left_out: tuple[str, ...] = ()  # functions that the lists do not have

    @property
    def headers(self) -> tuple[str, ...]:
        return (self.header, *self.more)


LIBRARIES = (
    Library(
        "driver",
        "CUDA driver",
        "cuda.h",
        r"cu[A-Z]\w*",
        more=("cudaProfiler.h",),
        typedefs=("cudaTypedefs.h", "cudaProfilerTypedefs.h"),
    ),
    Library("runtime", "CUDA runtime", "cuda_runtime_api.h", r"cuda[A-Z]\w*", more=("cuda_profiler_api.h",)),
    Library("nvrtc", "NVRTC", "nvrtc.h", r"nvrtc[A-Z]\w*"),
    Library("nvjitlink", "nvJitLink", "nvJitLink.h", r"nvJitLink[A-Z]\w*"),
    Library("nvvm", "libNVVM", "nvvm.h", r"nvvm[A-Z]\w*", guard="NVVM_H"),
    Library(
        "nvml",
        "NVML",
        "nvml.h",
        r"nvml[A-Z]\w*",
        guard="__nvml_nvml_h__",
        former_names=("nvmlGetBlacklistDeviceCount", "nvmlGetBlacklistDeviceInfoByIndex"),
    ),
    Library(
        "nccl",
        "NCCL",
        "nccl.h",
        r"nccl[A-Z]\w*",
        guard="NCCL_H_",
        numbered_as="NCCL",
        version_macro="NCCL_VERSION_CODE",
        includes=("climits", "cstdint", "cuda_runtime_api.h"),
        left_out=("ncclParamDumpAll",),  # it prints, and returns nothing
    ),
)
