/* Finding the toolkit, its add-ons and the driver. docs/pathfinder.md has the order of the search.
 *
 * A failed search gives CUPRUM_ERROR_LIBRARY_NOT_FOUND (CUPRUM_ERROR_HEADER_NOT_FOUND for headers), whose message lists
 * every place searched and why each candidate was refused; an unknown name CUPRUM_ERROR_INVALID_ARGUMENT with the
 * nearest names; a part that this platform does not have CUPRUM_ERROR_UNSUPPORTED. What was found is remembered. All
 * parts of the toolkit come from one toolkit, the one in use. `found_via_out` ("wheel", "conda", "CUDA_PATH",
 * "loader", ...) may be NULL everywhere.
 */
#ifndef CUPRUM_CAPI_PATHFINDER_H
#define CUPRUM_CAPI_PATHFINDER_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of part. */
enum {
    CUPRUM_PART_DYNAMIC_LIBRARY = 0,
    CUPRUM_PART_HEADERS = 1,
    CUPRUM_PART_BITCODE_LIBRARY = 2,
    CUPRUM_PART_STATIC_LIBRARY = 3,
    CUPRUM_PART_BINARY_UTILITY = 4
};

/* What a part belongs to. Parts of the toolkit come from one toolkit; add-ons have their own versions. */
enum { CUPRUM_ORIGIN_TOOLKIT = 0, CUPRUM_ORIGIN_ADD_ON = 1, CUPRUM_ORIGIN_DRIVER = 2 };

/* A part of any kind; `name` is cuda.pathfinder's: "nvrtc", "cccl", "device", "cudadevrt", "nvcc". `path_out` is the
 * file, or for headers the folder to include from. Nothing is opened except the driver ("cuda"), to check that it is
 * a driver.
 * @does finding a part of the toolkit
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_part(const char** path_out, const char** found_via_out, int32_t kind,
                                          const char* name);
/* The same for each kind.
 * @does finding a library
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_library(const char** path_out, const char** found_via_out, const char* name);
/* @does finding headers
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_header_directory(const char** path_out, const char** found_via_out,
                                                      const char* name);
/* @does finding a bitcode library
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_bitcode_library(const char** path_out, const char** found_via_out,
                                                     const char* name);
/* @does finding a static library
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_static_library(const char** path_out, const char** found_via_out,
                                                    const char* name);
/* @does finding a tool
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_find_binary_utility(const char** path_out, const char** found_via_out,
                                                    const char* name);

/* Opens a dynamic library and, before it, those that it needs. `native_handle_out` is the handle of dlopen(); it is
 * never closed. `was_already_loaded_out`: 1 if other code in this process had already opened it.
 * @does loading a library
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_load_library(const char** path_out, const char** found_via_out,
                                             uint64_t* native_handle_out, int32_t* was_already_loaded_out,
                                             const char* name);

/* The folders that a compilation with NVRTC needs, in -I order: CUDA's own headers, then CCCL's if that is
 * elsewhere. CUPRUM_ERROR_HEADER_NOT_FOUND without CUDA's headers, CUPRUM_ERROR_INVALID_ARGUMENT for an index that is
 * too large.
 * @does listing the include folders
 * @blocks */
CUPRUM_API cuprum_status cuprum_include_directory_count(uint32_t* count_out);
/* @does listing the include folders */
CUPRUM_API cuprum_status cuprum_include_directory(const char** path_out, uint32_t index);

/* The parts of a kind on this platform. `file_out`: the name of its first file, "libnvrtc.so.13"; for headers a file
 * that is always there. `origin_out`: what the part belongs to.
 * @does listing the parts of a toolkit */
CUPRUM_API cuprum_status cuprum_part_count(uint32_t* count_out, int32_t kind);
/* @does listing the parts of a toolkit */
CUPRUM_API cuprum_status cuprum_part_info(const char** name_out, const char** file_out, int32_t* origin_out,
                                          int32_t kind, uint32_t index);

/* Adds a folder (a Python environment's site-packages) whose nvidia/ sub-folders are searched first.
 * @does adding a folder of wheels */
CUPRUM_API cuprum_status cuprum_add_wheel_directory(const char* site_packages);
/* Forgets what was found and which toolkit is in use. Libraries that are open stay open.
 * @does forgetting what was found */
CUPRUM_API cuprum_status cuprum_reset_pathfinder(void);

