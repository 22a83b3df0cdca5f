#include "graph_arguments.hpp"

#include <string>

namespace cuprum::capi {

namespace {

// An address in a buffer, which is kept: `size` bytes from there must be in it.
void add_owner(const Call& call, core::GraphOwners& owners, cuprum_buffer handle, const char* parameter,
               uint64_t address, uint64_t size) {
    owners.push_back(handle == nullptr ? nullptr : owner_of(call, handle, parameter));
    if (handle == nullptr) return;
    const core::BufferRef buffer = call.use(handle, parameter)->buffer;
    if (address >= buffer.handle() && address - buffer.handle() <= buffer.size() &&
        size <= buffer.size() - (address - buffer.handle())) {
        return;
    }
    call.refuse(parameter,
                std::to_string(size) + " bytes at the address are not in the buffer, which has " +
                    std::to_string(buffer.size()) + " bytes",
                "give an address and a size within the buffer");
}

}  // namespace

NodeLaunch::NodeLaunch(const Call& call, const cuprum_launch_config* given, cuprum_kernel kernel_handle,
                       int32_t device_id, const cuprum_argument* given_arguments, uint32_t argument_count)
    : config(read_config(call, given)),
      kernel(call.use(kernel_handle, "kernel")),
      arguments(call, core::ArgumentCheck{kernel->kernel.name(), device_id, kernel->kernel.arguments_info()},
                (argument_count != 0 ? call.require(given_arguments, "arguments") : void(),
                 std::span(given_arguments, argument_count))),
      owners(owners_among(call, {given_arguments, argument_count})) {}

NodeCopy::NodeCopy(const Call& call, uint64_t destination, uint64_t source, uint64_t size,
                   cuprum_buffer destination_owner, cuprum_buffer source_owner)
    : parameters{destination, source, size} {
    add_owner(call, owners, destination_owner, "destination_owner", destination, size);
    add_owner(call, owners, source_owner, "source_owner", source, size);
}

NodeFill::NodeFill(const Call& call, const core::MemsetNodeParameters& given, cuprum_buffer destination_owner)
    : parameters(given) {
    if (destination_owner == nullptr) return;
    const uint64_t row = given.width * given.element_size;
    const uint64_t rows_before = given.height > 1 ? (given.height - 1) * given.pitch : 0;
    add_owner(call, owners, destination_owner, "destination_owner", given.destination, rows_before + row);
}

NodeWord::NodeWord(const Call& call, cuprum_buffer buffer, uint64_t offset, uint64_t value, uint32_t word_size,
                   int32_t condition, int32_t flush) {
    const core::BufferRef memory = call.use(buffer, "buffer")->buffer;
    if (word_size != 4 && word_size != 8) {
        call.refuse("word_size", "is " + std::to_string(word_size) + "; expected 4 or 8 bytes");
    }
    if (condition < CUPRUM_GRAPH_WRITE_VALUE || condition > CUPRUM_WAIT_BITWISE_NOR) {
        call.refuse("condition", "is " + std::to_string(condition) +
                                     "; expected one of CUPRUM_WAIT_* (0 to 3), or CUPRUM_GRAPH_WRITE_VALUE (-1)");
    }
    if (offset > memory.size() || memory.size() - offset < word_size) {
        call.refuse("offset",
                    "the word of " + std::to_string(word_size) + " bytes at offset " + std::to_string(offset) +
                        " is not inside of the buffer, which has " + std::to_string(memory.size()) + " bytes",
                    "give the offset in bytes");
    }
    parameters.address = memory.handle() + offset;
    parameters.value = value;
    parameters.word_size = word_size;
    if (condition != CUPRUM_GRAPH_WRITE_VALUE) parameters.condition = static_cast<core::WaitCondition>(condition);
    parameters.flush = flush != 0;
    owners.push_back(owner_of(call, buffer, "buffer"));
}

GraphFunction read_function(const Call& call, cuprum_host_function function, cuprum_graph_release release,
                            void* user_data) {
    call.require(reinterpret_cast<const void*>(function), "function");
    return {function, release, user_data};
}

core::GraphConditionalType read_conditional_type(const Call& call, int32_t type) {
    if (type < CUPRUM_GRAPH_CONDITIONAL_IF || type > CUPRUM_GRAPH_CONDITIONAL_SWITCH) {
        call.refuse("type", "is " + std::to_string(type) + "; expected one of CUPRUM_GRAPH_CONDITIONAL_* (0 to 2)");
    }
    return static_cast<core::GraphConditionalType>(type);
}

uint32_t read_body_count(const Call& call, uint32_t count) {
    constexpr uint32_t most = 1 << 16;
    if (count > most) call.refuse("count", "is " + std::to_string(count) + "; expected at most 65536 bodies");
    return count;
}

}  // namespace cuprum::capi
