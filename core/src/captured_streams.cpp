#include "captured_streams.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "cleanup.hpp"
#include "context.hpp"

namespace cuprum::core {

namespace {

// Never freed, so that it may be used while the process exits.
struct KnownStreams {
    std::mutex mutex;
    std::unordered_set<CUstream> streams;
};
KnownStreams& known_streams() {
    static auto* const known = new KnownStreams;
    return *known;
}

// A stream that cannot say it has nothing to do with a capture: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT of the legacy one.
bool takes_part_in_a_capture(CUstream stream) noexcept {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUresult result = driver::cuStreamIsCapturing(stream, &status);
    return result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT ||
           (result == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE);
}

}  // namespace

void remember_stream(CUstream stream) {
    KnownStreams& known = known_streams();
    const std::lock_guard lock(known.mutex);
    known.streams.insert(stream);
}

void forget_stream(CUstream stream) noexcept {
    KnownStreams& known = known_streams();
    const std::lock_guard lock(known.mutex);
    known.streams.erase(stream);
}

bool is_any_stream_captured() noexcept {
    if (must_leak()) return false;
    {
        KnownStreams& known = known_streams();
        const std::lock_guard lock(known.mutex);
        if (std::any_of(known.streams.begin(), known.streams.end(), &takes_part_in_a_capture)) return true;
    }
    bool captured = false;
    for (int32_t id = 0; id < initialized_device_count() && !captured; ++id) {
        if (!has_primary_context(id)) continue;
        clean_up(id, [&] { captured = takes_part_in_a_capture(CU_STREAM_LEGACY) || takes_part_in_a_capture(CU_STREAM_PER_THREAD); });
    }
    return captured;
}

}  // namespace cuprum::core
