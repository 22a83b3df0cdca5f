/* Memory of a graph: what it allocates in each launch, and a buffer that it keeps although the program has destroyed
 * its handle. */
#include "example.h"

enum { n = 10000, launches = 3 };

static int32_t values[n];

/* result = a copy of constants, by way of memory that the graph allocates and frees. */
static cuprum_graph build(cuprum_memory_resource memory, cuprum_buffer result) {
    cuprum_buffer constants, scratch;
    cuprum_graph_builder builder;
    cuprum_graph_definition definition;
    cuprum_graph graph;
    cuprum_stream stream;
    int i;
    for (i = 0; i < n; ++i) {
        values[i] = 42;
    }
    must(cuprum_buffer_allocate(&constants, 0, sizeof values, NULL));
    must(cuprum_buffer_copy_from_host(constants, 0, values, sizeof values, NULL));
    must(cuprum_graph_builder_create_on_device(&builder, 0));
    must(cuprum_graph_builder_stream(&stream, builder));
    must(cuprum_graph_builder_begin_building(builder, CUPRUM_GRAPH_BUILD_RELAXED));
    must(cuprum_memory_resource_allocate(&scratch, memory, sizeof values, stream)); /* nothing is allocated yet */
    must(cuprum_buffer_copy(scratch, 0, constants, 0, sizeof values, stream));
    must(cuprum_buffer_copy(result, 0, scratch, 0, sizeof values, stream));
    must(cuprum_buffer_destroy(scratch)); /* the graph frees it */
    must(cuprum_graph_builder_end_building(builder));
    must(cuprum_graph_builder_graph_definition(&definition, builder));
    must(cuprum_graph_definition_instantiate(&graph, definition, NULL)); /* which keeps the constants */
    must(cuprum_graph_definition_destroy(definition));
    must(cuprum_stream_destroy(stream));
    must(cuprum_graph_builder_destroy(builder));
    must(cuprum_buffer_destroy(constants));
    return graph;
}

int main(void) {
    cuprum_memory_resource memory;
    cuprum_stream stream;
    cuprum_buffer result;
    cuprum_graph graph;
    uint64_t used = 0;
    char name[256];
    int wrong = 0;
    int i, j;

    must(cuprum_memory_resource_create_graph(&memory, 0));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&result, 0, sizeof values, NULL));
    must(cuprum_memory_resource_set_graph_attribute(memory, CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH, 0));

    graph = build(memory, result);
    for (i = 0; i < launches; ++i) {
        must(cuprum_buffer_fill(result, 0, 4, stream));
        must(cuprum_graph_launch(graph, stream));
        must(cuprum_buffer_copy_to_host(values, result, 0, sizeof values, stream));
        must(cuprum_stream_sync(stream));
        for (j = 0; j < n; ++j) {
            wrong += values[j] != 42;
        }
    }
    must(cuprum_memory_resource_graph_attribute(&used, memory, CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH));
    printf("a graph launched %d times on %s, which allocates: %d values wrong\n", launches,
           device_name(name, sizeof name), wrong);

    must(cuprum_graph_destroy(graph));
    must(cuprum_memory_resource_trim_graph_memory(memory));
    must(cuprum_buffer_destroy(result));
    must(cuprum_stream_destroy(stream));
    must(cuprum_memory_resource_destroy(memory));
    return wrong == 0 && used >= sizeof values ? EXIT_SUCCESS : EXIT_FAILURE;
}
