/* Every bad input is a clear error, leaves outputs alone, leaks nothing, and leaves the objects usable. */
#include <stdlib.h>

#include "saxpy.h"
#include "scenarios.h"

void test_compile_error(void) {
    static const char source[] =
        "extern \"C\" __global__ void broken(float* y) {\n"
        "    y[0] = 1.0f;\n"
        "    y[1] = undeclared;\n"
        "}\n";
    static const char* const options[] = {"--no-such-option"};
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    struct saxpy saxpy;
    int round;
    SUCCEEDS(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "broken.cu", NULL, 0));
    for (round = 0; round < 2; ++round) {
        FAILS_WITH(CUPRUM_ERROR_COMPILE, cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
        CHECK(code == NULL);
        CHECK(strstr(last_error().log, "broken.cu(3)") != NULL);
        CHECK(strstr(last_error().log, "undeclared") != NULL);
        CHECK(last_error().domain == CUPRUM_DOMAIN_NVRTC);
        CHECK_TEXT("NVRTC_ERROR_COMPILATION", last_error().name);
        MESSAGE_HAS("broken.cu(3)");
        MESSAGE_HAS("undeclared");
    }
    SUCCEEDS(cuprum_program_destroy(program));

    SUCCEEDS(cuprum_program_create(&program, saxpy_source, CUPRUM_SOURCE_CXX, "saxpy.cu", options, 1));
    CHECK(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0) != CUPRUM_SUCCESS);
    MESSAGE_HAS("--no-such-option");
    CHECK(code == NULL);
    SUCCEEDS(cuprum_program_destroy(program));

    if (open_saxpy(&saxpy) == 0) {
        CHECK_TEXT("", last_error().log); /* of the compile that succeeded */
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

void test_missing_kernel(void) {
    struct saxpy saxpy;
    cuprum_kernel kernel = NULL;
    if (open_saxpy(&saxpy) == 0) {
        FAILS_WITH(CUPRUM_ERROR_KERNEL_NOT_FOUND, cuprum_object_code_get_kernel(&kernel, saxpy.code, "sapxy"));
        MESSAGE_HAS("sapxy");
        MESSAGE_HAS("saxpy"); /* the names that are */
        CHECK(kernel == NULL);
        SUCCEEDS(cuprum_kernel_destroy(saxpy.kernel));
        SUCCEEDS(cuprum_object_code_get_kernel(&saxpy.kernel, saxpy.code, "saxpy"));
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

void test_wrong_arguments(void) {
    struct saxpy saxpy;
    const cuprum_launch_config config = config_of(1, 32);
    cuprum_argument arguments[4];
    cuprum_buffer buffer = NULL;
    double pair[2] = {1.0, 2.0};
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 128, NULL));
        arguments[0] = float_argument(2.0);
        arguments[1] = buffer_argument(buffer);
        arguments[2] = buffer_argument(buffer);
        arguments[3] = int_argument(32);

        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 3));
        MESSAGE_HAS("takes 4 arguments");
        MESSAGE_HAS("3 given");
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, NULL, 0));
        MESSAGE_HAS("0 given");

        arguments[3] = bytes_argument(pair, sizeof pair);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("saxpy");
        MESSAGE_HAS("argument 3 (counted from 0) takes int (4 bytes), given: 16 bytes");

        arguments[3] = uint_argument((uint64_t)1 << 32);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("4294967296");
        MESSAGE_HAS("0 to 4294967295");
        arguments[3] = int_argument(32);

        arguments[0] = float_argument(1e300);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("argument 0");
        MESSAGE_HAS("float32");
        arguments[0] = buffer_argument(buffer);
        FAILS_WITH(CUPRUM_ERROR_ARGUMENT_MISMATCH, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("argument 0");
        arguments[0] = float_argument(2.0);

        arguments[1].kind = 0;
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("kind 0");
        SUCCEEDS(cuprum_buffer_destroy(buffer));
        arguments[1] = buffer_argument(buffer);
        FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("a destroyed buffer");
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, NULL, 4));
        MESSAGE_HAS("arguments");

        SUCCEEDS(cuprum_stream_sync(saxpy.stream)); /* nothing was launched, nothing is broken */
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

