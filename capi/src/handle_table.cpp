#include "handle_table.hpp"

#include <pthread.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::capi {

namespace {

// A handle: [63:56] magic, [55:50] type, [49:22] generation, [21:0] slot. The magic makes it a non-canonical address:
// who follows a handle by mistake faults at once, and no real pointer is mistaken for a handle.
constexpr uint64_t handle_magic = 0x5C;
constexpr uint32_t slot_bits = 22;
constexpr uint32_t generation_bits = 28;
constexpr uint64_t slot_mask = (uint64_t{1} << slot_bits) - 1;
constexpr uint64_t generation_mask = (uint64_t{1} << generation_bits) - 1;
constexpr uint32_t type_bits = 6;
constexpr uint64_t type_mask = (uint64_t{1} << type_bits) - 1;
constexpr uint32_t type_shift = slot_bits + generation_bits;
static_assert(static_cast<uint64_t>(last_handle_type) <= type_mask);

// A slot's state: [63:36] generation, [35:30] type, [29:28] phase, [27:0] users, of which the table is one while the
// handle is alive.
enum class Phase : uint64_t { free = 0, alive = 1, destroyed = 2, forked = 3 };
constexpr uint32_t user_bits = 28;
constexpr uint64_t user_mask = (uint64_t{1} << user_bits) - 1;

constexpr uint64_t make_state(uint64_t generation, uint64_t type, Phase phase, uint64_t users) {
    return generation << 36 | type << 30 | static_cast<uint64_t>(phase) << user_bits | users;
}
constexpr uint64_t generation_of(uint64_t state) {
    return state >> 36;
}
constexpr uint64_t type_bits_of(uint64_t state) {
    return state >> 30 & type_mask;
}
constexpr Phase phase_of(uint64_t state) {
    return static_cast<Phase>(state >> user_bits & 3);
}
constexpr uint64_t with_phase(uint64_t state, Phase phase) {
    return make_state(generation_of(state), type_bits_of(state), phase, state & user_mask);
}

struct HandleParts {
    uint32_t slot;
    uint64_t generation;
    uint64_t type;
    bool has_magic;
};

constexpr HandleParts split(HandleValue value) {
    return {static_cast<uint32_t>(value & slot_mask), value >> slot_bits & generation_mask,
            value >> type_shift & type_mask, value >> 56 == handle_magic};
}

constexpr HandleValue join(uint32_t slot, uint64_t generation, HandleType type) {
    return handle_magic << 56 | static_cast<uint64_t>(type) << type_shift | generation << slot_bits | slot;
}

}  // namespace

std::string_view to_string(HandleType type) noexcept {
    switch (type) {
        case HandleType::stream:
            return "a stream";
        case HandleType::event:
            return "an event";
        case HandleType::buffer:
            return "a buffer";
        case HandleType::program:
            return "a program";
        case HandleType::object_code:
            return "an object code";
        case HandleType::kernel:
            return "a kernel";
        case HandleType::toolkit:
            return "a toolkit";
        case HandleType::parallel_operator:
            return "a parallel operator";
        case HandleType::parallel_iterator:
            return "a parallel iterator";
        case HandleType::parallel_algorithm:
            return "a parallel algorithm";
        case HandleType::linker:
            return "a linker";
        case HandleType::memory_resource:
            return "a memory resource";
        case HandleType::context:
            return "a context";
        case HandleType::compile_batch:
            return "a compile batch";
        case HandleType::graph_builder:
            return "a graph builder";
        case HandleType::graph_definition:
            return "a graph definition";
        case HandleType::graph:
            return "a graph";
        case HandleType::opaque_array:
            return "an array";
        case HandleType::mipmapped_array:
            return "a mipmapped array";
        case HandleType::texture_object:
            return "a texture object";
        case HandleType::surface_object:
            return "a surface object";
        case HandleType::system_events:
            return "events of a GPU";
        case HandleType::communicator:
            return "a communicator";
        case HandleType::distributed_algorithm:
            return "an algorithm over devices";
        case HandleType::reduced_shards:
            return "reduced shards";
    }
    return "a handle of an unknown type";
}

HandleTable::~HandleTable() {
    for (std::atomic<HandleSlot*>& chunk : chunks_) {
        delete[] chunk.load(std::memory_order_relaxed);
    }
}

