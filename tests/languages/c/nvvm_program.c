/* Programs of NVVM IR: what they are made of runs as one, and what is wrong says where. */
#include "check.h"
#include "scenarios.h"

#define TARGETS                                                                                                   \
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"      \
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n" \
    "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n"

static const char kernel_module[] = TARGETS
    "declare i32 @number()\n"
    "define void @store(i32* %out) {\n"
    "  %value = call i32 @number()\n"
    "  store i32 %value, i32* %out, align 4\n"
    "  ret void\n"
    "}\n"
    "!nvvm.annotations = !{!1}\n"
    "!1 = !{void (i32*)* @store, !\"kernel\", i32 1}\n";
static const char number_module[] = TARGETS "define i32 @number() {\n  ret i32 4711\n}\n";
static const char* const options[] = {"--gpu-architecture=sm_75", "--ftz=true", "-opt=0"};

static void check_that_it_runs(void) {
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    cuprum_kernel kernel = NULL;
    cuprum_stream stream = NULL;
    cuprum_buffer out = NULL;
    int32_t value = 0;
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    SUCCEEDS(cuprum_program_create_nvvm(&program, kernel_module, sizeof kernel_module - 1, "store.ll", options, 3));
    SUCCEEDS(cuprum_program_add_module(program, number_module, sizeof number_module - 1, "number.ll"));
    SUCCEEDS(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    SUCCEEDS(cuprum_object_code_get_kernel(&kernel, code, "store"));
    SUCCEEDS(cuprum_stream_create(&stream, 0, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&out, 0, sizeof value, stream));
    {
        cuprum_argument argument = {CUPRUM_ARGUMENT_BUFFER, 0, {0}};
        argument.value.buffer = out;
        config.grid_x = config.block_x = 1;
        SUCCEEDS(cuprum_launch(stream, &config, kernel, &argument, 1));
    }
    SUCCEEDS(cuprum_buffer_copy_to_host(&value, out, 0, sizeof value, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    CHECK(value == 4711);
    SUCCEEDS(cuprum_buffer_destroy(out));
    SUCCEEDS(cuprum_stream_destroy(stream));
    SUCCEEDS(cuprum_kernel_destroy(kernel));
    SUCCEEDS(cuprum_object_code_destroy(code));
    SUCCEEDS(cuprum_program_destroy(program));
}

static void check_what_is_wrong(void) {
    static const char* const unknown[] = {"--std=c++20"};
    static const char* const libdevice[] = {"--use-libdevice"};
    cuprum_program program = NULL;
    cuprum_object_code code = NULL;
    SUCCEEDS(cuprum_program_create(&program, "nonsense", CUPRUM_SOURCE_NVVM, "bad.ll", options, 1));
    FAILS_WITH(CUPRUM_ERROR_COMPILE, cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, NULL, 0));
    CHECK(code == NULL);
    CHECK(last_error().domain == CUPRUM_DOMAIN_NVVM);
    CHECK_TEXT("NVVM_ERROR_COMPILATION", last_error().name);
    MESSAGE_HAS("bad.ll (1,");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_add_module(program, NULL, 0, "empty.ll"));
    MESSAGE_HAS("empty.ll");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_add_module(program, NULL, 3, "none.ll"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_add_module(program, "x", 1, NULL));
    SUCCEEDS(cuprum_program_destroy(program));
    program = NULL;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_program_create_nvvm(&program, number_module, sizeof number_module - 1, NULL, unknown, 1));
    MESSAGE_HAS("--std=c++20");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_program_create_nvvm(&program, NULL, 0, NULL, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_program_create(&program, "", CUPRUM_SOURCE_CXX, NULL, libdevice, 1));
    MESSAGE_HAS("NVVM IR");
    CHECK(program == NULL);
    SUCCEEDS(cuprum_program_create(&program, "", CUPRUM_SOURCE_CXX, NULL, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_program_add_module(program, number_module, sizeof number_module - 1, "number.ll"));
    MESSAGE_HAS("NVVM IR");
    SUCCEEDS(cuprum_program_destroy(program));
}

void test_nvvm_program(void) {
    check_that_it_runs();
    check_what_is_wrong();
}
