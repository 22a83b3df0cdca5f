"""What Python passes where the headers do not say it: the conventions of cuda.bindings that no rule gives.

plan.py has the rules. Here are the parameters that differ, by "function.parameter" or, for all functions, ".parameter".
"""

from __future__ import annotations

import re
from typing import Any

#: Parameters that are not what their type suggests. A pattern for "function.parameter", and the passing
#: (tables.hpp: Passing); the first that matches decides. Only pointers are looked up.
PASSINGS: tuple[tuple[str, str], ...] = (
    # Kernels.
    (r"\w+\.kernelParams|cudaLaunch\w*Kernel\w*\.args", "kernel_arguments"),
    (r"\w+\.extra", "address"),
    # Options and their values.
    (r"\w+\.(options|jitOptions|libraryOptions)", "elements"),
    (r"\w+\.(optionValues|jitOptionsValues|libraryOptionValues)", "option_values"),
    (r"nvJitLinkCreate\.options|nvvm(Compile|Verify)Program\.options", "texts"),
    # Arrays that are read, though the header does not say const.
    (r"cu(da)?Mem(cpy|Prefetch|Discard|DiscardAndPrefetch)BatchAsync\.(dsts|srcs|dptrs)", "array"),
    (r"cu(da)?Mem(cpy|Prefetch|Discard|DiscardAndPrefetch|cpy3D)BatchAsync\.\w+", "elements"),
    (r"cuMemBatchDecompressAsync\.paramsArray", "elements"),
    (r"cu(da)?Graphics(Map|Unmap)Resources\.resources", "elements"),
    (r"(cuPointer|cu(da)?MemRange)GetAttributes\.(attributes|dataSizes)", "elements"),
    (r"cuTensorMapReplaceAddress\.tensorMap", "elements"),
    (r"cu(da)?StreamUpdateCaptureDependencies(_v2)?\.dependencies", "elements"),
    (r"cuDevResourceGenerateDesc\.resources", "elements"),
    # Structures that are read, and written to at most besides.
    (r"cu(da)?Mem(Pool)?(Get|Set)(Access|MemPool|DefaultMemPool)\.(location|map)", "elements"),
    (r"cu(da)?MemPoolImportPointer\.(shareData|exportData)", "elements"),
    (r"\w+\.(paramArray|opList|launchParamsList|mapInfoList|ctxCreateParams|instantiateParams)", "elements"),
    (r"cu(da)?Graph\w*(Add|SetParams)\w*\.(nodeParams|pNodeParams)", "elements"),
    (r"cuCheckpoint\w+\.args", "elements"),
    (r"(nvrtc|nvvm)DestroyProgram\.prog|nvJitLinkDestroy\.handle", "elements"),
    # Values that the call replaces.
    (r"cu(da)?ThreadExchangeStreamCaptureMode\.mode", "in_out"),
    (r"cu(da)?LogsDump\w+\.(iterator|size)", "in_out"),
    # Lists whose length Python asks for.
    (r"cu(da)?(GraphGetNodes\.nodes|GraphGetRootNodes\.(p?[rR]ootNodes))", "out_elements"),
    (r"cu(da)?(GraphGetNodes\.numNodes|GraphGetRootNodes\.(numRootNodes|pNumRootNodes))", "in_out_count"),
    (r"cu(da)?GraphGetEdges(_v2)?\.(from|to|edgeData)", "out_elements"),
    (r"cu(da)?GraphGetEdges(_v2)?\.numEdges", "in_out_count"),
    (r"cu(da)?GraphNodeGetDependen\w+\.(p?[dD]epend\w+|edgeData)", "out_elements"),
    (r"cu(da)?GraphNodeGetDependen\w+\.(n|pN)um\w+", "in_out_count"),
    (r"cu(Module|Library)Enumerate\w+\.(functions|kernels)|cudaLibraryEnumerateKernels\.kernels", "out_elements"),
    (r"cu(da)?DeviceGet\w+AtomicCapabilities\.capabilities", "out_elements"),
    (r"cuDevSmResourceSplitByCount\.result", "out_elements"),
    (r"cuDevSmResourceSplitByCount\.nbGroups", "in_out_count"),
    (r"cuDevSmResourceSplitByCount\.remainder", "out"),
    (r"nvrtcGetSupportedArchs\.supportedArchs", "out_elements"),
    (r"cu(da)?StreamGetCaptureInfo\w*\.(dependencies_out|edgeData_out)", "out_borrowed"),
    # Text that is written to the caller's memory, as long as another parameter says.
    (r"cu(da)?Device(GetName|GetPCIBusId|GetLuid)\.\w*(name|[bB]usId|luid)", "out_bytes"),
    (r"nvJitLinkGetLinkedCubin\.cubin", "buffer"),
    # Memory whose type an attribute says.
    (r"cuPointerGetAttribute\.data|cu(da)?MemRangeGetAttribute\.data", "out_by_attribute"),
    (r"cu(da)?MemPoolGetAttribute\.value|cu(da)?DeviceGetGraphMemAttribute\.value", "out_by_attribute"),
    (r"cu(da)?Mem(Pool)?Export\w+\.(shareableHandle|handle_out)", "out_by_attribute"),
    (r"cuMemGetHandleForAddressRange\.handle", "out_by_attribute"),
    (r"cuCoredumpGetAttribute(Global)?\.value", "out_by_attribute"),
    (r"cuCoredump[GS]etAttribute(Global)?\.size", "capacity"),
    (r"cu(PointerSet|MemPoolSet|DeviceSetGraphMem|CoredumpSet)Attribute(Global)?\.value", "by_attribute"),
    (r"cuda(MemPoolSet|DeviceSetGraphMem)Attribute\.value", "by_attribute"),
    (r"cuPointerGetAttributes\.data|cu(da)?MemRangeGetAttributes\.data", "out_list_by_attribute"),
    (r"cuGraphMemFreeNodeGetParams\.dptr_out", "out"),
    (r"cudaGraphMemFreeNodeGetParams\.dptr_out", "out_address"),
    # NCCL
    (r"ncclCommInitAll\.comm", "out_elements"),
    (r"ncclGroupSimulateEnd\.simInfo", "elements"),
    (r"ncclParamGetAllParameterKeys\.table", "out_address"),
    # NVML: memory of a size that its type does not say; text that is as long as it is.
    (r"nvml(VgpuInstanceGet|DeviceGetVgpu)Metadata\.\w+[mM]etadata|nvmlGetVgpuCompatibility\.\w+Metadata", "address"),
    (r"nvmlDeviceGetGspFirmwareVersion\.version", "out_string"),
    (r"nvmlDeviceGetSupportedPerformanceStates\.pstates", "buffer"),
    (r"nvmlDeviceGetGpuInstances\.gpuInstances|nvmlGpuInstanceGetComputeInstances\.computeInstances", "out_elements"),
    (r"nvml(DeviceGetGpu|GpuInstanceGetCompute)InstancePossiblePlacements\.placements", "out_elements"),
)


