/* Compiling, compiled code, kernels. */
#ifndef CUPRUM_CAPI_PROGRAM_H
#define CUPRUM_CAPI_PROGRAM_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CUPRUM_SOURCE_NVVM: NVVM IR, which libNVVM compiles. */
enum { CUPRUM_SOURCE_CXX = 0, CUPRUM_SOURCE_PTX = 1, CUPRUM_SOURCE_NVVM = 2 };

/* native: what the device loads directly, a cubin for a GPU and PTX for the simulator. LTO-IR, objects (as nvcc -dc
 * writes them) and libraries of objects cannot be loaded by a device: they are linked first (linker.h). */
enum {
    CUPRUM_CODE_NATIVE = 0,
    CUPRUM_CODE_PTX = 1,
    CUPRUM_CODE_CUBIN = 2,
    CUPRUM_CODE_LTOIR = 3,
    CUPRUM_CODE_FATBIN = 4,
    CUPRUM_CODE_OBJECT = 5,
    CUPRUM_CODE_LIBRARY = 6
};

/* `name` is what compile logs call the source ("saxpy.cu"); NULL or "" for a default. `options` are NVRTC's own
 * ("--gpu-architecture=compute_75", "-DN=4"). Cuprum adds architecture and language standard if they are not given,
 * and the toolkit's header folders after the given ones. NVVM IR is given as text here; its options are those of
 * cuprum_program_create_nvvm. All text is copied.
 * @does making a program
 * @nullable name options */
CUPRUM_API cuprum_status cuprum_program_create(cuprum_program* program_out, const char* code, int32_t source_type,
                                               const char* name, const char* const* options, uint32_t option_count);
/* A program of NVVM IR: a module of `size` bytes, text or bitcode, which are copied. `name` is what compile logs call
 * it. `options` are libNVVM's own ("-arch=compute_80", "-opt=0", "-ftz=1") or, for what it has too, NVRTC's
 * (--gpu-architecture, --device-debug, --dopt, --ftz, --prec-sqrt, --prec-div, --fmad, --no-cache); --use-libdevice
 * links CUDA's library of mathematical functions. Cuprum adds the architecture if it is not given. It is compiled to
 * PTX, which CUPRUM_CODE_NATIVE is too, to LTO-IR, or to a cubin, which nvJitLink makes of the PTX.
 * CUPRUM_ERROR_INVALID_ARGUMENT when libNVVM has no such option, or the module is empty.
 * @does making a program
 * @nullable name options */
CUPRUM_API cuprum_status cuprum_program_create_nvvm(cuprum_program* program_out, const void* code, uint64_t size,
                                                    const char* name, const char* const* options,
                                                    uint32_t option_count);
/* Adds a module of NVVM IR, text or bitcode, which is copied, to a program of NVVM IR: later compiles compile its
 * modules as one. CUPRUM_ERROR_INVALID_ARGUMENT when it is a program of another kind, or the module is empty.
 * @does adding a module to a program */
CUPRUM_API cuprum_status cuprum_program_add_module(cuprum_program program, const void* code, uint64_t size,
                                                   const char* name);
/* NULL is accepted and ignored.
 * @does destroying a program
 * @nullable program */
CUPRUM_API cuprum_status cuprum_program_destroy(cuprum_program program);
/* Blocks while compiling. CUPRUM_ERROR_COMPILE when the source has errors: cuprum_error_info.log has the log. The
 * caller owns the object code.
 * @does compiling a program
 * @nullable name_expressions
 * @blocks */
CUPRUM_API cuprum_status cuprum_program_compile(cuprum_object_code* object_code_out, cuprum_program program,
                                                int32_t code_type, const char* const* name_expressions,
                                                uint32_t name_expression_count);
/* The compiler's log of the last successful compile on this thread (warnings); empty if there is none.
 * @does asking for the compile log */
CUPRUM_API cuprum_status cuprum_program_log(const char** log_out);

/* Programs that are compiled on threads of the batch's own, at most `thread_count` (0: as many as there are cores),
 * while the caller takes what is done. The caller owns the batch.
 * @does making a compile batch */
CUPRUM_API cuprum_status cuprum_compile_batch_create(cuprum_compile_batch* batch_out, uint32_t thread_count);
/* Drops the compiles that have not begun and waits for those that have. NULL is accepted and ignored.
 * @does destroying a compile batch
 * @nullable batch
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_batch_destroy(cuprum_compile_batch batch);
/* Compiles a program as soon as a thread is free, as cuprum_program_compile does; it may be destroyed at once. Gives
 * the compile's index: 0 for the first of the batch, and so on.
 * @does adding a program to a compile batch
 * @nullable name_expressions */
CUPRUM_API cuprum_status cuprum_compile_batch_add(uint64_t* index_out, cuprum_compile_batch batch,
                                                  cuprum_program program, int32_t code_type,
                                                  const char* const* name_expressions, uint32_t name_expression_count);
