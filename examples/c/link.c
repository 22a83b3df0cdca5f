/* Two sources, compiled apart and linked: the kernel of one calls the __device__ function of the other. */
#include <stdint.h>

#include "example.h"

static const char kernel_source[] =
    "__device__ int square(int x);  // defined in the other source\n"
    "extern \"C\" __global__ void squares(int* values, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] = square(values[i]);\n"
    "}\n";
static const char function_source[] = "__device__ int square(int x) { return x * x; }\n";

enum { n = 1000, block = 256 };
static int32_t values[n];

/* Code that others are linked with is compiled as relocatable device code. */
static void add_compiled(cuprum_linker linker, const char* source, const char* name) {
    static const char* const options[] = {"--relocatable-device-code=true"};
    cuprum_program program;
    cuprum_object_code code;
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, name, options, 1));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, NULL, 0));
    must(cuprum_linker_add(linker, code));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
}

int main(void) {
    cuprum_linker linker;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer values_device;
    const cuprum_launch_config config = {
        .struct_size = sizeof config, .grid_x = (n + block - 1) / block, .block_x = block};
    char name[256];
    int i, ok = 1;

    must(cuprum_linker_create(&linker, "squares", NULL, 0));
    add_compiled(linker, kernel_source, "squares.cu");
    add_compiled(linker, function_source, "square.cu");
    must(cuprum_linker_link(&code, linker, CUPRUM_CODE_CUBIN));
    must(cuprum_object_code_get_kernel(&kernel, code, "squares"));

    for (i = 0; i < n; ++i) {
        values[i] = i;
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&values_device, 0, sizeof values, stream));
    must(cuprum_buffer_copy_from_host(values_device, 0, values, sizeof values, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values_device}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, kernel, arguments, 2));
    }
    must(cuprum_buffer_copy_to_host(values, values_device, 0, sizeof values, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        ok = ok && values[i] == i * i;
    }
    printf("%d squares by a linked kernel on %s: %s\n", n, device_name(name, sizeof name), ok ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(values_device));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_linker_destroy(linker));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
