/* Functions of the libraries, called through the one signature that all of them have. */
#include "check.h"
#include "scenarios.h"

static int32_t call(const char* library, const char* name, const uint64_t* arguments) {
    cuprum_bindings_function function = {sizeof function, 0, NULL, NULL, NULL, NULL};
    uint64_t result = 0;
    SUCCEEDS(cuprum_bindings_find(&function, library, name));
    if (function.invoke != NULL) {
        function.invoke(arguments, &result);
    }
    return (int32_t)result;
}

static uint64_t address(const void* value) {
    return (uint64_t)(uintptr_t)value;
}

/* cuMemAlloc, cuMemsetD32, cuMemcpyDtoH: addresses, 64-bit numbers and 32-bit ones arrive as they were given. */
static void check_memory(void) {
    uint64_t device = 0;
    uint64_t arguments[3];
    uint32_t values[4] = {0, 0, 0, 0};
    arguments[0] = address(&device);
    arguments[1] = sizeof values;
    CHECK(call("driver", "cuMemAlloc", arguments) == 0);
    CHECK(device > UINT32_MAX);
    arguments[0] = device;
    arguments[1] = 0xFFFFFFFFu;
    arguments[2] = 4;
    CHECK(call("driver", "cuMemsetD32", arguments) == 0);
    arguments[0] = address(values);
    arguments[1] = device;
    arguments[2] = sizeof values;
    CHECK(call("driver", "cuMemcpyDtoH", arguments) == 0);
    CHECK(values[0] == 0xFFFFFFFFu && values[3] == 0xFFFFFFFFu);
    arguments[0] = device;
    CHECK(call("driver", "cuMemFree", arguments) == 0);
    CHECK(call("driver", "cuMemFree", arguments) != 0);
}

static void check_lists(void) {
    static const char* const libraries[] = {"driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "nccl"};
    cuprum_bindings_function function = {sizeof function, 0, NULL, NULL, NULL, NULL};
    uint32_t library;
    uint32_t index;
    for (library = 0; library < sizeof libraries / sizeof *libraries; ++library) {
        uint32_t count = 0;
        SUCCEEDS(cuprum_bindings_function_count(&count, libraries[library]));
        CHECK(count > 10);
        for (index = 0; index < count; ++index) {
            SUCCEEDS(cuprum_bindings_function_at(&function, libraries[library], index));
            CHECK(function.invoke != NULL && strlen(function.signature) > 2);
        }
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_function_at(&function, libraries[library], count));
    }
    SUCCEEDS(cuprum_bindings_find(&function, "driver", "cuMemAlloc"));
    CHECK_TEXT("cuMemAlloc", function.name);
    CHECK_TEXT("cuMemAlloc_v2", function.symbol);
    CHECK_TEXT("enum:cudaError_enum,out ptr(u64) dptr,in u64 bytesize", function.signature);
    CHECK(function.version == 3020);
}

static void check_layouts(void) {
    uint32_t size = 0;
    uint32_t place = 0;
    SUCCEEDS(cuprum_bindings_record_layout(&size, &place, "driver", "CUDA_MEMCPY2D_st"));
    CHECK(size == 128 && place == 8);
    SUCCEEDS(cuprum_bindings_field_layout(&place, &size, "driver", "CUDA_MEMCPY2D_st", "srcHost"));
    CHECK(place == 24 && size == 8);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_record_layout(&size, &place, "driver", "CUmissing"));
    MESSAGE_HAS("CUmissing");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_bindings_field_layout(&place, &size, "driver", "CUDA_MEMCPY2D_st", "missing"));
}