/* Waits for a compile to be done, and gives each once, in the order in which they are done: its index, how many have
 * been given with it and how many were added, whether it succeeded, whether it comes from the compile cache, and the
 * compiler's log. `found_out` is 0 once all have been given or cancelled; the other outputs mean nothing then.
 * @does waiting for a compile
 * @truth found_out succeeded_out from_cache_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_batch_next(int32_t* found_out, uint64_t* index_out, uint64_t* done_out,
                                                   uint64_t* total_out, int32_t* succeeded_out, int32_t* from_cache_out,
                                                   const char** log_out, cuprum_compile_batch batch);
/* Waits for a compile. Fails as the compile has; CUPRUM_ERROR_INVALID_STATE when it was cancelled. The caller owns the
 * object code.
 * @does taking a compile's result
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_batch_result(cuprum_object_code* object_code_out, cuprum_compile_batch batch,
                                                     uint64_t index);
/* Fails when any compile that is done has failed: CUPRUM_ERROR_COMPILE names each of their programs, and
 * cuprum_error_info.log has the logs of all; where no source is at fault, the error of the first.
 * @does compiling several programs */
CUPRUM_API cuprum_status cuprum_compile_batch_require_success(cuprum_compile_batch batch);
/* Drops the compiles that have not begun. Does not wait for those that have.
 * @does cancelling compiles */
CUPRUM_API cuprum_status cuprum_compile_batch_cancel(cuprum_compile_batch batch);

/* Reads the diagnostics in the log of a compile or a link, such as cuprum_error_info.log or cuprum_program_log's:
 * gives their number, which this thread keeps until its next call of this function.
 * @does reading a compile log */
CUPRUM_API cuprum_status cuprum_diagnostics_parse(uint32_t* count_out, const char* log);
/* One of them: how bad it is (CUPRUM_SEVERITY_*, pathfinder.h), the line and the column counted from 1, 0 if the log
 * has none, the file by its name in the compile, the compiler's number for it ("177-D") and the message; empty if there
 * is none. CUPRUM_ERROR_INVALID_ARGUMENT for an index that is too large.
 * @does reading a diagnostic */
CUPRUM_API cuprum_status cuprum_diagnostic(int32_t* severity_out, int32_t* line_out, int32_t* column_out,
                                           const char** file_out, const char** code_out, const char** text_out,
                                           uint32_t index);

/* The folder of the compile cache; empty if the cache is disabled, and then why.
 * @does asking for the folder of the compile cache */
CUPRUM_API cuprum_status cuprum_compile_cache_directory(const char** directory_out, const char** disabled_reason_out);
/* What is on disk now: the number of entries, their bytes, and the most bytes that they may have.
 * @does measuring the compile cache
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_cache_size(uint64_t* entries_out, uint64_t* size_out, uint64_t* size_limit_out);
/* For this process, since it started: compiles that were found, and that were not; those that bypassed the cache;
 * entries found damaged and removed, and removed because the folder had exceeded its limit.
 * @does asking for the statistics of the compile cache */
CUPRUM_API cuprum_status cuprum_compile_cache_statistics(uint64_t* hits_out, uint64_t* misses_out,
                                                         uint64_t* bypassed_out, uint64_t* dropped_out,
                                                         uint64_t* evicted_out);
/* Reads every entry, and removes those that are damaged or that another version of Cuprum has written.
 * @does verifying the compile cache
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_cache_verify(uint64_t* intact_out, uint64_t* removed_out);
/* Removes all entries.
 * @does clearing the compile cache
 * @blocks */
CUPRUM_API cuprum_status cuprum_compile_cache_clear(void);

/* Takes a copy of `size` bytes of code of any type but CUPRUM_CODE_NATIVE. For PTX a final NUL may be counted or not.
 * It is checked to be whole when it is loaded, before the driver is given it: the sizes that a cubin or a fat binary
 * states must be within `size`, and PTX must not contain NUL (CUPRUM_ERROR_INVALID_ARGUMENT). `name`, for error texts,
 * may be NULL. The caller owns the object code.
 * @does taking object code
 * @nullable name */
CUPRUM_API cuprum_status cuprum_object_code_create(cuprum_object_code* object_code_out, const void* code, uint64_t size,
                                                   int32_t code_type, const char* name);
/* Code from a file, in the same way; the path is its name. CUPRUM_ERROR_INVALID_ARGUMENT when it cannot be read, is not
 * a regular file, or has more than 4 GiB.
 * @does reading code from a file
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_from_file(cuprum_object_code* object_code_out, const char* path,
                                                      int32_t code_type);
/* NULL is accepted and ignored. Kernels of it stay usable.
 * @does destroying object code
 * @nullable object_code
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_destroy(cuprum_object_code object_code);
/* @does asking for the type of object code */
CUPRUM_API cuprum_status cuprum_object_code_type(int32_t* code_type_out, cuprum_object_code object_code);
/* Borrowed from the object code: valid while it is alive.
 * @does asking for the bytes of object code */
