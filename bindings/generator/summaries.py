"""One line about each function, in our own words: from its name by rule where that reads well, else written here.

A name is a subject, a verb and an object: cuStream|Get|Flags "gives the flags of a stream". The driver's and the
runtime's names mean the same, less their prefixes.
"""

from __future__ import annotations

import re

import nccl_summaries
import nvml_summaries

# Words of names, as they are written in a sentence. Longer phrases come first.
_PHRASES = {
    "Primary Ctx": "primary context",
    "Green Ctx": "green context",
    "Dev Resource Desc": "resource descriptor",
    "Dev Resource": "device resource",
    "Dev Sm Resource": "SM resource",
    "Mem Pool": "memory pool",
    "Default Mem Pool": "default memory pool",
    "Graph Mem Attribute": "graph memory attribute",
    "Exec Affinity": "execution affinity",
    "Graph Exec": "executable graph",
    "Graph Kernel Node": "kernel node",
    "Graph Memcpy Node": "copy node",
    "Graph Memset Node": "fill node",
    "Graph Host Node": "host node",
    "Graph Child Graph Node": "child graph node",
    "Graph Event Record Node": "event record node",
    "Graph Event Wait Node": "event wait node",
    "Graph External Semaphores Signal Node": "external semaphore signal node",
    "Graph External Semaphores Wait Node": "external semaphore wait node",
    "Graph Batch Mem Op Node": "batched memory operation node",
    "Graph Mem Alloc Node": "allocation node",
    "Graph Mem Free Node": "free node",
    "Kernel Node": "kernel node",
    "Memcpy Node": "copy node",
    "Memset Node": "fill node",
    "Host Node": "host node",
    "Child Graph Node": "child graph node",
    "Event Record Node": "event record node",
    "Event Wait Node": "event wait node",
    "External Semaphores Signal Node": "external semaphore signal node",
    "External Semaphores Wait Node": "external semaphore wait node",
    "Batch Mem Op Node": "batched memory operation node",
    "Mem Alloc Node": "allocation node",
    "Mem Free Node": "free node",
    "Empty Node": "empty node",
    "Graph Node": "graph node",
    "User Object": "user object",
    "Tex Ref": "texture reference",
    "Surf Ref": "surface reference",
    "Tex Object": "texture object",
    "Surf Object": "surface object",
    "Texture Object": "texture object",
    "Surface Object": "surface object",
    "Resource View Desc": "resource view descriptor",
    "Resource Desc": "resource descriptor",
    "Texture Desc": "texture descriptor",
    "Channel Desc": "channel format",
    "Mipmapped Array": "mipmapped array",
    "External Memory": "external memory",
    "External Semaphore": "external semaphore",
    "Nv Sci Sync Attributes": "NvSciSync attributes",
    "Async Notification": "notification callback",
    "Stream Priority Range": "range of stream priorities",
    "Shared Mem Config": "shared memory bank size",
    "Persisting L2 Cache": "persisting lines of the L2 cache",
    "PCI Bus Id": "PCI bus address",
    "Cache Config": "cache preference",
    "Sparse Properties": "sparse layout",
    "Memory Requirements": "memory requirements",
    "Loading Mode": "loading mode",
    "Api Version": "API version",
    "Address Range": "address range",
    "Linked Cubin Size": "size of the linked cubin",
    "Linked Ptx Size": "size of the linked PTX",
    "Linked Cubin": "linked cubin",
    "Linked Ptx": "linked PTX",
    "Linked LTOIR Size": "size of the linked LTO-IR",
    "Linked LTOIR": "linked LTO-IR",
    "Error Log Size": "size of the error log",
    "Info Log Size": "size of the information log",
    "Error Log": "error log",
    "Info Log": "information log",
    "Program Log Size": "size of the compilation log",
    "Program Log": "compilation log",
    "Graphics Resource": "graphics resource",
    "Graphics Sub Resource": "graphics sub-resource",
    "Mapped Pointer": "mapped address",
    "Ctx": "context",
    "Func": "function",
    "Mem": "memory",
    "Params": "parameters",
    "Id": "id",
    "Dev": "device",
    "Dependent Nodes": "dependent nodes",
    "Uuid": "UUID",
    "Luid": "LUID",
}

# Verbs and what they make of subject and object.
_VERBS = {
    "Get": "Returns",
    "Set": "Sets",
    "Create": "Creates",
    "Destroy": "Destroys",
    "Add": "Adds",
    "Query": "Queries",
    "Enumerate": "Enumerates",
    "Unload": "Unloads",
    "Unregister": "Unregisters",
    "Register": "Registers",
    "Import": "Imports",
    "Synchronize": "Waits for",
    "Copy": "Copies",
}

