"""One line about each of NCCL's functions, in our own words. What summaries.py has for the other libraries."""

from __future__ import annotations

_SUMMARIES = {
    "AllGather": "Gathers the elements of all ranks on every rank.",
    "AllReduce": "Reduces the elements of all ranks; every rank gets the result.",
    "AlltoAll": "Sends a part of each rank's elements to every rank.",
    "Bcast": "Sends a rank's elements to all ranks, in place.",
    "Broadcast": "Sends a rank's elements to all ranks.",
    "CommAbort": "Ends a communicator and what it is doing, without waiting for the other ranks.",
    "CommCount": "Returns how many ranks a communicator has.",
    "CommCuDevice": "Returns the device of a communicator's rank.",
    "CommDeregister": "Deregisters a buffer.",
    "CommDestroy": "Destroys a communicator.",
    "CommFinalize": "Finishes a communicator's work, so that it can be destroyed.",
    "CommGetAsyncError": "Returns the error of work that goes on, or that it goes on.",
    "CommGetUniqueId": "Makes the identifier by which new ranks join a communicator.",
    "CommGrow": "Makes a communicator of more ranks from one.",
    "CommInitAll": "Makes the communicators of several devices of this process.",
    "CommInitRank": "Makes the communicator of one rank, together with all others.",
    "CommInitRankConfig": "Makes the communicator of one rank with a configuration, together with all others.",
    "CommInitRankScalable": "Makes the communicator of one rank, with several identifiers.",
    "CommMemStats": "Returns a number about a communicator's device memory.",
    "CommRegister": "Registers a buffer, so that transfers need no copy of it.",
    "CommResume": "Takes up a communicator's memory again.",
    "CommRevoke": "Stops what a communicator is doing, on all ranks.",
    "CommShrink": "Makes a communicator without some ranks of one.",
    "CommSplit": "Makes communicators of groups of one's ranks.",
    "CommSuspend": "Gives up a communicator's memory until it is resumed.",
    "CommUserRank": "Returns the rank of a communicator.",
    "CommWindowDeregister": "Deregisters a window.",
    "CommWindowRegister": "Registers a buffer as a window, together with all ranks.",
    "Gather": "Gathers the elements of all ranks on one.",
    "GetErrorString": "Returns the text of a status.",
    "GetLastError": "Returns the text of the last error.",
    "GetUniqueId": "Makes the identifier that all ranks of a new communicator have to know.",
    "GetVersion": "Returns NCCL's version.",
    "GroupEnd": "Ends a group of calls and starts their work.",
    "GroupSimulateEnd": "Ends a group of calls and estimates the time of their work.",
    "GroupStart": "Begins a group of calls, whose work is started together.",
    "MemAlloc": "Allocates device memory that is suited to transfers.",
    "MemFree": "Frees memory of ncclMemAlloc.",
    "ParamBind": "Returns the handle of a parameter.",
    "ParamGet": "Returns the bytes of a parameter.",
    "ParamGetAllParameterKeys": "Returns the names of all parameters.",
    "ParamGetI16": "Returns a parameter as a signed 16-bit integer.",
    "ParamGetI32": "Returns a parameter as a signed 32-bit integer.",
    "ParamGetI64": "Returns a parameter as a signed 64-bit integer.",
    "ParamGetI8": "Returns a parameter as a signed 8-bit integer.",
    "ParamGetParameter": "Returns a parameter as text, by its name.",
    "ParamGetStr": "Returns a parameter as text.",
    "ParamGetU16": "Returns a parameter as an unsigned 16-bit integer.",
    "ParamGetU32": "Returns a parameter as an unsigned 32-bit integer.",
    "ParamGetU64": "Returns a parameter as an unsigned 64-bit integer.",
    "ParamGetU8": "Returns a parameter as an unsigned 8-bit integer.",
    "PutSignal": "Writes to another rank's window and signals that.",
    "Recv": "Receives elements from a rank.",
    "RedOpCreatePreMulSum": "Makes the operator that adds products with a factor.",
    "RedOpDestroy": "Destroys an operator.",
    "Reduce": "Reduces the elements of all ranks; one rank gets the result.",
    "ReduceScatter": "Reduces the elements of all ranks; each rank gets a part of the result.",
    "ResetDebugInit": "Reads the variables of the log anew; deprecated.",
    "Scatter": "Sends a part of one rank's elements to every rank.",
    "Send": "Sends elements to a rank.",
    "SetEncryption": "Sets how NCCL's sockets are encrypted.",
    "Signal": "Signals another rank.",
    "WaitSignal": "Waits for signals of other ranks, in stream order.",
    "WinGetUserPtr": "Returns the address of a window's buffer.",
}


def summary(name: str) -> str:
    stem = name.removeprefix("nccl")
    if stem in _SUMMARIES:
        return _SUMMARIES[stem]
    if stem.endswith("Config") and stem.removesuffix("Config") in _SUMMARIES:
        return _SUMMARIES[stem.removesuffix("Config")].removesuffix(".") + ", as configured."
    raise SystemExit(f"bindings/generator/nccl_summaries.py has no line about {name}")
