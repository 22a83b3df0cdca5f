#include "cuprum/core/live_objects.hpp"

namespace cuprum::core {

std::array<std::atomic<uint64_t>, object_kind_count> detail::live_counts{};

namespace {

constexpr std::array<std::string_view, object_kind_count> names{
    "stream", "event",           "buffer",          "program",        "object code",    "kernel",
    "linker", "memory resource", "context",         "compile batch",  "graph builder",  "graph definition",
    "graph",  "array",           "mipmapped array", "texture object", "surface object", "events of a GPU",
};
static_assert(static_cast<size_t>(ObjectKind::system_events) + 1 == object_kind_count);

}  // namespace

std::string_view object_kind_name(ObjectKind kind) noexcept {
    return names[static_cast<size_t>(kind)];
}

uint64_t live_objects(ObjectKind kind) noexcept {
    return detail::live_counts[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
}

std::map<std::string, uint64_t> live_objects() {
    std::map<std::string, uint64_t> counts;
    for (size_t i = 0; i < object_kind_count; ++i)
        counts.emplace(names[i], live_objects(static_cast<ObjectKind>(i)));
    return counts;
}

}  // namespace cuprum::core