void test_launch_over_limits(void) {
    struct saxpy saxpy;
    cuprum_launch_config config;
    cuprum_argument arguments[4];
    if (open_saxpy(&saxpy) == 0) {
        arguments[0] = float_argument(2.0);
        arguments[1] = pointer_argument(0);
        arguments[2] = pointer_argument(0);
        arguments[3] = int_argument(0);

        config = config_of(1, 2048);
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("2048");
        MESSAGE_HAS("1024");
        config = config_of(1, 64);
        config.block_y = 64;
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("4096 threads");
        config = config_of(1, 64);
        config.grid_y = 70000;
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("70000");
        MESSAGE_HAS("65535");
        config = config_of(1, 64);
        config.shared_memory = 1u << 30;
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("1073741824 bytes of dynamic shared memory");
        config = config_of(0xFFFFFFFFu, 64);
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        MESSAGE_HAS("4294967295");

        SUCCEEDS(cuprum_stream_sync(saxpy.stream));
        check_saxpy_works(&saxpy, 1000);
    }
    close_saxpy(&saxpy);
}

/* A process of its own: after a fault the device's context is lost, on a GPU and on the simulator alike. */
void test_out_of_bounds(void) {
    struct saxpy saxpy;
    const cuprum_launch_config config = config_of(4, 256);
    cuprum_argument arguments[4];
    cuprum_buffer x = NULL;
    cuprum_buffer y = NULL;
    uint64_t address = 0;
    int32_t is_simulator = 0;
    int32_t done = -1;
    char text[64];
    SUCCEEDS(cuprum_device_is_simulator(&is_simulator, 0));
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_buffer_allocate(&x, 0, 4096, NULL));
        SUCCEEDS(cuprum_buffer_allocate(&y, 0, 400, NULL)); /* 100 floats: thread 100 is the first outside */
        SUCCEEDS(cuprum_buffer_fill(x, 0, 4, NULL));
        SUCCEEDS(cuprum_buffer_fill(y, 0, 4, NULL));
        SUCCEEDS(cuprum_buffer_native(&address, y));
        arguments[0] = float_argument(2.0);
        arguments[1] = buffer_argument(x);
        /* A GPU's allocations are rounded up: an address that is surely nobody's. */
        arguments[2] = is_simulator ? buffer_argument(y) : pointer_argument(64);
        arguments[3] = int_argument(1000);
        SUCCEEDS(cuprum_launch(saxpy.stream, &config, saxpy.kernel, arguments, 4));
        FAILS_WITH(CUPRUM_ERROR_DEVICE_FAULT, cuprum_stream_sync(saxpy.stream));
        CHECK(last_error().domain == CUPRUM_DOMAIN_DRIVER);
        CHECK_TEXT("CUDA_ERROR_ILLEGAL_ADDRESS", last_error().name);
        if (is_simulator) {
            MESSAGE_HAS("saxpy");
            MESSAGE_HAS("100"); /* the thread */
            sprintf(text, "%llx", (unsigned long long)(address + 400));
            MESSAGE_HAS(text);
            sprintf(text, "%llx", (unsigned long long)address); /* the nearest allocation */
            MESSAGE_HAS(text);
            MESSAGE_HAS("400");
        }
        /* Later calls say the same, and everything can still be asked and destroyed. */
        FAILS_WITH(CUPRUM_ERROR_DEVICE_FAULT, cuprum_stream_is_done(&done, saxpy.stream));
        CHECK(done == -1);
        FAILS_WITH(CUPRUM_ERROR_DEVICE_FAULT, cuprum_device_sync(0));
        SUCCEEDS(cuprum_buffer_native(&address, x));
        SUCCEEDS(cuprum_buffer_destroy(x));
        SUCCEEDS(cuprum_buffer_destroy(y));
    }
    close_saxpy(&saxpy);
}

void test_bad_handles(void) {
    cuprum_stream stream = NULL;
    cuprum_stream destroyed = NULL;
    cuprum_event event = NULL;
    cuprum_buffer buffer = NULL;
    uint64_t value = 77;
    int32_t done = 77;
    char local = 0;
    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_stream_create(&destroyed, 0, NULL));
    SUCCEEDS(cuprum_event_create(&event, 0, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 64, NULL));
    CHECK(live_handles() == 4);
    SUCCEEDS(cuprum_stream_destroy(destroyed));
    CHECK(live_handles() == 3);

    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_is_done(&done, NULL));
    MESSAGE_HAS("NULL where a stream is expected");
    MESSAGE_HAS("cuprum_stream_is_done");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_is_done(&done, destroyed));
    MESSAGE_HAS("a destroyed stream");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_destroy(destroyed));
    MESSAGE_HAS("a destroyed stream");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_is_done(&done, (cuprum_stream)buffer));
    MESSAGE_HAS("a buffer where a stream is expected");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_destroy((cuprum_stream)event));
    MESSAGE_HAS("an event where a stream is expected");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_buffer_size(&value, (cuprum_buffer)&local));
    MESSAGE_HAS("not a handle of this process");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_buffer_size(&value, (cuprum_buffer)(uintptr_t)1));
    MESSAGE_HAS("not a handle of this process");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_stream_record(stream, NULL));
    MESSAGE_HAS("`event`");
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_buffer_copy_from_host(buffer, 0, &local, 1, destroyed)); /* not silently the default stream */
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_buffer_allocate(&buffer, 0, 64, destroyed));
    CHECK(value == 77 && done == 77);
    CHECK(live_handles() == 3);

    SUCCEEDS(cuprum_stream_sync(stream));
    SUCCEEDS(cuprum_stream_destroy(NULL));
    SUCCEEDS(cuprum_event_destroy(NULL));
    SUCCEEDS(cuprum_buffer_destroy(NULL));
    SUCCEEDS(cuprum_program_destroy(NULL));
    SUCCEEDS(cuprum_object_code_destroy(NULL));
    SUCCEEDS(cuprum_kernel_destroy(NULL));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    SUCCEEDS(cuprum_event_destroy(event));
    SUCCEEDS(cuprum_stream_destroy(stream));
}

