/* Copies and fills of a part of an image, whose rows are aligned on the device, and without gaps on the host.
 */
#include <stdint.h>

#include "example.h"

enum { width = 200, height = 100 }; /* of the image, a byte a pixel */

static cuprum_region region_of(uint64_t columns, uint64_t rows, uint64_t offset, uint64_t row_pitch) {
    const cuprum_region region = {.struct_size = sizeof region,
                                  .width = columns,
                                  .height = rows,
                                  .depth = 1,
                                  .offset = offset,
                                  .row_pitch = row_pitch};
    return region;
}

int main(void) {
    static unsigned char pixels[width * height];
    static unsigned char result[width * height];
    cuprum_stream stream;
    cuprum_buffer image, tile;
    uint64_t pitch = 0;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_device_row_pitch(&pitch, 0, width));
    must(cuprum_buffer_allocate(&image, 0, pitch * height, stream));
    must(cuprum_buffer_allocate(&tile, 0, 32 * 32, stream));
    for (i = 0; i < width * height; ++i) {
        pixels[i] = (unsigned char)(i % width);
    }

    const cuprum_region all = region_of(width, height, 0, pitch), packed = region_of(width, height, 0, 0);
    const cuprum_region from = region_of(32, 32, 10 * pitch + 20, pitch);
    const cuprum_region to = region_of(32, 32, 60 * pitch + 100, pitch), packed_tile = region_of(32, 32, 0, 0);
    must(cuprum_buffer_copy_region_from_host(image, &all, pixels, sizeof pixels, &packed, stream));
    must(cuprum_buffer_copy_region(tile, &packed_tile, image, &from, stream));
    must(cuprum_buffer_copy_region(image, &to, tile, &packed_tile, stream));
    must(cuprum_buffer_fill_region(image, &from, 255, 1, stream));
    must(cuprum_buffer_copy_region_to_host(result, sizeof result, &packed, image, &all, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width;
        int expected = x;
        if (x >= 20 && x < 52 && y >= 10 && y < 42) {
            expected = 255;
        }
        if (x >= 100 && x < 132 && y >= 60 && y < 92) {
            expected = x - 80;
        }
        wrong += result[i] != expected;
    }
    printf("an image of %d x %d pixels on %s: %d wrong\n", width, height, device_name(name, sizeof name), wrong);

    must(cuprum_buffer_destroy(tile));
    must(cuprum_buffer_destroy(image));
    must(cuprum_stream_destroy(stream));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