def nvml_passing(pointed: str, facts: dict[str, Any]) -> str:
    """How NVML's outputs are passed, with what the table says of one."""
    if pointed == "char":
        return "out_bytes"
    if facts["direction"] == "inout":
        return "in_out_count" if pointed == "u32" else "elements"
    return "out_elements" if "count" in facts else "out"


#: Names that are Python's own become others, as in cuda.bindings; keywords get an underscore.
NAMES = {"bytes": "numbytes", "format": "pformat", "len": "length", "type": "typename"}

#: Parameters that belong with another one: the pattern, and the other's name.
PARTNERS: tuple[tuple[str, str], ...] = (
    (r"cu(da)?GraphGetNodes\.nodes", "numNodes"),
    (r"cuGraphGetRootNodes\.rootNodes", "numRootNodes"),
    (r"cudaGraphGetRootNodes\.pRootNodes", "pNumRootNodes"),
    (r"cu(da)?GraphGetEdges(_v2)?\.\w+", "numEdges"),
    (r"cuGraphNodeGetDependencies(_v2)?\.\w+", "numDependencies"),
    (r"cuGraphNodeGetDependentNodes(_v2)?\.\w+", "numDependentNodes"),
    (r"cudaGraphNodeGetDependencies(_v2)?\.\w+", "pNumDependencies"),
    (r"cudaGraphNodeGetDependentNodes(_v2)?\.\w+", "pNumDependentNodes"),
    (r"cuModuleEnumerateFunctions\.functions", "numFunctions"),
    (r"cu(da)?LibraryEnumerateKernels\.kernels", "numKernels"),
    (r"cu(da)?DeviceGet\w+AtomicCapabilities\.capabilities", "count"),
    (r"cuDevSmResourceSplitByCount\.result", "nbGroups"),
    (r"cu(da)?StreamGetCaptureInfo\w*\.\w+", "numDependencies_out"),
    (r"cuMem(Pool)?ExportToShareableHandle\.\w+|cudaMemPoolExportToShareableHandle\.\w+", "handleType"),
    (r"cuMemGetHandleForAddressRange\.\w+", "handleType"),
    (r"cu(da)?DeviceGet(Name|PCIBusId)\.\w+", "len"),
    (r"cuUserObjectCreate\.destroy|cudaUserObjectCreate\.destroy", "ptr"),
    (r"ncclCommInitAll\.comm", "ndev"),
    (r"nvml\w+\.(gpuInstances|computeInstances|placements)", "count"),
)

