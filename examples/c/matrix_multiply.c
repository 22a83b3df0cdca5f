/* C = A * B with one thread for each element of C, in a two-dimensional grid. */
#include <math.h>
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void matrix_multiply(const float* a, const float* b, float* c,\n"
    "                                           int rows, int inner, int columns) {\n"
    "    int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "    int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (row >= rows || column >= columns) return;\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];\n"
    "    c[row * columns + column] = sum;\n"
    "}\n";

/* No multiples of the block: its edges are tested too. */
enum { rows = 1000, inner = 1000, columns = 1000, block = 16 };
static float a[rows][inner], b[inner][columns], c[rows][columns];
static const double tolerance = 1e-2; /* `inner` roundings of sums of about 250 */

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer a_device, b_device, c_device;
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (columns + block - 1) / block,
                                         .grid_y = (rows + block - 1) / block,
                                         .block_x = block,
                                         .block_y = block};
    char name[256];
    double max_error = 0;
    int i, j, k;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "matrix_multiply.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "matrix_multiply"));
    for (i = 0; i < rows * inner; ++i) {
        a[i / inner][i % inner] = (float)(i % 1009) / 1009.0f;
    }
    for (i = 0; i < inner * columns; ++i) {
        b[i / columns][i % columns] = (float)(i % 2003) / 2003.0f;
    }

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&a_device, 0, sizeof a, stream));
    must(cuprum_buffer_allocate(&b_device, 0, sizeof b, stream));
    must(cuprum_buffer_allocate(&c_device, 0, sizeof c, stream));
    must(cuprum_buffer_copy_from_host(a_device, 0, a, sizeof a, stream));
    must(cuprum_buffer_copy_from_host(b_device, 0, b, sizeof b, stream));
    {
        const cuprum_argument arguments[] = {
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = a_device}}, {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = b_device}},
            {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = c_device}}, {CUPRUM_ARGUMENT_INT, 0, {.i64 = rows}},
            {CUPRUM_ARGUMENT_INT, 0, {.i64 = inner}},          {CUPRUM_ARGUMENT_INT, 0, {.i64 = columns}},
        };
        must(cuprum_launch(stream, &config, kernel, arguments, 6));
    }
    must(cuprum_buffer_copy_to_host(c, c_device, 0, sizeof c, stream));
    must(cuprum_stream_sync(stream));

    /* Every ninth row, so that all positions in a block are met. */
    for (i = 0; i < rows; i += 9) {
        for (j = 0; j < columns; ++j) {
            double expected = 0;
            double error;
            for (k = 0; k < inner; ++k) {
                expected += (double)a[i][k] * b[k][j];
            }
            error = fabs(expected - c[i][j]);
            max_error = error <= max_error ? max_error : error; /* a NaN is an error too */
        }
    }
    printf("%dx%d times %dx%d on %s: max error %.1e: %s\n", rows, inner, inner, columns, device_name(name, sizeof name),
           max_error, max_error <= tolerance ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(c_device));
    must(cuprum_buffer_destroy(b_device));
    must(cuprum_buffer_destroy(a_device));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return max_error <= tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
