/* A graph described node by node: a fill, a loop that a kernel ends, a copy and a function of the program's. */
#include "example.h"

/* One step towards 1: how many it takes is not known before. */
static const char source[] =
    "extern \"C\" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(\n"
    "    cudaGraphConditionalHandle, unsigned);\n"
    "extern \"C\" __global__ void step(cudaGraphConditionalHandle again, unsigned* value, unsigned* steps) {\n"
    "    *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;\n"
    "    *steps += 1;\n"
    "    cudaGraphSetConditional(again, *value != 1);\n"
    "}\n";

enum { start = 27, expected = 111 /* steps */ };

static void count(void* calls) {
    ++*(int*)calls;
}

static uint64_t address_of(cuprum_buffer buffer) {
    uint64_t address = 0;
    must(cuprum_buffer_native(&address, buffer));
    return address;
}

int main(void) {
    cuprum_launch_config one_thread = CUPRUM_LAUNCH_CONFIG_INIT;
    cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_UINT, 0, {.u64 = 0}}, CUPRUM_ARGUMENT_INIT, CUPRUM_ARGUMENT_INIT};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel step;
    cuprum_stream stream;
    cuprum_buffer value, steps, result;
    cuprum_graph_definition definition, body;
    cuprum_graph graph;
    uint64_t again, node;
    uint32_t counted = 0;
    int calls = 0;
    char name[256];

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "step.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&step, code, "step"));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&value, 0, sizeof counted, NULL));
    must(cuprum_buffer_allocate(&steps, 0, sizeof counted, NULL));
    must(cuprum_buffer_allocate(&result, 0, sizeof counted, NULL));

    must(cuprum_graph_definition_create(&definition, 0));
    must(cuprum_graph_definition_create_condition(&again, definition, 1, 1));
    must(cuprum_graph_definition_add_memset(&node, definition, 0, address_of(value), start, 4, 1, 1, 0, value));
    must(cuprum_graph_definition_add_memset(&node, definition, node, address_of(steps), 0, 4, 1, 1, 0, steps));
    must(cuprum_graph_definition_add_conditional(&node, definition, node, again, CUPRUM_GRAPH_CONDITIONAL_WHILE, 1));
    must(cuprum_graph_definition_part(&body, definition, node, 0));
    must(cuprum_graph_definition_add_memcpy(&node, definition, node, address_of(result), address_of(steps),
                                            sizeof counted, result, steps));
    must(cuprum_graph_definition_add_callback(&node, definition, node, count, NULL, &calls));
    arguments[0].value.u64 = again;
    arguments[1].kind = arguments[2].kind = CUPRUM_ARGUMENT_BUFFER;
    arguments[1].value.buffer = value;
    arguments[2].value.buffer = steps;
    must(cuprum_graph_definition_add_kernel(&node, body, 0, &one_thread, step, arguments, 3));

    must(cuprum_graph_definition_instantiate(&graph, definition, NULL));
    must(cuprum_graph_launch(graph, stream));
    must(cuprum_graph_launch(graph, stream));
    must(cuprum_stream_sync(stream));
    must(cuprum_buffer_copy_to_host(&counted, result, 0, sizeof counted, NULL));
    printf("from %d to 1 in %u steps, %d times, on %s\n", start, (unsigned)counted, calls,
           device_name(name, sizeof name));

    must(cuprum_graph_destroy(graph));
    must(cuprum_graph_definition_destroy(body));
    must(cuprum_graph_definition_destroy(definition));
    must(cuprum_buffer_destroy(result));
    must(cuprum_buffer_destroy(steps));
    must(cuprum_buffer_destroy(value));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(step));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return counted == expected && calls == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
