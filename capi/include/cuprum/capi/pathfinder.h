/* Finding the toolkit. */
#ifndef CUPRUM_CAPI_PATHFINDER_H
#define CUPRUM_CAPI_PATHFINDER_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `name` is cuda.pathfinder's: "cuda", "nvrtc", "nvJitLink", "cudart". CUPRUM_ERROR_LIBRARY_NOT_FOUND lists every place
 * looked at and why each candidate was refused. `found_via_out` ("wheel", "conda", "CUDA_PATH", "loader", ...) may be
 * NULL. The library is not opened. */
CUPRUM_API cuprum_status cuprum_find_library(const char** path_out, const char** found_via_out, const char* name);
/* `name`: "cudart" for the CUDA headers, "cccl" for CUB, Thrust and libcu++. */
CUPRUM_API cuprum_status cuprum_find_header_directory(const char** path_out, const char** found_via_out,
                                                      const char* name);
/* A report of driver, devices and toolkit parts, as JSON. What is missing or fails is described in its place by
 * "error".
 *
 *   {"cuprum": {"version"},
 *    "driver": {"path", "found_via", "simulator", "version"},
 *    "devices": [{"id", "name", "simulator", "arch", "uuid", "pci_bus_id", "multiprocessor_count", "total_memory"}],
 *    "toolkit": {"nvrtc", "nvJitLink", "cudart", "cudart headers", "cccl headers": {"path", "found_via", "version",
 *                "rejected": [{"path", "reason"}]}},
 *    "compile_cache": {"enabled", "path", "disabled_reason", "size_limit", "entries", "bytes",
 *                      "hits", "misses", "bypassed", "dropped"}}
 * The last four count this process's compiles; sizes are in bytes.
 */
CUPRUM_API cuprum_status cuprum_info_json(const char** json_out);
/* Adds a folder (a Python environment's site-packages) whose nvidia/ sub-folders are searched first. */
CUPRUM_API cuprum_status cuprum_add_wheel_directory(const char* site_packages);

#ifdef __cplusplus
}
#endif
#endif