CUPRUM_API cuprum_status cuprum_object_code_bytes(const void** data_out, uint64_t* size_out,
                                                  cuprum_object_code object_code);
/* The lowered name of a name expression. CUPRUM_ERROR_KERNEL_NOT_FOUND when it was not given to the compile; the
 * message names those that were.
 * @does looking up the lowered name of a name expression
 * @method
 * @param name_expression a name expression that was given to the compile
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_object_code_lowered_name(const char** lowered_name_out, cuprum_object_code object_code,
                                                         const char* name_expression);
/* Loads the code into the driver if it is not.
 * @does listing the kernels
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_kernel_count(uint32_t* count_out, cuprum_object_code object_code);
/* @does listing the kernels
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_kernel_name(const char** name_out, cuprum_object_code object_code,
                                                        uint32_t index);
/* By name or name expression. Loads the code if it is not. CUPRUM_ERROR_KERNEL_NOT_FOUND names those that it has. The
 * caller owns the kernel, which keeps the code loaded.
 * @does looking for a kernel
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_get_kernel(cuprum_kernel* kernel_out, cuprum_object_code object_code,
                                                       const char* name);

/* A __device__, __constant__ or __managed__ variable on a device, by its name or the name expression "&name": borrowed
 * memory, which keeps the code loaded. Loads the code if it is not. CUPRUM_ERROR_INVALID_ARGUMENT when the code has no
 * such variable. The caller owns the buffer.
 * @does looking for a variable
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_get_global(cuprum_buffer* buffer_out, cuprum_object_code object_code,
                                                       int32_t device, const char* name);

typedef struct cuprum_kernel_attributes {
    uint32_t struct_size;
    int32_t max_threads_per_block;
    int32_t shared_size_bytes;
    int32_t const_size_bytes;
    int32_t local_size_bytes; /* per thread */
    int32_t num_regs;
    int32_t ptx_version;
    int32_t binary_version;
    int32_t max_dynamic_shared_size_bytes;
    int32_t cache_mode_ca;                    /* 1: compiled with -Xptxas --dlcm=ca */
    int32_t preferred_shared_memory_carveout; /* percent of the most there can be; -1: the driver chooses */
    int32_t cluster_size_must_be_set;         /* 1: a launch without a cluster size fails */
    int32_t required_cluster_width;           /* blocks; 0: none is required */
    int32_t required_cluster_height;
    int32_t required_cluster_depth;
    int32_t non_portable_cluster_size_allowed;    /* 1: clusters of more than 8 blocks are */
    int32_t cluster_scheduling_policy_preference; /* CUclusterSchedulingPolicy */
} cuprum_kernel_attributes;
#define CUPRUM_KERNEL_ATTRIBUTES_INIT {sizeof(cuprum_kernel_attributes), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* The attributes that can be set, with the driver's numbers. */
enum {
    CUPRUM_KERNEL_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CUPRUM_KERNEL_REQUIRED_CLUSTER_WIDTH = 11,
    CUPRUM_KERNEL_REQUIRED_CLUSTER_HEIGHT = 12,
    CUPRUM_KERNEL_REQUIRED_CLUSTER_DEPTH = 13,
    CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CUPRUM_KERNEL_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15
};

/* What a parameter is, as far as the kernel's mangled name, its declaration in the source and the PTX show. */
enum {
    CUPRUM_PARAMETER_UNKNOWN = 0, /* also a class, and an enumeration that is known by its name alone */
    CUPRUM_PARAMETER_BOOLEAN = 1,
    CUPRUM_PARAMETER_INTEGER = 2,
    CUPRUM_PARAMETER_FLOATING_POINT = 3, /* of 2, 4 or 8 bytes: half, float, double */
    CUPRUM_PARAMETER_BFLOAT16 = 4,
    CUPRUM_PARAMETER_POINTER = 5,
    CUPRUM_PARAMETER_INTEGER_OR_POINTER = 6 /* PTX alone is known, which often tells no more of 8 bytes */
};

/* A kernel that other code has loaded, by its CUkernel as an integer. It stays loaded as long as its library does:
 * `object_code` is kept alive by the kernel; where it is NULL, the caller keeps the library. The caller owns the
 * kernel.
 * @does taking a kernel's handle
 * @nullable object_code
 * @blocks */
CUPRUM_API cuprum_status cuprum_kernel_from_native(cuprum_kernel* kernel_out, uint64_t native,
                                                   cuprum_object_code object_code);
/* NULL is accepted and ignored.
 * @does destroying a kernel
 * @nullable kernel
 * @blocks */
