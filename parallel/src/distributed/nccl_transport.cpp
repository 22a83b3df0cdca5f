#include "nccl_transport.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "cuprum/core/error.hpp"
#include "current_context.hpp"

namespace cuprum::parallel::distributed {

namespace {

namespace nccl = bindings::nccl;

constexpr const char* making = "making a communicator over NCCL";
constexpr const char* exchanging = "exchanging messages over NCCL";
constexpr int oldest_version = 2140;  // the first with communicators that do not block

const char* name_of(ncclResult_t result) {
    switch (result) {
        case ncclUnhandledCudaError:
            return "ncclUnhandledCudaError";
        case ncclSystemError:
            return "ncclSystemError";
        case ncclInternalError:
            return "ncclInternalError";
        case ncclInvalidArgument:
            return "ncclInvalidArgument";
        case ncclInvalidUsage:
            return "ncclInvalidUsage";
        case ncclRemoteError:
            return "ncclRemoteError";
        case ncclInProgress:
            return "ncclInProgress";
        case ncclTimeout:
            return "ncclTimeout";
        default:
            return "";
    }
}

ErrorInfo error_of(const char* operation, const char* function, ncclResult_t result, const std::string& detail) {
    ErrorInfo info;
    info.status = Status::driver_error;
    info.domain = ErrorDomain::nccl;
    info.code = result;
    info.name = name_of(result);
    info.operation = operation;
    info.object = "NCCL";
    info.detail = std::string(function) + ": " + detail;
    info.advice = "NCCL_DEBUG=WARN makes NCCL print more";
    return info;
}

// What NCCL_CONFIG_INITIALIZER is, as far as every version since 2.14 has it: a newer NCCL takes what it does not find
// as not set.
ncclConfig_t nonblocking_config() {
    ncclConfig_t config{};
    config.size = sizeof(config);
    config.magic = NCCL_API_MAGIC;
    config.version = NCCL_VERSION_CODE;
    for (int* value : {&config.cgaClusterSize,
                       &config.minCTAs,
                       &config.maxCTAs,
                       &config.splitShare,
                       &config.trafficClass,
                       &config.collnetEnable,
                       &config.CTAPolicy,
                       &config.shrinkShare,
                       &config.nvlsCTAs,
                       &config.nChannelsPerNetPeer,
                       &config.nvlinkCentricSched,
                       &config.graphUsageMode,
                       &config.numRmaCtx,
                       &config.maxP2pPeers,
                       &config.graphStreamOrdering,
                       &config.launchOrderImplicit,
                       &config.numRmaSig,
                       &config.rmaEagerInit,
                       &config.hostCftMode,
                       &config.nvlsHostMode})
        *value = NCCL_CONFIG_UNDEF_INT;
    config.blocking = 0;
    return config;
}

// A little longer each time: what is done soon is seen at once.
class Patience {
public:
    explicit Patience(std::chrono::milliseconds timeout) : end_(std::chrono::steady_clock::now() + timeout) {}
    // False when it has come to its end.
    bool wait() {
        if (std::chrono::steady_clock::now() >= end_) return false;
        if (++turns_ < 2000) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
        return true;
    }

private:
    std::chrono::steady_clock::time_point end_;
    int turns_ = 0;
};

}  // namespace

void NcclTransport::require_library() {
    const int version = nccl::version();  // throws NotFound with every place that was searched
    if (version >= oldest_version) return;
    ErrorInfo info;
    info.status = Status::unsupported;
    info.domain = ErrorDomain::nccl;
    info.operation = making;
    info.object = "NCCL " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) + " " +
                  nccl::library().path();
    info.detail = "expected NCCL 2.14 or newer, whose communicators do not block";
    info.advice = "pip install nvidia-nccl-cu13, or set NCCL_HOME to a newer one";
    throw_error(std::move(info));
}

ncclUniqueId NcclTransport::make_identifier() {
    ncclUniqueId identifier{};
    const ncclResult_t result = nccl::ncclGetUniqueId(&identifier);
    if (result != ncclSuccess)
        throw_error(error_of(making, "ncclGetUniqueId", result, nccl::ncclGetErrorString(result)));
    return identifier;
}

NcclTransport::NcclTransport(std::span<const core::Device> devices, size_t first_rank, size_t size,
                             const ncclUniqueId& identifier, std::chrono::milliseconds timeout)
    : devices_(devices.begin(), devices.end()),
      first_rank_(first_rank),
      timeout_(timeout),
      communicators_(devices.size(), nullptr) {
    try {
        check(nccl::ncclGroupStart(), "ncclGroupStart");
        ncclResult_t result = ncclSuccess;
        for (size_t i = 0; i < devices_.size() && (result == ncclSuccess || result == ncclInProgress); ++i) {
            const CurrentContext current(devices_[i]);
            ncclConfig_t config = nonblocking_config();
            result = nccl::ncclCommInitRankConfig(&communicators_[i], static_cast<int>(size), identifier,
                                                  static_cast<int>(first_rank + i), &config);
        }
        const ncclResult_t ended = nccl::ncclGroupEnd();
        check(result, "ncclCommInitRankConfig");
        check(ended, "ncclCommInitRankConfig");
        wait_for_others("ncclCommInitRankConfig");
        operation_ = exchanging;
    } catch (...) {
        abort("it could not be made");
        throw;
    }
}

