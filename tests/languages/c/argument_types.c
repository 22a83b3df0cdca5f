/* Arguments of the right width and the wrong type, and what structs mean that are left at zero. */
#include "saxpy.h"
#include "scenarios.h"

static cuprum_argument typed_bytes(int32_t kind, const void* bytes, uint32_t size) {
    cuprum_argument argument = bytes_argument(bytes, size);
    argument.kind = kind;
    return argument;
}

static void check_parameter(cuprum_kernel kernel, uint32_t index, int32_t kind, const char* type) {
    int32_t kind_found = -1;
    const char* type_found = NULL;
    SUCCEEDS(cuprum_kernel_argument_type(&kind_found, &type_found, kernel, index));
    CHECK(kind_found == kind);
    CHECK_TEXT(type, type_found);
}

void test_argument_types(void) {
    struct saxpy saxpy;
    const cuprum_launch_config config = config_of(1, 32);
    cuprum_argument arguments[4];
    cuprum_buffer x = NULL;
    cuprum_buffer y = NULL;
    const float two = 2.0f;
    const int32_t whole = 2;
    const int64_t address = 4096;
    const double real = 1.0;
    float result = 0.0f;
    if (open_saxpy(&saxpy) == 0) {
        check_parameter(saxpy.kernel, 0, CUPRUM_PARAMETER_FLOATING_POINT, "float");
        check_parameter(saxpy.kernel, 1, CUPRUM_PARAMETER_POINTER, "const float*");
        check_parameter(saxpy.kernel, 3, CUPRUM_PARAMETER_INTEGER, "int");
        SUCCEEDS(cuprum_buffer_allocate(&x, 0, 128, NULL));
        SUCCEEDS(cuprum_buffer_allocate(&y, 0, 128, NULL));
        SUCCEEDS(cuprum_buffer_fill(x, 0x3F800000, 4, saxpy.stream)); /* 1.0f */
        SUCCEEDS(cuprum_buffer_fill(y, 0, 4, saxpy.stream));
        arguments[1] = buffer_argument(x);
        arguments[2] = buffer_argument(y);

        arguments[0] = int_argument(2); /* as C converts it */
        arguments[3] = int_argument(32);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        arguments[0] = typed_bytes(CUPRUM_ARGUMENT_FLOAT_BYTES, &two, sizeof two);
        arguments[3] = typed_bytes(CUPRUM_ARGUMENT_INT_BYTES, &(const int32_t){32}, 4);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        SUCCEEDS(cuprum_stream_sync(saxpy.stream));
        SUCCEEDS(cuprum_buffer_copy_to_host(&result, y, 124, sizeof result, NULL));
        CHECK(result == 4.0f);

        arguments[0] = typed_bytes(CUPRUM_ARGUMENT_INT_BYTES, &whole, sizeof whole);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("argument 0 (counted from 0) takes float (4 bytes), given: an integer of 4 bytes");
        arguments[0] = float_argument(2.0);

        arguments[3] = float_argument(32.0);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("argument 3 (counted from 0) takes int (4 bytes), given: the real number 32");
        MESSAGE_HAS("give an integer");
        arguments[3] = typed_bytes(CUPRUM_ARGUMENT_FLOAT_BYTES, &two, sizeof two);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        arguments[3] = bytes_argument(&two, sizeof two); /* taken as it is: n is some large number */
        arguments[1] = float_argument(1.0);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("argument 1 (counted from 0) takes const float* (8 bytes), given: the real number 1");
        MESSAGE_HAS("give a Buffer");
        arguments[1] = typed_bytes(CUPRUM_ARGUMENT_FLOAT_BYTES, &real, sizeof real);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        arguments[3] = int_argument(0);
        arguments[1] = typed_bytes(CUPRUM_ARGUMENT_INT_BYTES, &address, sizeof address);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        arguments[1] = int_argument(address);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        SUCCEEDS(cuprum_stream_sync(saxpy.stream));
        SUCCEEDS(cuprum_buffer_destroy(x));
        SUCCEEDS(cuprum_buffer_destroy(y));
    }
    close_saxpy(&saxpy);
}

/* Every struct is usable as its initialiser leaves it. */
void test_defaults(void) {
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    const cuprum_stream_options stream_options = CUPRUM_STREAM_OPTIONS_INIT;
    const cuprum_event_options event_options = CUPRUM_EVENT_OPTIONS_INIT;
    cuprum_device_properties properties = CUPRUM_DEVICE_PROPERTIES_INIT;
    cuprum_kernel_attributes attributes = CUPRUM_KERNEL_ATTRIBUTES_INIT;
    cuprum_error_info error = CUPRUM_ERROR_INFO_INIT;
    cuprum_bindings_function function = CUPRUM_BINDINGS_FUNCTION_INIT;
    cuprum_argument argument = CUPRUM_ARGUMENT_INIT;
    cuprum_stream stream = NULL;
    cuprum_event event = NULL;
    cuprum_buffer count = NULL;
    cuprum_kernel kernel = kernel_from("extern \"C\" __global__ void add(int* p) { atomicAdd(p, 1); }", "add");
    int32_t value = -1;
    float milliseconds = 0.0f;

    SUCCEEDS(cuprum_stream_create(&stream, 0, &stream_options));
    SUCCEEDS(cuprum_stream_is_nonblocking(&value, stream));
    CHECK(value == 1);
    SUCCEEDS(cuprum_stream_priority(&value, stream));
    CHECK(value == 0);
    SUCCEEDS(cuprum_event_create(&event, 0, &event_options));
    SUCCEEDS(cuprum_stream_record(stream, event));
    SUCCEEDS(cuprum_event_sync(event));
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_event_elapsed_time(&milliseconds, event, event)); /* no timing */
    CHECK(cuprum_error_last(&error) == CUPRUM_SUCCESS);
    CHECK(error.status == CUPRUM_ERROR_INVALID_STATE);

    SUCCEEDS(cuprum_buffer_allocate(&count, 0, sizeof value, stream));
    SUCCEEDS(cuprum_buffer_fill(count, 0, 4, stream));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(stream, &config, kernel, &argument, 1)); /* no kind */
    argument.kind = CUPRUM_ARGUMENT_BUFFER;
    argument.value.buffer = count;
    SUCCEEDS(cuprum_launch(stream, &config, kernel, &argument, 1)); /* one block of one thread */
    config.grid_x = 3;
    config.block_x = 5;
    SUCCEEDS(cuprum_launch(stream, &config, kernel, &argument, 1));
    SUCCEEDS(cuprum_buffer_copy_to_host(&value, count, 0, sizeof value, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    CHECK(value == 1 + 15);

    SUCCEEDS(cuprum_device_properties_get(&properties, 0));
    CHECK(properties.warp_size == 32);
    SUCCEEDS(cuprum_kernel_attributes_get(&attributes, kernel, 0));
    CHECK(attributes.max_threads_per_block > 0);
    SUCCEEDS(cuprum_bindings_find(&function, "driver", "cuInit"));
    CHECK_TEXT("cuInit", function.name);

    SUCCEEDS(cuprum_buffer_destroy(count));
    SUCCEEDS(cuprum_event_destroy(event));
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_kernel_destroy(kernel));
}