HandleSlot* HandleTable::find(uint32_t index) const noexcept {
    HandleSlot* chunk = chunks_[index >> chunk_bits].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + (index & (slots_per_chunk - 1));
}

HandleSlot& HandleTable::slot_at(uint32_t index) const noexcept {
    return *find(index);
}

HandleSlot& HandleTable::take_free_slot() {
    if (first_free_ != 0) {
        HandleSlot& slot = slot_at(first_free_ - 1);
        first_free_ = slot.next_free;
        return slot;
    }
    if (slots_in_use_ == slots_per_chunk * chunk_count) {
        ErrorInfo info;
        info.status = Status::out_of_memory;
        info.operation = "making a handle";
        info.detail = "all " + std::to_string(slots_in_use_) + " handles are in use";
        info.advice = "destroy handles that are no longer needed";
        throw OutOfMemory(std::move(info));
    }
    std::atomic<HandleSlot*>& chunk = chunks_[slots_in_use_ >> chunk_bits];
    if (chunk.load(std::memory_order_relaxed) == nullptr) {
        chunk.store(new HandleSlot[slots_per_chunk], std::memory_order_release);
    }
    HandleSlot& slot = slot_at(slots_in_use_);
    slot.index = slots_in_use_;
    ++slots_in_use_;
    return slot;
}

HandleValue HandleTable::insert(HandleType type, void* object, Destroy destroy_object, uint64_t number) {
    const std::lock_guard lock(mutex_);
    HandleSlot& slot = take_free_slot();
    slot.object = object;
    slot.destroy = destroy_object;
    // Who sees this number also sees, if it looks again, that the former handle of the slot is no longer alive.
    slot.number.store(number, std::memory_order_release);
    const uint64_t generation = generation_of(slot.state.load(std::memory_order_relaxed));
    slot.state.store(make_state(generation, static_cast<uint64_t>(type), Phase::alive, 1), std::memory_order_release);
    live_.fetch_add(1, std::memory_order_relaxed);
    return join(slot.index, generation, type);
}

HandleSlot* HandleTable::acquire(HandleValue value, HandleType type) noexcept {
    const HandleParts parts = split(value);
    if (!parts.has_magic || parts.type != static_cast<uint64_t>(type)) {
        return nullptr;
    }
    HandleSlot* slot = find(parts.slot);
    if (slot == nullptr) {
        return nullptr;
    }
    const uint64_t expected = make_state(parts.generation, parts.type, Phase::alive, 0);
    uint64_t state = slot->state.load(std::memory_order_relaxed);
    do {
        if ((state & ~user_mask) != expected) {
            return nullptr;
        }
    } while (
        !slot->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire, std::memory_order_relaxed));
    return slot;
}

std::optional<uint64_t> HandleTable::number_of(HandleValue value, HandleType type) const noexcept {
    const HandleParts parts = split(value);
    const HandleSlot* slot = find(parts.slot);
    if (!parts.has_magic || parts.type != static_cast<uint64_t>(type) || slot == nullptr) {
        return std::nullopt;
    }
    const uint64_t expected = make_state(parts.generation, parts.type, Phase::alive, 0);
    if ((slot->state.load(std::memory_order_acquire) & ~user_mask) != expected) {
        return std::nullopt;
    }
    const uint64_t number = slot->number.load(std::memory_order_acquire);
    if ((slot->state.load(std::memory_order_relaxed) & ~user_mask) != expected) {
        return std::nullopt;
    }
    return number;
}

void HandleTable::release(HandleSlot* slot) noexcept {
    const uint64_t before = slot->state.fetch_sub(1, std::memory_order_acq_rel);
    // While the handle is alive the table itself is a user, so the last one out is here only after destroy().
    if ((before & user_mask) == 1 && phase_of(before) == Phase::destroyed) {
        if (!abandon_.load(std::memory_order_relaxed)) {
            slot->destroy(slot->object);
        }
        recycle(*slot);
    }
}

bool HandleTable::destroy(HandleValue value, HandleType type) noexcept {
    HandleSlot* slot = acquire(value, type);
    if (slot == nullptr) {
        // After a fork the parent's handles end without a sound: garbage collectors of the child know no better.
        return diagnose(value, type) == HandleProblem::forked;
    }
    bool ended = false;
    uint64_t state = slot->state.load(std::memory_order_relaxed);
    // Pinned, so the generation cannot change under us; another thread may have ended the handle since.
    while (phase_of(state) == Phase::alive && !ended) {
        ended = slot->state.compare_exchange_weak(state, with_phase(state, Phase::destroyed) - 1,
                                                  std::memory_order_acq_rel, std::memory_order_relaxed);
    }
    if (ended) {
        live_.fetch_sub(1, std::memory_order_relaxed);
    }
    release(slot);
    return ended;
}

