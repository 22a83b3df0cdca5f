#include "saxpy.h"

#include <math.h>
#include <stdlib.h>

const char saxpy_source[] =
    "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

int open_saxpy(struct saxpy* saxpy) {
    memset(saxpy, 0, sizeof *saxpy);
    SUCCEEDS(cuprum_stream_create(&saxpy->stream, 0, NULL));
    SUCCEEDS(cuprum_program_create(&saxpy->program, saxpy_source, CUPRUM_SOURCE_CXX, "saxpy.cu", NULL, 0));
    SUCCEEDS(cuprum_program_compile(&saxpy->code, saxpy->program, CUPRUM_CODE_NATIVE, NULL, 0));
    SUCCEEDS(cuprum_object_code_get_kernel(&saxpy->kernel, saxpy->code, "saxpy"));
    return saxpy->kernel == NULL;
}

void close_saxpy(struct saxpy* saxpy) {
    SUCCEEDS(cuprum_kernel_destroy(saxpy->kernel));
    SUCCEEDS(cuprum_object_code_destroy(saxpy->code));
    SUCCEEDS(cuprum_program_destroy(saxpy->program));
    SUCCEEDS(cuprum_stream_destroy(saxpy->stream));
    memset(saxpy, 0, sizeof *saxpy);
}

void check_saxpy_works(const struct saxpy* saxpy, int32_t n) {
    const uint64_t size = (uint64_t)n * sizeof(float);
    const float a = 1.5f;
    float* x = malloc(size);
    float* y = malloc(size);
    float* result = malloc(size);
    cuprum_buffer x_device = NULL;
    cuprum_buffer y_device = NULL;
    const cuprum_launch_config config = config_of(((uint32_t)n + 255) / 256, 256);
    cuprum_argument arguments[4];
    int32_t index;
    int32_t wrong = 0;
    for (index = 0; index < n; ++index) {
        x[index] = (float)(index % 1000) * 0.25f - 100.0f;
        y[index] = (float)(index % 77) * 3.0f;
    }
    SUCCEEDS(cuprum_buffer_allocate(&x_device, 0, size, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&y_device, 0, size, saxpy->stream));
    SUCCEEDS(cuprum_buffer_copy_from_host(x_device, 0, x, size, NULL));
    SUCCEEDS(cuprum_buffer_copy_from_host(y_device, 0, y, size, saxpy->stream));
    arguments[0] = float_argument(a);
    arguments[1] = buffer_argument(x_device);
    arguments[2] = buffer_argument(y_device);
    arguments[3] = int_argument(n);
    SUCCEEDS(cuprum_launch(saxpy->stream, &config, saxpy->kernel, arguments, 4));
    memset(result, 0, size);
    SUCCEEDS(cuprum_buffer_copy_to_host(result, y_device, 0, size, saxpy->stream));
    SUCCEEDS(cuprum_stream_sync(saxpy->stream));
    for (index = 0; index < n; ++index) {
        wrong += result[index] != fmaf(a, x[index], y[index]);
    }
    CHECK(wrong == 0);
    SUCCEEDS(cuprum_buffer_destroy(x_device));
    SUCCEEDS(cuprum_buffer_destroy(y_device));
    free(x);
    free(y);
    free(result);
}

static cuprum_argument argument_of(int32_t kind) {
    cuprum_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = kind;
    return argument;
}

cuprum_argument float_argument(double value) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_FLOAT);
    argument.value.f64 = value;
    return argument;
}

cuprum_argument int_argument(int64_t value) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_INT);
    argument.value.i64 = value;
    return argument;
}

cuprum_argument uint_argument(uint64_t value) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_UINT);
    argument.value.u64 = value;
    return argument;
}

cuprum_argument buffer_argument(cuprum_buffer buffer) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_BUFFER);
    argument.value.buffer = buffer;
    return argument;
}

cuprum_argument bytes_argument(const void* bytes, uint32_t size) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_BYTES);
    argument.size = size;
    argument.value.bytes = bytes;
    return argument;
}

cuprum_argument pointer_argument(uint64_t address) {
    cuprum_argument argument = argument_of(CUPRUM_ARGUMENT_POINTER);
    argument.value.u64 = address;
    return argument;
}

cuprum_launch_config config_of(uint32_t grid, uint32_t block) {
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    config.grid_x = grid;
    config.block_x = block;
    return config;
}

cuprum_kernel kernel_from(const char* source, const char* name) {
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    cuprum_kernel kernel = NULL;
    SUCCEEDS(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "test.cu", NULL, 0));
    SUCCEEDS(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    SUCCEEDS(cuprum_object_code_get_kernel(&kernel, code, name));
    SUCCEEDS(cuprum_object_code_destroy(code));
    SUCCEEDS(cuprum_program_destroy(program));
    return kernel;
}
