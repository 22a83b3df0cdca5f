/* Managed memory: pages are moved ahead of their use, advice says how they are used, and content that nobody needs any
 * more is dropped instead of moved. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void look_up(const int* table, int* values, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] = table[i % 256];\n"
    "}\n";

enum { n = 100000, table_size = 256, threads_per_block = 256 };

static int32_t* values_of(cuprum_buffer buffer) {
    uint64_t address = 0;
    must(cuprum_buffer_host_address(&address, buffer));
    return (int32_t*)(uintptr_t)address;
}

/* Advice is a matter of speed alone. Drivers of CUDA 13.0 refuse it for the memory of a pool. */
static const char* advise(cuprum_buffer table) {
    const cuprum_status status = cuprum_buffer_set_read_mostly(table, 1);
    if (status == CUPRUM_ERROR_UNSUPPORTED) {
        return "without advice";
    }
    must(status);
    must(cuprum_buffer_set_preferred_location(table, CUPRUM_LOCATION_DEVICE, 0));
    return "with advice";
}

int main(void) {
    const int32_t on_device[] = {CUPRUM_LOCATION_DEVICE, 0};
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel look_up;
    cuprum_memory_resource managed;
    cuprum_stream stream;
    cuprum_buffer both[2]; /* the table and the values */
    const char* advice;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "look_up.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&look_up, code, "look_up"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_memory_resource_of_managed_memory(&managed));
    must(cuprum_memory_resource_allocate(&both[0], managed, table_size * sizeof(int32_t), stream));
    must(cuprum_memory_resource_allocate(&both[1], managed, n * sizeof(int32_t), stream));
    must(cuprum_stream_sync(stream)); /* before the host uses what was allocated in the stream */
    for (i = 0; i < table_size; ++i) {
        values_of(both[0])[i] = i * i;
    }
    advice = advise(both[0]);

    must(cuprum_prefetch_batch(stream, both, sizeof both, on_device, sizeof on_device)); /* one location for all */
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = both[0]}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = both[1]}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, look_up, arguments, 3));
    }
    must(cuprum_buffer_discard(both[0], stream)); /* it need not come back */
    must(cuprum_buffer_prefetch(both[1], CUPRUM_LOCATION_HOST, 0, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        wrong += values_of(both[1])[i] != (i % table_size) * (i % table_size);
    }
    printf("%d values in managed memory %s on %s: %d wrong\n", n, advice, device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(both[1]));
    must(cuprum_buffer_destroy(both[0]));
    must(cuprum_memory_resource_destroy(managed));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(look_up));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
