/* The sum of an array: each block sums its part in dynamic shared memory, the host sums the blocks. */
#include <math.h>
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void array_sum(const float* input, float* block_sums, int n) {\n"
    "    extern __shared__ float partial[];\n"
    "    int thread = threadIdx.x;\n"
    "    int i = blockIdx.x * blockDim.x + thread;\n"
    "    partial[thread] = i < n ? input[i] : 0.0f;\n"
    "    __syncthreads();\n"
    "    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {\n"
    "        if (thread < stride) partial[thread] += partial[thread + stride];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (thread == 0) block_sums[blockIdx.x] = partial[0];\n"
    "}\n";

enum { n = 100000, threads_per_block = 256, blocks = (n + threads_per_block - 1) / threads_per_block };
static float values[n], block_sums[blocks];
static const double tolerance = 1e-5; /* relative */

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer values_device, block_sums_device;
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = blocks,
                                         .block_x = threads_per_block,
                                         .shared_memory = threads_per_block * sizeof(float)};
    char name[256];
    double result = 0;
    double expected = 0;
    int ok;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "array_sum.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "array_sum"));
    for (i = 0; i < n; ++i) {
        values[i] = (float)(i % 1009) / 1009.0f;
        expected += values[i];
    }

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&values_device, 0, sizeof values, stream));
    must(cuprum_buffer_allocate(&block_sums_device, 0, sizeof block_sums, stream));
    must(cuprum_buffer_copy_from_host(values_device, 0, values, sizeof values, stream));
    {
        const cuprum_argument arguments[] = {
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values_device}},
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = block_sums_device}},
            {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
        };
        must(cuprum_launch(stream, &config, kernel, arguments, 3));
    }
    must(cuprum_buffer_copy_to_host(block_sums, block_sums_device, 0, sizeof block_sums, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < blocks; ++i) {
        result += block_sums[i];
    }
    ok = fabs(result - expected) <= tolerance * expected;
    printf("sum of %d floats on %s: %.3f, expected %.3f: %s\n", n, device_name(name, sizeof name), result, expected,
           ok ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(block_sums_device));
    must(cuprum_buffer_destroy(values_device));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
