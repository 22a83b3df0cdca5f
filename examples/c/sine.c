/* The sine of an array, in single and in double precision: one template, two instantiations, named as in C++. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "example.h"

static const char source[] =
    "template <typename Value> __global__ void sine(const Value* input, Value* output, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) output[i] = sin(input[i]);\n"
    "}\n";

enum { n = 1000000, threads_per_block = 256 };
static float float_values[n], float_result[n];
static double double_values[n], double_result[n];

/* result = sin(values), by the instantiation of that name. */
static void run(cuprum_object_code code, const char* instantiation, const void* values, void* result, uint64_t size) {
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer input, output;
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    must(cuprum_object_code_get_kernel(&kernel, code, instantiation));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&input, 0, size, stream));
    must(cuprum_buffer_allocate(&output, 0, size, stream));
    must(cuprum_buffer_copy_from_host(input, 0, values, size, stream));
    {
        const cuprum_argument arguments[] = {
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = input}},
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = output}},
            {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
        };
        must(cuprum_launch(stream, &config, kernel, arguments, 3));
    }
    must(cuprum_buffer_copy_to_host(result, output, 0, size, stream));
    must(cuprum_stream_sync(stream));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
}

int main(void) {
    static const char* const instantiations[] = {"sine<float>", "sine<double>"};
    cuprum_program program;
    cuprum_object_code code;
    char name[256];
    double max_float_error = 0;
    double max_double_error = 0;
    int ok;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "sine.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, instantiations, 2));
    for (i = 0; i < n; ++i) {
        double_values[i] = (double)i / n * 20 - 10;
        float_values[i] = (float)double_values[i];
    }
    run(code, "sine<float>", float_values, float_result, sizeof float_values);
    run(code, "sine<double>", double_values, double_result, sizeof double_values);

    for (i = 0; i < n; ++i) {
        const double float_error = fabs(sin(float_values[i]) - float_result[i]);
        const double double_error = fabs(sin(double_values[i]) - double_result[i]);
        max_float_error = float_error <= max_float_error ? max_float_error : float_error; /* a NaN is an error too */
        max_double_error = double_error <= max_double_error ? max_double_error : double_error;
    }
    /* CUDA's sine is within 2 units in the last place. */
    ok = max_float_error <= 2 * FLT_EPSILON && max_double_error <= 2 * DBL_EPSILON;
    printf("sines of %d values on %s: max error %.1e (float), %.1e (double): %s\n", n, device_name(name, sizeof name),
           max_float_error, max_double_error, ok ? "ok" : "WRONG");

    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