#: How long arrays are whose length no parameter says.
COUNTS = {
    "cuDeviceGetLuid.luid": 8,
    "nvrtcGetSupportedArchs.supportedArchs": 256,
    "nvmlDeviceGetGspFirmwareVersion.version": 64,  # NVML_GSP_FIRMWARE_VERSION_BUF_SIZE
    # Many times as many as a device has.
    "nvmlDeviceGetGpuInstances.gpuInstances": 256,
    "nvmlDeviceGetGpuInstancePossiblePlacements.placements": 256,
    "nvmlGpuInstanceGetComputeInstances.computeInstances": 256,
    "nvmlGpuInstanceGetComputeInstancePossiblePlacements.placements": 256,
}

#: Attributes whose values are not int32: what a value is, by the attribute's name. "char" is text.
_POINTER = {
    "CU_POINTER_ATTRIBUTE_CONTEXT": "CUcontext",
    "CU_POINTER_ATTRIBUTE_DEVICE_POINTER": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_HOST_POINTER": "u64",
    "CU_POINTER_ATTRIBUTE_P2P_TOKENS": "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS",
    "CU_POINTER_ATTRIBUTE_BUFFER_ID": "u64",
    "CU_POINTER_ATTRIBUTE_RANGE_START_ADDR": "CUdeviceptr",
    "CU_POINTER_ATTRIBUTE_RANGE_SIZE": "u64",
    "CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES": "u64",
    "CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE": "CUmemoryPool",
    "CU_POINTER_ATTRIBUTE_MAPPING_SIZE": "u64",
    "CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR": "u64",
    "CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID": "u64",
}
_POOL = ("THRESHOLD", "CURRENT", "HIGH", "Threshold", "Current", "High")

#: Attributes that are arrays as long as the parameter named here says, in bytes.
ARRAY_ATTRIBUTES = {
    "CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY": "dataSize",
    "cudaMemRangeAttributeAccessedBy": "dataSize",
}


def attribute_type(enumeration: str, attribute: str) -> str:
    """What the value of an attribute is: a shape, or the name of a type."""
    if enumeration == "CUpointer_attribute":
        return _POINTER.get(attribute, "u32")
    if enumeration in ("CUmemPool_attribute", "CUgraphMem_attribute"):
        return "cuuint64_t" if attribute.endswith(_POOL) else "i32"
    if enumeration in ("cudaMemPoolAttr", "cudaGraphMemAttributeType"):
        return "u64" if attribute.endswith(_POOL) else "i32"
    if enumeration == "CUcoredumpSettings":
        return "char" if re.search(r"_(FILE|PIPE)$", attribute) else "u8"
    if enumeration in ("CUmemAllocationHandleType", "cudaMemAllocationHandleType"):
        if re.search("FABRIC|Fabric", attribute):
            return "CUmemFabricHandle" if enumeration.startswith("CU") else "cudaMemFabricHandle_t"
        return "u64" if re.search("WIN32|Win32", attribute) else "i32"
    return "i32"


#: Functions that do not wait for the device, another thread or the file system: the interpreter is not let go. All
#: others may, and let it go: those that allocate and free wait too.
PROMPT = re.compile(
    r"cuLaunch(Kernel|KernelEx|CooperativeKernel)|cudaLaunch(Kernel|CooperativeKernel|KernelExC)"
    r"|cu(da)?GraphLaunch"
    r"|cu(da)?(Event|Stream)(Query|Record|RecordWithFlags|WaitEvent|CreateWithFlags|Create)"
    r"|cuCtx(Set|Push|Pop)Current|cudaSetDevice(?!Flags)"
    r"|cu(Ctx|Device|Stream|Event|Func|Kernel|Mem|Pointer|Array|Driver)Get(?!Proc|Function|Library|HandleFor)\w*"
    r"|cuda(Ctx|Stream|Event|Pointer|Array|Driver|Runtime)?Get\w*Version|cudaGet(Device|DeviceCount|LastError)"
    r"|cudaPeekAtLastError|cuda(Stream|Event|Pointer|Array)Get\w*"
    r"|cuGet\w+|cudaGetError\w+|cu(da)?(Graph|TexRef|TexObject|SurfObject)\w*Get\w*"
    r"|nvrtc(Version|Get\w+Size|GetErrorString|GetNum\w+|GetSupportedArchs)|nvJitLink(Version|Get\w+Size)|nvvm(\w*Version|Get\w+Size|GetErrorString)"
    r"|nvmlErrorString|nccl(GetVersion|GetErrorString|GetLastError|CommCount|CommCuDevice|CommUserRank)"
)

#: Functions that may also be called with fewer arguments, as before a toolkit gave them another parameter: the name,
#: and what stands for which parameter.
LATER_PARAMETERS = {"cuCtxCreate": "ctxCreateParams"}
