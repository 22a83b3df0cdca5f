/* Several devices: each computes a part, and copies it to the first one. With one device it has all parts. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void squares(int* values, int first, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] = (first + i) * (first + i);\n"
    "}\n";

enum { parts = 4, n = 1000, threads_per_block = 128, part_size = n * sizeof(int32_t) };

/* What a device is at work on. */
struct part {
    cuprum_stream stream;
    cuprum_buffer values;
};

static struct part begin(int32_t device, int32_t first, cuprum_kernel squares) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    struct part part;
    must(cuprum_stream_create(&part.stream, device, NULL));
    must(cuprum_buffer_allocate(&part.values, device, part_size, part.stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = part.values}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = first}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(part.stream, &config, squares, arguments, 3));
    }
    return part;
}

int main(void) {
    static int32_t result[parts * n];
    struct part at_work[parts];
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel squares; /* it runs on every device */
    cuprum_stream stream;
    cuprum_buffer whole;
    int32_t devices = 0;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_device_count(&devices));
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "squares.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&squares, code, "squares"));
    for (i = 0; i < parts; ++i) {
        at_work[i] = begin(i % devices, i * n, squares);
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&whole, 0, sizeof result, stream));
    for (i = 0; i < parts; ++i) {
        must(cuprum_stream_wait_stream(stream, at_work[i].stream)); /* which may be another device's */
        must(cuprum_buffer_copy(whole, (uint64_t)i * part_size, at_work[i].values, 0, part_size, stream));
    }
    must(cuprum_buffer_copy_to_host(result, whole, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < parts * n; ++i) {
        wrong += result[i] != i * i;
    }
    printf("%d parts by %d device(s), the first is %s: %d wrong\n", parts, (int)devices, device_name(name, sizeof name),
           wrong);

    for (i = 0; i < parts; ++i) {
        must(cuprum_buffer_destroy(at_work[i].values));
        must(cuprum_stream_destroy(at_work[i].stream));
    }
    must(cuprum_buffer_destroy(whole));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(squares));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
