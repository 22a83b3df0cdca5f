/* Images: a kernel blurs a picture, which it reads through a texture and writes through a surface. */
#include <math.h>
#include <stdint.h>

#include "example.h"

/* A read half way between four pixels gives their mean; outside the picture its edge goes on. */
static const char source[] =
    "extern \"C\" __global__ void blur(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {\n"
    "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;\n"
    "    if (x >= width || y >= height) return;\n"
    "    float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +\n"
    "                tex2D<float>(from, x + 1, y + 1);\n"
    "    surf2Dwrite(sum / 4, to, 4 * x, y);\n"
    "}\n";

enum { width = 640, height = 480, threads_per_block = 128 };
static float picture[height][width];
static float result[height][width];

static int clamped(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

static float pixel(int x, int y) {
    return (float)((clamped(x, width - 1) * 7 + clamped(y, height - 1) * 13) % 256);
}

static float blurred(int x, int y) {
    float sum = 0;
    int i;
    int j;
    for (j = -1; j <= 1; ++j) {
        for (i = -1; i <= 1; ++i) {
            sum += (float)((2 - abs(i)) * (2 - abs(j))) * pixel(x + i, y + j);
        }
    }
    return sum / 16;
}

static void launch_blur(cuprum_stream stream, cuprum_kernel blur, cuprum_surface_object to,
                        cuprum_texture_object from) {
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = (width + threads_per_block - 1) / threads_per_block,
                                         .grid_y = height,
                                         .block_x = threads_per_block};
    uint64_t surface = 0;
    uint64_t texture = 0;
    must(cuprum_surface_object_native(&surface, to));
    must(cuprum_texture_object_native(&texture, from));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_UINT, 0, {.u64 = surface}},
                                             {CUPRUM_ARGUMENT_UINT, 0, {.u64 = texture}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = width}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = height}}};
        must(cuprum_launch(stream, &config, blur, arguments, 4));
    }
}

int main(void) {
    cuprum_array_options options = CUPRUM_ARRAY_OPTIONS_INIT;
    cuprum_texture_options reading = CUPRUM_TEXTURE_OPTIONS_INIT;
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel blur;
    cuprum_stream stream;
    cuprum_opaque_array before;
    cuprum_opaque_array after;
    cuprum_texture_object texture;
    cuprum_surface_object surface;
    char name[256];
    int wrong = 0;
    int x;
    int y;

    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            picture[y][x] = pixel(x, y);
        }
    }
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "blur.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&blur, code, "blur"));
    must(cuprum_stream_create(&stream, 0, NULL));
    options.format = CUPRUM_ARRAY_FLOAT32;
    options.width = width;
    options.height = height;
    must(cuprum_opaque_array_create(&before, 0, &options));
    options.is_surface_load_store = 1;
    must(cuprum_opaque_array_create(&after, 0, &options));
    must(cuprum_opaque_array_copy_from_host(before, picture, sizeof picture, stream));
    reading.filter_mode = CUPRUM_FILTER_LINEAR;
    must(cuprum_texture_object_of_opaque_array(&texture, 0, before, &reading));
    must(cuprum_surface_object_create(&surface, 0, after));
    launch_blur(stream, blur, surface, texture);
    must(cuprum_opaque_array_copy_to_host(after, result, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            wrong += fabsf(result[y][x] - blurred(x, y)) > 1e-3f;
        }
    }
    printf("a picture of %d x %d pixels, blurred on %s: %d wrong\n", (int)width, (int)height,
           device_name(name, sizeof name), wrong);

    must(cuprum_surface_object_destroy(surface));
    must(cuprum_texture_object_destroy(texture));
    must(cuprum_opaque_array_destroy(after));
    must(cuprum_opaque_array_destroy(before));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(blur));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
