/* Kernels in a row, each of which may start before the one in front has finished (programmatic dependent launch). */
#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void add_one(float* values, int n) {\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");  // for the results of the kernel in front\n"
    "#endif\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] += 1;\n"
    "}\n";

enum { n = 100000, threads_per_block = 256, kernels = 10 };

static float result[n];

int main(void) {
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    cuprum_argument arguments[] = {CUPRUM_ARGUMENT_INIT, {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel add_one;
    cuprum_stream stream;
    cuprum_buffer values;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "add_one.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&add_one, code, "add_one"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&values, 0, sizeof result, stream));
    must(cuprum_buffer_fill(values, 0, 1, stream));

    config.grid_x = (n + threads_per_block - 1) / threads_per_block;
    config.block_x = threads_per_block;
    arguments[0].kind = CUPRUM_ARGUMENT_BUFFER;
    arguments[0].value.buffer = values;
    for (i = 0; i < kernels; ++i) {
        config.programmatic_stream_serialization = i != 0;
        must(cuprum_launch(stream, &config, add_one, arguments, 2));
    }
    must(cuprum_buffer_copy_to_host(result, values, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        wrong += result[i] != kernels;
    }
    printf("%d kernels in a row on %s: %d of %d values wrong\n", kernels, device_name(name, sizeof name), wrong, n);

    must(cuprum_buffer_destroy(values));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(add_one));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