/* What a function with outputs does when one of them is NULL: an error that names it, before anything has happened. */
#define NULL_OUTPUT(name, call)                          \
    do {                                                 \
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, call); \
        MESSAGE_HAS("`" name "`");                       \
        MESSAGE_HAS("NULL");                             \
    } while (0)

void test_null_outputs(void) {
    struct saxpy saxpy;
    cuprum_buffer buffer = NULL;
    cuprum_event event = NULL;
    const void* data = NULL;
    uint64_t size = 0;
    uint64_t handles = 0;
    const char* text = "";
    int32_t number = 0;
    char byte = 0;
    if (open_saxpy(&saxpy) == 0) {
        SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 16, NULL));
        SUCCEEDS(cuprum_event_create(&event, 0, NULL));
        handles = live_handles();
        NULL_OUTPUT("version_out", cuprum_version(NULL));
        NULL_OUTPUT("count_out", cuprum_live_handles(NULL));
        NULL_OUTPUT("count_out", cuprum_device_count(NULL));
        NULL_OUTPUT("device_out", cuprum_device_current(NULL));
        NULL_OUTPUT("device_out", cuprum_device_of_memory(NULL, 0));
        NULL_OUTPUT("name_out", cuprum_device_name(NULL, 0));
        NULL_OUTPUT("uuid_out", cuprum_device_uuid(NULL, 0));
        NULL_OUTPUT("pci_bus_id_out", cuprum_device_pci_bus_id(NULL, 0));
        NULL_OUTPUT("arch_out", cuprum_device_arch(NULL, 0));
        NULL_OUTPUT("properties_out", cuprum_device_properties_get(NULL, 0));
        NULL_OUTPUT("value_out", cuprum_device_attribute(NULL, 0, 10));
        NULL_OUTPUT("is_simulator_out", cuprum_device_is_simulator(NULL, 0));
        NULL_OUTPUT("version_out", cuprum_driver_version(NULL));
        NULL_OUTPUT("major_out", cuprum_nvrtc_version(NULL, &number));
        NULL_OUTPUT("minor_out", cuprum_nvrtc_version(&number, NULL));
        NULL_OUTPUT("stream_out", cuprum_stream_create(NULL, 0, NULL));
        NULL_OUTPUT("stream_out", cuprum_stream_default(NULL, 0));
        NULL_OUTPUT("stream_out", cuprum_stream_from_native(NULL, 0, 0));
        NULL_OUTPUT("native_out", cuprum_stream_native(NULL, saxpy.stream));
        NULL_OUTPUT("device_out", cuprum_stream_device(NULL, saxpy.stream));
        NULL_OUTPUT("capturing_out", cuprum_stream_is_capturing(NULL, saxpy.stream));
        NULL_OUTPUT("nonblocking_out", cuprum_stream_is_nonblocking(NULL, saxpy.stream));
        NULL_OUTPUT("priority_out", cuprum_stream_priority(NULL, saxpy.stream));
        NULL_OUTPUT("done_out", cuprum_stream_is_done(NULL, saxpy.stream));
        NULL_OUTPUT("event_out", cuprum_event_create(NULL, 0, NULL));
        NULL_OUTPUT("native_out", cuprum_event_native(NULL, event));
        NULL_OUTPUT("device_out", cuprum_event_device(NULL, event));
        NULL_OUTPUT("done_out", cuprum_event_is_done(NULL, event));
        NULL_OUTPUT("milliseconds_out", cuprum_event_elapsed_time(NULL, event, event));
        NULL_OUTPUT("buffer_out", cuprum_buffer_allocate(NULL, 0, 16, NULL));
        NULL_OUTPUT("buffer_out", cuprum_buffer_from_native(NULL, 0, 4096, 16));
        NULL_OUTPUT("address_out", cuprum_buffer_native(NULL, buffer));
        NULL_OUTPUT("size_out", cuprum_buffer_size(NULL, buffer));
        NULL_OUTPUT("device_out", cuprum_buffer_device(NULL, buffer));
        NULL_OUTPUT("source", cuprum_buffer_copy_from_host(buffer, 0, NULL, 1, NULL));
        NULL_OUTPUT("destination", cuprum_buffer_copy_to_host(NULL, buffer, 0, 1, NULL));
        NULL_OUTPUT("program_out", cuprum_program_create(NULL, "", CUPRUM_SOURCE_CXX, NULL, NULL, 0));
        NULL_OUTPUT("code", cuprum_program_create(&saxpy.program, NULL, CUPRUM_SOURCE_CXX, NULL, NULL, 0));
        NULL_OUTPUT("options", cuprum_program_create(&saxpy.program, "", CUPRUM_SOURCE_CXX, NULL, NULL, 1));
        NULL_OUTPUT("object_code_out", cuprum_program_compile(NULL, saxpy.program, CUPRUM_CODE_NATIVE, NULL, 0));
        NULL_OUTPUT("name_expressions",
                    cuprum_program_compile(&saxpy.code, saxpy.program, CUPRUM_CODE_NATIVE, NULL, 1));
        NULL_OUTPUT("log_out", cuprum_program_log(NULL));
        NULL_OUTPUT("object_code_out", cuprum_object_code_create(NULL, &byte, 1, CUPRUM_CODE_PTX, NULL));
        NULL_OUTPUT("code", cuprum_object_code_create(&saxpy.code, NULL, 1, CUPRUM_CODE_PTX, NULL));
        NULL_OUTPUT("code_type_out", cuprum_object_code_type(NULL, saxpy.code));
        NULL_OUTPUT("data_out", cuprum_object_code_bytes(NULL, &size, saxpy.code));
        NULL_OUTPUT("size_out", cuprum_object_code_bytes(&data, NULL, saxpy.code));
        NULL_OUTPUT("lowered_name_out", cuprum_object_code_lowered_name(NULL, saxpy.code, "saxpy"));
        NULL_OUTPUT("count_out", cuprum_object_code_kernel_count(NULL, saxpy.code));
        NULL_OUTPUT("name_out", cuprum_object_code_kernel_name(NULL, saxpy.code, 0));
        NULL_OUTPUT("kernel_out", cuprum_object_code_get_kernel(NULL, saxpy.code, "saxpy"));
        NULL_OUTPUT("name", cuprum_object_code_get_kernel(&saxpy.kernel, saxpy.code, NULL));
        NULL_OUTPUT("name_out", cuprum_kernel_name(NULL, saxpy.kernel));
        NULL_OUTPUT("native_out", cuprum_kernel_native(NULL, saxpy.kernel));
        NULL_OUTPUT("count_out", cuprum_kernel_argument_count(NULL, saxpy.kernel));
        NULL_OUTPUT("offset_out", cuprum_kernel_argument_info(NULL, &size, saxpy.kernel, 0));
        NULL_OUTPUT("size_out", cuprum_kernel_argument_info(&size, NULL, saxpy.kernel, 0));
        NULL_OUTPUT("kind_out", cuprum_kernel_argument_type(NULL, &text, saxpy.kernel, 0));
        NULL_OUTPUT("type_out", cuprum_kernel_argument_type(&number, NULL, saxpy.kernel, 0));
        NULL_OUTPUT("attributes_out", cuprum_kernel_attributes_get(NULL, saxpy.kernel, 0));
        NULL_OUTPUT("blocks_out", cuprum_kernel_max_active_blocks(NULL, saxpy.kernel, 0, 256, 0));
        NULL_OUTPUT("bytes_out",
                    cuprum_kernel_available_dynamic_shared_memory_per_block(NULL, saxpy.kernel, 0, 1, 256));
        NULL_OUTPUT("config", cuprum_launch(saxpy.stream, NULL, saxpy.kernel, NULL, 0));
        NULL_OUTPUT("path_out", cuprum_find_library(NULL, NULL, "nvrtc"));
        NULL_OUTPUT("path_out", cuprum_find_header_directory(NULL, NULL, "cudart"));
        NULL_OUTPUT("path_out", cuprum_find_part(NULL, NULL, 0, "nvrtc"));
        NULL_OUTPUT("name", cuprum_find_part(&text, NULL, 0, NULL));
        NULL_OUTPUT("native_handle_out", cuprum_load_library(&text, NULL, NULL, &number, "nvrtc"));
        NULL_OUTPUT("count_out", cuprum_include_directory_count(NULL));
        NULL_OUTPUT("path_out", cuprum_include_directory(NULL, 0));
        NULL_OUTPUT("count_out", cuprum_part_count(NULL, 0));
        NULL_OUTPUT("name_out", cuprum_part_info(NULL, &text, &number, 0, 0));
        NULL_OUTPUT("toolkit_out", cuprum_toolkit_find(NULL, NULL, NULL, 0));
        NULL_OUTPUT("toolkit_out", cuprum_toolkit_in_use(NULL));
        NULL_OUTPUT("count_out", cuprum_doctor(NULL));
        NULL_OUTPUT("severity_out", cuprum_finding(NULL, &text, &text, &text, 0));
        NULL_OUTPUT("json_out", cuprum_info_json(NULL));
        NULL_OUTPUT("site_packages", cuprum_add_wheel_directory(NULL));
        CHECK(live_handles() == handles);
        CHECK(size == 0 && data == NULL && number == 0);
        SUCCEEDS(cuprum_event_destroy(event));
        SUCCEEDS(cuprum_buffer_destroy(buffer));
        check_saxpy_works(&saxpy, 100);
    }
    close_saxpy(&saxpy);
}

