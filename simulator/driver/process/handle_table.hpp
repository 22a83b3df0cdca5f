// Handles that look like pointers but are never dereferenced.
//
// A handle carries the kind of object, a slot and the slot's generation, so a handle that was destroyed, made up, or
// given where another kind belongs is recognised, and a slot can be used again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <type_traits>
#include <vector>

namespace cuprum::simulator::libcuda {

enum class HandleKind : uint8_t {
    context = 1,
    stream,
    event,
    module,
    function,
    library,
    kernel,
    memory_pool,
    link,
    graph,
    graph_node,
    graph_execution,
    user_object,
    physical_memory,
    array,
    mipmapped_array,
    texture,
    surface,
    green_context,
    green_context_as_context,
    resource_description,
    notification,
    external_memory,
    external_semaphore,
    multicast_object,
    last = multicast_object,
};

const char* handle_kind_name(HandleKind kind);

// Bits 4-23 slot, 24-39 generation (never 0), 40-45 kind, 46 always set: an address-like value, 16-byte aligned.
struct HandleBits {
    static constexpr uint64_t marker = 1ull << 46;
    static constexpr uint32_t last_slot = 0xFFFFF;
    static uint64_t encode(HandleKind kind, uint32_t slot, uint16_t generation);
    // Whether `value` has the form of a handle; fills the parts that are asked for.
    static bool decode(uint64_t value, HandleKind* kind, uint32_t* slot, uint16_t* generation);
};

// Says what a value is that was given as a handle of kind `expected`: "is null", "is a handle of kind stream",
// "was destroyed", "is no handle of this driver".
std::string describe_bad_handle(HandleKind expected, uint64_t value);

// Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY): as many objects of this kind are alive as handles can tell apart.
[[noreturn]] void refuse_further_handles(HandleKind kind);

// The live objects of one kind, 1,048,576 at most. Thread-safe.
template <typename Object, typename Handle, HandleKind kind>
class HandleTable {
public:
    Handle insert(std::shared_ptr<Object> object) {
        const std::unique_lock lock(mutex_);
        uint32_t slot = 0;
        // Oldest free slot first, and only when there are many, so that a stale handle is recognised for long.
        if (free_.size() > 64) {
            slot = free_.front();
            free_.pop_front();
        } else {
            slot = static_cast<uint32_t>(slots_.size());
            if (slot > HandleBits::last_slot) refuse_further_handles(kind);
            slots_.emplace_back();
        }
        slots_[slot].object = std::move(object);
        return to_handle(HandleBits::encode(kind, slot, slots_[slot].generation));
    }

    // Null if there is no such object.
    std::shared_ptr<Object> find(Handle handle) const {
        const std::shared_lock lock(mutex_);
        const Slot* slot = slot_of(handle);
        return slot ? slot->object : nullptr;
    }

    // Takes the object out; null if there is no such object.
    std::shared_ptr<Object> remove(Handle handle) {
        const std::unique_lock lock(mutex_);
        Slot* slot = const_cast<Slot*>(slot_of(handle));
        if (slot == nullptr) return nullptr;
        std::shared_ptr<Object> object = std::move(slot->object);
        slot->object = nullptr;
        slot->generation = static_cast<uint16_t>(slot->generation == 0xFFFF ? 1 : slot->generation + 1);
        free_.push_back(static_cast<uint32_t>(slot - slots_.data()));
        return object;
    }

    // The handle of a live object; null if it has none.
    Handle handle_of(const std::shared_ptr<Object>& object) const {
        const std::shared_lock lock(mutex_);
        for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
            if (slots_[slot].object == object) {
                return to_handle(HandleBits::encode(kind, slot, slots_[slot].generation));
            }
        }
        return Handle{};
    }

    std::vector<std::shared_ptr<Object>> all() const {
        const std::shared_lock lock(mutex_);
        std::vector<std::shared_ptr<Object>> objects;
        for (const Slot& slot : slots_) {
            if (slot.object) objects.push_back(slot.object);
        }
        return objects;
    }

private:
    // Handles are pointers, but for those of physical memory, which are numbers.
    static Handle to_handle(uint64_t bits) {
        if constexpr (std::is_pointer_v<Handle>) {
            return reinterpret_cast<Handle>(bits);
        } else {
            return bits;
        }
    }
    static uint64_t to_bits(Handle handle) {
        if constexpr (std::is_pointer_v<Handle>) {
            return reinterpret_cast<uint64_t>(handle);
        } else {
            return handle;
        }
    }

    struct Slot {
        std::shared_ptr<Object> object;
        uint16_t generation = 1;
    };

    const Slot* slot_of(Handle handle) const {
        HandleKind found{};
        uint32_t slot = 0;
        uint16_t generation = 0;
        if (!HandleBits::decode(to_bits(handle), &found, &slot, &generation)) return nullptr;
        if (found != kind || slot >= slots_.size()) return nullptr;
        if (slots_[slot].generation != generation || !slots_[slot].object) return nullptr;
        return &slots_[slot];
    }

    mutable std::shared_mutex mutex_;
    std::vector<Slot> slots_;
    std::deque<uint32_t> free_;
};

}  // namespace cuprum::simulator::libcuda
