#include "cuprum/core/live_objects.hpp"

#include <algorithm>
#include <new>

namespace cuprum::core {

constinit thread_local detail::LiveCounts* detail::live_counts_of_thread = nullptr;

namespace {

// The counts of one thread. Never deleted: when a thread ends, its numbers stay, and another thread goes on with them.
// No lock, which a fork could leave taken in the child.
struct Block {
    detail::LiveCounts counts{};
    std::atomic<bool> is_taken = true;
    Block* next = nullptr;
};
std::atomic<Block*> all_blocks = nullptr;

// Of threads that are ending, and of those for whom there was no memory.
detail::LiveCounts shared_counts{};

Block* take_block() noexcept {
    for (Block* block = all_blocks.load(std::memory_order_acquire); block != nullptr; block = block->next)
        if (!block->is_taken.load(std::memory_order_relaxed) && !block->is_taken.exchange(true)) return block;
    Block* const made = new (std::nothrow) Block;
    if (made == nullptr) return nullptr;
    made->next = all_blocks.load(std::memory_order_relaxed);
    while (!all_blocks.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {}
    return made;
}

// Of the thread: gives its block back at its end.
class BlockOfThread {
public:
    BlockOfThread() noexcept : block_(take_block()) {
        if (block_ != nullptr) detail::live_counts_of_thread = &block_->counts;
    }
    ~BlockOfThread() {
        detail::live_counts_of_thread = nullptr;
        if (block_ != nullptr) block_->is_taken.store(false, std::memory_order_release);
        has_ended = true;
    }
    BlockOfThread(const BlockOfThread&) = delete;
    BlockOfThread& operator=(const BlockOfThread&) = delete;

    static constinit thread_local bool has_ended;

private:
    Block* block_;
};
constinit thread_local bool BlockOfThread::has_ended = false;

constexpr std::array<std::string_view, object_kind_count> kind_names{
    "stream", "event",           "buffer",          "program",        "object code",    "kernel",
    "linker", "memory resource", "context",         "compile batch",  "graph builder",  "graph definition",
    "graph",  "array",           "mipmapped array", "texture object", "surface object", "events of a GPU",
};
static_assert(static_cast<size_t>(ObjectKind::system_events) + 1 == object_kind_count);

}  // namespace

std::string_view object_kind_name(ObjectKind kind) noexcept {
    return kind_names[static_cast<size_t>(kind)];
}

void detail::count_slowly(ObjectKind kind, int64_t added) noexcept {
    if (!BlockOfThread::has_ended) {
        static thread_local const BlockOfThread block;
        if (live_counts_of_thread != nullptr) return add_to_live_count(kind, added);
    }
    shared_counts[static_cast<size_t>(kind)].fetch_add(added, std::memory_order_relaxed);
}

uint64_t live_objects(ObjectKind kind) noexcept {
    const auto index = static_cast<size_t>(kind);
    int64_t sum = shared_counts[index].load(std::memory_order_relaxed);
    for (const Block* block = all_blocks.load(std::memory_order_acquire); block != nullptr; block = block->next)
        sum += block->counts[index].load(std::memory_order_relaxed);
    // While other threads count, one may be seen to destroy what another was not yet seen to make.
    return static_cast<uint64_t>(std::max<int64_t>(sum, 0));
}

std::map<std::string, uint64_t> live_objects() {
    std::map<std::string, uint64_t> counts;
    for (size_t i = 0; i < object_kind_count; ++i)
        counts.emplace(kind_names[i], live_objects(static_cast<ObjectKind>(i)));
    return counts;
}

}  // namespace cuprum::core