# Functions whose names do not say enough, without the prefix.
_WRITTEN = {
    "GetErrorString": "Returns the description of an error code.",
    "GetErrorName": "Returns the name of an error code.",
    "Init": "Initialises the driver for this process.",
    "DriverGetVersion": "Returns the CUDA version that the driver supports.",
    "RuntimeGetVersion": "Returns the CUDA version of the runtime library.",
    "DeviceGet": "Returns the handle of the device with that ordinal.",
    "DeviceGetCount": "Returns the number of devices.",
    "GetDeviceCount": "Returns the number of devices.",
    "GetDevice": "Returns the device that this thread uses.",
    "SetDevice": "Makes a device the one that this thread uses.",
    "InitDevice": "Initialises a device without making it current.",
    "ChooseDevice": "Finds the device that matches given properties best.",
    "SetValidDevices": "Sets which devices may be used, in order of preference.",
    "GetDeviceFlags": "Returns the flags of the current device.",
    "SetDeviceFlags": "Sets the flags of the current device.",
    "GetDeviceProperties": "Returns the properties of a device.",
    "DeviceGetName": "Returns the name of a device.",
    "DeviceTotalMem": "Returns the size of a device's memory, in bytes.",
    "DeviceReset": "Destroys the current device's primary context and all that is in it.",
    "DeviceSynchronize": "Waits for all work on the current device.",
    "DeviceGetLimit": "Returns a resource limit of the current device.",
    "DeviceSetLimit": "Sets a resource limit of the current device.",
    "DeviceComputeCapability": "Returns the compute capability of a device.",
    "FlushGPUDirectRDMAWrites": "Makes writes of GPUDirect RDMA visible.",
    "DeviceFlushGPUDirectRDMAWrites": "Makes writes of GPUDirect RDMA visible.",
    "DevicePrimaryCtxRetain": "Returns the primary context of a device and keeps it alive.",
    "DevicePrimaryCtxRelease": "Releases one retention of a device's primary context.",
    "DevicePrimaryCtxReset": "Destroys all that is in a device's primary context.",
    "DevicePrimaryCtxSetFlags": "Sets the flags of a device's primary context.",
    "DevicePrimaryCtxGetState": "Tells whether a device's primary context is active, and its flags.",
    "DeviceGetByPCIBusId": "Finds a device by its PCI bus address.",
    "DeviceCanAccessPeer": "Tells whether a device can access another one's memory.",
    "DeviceEnablePeerAccess": "Lets the current device access another one's memory.",
    "DeviceDisablePeerAccess": "Ends the current device's access to another one's memory.",
    "DeviceGraphMemTrim": "Returns unused memory of graphs to the system.",
    "CtxCreate": "Creates a context and makes it current.",
    "CtxPushCurrent": "Makes a context current, on top of the stack.",
    "CtxPopCurrent": "Removes the current context from this thread's stack.",
    "CtxSetCurrent": "Replaces the current context.",
    "CtxGetCurrent": "Returns the context that is current in this thread.",
    "CtxGetDevice": "Returns the device of the current context.",
    "CtxGetDevice_v2": "Returns the device of a context.",
    "CtxSynchronize": "Waits for all work in the current context.",
    "CtxSynchronize_v2": "Waits for all work in a context.",
    "CtxResetPersistingL2Cache": "Resets all persisting lines of the L2 cache.",
    "CtxRecordEvent": "Records all present work of a context in an event.",
    "CtxWaitEvent": "Makes all future work of a context wait for an event.",
    "CtxAttach": "Adds a use to a context; deprecated.",
    "CtxDetach": "Removes a use from a context; deprecated.",
    "CtxEnablePeerAccess": "Lets the current context access another one's memory.",
    "CtxDisablePeerAccess": "Ends the current context's access to another one's memory.",
    "CtxFromGreenCtx": "Returns the context that stands for a green context.",
    "ModuleLoad": "Loads a module from a file.",
    "ModuleLoadData": "Loads a module from memory.",
    "ModuleLoadDataEx": "Loads a module from memory, with options for the compiler.",
    "ModuleLoadFatBinary": "Loads a module from a fat binary in memory.",
    "ModuleGetFunction": "Finds a kernel in a module by name.",
    "ModuleGetGlobal": "Finds a variable in a module by name.",
    "ModuleGetTexRef": "Finds a texture reference in a module by name; deprecated.",
    "ModuleGetSurfRef": "Finds a surface reference in a module by name; deprecated.",
    "ModuleGetFunctionCount": "Returns the number of functions in a module.",
    "ModuleGetLoadingMode": "Tells whether modules are loaded lazily.",
    "ModuleEnumerateFunctions": "Returns the functions of a module.",
    "LinkCreate": "Begins to link.",
    "LinkAddData": "Adds an input in memory to what is linked.",
    "LinkAddFile": "Adds a file to what is linked.",
    "LinkComplete": "Links what was added.",
    "LinkDestroy": "Ends a link and frees its result.",
    "LibraryLoadData": "Loads a library of kernels from memory.",
    "LibraryLoadFromFile": "Loads a library of kernels from a file.",
    "LibraryGetKernel": "Finds a kernel in a library by name.",
    "LibraryGetGlobal": "Finds a variable in a library by name.",
    "LibraryGetManaged": "Finds a managed variable in a library by name.",
    "LibraryGetUnifiedFunction": "Finds a unified function in a library by name.",
    "LibraryGetModule": "Returns the module of a library in the current context.",
    "LibraryGetKernelCount": "Returns the number of kernels in a library.",
    "LibraryEnumerateKernels": "Returns the kernels of a library.",
    "KernelGetFunction": "Returns the function of a kernel in the current context.",
    "KernelGetAttribute": "Returns an attribute of a kernel on a device.",
    "KernelSetAttribute": "Sets an attribute of a kernel on a device.",
    "KernelSetAttributeForDevice": "Sets an attribute of a kernel on a device.",
    "KernelSetCacheConfig": "Sets the cache preference of a kernel on a device.",
    "MemGetInfo": "Returns the free and the total memory of the device, in bytes.",
    "MemAlloc": "Allocates device memory.",
    "Malloc": "Allocates device memory.",
    "MemAllocPitch": "Allocates device memory whose rows are aligned.",
    "MallocPitch": "Allocates device memory whose rows are aligned.",
    "Malloc3D": "Allocates device memory for a box whose rows are aligned.",
    "MallocArray": "Allocates an array.",
    "Malloc3DArray": "Allocates a three-dimensional, layered or cube map array.",
    "MallocMipmappedArray": "Allocates a mipmapped array.",
    "MallocHost": "Allocates page-locked host memory.",
    "MallocManaged": "Allocates memory that host and devices share.",
    "MallocAsync": "Allocates device memory in stream order.",
    "MallocFromPoolAsync": "Allocates from a memory pool, in stream order.",
    "MemFree": "Frees device memory.",
    "Free": "Frees device memory.",
    "FreeHost": "Frees page-locked host memory.",
    "FreeArray": "Frees an array.",
    "FreeMipmappedArray": "Frees a mipmapped array.",
    "FreeAsync": "Frees device memory in stream order.",
    "MemGetAddressRange": "Returns the start and size of the allocation that an address is in.",
    "MemAllocHost": "Allocates page-locked host memory.",
    "MemFreeHost": "Frees page-locked host memory.",
    "MemHostAlloc": "Allocates page-locked host memory, with flags.",
    "HostAlloc": "Allocates page-locked host memory, with flags.",
    "MemHostGetDevicePointer": "Returns the device's address of page-locked host memory.",
    "HostGetDevicePointer": "Returns the device's address of page-locked host memory.",
    "MemHostGetFlags": "Returns the flags of page-locked host memory.",
    "HostGetFlags": "Returns the flags of page-locked host memory.",
    "MemAllocManaged": "Allocates memory that host and devices share.",
    "MemHostRegister": "Page-locks existing host memory.",
    "HostRegister": "Page-locks existing host memory.",
    "MemHostUnregister": "Unregisters page-locked host memory.",
    "HostUnregister": "Unregisters page-locked host memory.",
    "IpcGetEventHandle": "Makes a handle with which another process opens an event.",
    "IpcOpenEventHandle": "Opens another process's event.",
    "IpcGetMemHandle": "Makes a handle with which another process opens an allocation.",
    "IpcOpenMemHandle": "Opens another process's allocation.",
    "IpcCloseMemHandle": "Closes another process's allocation.",
    "MemGetHandleForAddressRange": "Makes an operating system's handle for an address range.",
    "MemBatchDecompressAsync": "Decompresses several pieces of memory, in stream order.",
    "MemAddressReserve": "Reserves a range of addresses.",
    "MemAddressFree": "Frees a reserved range of addresses.",
    "MemCreate": "Creates physical memory that can be mapped.",
    "MemRelease": "Releases a handle of physical memory.",
    "MemMap": "Maps physical memory to reserved addresses.",
    "MemMapArrayAsync": "Maps and unmaps parts of sparse arrays, in stream order.",
    "MemUnmap": "Ends the mapping of a range of addresses.",
    "MemSetAccess": "Sets which devices may access a range of addresses.",
    "MemGetAccess": "Returns how a location may access an address.",
    "MemExportToShareableHandle": "Makes an operating system's handle for physical memory.",
    "MemImportFromShareableHandle": "Opens physical memory by an operating system's handle.",
    "MemGetAllocationGranularity": "Returns the granularity that sizes of physical memory must have.",
    "MemGetAllocationPropertiesFromHandle": "Returns the properties of physical memory.",
    "MemRetainAllocationHandle": "Returns the handle of the physical memory at an address.",
    "MemFreeAsync": "Frees device memory in stream order.",
    "MemAllocAsync": "Allocates device memory in stream order.",
    "MemAllocFromPoolAsync": "Allocates from a memory pool, in stream order.",
    "MemPoolTrimTo": "Returns unused memory of a pool to the system.",
    "MemPoolSetAccess": "Sets which devices may access a memory pool.",
    "MemPoolGetAccess": "Returns how a device may access a memory pool.",
    "MemPoolExportToShareableHandle": "Makes an operating system's handle for a memory pool.",
    "MemPoolImportFromShareableHandle": "Opens a memory pool by an operating system's handle.",
    "MemPoolExportPointer": "Makes data with which another process opens an allocation of a pool.",
    "MemPoolImportPointer": "Opens another process's allocation of a pool.",
    "MemGetDefaultMemPool": "Returns the default memory pool of a location.",
    "MemGetMemPool": "Returns the current memory pool of a location.",
    "MemSetMemPool": "Sets the current memory pool of a location.",
    "DeviceSetMemPool": "Sets the current memory pool of a device.",
    "DeviceGetMemPool": "Returns the current memory pool of a device.",
    "MemPrefetchAsync": "Moves managed memory to a location, in stream order.",
    "MemPrefetchBatchAsync": "Moves several ranges of managed memory to locations, in stream order.",
    "MemDiscardBatchAsync": "Discards the contents of several ranges of managed memory, in stream order.",
    "MemDiscardAndPrefetchBatchAsync": "Discards and moves several ranges of managed memory, in stream order.",
    "MemAdvise": "Advises how a range of managed memory will be used.",
    "MemRangeGetAttribute": "Returns an attribute of a range of managed memory.",
    "MemRangeGetAttributes": "Returns several attributes of a range of managed memory.",
    "PointerGetAttribute": "Returns an attribute of an address.",
    "PointerGetAttributes": "Returns several attributes of an address.",
    "PointerSetAttribute": "Sets an attribute of the allocation at an address.",
    "MulticastCreate": "Creates a multicast object.",
    "MulticastAddDevice": "Adds a device to a multicast object.",
    "MulticastBindMem": "Binds physical memory to a multicast object.",
    "MulticastBindAddr": "Binds mapped memory to a multicast object.",
    "MulticastUnbind": "Ends the binding of a device's memory to a multicast object.",
    "MulticastGetGranularity": "Returns the granularity that sizes of a multicast object must have.",
    "ArrayCreate": "Creates a one- or two-dimensional array.",
    "Array3DCreate": "Creates a three-dimensional, layered or cube map array.",
    "ArrayGetDescriptor": "Returns the descriptor of a one- or two-dimensional array.",
    "Array3DGetDescriptor": "Returns the descriptor of an array.",
    "ArrayGetPlane": "Returns one plane of a multi-planar array.",
    "ArrayGetInfo": "Returns the format, extent and flags of an array.",
    "MipmappedArrayGetLevel": "Returns one level of a mipmapped array.",
    "GetMipmappedArrayLevel": "Returns one level of a mipmapped array.",
    "StreamCreate": "Creates a stream.",
    "StreamCreateWithFlags": "Creates a stream with flags.",
    "StreamCreateWithPriority": "Creates a stream with a priority.",
    "StreamGetCtx": "Returns the context of a stream.",
    "StreamGetCtx_v2": "Returns the context or the green context of a stream.",
    "StreamGetId": "Returns the number that identifies a stream in its process.",
    "CtxGetId": "Returns the number that identifies a context in its process.",
    "GreenCtxGetId": "Returns the number that identifies a green context in its process.",
    "StreamWaitEvent": "Makes a stream's future work wait for an event.",
    "StreamAddCallback": "Calls a host function when a stream reaches this point; deprecated.",
    "StreamBeginCapture": "Begins to capture a stream's work into a new graph.",
    "StreamBeginCaptureToGraph": "Begins to capture a stream's work into an existing graph.",
    "StreamEndCapture": "Ends a capture and returns the graph.",
    "StreamIsCapturing": "Tells whether a stream is being captured.",
    "StreamUpdateCaptureDependencies": "Changes what the next captured node will depend on.",
    "ThreadExchangeStreamCaptureMode": "Exchanges this thread's capture mode for another.",
    "StreamAttachMemAsync": "Attaches managed memory to a stream.",
    "StreamQuery": "Tells whether all work of a stream is done.",
    "StreamSynchronize": "Waits for all work of a stream.",
    "StreamCopyAttributes": "Copies the attributes of a stream to another.",
    "StreamWaitValue32": "Makes a stream wait until a 32-bit value in memory meets a condition.",
    "StreamWaitValue64": "Makes a stream wait until a 64-bit value in memory meets a condition.",
    "StreamWriteValue32": "Writes a 32-bit value to memory, in stream order.",
    "StreamWriteValue64": "Writes a 64-bit value to memory, in stream order.",
    "StreamBatchMemOp": "Does several waits for and writes of values, in stream order.",
    "EventCreate": "Creates an event.",
    "EventCreateWithFlags": "Creates an event with flags.",
    "EventRecord": "Records a stream's present work in an event.",
    "EventRecordWithFlags": "Records a stream's present work in an event, with flags.",
    "EventQuery": "Tells whether all work recorded in an event is done.",
    "EventSynchronize": "Waits for all work recorded in an event.",
    "EventElapsedTime": "Returns the time between two events, in milliseconds.",
    "ExternalMemoryGetMappedBuffer": "Maps a buffer of imported memory.",
    "ExternalMemoryGetMappedMipmappedArray": "Maps a mipmapped array of imported memory.",
    "SignalExternalSemaphoresAsync": "Signals imported semaphores, in stream order.",
    "WaitExternalSemaphoresAsync": "Waits for imported semaphores, in stream order.",
    "FuncGetModule": "Returns the module that a function is in.",
    "FuncIsLoaded": "Tells whether a function is loaded.",
    "FuncLoad": "Loads a function.",
    "FuncGetAttributes": "Returns the attributes of a function.",
    "FuncSetBlockShape": "Sets the block's dimensions for the next launch; deprecated.",
    "FuncSetSharedSize": "Sets the dynamic shared memory for the next launch; deprecated.",
    "ParamSetSize": "Sets the size of the parameters for the next launch; deprecated.",
    "ParamSeti": "Sets an integer parameter for the next launch; deprecated.",
    "ParamSetf": "Sets a float parameter for the next launch; deprecated.",
    "ParamSetv": "Sets parameter bytes for the next launch; deprecated.",
    "ParamSetTexRef": "Adds a texture reference to the next launch; deprecated.",
    "Launch": "Launches a function on one block; deprecated.",
    "LaunchGrid": "Launches a function on a grid; deprecated.",
    "LaunchGridAsync": "Launches a function on a grid in a stream; deprecated.",
    "LaunchKernel": "Launches a kernel.",
    "LaunchKernelEx": "Launches a kernel with attributes.",
    "LaunchKernelExC": "Launches a kernel with attributes.",
    "LaunchCooperativeKernel": "Launches a kernel whose blocks can wait for one another.",
    "LaunchCooperativeKernelMultiDevice": "Launches cooperative kernels on several devices; deprecated.",
    "LaunchHostFunc": "Calls a host function when a stream reaches this point.",
    "GraphCreate": "Creates an empty graph.",
    "GraphClone": "Copies a graph.",
    "GraphNodeFindInClone": "Finds the node of a copied graph that stands for a node of the original.",
    "GraphChildGraphNodeGetGraph": "Returns the graph of a child graph node.",
    "GraphNodeGetType": "Returns the type of a graph node.",
    "GraphGetNodes": "Returns the nodes of a graph.",
    "GraphGetRootNodes": "Returns the nodes of a graph that depend on none.",
    "GraphGetEdges": "Returns the dependencies between the nodes of a graph.",
    "GraphNodeGetDependencies": "Returns the nodes that a graph node depends on.",
    "GraphNodeGetDependentNodes": "Returns the nodes that depend on a graph node.",
    "GraphAddDependencies": "Adds dependencies between nodes of a graph.",
    "GraphRemoveDependencies": "Removes dependencies between nodes of a graph.",
    "GraphDestroyNode": "Removes a node from its graph.",
    "GraphInstantiate": "Makes an executable graph.",
    "GraphInstantiateWithFlags": "Makes an executable graph, with flags.",
    "GraphInstantiateWithParams": "Makes an executable graph, with parameters.",
    "GraphNodeSetEnabled": "Switches a node of an executable graph on or off.",
    "GraphNodeGetEnabled": "Tells whether a node of an executable graph is switched on.",
    "GraphUpload": "Uploads an executable graph in a stream, so that its launch need not.",
    "GraphLaunch": "Launches an executable graph in a stream.",
    "GraphExecUpdate": "Updates an executable graph from another graph of the same topology.",
    "GraphDebugDotPrint": "Writes a description of a graph in the DOT language to a file.",
    "GraphAddNode": "Adds a node of any type to a graph.",
    "GraphNodeSetParams": "Sets the parameters of a graph node of any type.",
    "GraphExecNodeSetParams": "Sets the parameters of a node of any type in an executable graph.",
    "GraphConditionalHandleCreate": "Creates a handle for the condition of a conditional node.",
    "GraphRetainUserObject": "Makes a graph keep references to a user object.",
    "GraphReleaseUserObject": "Releases a graph's references to a user object.",
    "UserObjectRetain": "Adds references to a user object.",
    "UserObjectRelease": "Releases references to a user object.",
    "GraphKernelNodeCopyAttributes": "Copies the attributes of a kernel node to another.",
    "GraphAddMemcpyNode1D": "Adds a node that copies bytes to a graph.",
    "GraphAddMemcpyNodeToSymbol": "Adds a node that copies to a variable to a graph.",
    "GraphAddMemcpyNodeFromSymbol": "Adds a node that copies from a variable to a graph.",
    "GraphMemcpyNodeSetParams1D": "Makes a copy node copy bytes.",
    "GraphMemcpyNodeSetParamsToSymbol": "Makes a copy node copy to a variable.",
    "GraphMemcpyNodeSetParamsFromSymbol": "Makes a copy node copy from a variable.",
    "GraphExecMemcpyNodeSetParams1D": "Makes a copy node of an executable graph copy bytes.",
    "GraphExecMemcpyNodeSetParamsToSymbol": "Makes a copy node of an executable graph copy to a variable.",
    "GraphExecMemcpyNodeSetParamsFromSymbol": "Makes a copy node of an executable graph copy from a variable.",
    "OccupancyMaxActiveBlocksPerMultiprocessor": "Returns how many blocks of a kernel fit on a multiprocessor.",
    "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags": "Returns how many blocks of a kernel fit on a "
    "multiprocessor, with flags.",
    "OccupancyMaxPotentialBlockSize": "Returns the block size that occupies a device best.",
    "OccupancyMaxPotentialBlockSizeWithFlags": "Returns the block size that occupies a device best, with flags.",
    "OccupancyAvailableDynamicSMemPerBlock": "Returns how much dynamic shared memory each of several blocks can have.",
    "OccupancyMaxPotentialClusterSize": "Returns the largest cluster that a kernel can be launched with.",
    "OccupancyMaxActiveClusters": "Returns how many clusters of a kernel fit on a device.",
    "TexRefSetAddress2D": "Binds pitched memory to a texture reference; deprecated.",
    "TensorMapEncodeTiled": "Makes a tensor map for tiles.",
    "TensorMapEncodeIm2col": "Makes a tensor map for images as columns.",
    "TensorMapEncodeIm2colWide": "Makes a tensor map for images as columns, in wide mode.",
    "TensorMapReplaceAddress": "Changes the address in a tensor map.",
    "GraphicsUnregisterResource": "Unregisters a graphics resource.",
    "GraphicsMapResources": "Maps graphics resources for CUDA.",
    "GraphicsUnmapResources": "Ends the mapping of graphics resources.",
    "GraphicsSubResourceGetMappedArray": "Returns the array of a mapped graphics resource.",
    "GraphicsResourceGetMappedMipmappedArray": "Returns the mipmapped array of a mapped graphics resource.",
    "GraphicsResourceGetMappedPointer": "Returns the address and size of a mapped graphics resource.",
    "GraphicsResourceSetMapFlags": "Sets how a graphics resource will be mapped.",
    "GetProcAddress": "Returns the address of a driver function, of a given version.",
    "GetDriverEntryPoint": "Returns the address of a driver function.",
    "GetDriverEntryPointByVersion": "Returns the address of a driver function, of a given version.",
    "CoredumpGetAttribute": "Returns a core dump setting of the current context.",
    "CoredumpSetAttribute": "Sets a core dump setting of the current context.",
    "CoredumpGetAttributeGlobal": "Returns a core dump setting of the process.",
    "CoredumpSetAttributeGlobal": "Sets a core dump setting of the process.",
    "GetExportTable": "Returns a table of internal functions.",
    "DevSmResourceSplitByCount": "Splits an SM resource into groups.",
    "DevResourceGenerateDesc": "Makes a resource descriptor from device resources.",
    "GreenCtxCreate": "Creates a green context on part of a device.",
    "GreenCtxRecordEvent": "Records all present work of a green context in an event.",
    "GreenCtxWaitEvent": "Makes all future work of a green context wait for an event.",
    "GreenCtxStreamCreate": "Creates a stream in a green context.",
    "LogsRegisterCallback": "Registers a function that is called with each error log line.",
    "LogsUnregisterCallback": "Unregisters a log callback.",
    "LogsCurrent": "Returns the present position in the error log.",
    "ProfilerInitialize": "Sets up the command line profiler; deprecated.",
    "ProfilerStart": "Lets profilers collect from now on.",
    "ProfilerStop": "Stops what profilers collect.",
    "LogsDumpToFile": "Writes the error log to a file.",
    "LogsDumpToMemory": "Writes the error log to memory.",
    "CheckpointProcessGetRestoreThreadId": "Returns the thread that restores a process.",
    "CheckpointProcessGetState": "Returns the checkpoint state of a process.",
    "CheckpointProcessLock": "Locks a process's CUDA calls.",
    "CheckpointProcessCheckpoint": "Moves a locked process's GPU memory to the host.",
    "CheckpointProcessRestore": "Restores a process's GPU memory.",
    "CheckpointProcessUnlock": "Unlocks a process's CUDA calls.",
    "GetLastError": "Returns the last error of a runtime call in this thread, and clears it.",
    "PeekAtLastError": "Returns the last error of a runtime call in this thread.",
    "GetSymbolAddress": "Returns the device address of a variable.",
    "GetSymbolSize": "Returns the size of a variable, in bytes.",
    "GetFuncBySymbol": "Returns the driver's function of a kernel.",
    "GetKernel": "Returns the library kernel of a kernel.",
    "CreateChannelDesc": "Makes a channel format.",
    "GetChannelDesc": "Returns the channel format of an array.",
    "DeviceGetTexture1DLinearMaxWidth": "Returns the largest width of a linear one-dimensional texture on a device.",
    "DeviceGetHostAtomicCapabilities": "Returns which atomic operations work between a device and the host.",
    "DeviceGetP2PAtomicCapabilities": "Returns which atomic operations work between two devices.",
    "DeviceGetP2PAttribute": "Returns an attribute of the link between two devices.",
    "DeviceGetExecAffinitySupport": "Tells whether a device supports an execution affinity.",
    "CtxGetLimit": "Returns a resource limit of the current context.",
    "CtxSetLimit": "Sets a resource limit of the current context.",
    "KernelGetParamInfo": "Returns the offset and size of a kernel's parameter.",
    "FuncGetParamInfo": "Returns the offset and size of a function's parameter.",
    "StreamGetCaptureInfo": "Returns the state of a stream's capture.",
    "GetTextureObjectResourceDesc": "Returns the resource descriptor of a texture object.",
    "GetTextureObjectTextureDesc": "Returns the texture descriptor of a texture object.",
    "GetTextureObjectResourceViewDesc": "Returns the resource view descriptor of a texture object.",
    "GetSurfaceObjectResourceDesc": "Returns the resource descriptor of a surface object.",
    "MemcpyAtoA": "Copies from an array to another.",
    "MemcpyDtoD": "Copies from device memory to device memory.",
    "ThreadExit": "Destroys all that this process has on the current device; deprecated.",
    "DeviceGetCliqueCount": "Returns the number of a device's fabric cliques.",
    "DeviceGetCliqueInfo": "Returns a device's fabric cliques.",
    "DeviceGetFabricClusterUuid": "Returns the UUID of a device's fabric cluster.",
    "FuncGetParamCount": "Returns the number of a function's parameters.",
    "KernelGetParamCount": "Returns the number of a kernel's parameters.",
    "GraphNodeGetToolsId": "Returns the id of a graph node that tools use.",
    "GraphNodeGetLocalId": "Returns the id of a graph node within its graph.",
    "GraphNodeGetContainingGraph": "Returns the graph that a graph node is in.",
    "LogicalEndpointAddDevice": "Adds a device to a logical endpoint.",
    "LogicalEndpointQuery": "Tells whether all logical endpoints of a range can be used.",
    "MemGetLocationInfo": "Returns where managed memory is.",
    "ExecutionCtxStreamCreate": "Creates a stream in an execution context.",
    "ExecutionCtxSynchronize": "Waits for all work in an execution context.",
    "CheckpointOperationComplete": "Completes a checkpoint or a restoration whose memory the caller copies.",
    "CoredumpRegisterStartCallback": "Registers a function that is called when a core dump begins.",
    "CoredumpRegisterCompleteCallback": "Registers a function that is called when a core dump is complete.",
    "CoredumpDeregisterStartCallback": "Unregisters a function that is called when a core dump begins.",
    "CoredumpDeregisterCompleteCallback": "Unregisters a function that is called when a core dump is complete.",
    "DevSmResourceSplit": "Splits an SM resource into groups, each with parameters of its own.",
    "FabricCpyBatchAsync": "Makes several copies over a fabric, in stream order.",
    "LogicalEndpointBindAddr": "Binds memory at an address to a logical endpoint.",
    "LogicalEndpointBindMem": "Binds an allocation to a logical endpoint.",
    "LogicalEndpointUnbind": "Unbinds memory from a logical endpoint.",
    "LogicalEndpointExport": "Makes a handle with which another process can import a logical endpoint.",
    "LogicalEndpointIdReserve": "Reserves a range of logical endpoint ids.",
    "LogicalEndpointIdRelease": "Releases a range of logical endpoint ids.",
    "StreamBeginCaptureToCig": "Begins the capture of a stream for a graphics queue that CUDA shares.",
    "StreamEndCaptureToCig": "Ends the capture of a stream for a graphics queue that CUDA shares.",
    "StreamBeginRecaptureToGraph": "Begins a capture that updates the nodes of a graph captured earlier.",
    "ExecutionCtxRecordEvent": "Records all present work of an execution context in an event.",
    "ExecutionCtxWaitEvent": "Makes all future work of an execution context wait for an event.",
    "MemcpyWithAttributesAsync": "Copies memory with attributes of the copy, in stream order.",
    "Memcpy3DWithAttributesAsync": "Copies a box with attributes of the copy, in stream order.",
    # NVRTC
    "InstallBundledHeaders": "Writes the CUDA headers that NVRTC carries to a folder.",
    "RemoveBundledHeaders": "Removes a folder with the CUDA headers that NVRTC carries, and all that is in it.",
    "GetBundledHeadersInfo": "Returns the CUDA headers that NVRTC carries.",
    "Version": "Returns the library's version.",
    "GetNumSupportedArchs": "Returns the number of architectures that can be compiled for.",
    "GetSupportedArchs": "Returns the architectures that can be compiled for.",
    "CompileProgram": "Compiles a program.",
    "AddNameExpression": "Adds a name whose lowered form will be asked for.",
    "GetLoweredName": "Returns the lowered name of an expression.",
    "GetTypeName": "Returns the name of a type.",
    "GetPCHHeapSize": "Returns the size of the heap for precompiled headers.",
    "SetPCHHeapSize": "Sets the size of the heap for precompiled headers.",
    "GetPCHHeapSizeRequired": "Returns the size of heap that the precompiled header of a program needs.",
    "GetPCHCreateStatus": "Returns the status of the creation of a precompiled header.",
    "SetFlowCallback": "Sets a function that can stop a compilation.",
    # nvJitLink
    "Create": "Creates a linker.",
    "Destroy": "Destroys a linker.",
    "AddData": "Adds an input in memory to what is linked.",
    "AddFile": "Adds a file to what is linked.",
    "Complete": "Links what was added.",
    # libNVVM
    "IRVersion": "Returns the versions of NVVM IR and of its debug metadata that the library reads.",
    "LLVMVersion": "Returns the major version of the LLVM whose IR the library reads for an architecture.",
    "AddModuleToProgram": "Adds a module, text or bitcode, to a program.",
    "LazyAddModuleToProgram": "Adds a module of which only what the others use is loaded to a program.",
    "VerifyProgram": "Checks a program without compiling it.",
    "GetCompiledResultSize": "Returns the size of what a program was compiled to, in bytes.",
    "GetCompiledResult": "Returns what a program was compiled to.",
}
_PREFIXES = ("nvJitLink", "nvrtc", "nvvm", "cuda", "cu")
_OUTPUTS = {
    "PTX": "PTX",
    "CUBIN": "cubin",
    "LTOIR": "LTO-IR",
    "OptiXIR": "OptiX-IR",
    "NVVM": "NVVM-IR",
    "TileIR": "Tile IR",
}