void test_bad_values(void) {
    static const char* const with_null[] = {"-DA", NULL};
    cuprum_stream stream = NULL;
    cuprum_buffer buffer = NULL;
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    const char* text = "untouched";
    char bytes[64] = {0};
    int32_t number = 5;
    cuprum_kernel kernel = NULL;
    SUCCEEDS(cuprum_device_count(&number));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_device_name(&text, number));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_device_name(&text, -1));
    CHECK_TEXT("untouched", text);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_stream_create(&stream, 99, NULL));
    CHECK(stream == NULL);
    number = 5;
    CHECK(cuprum_device_attribute(&number, 0, 1 << 20) != CUPRUM_SUCCESS);
    CHECK(number == 5);

    SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 64, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_from_host(buffer, 0, bytes, 65, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_from_host(buffer, 60, bytes, 5, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy_to_host(bytes, buffer, UINT64_MAX, 2, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_copy(buffer, 32, buffer, 0, 33, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_buffer_fill(buffer, 0, 3, NULL));
    SUCCEEDS(cuprum_buffer_copy_from_host(buffer, 0, bytes, 64, NULL));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    buffer = NULL;
    FAILS_WITH(CUPRUM_ERROR_OUT_OF_MEMORY, cuprum_buffer_allocate(&buffer, 0, (uint64_t)1 << 55, NULL));
    MESSAGE_HAS("36028797018963968");
    CHECK(buffer == NULL);

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_create(&program, "", 7, NULL, NULL, 0));
    MESSAGE_HAS("`source_type`");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_program_create(&program, "", CUPRUM_SOURCE_CXX, NULL, with_null, 2));
    MESSAGE_HAS("text 1 of 2 is NULL");
    CHECK(program == NULL);
    SUCCEEDS(cuprum_program_create(&program, saxpy_source, CUPRUM_SOURCE_CXX, NULL, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_compile(&code, program, 9, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_compile(&code, program, -1, NULL, 0));
    SUCCEEDS(cuprum_program_destroy(program));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_object_code_create(&code, bytes, 64, CUPRUM_CODE_NATIVE, NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_object_code_create(&code, bytes, 0, CUPRUM_CODE_PTX, NULL));
    CHECK(code == NULL);

    /* Not code: detected when a kernel is asked for (a GPU's driver loads lazily). */
    SUCCEEDS(cuprum_object_code_create(&code, "this is not PTX", 15, CUPRUM_CODE_PTX, "nonsense"));
    CHECK(cuprum_object_code_get_kernel(&kernel, code, "k") != CUPRUM_SUCCESS);
    CHECK(last_error().message[0] != '\0');
    CHECK(kernel == NULL);
    SUCCEEDS(cuprum_object_code_destroy(code));
    CHECK_TEXT("CUPRUM_ERROR_COMPILE", cuprum_error_status_name(CUPRUM_ERROR_COMPILE));
    CHECK_TEXT("CUPRUM_ERROR_UNKNOWN", cuprum_error_status_name(12345));
    CHECK_TEXT("CUPRUM_SUCCESS", cuprum_error_status_name(0));
}
