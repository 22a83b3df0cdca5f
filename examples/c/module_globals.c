/* A polynomial whose coefficients are a kernel's __constant__ variable, in blocks of the size that fills the device. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __constant__ float coefficients[3] = {0, 0, 0};\n"
    "extern \"C\" __device__ unsigned int evaluations = 0;\n"
    "extern \"C\" __global__ void polynomial(float* x, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i >= n) return;\n"
    "    x[i] = (coefficients[2] * x[i] + coefficients[1]) * x[i] + coefficients[0];\n"
    "    atomicAdd(&evaluations, 1u);\n"
    "}\n";

enum { n = 1000 };
static float values[n];

int main(void) {
    static const float wanted[3] = {1, 2, 3};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer coefficients, evaluations, x;
    cuprum_launch_config config = {
        .struct_size = sizeof config, .grid_x = 1, .grid_y = 1, .grid_z = 1, .block_x = 1, .block_y = 1, .block_z = 1};
    char name[256];
    int32_t grid, block;
    uint32_t count = 0;
    int i, ok;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "polynomial.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "polynomial"));
    /* Variables are memory of the device: no kernel argument is needed. */
    must(cuprum_object_code_get_global(&coefficients, code, 0, "coefficients"));
    must(cuprum_object_code_get_global(&evaluations, code, 0, "evaluations"));
    must(cuprum_buffer_copy_from_host(coefficients, 0, wanted, sizeof wanted, NULL));
    must(cuprum_kernel_max_potential_block_size(&grid, &block, kernel, 0, 0, 0));
    config.grid_x = (n + (uint32_t)block - 1) / (uint32_t)block;
    config.block_x = (uint32_t)block;

    for (i = 0; i < n; ++i) {
        values[i] = (float)i;
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&x, 0, sizeof values, stream));
    must(cuprum_buffer_copy_from_host(x, 0, values, sizeof values, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = x}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, kernel, arguments, 2));
    }
    must(cuprum_buffer_copy_to_host(values, x, 0, sizeof values, stream));
    must(cuprum_buffer_copy_to_host(&count, evaluations, 0, sizeof count, stream));
    must(cuprum_stream_sync(stream));

    ok = count == n;
    for (i = 0; i < n; ++i) {
        ok = ok && values[i] == (3 * (float)i + 2) * (float)i + 1;
    }
    printf("%u values of a polynomial on %s: %s\n", (unsigned)count, device_name(name, sizeof name),
           ok ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(x));
    must(cuprum_buffer_destroy(evaluations));
    must(cuprum_buffer_destroy(coefficients));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
