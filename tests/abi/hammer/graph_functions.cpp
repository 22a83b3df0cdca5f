// Graphs. Each thread mostly uses graphs of its own, sometimes another thread's, and sometimes a handle of another
// kind.
//
// Nothing is captured in a stream that others use: what waits for it would take part in the capture. What graphs copy
// and fill is memory that lasts.
#include <filesystem>
#include <utility>

#include "choices.hpp"

namespace hammer {

namespace {

void call_nothing(void* /*user_data*/) {}

constexpr cuprum_launch_config one_thread{
    sizeof(cuprum_launch_config), 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

// One thread's graphs, made anew now and then.
struct Own {
    cuprum_graph_definition definition = nullptr, child = nullptr;
    cuprum_graph graph = nullptr;
    cuprum_graph_builder ready = nullptr, building = nullptr, built = nullptr, split = nullptr;
    uint64_t launched = 0, copied = 0, filled = 0, called = 0, recorded = 0, embedded = 0, decided = 0, condition = 0;
    uint64_t captured = 0, building_condition = 0, written = 0;
    uint64_t uses = 0;

    Own() = default;
    Own(const Own&) = delete;
    Own& operator=(const Own&) = delete;
    ~Own() { end(); }

    void end() {
        cuprum_graph_builder_destroy(std::exchange(split, nullptr));
        cuprum_graph_builder_destroy(std::exchange(building, nullptr));
        cuprum_graph_builder_destroy(std::exchange(built, nullptr));
        cuprum_graph_builder_destroy(std::exchange(ready, nullptr));
        cuprum_graph_destroy(std::exchange(graph, nullptr));
        cuprum_graph_definition_destroy(std::exchange(definition, nullptr));
        cuprum_graph_definition_destroy(std::exchange(child, nullptr));
    }
    void begin(Turn& t) {
        end();
        const auto event_ = as_handle<cuprum_event>(t.shared.lasting[event].front());
        const auto kernel_ = as_handle<cuprum_kernel>(t.shared.lasting[kernel].front());
        std::array<cuprum_argument, 4> arguments{};
        arguments[0] = {CUPRUM_ARGUMENT_FLOAT, 0, {}};
        arguments[1] = arguments[2] = {CUPRUM_ARGUMENT_POINTER, 0, {}};
        arguments[2].value.u64 = t.own_memory();
        arguments[3] = {CUPRUM_ARGUMENT_INT, 0, {}};
        cuprum_graph_definition_create(&child, 0);
        uint64_t inside = 0;
        cuprum_graph_definition_add_empty(&inside, child, 0);
        cuprum_graph_definition_create(&definition, 0);
        cuprum_graph_definition_add_kernel(&launched, definition, 0, &one_thread, kernel_, arguments.data(), 4);
        cuprum_graph_definition_add_memcpy(&copied, definition, launched, t.own_memory(), t.own_memory() + 64, 16,
                                           nullptr, nullptr);
        cuprum_graph_definition_add_memset(&filled, definition, copied, t.own_memory(), 1, 4, 4, 1, 0, nullptr);
        cuprum_graph_definition_add_callback(&called, definition, filled, call_nothing, call_nothing, nullptr);
        cuprum_graph_definition_add_event_record(&recorded, definition, called, event_);
        cuprum_graph_definition_add_child_graph(&embedded, definition, recorded, child);
        cuprum_graph_definition_create_condition(&condition, definition, 1, 0);
        cuprum_graph_definition_add_conditional(&decided, definition, embedded, condition, CUPRUM_GRAPH_CONDITIONAL_IF,
                                                2);
        const auto words = as_handle<cuprum_buffer>(t.shared.lasting[buffer][2]);
        cuprum_graph_definition_add_memory_operation(&written, definition, 0, words, 0, 0, 4, CUPRUM_GRAPH_WRITE_VALUE,
                                                     0);
        cuprum_graph_definition_instantiate(&graph, definition, nullptr);
        cuprum_graph_builder_create_on_device(&ready, 0);
        cuprum_graph_builder_create_on_device(&built, 0);
        cuprum_graph_builder_begin_building(built, CUPRUM_GRAPH_BUILD_RELAXED);
        cuprum_graph_builder_callback(built, call_nothing, nullptr, nullptr);
        cuprum_graph_builder_end_building(built);
        cuprum_graph_builder_create_on_device(&building, 0);
        cuprum_graph_builder_begin_building(building, CUPRUM_GRAPH_BUILD_RELAXED);
        cuprum_graph_builder_split(&split, building);
        cuprum_graph_builder_create_condition(&building_condition, building, 1, 0);
        cuprum_graph_builder_add_conditional(&captured, building, building_condition, CUPRUM_GRAPH_CONDITIONAL_SWITCH,
                                             3);
        cuprum_graph_builder_create_condition(&building_condition, building, 1, 0);
    }
};

Own& own(Turn& t) {
    static thread_local Own instance;
    if (instance.uses++ % 64 == 0) instance.begin(t);
    return instance;
}

template <class Handle>
Handle mostly(Turn& t, Handle right, Kind kind) {
    return t.random.one_in(8) ? as_handle<Handle>(t.handle(kind)) : right;
}
cuprum_graph_definition a_definition(Turn& t) {
    return mostly(t, own(t).definition, graph_definition);
}
cuprum_graph a_graph(Turn& t) {
    return mostly(t, own(t).graph, graph);
}
cuprum_graph_builder a_builder(Turn& t, cuprum_graph_builder Own::*which) {
    return mostly(t, own(t).*which, graph_builder);
}
uint64_t a_node(Turn& t, uint64_t Own::*which) {
    constexpr std::array<uint64_t Own::*, 8> all{&Own::launched, &Own::copied,   &Own::filled,  &Own::called,
                                                 &Own::recorded, &Own::embedded, &Own::decided, &Own::written};
    const uint64_t right = own(t).*(t.random.one_in(10) ? t.random.pick(all) : which);
    return t.random.one_in(12) ? t.random.next() : right;
}
// What a new node comes after: at times the beginning.
uint64_t after(Turn& t) {
    return t.random.one_in(2) ? 0 : a_node(t, &Own::launched);
}
uint64_t an_address(Turn& t) {
    return t.random.one_in(20) ? 0 : t.own_memory() + 4 * t.random.below(16);
}
uint64_t a_size(Turn& t) {
    constexpr std::array<uint64_t, 5> sizes{0, 1, 4, 16, 64};
    return t.random.pick(sizes);
}
cuprum_host_function a_function(Turn& t) {
    return t.random.one_in(12) ? nullptr : &call_nothing;
}
cuprum_graph_release a_release(Turn& t) {
    return t.random.one_in(3) ? nullptr : &call_nothing;
}
cuprum_event an_event(Turn& t) {
    return as_handle<cuprum_event>(t.random.one_in(8) ? t.bad_handle(event, false) : t.shared.lasting[event].front());
}
cuprum_kernel a_kernel(Turn& t) {
    return as_handle<cuprum_kernel>(t.handle(kernel, 0));
}
cuprum_launch_config a_config(Turn& t) {
    cuprum_launch_config config = one_thread;
    config.struct_size = t.struct_size(sizeof config, sizeof config);
    if (t.random.one_in(8)) config.block_x = UINT32_MAX;
    return config;
}
const cuprum_argument* kernel_arguments(Turn& t) {
    t.arguments[0] = {CUPRUM_ARGUMENT_FLOAT, 0, {}};
    t.arguments[1] = {CUPRUM_ARGUMENT_BUFFER, 0, {}};
    t.arguments[1].value.buffer = a_buffer(t);
    t.arguments[2] = {CUPRUM_ARGUMENT_POINTER, 0, {}};
    t.arguments[2].value.u64 = t.own_memory();
    t.arguments[3] = {CUPRUM_ARGUMENT_INT, 0, {}};
    return t.random.one_in(12) ? nullptr : t.arguments.data();
}
uint32_t argument_count(Turn& t) {
    return t.random.one_in(10) ? static_cast<uint32_t>(t.random.below(6)) : 4;
}
int32_t small(Turn& t, int32_t right) {
    return t.random.one_in(8) ? static_cast<int32_t>(t.random.below(30)) - 2 : right;
}
// What a node writes a word of.
cuprum_buffer a_word(Turn& t) {
    return as_handle<cuprum_buffer>(t.random.one_in(6) ? t.bad_handle(buffer, false) : t.shared.lasting[buffer][2]);
}
cuprum_buffer an_owner(Turn& t) {
    return t.random.one_in(4) ? a_buffer(t) : nullptr;
}
std::string picture(Turn& t) {
    return (std::filesystem::temp_directory_path() / ("cuprum_hammer_" + std::to_string(t.thread) + ".dot")).string();
}

}  // namespace

std::vector<Function> graph_functions() {
    return {
        {"cuprum_graph_builder_create", 6,
         [](Turn& t) {
             // Of a stream that nobody else knows.
             cuprum_stream in = nullptr;
             cuprum_stream_create(&in, 0, nullptr);
             if (t.random.one_in(6)) {
                 cuprum_stream_destroy(in);
                 return cuprum_graph_builder_create(t.output_handle<cuprum_graph_builder>(graph_builder), in);
             }
             cuprum_graph_builder made = nullptr;
             const cuprum_status status = cuprum_graph_builder_create(&made, in);
             if (status != CUPRUM_SUCCESS) return status;
             cuprum_graph_builder_destroy(made);
             return cuprum_stream_destroy(in);
         }},
        {"cuprum_graph_builder_create_on_device", 6,
         [](Turn& t) {
             return cuprum_graph_builder_create_on_device(t.output_handle<cuprum_graph_builder>(graph_builder),
                                                          device(t));
         }},
        {"cuprum_graph_builder_destroy", 12, [](Turn& t) { return destroy(graph_builder, t.doomed(graph_builder)); }},
        {"cuprum_graph_builder_stream", 6,
         [](Turn& t) {
             cuprum_stream made = nullptr;
             const cuprum_status status =
                 cuprum_graph_builder_stream(t.random.one_in(12) ? nullptr : &made, a_builder(t, &Own::ready));
             return status == CUPRUM_SUCCESS ? cuprum_stream_destroy(made) : status;
         }},
        {"cuprum_graph_builder_begin_building", 6,
         [](Turn& t) { return cuprum_graph_builder_begin_building(own(t).ready, t.random.one_in(4) ? 7 : 2); }},
        {"cuprum_graph_builder_end_building", 6,
         [](Turn& t) { return cuprum_graph_builder_end_building(a_builder(t, &Own::ready)); }},
        {"cuprum_graph_builder_is_building", 10,
         [](Turn& t) { return cuprum_graph_builder_is_building(t.output<int32_t>(), a_builder(t, &Own::building)); }},
        {"cuprum_graph_builder_is_join_required", 10,
         [](Turn& t) { return cuprum_graph_builder_is_join_required(t.output<int32_t>(), a_builder(t, &Own::split)); }},
        {"cuprum_graph_builder_graph_definition", 10,
         [](Turn& t) {
             return cuprum_graph_builder_graph_definition(t.output_handle<cuprum_graph_definition>(graph_definition),
                                                          a_builder(t, &Own::built));
         }},
        {"cuprum_graph_builder_split", 4,
         [](Turn& t) {
             cuprum_graph_builder made = nullptr;
             const cuprum_status status = cuprum_graph_builder_split(&made, a_builder(t, &Own::building));
             return status == CUPRUM_SUCCESS ? cuprum_graph_builder_destroy(made) : status;
         }},
        {"cuprum_graph_builder_join", 4,
         [](Turn& t) { return cuprum_graph_builder_join(a_builder(t, &Own::building), a_builder(t, &Own::split)); }},
        {"cuprum_graph_builder_create_condition", 6,
         [](Turn& t) {
             return cuprum_graph_builder_create_condition(t.output<uint64_t>(), a_builder(t, &Own::building),
                                                          static_cast<int32_t>(t.random.below(2)), 0);
         }},
        {"cuprum_graph_builder_add_conditional", 6,
         [](Turn& t) {
             return cuprum_graph_builder_add_conditional(
                 t.output<uint64_t>(), a_builder(t, &Own::building), own(t).building_condition,
                 small(t, CUPRUM_GRAPH_CONDITIONAL_SWITCH), static_cast<uint32_t>(t.random.below(4)));
         }},
        {"cuprum_graph_builder_take_body", 6,
         [](Turn& t) {
             return cuprum_graph_builder_take_body(
                 t.output_handle<cuprum_graph_builder>(graph_builder), a_builder(t, &Own::building),
                 t.random.one_in(8) ? t.random.next() : own(t).captured, static_cast<uint32_t>(t.random.below(4)));
         }},
        {"cuprum_graph_builder_embed", 6,
         [](Turn& t) {
             return cuprum_graph_builder_embed(a_builder(t, &Own::building), mostly(t, own(t).child, graph_definition));
         }},
        {"cuprum_graph_builder_callback", 6,
         [](Turn& t) {
             return cuprum_graph_builder_callback(a_builder(t, &Own::building), a_function(t), a_release(t), nullptr);
         }},
        {"cuprum_graph_definition_create", 10,
         [](Turn& t) {
             return cuprum_graph_definition_create(t.output_handle<cuprum_graph_definition>(graph_definition),
                                                   device(t));
         }},
        {"cuprum_graph_definition_destroy", 30,
         [](Turn& t) { return destroy(graph_definition, t.doomed(graph_definition)); }},
        {"cuprum_graph_definition_is_valid", 10,
         [](Turn& t) { return cuprum_graph_definition_is_valid(t.output<int32_t>(), a_definition(t)); }},
        {"cuprum_graph_definition_native", 10,
         [](Turn& t) { return cuprum_graph_definition_native(t.output<uint64_t>(), a_definition(t)); }},
        {"cuprum_graph_definition_device", 10,
         [](Turn& t) { return cuprum_graph_definition_device(t.output<int32_t>(), a_definition(t)); }},
        {"cuprum_graph_definition_add_kernel", 6,
         [](Turn& t) {
             const cuprum_launch_config config = a_config(t);
             return cuprum_graph_definition_add_kernel(t.output<uint64_t>(), a_definition(t), after(t), &config,
                                                       a_kernel(t), kernel_arguments(t), argument_count(t));
         }},
        {"cuprum_graph_definition_add_memcpy", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_memcpy(t.output<uint64_t>(), a_definition(t), after(t), an_address(t),
                                                       an_address(t), a_size(t), an_owner(t), an_owner(t));
         }},
        {"cuprum_graph_definition_add_memset", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_memset(t.output<uint64_t>(), a_definition(t), after(t), an_address(t),
                                                       1, static_cast<uint32_t>(t.random.below(5)), a_size(t) / 4,
                                                       t.random.below(3), 64, an_owner(t));
         }},
        {"cuprum_graph_definition_add_callback", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_callback(t.output<uint64_t>(), a_definition(t), after(t), a_function(t),
                                                         a_release(t), nullptr);
         }},
        {"cuprum_graph_definition_add_event_record", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_event_record(t.output<uint64_t>(), a_definition(t), after(t),
                                                             an_event(t));
         }},
        {"cuprum_graph_definition_add_event_wait", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_event_wait(t.output<uint64_t>(), a_definition(t), after(t),
                                                           an_event(t));
         }},
        {"cuprum_graph_definition_add_memory_operation", 6,
         [](Turn& t) {
             // Nothing waits: nobody would write the word.
             return cuprum_graph_definition_add_memory_operation(
                 t.output<uint64_t>(), a_definition(t), after(t), a_word(t), a_size(t), 0,
                 static_cast<uint32_t>(t.random.one_in(3) ? t.random.below(12) : 4),
                 t.random.one_in(8) ? 4 : CUPRUM_GRAPH_WRITE_VALUE, 0);
         }},
        {"cuprum_graph_definition_add_external_semaphore", 6,
         [](Turn& t) {
             // Made up: nobody would signal what a graph waits for. core's tests have a real one.
             return cuprum_graph_definition_add_external_semaphore(t.output<uint64_t>(), a_definition(t), after(t),
                                                                   t.random.one_in(2) ? 0 : t.random.next(), 1,
                                                                   t.random.one_in(2) ? 1 : 0);
         },
         CUPRUM_ERROR_DRIVER},
        {"cuprum_graph_definition_add_child_graph", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_child_graph(t.output<uint64_t>(), a_definition(t), after(t),
                                                            mostly(t, own(t).child, graph_definition));
         }},
        {"cuprum_graph_definition_add_empty", 6,
         [](Turn& t) { return cuprum_graph_definition_add_empty(t.output<uint64_t>(), a_definition(t), after(t)); }},
        {"cuprum_graph_definition_add_allocation", 4,
         [](Turn& t) {
             // In a definition that is never launched.
             return cuprum_graph_definition_add_allocation(t.output<uint64_t>(), own(t).child, 0, a_size(t), device(t),
                                                           small(t, 0), t.random.one_in(4) ? 2 : 0);
         }},
        {"cuprum_graph_definition_add_free", 4,
         [](Turn& t) {
             uint64_t node = 0, address = 0;
             cuprum_graph_definition_add_allocation(&node, own(t).child, 0, 64, 0, 0, 0);
             cuprum_graph_definition_node_value(&address, own(t).child, node, CUPRUM_GRAPH_NODE_VALUE_ADDRESS);
             return cuprum_graph_definition_add_free(t.output<uint64_t>(), own(t).child, node,
                                                     t.random.one_in(4) ? t.random.next() : address);
         }},
        {"cuprum_graph_definition_create_condition", 4,
         [](Turn& t) {
             return cuprum_graph_definition_create_condition(t.output<uint64_t>(), own(t).child,
                                                             static_cast<int32_t>(t.random.below(2)), 0);
         }},
        {"cuprum_graph_definition_add_conditional", 4,
         [](Turn& t) {
             uint64_t condition = 0;
             cuprum_graph_definition_create_condition(&condition, own(t).child, 1, 0);
             return cuprum_graph_definition_add_conditional(
                 t.output<uint64_t>(), own(t).child, 0, t.random.one_in(4) ? t.random.next() : condition,
                 small(t, CUPRUM_GRAPH_CONDITIONAL_SWITCH), static_cast<uint32_t>(t.random.below(4)));
         }},
        {"cuprum_graph_definition_add_dependency", 6,
         [](Turn& t) {
             return cuprum_graph_definition_add_dependency(a_definition(t), a_node(t, &Own::launched),
                                                           a_node(t, &Own::called));
         }},
        {"cuprum_graph_definition_remove_dependency", 6,
         [](Turn& t) {
             return cuprum_graph_definition_remove_dependency(a_definition(t), a_node(t, &Own::launched),
                                                              a_node(t, &Own::called));
         }},
        {"cuprum_graph_definition_nodes", 6,
         [](Turn& t) {
             return cuprum_graph_definition_nodes(t.output<const void*>(), t.output<uint64_t>(), a_definition(t));
         }},
        {"cuprum_graph_definition_edges", 6,
         [](Turn& t) {
             return cuprum_graph_definition_edges(t.output<const void*>(), t.output<uint64_t>(), a_definition(t));
         }},
        {"cuprum_graph_definition_has_node", 10,
         [](Turn& t) {
             return cuprum_graph_definition_has_node(t.output<int32_t>(), a_definition(t), a_node(t, &Own::called));
         }},
        {"cuprum_graph_definition_node_value", 20,
         [](Turn& t) {
             return cuprum_graph_definition_node_value(t.output<uint64_t>(), a_definition(t), a_node(t, &Own::launched),
                                                       small(t, CUPRUM_GRAPH_NODE_VALUE_GRID_X));
         }},
        {"cuprum_graph_definition_node_kernel", 6,
         [](Turn& t) {
             return cuprum_graph_definition_node_kernel(t.output_handle<cuprum_kernel>(kernel), a_definition(t),
                                                        a_node(t, &Own::launched));
         }},
        {"cuprum_graph_definition_part", 6,
         [](Turn& t) {
             return cuprum_graph_definition_part(t.output_handle<cuprum_graph_definition>(graph_definition),
                                                 a_definition(t), a_node(t, &Own::decided),
                                                 static_cast<uint32_t>(t.random.below(3)));
         }},
        {"cuprum_graph_definition_destroy_node", 4,
         [](Turn& t) { return cuprum_graph_definition_destroy_node(a_definition(t), a_node(t, &Own::decided)); }},
        {"cuprum_graph_definition_update_kernel", 6,
         [](Turn& t) {
             const cuprum_launch_config config = a_config(t);
             return cuprum_graph_definition_update_kernel(a_definition(t), a_node(t, &Own::launched), &config,
                                                          a_kernel(t), kernel_arguments(t), argument_count(t));
         }},
        {"cuprum_graph_definition_update_kernel_config", 6,
         [](Turn& t) {
             const cuprum_launch_config config = a_config(t);
             return cuprum_graph_definition_update_kernel_config(a_definition(t), a_node(t, &Own::launched), &config);
         }},
        {"cuprum_graph_definition_update_memcpy", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_memcpy(a_definition(t), a_node(t, &Own::copied), an_address(t),
                                                          an_address(t), a_size(t), an_owner(t), an_owner(t));
         }},
        {"cuprum_graph_definition_update_memset", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_memset(a_definition(t), a_node(t, &Own::filled), an_address(t), 1, 4,
                                                          a_size(t) / 4, 1, 0, an_owner(t));
         }},
        {"cuprum_graph_definition_update_callback", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_callback(a_definition(t), a_node(t, &Own::called), a_function(t),
                                                            a_release(t), nullptr);
         }},
        {"cuprum_graph_definition_update_event", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_event(a_definition(t), a_node(t, &Own::recorded), an_event(t));
         }},
        {"cuprum_graph_definition_update_memory_operation", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_memory_operation(
                 a_definition(t), a_node(t, &Own::written), a_word(t), a_size(t), 0,
                 static_cast<uint32_t>(t.random.one_in(3) ? t.random.below(12) : 4),
                 t.random.one_in(8) ? 4 : CUPRUM_GRAPH_WRITE_VALUE, 0);
         }},
        {"cuprum_graph_definition_update_child_graph", 6,
         [](Turn& t) {
             return cuprum_graph_definition_update_child_graph(a_definition(t), a_node(t, &Own::embedded),
                                                               mostly(t, own(t).child, graph_definition));
         }},
        {"cuprum_graph_definition_debug_dot_print", 2,
         [](Turn& t) {
             const std::string path = picture(t);
             return cuprum_graph_definition_debug_dot_print(
                 a_definition(t), t.random.one_in(6) ? nullptr : path.c_str(), t.random.one_in(4) ? UINT32_MAX : 1);
         }},
        {"cuprum_graph_definition_instantiate", 6,
         [](Turn& t) {
             const cuprum_graph_complete_options options{
                 t.struct_size(sizeof options, sizeof options), static_cast<int32_t>(t.random.below(2)),
                 t.random.one_in(6) ? 1 : 0, static_cast<int32_t>(t.random.below(2)),
                 t.random.one_in(6) ? as_handle<cuprum_stream>(t.bad_handle(stream, false)) : nullptr};
             return cuprum_graph_definition_instantiate(t.output_handle<cuprum_graph>(graph), a_definition(t),
                                                        t.random.one_in(3) ? nullptr : &options);
         }},
        {"cuprum_graph_destroy", 12, [](Turn& t) { return destroy(graph, t.doomed(graph)); }},
        {"cuprum_graph_native", 10, [](Turn& t) { return cuprum_graph_native(t.output<uint64_t>(), a_graph(t)); }},
        {"cuprum_graph_device", 10, [](Turn& t) { return cuprum_graph_device(t.output<int32_t>(), a_graph(t)); }},
        {"cuprum_graph_auto_free_on_launch", 10,
         [](Turn& t) { return cuprum_graph_auto_free_on_launch(t.output<int32_t>(), a_graph(t)); }},
        {"cuprum_graph_launch", 20, [](Turn& t) { return cuprum_graph_launch(a_graph(t), memory_stream(t)); }},
        {"cuprum_graph_upload", 10, [](Turn& t) { return cuprum_graph_upload(a_graph(t), memory_stream(t)); }},
        {"cuprum_graph_update", 6, [](Turn& t) { return cuprum_graph_update(a_graph(t), a_definition(t)); }},
        {"cuprum_graph_update_kernel", 6,
         [](Turn& t) {
             const cuprum_launch_config config = a_config(t);
             return cuprum_graph_update_kernel(a_graph(t), a_definition(t), a_node(t, &Own::launched), &config,
                                               a_kernel(t), kernel_arguments(t), argument_count(t));
         }},
        {"cuprum_graph_update_memcpy", 6,
         [](Turn& t) {
             return cuprum_graph_update_memcpy(a_graph(t), a_definition(t), a_node(t, &Own::copied), an_address(t),
                                               an_address(t), a_size(t), an_owner(t), an_owner(t));
         }},
        {"cuprum_graph_update_memset", 6,
         [](Turn& t) {
             return cuprum_graph_update_memset(a_graph(t), a_definition(t), a_node(t, &Own::filled), an_address(t), 1,
                                               4, a_size(t) / 4, 1, 0, an_owner(t));
         }},
        {"cuprum_graph_update_callback", 6,
         [](Turn& t) {
             return cuprum_graph_update_callback(a_graph(t), a_definition(t), a_node(t, &Own::called), a_function(t),
                                                 a_release(t), nullptr);
         }},
        {"cuprum_graph_update_event", 6,
         [](Turn& t) {
             return cuprum_graph_update_event(a_graph(t), a_definition(t), a_node(t, &Own::recorded), an_event(t));
         }},
        {"cuprum_graph_update_memory_operation", 6,
         [](Turn& t) {
             return cuprum_graph_update_memory_operation(
                 a_graph(t), a_definition(t), a_node(t, &Own::written), a_word(t), a_size(t), 0,
                 static_cast<uint32_t>(t.random.one_in(3) ? t.random.below(12) : 4),
                 t.random.one_in(8) ? 4 : CUPRUM_GRAPH_WRITE_VALUE, 0);
         }},
        {"cuprum_graph_update_child_graph", 6,
         [](Turn& t) {
             return cuprum_graph_update_child_graph(a_graph(t), a_definition(t), a_node(t, &Own::embedded),
                                                    mostly(t, own(t).child, graph_definition));
         }},
        {"cuprum_graph_is_node_enabled", 10,
         [](Turn& t) {
             return cuprum_graph_is_node_enabled(t.output<int32_t>(), a_graph(t), a_definition(t),
                                                 a_node(t, &Own::launched));
         }},
        {"cuprum_graph_set_node_enabled", 10,
         [](Turn& t) {
             return cuprum_graph_set_node_enabled(a_graph(t), a_definition(t), a_node(t, &Own::launched),
                                                  static_cast<int32_t>(t.random.below(2)));
         }},
    };
}

}  // namespace hammer
