#include "cuprum/core/user_memory_resource.hpp"

#include <cxxabi.h>

#include <string>
#include <utility>

#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* making_user_resource = "making a memory resource";
constexpr const char* users_resource = "memory resource of the program's";

// Host memory belongs to the device of the stream, as that of other resources does.
int32_t device_for(const MemoryResourceState& state, const StreamRef& stream) {
    if (state.device_id >= 0) return state.device_id;
    return stream.is_valid() ? stream.device_id() : device_with_context();
}

}  // namespace

UserMemoryResource::UserMemoryResource(std::shared_ptr<MemoryAllocator> allocator, MemoryKind kind, int32_t device_id)
    : MemoryResource([&] {
          if (allocator == nullptr) {
              throw InvalidArgument(making_user_resource, "allocator", "it is null",
                                    "give one that allocates and frees memory");
          }
          if (kind == MemoryKind::unknown) {
              throw InvalidArgument(making_user_resource, "kind of memory", "it is unknown",
                                    "say whether it is a device's, page-locked, managed or host memory");
          }
          if (device_id < -1 || (device_id == -1 && kind == MemoryKind::device)) {
              throw InvalidArgument(making_user_resource, describe_device(device_id),
                                    "a device's memory needs the device's number", "give it, 0 for the first device");
          }
          if (device_id >= 0) device_state(device_id);
          auto state = std::make_shared<MemoryResourceState>();
          state->kind = kind;
          state->device_id = device_id;
          state->allocator = std::move(allocator);
          return state;
      }()) {}

UserMemoryResource UserMemoryResource::of(const MemoryResource& resource) {
    constexpr const char* operation = "using a memory resource of the program's";
    UserMemoryResource found(resource);
    if (found.opened(operation).allocator == nullptr) {
        throw InvalidArgument(operation, "memory resource", "this memory resource is of another kind",
                              "use one that was made with an allocator");
    }
    return found;
}

std::shared_ptr<MemoryAllocator> UserMemoryResource::allocator() const {
    return opened("asking for a memory resource's allocator").allocator;
}

Buffer MemoryResource::allocate_by_program(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const {
    constexpr const char* operation = "allocating from a memory resource";
    require_stream_of_memory(*state_, stream, operation);
    const int32_t device_id = device_for(*state_, stream);
    Buffer buffer(0, size, device_id, state_->kind, FreedBy::allocator);
    buffer.resource_ = state_;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    if (size == 0) return buffer;
    const ContextScope scope(device_id);
    const DevicePointer address = state_->allocator->allocate(size, stream);
    if (address == 0) {
        throw InvalidState(operation, users_resource,
                           "it has returned a null address for " + std::to_string(size) + " bytes",
                           "let it throw an exception where there is no memory");
    }
    if (size > UINT64_MAX - address) {
        state_->allocator->deallocate(address, size, stream);
        throw InvalidState(operation, users_resource,
                           std::to_string(size) + " bytes from " + hexadecimal(address) +
                               " on, which it has returned, reach beyond the end of the address space");
    }
    buffer.address_ = address;
    return buffer;
}

void free_by_program(const MemoryResourceState& state, const BufferRef& memory, const StreamRef& stream) noexcept {
    if (!stream.is_valid()) wait_for_devices_that_use(memory, no_device);
    clean_up(memory.device_id(), [&] {
        try {
            state.allocator->deallocate(memory.handle(), memory.size(), stream);
        } catch (const abi::__forced_unwind&) {
            throw;  // the thread is being ended
        } catch (...) {
            report_thrown("freeing memory of a memory resource", users_resource);
        }
    });
}

Buffer MemoryResource::take_over(DevicePointer address, uint64_t size, StreamRef stream,
                                 std::shared_ptr<void> stream_owner) const {
    constexpr const char* operation = "taking memory over into a buffer";
    const MemoryResourceState& state = opened(operation);
    if (address == 0 && size > 0) {
        throw InvalidArgument(
            operation, "",
            "the address is null, and the size is " + std::to_string(size) + (size == 1 ? " byte" : " bytes"));
    }
    if (size > UINT64_MAX - address) {
        throw InvalidArgument(
            operation, hexadecimal(address),
            std::to_string(size) + " bytes from that address reach beyond the end of the address space");
    }
    if (state.frees_in_order() && !stream.is_valid()) {
        throw InvalidArgument(operation, describe_pool(state), "a pool frees memory in a stream",
                              "name one; the device's default stream will do");
    }
    require_stream_of_memory(state, stream, operation);
    const int32_t device_id = device_for(state, stream);
    if (state.frees_in_order() && address != 0) {
        const ContextScope scope(device_id);
        require_memory_of(state, address, operation);
    }
    const FreedBy freed_by = state.frees_in_order()            ? FreedBy::cu_mem_free_async
                             : state.allocator != nullptr      ? FreedBy::allocator
                             : state.virtual_memory != nullptr ? FreedBy::resource
                                                               : FreedBy::cu_mem_free_host;
    Buffer buffer(address, size, device_id, state.kind, freed_by);
    buffer.resource_ = state_;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    return buffer;
}

}  // namespace cuprum::core
