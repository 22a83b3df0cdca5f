/* Cuprum's C ABI, all of it. The rules that hold for every function are in cuprum/capi/base.h. */
#ifndef CUPRUM_H
#define CUPRUM_H

#include "cuprum/capi/base.h"
#include "cuprum/capi/bindings.h"
#include "cuprum/capi/buffer.h"
#include "cuprum/capi/checkpoint.h"
#include "cuprum/capi/context.h"
#include "cuprum/capi/copy.h"
#include "cuprum/capi/device.h"
#include "cuprum/capi/distributed.h"
#include "cuprum/capi/graph.h"
#include "cuprum/capi/image.h"
#include "cuprum/capi/ipc.h"
#include "cuprum/capi/launch.h"
#include "cuprum/capi/linker.h"
#include "cuprum/capi/memory_resource.h"
#include "cuprum/capi/out_of_core.h"
#include "cuprum/capi/parallel.h"
#include "cuprum/capi/parallel_algorithms.h"
#include "cuprum/capi/parallel_arrays.h"
#include "cuprum/capi/pathfinder.h"
#include "cuprum/capi/program.h"
#include "cuprum/capi/stream.h"
#include "cuprum/capi/system.h"
#include "cuprum/capi/tensor_map.h"
#include "cuprum/capi/trace.h"

#endif
