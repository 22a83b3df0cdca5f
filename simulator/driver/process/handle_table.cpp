#include "driver/process/handle_table.hpp"

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

const char* handle_kind_name(HandleKind kind) {
    switch (kind) {
        case HandleKind::context:
            return "context";
        case HandleKind::stream:
            return "stream";
        case HandleKind::event:
            return "event";
        case HandleKind::module:
            return "module";
        case HandleKind::function:
            return "function";
        case HandleKind::library:
            return "library";
        case HandleKind::kernel:
            return "kernel";
        case HandleKind::memory_pool:
            return "memory pool";
        case HandleKind::link:
            return "link state";
        case HandleKind::graph:
            return "graph";
        case HandleKind::graph_node:
            return "graph node";
        case HandleKind::graph_execution:
            return "executable graph";
        case HandleKind::user_object:
            return "user object";
        case HandleKind::physical_memory:
            return "physical memory";
        case HandleKind::array:
            return "array";
        case HandleKind::mipmapped_array:
            return "mipmapped array";
        case HandleKind::texture:
            return "texture object";
        case HandleKind::surface:
            return "surface object";
        case HandleKind::green_context:
            return "green context";
        case HandleKind::green_context_as_context:
            return "green context as a context";
        case HandleKind::resource_description:
            return "resource descriptor";
        case HandleKind::notification:
            return "notification";
        case HandleKind::external_memory:
            return "external memory";
        case HandleKind::external_semaphore:
            return "external semaphore";
        case HandleKind::multicast_object:
            return "multicast object";
    }
    return "object";
}

uint64_t HandleBits::encode(HandleKind kind, uint32_t slot, uint16_t generation) {
    return marker | static_cast<uint64_t>(kind) << 40 | static_cast<uint64_t>(generation) << 24 |
           static_cast<uint64_t>(slot) << 4;
}

bool HandleBits::decode(uint64_t value, HandleKind* kind, uint32_t* slot, uint16_t* generation) {
    if ((value >> 46) != 1 || (value & 15) != 0) return false;
    const auto found = static_cast<uint8_t>(value >> 40 & 0x3F);
    if (found < static_cast<uint8_t>(HandleKind::context) || found > static_cast<uint8_t>(HandleKind::last)) {
        return false;
    }
    *kind = static_cast<HandleKind>(found);
    *generation = static_cast<uint16_t>(value >> 24);
    *slot = static_cast<uint32_t>(value >> 4 & last_slot);
    return *generation != 0;
}

void refuse_further_handles(HandleKind kind) {
    throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("%u objects of kind %s are alive, as many as there can be",
                                                       HandleBits::last_slot + 1, handle_kind_name(kind)));
}

std::string describe_bad_handle(HandleKind expected, uint64_t value) {
    const char* wanted = handle_kind_name(expected);
    if (value == 0) return format("the %s handle is null", wanted);
    HandleKind kind{};
    uint32_t slot = 0;
    uint16_t generation = 0;
    if (!HandleBits::decode(value, &kind, &slot, &generation)) {
        return format("%s is not a %s that this driver gave out", hexadecimal(value).c_str(), wanted);
    }
    if (kind != expected) {
        return format("%s is a handle of kind %s; one of kind %s is expected", hexadecimal(value).c_str(),
                      handle_kind_name(kind), wanted);
    }
    return format("the %s %s was destroyed", wanted, hexadecimal(value).c_str());
}

}  // namespace cuprum::simulator::libcuda
