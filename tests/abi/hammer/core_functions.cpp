// Devices, streams, events, memory, programs and kernels.
#include <cstring>

#include "choices.hpp"

namespace hammer {

namespace {

cuprum_event an_event(Turn& t) {
    return as_handle<cuprum_event>(t.handle(event));
}
// A buffer and the stream that it is used in: without one, a buffer that is not of that stream.
struct Use {
    cuprum_buffer buffer, other;
    cuprum_stream stream;
    explicit Use(Turn& t) : buffer(a_buffer(t)), other(a_buffer(t)), stream(memory_stream(t)) {
        if (!t.random.one_in(3)) return;
        buffer = as_handle<cuprum_buffer>(t.random.pick(t.shared.lasting[hammer::buffer]));
        other = as_handle<cuprum_buffer>(t.random.pick(t.shared.lasting[hammer::buffer]));
        stream = nullptr;
    }
};
cuprum_object_code a_code(Turn& t) {
    return as_handle<cuprum_object_code>(t.handle(object_code));
}
cuprum_linker a_linker(Turn& t) {
    return as_handle<cuprum_linker>(t.handle(linker));
}
const char* const* link_options(Turn& t) {
    constexpr std::array<const char*, 5> all{"-lineinfo", "-verbose", "-maxrregcount=0", "-bogus", "-arch=sm_10"};
    for (const char*& option : t.texts)
        option = t.random.one_in(12) ? nullptr : t.random.one_in(3) ? t.random.pick(all) : "-verbose";
    return t.random.one_in(12) ? nullptr : t.texts.data();
}
cuprum_compile_batch a_batch(Turn& t) {
    return as_handle<cuprum_compile_batch>(t.handle(compile_batch));
}
cuprum_kernel a_kernel(Turn& t) {
    return as_handle<cuprum_kernel>(t.handle(kernel));
}
// The kernel's own arguments, or anything.
const cuprum_argument* launch_arguments(Turn& t) {
    static const std::array<unsigned char, 16> bytes{};
    constexpr std::array<uint32_t, 5> sizes{0, 4, 8, 16, UINT32_MAX};
    for (cuprum_argument& argument : t.arguments) {
        argument.kind = static_cast<int32_t>(t.random.below(10));
        argument.size = t.random.pick(sizes);
        argument.value.u64 = t.random.next();
        const bool takes_address = argument.kind == CUPRUM_ARGUMENT_BYTES ||
                                   argument.kind == CUPRUM_ARGUMENT_INT_BYTES ||
                                   argument.kind == CUPRUM_ARGUMENT_FLOAT_BYTES;
        if (takes_address) argument.value.bytes = t.random.one_in(4) ? nullptr : bytes.data();
        if (argument.kind == CUPRUM_ARGUMENT_BUFFER) argument.value.buffer = a_buffer(t);
    }
    if (t.random.one_in(3)) return t.random.one_in(10) ? nullptr : t.arguments.data();
    t.arguments[0] = {CUPRUM_ARGUMENT_FLOAT, 0, {}};
    t.arguments[0].value.f64 = 1.5;
    t.arguments[1] = {CUPRUM_ARGUMENT_BUFFER, 0, {}};
    t.arguments[1].value.buffer = a_buffer(t);
    t.arguments[2] = {CUPRUM_ARGUMENT_POINTER, 0, {}};
    t.arguments[2].value.u64 = t.own_memory();
    t.arguments[3] = {CUPRUM_ARGUMENT_INT, 0, {}};
    t.arguments[3].value.i64 = 5;
    return t.arguments.data();
}

// Grids that are small, or larger than any device's.
cuprum_launch_config launch_config(Turn& t) {
    cuprum_launch_config config{};
    config.struct_size = t.struct_size(sizeof config, sizeof config);
    config.grid_x = config.grid_y = config.grid_z = 1;
    config.block_x = 32;
    config.block_y = config.block_z = 1;
    if (!t.random.one_in(4)) return config;
    constexpr std::array<uint32_t, 5> grids{0, 1, 2, 3, UINT32_MAX}, blocks{0, 1, 32, 1025, UINT32_MAX};
    config.grid_x = t.random.pick(grids);
    config.grid_y = t.random.pick(grids);
    config.block_x = t.random.pick(blocks);
    config.block_z = t.random.pick(blocks);
    config.shared_memory = t.random.pick(blocks);
    config.is_cooperative = static_cast<int32_t>(t.random.below(3)) - 1;
    config.programmatic_stream_serialization = config.has_priority = static_cast<int32_t>(t.random.below(2));
    config.priority = static_cast<int32_t>(t.random.below(5)) - 3;
    config.cluster_x = t.random.pick(grids);
    config.has_shared_memory_carveout = static_cast<int32_t>(t.random.below(2));
    config.preferred_shared_memory_carveout = static_cast<int32_t>(t.random.below(103)) - 1;
    config.memory_sync_domain = static_cast<int32_t>(t.random.below(4));
    config.has_memory_sync_domain_map = static_cast<int32_t>(t.random.below(2));
    config.memory_sync_domain_remote = t.random.pick(grids);
    config.access_policy_size = t.random.pick(blocks);
    config.access_policy_hit = static_cast<int32_t>(t.random.below(5));
    config.access_policy_miss = static_cast<int32_t>(t.random.below(5));
    config.access_policy_hit_ratio = static_cast<float>(t.random.below(4)) - 1.0F;
    return config;
}

const char* const* program_options(Turn& t) {
    constexpr std::array<const char*, 6> all{"-DN=4", "--std=c++17", "-I", "/nowhere", "--bogus", "-arch=sm_10"};
    for (const char*& option : t.texts)
        option = t.random.one_in(12) ? nullptr : t.random.one_in(3) ? t.random.pick(all) : "-DN=4";
    return t.random.one_in(12) ? nullptr : t.texts.data();
}

// A buffer for a stream to wait for one of its words: one that fulfils the condition already, since nobody would write
// it, or no buffer. Not one that another call was to destroy: it may be there still, with anything in it.
cuprum_buffer awaited(Turn& t) {
    return t.random.one_in(8)
               ? as_handle<cuprum_buffer>(t.random.one_in(2) ? 0 : t.random.pick(t.shared.lasting[event]))
               : t.shared.input_buffer;
}
int32_t wait_condition(Turn& t) {
    return t.random.one_in(8) ? 4 + static_cast<int32_t>(t.random.below(9)) : CUPRUM_WAIT_GREATER_OR_EQUAL;
}

// A part of an image, or all of it.
struct Image {
    const std::string& bytes;
    uint64_t size;
    explicit Image(Turn& t)
        : bytes(t.random.one_in(3) ? t.random.pick(t.shared.images) : t.shared.ptx),
          size(t.random.one_in(4) ? t.random.below(bytes.size() + 1) : bytes.size()) {}
};

}  // namespace

std::vector<Function> core_functions() {
    return {
        {"cuprum_buffer_allocate", 200,
         [](Turn& t) {
             if (!t.random.one_in(3)) {
                 return cuprum_buffer_allocate(t.output_handle<cuprum_buffer>(buffer), device(t), size(t),
                                               memory_stream(t));
             }
             // Memory of no stream goes at once when it is destroyed, whatever others have under way in it.
             cuprum_buffer made = nullptr;
             const cuprum_status status = cuprum_buffer_allocate(&made, device(t), size(t), nullptr);
             return status == CUPRUM_SUCCESS ? cuprum_buffer_destroy(made) : status;
         }},
        {"cuprum_buffer_copy", 100,
         [](Turn& t) {
             const Use use(t);
             return cuprum_buffer_copy(use.buffer, size(t), use.other, size(t), size(t), use.stream);
         }},
        {"cuprum_buffer_copy_from_host", 100,
         [](Turn& t) {
             const Use use(t);
             return cuprum_buffer_copy_from_host(use.buffer, size(t), host(t), size(t), use.stream);
         }},
        {"cuprum_buffer_copy_to_host", 100,
         [](Turn& t) {
             const Use use(t);
             return cuprum_buffer_copy_to_host(host(t), use.buffer, size(t), size(t), use.stream);
         }},
        {"cuprum_buffer_destroy", 160, [](Turn& t) { return destroy(buffer, t.doomed(buffer)); }},
        {"cuprum_buffer_device", 100, [](Turn& t) { return cuprum_buffer_device(t.output<int32_t>(), a_buffer(t)); }},
        {"cuprum_buffer_fill", 100,
         [](Turn& t) {
             const Use use(t);
             constexpr std::array<uint32_t, 6> sizes{0, 1, 2, 3, 4, UINT32_MAX};
             return cuprum_buffer_fill(use.buffer, 0, t.random.pick(sizes), use.stream);
         }},
        {"cuprum_buffer_from_native", 100,
         [](Turn& t) {
             const uint64_t address = t.random.one_in(4) ? t.random.next() : t.own_memory();
             return cuprum_buffer_from_native(t.output_handle<cuprum_buffer>(buffer), device(t), address, size(t));
         }},
        {"cuprum_buffer_native", 100, [](Turn& t) { return cuprum_buffer_native(t.output<uint64_t>(), a_buffer(t)); }},
        {"cuprum_buffer_size", 100, [](Turn& t) { return cuprum_buffer_size(t.output<uint64_t>(), a_buffer(t)); }},
        // Not called here: the folder is that of other tests too, and what is in it takes minutes to compile again.
        {"cuprum_compile_batch_add", 2,
         [](Turn& t) {
             const char* const names[]{"twice<int>"};
             return cuprum_compile_batch_add(
                 t.output<uint64_t>(), a_batch(t), as_handle<cuprum_program>(t.handle(program)),
                 choice(t, std::array<int32_t, 2>{CUPRUM_CODE_NATIVE, CUPRUM_CODE_PTX}),
                 t.random.one_in(12) ? nullptr : names, static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_compile_batch_cancel", 10, [](Turn& t) { return cuprum_compile_batch_cancel(a_batch(t)); }},
        {"cuprum_compile_batch_create", 4,
         [](Turn& t) {
             return cuprum_compile_batch_create(t.output_handle<cuprum_compile_batch>(compile_batch),
                                                static_cast<uint32_t>(t.random.below(3)));
         }},
        {"cuprum_compile_batch_destroy", 6, [](Turn& t) { return destroy(compile_batch, t.doomed(compile_batch)); }},
        {"cuprum_compile_batch_next", 6,
         [](Turn& t) {
             return cuprum_compile_batch_next(t.output<int32_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                                              t.output<uint64_t>(), t.output<int32_t>(), t.output<int32_t>(),
                                              t.output<const char*>(), a_batch(t));
         }},
        {"cuprum_compile_batch_require_success", 10,
         [](Turn& t) { return cuprum_compile_batch_require_success(a_batch(t)); }},
        {"cuprum_compile_batch_result", 10,
         [](Turn& t) {
             return cuprum_compile_batch_result(t.output_handle<cuprum_object_code>(object_code), a_batch(t),
                                                t.random.below(3));
         }},
        {"cuprum_compile_cache_clear", 0, [](Turn&) { return cuprum_compile_cache_clear(); }},
        {"cuprum_compile_cache_directory", 1,
         [](Turn& t) { return cuprum_compile_cache_directory(t.output<const char*>(), t.output<const char*>()); }},
        {"cuprum_compile_cache_size", 1,
         [](Turn& t) {
             return cuprum_compile_cache_size(t.output<uint64_t>(), t.output<uint64_t>(), t.output<uint64_t>());
         }},
        {"cuprum_compile_cache_statistics", 1,
         [](Turn& t) {
             return cuprum_compile_cache_statistics(t.output<uint64_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                                                    t.output<uint64_t>(), t.output<uint64_t>());
         }},
        // Reads hundreds of megabytes there.
        {"cuprum_compile_cache_verify", 0,
         [](Turn& t) { return cuprum_compile_cache_verify(t.output<uint64_t>(), t.output<uint64_t>()); }},
        {"cuprum_device_arch", 100, [](Turn& t) { return cuprum_device_arch(t.output<const char*>(), device(t)); }},
        {"cuprum_device_attribute", 100,
         [](Turn& t) {
             return cuprum_device_attribute(t.output<int32_t>(), device(t),
                                            static_cast<int32_t>(t.random.below(200)) - 20);
         }},
        {"cuprum_device_count", 100, [](Turn& t) { return cuprum_device_count(t.output<int32_t>()); }},
        {"cuprum_device_current", 100, [](Turn& t) { return cuprum_device_current(t.output<int32_t>()); }},
        {"cuprum_device_is_simulator", 100,
         [](Turn& t) { return cuprum_device_is_simulator(t.output<int32_t>(), device(t)); }},
        {"cuprum_device_memory_info", 100,
         [](Turn& t) { return cuprum_device_memory_info(t.output<uint64_t>(), t.output<uint64_t>(), device(t)); }},
        {"cuprum_device_name", 100, [](Turn& t) { return cuprum_device_name(t.output<const char*>(), device(t)); }},
        {"cuprum_device_of_memory", 100,
         [](Turn& t) { return cuprum_device_of_memory(t.output<int32_t>(), t.random.below(1U << 20)); }},
        {"cuprum_device_pci_bus_id", 100,
         [](Turn& t) { return cuprum_device_pci_bus_id(t.output<const char*>(), device(t)); }},
        {"cuprum_device_properties_get", 100,
         [](Turn& t) { return cuprum_device_properties_get(t.output_struct<cuprum_device_properties>(), device(t)); }},
        {"cuprum_device_set_current", 100, [](Turn& t) { return cuprum_device_set_current(device(t)); }},
        // Each thread has a graph builder that captures, and no device can be waited for beside a capture.
        {"cuprum_device_sync", 10, [](Turn& t) { return cuprum_device_sync(device(t)); }, CUPRUM_ERROR_DRIVER},
        {"cuprum_device_uuid", 100, [](Turn& t) { return cuprum_device_uuid(t.output<const char*>(), device(t)); }},
        {"cuprum_diagnostic", 60,
         [](Turn& t) {
             return cuprum_diagnostic(t.output<int32_t>(), t.output<int32_t>(), t.output<int32_t>(),
                                      t.output<const char*>(), t.output<const char*>(), t.output<const char*>(),
                                      static_cast<uint32_t>(t.random.below(4)));
         }},
        {"cuprum_diagnostics_parse", 60,
         [](Turn& t) {
             return cuprum_diagnostics_parse(
                 t.output<uint32_t>(),
                 text(t, std::array<const char*, 3>{"a.cu(1): error: no\n  x\n  ^\n", "ptxas fatal   : no\n", "(("}));
         }},
        {"cuprum_driver_version", 100, [](Turn& t) { return cuprum_driver_version(t.output<int32_t>()); }},
        {"cuprum_event_create", 160,
         [](Turn& t) {
             const cuprum_event_options options{t.struct_size(16, 16), static_cast<int32_t>(t.random.below(3)),
                                                static_cast<int32_t>(t.random.below(3)), t.random.one_in(4) ? 1 : 0};
             return cuprum_event_create(t.output_handle<cuprum_event>(event), device(t),
                                        t.random.one_in(3) ? nullptr : &options);
         }},
        {"cuprum_event_destroy", 150, [](Turn& t) { return destroy(event, t.doomed(event)); }},
        {"cuprum_event_device", 100, [](Turn& t) { return cuprum_event_device(t.output<int32_t>(), an_event(t)); }},
        {"cuprum_event_elapsed_time", 100,
         [](Turn& t) { return cuprum_event_elapsed_time(t.output<float>(), an_event(t), an_event(t)); }},
        // A process cannot open an event of its own.
        {"cuprum_event_from_ipc_handle", 0,
         [](Turn& t) {
             return cuprum_event_from_ipc_handle(t.output_handle<cuprum_event>(event), device(t), host(t), size(t), 0);
         }},
        {"cuprum_event_ipc_handle", 100,
         [](Turn& t) { return cuprum_event_ipc_handle(t.output<const void*>(), t.output<uint64_t>(), an_event(t)); }},
        {"cuprum_event_is_done", 100, [](Turn& t) { return cuprum_event_is_done(t.output<int32_t>(), an_event(t)); }},
        {"cuprum_event_native", 100, [](Turn& t) { return cuprum_event_native(t.output<uint64_t>(), an_event(t)); }},
        {"cuprum_event_sync", 50, [](Turn& t) { return cuprum_event_sync(an_event(t)); }},
        {"cuprum_kernel_argument_count", 100,
         [](Turn& t) { return cuprum_kernel_argument_count(t.output<uint32_t>(), a_kernel(t)); }},
        {"cuprum_kernel_argument_info", 100,
         [](Turn& t) {
             return cuprum_kernel_argument_info(t.output<uint64_t>(), t.output<uint64_t>(), a_kernel(t),
                                                static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_kernel_argument_type", 100,
         [](Turn& t) {
             return cuprum_kernel_argument_type(t.output<int32_t>(), t.output<const char*>(), a_kernel(t),
                                                static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_kernel_attributes_get", 50,
         [](Turn& t) {
             return cuprum_kernel_attributes_get(t.output_struct<cuprum_kernel_attributes>(), a_kernel(t), device(t));
         }},
        {"cuprum_kernel_available_dynamic_shared_memory_per_block", 50,
         [](Turn& t) {
             constexpr std::array<int32_t, 6> numbers{0, 1, 2, 64, INT32_MAX, -1};
             return cuprum_kernel_available_dynamic_shared_memory_per_block(
                 t.output<uint64_t>(), a_kernel(t), device(t), t.random.pick(numbers), t.random.pick(numbers));
         }},
        {"cuprum_kernel_destroy", 80, [](Turn& t) { return destroy(kernel, t.doomed(kernel)); }},
        {"cuprum_kernel_from_native", 40,
         [](Turn& t) {
             // A CUkernel cannot be checked: null, or that of a kernel whose object code lasts.
             uint64_t native = 0;
             const auto code = as_handle<cuprum_object_code>(t.shared.lasting[object_code].front());
             const auto lasting = as_handle<cuprum_kernel>(t.shared.lasting[kernel].front());
             if (!t.random.one_in(4)) cuprum_kernel_native(&native, lasting);
             return cuprum_kernel_from_native(t.output_handle<cuprum_kernel>(kernel), native,
                                              t.random.one_in(4)   ? nullptr
                                              : t.random.one_in(2) ? code
                                                                   : a_code(t));
         }},
        {"cuprum_kernel_max_active_blocks", 50,
         [](Turn& t) {
             constexpr std::array<int32_t, 6> threads{0, 1, 32, 1024, 1025, -1};
             return cuprum_kernel_max_active_blocks(t.output<int32_t>(), a_kernel(t), device(t), t.random.pick(threads),
                                                    size(t));
         }},
        {"cuprum_kernel_max_active_clusters", 50,
         [](Turn& t) {
             const cuprum_launch_config config = launch_config(t);
             return cuprum_kernel_max_active_clusters(t.output<int32_t>(), a_kernel(t),
                                                      t.random.one_in(40) ? nullptr : &config, a_stream(t));
         },
         CUPRUM_ERROR_UNSUPPORTED},
        {"cuprum_kernel_max_potential_block_size", 50,
         [](Turn& t) {
             constexpr std::array<int32_t, 6> limits{0, 1, 32, 1024, INT32_MAX, -1};
             return cuprum_kernel_max_potential_block_size(t.output<int32_t>(), t.output<int32_t>(), a_kernel(t),
                                                           device(t), size(t), t.random.pick(limits));
         }},
        {"cuprum_kernel_max_potential_block_size_of_sizes", 50,
         [](Turn& t) {
             static constexpr std::array<uint64_t, 64> table{0, 16, UINT64_MAX, 49152};
             constexpr std::array<uint64_t, 5> bytes{0, 8, 12, 64 * sizeof(uint64_t), UINT64_MAX};
             constexpr std::array<int32_t, 6> limits{0, 1, 32, 1024, INT32_MAX, -1};
             const uint64_t size_of_table = t.random.pick(bytes);
             return cuprum_kernel_max_potential_block_size_of_sizes(
                 t.output<int32_t>(), t.output<int32_t>(), a_kernel(t), device(t),
                 t.random.one_in(8) ? nullptr : table.data(), size_of_table, t.random.pick(limits));
         }},
        {"cuprum_kernel_max_potential_cluster_size", 50,
         [](Turn& t) {
             const cuprum_launch_config config = launch_config(t);
             return cuprum_kernel_max_potential_cluster_size(t.output<int32_t>(), a_kernel(t),
                                                             t.random.one_in(40) ? nullptr : &config, a_stream(t));
         },
         CUPRUM_ERROR_UNSUPPORTED},
        {"cuprum_kernel_name", 100, [](Turn& t) { return cuprum_kernel_name(t.output<const char*>(), a_kernel(t)); }},
        {"cuprum_kernel_native", 100, [](Turn& t) { return cuprum_kernel_native(t.output<uint64_t>(), a_kernel(t)); }},
        {"cuprum_kernel_set_attribute", 50,
         [](Turn& t) {
             constexpr std::array<int32_t, 6> values{0, 1, 50, -1, INT32_MAX, INT32_MIN};
             return cuprum_kernel_set_attribute(a_kernel(t), device(t), static_cast<int32_t>(t.random.below(20)) - 2,
                                                t.random.pick(values));
         }},
        {"cuprum_kernel_set_max_dynamic_shared_size", 50,
         [](Turn& t) {
             constexpr std::array<int32_t, 6> sizes{0, 1024, 49152, -1, INT32_MAX, INT32_MIN};
             return cuprum_kernel_set_max_dynamic_shared_size(a_kernel(t), device(t), t.random.pick(sizes));
         }},
        {"cuprum_launch", 100,
         [](Turn& t) {
             const cuprum_launch_config config = launch_config(t);
             constexpr std::array<uint32_t, 5> counts{0, 3, 5, 65, UINT32_MAX};
             return cuprum_launch(a_stream(t), t.random.one_in(40) ? nullptr : &config, a_kernel(t),
                                  launch_arguments(t), t.random.one_in(10) ? t.random.pick(counts) : 4);
         }},
        {"cuprum_linker_add", 30, [](Turn& t) { return cuprum_linker_add(a_linker(t), a_code(t)); }},
        {"cuprum_linker_create", 30,
         [](Turn& t) {
             constexpr std::array<uint32_t, 4> counts{0, 0, 1, 2};
             return cuprum_linker_create(t.output_handle<cuprum_linker>(linker),
                                         text(t, std::array<const char*, 1>{"joined"}), link_options(t),
                                         t.random.pick(counts));
         }},
        {"cuprum_linker_destroy", 30, [](Turn& t) { return destroy(linker, t.doomed(linker)); }},
        {"cuprum_linker_error_log", 60,
         [](Turn& t) { return cuprum_linker_error_log(t.output<const char*>(), a_linker(t)); }},
        {"cuprum_linker_info_log", 60,
         [](Turn& t) { return cuprum_linker_info_log(t.output<const char*>(), a_linker(t)); }},
        {"cuprum_linker_link", 3,
         [](Turn& t) {
             const int32_t target = choice(t, std::array<int32_t, 2>{CUPRUM_CODE_NATIVE, CUPRUM_CODE_CUBIN});
             if (t.random.one_in(2)) {
                 return cuprum_linker_link(t.output_handle<cuprum_object_code>(object_code), a_linker(t), target);
             }
             // What others add to the lasting one may not fit together.
             cuprum_linker own = nullptr;
             const cuprum_status status = cuprum_linker_create(&own, "own", nullptr, 0);
             if (status != CUPRUM_SUCCESS) return status;
             cuprum_linker_add(own, as_handle<cuprum_object_code>(t.shared.lasting[object_code].front()));
             destroy(linker, t.shared.pools[linker].put(t.random, value_of(own)));
             return cuprum_linker_link(t.output_handle<cuprum_object_code>(object_code), own, target);
         }},
        {"cuprum_linker_native", 20, [](Turn& t) { return cuprum_linker_native(t.output<uint64_t>(), a_linker(t)); }},
        {"cuprum_nvrtc_version", 50,
         [](Turn& t) { return cuprum_nvrtc_version(t.output<int32_t>(), t.output<int32_t>()); }},
        {"cuprum_object_code_bytes", 100,
         [](Turn& t) { return cuprum_object_code_bytes(t.output<const void*>(), t.output<uint64_t>(), a_code(t)); }},
        {"cuprum_object_code_create", 60,
         [](Turn& t) {
             const Image image(t);
             const bool is_ptx = &image.bytes == &t.shared.ptx;
             return cuprum_object_code_create(
                 t.output_handle<cuprum_object_code>(object_code), t.random.one_in(20) ? nullptr : image.bytes.data(),
                 image.size, is_ptx ? CUPRUM_CODE_PTX : choice(t, std::array<int32_t, 7>{0, 1, 2, 3, 4, 5, 6}),
                 text(t, std::array<const char*, 1>{"code"}));
         }},
        {"cuprum_object_code_destroy", 50, [](Turn& t) { return destroy(object_code, t.doomed(object_code)); }},
        {"cuprum_object_code_from_file", 10,
         [](Turn& t) {
             return cuprum_object_code_from_file(
                 t.output_handle<cuprum_object_code>(object_code),
                 text(t, std::array<const char*, 5>{"/dev/zero", "/proc/self/maps", "/", "no such file", ""}),
                 choice(t, std::array<int32_t, 7>{0, 1, 2, 3, 4, 5, 6}));
         }},
        {"cuprum_object_code_get_global", 60,
         [](Turn& t) {
             return cuprum_object_code_get_global(t.output_handle<cuprum_buffer>(buffer), a_code(t), device(t),
                                                  text(t, std::array<const char*, 2>{"poke", "counter"}));
         }},
        {"cuprum_object_code_get_kernel", 60,
         [](Turn& t) {
             return cuprum_object_code_get_kernel(t.output_handle<cuprum_kernel>(kernel), a_code(t),
                                                  text(t, std::array<const char*, 2>{"poke", "poke<int>"}));
         }},
        {"cuprum_object_code_kernel_count", 60,
         [](Turn& t) { return cuprum_object_code_kernel_count(t.output<uint32_t>(), a_code(t)); }},
        {"cuprum_object_code_kernel_name", 60,
         [](Turn& t) {
             return cuprum_object_code_kernel_name(t.output<const char*>(), a_code(t), static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_object_code_lowered_name", 60,
         [](Turn& t) {
             return cuprum_object_code_lowered_name(t.output<const char*>(), a_code(t),
                                                    text(t, std::array<const char*, 2>{"twice<int>", "poke"}));
         }},
        {"cuprum_object_code_type", 100,
         [](Turn& t) { return cuprum_object_code_type(t.output<int32_t>(), a_code(t)); }},
        {"cuprum_program_add_module", 40,
         [](Turn& t) {
             constexpr std::array<const char*, 2> modules{"define i32 @one() { ret i32 1 }", "no IR"};
             const char* const module = t.random.pick(modules);
             return cuprum_program_add_module(
                 as_handle<cuprum_program>(t.handle(program)), t.random.one_in(12) ? nullptr : module,
                 t.random.one_in(12) ? 0 : std::strlen(module), text(t, std::array<const char*, 1>{"more.ll"}));
         }},
        {"cuprum_program_compile", 3,
         [](Turn& t) {
             const char* const names[]{"twice<int>", t.random.one_in(8) ? nullptr : "twice<float>"};
             constexpr std::array<uint32_t, 4> counts{0, 1, 1, 2};
             return cuprum_program_compile(t.output_handle<cuprum_object_code>(object_code),
                                           as_handle<cuprum_program>(t.handle(program)),
                                           choice(t, std::array<int32_t, 2>{CUPRUM_CODE_NATIVE, CUPRUM_CODE_PTX}),
                                           t.random.one_in(12) ? nullptr : names, t.random.pick(counts));
         }},
        {"cuprum_program_create", 40,
         [](Turn& t) {
             constexpr std::array<uint32_t, 4> counts{0, 1, 2, 8};
             const bool is_ptx = t.random.one_in(6);
             return cuprum_program_create(
                 t.output_handle<cuprum_program>(program),
                 is_ptx ? t.shared.ptx.c_str()
                        : text(t, std::array<const char*, 2>{"extern \"C\" __global__ void poke() {}", "not C++"}),
                 is_ptx ? CUPRUM_SOURCE_PTX : choice(t, std::array<int32_t, 1>{CUPRUM_SOURCE_CXX}),
                 text(t, std::array<const char*, 1>{"hammer.cu"}), program_options(t), t.random.pick(counts));
         }},
        {"cuprum_program_create_nvvm", 40,
         [](Turn& t) {
             constexpr std::array<uint32_t, 4> counts{0, 1, 2, 8};
             constexpr std::array<const char*, 2> modules{"define void @poke() { ret void }", "no IR"};
             const char* const module = t.random.pick(modules);
             return cuprum_program_create_nvvm(
                 t.output_handle<cuprum_program>(program), t.random.one_in(12) ? nullptr : module,
                 t.random.one_in(12) ? 0 : std::strlen(module), text(t, std::array<const char*, 1>{"hammer.ll"}),
                 program_options(t), t.random.pick(counts));
         }},
        {"cuprum_program_destroy", 40, [](Turn& t) { return destroy(program, t.doomed(program)); }},
        {"cuprum_program_log", 100, [](Turn& t) { return cuprum_program_log(t.output<const char*>()); }},
        {"cuprum_stream_create", 100,
         [](Turn& t) {
             const cuprum_stream_options options{t.struct_size(12, 12), static_cast<int32_t>(t.random.below(3)),
                                                 static_cast<int32_t>(t.random.below(5)) - 3};
             return cuprum_stream_create(t.output_handle<cuprum_stream>(stream), device(t),
                                         t.random.one_in(3) ? nullptr : &options);
         }},
        {"cuprum_stream_default", 60,
         [](Turn& t) { return cuprum_stream_default(t.output_handle<cuprum_stream>(stream), device(t)); }},
        {"cuprum_stream_destroy", 140, [](Turn& t) { return destroy(stream, t.doomed(stream)); }},
        {"cuprum_stream_device", 100, [](Turn& t) { return cuprum_stream_device(t.output<int32_t>(), a_stream(t)); }},
        {"cuprum_stream_from_native", 60,
         [](Turn& t) {
             // The caller's to keep alive: those that last, and the two default streams.
             const uint64_t native = t.random.one_in(4) ? t.random.below(3) : t.random.pick(t.shared.native_streams);
             return cuprum_stream_from_native(t.output_handle<cuprum_stream>(stream), device(t), native);
         }},
        {"cuprum_stream_is_done", 100, [](Turn& t) { return cuprum_stream_is_done(t.output<int32_t>(), a_stream(t)); }},
        {"cuprum_stream_is_capturing", 100,
         [](Turn& t) { return cuprum_stream_is_capturing(t.output<int32_t>(), a_stream(t)); }},
        {"cuprum_stream_is_nonblocking", 100,
         [](Turn& t) { return cuprum_stream_is_nonblocking(t.output<int32_t>(), a_stream(t)); }},
        {"cuprum_stream_launch_host_function", 60,
         [](Turn& t) {
             const auto nothing = [](void*) {};
             return cuprum_stream_launch_host_function(a_stream(t), t.random.one_in(8) ? nullptr : +nothing, nullptr);
         }},
        {"cuprum_stream_native", 100, [](Turn& t) { return cuprum_stream_native(t.output<uint64_t>(), a_stream(t)); }},
        {"cuprum_stream_priority", 100,
         [](Turn& t) { return cuprum_stream_priority(t.output<int32_t>(), a_stream(t)); }},
        {"cuprum_stream_record", 100, [](Turn& t) { return cuprum_stream_record(a_stream(t), an_event(t)); }},
        {"cuprum_stream_sync", 50, [](Turn& t) { return cuprum_stream_sync(a_stream(t)); }},
        {"cuprum_stream_wait_event", 100, [](Turn& t) { return cuprum_stream_wait_event(a_stream(t), an_event(t)); }},
        {"cuprum_stream_wait_stream", 60, [](Turn& t) { return cuprum_stream_wait_stream(a_stream(t), a_stream(t)); }},
        {"cuprum_stream_wait_value32", 60,
         [](Turn& t) {
             return cuprum_stream_wait_value32(a_stream(t), awaited(t), size(t), static_cast<uint32_t>(-1000),
                                               wait_condition(t), static_cast<int32_t>(t.random.below(2)));
         }},
        {"cuprum_stream_wait_value64", 60,
         [](Turn& t) {
             return cuprum_stream_wait_value64(a_stream(t), awaited(t), size(t), uint64_t{3} << 62, wait_condition(t),
                                               static_cast<int32_t>(t.random.below(2)));
         }},
        {"cuprum_stream_write_value32", 60,
         [](Turn& t) {
             const Use use(t);
             return cuprum_stream_write_value32(use.stream, use.buffer, size(t), 0);
         }},
        {"cuprum_stream_write_value64", 60,
         [](Turn& t) {
             const Use use(t);
             return cuprum_stream_write_value64(use.stream, use.buffer, size(t), 0);
         }},
    };
}

}  // namespace hammer
