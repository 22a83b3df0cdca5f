/* Virtual memory: a buffer grows, and what is in it stays without being copied. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void count_on(int* values, int from, int to) {\n"
    "    int i = from + blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < to) values[i] = i;\n"
    "}\n";

enum { threads_per_block = 256, longest = 1500000 };
static const int32_t lengths[] = {1000, 300000, 600000, longest};
static int32_t result[longest];

static void launch_count_on(cuprum_stream stream, cuprum_kernel count_on, cuprum_buffer values, int32_t from,
                            int32_t to) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = ((uint32_t)(to - from) + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values}},
                                         {CUPRUM_ARGUMENT_INT, 0, {.i64 = from}},
                                         {CUPRUM_ARGUMENT_INT, 0, {.i64 = to}}};
    must(cuprum_launch(stream, &config, count_on, arguments, 3));
}

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel count_on;
    cuprum_memory_resource resource;
    cuprum_stream stream;
    cuprum_buffer values;
    uint64_t unit = 0;
    int32_t length = 0;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "count_on.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&count_on, code, "count_on"));
    must(cuprum_memory_resource_create_virtual(&resource, 0, NULL));
    must(cuprum_memory_resource_granularity(&unit, resource));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_memory_resource_allocate(&values, resource, 0, stream));
    for (i = 0; i < (int)(sizeof lengths / sizeof *lengths); ++i) {
        const uint64_t size = (uint64_t)lengths[i] * sizeof(int32_t);
        must(cuprum_memory_resource_modify_allocation(&values, resource, values, size));
        launch_count_on(stream, count_on, values, length, lengths[i]);
        length = lengths[i];
    }
    must(cuprum_buffer_copy_to_host(result, values, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < length; ++i) {
        wrong += result[i] != i;
    }
    printf("a buffer that grew to %d values, in units of %d KiB, on %s: %d wrong\n", (int)length, (int)(unit >> 10),
           device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(values));
    must(cuprum_stream_destroy(stream));
    must(cuprum_memory_resource_destroy(resource));
    must(cuprum_kernel_destroy(count_on));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