NcclTransport::~NcclTransport() {
    if (!failure_.empty()) return;
    try {
        for (ncclComm_t communicator : communicators_)
            check(nccl::ncclCommFinalize(communicator), "ncclCommFinalize");
        wait_for_others("ncclCommFinalize");
        for (size_t i = 0; i < communicators_.size(); ++i) {
            const CurrentContext current(devices_[i]);
            nccl::ncclCommDestroy(std::exchange(communicators_[i], nullptr));
        }
    } catch (const std::exception&) {
        abort("it could not be finished");  // another rank has gone
    }
}

void NcclTransport::abort(const std::string& reason) noexcept {
    try {
        if (failure_.empty()) failure_ = reason;
        for (size_t i = 0; i < communicators_.size(); ++i) {
            if (communicators_[i] == nullptr) continue;
            const CurrentContext current(devices_[i]);
            nccl::ncclCommAbort(std::exchange(communicators_[i], nullptr));
        }
    } catch (const std::exception&) {}
}

void NcclTransport::require_alive() {
    if (failure_.empty()) return;
    throw InvalidState(exchanging, "communicator", "it was given up: " + failure_, "make a new one, in all processes");
}

void NcclTransport::give_up(const char* function, ncclResult_t result, const std::string& detail) {
    std::string text = detail.empty() ? nccl::ncclGetErrorString(result) : detail;
    if (detail.empty() && !communicators_.empty() && communicators_.front() != nullptr) {
        const char* const more = nccl::ncclGetLastError(communicators_.front());
        if (more != nullptr && *more != '\0') text += std::string(": ") + more;
    }
    abort(std::string(function) + ": " + text);
    throw_error(error_of(operation_, function, result, text));
}

void NcclTransport::check(ncclResult_t result, const char* function) {
    if (result != ncclSuccess && result != ncclInProgress) give_up(function, result, {});
}

// Throws for an error that a communicator has met since.
void NcclTransport::check_progress(bool may_go_on) {
    for (ncclComm_t communicator : communicators_) {
        ncclResult_t result = ncclSuccess;
        check(nccl::ncclCommGetAsyncError(communicator, &result), "ncclCommGetAsyncError");
        if (result == ncclInProgress && may_go_on) continue;
        check(result, "ncclCommGetAsyncError");
    }
}

void NcclTransport::wait_for_others(const char* function) {
    Patience patience(timeout_);
    for (ncclComm_t communicator : communicators_) {
        for (;;) {
            ncclResult_t result = ncclSuccess;
            check(nccl::ncclCommGetAsyncError(communicator, &result), "ncclCommGetAsyncError");
            check(result, function);
            if (result == ncclSuccess) break;
            if (!patience.wait()) {
                give_up(function, ncclTimeout,
                        "other ranks have not done their part in " + std::to_string(timeout_.count()) + " ms");
            }
        }
    }
}

void NcclTransport::exchange(std::span<const Message* const> messages, std::span<const core::Stream> streams) {
    const std::lock_guard lock(mutex_);
    require_alive();
    if (messages.empty()) return;
    check(nccl::ncclGroupStart(), "ncclGroupStart");
    ncclResult_t result = ncclSuccess;
    const char* function = "ncclSend";
    for (const Message* message : messages) {
        const auto enqueue = [&](size_t rank, auto call) {
            if (!is_local(rank) || (result != ncclSuccess && result != ncclInProgress)) return;
            const size_t i = rank - first_rank_;
            result = call(communicators_[i], streams[i].handle());
        };
        enqueue(message->from, [&](ncclComm_t communicator, CUstream stream) {
            function = "ncclSend";
            return nccl::ncclSend(reinterpret_cast<const void*>(message->source.handle()), message->source.size(),
                                  ncclUint8, static_cast<int>(message->to), communicator, stream);
        });
        enqueue(message->to, [&](ncclComm_t communicator, CUstream stream) {
            function = "ncclRecv";
            return nccl::ncclRecv(reinterpret_cast<void*>(message->destination.handle()), message->destination.size(),
                                  ncclUint8, static_cast<int>(message->from), communicator, stream);
        });
    }
    const ncclResult_t ended = nccl::ncclGroupEnd();
    check(result, function);
    check(ended, "ncclGroupEnd");
    wait_for_others("ncclGroupEnd");
}

void NcclTransport::sync(std::span<const core::Stream> streams) {
    std::optional<Patience> patience;
    for (const core::Stream& stream : streams) {
        while (failure_.empty() && !stream.is_done()) {
            const std::lock_guard lock(mutex_);
            if (!failure_.empty()) break;
            check_progress(true);
            if (!patience) patience.emplace(timeout_);
            if (!patience->wait()) {
                give_up("waiting for the streams", ncclTimeout,
                        "the work has not ended in " + std::to_string(timeout_.count()) +
                            " ms: another rank has stopped, or the timeout is too short");
            }
        }
    }
    const std::lock_guard lock(mutex_);
    require_alive();
    check_progress(true);
}

}  // namespace cuprum::parallel::distributed
