/* A graph of what is put into a stream: captured once, launched often, and updated with another one's parameters. */
#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void multiply_add(float* values, float factor, float summand, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) values[i] = values[i] * factor + summand;\n"
    "}\n";

enum { n = 10000, threads_per_block = 256, launches = 3 };

static float result[n];

static void launch(cuprum_stream stream, cuprum_kernel kernel, cuprum_buffer values, double factor, double summand) {
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    cuprum_argument arguments[] = {CUPRUM_ARGUMENT_INIT,
                                   {CUPRUM_ARGUMENT_FLOAT, 0, {.f64 = 0}},
                                   {CUPRUM_ARGUMENT_FLOAT, 0, {.f64 = 0}},
                                   {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
    config.grid_x = (n + threads_per_block - 1) / threads_per_block;
    config.block_x = threads_per_block;
    arguments[0].kind = CUPRUM_ARGUMENT_BUFFER;
    arguments[0].value.buffer = values;
    arguments[1].value.f64 = factor;
    arguments[2].value.f64 = summand;
    must(cuprum_launch(stream, &config, kernel, arguments, 4));
}

/* values = (values * factor + 1) * 2, in two steps. */
static cuprum_graph_definition build(cuprum_kernel kernel, cuprum_buffer values, double factor) {
    cuprum_graph_builder builder;
    cuprum_graph_definition definition;
    cuprum_stream stream;
    must(cuprum_graph_builder_create_on_device(&builder, 0));
    must(cuprum_graph_builder_stream(&stream, builder));
    must(cuprum_graph_builder_begin_building(builder, CUPRUM_GRAPH_BUILD_RELAXED));
    launch(stream, kernel, values, factor, 1);
    launch(stream, kernel, values, 2, 0);
    must(cuprum_graph_builder_end_building(builder));
    must(cuprum_graph_builder_graph_definition(&definition, builder));
    must(cuprum_stream_destroy(stream));
    must(cuprum_graph_builder_destroy(builder));
    return definition;
}

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer values;
    cuprum_graph_definition first, second;
    cuprum_graph graph;
    char name[256];
    int wrong = 0;
    int i;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "multiply_add.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "multiply_add"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&values, 0, sizeof result, stream));
    must(cuprum_buffer_fill(values, 0, 4, stream));

    first = build(kernel, values, 1);
    second = build(kernel, values, 3);
    must(cuprum_graph_definition_instantiate(&graph, first, NULL));
    for (i = 0; i < launches; ++i) {
        must(cuprum_graph_launch(graph, stream)); /* 0, 2, 6, 14 */
    }
    must(cuprum_graph_update(graph, second));
    must(cuprum_graph_launch(graph, stream)); /* (14 * 3 + 1) * 2 */
    must(cuprum_buffer_copy_to_host(result, values, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        wrong += result[i] != 86;
    }
    printf("a graph launched %d times on %s: %d of %d values wrong\n", launches + 1, device_name(name, sizeof name),
           wrong, n);

    must(cuprum_graph_destroy(graph));
    must(cuprum_graph_definition_destroy(second));
    must(cuprum_graph_definition_destroy(first));
    must(cuprum_buffer_destroy(values));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
