"""Who writes what a pointer parameter points to: what the headers' types leave open.

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
    ("cuTensorMapReplaceAddress", "tensorMap"),
    ("nvrtcDestroyProgram", "prog"),
    ("nvJitLinkDestroy", "handle"),
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
                f"{function}: {name} is documented as an output; bindings/generator/directions.py says input"
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
