/* Page-locked host memory: the host fills it in place, copies in a stream return at once, and kernels use it too.
 */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void twice(float* values, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] *= 2;\n"
    "}\n";

enum { n = 100000, threads_per_block = 256 };

static float* values_of(cuprum_buffer buffer) {
    uint64_t address = 0;
    must(cuprum_buffer_host_address(&address, buffer));
    return (float*)(uintptr_t)address;
}

static void launch_twice(cuprum_stream stream, cuprum_kernel twice, cuprum_buffer values) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    const cuprum_argument arguments[] = {
        {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values}},
        {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
    };
    must(cuprum_launch(stream, &config, twice, arguments, 2));
}

int main(void) {
    const uint64_t size = n * sizeof(float);
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel twice;
    cuprum_memory_resource pinned;
    cuprum_stream stream;
    cuprum_buffer input, output, on_device;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "twice.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&twice, code, "twice"));
    must(cuprum_memory_resource_create_legacy_pinned(&pinned));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_memory_resource_allocate(&input, pinned, size, stream));
    must(cuprum_memory_resource_allocate(&output, pinned, size, stream));
    must(cuprum_buffer_allocate(&on_device, 0, size, stream));

    for (i = 0; i < n; ++i) {
        values_of(input)[i] = (float)i;
    }
    /* None of these four waits for another, and this thread could do other work now. */
    must(cuprum_buffer_copy(on_device, 0, input, 0, size, stream));
    launch_twice(stream, twice, on_device);
    must(cuprum_buffer_copy(output, 0, on_device, 0, size, stream));
    launch_twice(stream, twice, output); /* on the host's memory itself */
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        wrong += values_of(output)[i] != 4 * (float)i;
    }
    printf("%d values in page-locked memory on %s: %d wrong\n", n, device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(on_device));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    must(cuprum_memory_resource_destroy(pinned));
    must(cuprum_kernel_destroy(twice));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
