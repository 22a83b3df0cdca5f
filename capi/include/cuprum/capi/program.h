/* Compiling, compiled code, kernels. */
#ifndef CUPRUM_CAPI_PROGRAM_H
#define CUPRUM_CAPI_PROGRAM_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUPRUM_SOURCE_CXX = 0, CUPRUM_SOURCE_PTX = 1 };

/* native: what the device loads directly, a cubin for a GPU and PTX for the simulator. LTO-IR, objects (as nvcc -dc
 * writes them) and libraries of objects are no code that a device loads: they are linked first (linker.h). */
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
 * ("--gpu-architecture=compute_75", "-DN=4"). Cuprum adds architecture and language standard where they are not given,
 * and the toolkit's header folders after those that are. All text is copied.
 * @does making a program
 * @nullable name options */
CUPRUM_API cuprum_status cuprum_program_create(cuprum_program* program_out, const char* code, int32_t source_type,
                                               const char* name, const char* const* options, uint32_t option_count);
/* NULL is accepted and ignored.
 * @does destroying a program
 * @nullable program */
CUPRUM_API cuprum_status cuprum_program_destroy(cuprum_program program);
/* Blocks while compiling. CUPRUM_ERROR_COMPILE when the source is at fault: cuprum_error_info.log has the log. The
 * caller owns the object code.
 * @does compiling a program
 * @nullable name_expressions
 * @blocks */
CUPRUM_API cuprum_status cuprum_program_compile(cuprum_object_code* object_code_out, cuprum_program program,
                                                int32_t code_type, const char* const* name_expressions,
                                                uint32_t name_expression_count);
/* What the compiler said in the last successful compile on this thread (warnings); empty if nothing.
 * @does asking for the compile log */
CUPRUM_API cuprum_status cuprum_program_log(const char** log_out);

/* Takes a copy of `size` bytes of code of any type but CUPRUM_CODE_NATIVE. Of PTX a final NUL may be counted or not. It
 * is checked to be whole when it is loaded, before the driver is given it: what a cubin or a fat binary says of its own
 * sizes must lie within `size`, and PTX has no NUL in it (CUPRUM_ERROR_INVALID_ARGUMENT). `name`, for error texts, may
 * be NULL. The caller owns the object code.
 * @does taking object code
 * @nullable name */
CUPRUM_API cuprum_status cuprum_object_code_create(cuprum_object_code* object_code_out, const void* code, uint64_t size,
                                                   int32_t code_type, const char* name);
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
 * @param name_expression one that was given to the compile
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
/* By name or name expression. Loads the code if it is not. CUPRUM_ERROR_KERNEL_NOT_FOUND names those there are. The
 * caller owns the kernel, which keeps the code loaded.
 * @does looking for a kernel
 * @blocks */
CUPRUM_API cuprum_status cuprum_object_code_get_kernel(cuprum_kernel* kernel_out, cuprum_object_code object_code,
                                                       const char* name);

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
} cuprum_kernel_attributes;
#define CUPRUM_KERNEL_ATTRIBUTES_INIT {sizeof(cuprum_kernel_attributes), 0, 0, 0, 0, 0, 0, 0, 0}

/* What a parameter is, as far as the kernel's mangled name, its declaration in the source and PTX tell. */
enum {
    CUPRUM_PARAMETER_UNKNOWN = 0, /* also a class, and an enumeration that is known by its name alone */
    CUPRUM_PARAMETER_BOOLEAN = 1,
    CUPRUM_PARAMETER_INTEGER = 2,
    CUPRUM_PARAMETER_FLOATING_POINT = 3, /* of 2, 4 or 8 bytes: half, float, double */
    CUPRUM_PARAMETER_BFLOAT16 = 4,
    CUPRUM_PARAMETER_POINTER = 5,
    CUPRUM_PARAMETER_INTEGER_OR_POINTER = 6 /* PTX alone is known, which often tells no more of 8 bytes */
};

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
/* Where argument `index` lies in the parameter buffer, in bytes.
 * @does asking for a kernel's parameters */
CUPRUM_API cuprum_status cuprum_kernel_argument_info(uint64_t* offset_out, uint64_t* size_out, cuprum_kernel kernel,
                                                     uint32_t index);
/* What argument `index` is, CUPRUM_PARAMETER_*, and its type as C++ writes it, "const float*"; the text is empty where
 * that is not known.
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
 * @param device on which
 * @param block_size threads in a block
 * @param dynamic_shared_memory_size bytes for each block
 * @default dynamic_shared_memory_size 0 */
CUPRUM_API cuprum_status cuprum_kernel_max_active_blocks(int32_t* blocks_out, cuprum_kernel kernel, int32_t device,
                                                         int32_t block_size, uint64_t dynamic_shared_memory_size);
/* How many bytes of dynamic shared memory each block can have when that many of them run on one multiprocessor of a
 * device at once. The driver leaves out what the device reserves for each block. CUPRUM_ERROR_DRIVER when that many do
 * not fit.
 * @does asking for the dynamic shared memory that is available
 * @method
 * @group occupancy
 * @param device on which
 * @param num_blocks_per_multiprocessor blocks that run at once
 * @param block_size threads in a block */
CUPRUM_API cuprum_status cuprum_kernel_available_dynamic_shared_memory_per_block(uint64_t* bytes_out,
                                                                                 cuprum_kernel kernel, int32_t device,
                                                                                 int32_t num_blocks_per_multiprocessor,
                                                                                 int32_t block_size);
/* Allows up to `bytes` of dynamic shared memory for each block; beyond 48 KiB it must be asked for.
 * @does allowing dynamic shared memory
 * @method
 * @param device on which
 * @param bytes for each block
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_kernel_set_max_dynamic_shared_size(cuprum_kernel kernel, int32_t device, int32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
