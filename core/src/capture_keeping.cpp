#include "capture_keeping.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "context.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "graph_keeping.hpp"
#include "kept_memory.hpp"
#include "require.hpp"

namespace cuprum::core {

// One of what a graph keeps, as a user object; its owners are each kept once.
struct CaptureKeeper {
    std::mutex mutex;
    std::unordered_map<const void*, std::shared_ptr<const void>> owners;
    KeptMemory memory;
};

std::atomic<int32_t> detail::graphs_being_built = 0;

namespace {

// Never freed, so that it may be used while the process exits.
struct Captures {
    std::mutex mutex;
    std::unordered_map<CUgraph, std::shared_ptr<CaptureKeeper>> keepers;
};
Captures& captures() {
    static auto* const all = new Captures;
    return *all;
}

std::shared_ptr<CaptureKeeper> keeper_of(CUgraph captured) {
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    const auto found = all.keepers.find(captured);
    return found == all.keepers.end() ? nullptr : found->second;
}

}  // namespace

CaptureInProgress::CaptureInProgress(CUgraph captured, CUgraph root, const char* operation) : captured_(captured) {
    auto keeper = std::make_shared<CaptureKeeper>();
    Keeping keeping(root, {keeper}, operation);
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    all.keepers.insert_or_assign(captured, std::move(keeper));
    keeping.done();
    detail::graphs_being_built.fetch_add(1, std::memory_order_relaxed);
    set(Circumstance::graph_being_built, true);
}

CaptureInProgress::~CaptureInProgress() {
    std::shared_ptr<CaptureKeeper> ended;  // goes after the lock: it may be the last one
    Captures& all = captures();
    const std::lock_guard lock(all.mutex);
    const auto found = all.keepers.find(captured_);
    if (found == all.keepers.end()) return;
    ended = std::move(found->second);
    all.keepers.erase(found);
    detail::graphs_being_built.fetch_sub(1, std::memory_order_relaxed);
    set(Circumstance::graph_being_built, !all.keepers.empty());
}

namespace {

// Null where no GraphBuilder captures the stream.
std::shared_ptr<CaptureKeeper> keeper_of(const StreamRef& stream, const char* operation) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph captured = nullptr;
    const CUresult result =
        driver::cuStreamGetCaptureInfo_v3(stream.handle(), &status, nullptr, &captured, nullptr, nullptr, nullptr);
    if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) {  // the legacy default stream: the work itself is refused
        discard_driver_log();
        return nullptr;
    }
    check(result, "cuStreamGetCaptureInfo", operation, stream);
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? keeper_of(captured) : nullptr;
}

}  // namespace

void keep_in_current_context(const StreamRef& stream, GraphOwners&& owners, std::span<const DevicePointer> memory,
                             const char* operation) {
    const std::shared_ptr<CaptureKeeper> keeper = keeper_of(stream, operation);
    if (keeper == nullptr) return;
    for (const DevicePointer address : memory)
        keeper->memory.add(address);
    const std::lock_guard lock(keeper->mutex);
    for (std::shared_ptr<const void>& owner : owners) {
        if (owner == nullptr) continue;
        const void* const key = owner.get();
        keeper->owners.try_emplace(key, std::move(owner));
    }
}

void note_own_memory(const StreamRef& stream, DevicePointer address, uint64_t size, const char* operation) {
    if (const std::shared_ptr<CaptureKeeper> keeper = keeper_of(stream, operation))
        keeper->memory.add_own(address, size);
}

void keep_for_capture(StreamRef stream, GraphOwners owners) {
    if (!is_any_graph_being_built()) return;
    constexpr const char* operation = "keeping what captured work uses";
    require_valid(stream, operation);
    const ContextScope scope(stream);
    keep_in_current_context(stream, std::move(owners), {}, operation);
}

}  // namespace cuprum::core