void HandleTable::recycle(HandleSlot& slot) noexcept {
    const std::lock_guard lock(mutex_);
    const uint64_t state = slot.state.load(std::memory_order_relaxed);
    const uint64_t generation = generation_of(state) + 1;
    slot.object = nullptr;
    slot.destroy = nullptr;
    if (generation > generation_mask) {
        return;  // Worn out: one more turn would make its first handles valid again. It stays `destroyed` for good.
    }
    // The type stays, for diagnose().
    slot.state.store(make_state(generation, type_bits_of(state), Phase::free, 0), std::memory_order_release);
    slot.next_free = first_free_;
    first_free_ = slot.index + 1;
}

HandleProblem HandleTable::diagnose(HandleValue value, HandleType type) const noexcept {
    if (value == 0) {
        return HandleProblem::null;
    }
    const HandleParts parts = split(value);
    if (!parts.has_magic || parts.type < 1 || parts.type > static_cast<uint64_t>(last_handle_type)) {
        return HandleProblem::unknown;
    }
    const HandleSlot* slot = find(parts.slot);
    if (slot == nullptr) {
        return HandleProblem::unknown;
    }
    const uint64_t state = slot->state.load(std::memory_order_acquire);
    const uint64_t generation = generation_of(state);
    const bool was_given_out =
        parts.generation < generation ||
        (parts.generation == generation && phase_of(state) != Phase::free && parts.type == type_bits_of(state));
    if (!was_given_out) {
        return HandleProblem::unknown;
    }
    if (parts.type != static_cast<uint64_t>(type)) {
        return HandleProblem::other_type;
    }
    if (parts.generation == generation && phase_of(state) == Phase::forked) {
        return HandleProblem::forked;
    }
    return HandleProblem::destroyed;
}

uint64_t HandleTable::live(HandleType type) noexcept {
    const std::lock_guard lock(mutex_);
    uint64_t count = 0;
    for (uint32_t index = 0; index < slots_in_use_; ++index) {
        const uint64_t state = slot_at(index).state.load(std::memory_order_relaxed);
        if (phase_of(state) == Phase::alive && type_bits_of(state) == static_cast<uint64_t>(type)) ++count;
    }
    return count;
}

HandleType HandleTable::type_of(HandleValue value) noexcept {
    return static_cast<HandleType>(split(value).type);
}

void HandleTable::after_fork_in_child() noexcept {
    for (uint32_t index = 0; index < slots_in_use_; ++index) {
        HandleSlot& slot = slot_at(index);
        const uint64_t state = slot.state.load(std::memory_order_relaxed);
        // The users of the other threads are gone and will never release: such slots stay as they are for good.
        if (phase_of(state) == Phase::alive || phase_of(state) == Phase::destroyed) {
            slot.state.store(with_phase(state, Phase::forked), std::memory_order_relaxed);
        }
    }
    live_.store(0, std::memory_order_relaxed);
    mutex_.unlock();
}

namespace {

// A static object whose destructor never runs: other threads and other static objects use handles until the very end.
union ProcessHandles {
    constexpr ProcessHandles() : table() {}
    ~ProcessHandles() {}
    HandleTable table;
};
constinit ProcessHandles process;

// Registered when the library is loaded. That it may fail for want of memory is no reason not to load.
[[maybe_unused]] const int fork_handlers =
    pthread_atfork([] { process.table.before_fork(); }, [] { process.table.after_fork_in_parent(); },
                   [] { process.table.after_fork_in_child(); });

std::atomic<bool> exit_handler_registered{false};

}  // namespace

HandleTable& process_handles() noexcept {
    return process.table;
}

void abandon_objects_at_exit() noexcept {
    // Exit handlers run last come, first served: registered after the driver's own, this one runs before them.
    if (!exit_handler_registered.load(std::memory_order_relaxed) && !exit_handler_registered.exchange(true)) {
        std::atexit([] { process.table.abandon_objects(); });
    }
}

}  // namespace cuprum::capi
