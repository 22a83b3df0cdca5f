// The handles of the C ABI: numbers that look like pointers and are never followed.
//
// A handle is {magic, type, generation, slot}. The slot says where its object is; the generation says whose turn of
// that slot is meant, so that a handle that outlived its object is recognised, not confused with the slot's next owner.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

namespace cuprum::capi {

enum class HandleType : uint8_t {
    stream = 1,
    event = 2,
    buffer = 3,
    program = 4,
    object_code = 5,
    kernel = 6,
    toolkit = 7,
    parallel_operator = 8,
    parallel_iterator = 9,
    parallel_algorithm = 10,
    linker = 11,
    memory_resource = 12,
    context = 13,
    compile_batch = 14,
    graph_builder = 15,
    graph_definition = 16,
    graph = 17,
    opaque_array = 18,
    mipmapped_array = 19,
    texture_object = 20,
    surface_object = 21,
    system_events = 22,
    communicator = 23,
    distributed_algorithm = 24,
    reduced_shards = 25,
};
constexpr HandleType last_handle_type = HandleType::reduced_shards;

/// With its article: "a stream".
std::string_view to_string(HandleType type) noexcept;

using HandleValue = uint64_t;

/// Why a handle was refused.
enum class HandleProblem {
    null,        ///< zero
    unknown,     ///< no handle that this process ever gave out
    other_type,  ///< a handle of another type
    destroyed,   ///< a handle that was destroyed
    forked,      ///< a handle that was made before this process was forked off
};

/// One entry of the table. Only HandleTable touches it.
///
/// `state` is {generation, type, phase, users}. It is the only word that several threads change at once, and only while
/// the phase is `alive` or `destroyed`; the others are written before the slot turns alive. `object` and `destroy` are
/// read by those who are counted as users; `number` also by others, who look at the state before and after. A cache
/// line each: slots of different objects are used from different threads.
struct alignas(64) HandleSlot {
    std::atomic<uint64_t> state{0};
    std::atomic<uint64_t> number{0};
    void* object = nullptr;
    void (*destroy)(void* object) noexcept = nullptr;
    uint32_t index = 0;      // of this slot in the table
    uint32_t next_free = 0;  // index + 1 of the next slot in the free list; 0 ends it
};

/// Finding, pinning and releasing an object takes no lock and allocates nothing; making and destroying handles locks.
/// Every member may be called from any thread.
class HandleTable {
public:
    using Destroy = void (*)(void* object) noexcept;

    constexpr HandleTable() = default;
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;
    /// Frees the slots, not the objects still in them.
    ~HandleTable();

    /// A new handle for `object`, which is passed to `destroy_object` when the handle has been destroyed and nobody
    /// uses the object any more. `number` is what number_of() gives. Throws std::bad_alloc or OutOfMemory; then
    /// `object` is still the caller's.
    HandleValue insert(HandleType type, void* object, Destroy destroy_object, uint64_t number = 0);

    /// The slot of a live handle of that type, counted as in use until release(); nullptr for every other value.
    HandleSlot* acquire(HandleValue value, HandleType type) noexcept;
    void release(HandleSlot* slot) noexcept;

    /// The number that a live handle of that type was inserted with; nothing for every other value. Cheaper than to
    /// acquire the object, where the number is all that is needed.
    std::optional<uint64_t> number_of(HandleValue value, HandleType type) const noexcept;

    /// Ends a handle: it cannot be acquired any more, and its object goes when its last user does. False when `value`
    /// is not a live handle of that type.
    bool destroy(HandleValue value, HandleType type) noexcept;

    /// Why acquire() or destroy() refused `value`.
    HandleProblem diagnose(HandleValue value, HandleType type) const noexcept;
    /// The type that a handle claims to be of; meaningful where diagnose() says HandleProblem::other_type.
    static HandleType type_of(HandleValue value) noexcept;

    /// How many handles have been inserted and not been destroyed.
    uint64_t live() const noexcept { return live_.load(std::memory_order_relaxed); }

    /// The same of one type; looks at every slot.
    uint64_t live(HandleType type) noexcept;

    /// From now on objects are abandoned where they would be destroyed: the process is on its way out, and what they
    /// need may be gone already.
    void abandon_objects() noexcept { abandon_.store(true, std::memory_order_relaxed); }

    /// Around fork(): keeps the table whole in the child, where the handles of the parent are no longer of use: the
    /// driver's state does not survive a fork.
    void before_fork() noexcept { mutex_.lock(); }
    void after_fork_in_parent() noexcept { mutex_.unlock(); }
    void after_fork_in_child() noexcept;

private:
    static constexpr uint32_t chunk_bits = 8;
    static constexpr uint32_t slots_per_chunk = 1u << chunk_bits;
    static constexpr uint32_t chunk_count = 1u << 14;

    HandleSlot* find(uint32_t index) const noexcept;
    HandleSlot& slot_at(uint32_t index) const noexcept;
    HandleSlot& take_free_slot();  // with mutex_ held
    void recycle(HandleSlot& slot) noexcept;

    // Chunks never move and are freed with the table, so that a slot once found stays where it is.
    std::array<std::atomic<HandleSlot*>, chunk_count> chunks_{};
    std::atomic<uint64_t> live_{0};
    std::atomic<bool> abandon_{false};
    std::mutex mutex_;
    uint32_t slots_in_use_ = 0;  // slots ever handed out
    uint32_t first_free_ = 0;    // index + 1; 0: none
};

/// The table behind the C ABI. It exists before any static object and is never destroyed.
HandleTable& process_handles() noexcept;

/// To be called once the driver has been used: from the time the process begins to exit, objects are abandoned.
void abandon_objects_at_exit() noexcept;

}  // namespace cuprum::capi