def summary(name: str) -> str:
    """One sentence about the function of that public name."""
    if name.startswith("nccl"):
        return nccl_summaries.summary(name)
    if name.startswith("nvml"):
        return nvml_summaries.summary(name)
    stem = next(name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix))
    if _WRITTEN.get(stem):
        return _WRITTEN[stem]
    if re.search(r"_v\d$", stem):  # a later signature under a name of its own
        return summary(name[: name.rindex("_v")])
    output = re.fullmatch(rf"Get({'|'.join(_OUTPUTS)})(Size)?", stem)
    if output:
        what = _OUTPUTS[output.group(1)]
        return (
            f"Returns the size of a program's {what}, in bytes." if output.group(2) else f"Returns a program's {what}."
        )
    copied = _copy(stem) or _fill(stem)
    if copied:
        return copied
    return _by_rule(stem)


_SPACES = {"H": "host memory", "D": "device memory", "A": "an array"}


def _copy(stem: str) -> str:
    match = re.fullmatch(r"Memcpy(\w*?)(Peer)?(Unaligned)?(Batch)?(Async)?", stem)
    if not match:
        return ""
    what, peer, unaligned, batch, asynchronous = match.groups()
    text = "Copies memory"
    between = re.fullmatch(r"([HDA])to([HDA])", what)
    if between:
        text = f"Copies from {_SPACES[between.group(1)]} to {_SPACES[between.group(2)]}"
    elif what.startswith("2D"):
        text = "Copies a rectangle"
    elif what.startswith("3D"):
        text = "Copies several boxes" if batch else "Copies a box"
    elif batch:
        text = "Copies several pieces of memory"
    direction = re.search(r"(ArrayToArray|ToArray|FromArray|ToSymbol|FromSymbol)$", what)
    if direction:
        words = {
            "ArrayToArray": " from an array to another",
            "ToArray": " to an array",
            "FromArray": " from an array",
            "ToSymbol": " to a variable",
            "FromSymbol": " from a variable",
        }
        text += words[direction.group(1)]
    if peer:
        text += " between devices"
    if unaligned:
        text += " of any alignment"
    return text + (", in stream order." if asynchronous else ".")


