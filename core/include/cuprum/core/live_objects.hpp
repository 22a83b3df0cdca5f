// How many of core's objects are alive.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace cuprum::core {

// What is counted: what stands for something of the driver's or a compiler's. Copies of one object are one.
enum class ObjectKind : uint8_t {
    stream,
    event,
    buffer,
    program,
    object_code,
    kernel,
    linker,
    memory_resource,
    context,
    compile_batch,
    graph_builder,
    graph_definition,
    graph,
    opaque_array,
    mipmapped_array,
    texture_object,
    surface_object,
    system_events,
};
inline constexpr size_t object_kind_count = 18;

// "stream", "object code": the same as in the other languages.
std::string_view object_kind_name(ObjectKind kind) noexcept;

// How many objects of the kind there are in this process: those of the program, and those that Cuprum and other objects
// keep, as a buffer keeps its stream. What only borrows a handle of the driver's is not counted. Thread-safe.
uint64_t live_objects(ObjectKind kind) noexcept;
// The same of all kinds, by their names.
std::map<std::string, uint64_t> live_objects();

namespace detail {

// What one thread has counted: it alone writes here. Below zero of what other threads have made and it has destroyed.
using LiveCounts = std::array<std::atomic<int64_t>, object_kind_count>;

// Null before a thread has counted anything, and once its own variables are gone.
extern constinit thread_local LiveCounts* live_counts_of_thread [[gnu::tls_model("initial-exec")]];

// For a thread without counts of its own.
void count_slowly(ObjectKind kind, int64_t added) noexcept;

inline void add_to_live_count(ObjectKind kind, int64_t added) noexcept {
    LiveCounts* const counts = live_counts_of_thread;
    if (counts == nullptr) [[unlikely]]
        return count_slowly(kind, added);
    std::atomic<int64_t>& number = (*counts)[static_cast<size_t>(kind)];
    number.store(number.load(std::memory_order_relaxed) + added, std::memory_order_relaxed);
}

// A member of an object: counts it from count() on, until stop_counting() or its end, and goes on with what the object
// is moved into.
template <ObjectKind kind>
class LiveCount {
public:
    LiveCount() noexcept = default;
    LiveCount(LiveCount&& other) noexcept : is_counted_(std::exchange(other.is_counted_, false)) {}
    LiveCount& operator=(LiveCount&& other) noexcept {
        if (this != &other) {
            stop_counting();
            is_counted_ = std::exchange(other.is_counted_, false);
        }
        return *this;
    }
    LiveCount(const LiveCount&) = delete;
    LiveCount& operator=(const LiveCount&) = delete;
    ~LiveCount() { stop_counting(); }

    void count() noexcept {
        if (!std::exchange(is_counted_, true)) add_to_live_count(kind, 1);
    }
    void stop_counting() noexcept {
        if (std::exchange(is_counted_, false)) add_to_live_count(kind, -1);
    }

private:
    bool is_counted_ = false;
};

// The same for what is counted as long as it exists, and is neither copied nor moved.
template <ObjectKind kind>
class Alive {
public:
    Alive() noexcept { count_.count(); }
    Alive(const Alive&) = delete;
    Alive& operator=(const Alive&) = delete;
    ~Alive() = default;

private:
    LiveCount<kind> count_;
};

}  // namespace detail

}  // namespace cuprum::core
