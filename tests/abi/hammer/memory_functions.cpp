// Memory resources, and what buffers say of their memory.
#include "choices.hpp"

namespace hammer {

namespace {

cuprum_memory_resource a_resource(Turn& t) {
    return as_handle<cuprum_memory_resource>(t.handle(memory_resource));
}

}  // namespace

std::vector<Function> memory_functions() {
    return {
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
        {"cuprum_memory_resource_allocate", 60,
         [](Turn& t) {
             return cuprum_memory_resource_allocate(t.output_handle<cuprum_buffer>(buffer), a_resource(t), size(t),
                                                    memory_stream(t));
         }},
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
