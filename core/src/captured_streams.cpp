#include "captured_streams.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "cleanup.hpp"
#include "context.hpp"

namespace cuprum::core {

namespace {

// Never freed, so that it may be used while the process exits.
struct KnownStreams {
    std::mutex mutex;
    KnownStream* first = nullptr;
};
KnownStreams& known_streams() {
    static auto* const known = new KnownStreams;
    return *known;
}

enum class Answer { captured, not_captured, failed };

// The legacy default stream cannot say it while a blocking stream is captured: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
Answer ask(CUstream stream) noexcept {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUresult result = driver::cuStreamIsCapturing(stream, &status);
    if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) return Answer::captured;
    report_cleanup(result, "cuStreamIsCapturing", "asking whether a stream is capturing", "a stream");
    if (result != CUDA_SUCCESS) return Answer::failed;
    return status == CU_STREAM_CAPTURE_STATUS_NONE ? Answer::not_captured : Answer::captured;
}

}  // namespace

void remember_stream(KnownStream& known) noexcept {
    KnownStreams& all = known_streams();
    const std::lock_guard lock(all.mutex);
    known.next = all.first;
    if (known.next != nullptr) known.next->previous = &known;
    all.first = &known;
}

void forget_stream(KnownStream& known) noexcept {
    KnownStreams& all = known_streams();
    const std::lock_guard lock(all.mutex);
    (known.previous != nullptr ? known.previous->next : all.first) = known.next;
    if (known.next != nullptr) known.next->previous = known.previous;
    known.previous = known.next = nullptr;
}

// Where one does not answer, none will: the context is lost, or the process ends.
bool is_any_stream_captured() noexcept {
    if (must_leak()) return false;
    {
        KnownStreams& all = known_streams();
        const std::lock_guard lock(all.mutex);
        for (const KnownStream* known = all.first; known != nullptr; known = known->next) {
            if (is_context_reset(known->device_id)) continue;
            const Answer answer = ask(known->stream);
            if (answer != Answer::not_captured) return answer == Answer::captured;
        }
    }
    Answer answer = Answer::not_captured;
    for (int32_t id = 0; id < initialized_device_count() && answer == Answer::not_captured; ++id) {
        if (!has_primary_context(id)) continue;
        clean_up(id, [&] {
            answer = ask(CU_STREAM_LEGACY);
            if (answer == Answer::not_captured) answer = ask(CU_STREAM_PER_THREAD);
        });
    }
    return answer == Answer::captured;
}

void wait_for_known_streams(const BufferRef& memory) noexcept {
    if (must_leak()) return;
    // Not under the lock: another thread may have to make a stream before these are done.
    std::vector<std::pair<CUstream, std::shared_ptr<const void>>> streams;
    try {
        KnownStreams& all = known_streams();
        const std::lock_guard lock(all.mutex);
        for (const KnownStream* known = all.first; known != nullptr; known = known->next) {
            if (is_context_reset(known->device_id)) continue;
            if (std::shared_ptr<const void> kept = known->owner.lock())
                streams.emplace_back(known->stream, std::move(kept));
        }
    } catch (const std::bad_alloc&) {
        return;
    }
    for (const auto& [stream, owner] : streams) {
        if (ask(stream) != Answer::not_captured) continue;
        report_cleanup(driver::cuStreamSynchronize(stream), "cuStreamSynchronize",
                       "waiting for a stream before memory is freed", memory);
    }
}

}  // namespace cuprum::core
