/* Many programs at once: compiled on several threads, with progress; found in the compile cache the second time; and
 * what the compiler says of one that is wrong. */
#include <stdint.h>

#include "example.h"

enum { programs = 8, threads = 4 };

static void require(int condition, const char* text) {
    if (!condition) {
        fprintf(stderr, "%s\n", text);
        exit(EXIT_FAILURE);
    }
}

static cuprum_program program_that_writes(int number) {
    cuprum_program program;
    char source[128], name[32];
    snprintf(source, sizeof source, "extern \"C\" __global__ void write(int* out) { *out = %d; }", number);
    snprintf(name, sizeof name, "write_%d.cu", number);
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, name, NULL, 0));
    return program;
}

/* The caller destroys the codes. */
static void compile(cuprum_object_code* codes) {
    cuprum_compile_batch batch;
    uint64_t index, done, total, reported = 0;
    int32_t found, succeeded, from_cache;
    const char* log;
    int number;

    must(cuprum_compile_batch_create(&batch, threads));
    for (number = 0; number < programs; ++number) {
        const cuprum_program program = program_that_writes(number);
        must(cuprum_compile_batch_add(&index, batch, program, CUPRUM_CODE_NATIVE, NULL, 0));
        must(cuprum_program_destroy(program));
    }
    for (;;) {
        must(cuprum_compile_batch_next(&found, &index, &done, &total, &succeeded, &from_cache, &log, batch));
        if (!found) {
            break;
        }
        require(succeeded && done == ++reported, "a compile is missing");
    }
    require(reported == programs, "not every compile was reported");
    for (number = 0; number < programs; ++number) {
        must(cuprum_compile_batch_result(&codes[number], batch, (uint64_t)number));
    }
    must(cuprum_compile_batch_destroy(batch));
}

/* The kernels run on the device, one after another. */
static void run(const cuprum_object_code* codes) {
    const cuprum_launch_config config = {.struct_size = sizeof config};
    cuprum_stream stream;
    cuprum_buffer out;
    int number;

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&out, 0, sizeof(int32_t), stream));
    for (number = 0; number < programs; ++number) {
        const cuprum_argument argument = {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = out}};
        cuprum_kernel kernel;
        int32_t written = -1;
        must(cuprum_object_code_get_kernel(&kernel, codes[number], "write"));
        must(cuprum_launch(stream, &config, kernel, &argument, 1));
        must(cuprum_buffer_copy_to_host(&written, out, 0, sizeof written, stream));
        must(cuprum_stream_sync(stream));
        require(written == number, "a kernel is another one's");
        must(cuprum_kernel_destroy(kernel));
    }
    must(cuprum_buffer_destroy(out));
    must(cuprum_stream_destroy(stream));
}

static void destroy_all(cuprum_object_code* codes) {
    int number;
    for (number = 0; number < programs; ++number) {
        must(cuprum_object_code_destroy(codes[number]));
    }
}

static void see_what_is_wrong(void) {
    cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
    cuprum_program program;
    cuprum_object_code code;
    uint32_t count = 0;
    int32_t severity, line, column;
    const char *file, *number, *text;

    must(cuprum_program_create(&program, "__global__ void k() {\n    wrong();\n}", CUPRUM_SOURCE_CXX, "k.cu", NULL, 0));
    require(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0) == CUPRUM_ERROR_COMPILE,
            "what is wrong was compiled");
    must(cuprum_error_last(&info));
    must(cuprum_diagnostics_parse(&count, info.log));
    require(count == 1, "there is another number of diagnostics");
    must(cuprum_diagnostic(&severity, &line, &column, &file, &number, &text, 0));
    require(severity == CUPRUM_SEVERITY_ERROR && line == 2, "the diagnostic is wrong");
    printf("%s:%d:%d: %s\n", file, (int)line, (int)column, text);
    must(cuprum_program_destroy(program));
}

int main(void) {
    cuprum_object_code codes[programs];
    const char *directory, *disabled_reason;
    uint64_t hits, misses, bypassed, dropped, evicted;
    char name[256];

    compile(codes);
    destroy_all(codes);
    compile(codes);
    run(codes);
    destroy_all(codes);
    see_what_is_wrong();
    must(cuprum_compile_cache_statistics(&hits, &misses, &bypassed, &dropped, &evicted));
    must(cuprum_compile_cache_directory(&directory, &disabled_reason));
    require(*directory == '\0' || hits >= programs, "nothing was found in the compile cache");
    printf("%d programs for %s, each compiled twice: %d found in the compile cache\n", programs,
           device_name(name, sizeof name), (int)hits);
    return EXIT_SUCCESS;
}
