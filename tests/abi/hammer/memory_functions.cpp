// Memory resources, and what buffers say of their memory.
#include <unistd.h>

#include <cstdlib>

#include "choices.hpp"

namespace hammer {

namespace {

cuprum_memory_resource a_resource(Turn& t) {
    return as_handle<cuprum_memory_resource>(t.handle(memory_resource));
}

// Memory that stays until buffers of it are destroyed, whoever does that.
constexpr uint64_t page = 4096;

void* lasting_page(Turn& t) {
    static auto* const pages = new std::array<std::array<std::byte, page>, 16>();
    return (*pages)[t.random.below(16)].data();
}

int32_t location(Turn& t) {
    constexpr std::array<int32_t, 5> kinds{0, 1, 2, 3, 4};
    return choice(t, kinds);
}

cuprum_virtual_memory_options virtual_memory_options(Turn& t) {
    cuprum_virtual_memory_options options = CUPRUM_VIRTUAL_MEMORY_OPTIONS_INIT;
    options.struct_size = t.struct_size(56, 56);
    options.address_alignment = t.random.one_in(4) ? 3 : 0;
    options.self_access = t.random.one_in(4) ? 3 : CUPRUM_ACCESS_READ_WRITE;
    options.location_kind = location(t);
    return options;
}

cuprum_status create_virtual(Turn& t) {
    const cuprum_virtual_memory_options options = virtual_memory_options(t);
    cuprum_memory_resource resource = nullptr;
    const cuprum_status status =
        cuprum_memory_resource_create_virtual(t.random.one_in(40) ? nullptr : &resource, device(t), &options);
    return status == CUPRUM_SUCCESS ? cuprum_memory_resource_destroy(resource) : status;
}

cuprum_status granularity(Turn& t) {
    cuprum_memory_resource resource = nullptr;
    if (t.random.one_in(2)) return cuprum_memory_resource_granularity(t.output<uint64_t>(), a_resource(t));
    if (const cuprum_status status = cuprum_memory_resource_create_virtual(&resource, 0, nullptr)) return status;
    uint64_t bytes = 0;
    const cuprum_status status = cuprum_memory_resource_granularity(&bytes, resource);
    cuprum_memory_resource_destroy(resource);
    return status;
}

// A resource of the program's: host memory, or none.
cuprum_status allocate_host_memory(void* /*user_data*/, uint64_t size, cuprum_stream /*stream*/,
                                   uint64_t* address_out) {
    if (size > page) return CUPRUM_ERROR_OUT_OF_MEMORY;
    *address_out = reinterpret_cast<uintptr_t>(std::malloc(size));
    return CUPRUM_SUCCESS;
}
void free_host_memory(void* /*user_data*/, uint64_t address, uint64_t /*size*/, cuprum_stream /*stream*/) {
    std::free(reinterpret_cast<void*>(static_cast<uintptr_t>(address)));
}
void count_release(void* user_data) {
    ++*static_cast<int*>(user_data);
}

// No other thread gets one: kernels would use its memory, which no device can.
cuprum_status create_user(Turn& t, cuprum_memory_resource* resource_out, int& releases) {
    constexpr std::array<int32_t, 3> kinds{0, CUPRUM_MEMORY_HOST, 5};
    const int32_t kind = t.random.one_in(8) ? t.random.pick(kinds) : CUPRUM_MEMORY_HOST;
    return cuprum_memory_resource_create_user(
        resource_out, kind, t.random.one_in(8) ? device(t) : -1, t.random.one_in(8) ? nullptr : allocate_host_memory,
        t.random.one_in(8) ? nullptr : free_host_memory, t.random.one_in(2) ? nullptr : count_release, &releases);
}

// Whatever becomes of the allocation, `release` is called once or, where there is none, never.
cuprum_status allocate_by_program(Turn& t) {
    cuprum_memory_resource resource = nullptr;
    int releases = 0;
    if (const cuprum_status status = create_user(t, t.random.one_in(40) ? nullptr : &resource, releases)) return status;
    cuprum_buffer made = nullptr;
    cuprum_memory_resource_allocate(&made, resource, size(t), memory_stream(t));
    cuprum_status status = cuprum_memory_resource_destroy(resource);
    const bool is_early = made != nullptr && releases != 0;
    if (made != nullptr) status = cuprum_buffer_destroy(made);
    return is_early || releases > 1 ? CUPRUM_ERROR_INTERNAL : status;
}

cuprum_status take_over(Turn& t) {
    cuprum_memory_resource resource = nullptr;
    int releases = 0;
    if (t.random.one_in(4)) {
        return cuprum_buffer_from_resource(t.output_handle<cuprum_buffer>(buffer), a_resource(t), 0, 16,
                                           memory_stream(t));
    }
    if (const cuprum_status status = create_user(t, &resource, releases)) return status;
    cuprum_buffer made = nullptr;
    void* const memory = std::malloc(16);
    const cuprum_status status =
        cuprum_buffer_from_resource(&made, resource, reinterpret_cast<uintptr_t>(memory), 16, memory_stream(t));
    if (status != CUPRUM_SUCCESS) std::free(memory);
    cuprum_buffer_destroy(made);
    return cuprum_memory_resource_destroy(resource);
}

cuprum_status set_graph_attribute(Turn& t) {
    constexpr std::array<int32_t, 2> settable{CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH, CUPRUM_GRAPH_MEMORY_RESERVED_MEM_HIGH};
    if (t.random.one_in(2)) return cuprum_memory_resource_set_graph_attribute(a_resource(t), choice(t, settable), 0);
    cuprum_memory_resource resource = nullptr;
    if (const cuprum_status status = cuprum_memory_resource_create_graph(&resource, 0)) return status;
    const cuprum_status status = cuprum_memory_resource_set_graph_attribute(resource, t.random.pick(settable), 0);
    cuprum_memory_resource_destroy(resource);
    return status;
}

cuprum_status trim_graph_memory(Turn& t) {
    if (t.random.one_in(2)) return cuprum_memory_resource_trim_graph_memory(a_resource(t));
    cuprum_memory_resource resource = nullptr;
    if (const cuprum_status status = cuprum_memory_resource_create_graph(&resource, 0)) return status;
    const cuprum_status status = cuprum_memory_resource_trim_graph_memory(resource);
    cuprum_memory_resource_destroy(resource);
    return status;
}

// After calls that have succeeded, and so have cleared the error: memory may be short, since other threads hold it.
cuprum_status after_cleaning_up(cuprum_status status) {
    return status == CUPRUM_ERROR_OUT_OF_MEMORY ? CUPRUM_SUCCESS : status;
}

cuprum_status modify_allocation(Turn& t) {
    cuprum_buffer grown = nullptr;
    if (t.random.one_in(2)) {
        const cuprum_status status =
            cuprum_memory_resource_modify_allocation(&grown, a_resource(t), a_buffer(t), size(t));
        return status == CUPRUM_SUCCESS ? cuprum_buffer_destroy(grown) : status;
    }
    cuprum_memory_resource resource = nullptr;
    if (const cuprum_status status = cuprum_memory_resource_create_virtual(&resource, 0, nullptr)) return status;
    cuprum_buffer small = nullptr;
    cuprum_status status = cuprum_memory_resource_allocate(&small, resource, 16, nullptr);
    if (status == CUPRUM_SUCCESS) status = cuprum_memory_resource_modify_allocation(&grown, resource, small, 1 << 20);
    cuprum_buffer_destroy(status == CUPRUM_SUCCESS ? grown : small);
    cuprum_memory_resource_destroy(resource);
    return after_cleaning_up(status);
}

cuprum_status modify_allocation_with_options(Turn& t) {
    const cuprum_virtual_memory_options options = virtual_memory_options(t);
    cuprum_buffer grown = nullptr;
    if (t.random.one_in(2)) {
        const cuprum_status status = cuprum_memory_resource_modify_allocation_with_options(
            &grown, a_resource(t), a_buffer(t), size(t), t.random.one_in(40) ? nullptr : &options);
        return status == CUPRUM_SUCCESS ? cuprum_buffer_destroy(grown) : status;
    }
    cuprum_memory_resource resource = nullptr;
    if (const cuprum_status status = cuprum_memory_resource_create_virtual(&resource, 0, nullptr)) return status;
    cuprum_virtual_memory_options right = CUPRUM_VIRTUAL_MEMORY_OPTIONS_INIT;
    right.self_access = static_cast<int32_t>(t.random.below(3));
    cuprum_buffer small = nullptr;
    cuprum_status status = cuprum_memory_resource_allocate(&small, resource, 16, nullptr);
    if (status == CUPRUM_SUCCESS) {
        status = cuprum_memory_resource_modify_allocation_with_options(&grown, resource, small, 1 << 20, &right);
    }
    cuprum_buffer_destroy(status == CUPRUM_SUCCESS ? grown : small);
    cuprum_memory_resource_destroy(resource);
    return after_cleaning_up(status);
}

}  // namespace

std::vector<Function> memory_functions() {
    return {
        {"cuprum_buffer_accessed_by", 40,
         [](Turn& t) { return cuprum_buffer_accessed_by(t.output<int32_t>(), a_buffer(t), location(t), device(t)); }},
        {"cuprum_buffer_discard", 40, [](Turn& t) { return cuprum_buffer_discard(a_buffer(t), memory_stream(t)); }},
        {"cuprum_buffer_discard_prefetch", 40,
         [](Turn& t) { return cuprum_buffer_discard_prefetch(a_buffer(t), location(t), device(t), memory_stream(t)); }},
        {"cuprum_buffer_preferred_location", 40,
         [](Turn& t) {
             return cuprum_buffer_preferred_location(t.output<int32_t>(), t.output<int32_t>(), a_buffer(t));
         }},
        {"cuprum_buffer_prefetch", 40,
         [](Turn& t) { return cuprum_buffer_prefetch(a_buffer(t), location(t), device(t), memory_stream(t)); }},
        {"cuprum_buffer_read_mostly", 40,
         [](Turn& t) { return cuprum_buffer_read_mostly(t.output<int32_t>(), a_buffer(t)); }},
        {"cuprum_buffer_register_host_memory", 20,
         [](Turn& t) {
             return cuprum_buffer_register_host_memory(t.output_handle<cuprum_buffer>(buffer),
                                                       t.random.one_in(8) ? nullptr : lasting_page(t),
                                                       t.random.one_in(8) ? 0 : page);
         }},
        {"cuprum_buffer_set_accessed_by", 40,
         [](Turn& t) { return cuprum_buffer_set_accessed_by(a_buffer(t), location(t), device(t), 1); }},
        {"cuprum_buffer_set_preferred_location", 40,
         [](Turn& t) { return cuprum_buffer_set_preferred_location(a_buffer(t), location(t), device(t)); }},
        {"cuprum_buffer_set_read_mostly", 40, [](Turn& t) { return cuprum_buffer_set_read_mostly(a_buffer(t), 1); }},
        {"cuprum_buffer_host_address", 100,
         [](Turn& t) { return cuprum_buffer_host_address(t.output<uint64_t>(), a_buffer(t)); }},
        {"cuprum_buffer_is_device_accessible", 100,
         [](Turn& t) { return cuprum_buffer_is_device_accessible(t.output<int32_t>(), a_buffer(t)); }},
        {"cuprum_buffer_is_host_accessible", 100,
         [](Turn& t) { return cuprum_buffer_is_host_accessible(t.output<int32_t>(), a_buffer(t)); }},
        {"cuprum_buffer_is_managed", 100,
         [](Turn& t) { return cuprum_buffer_is_managed(t.output<int32_t>(), a_buffer(t)); }},
        {"cuprum_buffer_memory_resource", 100,
         [](Turn& t) {
             // NULL where the buffer has none, which no other function gives.
             cuprum_memory_resource resource = nullptr;
             const cuprum_status status =
                 cuprum_buffer_memory_resource(t.random.one_in(40) ? nullptr : &resource, a_buffer(t));
             return status == CUPRUM_SUCCESS ? cuprum_memory_resource_destroy(resource) : status;
         }},
        {"cuprum_buffer_set_deallocation_stream", 100,
         [](Turn& t) { return cuprum_buffer_set_deallocation_stream(a_buffer(t), memory_stream(t)); }},
        {"cuprum_buffer_ipc_handle", 100,
         [](Turn& t) { return cuprum_buffer_ipc_handle(t.output<const void*>(), t.output<uint64_t>(), a_buffer(t)); }},
        // Bytes that no process has made, of the right size or not: no pool here is another process's.
        {"cuprum_buffer_from_ipc_handle", 40,
         [](Turn& t) {
             constexpr std::array<uint64_t, 3> sizes{64, 64, 8};
             return cuprum_buffer_from_ipc_handle(t.output_handle<cuprum_buffer>(buffer), a_resource(t), host(t),
                                                  t.random.pick(sizes), size(t), memory_stream(t));
         },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_memory_resource_allocation_handle", 20,
         [](Turn& t) {
             int32_t descriptor = -1;
             const cuprum_status status =
                 cuprum_memory_resource_allocation_handle(t.random.one_in(40) ? nullptr : &descriptor, a_resource(t));
             if (status == CUPRUM_SUCCESS) close(descriptor);
             return status;
         }},
        {"cuprum_memory_resource_create_shareable", 30,
         [](Turn& t) {
             return cuprum_memory_resource_create_shareable(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                            device(t), size(t));
         }},
        {"cuprum_memory_resource_create_shareable_pinned", 10,
         [](Turn& t) {
             return cuprum_memory_resource_create_shareable_pinned(
                 t.output_handle<cuprum_memory_resource>(memory_resource), t.random.one_in(4) ? -2 : -1, size(t));
         }},
        // Descriptors of no pool: what number a pool's own would have, other threads decide.
        {"cuprum_memory_resource_from_allocation_handle", 20,
         [](Turn& t) {
             constexpr std::array<int32_t, 3> descriptors{-1, INT32_MAX, INT32_MIN};
             return cuprum_memory_resource_from_allocation_handle(
                 t.output_handle<cuprum_memory_resource>(memory_resource), device(t), t.random.pick(descriptors));
         },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_memory_resource_pinned_from_allocation_handle", 20,
         [](Turn& t) {
             constexpr std::array<int32_t, 3> descriptors{-1, INT32_MAX, INT32_MIN};
             return cuprum_memory_resource_pinned_from_allocation_handle(
                 t.output_handle<cuprum_memory_resource>(memory_resource), t.random.pick(descriptors));
         },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_memory_resource_is_ipc_enabled", 40,
         [](Turn& t) { return cuprum_memory_resource_is_ipc_enabled(t.output<int32_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_is_mapped", 40,
         [](Turn& t) { return cuprum_memory_resource_is_mapped(t.output<int32_t>(), a_resource(t)); }},
        // Of these no other thread gets one: growing a buffer is not for several at once.
        {"cuprum_memory_resource_create_virtual", 20, create_virtual},
        {"cuprum_memory_resource_create_user", 40, allocate_by_program},
        {"cuprum_buffer_from_resource", 40, take_over},
        {"cuprum_memory_resource_create_graph", 20,
         [](Turn& t) {
             return cuprum_memory_resource_create_graph(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                        device(t));
         }},
        {"cuprum_memory_resource_graph_attribute", 40,
         [](Turn& t) {
             constexpr std::array<int32_t, 4> all{0, 1, 2, 3};
             cuprum_memory_resource resource = nullptr;
             if (t.random.one_in(2)) {
                 return cuprum_memory_resource_graph_attribute(t.output<uint64_t>(), a_resource(t), choice(t, all));
             }
             if (const cuprum_status status = cuprum_memory_resource_create_graph(&resource, 0)) return status;
             uint64_t value = 0;
             const cuprum_status status = cuprum_memory_resource_graph_attribute(&value, resource, t.random.pick(all));
             cuprum_memory_resource_destroy(resource);
             return status;
         }},
        {"cuprum_memory_resource_set_graph_attribute", 40, set_graph_attribute},
        {"cuprum_memory_resource_trim_graph_memory", 20, trim_graph_memory},
        {"cuprum_memory_resource_user_data", 40,
         [](Turn& t) { return cuprum_memory_resource_user_data(t.output<uint64_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_granularity", 20, granularity},
        {"cuprum_memory_resource_modify_allocation", 20, modify_allocation},
        {"cuprum_memory_resource_modify_allocation_with_options", 20, modify_allocation_with_options},
        {"cuprum_memory_resource_allocate", 60,
         [](Turn& t) {
             return cuprum_memory_resource_allocate(t.output_handle<cuprum_buffer>(buffer), a_resource(t), size(t),
                                                    memory_stream(t));
         }},
        {"cuprum_memory_resource_create_device", 20,
         [](Turn& t) {
             return cuprum_memory_resource_create_device(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                         device(t), size(t));
         }},
        {"cuprum_memory_resource_create_managed", 20,
         [](Turn& t) {
             return cuprum_memory_resource_create_managed(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                          location(t), device(t));
         }},
        {"cuprum_memory_resource_create_pinned", 20,
         [](Turn& t) {
             return cuprum_memory_resource_create_pinned(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                         t.random.one_in(2) ? -1 : device(t), size(t));
         }},
        {"cuprum_memory_resource_is_accessible_by", 60,
         [](Turn& t) {
             return cuprum_memory_resource_is_accessible_by(t.output<int32_t>(), a_resource(t), device(t));
         }},
        {"cuprum_memory_resource_is_handle_owned", 60,
         [](Turn& t) { return cuprum_memory_resource_is_handle_owned(t.output<int32_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_location", 60,
         [](Turn& t) {
             return cuprum_memory_resource_location(t.output<int32_t>(), t.output<int32_t>(), a_resource(t));
         }},
        {"cuprum_memory_resource_native", 60,
         [](Turn& t) { return cuprum_memory_resource_native(t.output<uint64_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_of_device", 40,
         [](Turn& t) {
             return cuprum_memory_resource_of_device(t.output_handle<cuprum_memory_resource>(memory_resource),
                                                     device(t));
         }},
        {"cuprum_memory_resource_chosen", 40,
         [](Turn& t) {
             return cuprum_memory_resource_chosen(t.output_handle<cuprum_memory_resource>(memory_resource), device(t));
         }},
        {"cuprum_memory_resource_of_managed_memory", 20,
         [](Turn& t) {
             return cuprum_memory_resource_of_managed_memory(t.output_handle<cuprum_memory_resource>(memory_resource));
         }},
        {"cuprum_memory_resource_of_pinned_memory", 20,
         [](Turn& t) {
             return cuprum_memory_resource_of_pinned_memory(t.output_handle<cuprum_memory_resource>(memory_resource));
         }},
        {"cuprum_memory_resource_pool_attribute", 60,
         [](Turn& t) {
             constexpr std::array<int32_t, 8> all{1, 2, 3, 4, 5, 6, 7, 8};
             return cuprum_memory_resource_pool_attribute(t.output<uint64_t>(), a_resource(t), choice(t, all));
         }},
        // Never taken away: others use the memory meanwhile.
        {"cuprum_memory_resource_set_accessible_by", 20,
         [](Turn& t) { return cuprum_memory_resource_set_accessible_by(a_resource(t), device(t), 1); }},
        {"cuprum_memory_resource_set_pool_attribute", 60,
         [](Turn& t) {
             constexpr std::array<int32_t, 8> all{1, 2, 3, 4, 5, 6, 7, 8};
             return cuprum_memory_resource_set_pool_attribute(a_resource(t), choice(t, all), size(t));
         }},
        {"cuprum_memory_resource_trim_to", 40,
         [](Turn& t) { return cuprum_memory_resource_trim_to(a_resource(t), size(t)); }},
        {"cuprum_memory_resource_use", 20,
         [](Turn& t) { return cuprum_memory_resource_use(device(t), a_resource(t)); }},
        {"cuprum_memory_resource_create_legacy_pinned", 60,
         [](Turn& t) {
             return cuprum_memory_resource_create_legacy_pinned(
                 t.output_handle<cuprum_memory_resource>(memory_resource));
         }},
        {"cuprum_memory_resource_deallocate", 60,
         [](Turn& t) {
             const uint64_t address = t.random.one_in(3) ? 0 : t.random.one_in(2) ? t.own_memory() : t.random.next();
             return cuprum_memory_resource_deallocate(a_resource(t), address, size(t), memory_stream(t));
         }},
        {"cuprum_memory_resource_destroy", 50,
         [](Turn& t) { return destroy(memory_resource, t.doomed(memory_resource)); }},
        {"cuprum_memory_resource_device_id", 100,
         [](Turn& t) { return cuprum_memory_resource_device_id(t.output<int32_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_is_device_accessible", 100,
         [](Turn& t) { return cuprum_memory_resource_is_device_accessible(t.output<int32_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_is_host_accessible", 100,
         [](Turn& t) { return cuprum_memory_resource_is_host_accessible(t.output<int32_t>(), a_resource(t)); }},
        {"cuprum_memory_resource_is_managed", 100,
         [](Turn& t) { return cuprum_memory_resource_is_managed(t.output<int32_t>(), a_resource(t)); }},
    };
}

}  // namespace hammer
