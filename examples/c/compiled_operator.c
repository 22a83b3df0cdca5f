/* An operator that is compiled elsewhere, as LTO-IR, and linked into an algorithm: here a loop, over each element. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __device__ int halvings(int a) {\n"
    "    int steps = 0;\n"
    "    for (; a > 1; a /= 2) ++steps;\n"
    "    return steps;\n"
    "}\n";

enum { n = 1000 };
static int32_t data[n], steps[n];

static int32_t halvings(int32_t a) {
    int32_t count = 0;
    for (; a > 1; a /= 2) {
        ++count;
    }
    return count;
}

int main(void) {
    static const char* const options[] = {"--relocatable-device-code=true", "-dlto"};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_parallel_operator op;
    int i, ok = 1;
    for (i = 0; i < n; ++i) {
        data[i] = i * 7919 % 100003;
    }
    /* Any compiler of device code will do. */
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "halvings.cu", options, 2));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_LTOIR, NULL, 0));
    must(cuprum_parallel_operator_create_compiled(&op, "halvings", code, CUPRUM_PASSING_VALUES, NULL, NULL, 0));
    must(cuprum_parallel_transform_array(steps, sizeof steps, NULL, "int32", "int32", data, sizeof data, NULL, NULL, 0,
                                         op));
    for (i = 0; i < n; ++i) {
        ok = ok && steps[i] == halvings(data[i]);
    }
    printf("%d takes %d halvings: %s\n", (int)data[n - 1], (int)steps[n - 1], ok ? "ok" : "WRONG");
    must(cuprum_parallel_operator_destroy(op));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
