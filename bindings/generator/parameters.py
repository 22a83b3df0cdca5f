"""What the headers' types leave open about pointer parameters: who writes what they point to, whether they may be null,
and which of them are arrays whose length is another parameter.

A pointer to const, and a `void*`, is "in": the caller's memory or an address that is passed on. Any other pointer is
"out" unless the lists below say otherwise. Where the headers' documentation marks a parameter as an output, the lists
must agree; `direction` checks that.
"""

from __future__ import annotations

import re

# Arrays and structures that the caller fills in and the headers do not declare const, by parameter name.
_INPUTS = {
    *("options", "optionValues", "jitOptions", "jitOptionsValues", "libraryOptions", "libraryOptionValues"),
    *("kernelParams", "extra", "args", "launchParamsList", "ctxCreateParams"),
    *("dsts", "srcs", "sizes", "attrs", "attrsIdxs", "opList", "paramsArray", "paramArray", "mapInfoList"),
    *("dptrs", "prefetchLocs", "prefetchLocIdxs", "location", "shareData", "device_arr", "resources"),
    *("extSemArray", "dependencies"),
}
# The same, for one function each.
_FUNCTION_INPUTS = {
    *(("cuMemRangeGetAttributes", name) for name in ("data", "dataSizes", "attributes")),
    *(("cudaMemRangeGetAttributes", name) for name in ("data", "dataSizes", "attributes")),
    *(("cuPointerGetAttributes", name) for name in ("attributes", "data")),
    *((f"cu{name}", "size") for name in ("CoredumpSetAttribute", "CoredumpSetAttributeGlobal")),
    ("cudaMemPoolImportPointer", "exportData"),
    ("cuTexRefSetBorderColor", "pBorderColor"),
    ("cuGraphNodeSetParams", "nodeParams"),
    ("cuGraphExecNodeSetParams", "nodeParams"),
    ("cudaGraphNodeSetParams", "nodeParams"),
    ("cudaGraphExecNodeSetParams", "nodeParams"),
    ("cuGraphNodeSetParams_v2", "nodeParams"),
    *((f"{name}MemcpyWithAttributesAsync", "attr") for name in ("cu", "cuda")),
    *((f"{name}Memcpy3DWithAttributesAsync", "op") for name in ("cu", "cuda")),
    ("cuStreamBeginCaptureToCig", "streamCigCaptureParams"),
    ("cudaStreamBeginRecaptureToGraph", "callbackData"),
}
# What the caller sets and the library changes: capacities that become counts, and what is destroyed.
_BOTH = {
    *("numNodes", "numRootNodes", "numEdges", "numDependencies", "numDependentNodes"),
    *("pNumRootNodes", "pNumDependencies", "pNumDependentNodes", "nbGroups", "iterator", "instantiateParams"),
}
_FUNCTION_BOTH = {
    *((f"cu{name}", "size") for name in ("CoredumpGetAttribute", "CoredumpGetAttributeGlobal", "LogsDumpToMemory")),
    ("cudaLogsDumpToMemory", "size"),
    *((f"{name}GraphAddMemAllocNode", "nodeParams") for name in ("cu", "cuda")),
    *((f"{name}GraphAddNode", "nodeParams") for name in ("cu", "cuda")),
    *((f"{name}ThreadExchangeStreamCaptureMode", "mode") for name in ("cu", "cuda")),
    ("cuGraphAddNode_v3", "nodeParams"),
    *((f"{name}DevSmResourceSplit", "groupParams") for name in ("cu", "cuda")),
    ("cuDeviceGetCliqueInfo", "count"),
    ("cuTensorMapReplaceAddress", "tensorMap"),
    ("cuTensorMapSetAllocationClass", "tensorMap"),
    ("nvrtcDestroyProgram", "prog"),
    ("nvJitLinkDestroy", "handle"),
    ("nvvmDestroyProgram", "prog"),
}


def direction(function: str, name: str, shape: str, comment: str) -> str:
    """ "in", "out" or "inout"."""
    if not shape.startswith("ptr(") or shape.startswith("ptr(const "):
        return "in"
    documented = _documented(name, comment)
    if shape == "ptr(void)":
        return "out" if documented == "out" else "in"
    if (function, name) in _FUNCTION_BOTH or (
        name in _BOTH and not (name == "numDependencies" and "Capture" in function)
    ):
        return "inout"
    if (function, name) in _FUNCTION_INPUTS or (name in _INPUTS):
        if documented == "out":
            raise SystemExit(
                f"{function}: {name} is documented as an output; bindings/generator/parameters.py says input"
            )
        return "in"
    return "out"


