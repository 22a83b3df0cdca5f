/* Two streams: the second one waits for an event of the first, and other events measure how long a kernel takes. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void grow(int* values, int factor, int summand, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] = values[i] * factor + summand;\n"
    "}\n";

enum { n = 100000, threads_per_block = 256 };

static void launch_grow(cuprum_stream stream, cuprum_kernel grow, cuprum_buffer values, int factor, int summand) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values}},
                                         {CUPRUM_ARGUMENT_INT, 0, {.i64 = factor}},
                                         {CUPRUM_ARGUMENT_INT, 0, {.i64 = summand}},
                                         {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
    must(cuprum_launch(stream, &config, grow, arguments, 4));
}

int main(void) {
    static int32_t result[n];
    cuprum_event_options timing = CUPRUM_EVENT_OPTIONS_INIT;
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel grow;
    cuprum_stream first, second;
    cuprum_event start, end;
    cuprum_buffer values;
    float milliseconds = -1;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "grow.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&grow, code, "grow"));
    must(cuprum_stream_create(&first, 0, NULL));
    must(cuprum_stream_create(&second, 0, NULL));
    timing.timing_enabled = 1;
    must(cuprum_event_create(&start, 0, &timing));
    must(cuprum_event_create(&end, 0, &timing));
    must(cuprum_buffer_allocate(&values, 0, sizeof result, first));
    must(cuprum_buffer_fill(values, 0, 4, first));

    must(cuprum_stream_record(first, start));
    launch_grow(first, grow, values, 1, 3);
    must(cuprum_stream_record(first, end));
    must(cuprum_stream_wait_event(second, end)); /* not this thread: it goes on */
    launch_grow(second, grow, values, 5, 1);
    must(cuprum_buffer_copy_to_host(result, values, 0, sizeof result, second));
    must(cuprum_stream_wait_stream(first, second)); /* in which the memory is freed */
    must(cuprum_stream_sync(first));
    must(cuprum_event_elapsed_time(&milliseconds, start, end));

    for (i = 0; i < n; ++i) {
        wrong += result[i] != 16;
    }
    printf("%d values in two streams, the first kernel in %.3f ms, on %s: %d wrong\n", n, (double)milliseconds,
           device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(values));
    must(cuprum_event_destroy(end));
    must(cuprum_event_destroy(start));
    must(cuprum_stream_destroy(second));
    must(cuprum_stream_destroy(first));
    must(cuprum_kernel_destroy(grow));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 && milliseconds >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