/* The first toolkit in the order of the search that has NVRTC and the wanted version: conditions joined by commas, as
 * in ">=12.4,<14" or "13"; NULL or empty for any. Parts of other toolkits are refused, except for the names in
 * `from_elsewhere`, which may be NULL where the count is 0.
 * @does choosing a CUDA toolkit
 * @nullable version from_elsewhere
 * @blocks */
CUPRUM_API cuprum_status cuprum_toolkit_find(cuprum_toolkit* toolkit_out, const char* version,
                                             const char* const* from_elsewhere, uint32_t from_elsewhere_count);
/* The toolkit that all functions without a toolkit take parts from, compiling included.
 * @does asking for the toolkit in use
 * @blocks */
CUPRUM_API cuprum_status cuprum_toolkit_in_use(cuprum_toolkit* toolkit_out);
/* Puts the toolkit in use, before anything is compiled. CUPRUM_ERROR_INVALID_STATE when NVRTC of another toolkit is
 * open already.
 * @does using a toolkit
 * @method
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_toolkit_use(cuprum_toolkit toolkit);
/* NULL is ignored. Libraries stay open, and a toolkit in use stays in use.
 * @does giving up a toolkit
 * @nullable toolkit */
CUPRUM_API cuprum_status cuprum_toolkit_destroy(cuprum_toolkit toolkit);
/* `version_out`: "13.0", or "13" if no more is known, or empty.
 * @does describing a toolkit
 * @nullable found_via_out */
CUPRUM_API cuprum_status cuprum_toolkit_describe(const char** root_out, const char** found_via_out,
                                                 const char** version_out, cuprum_toolkit toolkit);
/* Like the functions without a toolkit.
 * @does finding a part of a toolkit
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_toolkit_find_part(const char** path_out, const char** found_via_out,
                                                  cuprum_toolkit toolkit, int32_t kind, const char* name);
/* @does loading a library of a toolkit
 * @nullable found_via_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_toolkit_load_library(const char** path_out, const char** found_via_out,
                                                     uint64_t* native_handle_out, int32_t* was_already_loaded_out,
                                                     cuprum_toolkit toolkit, const char* name);
/* How bad a finding is. */
enum { CUPRUM_SEVERITY_NOTE = 0, CUPRUM_SEVERITY_WARNING = 1, CUPRUM_SEVERITY_ERROR = 2 };

/* What does not fit together in a toolkit: its parts with each other, and the driver with it. Gives the number of
 * findings, which this thread keeps until its next call of this function or the next one below.
 * @does checking a toolkit
 * @blocks */
CUPRUM_API cuprum_status cuprum_toolkit_check(uint32_t* count_out, cuprum_toolkit toolkit);
/* The same for problems with this machine's CUDA and with Cuprum's own setup: its compile cache, the environment
 * variables that it reads. The worst come first.
 * @does checking this machine's CUDA
 * @blocks */
CUPRUM_API cuprum_status cuprum_doctor(uint32_t* count_out);
/* One of them: what has a problem, the problem, and how to fix it, if possible as a shell command; alternatives are on
 * lines of their own that begin with "or: ". CUPRUM_ERROR_INVALID_ARGUMENT for an index that is
 * too large.
 * @does reading a finding */
CUPRUM_API cuprum_status cuprum_finding(int32_t* severity_out, const char** subject_out, const char** problem_out,
                                        const char** remedy_out, uint32_t index);

/* A report of driver, devices and toolkit parts, as JSON. What is missing or fails is described in its place by
 * "error".
 *
 *   {"cuprum": {"version"},
 *    "driver": {"path", "found_via", "simulator", "version"},
 *    "devices": [{"id", "name", "simulator", "arch", "uuid", "pci_bus_id", "multiprocessor_count", "total_memory"}],
 *    "toolkit": {"root", "found_via", "version"},
 *    "parts": [{"kind", "name", "path", "found_via", "version", "rejected": [{"path", "reason"}]}],
 *    "conflicts": [{"severity", "subject", "problem", "remedy"}],
 *    "compile_cache": {"enabled", "path", "disabled_reason", "size_limit", "entries", "bytes",
 *                      "hits", "misses", "bypassed", "dropped", "evicted"}}
 *
 * Of a part that was not found, "path" is null. The compile cache's last five count this process's compiles; its sizes
 * are in bytes.
 * @does reporting on this machine's CUDA
 * @blocks */
CUPRUM_API cuprum_status cuprum_info_json(const char** json_out);

#ifdef __cplusplus
}
#endif
#endif
