#include "cuprum/core/user_memory_resource.hpp"

#include <memory>
#include <string>
#include <utility>

#include "call.hpp"
#include "cuprum/capi/memory_resource.h"
#include "program_function.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// A stream's handle for the time of a call of the program's. Null where there is no stream.
class LentStream {
public:
    explicit LentStream(const core::StreamRef& stream) {
        if (stream.is_valid()) handle_ = call_.give<cuprum_stream>(StreamObject(stream));
    }
    ~LentStream() { process_handles().destroy(value_of(handle_), HandleType::stream); }
    LentStream(const LentStream&) = delete;
    LentStream& operator=(const LentStream&) = delete;

    cuprum_stream handle() const noexcept { return handle_; }

private:
    Call call_{"cuprum_stream_from_native"};
    cuprum_stream handle_ = nullptr;
};

class CallbackAllocator final : public core::MemoryAllocator {
public:
    CallbackAllocator(cuprum_memory_allocate allocating, cuprum_memory_deallocate deallocating,
                      cuprum_memory_release releasing, void* data)
        : allocate_(allocating), deallocate_(deallocating), release_(releasing), user_data_(data) {}
    ~CallbackAllocator() override {
        if (owns_data_ && release_ != nullptr) release_(user_data_);
    }
    CallbackAllocator(const CallbackAllocator&) = delete;
    CallbackAllocator& operator=(const CallbackAllocator&) = delete;

    core::DevicePointer allocate(uint64_t size, core::StreamRef stream) override {
        const LentStream lent(stream);
        forget_last_error();
        uint64_t address = 0;
        check_program_function(allocate_(user_data_, size, lent.handle(), &address),
                               "allocating from a memory resource", "memory resource of the program's");
        return address;
    }
    void deallocate(core::DevicePointer address, uint64_t size, core::StreamRef stream) override {
        const LentStream lent(stream);
        deallocate_(user_data_, address, size, lent.handle());
    }

    void own_data() noexcept { owns_data_ = true; }
    void* user_data() const noexcept { return user_data_; }

private:
    cuprum_memory_allocate allocate_;
    cuprum_memory_deallocate deallocate_;
    cuprum_memory_release release_;
    void* user_data_;
    bool owns_data_ = false;
};

core::MemoryKind memory_kind(const Call& call, int32_t number) {
    switch (number) {
        case CUPRUM_MEMORY_DEVICE:
            return core::MemoryKind::device;
        case CUPRUM_MEMORY_PINNED:
            return core::MemoryKind::pinned;
        case CUPRUM_MEMORY_MANAGED:
            return core::MemoryKind::managed;
        case CUPRUM_MEMORY_HOST:
            return core::MemoryKind::host;
        default:
            call.refuse("kind", "expected a device's (1), page-locked (2), managed (3) or host memory (4); given " +
                                    std::to_string(number));
    }
}

}  // namespace

cuprum_status cuprum_memory_resource_create_user(cuprum_memory_resource* resource_out, int32_t kind, int32_t device,
                                                 cuprum_memory_allocate allocate, cuprum_memory_deallocate deallocate,
                                                 cuprum_memory_release release, void* user_data) {
    return run("cuprum_memory_resource_create_user", [&](const Call& call) {
        call.require(resource_out, "resource_out");
        call.require(reinterpret_cast<const void*>(allocate), "allocate");
        call.require(reinterpret_cast<const void*>(deallocate), "deallocate");
        const core::MemoryKind memory = memory_kind(call, kind);
        const auto allocator = std::make_shared<CallbackAllocator>(allocate, deallocate, release, user_data);
        *resource_out = call.give<cuprum_memory_resource>(
            MemoryResourceObject{core::UserMemoryResource(allocator, memory, device)});
        allocator->own_data();
    });
}

cuprum_status cuprum_memory_resource_user_data(uint64_t* user_data_out, cuprum_memory_resource resource) {
    return run("cuprum_memory_resource_user_data", [&](const Call& call) {
        call.require(user_data_out, "user_data_out");
        const auto asked = call.use(resource, "resource");
        *user_data_out = 0;
        if (!asked->resource.has_allocator()) return;
        const auto allocator = core::UserMemoryResource::of(asked->resource).allocator();
        if (const auto* const mine = dynamic_cast<const CallbackAllocator*>(allocator.get())) {
            *user_data_out = reinterpret_cast<uintptr_t>(mine->user_data());
        }
    });
}
