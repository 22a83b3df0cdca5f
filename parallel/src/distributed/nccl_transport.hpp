// Messages between ranks over NCCL.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cuprum/bindings/nccl.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/parallel/distributed/communicator.hpp"

namespace cuprum::parallel::distributed {

// NCCL's communicators of the ranks of this process. They do not block: what other ranks have a part in is waited for
// up to the timeout, and then given up (ncclCommAbort), so that no stream is left with work that does not end.
class NcclTransport {
public:
    // The ranks of this process among `size`: one for each device, from `first_rank` on.
    NcclTransport(std::span<const core::Device> devices, size_t first_rank, size_t size, const ncclUniqueId& identifier,
                  std::chrono::milliseconds timeout);
    ~NcclTransport();
    NcclTransport(const NcclTransport&) = delete;
    NcclTransport& operator=(const NcclTransport&) = delete;

    // Throws as Communicator does where NCCL is missing or too old.
    static void require_library();
    static ncclUniqueId make_identifier();

    // Messages between different ranks, one of which at least is of this process.
    void exchange(std::span<const Message* const> messages, std::span<const core::Stream> streams);
    void sync(std::span<const core::Stream> streams);
    void abort(const std::string& reason) noexcept;

private:
    using Clock = std::chrono::steady_clock;
    bool is_local(size_t rank) const { return rank - first_rank_ < communicators_.size(); }
    void require_alive();
    // Gives up and throws for what is neither success nor under way.
    void check(ncclResult_t result, const char* function);
    void check_progress(bool may_go_on);
    void wait_for_others(const char* function);
    [[noreturn]] void give_up(const char* function, ncclResult_t result, const std::string& detail);

    std::vector<core::Device> devices_;
    size_t first_rank_;
    std::chrono::milliseconds timeout_;
    std::vector<ncclComm_t> communicators_;
    std::mutex mutex_;
    std::string failure_;  // why it was given up
    const char* operation_ = "making a communicator over NCCL";
};

}  // namespace cuprum::parallel::distributed
