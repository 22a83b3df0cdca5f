#include "graph_keeping.hpp"

#include <utility>

#include "context.hpp"
#include "driver_error.hpp"
#include "left_to_destroy.hpp"

namespace cuprum::core {

namespace {

struct KeptByGraph : LeftToDestroy {
    GraphOwners owners;
};

// On a thread of the driver's, which must not use it.
void CUDA_CB end_keeping(void* argument) {
    if (must_leak()) return;
    leave_to_destroy(static_cast<KeptByGraph*>(argument));
}

constexpr const char* kept_object = "what the graph keeps";

}  // namespace

Keeping::Keeping(CUgraph graph, GraphOwners owners, const char* operation) : graph_(graph) {
    std::erase(owners, nullptr);
    if (owners.empty()) return;
    auto kept = std::make_unique<KeptByGraph>();
    kept->owners = std::move(owners);
    CUuserObject object = nullptr;
    check(driver::cuUserObjectCreate(&object, kept.get(), end_keeping, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
          "cuUserObjectCreate", operation, kept_object);
    // NOLINTNEXTLINE(bugprone-unused-return-value): end_keeping owns it now
    static_cast<void>(kept.release());
    const CUresult retained = driver::cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
    if (retained != CUDA_SUCCESS) {
        report_cleanup(driver::cuUserObjectRelease(object, 1), "cuUserObjectRelease", operation, kept_object);
    }
    check(retained, "cuGraphRetainUserObject", operation, kept_object);
    object_ = object;
}

void Keeping::let_go() noexcept {
    stop_keeping(graph_, std::exchange(object_, nullptr));
}

CUuserObject Keeping::done() noexcept {
    return std::exchange(object_, nullptr);
}

void stop_keeping(CUgraph graph, CUuserObject object) noexcept {
    if (object == nullptr || must_leak()) return;
    report_cleanup(driver::cuGraphReleaseUserObject(graph, object, 1), "cuGraphReleaseUserObject",
                   "letting go of what a graph keeps", kept_object);
}

}  // namespace cuprum::core