static void check_faults(void) {
    uint64_t fault = 0;
    uint64_t injected = 0;
    uint64_t device = 0;
    uint64_t arguments[2];
    arguments[0] = address(&device);
    arguments[1] = 16;
    SUCCEEDS(cuprum_bindings_inject_fault(&fault, "cuMemAlloc:2=CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK(call("driver", "cuMemAlloc", arguments) == 0);
    arguments[0] = device;
    CHECK(call("driver", "cuMemFree", arguments) == 0);
    device = 7;
    arguments[0] = address(&device);
    CHECK(call("driver", "cuMemAlloc", arguments) == 2);
    CHECK(device == 7);
    SUCCEEDS(cuprum_bindings_end_fault(&injected, fault));
    CHECK(injected == 1);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_end_fault(NULL, fault));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_inject_fault(NULL, "cuMemAlloc=NO_SUCH_CODE"));
    MESSAGE_HAS("NO_SUCH_CODE");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_inject_fault(NULL, "cuNothing=2"));
    MESSAGE_HAS("cuNothing");
}

static void check_bad_input(void) {
    cuprum_bindings_function function = {sizeof function, 0, NULL, NULL, NULL, NULL};
    uint64_t number = 0;
    int32_t version = 0;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_find(NULL, "driver", "cuInit"));
    MESSAGE_HAS("`function_out`");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_find(&function, NULL, "cuInit"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_find(&function, "cublas", "cublasCreate"));
    MESSAGE_HAS("nvjitlink");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_find(&function, "driver", "cuNothing"));
    MESSAGE_HAS("cuNothing");
    function.struct_size = 3;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_find(&function, "driver", "cuInit"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_function_count(NULL, "driver"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_address_of(NULL, "driver", "cuInit"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_address_of(&number, "driver", "cuNothing"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_is_loaded(NULL, "driver"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_library_version(NULL, "driver"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_library_version(&version, "driver2"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_use_per_thread_default_stream(2));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_start_trace(NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_bindings_start_trace("/nonexistent/calls.json"));
    MESSAGE_HAS("/nonexistent/calls.json");
    SUCCEEDS(cuprum_bindings_stop_trace());
}

void test_bindings(void) {
    uint64_t arguments[3] = {0, 0, 0};
    uint64_t context = 0;
    uint64_t number = 0;
    int32_t version = 0;
    int32_t loaded = -1;
    SUCCEEDS(cuprum_bindings_is_loaded(&loaded, "driver"));
    CHECK(loaded == 0);
    CHECK(call("driver", "cuInit", arguments) == 0);
    SUCCEEDS(cuprum_bindings_is_loaded(&loaded, "driver"));
    CHECK(loaded == 1);
    SUCCEEDS(cuprum_bindings_library_version(&version, "driver"));
    CHECK(version >= 12000);
    SUCCEEDS(cuprum_bindings_address_of(&number, "driver", "cuInit"));
    CHECK(number != 0);
    arguments[0] = address(&context);
    CHECK(call("driver", "cuDevicePrimaryCtxRetain", arguments) == 0);
    arguments[0] = context;
    CHECK(call("driver", "cuCtxSetCurrent", arguments) == 0);
    check_memory();
    check_lists();
    check_layouts();
    check_faults();
    check_bad_input();
    SUCCEEDS(cuprum_bindings_take_failure());
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_bindings_use_per_thread_default_stream(1));
    SUCCEEDS(cuprum_bindings_use_per_thread_default_stream(0));
    arguments[0] = 0;
    CHECK(call("driver", "cuDevicePrimaryCtxRelease", arguments) == 0);
}

/* In a process that has no NVRTC. */
void check_missing_nvrtc(void) {
    int32_t major = 7;
    int32_t minor = 7;
    uint64_t number = 0;
    uint64_t arguments[2];
    arguments[0] = address(&major);
    arguments[1] = address(&minor);
    CHECK(call("nvrtc", "nvrtcVersion", arguments) == 11);
    CHECK(major == 7 && minor == 7);
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_bindings_take_failure());
    MESSAGE_HAS("nvrtcVersion");
    SUCCEEDS(cuprum_bindings_take_failure());
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_bindings_address_of(&number, "nvrtc", "nvrtcVersion"));
}
