/* Processes from which a part of CUDA is hidden: the calls that need it say so, the others work. */
#include "saxpy.h"
#include "scenarios.h"

/* Run with CUPRUM_DRIVER=gpu and every libcuda hidden. */
void test_no_driver(void) {
    static const char* const options[] = {"--gpu-architecture=compute_75"};
    cuprum_stream stream = NULL;
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    cuprum_kernel kernel = NULL;
    const char* json = "";
    const void* ptx = NULL;
    uint64_t size = 0;
    int32_t count = 7;
    int round;
    for (round = 0; round < 2; ++round) {
        FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_device_count(&count));
        CHECK(count == 7);
        MESSAGE_HAS("libcuda.so.1");
        MESSAGE_HAS("CUPRUM_DRIVER"); /* the simulator is named */
        FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_stream_create(&stream, 0, NULL));
        CHECK(stream == NULL);
    }
    /* Compiling needs no driver. */
    SUCCEEDS(cuprum_program_create(&program, saxpy_source, CUPRUM_SOURCE_CXX, "saxpy.cu", options, 1));
    SUCCEEDS(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, NULL, 0));
    SUCCEEDS(cuprum_object_code_bytes(&ptx, &size, code));
    CHECK(strstr((const char*)ptx, ".target sm_75") != NULL);
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_object_code_get_kernel(&kernel, code, "saxpy"));
    CHECK(kernel == NULL);
    SUCCEEDS(cuprum_object_code_destroy(code));
    SUCCEEDS(cuprum_program_destroy(program));
    /* The report says what is missing in its place. */
    SUCCEEDS(cuprum_info_json(&json));
    CHECK(strstr(json, "\"driver\":{\"error\":") != NULL);
    CHECK(strstr(json, "\"devices\":{\"error\":") != NULL);
    CHECK(strstr(json, "\"name\":\"nvrtc\",\"path\":\"/") != NULL);
}

/* Run on the simulator with every libnvrtc and every cuda.h hidden. */
void test_no_toolkit(void) {
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    cuprum_buffer buffer = NULL;
    const char* path = "untouched";
    const char* json = "";
    int32_t major = 7;
    int32_t minor = 7;
    int32_t count = 0;
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_nvrtc_version(&major, &minor));
    CHECK(major == 7 && minor == 7);
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_find_library(&path, NULL, "nvrtc"));
    MESSAGE_HAS("libnvrtc");
    MESSAGE_HAS("/usr/local/cuda"); /* where it was looked for */
    CHECK(last_error().advice[0] != '\0');
    FAILS_WITH(CUPRUM_ERROR_HEADER_NOT_FOUND, cuprum_find_header_directory(&path, NULL, "cudart"));
    CHECK_TEXT("untouched", path);
    SUCCEEDS(cuprum_program_create(&program, saxpy_source, CUPRUM_SOURCE_CXX, "saxpy.cu", NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, NULL, 0));
    MESSAGE_HAS("libnvrtc");
    CHECK(code == NULL);
    SUCCEEDS(cuprum_program_destroy(program));
    check_missing_nvrtc();
    /* What needs no compiler works. */
    SUCCEEDS(cuprum_device_count(&count));
    CHECK(count >= 1);
    SUCCEEDS(cuprum_buffer_allocate(&buffer, 0, 64, NULL));
    SUCCEEDS(cuprum_buffer_fill(buffer, 1, 1, NULL));
    SUCCEEDS(cuprum_buffer_destroy(buffer));
    SUCCEEDS(cuprum_info_json(&json));
    CHECK(strstr(json, "\"name\":\"nvrtc\",\"path\":null") != NULL);
    CHECK(strstr(json, "\"devices\":[{") != NULL);
}