def _documented(name: str, comment: str) -> str:
    """ "out" if the header's documentation of the function marks this parameter so, else ""."""
    match = re.search(rf"[\\@]param\s*(\[\w+(?:,\s*\w+)?\])?\s*{re.escape(name)}\b\s*-?\s*(\w*)", comment)
    if not match:
        return ""
    marked, word = match.group(1) or "", match.group(2).lower()
    return "out" if "out" in marked or word in ("returned", "returns", "return") else ""


# Outputs that may be null, where the documentation says so in other words than `optional` looks for.
_OPTIONAL = {
    *("edgeData_out", "dependencies_out", "numDependencies_out", "graph_out", "id_out"),
    *("pbase", "psize", "bytes", "dptr", "paramSize", "symbolStatus", "driverStatus", "result"),
    *("leastPriority", "greatestPriority", "sizeOut", "hErrorNode_out", "ByteOffset", "sparseProperties_out"),
    *("errorLog", "outAllocClass"),
    "iterator",  # of cuLogsDumpToFile, cuLogsDumpToMemory: "Optional auto-advancing iterator"
}
_FUNCTION_OPTIONAL = {"cuModuleGetGlobal", "cuLibraryGetGlobal", "cuLibraryGetManaged", "cuMemGetAddressRange"}
# Of these the documentation says that null is an error.
_NEVER_NULL = {"driverVersion", "runtimeVersion", "pfn"}
_ALWAYS_THERE = {"dptr", "bytes", "sizeOut"}


def optional(function: str, name: str, shape: str, comment: str) -> bool:
    """Whether null is a value that the function takes for this output."""
    if not shape.startswith("ptr("):
        return False
    if name in _NEVER_NULL:
        return False
    if name in _OPTIONAL:
        return name not in _ALWAYS_THERE or function in _FUNCTION_OPTIONAL
    text = re.sub(r"\s*\n\s*\*?\s*", " ", comment)
    pattern = rf"[\\@]p {re.escape(name)}\b[^.]{{0,80}}\b(is|are|be|to) (NULL|nullptr|optional)"
    return re.search(pattern, text) is not None


# Arrays with a length beside them; the exceptions are names that stand for one value elsewhere.
_ARRAYS = {
    *("resources", "capabilities", "operations", "dependencies", "pDependencies", "from", "to", "edgeData"),
    *("dependencyData", "nodes", "rootNodes", "pRootNodes", "dependentNodes", "pDependentNodes", "launchParamsList"),
    *("kernels", "jitOptions", "jitOptionsValues", "libraryOptions", "libraryOptionValues", "options", "optionValues"),
    *("paramsArray", "dptrs", "sizes", "prefetchLocs", "prefetchLocIdxs", "mapInfoList", "map", "data", "dataSizes"),
    *("attributes", "opList", "dsts", "srcs", "attrs", "attrsIdxs", "functions", "extSemArray", "paramArray"),
    *("descList", "headers", "includeNames", "name", "pciBusId", "buffer"),
}
_FUNCTION_ARRAYS = {
    *((f"{name}DevSmResourceSplitByCount", "result") for name in ("cu", "cuda")),
    *((f"{name}DevSmResourceSplit", array) for name in ("cu", "cuda") for array in ("result", "groupParams")),
    ("cuDeviceGetCliqueInfo", "cliqueInfo"),
    ("cuMemSetAccess", "desc"),
}
# Bytes with a length beside them, declared as text.
_FUNCTION_BYTES = {(f"nvvm{name}ModuleToProgram", "buffer") for name in ("Add", "LazyAdd")}
# Outputs of several elements whose number is given elsewhere: by another function, or by the documentation.
UNCOUNTED_ARRAYS = {
    ("nvrtcGetSupportedArchs", "supportedArchs"),
    ("cuTexRefGetBorderColor", "pBorderColor"),
    ("cuMemGetLocationInfo", "location_out"),
    ("cudaMemGetLocationInfo", "location_out"),
}
_COUNTS = re.compile(r"(p?num|nb)[A-Z]\w*|count|len|size")


def count_of(function: str, names: list[str], position: int, shapes: list[str]) -> str:
    """The parameter that holds the number of elements of another one; empty if that is no array or has none.

    It is the nearest one that follows, else the nearest before it.
    """
    name = names[position]
    if (function, name) in _FUNCTION_BYTES:
        return names[position + 1]
    if not shapes[position].startswith("ptr(") or shapes[position] in (
        "ptr(void)",
        "ptr(const void)",
        "ptr(const char)",
    ):
        return ""
    if name not in _ARRAYS and (function, name) not in _FUNCTION_ARRAYS:
        return ""
    order = [*range(position + 1, len(names)), *reversed(range(position))]
    for other in order:
        counts = _COUNTS.fullmatch(names[other]) and not names[other].endswith("_out")
        if counts and shapes[other] in ("i32", "u32", "u64", "ptr(u32)", "ptr(u64)"):
            return str(names[other])
    return ""
