/* Sum and product of two arrays: two kernels of one program, every copy and launch in the order of one stream. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void add(const float* a, const float* b, float* result, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) result[i] = a[i] + b[i];\n"
    "}\n"
    "extern \"C\" __global__ void multiply(const float* a, const float* b, float* result, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) result[i] = a[i] * b[i];\n"
    "}\n";

enum { n = 1000000, threads_per_block = 256, size = n * sizeof(float) };
static float a[n], b[n], sum[n], product[n];

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel add, multiply;
    cuprum_stream stream;
    cuprum_buffer a_device, b_device, result_device;
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    char name[256];
    int ok = 1;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "elementwise.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&add, code, "add"));
    must(cuprum_object_code_get_kernel(&multiply, code, "multiply"));
    for (i = 0; i < n; ++i) {
        a[i] = (float)(i % 1009) / 1009.0f;
        b[i] = (float)(i % 2003) / 2003.0f - 0.5f;
    }

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&a_device, 0, size, stream));
    must(cuprum_buffer_allocate(&b_device, 0, size, stream));
    must(cuprum_buffer_allocate(&result_device, 0, size, stream));
    must(cuprum_buffer_copy_from_host(a_device, 0, a, size, stream));
    must(cuprum_buffer_copy_from_host(b_device, 0, b, size, stream));
    {
        const cuprum_argument arguments[] = {
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = a_device}},
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = b_device}},
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = result_device}},
            {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
        };
        must(cuprum_launch(stream, &config, add, arguments, 4));
        must(cuprum_buffer_copy_to_host(sum, result_device, 0, size, stream));
        must(cuprum_launch(stream, &config, multiply, arguments, 4));
        must(cuprum_buffer_copy_to_host(product, result_device, 0, size, stream));
    }
    must(cuprum_stream_sync(stream)); /* nothing above waits for the device; the results may be read from here on */

    for (i = 0; i < n; ++i) {
        ok = ok && sum[i] == a[i] + b[i] && product[i] == a[i] * b[i];
    }
    printf("%d sums and products on %s: %s\n", n, device_name(name, sizeof name), ok ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(result_device));
    must(cuprum_buffer_destroy(b_device));
    must(cuprum_buffer_destroy(a_device));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(multiply));
    must(cuprum_kernel_destroy(add));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
