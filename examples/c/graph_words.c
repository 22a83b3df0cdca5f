/* Two graphs in two streams that hand work to each other through a word of memory, which nodes wait for and write. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "// words: whether there is an item, the item, and the items that were taken, a digit for each.\n"
    "extern \"C\" __global__ void make(unsigned* words) { words[1] += 1; }\n"
    "extern \"C\" __global__ void take(unsigned* words) { words[2] = 10 * words[2] + words[1]; }\n";

enum { rounds = 5, expected = 12345 };

/* A kernel that runs when the first word is `before`, and then makes it `after`. */
static cuprum_graph step(cuprum_object_code code, const char* name, cuprum_buffer words, uint32_t before,
                         uint32_t after) {
    cuprum_launch_config one_thread = CUPRUM_LAUNCH_CONFIG_INIT;
    const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = words}}};
    cuprum_graph_definition definition;
    cuprum_graph graph;
    cuprum_kernel kernel;
    uint64_t node = 0;
    const uint32_t size = sizeof(uint32_t);

    must(cuprum_object_code_get_kernel(&kernel, code, name));
    must(cuprum_graph_definition_create(&definition, 0));
    must(cuprum_graph_definition_add_memory_operation(&node, definition, 0, words, 0, before, size, CUPRUM_WAIT_EQUAL,
                                                      0));
    must(cuprum_graph_definition_add_kernel(&node, definition, node, &one_thread, kernel, arguments, 1));
    must(cuprum_graph_definition_add_memory_operation(&node, definition, node, words, 0, after, size,
                                                      CUPRUM_GRAPH_WRITE_VALUE, 0));
    must(cuprum_graph_definition_instantiate(&graph, definition, NULL));
    must(cuprum_graph_definition_destroy(definition));
    must(cuprum_kernel_destroy(kernel)); /* the graph keeps it */
    return graph;
}

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_stream makers_stream, takers_stream;
    cuprum_buffer words;
    cuprum_graph maker, taker;
    uint32_t values[3] = {0};
    char name[256];
    int round;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "words.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_stream_create(&makers_stream, 0, NULL));
    must(cuprum_stream_create(&takers_stream, 0, NULL));
    must(cuprum_buffer_allocate(&words, 0, sizeof values, NULL)); /* without a stream: not of a pool */
    must(cuprum_buffer_copy_from_host(words, 0, values, sizeof values, NULL));

    maker = step(code, "make", words, 0, 1);
    taker = step(code, "take", words, 1, 0);
    /* The launch that another one waits for is put in first: streams may share a queue of the hardware. */
    for (round = 0; round < rounds; ++round) {
        must(cuprum_graph_launch(maker, makers_stream));
        must(cuprum_graph_launch(taker, takers_stream));
    }
    must(cuprum_stream_sync(takers_stream));
    must(cuprum_stream_sync(makers_stream));

    must(cuprum_buffer_copy_to_host(values, words, 0, sizeof values, NULL));
    printf("%d items handed over on %s: %u\n", rounds, device_name(name, sizeof name), (unsigned)values[2]);

    must(cuprum_graph_destroy(taker));
    must(cuprum_graph_destroy(maker));
    must(cuprum_buffer_destroy(words));
    must(cuprum_stream_destroy(takers_stream));
    must(cuprum_stream_destroy(makers_stream));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return values[2] == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