def _fill(stem: str) -> str:
    match = re.fullmatch(r"Memset(2D|3D|D2D|D)?(\d*)(Async)?", stem)
    if not match:
        return ""
    form, bits, asynchronous = match.groups()
    text = {"2D": "Fills a rectangle", "3D": "Fills a box", "D2D": "Fills a rectangle"}.get(form or "", "Fills memory")
    text += f" with {'an' if bits == '8' else 'a'} {bits}-bit value" if bits else " with a byte"
    return text + (", in stream order." if asynchronous else ".")


def _words(text: str) -> str:
    """The words of a part of a name, as in a sentence."""
    parts = re.findall(r"P2P|PCI|LTOIR|1D|2D|3D|L2|Im2col|[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z]*\d*|[a-z]+|\d+[A-Z]?", text)
    spaced = " ".join(parts)
    for phrase in sorted(_PHRASES, key=len, reverse=True):
        spaced = re.sub(rf"(^| ){phrase}(?= |$)", lambda match, p=phrase: match.group(1) + _PHRASES[p], spaced)  # type: ignore[misc]
    return " ".join(word if re.search(r"[A-Z].*[A-Z0-9]", word) else word.lower() for word in spaced.split(" "))


def _article(noun: str) -> str:
    if noun.endswith("s") or noun.startswith(("external memory", "host memory")):
        return noun
    return ("an " if noun[0] in "aeiou" and not noun.startswith("use") else "a ") + noun


def _by_rule(stem: str) -> str:
    found = re.search(rf"(?<![a-z])({'|'.join(_VERBS)})(?![a-z])|(?<=[a-z])({'|'.join(_VERBS)})(?![a-z])", stem)
    if not found:
        raise SystemExit(f"bindings/generator/summaries.py has no line about {stem}")
    verb = found.group(0)
    subject, thing = _words(stem[: found.start()]), _words(stem[found.end() :])
    of = f" of {_article(subject)}" if subject else ""
    if verb in ("Get", "Set"):
        executable = ""
        if subject.startswith("executable graph "):
            subject, executable = subject.removeprefix("executable graph "), " in an executable graph"
            of = f" of {_article(subject)}"
        single = thing in ("attribute", "graph memory attribute")
        the = "an" if single and thing.startswith("a") else "a" if single else "the"
        return f"{_VERBS[verb]} {the} {thing}{of}{executable}."
    if verb == "Add" and subject == "graph":
        return f"Adds {_article(thing)} to a graph."
    return f"{_VERBS[verb]} {_article(thing or subject)}{of if thing and subject else ''}."
