// <cuda.h>, and functions of CUDA 13.1 to 13.5 that the simulator has: the headers of this build may be of a version
// that does not declare them, or of one that does. Then the compiler compares both.
#pragma once

#include "driver/process/cuda_api.hpp"

// Declared alone: what is in it differs between versions, and is read byte by byte (device_resource.hpp).
typedef struct CU_DEV_SM_RESOURCE_GROUP_PARAMS_st CU_DEV_SM_RESOURCE_GROUP_PARAMS;

#pragma GCC visibility push(default)
extern "C" {

CUresult CUDAAPI cuFuncGetParamCount(CUfunction, size_t*);
CUresult CUDAAPI cuKernelGetParamCount(CUkernel, size_t*);

CUresult CUDAAPI cuGraphGetId(CUgraph, unsigned int*);
CUresult CUDAAPI cuGraphExecGetId(CUgraphExec, unsigned int*);
CUresult CUDAAPI cuGraphNodeGetContainingGraph(CUgraphNode, CUgraph*);
CUresult CUDAAPI cuGraphNodeGetLocalId(CUgraphNode, unsigned int*);
CUresult CUDAAPI cuGraphNodeGetToolsId(CUgraphNode, unsigned long long*);
CUresult CUDAAPI cuGraphNodeGetParams(CUgraphNode, CUgraphNodeParams*);
CUresult CUDAAPI cuGraphNodeSetParams_v2(CUgraphNode, CUgraphNodeParams*);
CUresult CUDAAPI cuGraphAddNode_v3(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*, size_t,
                                   CUgraphNodeParams*);

CUresult CUDAAPI cuLaunchHostFunc_v2(CUstream, CUhostFn, void*, unsigned int);
CUresult CUDAAPI cuLaunchHostFunc_v2_ptsz(CUstream, CUhostFn, void*, unsigned int);

CUresult CUDAAPI cuMemcpyWithAttributesAsync(CUdeviceptr, CUdeviceptr, size_t, CUmemcpyAttributes*, CUstream);
CUresult CUDAAPI cuMemcpyWithAttributesAsync_ptsz(CUdeviceptr, CUdeviceptr, size_t, CUmemcpyAttributes*, CUstream);
CUresult CUDAAPI cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP*, unsigned long long, CUstream);
CUresult CUDAAPI cuMemcpy3DWithAttributesAsync_ptsz(CUDA_MEMCPY3D_BATCH_OP*, unsigned long long, CUstream);
CUresult CUDAAPI cuMemGetLocationInfo(CUdeviceptr, size_t, size_t, size_t, CUmemLocation*);

CUresult CUDAAPI cuStreamGetDevResource(CUstream, CUdevResource*, CUdevResourceType);
CUresult CUDAAPI cuStreamGetDevResource_ptsz(CUstream, CUdevResource*, CUdevResourceType);
CUresult CUDAAPI cuDevSmResourceSplit(CUdevResource*, unsigned int, const CUdevResource*, CUdevResource*, unsigned int,
                                      CU_DEV_SM_RESOURCE_GROUP_PARAMS*);

}  // extern "C"
#pragma GCC visibility pop

namespace cuprum::simulator::libcuda {

// The stream that the form of a function with the per-thread default stream (_ptsz) means.
inline CUstream per_thread_stream(CUstream stream) {
    return stream != nullptr ? stream : CU_STREAM_PER_THREAD;
}

}  // namespace cuprum::simulator::libcuda
