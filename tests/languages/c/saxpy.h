/* The kernel that most scenarios use, ready to be launched, and a job that shows that everything still works. */
#ifndef CUPRUM_TESTS_C_SAXPY_H
#define CUPRUM_TESTS_C_SAXPY_H

#include "check.h"

extern const char saxpy_source[];

struct saxpy {
    cuprum_stream stream;
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
};

/* Zero on success; what has been made must be given to close_saxpy() in any case. */
int open_saxpy(struct saxpy* saxpy);
void close_saxpy(struct saxpy* saxpy);

/* The whole job over `n` elements with these objects: allocate, copy in, launch, copy out, check every element. */
void check_saxpy_works(const struct saxpy* saxpy, int32_t n);

cuprum_argument float_argument(double value);
cuprum_argument int_argument(int64_t value);
cuprum_argument uint_argument(uint64_t value);
cuprum_argument buffer_argument(cuprum_buffer buffer);
cuprum_argument bytes_argument(const void* bytes, uint32_t size);
cuprum_argument pointer_argument(uint64_t address);

/* Along x alone. */
cuprum_launch_config config_of(uint32_t grid, uint32_t block);

/* Compiles `source` and takes the kernel `name` out of it; NULL if that fails. */
cuprum_kernel kernel_from(const char* source, const char* name);

#endif
