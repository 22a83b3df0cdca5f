/* A struct as a kernel's argument, by value, and a grid that has a thread for each element. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "struct Motion { float start; double speed; short steps; };\n"
    "extern \"C\" __global__ void move(Motion motion, double* places, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) places[i] = motion.start + motion.speed * motion.steps * i;\n"
    "}\n";

/* As the kernel's: the compilers of host and device lay structs out alike. */
struct motion {
    float start;
    double speed;
    int16_t steps;
};

enum { n = 1000, threads_per_block = 128 };

int main(void) {
    const struct motion motion = {0.5f, 0.25, 4};
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    static double result[n];
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel move;
    cuprum_stream stream;
    cuprum_buffer places;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "move.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&move, code, "move"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&places, 0, sizeof result, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BYTES, sizeof motion, {.bytes = &motion}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = places}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, move, arguments, 3));
    }
    must(cuprum_buffer_copy_to_host(result, places, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        wrong += result[i] != 0.5 + i;
    }
    printf("%d places by a struct of %d bytes on %s: %d wrong\n", n, (int)sizeof motion, device_name(name, sizeof name),
           wrong);

    must(cuprum_buffer_destroy(places));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(move));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
