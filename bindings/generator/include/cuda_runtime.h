/* What nccl.h needs of CUDA, which is in another folder. */
#ifndef CUPRUM_GENERATOR_CUDA_RUNTIME_H
#define CUPRUM_GENERATOR_CUDA_RUNTIME_H
#include <stddef.h>
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
#endif
