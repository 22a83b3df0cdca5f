// The driver's handle types, so that core's headers need no CUDA header. Identical to cuda.h's own declarations and
// compatible with them in one program, in either order.
#pragma once

typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUextSemaphore_st* CUexternalSemaphore;
typedef struct CUctx_st* CUcontext;
typedef struct CUgreenCtx_st* CUgreenCtx;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
