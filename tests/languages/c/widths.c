/* 64-bit values stay 64 bits wide on every path. */
#include "saxpy.h"
#include "scenarios.h"

static const uint64_t wide = 0xFFFFFFFF00000001u;

static const char store_source[] =
    "extern \"C\" __global__ void store(unsigned long long* out, long long a, unsigned long long b,\n"
    "                                 const char* c, ulonglong2 d, int e, unsigned char f, double g, float h) {\n"
    "    out[0] = a; out[1] = b; out[2] = (unsigned long long)c; out[3] = d.x; out[4] = d.y;\n"
    "    out[5] = (unsigned long long)(long long)e; out[6] = f;\n"
    "    out[7] = __double_as_longlong(g); out[8] = __float_as_uint(h);\n"
    "}\n";

static void check_arguments_arrive(void) {
    const cuprum_kernel kernel = kernel_from(store_source, "store");
    const uint64_t pair[2] = {0xFFFFFFFF00000001u, 0x8000000000000000u};
    const cuprum_launch_config config = config_of(1, 1);
    cuprum_stream stream = NULL;
    cuprum_buffer out = NULL;
    cuprum_argument arguments[9];
    uint64_t received[9];
    memset(received, 0, sizeof received);
    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&out, 0, sizeof received, stream));
    arguments[0] = buffer_argument(out);
    arguments[1] = int_argument((int64_t)wide);
    arguments[2] = uint_argument(wide);
    arguments[3] = pointer_argument(wide);
    arguments[4] = bytes_argument(pair, sizeof pair);
    arguments[5] = int_argument(-2);
    arguments[6] = uint_argument(255);
    arguments[7] = float_argument(0.1);
    arguments[8] = float_argument(0.1);
    SUCCEEDS(cuprum_launch(stream, &config, kernel, arguments, 9));
    SUCCEEDS(cuprum_buffer_copy_to_host(received, out, 0, sizeof received, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    CHECK(received[0] == wide);
    CHECK(received[1] == wide);
    CHECK(received[2] == wide);
    CHECK(received[3] == pair[0]);
    CHECK(received[4] == pair[1]);
    CHECK(received[5] == 0xFFFFFFFFFFFFFFFEu);
    CHECK(received[6] == 255);
    CHECK(received[7] == 0x3FB999999999999Au);
    CHECK(received[8] == 0x3DCCCCCDu);
    SUCCEEDS(cuprum_buffer_destroy(out));
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_kernel_destroy(kernel));
}

void test_widths(void) {
    cuprum_buffer buffer = NULL;
    cuprum_buffer none = NULL;
    cuprum_stream stream = NULL;
    char byte = 0;
    uint64_t value = 0;

    SUCCEEDS(cuprum_buffer_from_native(&buffer, 0, wide, 0xFFFFFFFEu));
    SUCCEEDS(cuprum_buffer_native(&value, buffer));
    CHECK(value == wide);
    SUCCEEDS(cuprum_buffer_size(&value, buffer));
    CHECK(value == 0xFFFFFFFEu);
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    SUCCEEDS(cuprum_buffer_from_native(&buffer, 0, 0x1000, wide));
    SUCCEEDS(cuprum_buffer_size(&value, buffer));
    CHECK(value == wide);
    /* Cut to 32 bits these would be offset 1 and size 1, which fit. */
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_from_host(buffer, wide, &byte, wide, NULL));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 64, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_from_host(buffer, wide, &byte, 1, NULL));
    MESSAGE_HAS("18446744069414584321");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_from_host(buffer, 1, &byte, wide, NULL));
    MESSAGE_HAS("18446744069414584321");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_to_host(&byte, buffer, wide, 1, NULL));
    MESSAGE_HAS("18446744069414584321");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy(buffer, wide, buffer, 0, 1, NULL));
    MESSAGE_HAS("18446744069414584321");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy(buffer, 0, buffer, wide, 1, NULL));
    MESSAGE_HAS("18446744069414584321");
    SUCCEEDS(cuprum_buffer_destroy(buffer));

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_from_native(&none, 0, wide, wide)); /* beyond 2^64 */
    FAILS_WITH(CUPRUM_ERROR_OUT_OF_MEMORY, cuprum_buffer_allocate(&none, 0, wide, NULL));
    MESSAGE_HAS("18446744069414584321");
    CHECK(none == NULL);

    /* CU_STREAM_PER_THREAD, the one stream value that is the same everywhere. */
    SUCCEEDS(cuprum_stream_from_native(&stream, 0, 2));
    SUCCEEDS(cuprum_stream_native(&value, stream));
    CHECK(value == 2);
    SUCCEEDS(cuprum_stream_destroy(stream));

    check_arguments_arrive();
}