CUPRUM_API cuprum_status cuprum_kernel_destroy(cuprum_kernel kernel);
/* The name or name expression that it was asked for by.
 * @does asking for a kernel's name
 * @property */
CUPRUM_API cuprum_status cuprum_kernel_name(const char** name_out, cuprum_kernel kernel);
/* The CUkernel, as an integer; valid as long as the kernel is.
 * @does asking for a kernel's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_kernel_native(uint64_t* native_out, cuprum_kernel kernel);
/* How many parameters it has.
 * @does asking for a kernel's parameters
 * @property num_arguments */
CUPRUM_API cuprum_status cuprum_kernel_argument_count(uint32_t* count_out, cuprum_kernel kernel);
/* The offset of argument `index` in the parameter buffer, in bytes.
 * @does asking for a kernel's parameters */
CUPRUM_API cuprum_status cuprum_kernel_argument_info(uint64_t* offset_out, uint64_t* size_out, cuprum_kernel kernel,
                                                     uint32_t index);
/* What argument `index` is, CUPRUM_PARAMETER_*, and its type as C++ writes it, "const float*"; the text is empty if
 * unknown.
 * @does asking for a kernel's parameters */
CUPRUM_API cuprum_status cuprum_kernel_argument_type(int32_t* kind_out, const char** type_out, cuprum_kernel kernel,
                                                     uint32_t index);
/* @does asking for a kernel's attributes */
CUPRUM_API cuprum_status cuprum_kernel_attributes_get(cuprum_kernel_attributes* attributes_out, cuprum_kernel kernel,
                                                      int32_t device);
/* How many blocks one multiprocessor of a device holds at once.
 * @does asking for a kernel's occupancy
 * @method max_active_blocks_per_multiprocessor
 * @group occupancy
 * @param device the device
 * @param block_size the threads in a block
 * @param dynamic_shared_memory_size dynamic shared memory for each block, in bytes
 * @default dynamic_shared_memory_size 0 */
CUPRUM_API cuprum_status cuprum_kernel_max_active_blocks(int32_t* blocks_out, cuprum_kernel kernel, int32_t device,
                                                         int32_t block_size, uint64_t dynamic_shared_memory_size);
/* How many bytes of dynamic shared memory each block can have when that many of them run on one multiprocessor of a
 * device at once. The driver leaves out what the device reserves for each block. CUPRUM_ERROR_DRIVER when that many do
 * not fit.
 * @does asking for the dynamic shared memory that is available
 * @method
 * @group occupancy
 * @param device the device
 * @param num_blocks_per_multiprocessor the blocks that run at once
 * @param block_size the threads in a block */
CUPRUM_API cuprum_status cuprum_kernel_available_dynamic_shared_memory_per_block(uint64_t* bytes_out,
                                                                                 cuprum_kernel kernel, int32_t device,
                                                                                 int32_t num_blocks_per_multiprocessor,
                                                                                 int32_t block_size);
/* The block size, up to `block_size_limit` threads (0: as many as the kernel allows), at which the most threads run at
 * once, and how many such blocks fill the device.
 * @does asking for the best block size */
CUPRUM_API cuprum_status cuprum_kernel_max_potential_block_size(int32_t* min_grid_size_out, int32_t* max_block_size_out,
                                                                cuprum_kernel kernel, int32_t device,
                                                                uint64_t dynamic_shared_memory_size,
                                                                int32_t block_size_limit);
/* The same where blocks of different sizes need different amounts. `dynamic_shared_memory_sizes` is a uint64_t array of
 * `size` bytes: the bytes for a block of 1 thread, of 2 threads and so on. Blocks of more threads than it has numbers
 * are not considered.
 * @does asking for the best block size */
CUPRUM_API cuprum_status cuprum_kernel_max_potential_block_size_of_sizes(int32_t* min_grid_size_out,
                                                                         int32_t* max_block_size_out,
                                                                         cuprum_kernel kernel, int32_t device,
                                                                         const void* dynamic_shared_memory_sizes,
                                                                         uint64_t size, int32_t block_size_limit);
/* Sets CUPRUM_KERNEL_* on one device, for all launches of the kernel from then on; 1 or 0 for true or false.
 * CUPRUM_ERROR_DRIVER when the driver rejects the value.
 * @does setting a kernel's attribute */
CUPRUM_API cuprum_status cuprum_kernel_set_attribute(cuprum_kernel kernel, int32_t device, int32_t attribute,
                                                     int32_t value);
/* Allows up to `bytes` of dynamic shared memory for each block; beyond 48 KiB it must be asked for.
 * @does allowing dynamic shared memory
 * @method
 * @param device the device
 * @param bytes the most bytes for each block
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_kernel_set_max_dynamic_shared_size(cuprum_kernel kernel, int32_t device, int32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
