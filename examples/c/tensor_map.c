/* A tensor map: a kernel transposes a matrix, a box of which the tensor memory accelerator brings to each block. */
#include <stdint.h>
#include <string.h>

#include "example.h"

/* A block's box lands in shared memory, at a multiple of 128 bytes; the barrier counts its bytes.
 * Elements outside of the matrix arrive, too, as zeros. */
static const char source[] =
    "struct alignas(64) Map { char bytes[128]; };  // CUtensorMap\n"
    "\n"
    "extern \"C\" __global__ void transpose(const __grid_constant__ Map map, float* to, int rows, int columns) {\n"
    "    __shared__ __align__(128) float box[32][32];\n"
    "    __shared__ unsigned long long arrived;\n"
    "    unsigned barrier = __cvta_generic_to_shared(&arrived);\n"
    "    int x = 32 * blockIdx.x, y = 32 * blockIdx.y;\n"
    "    if (threadIdx.x == 0 && threadIdx.y == 0) {\n"
    "        unsigned place = __cvta_generic_to_shared(box);\n"
    "        asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" :: \"r\"(barrier) : \"memory\");\n"
    "        asm volatile(\"fence.mbarrier_init.release.cluster; fence.proxy.async;\" ::: \"memory\");\n"
    "        asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\"\n"
    "                     :: \"r\"(barrier), \"r\"((int)sizeof box) : \"memory\");\n"
    "        asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes \"\n"
    "                     \"[%0], [%1, {%2, %3}], [%4];\"\n"
    "                     :: \"r\"(place), \"l\"(&map), \"r\"(x), \"r\"(y), \"r\"(barrier) : \"memory\");\n"
    "    }\n"
    "    __syncthreads();\n"
    "    int done = 0;\n"
    "    while (!done) {\n"
    "        asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\"\n"
    "                     \" selp.s32 %0, 1, 0, p; }\"\n"
    "                     : \"=r\"(done) : \"r\"(barrier) : \"memory\");\n"
    "    }\n"
    "    int row = y + threadIdx.x, column = x + threadIdx.y;\n"
    "    if (row < rows && column < columns) to[column * rows + row] = box[threadIdx.x][threadIdx.y];\n"
    "}\n";

enum { rows = 200, columns = 300 /* a row is a multiple of 16 bytes */, side = 32 };
enum { map_size = 128, map_of_float32 = 7 /* CU_TENSOR_MAP_DATA_TYPE_FLOAT32 */ };
static float matrix[rows][columns];
static float result[columns][rows];

static void launch_transpose(cuprum_stream stream, cuprum_kernel transpose, cuprum_buffer from, cuprum_buffer to) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (columns + side - 1) / side,
                                         .grid_y = (rows + side - 1) / side,
                                         .block_x = side,
                                         .block_y = side};
    cuprum_tensor_map_description description = {.struct_size = sizeof description,
                                                 .mode = CUPRUM_TENSOR_MAP_TILED,
                                                 .data_type = map_of_float32,
                                                 .rank = 2,
                                                 .shape = {rows, columns},
                                                 .box_dim = {side, side}};
    unsigned char room[map_size + 63];
    unsigned char* const map = room + (64 - (uintptr_t)room % 64) % 64; /* a multiple of 64 */
    const void* encoded = NULL;
    uint64_t size = 0;
    must(cuprum_buffer_native(&description.address, from));
    must(cuprum_tensor_map_encode(&encoded, &size, 0, &description, sizeof description));
    memcpy(map, encoded, map_size); /* it is lent until the next call */
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BYTES, map_size, {.bytes = map}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = to}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = rows}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = columns}}};
        must(cuprum_launch(stream, &config, transpose, arguments, 4));
    }
}

int main(void) {
    cuprum_device_properties properties = CUPRUM_DEVICE_PROPERTIES_INIT;
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel transpose;
    cuprum_stream stream;
    cuprum_buffer from;
    cuprum_buffer to;
    char name[256];
    int wrong = 0;
    int row;
    int column;

    must(cuprum_device_properties_get(&properties, 0));
    if (properties.compute_capability_major < 9) {
        printf("%s has no tensor maps, which came with compute capability 9.0\n", device_name(name, sizeof name));
        return EXIT_SUCCESS;
    }
    for (row = 0; row < rows; ++row) {
        for (column = 0; column < columns; ++column) {
            matrix[row][column] = (float)(row * columns + column);
        }
    }
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "transpose.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&transpose, code, "transpose"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&from, 0, sizeof matrix, stream));
    must(cuprum_buffer_allocate(&to, 0, sizeof result, stream));
    must(cuprum_buffer_copy_from_host(from, 0, matrix, sizeof matrix, stream));
    launch_transpose(stream, transpose, from, to);
    must(cuprum_buffer_copy_to_host(result, to, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (row = 0; row < rows; ++row) {
        for (column = 0; column < columns; ++column) {
            wrong += result[column][row] != matrix[row][column];
        }
    }
    printf("a matrix of %d x %d transposed on %s: %d wrong\n", rows, columns, device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(to));
    must(cuprum_buffer_destroy(from));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(transpose));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
