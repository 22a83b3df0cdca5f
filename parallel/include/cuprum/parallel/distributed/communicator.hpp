// Several devices, of one process or of several, as the ranks of algorithms over data that is spread over them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/distributed/process.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::distributed {

/// What one rank sends to another, or keeps: memory of the one's device, to memory of the other's, of one size. The
/// side of a rank of another process is not used.
struct Message {
    size_t from = 0;  ///< rank
    size_t to = 0;    ///< rank
    core::BufferRef source{};
    core::BufferRef destination{};
};

/// Ranks, which are devices, each with a stream of its own. The algorithms put each rank's work into its stream, so
/// that all devices work at once. A value: copies stand for the same ranks and streams, which live as long as they do.
/// Thread-safe; calls of several threads share the streams.
///
/// All ranks are devices of this process, or each process has one of them. There, all processes make the same calls, in
/// one order, each with the shards of its own rank. A call whose types, operator or other values are not the same on
/// all ranks throws InvalidArgument in all processes, and one that a rank refuses throws InvalidState in the others. A
/// rank that fails later, or dies, ends the call of the others with a DriverError (ErrorDomain::nccl), at the latest
/// after the timeout; their memory is freed, and the communicator can only be destroyed then.
///
/// Bytes go from device to device by the driver's copies, or by NCCL, which is opened when it is first asked for. By
/// the driver they go directly where it offers peer access (over NVLink where there is some), otherwise through host
/// memory. Peer access between the devices, and to the pools that they allocate from at this time, is enabled when the
/// communicator is made, and stays. A mebibyte of each device's memory is kept for the temporary memory of calls.
class Communicator {
public:
    /// Rank r is devices[r]. Throws InvalidArgument where there is none, and for a device that is named twice.
    explicit Communicator(const std::vector<core::Device>& devices);
    /// The same over NCCL. Throws NotFound where there is no NCCL, Unsupported for one that is older than 2.14, and
    /// DriverError where it fails.
    Communicator(const std::vector<core::Device>& devices, const NcclOptions& options);
    /// The rank of this process, whose device that is, over NCCL. Returns when all processes have made theirs, or
    /// throws as above, also where some have not after the timeout. Throws InvalidArgument for a rank that is not below
    /// the number of processes, and without a `broadcast`.
    Communicator(const core::Device& device, const Process& process, const NcclOptions& options = {});

    size_t size() const;  ///< ranks, of all processes
    /// The ranks of this process: local_size() of them, from that one on.
    size_t first_local_rank() const;
    size_t local_size() const;
    bool is_local(size_t rank) const { return rank - first_local_rank() < local_size(); }

    /// Of a rank of this process. Throws InvalidArgument for others.
    const core::Device& device(size_t rank) const;
    /// What the algorithms read must be written in this stream's order: put the work that writes it there, or let this
    /// stream wait for it.
    core::StreamRef stream(size_t rank) const;

    /// Whether kernels on each rank's device can read the memory that the others allocate in a stream now: all are
    /// peers, and their memory comes from the pools of the time when the communicator was made. Algorithms then read
    /// what lies on other devices there, unless copying it first is faster.
    bool can_read_peers() const;

    /// Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases. In the
    /// order of the streams: each source is read after the work so far in its rank's stream, each destination is
    /// written in its rank's, and later work in the stream of either finds its messages copied. Returns before that.
    /// Messages between ranks of other processes are left out, so that all processes may give the same list; those of
    /// two ranks are in one order in the lists of both. Throws InvalidArgument for ranks that do not exist, memory of
    /// another device than its rank's, and sizes that differ. If it throws anything else, some of the messages may be
    /// under way: sync().
    void exchange(std::span<const Message> messages) const;

    /// Waits for the work in all streams of this process. The error of a rank, after all others were waited for too,
    /// names it.
    void sync() const;

    /// Gives up what goes on over NCCL: it ends here, and with an error in the other processes. Every later call
    /// throws. Nothing happens where the driver copies.
    void abort() const;

private:
    friend class CollectiveCall;
    core::StreamRef copy_stream(size_t rank) const;
    void sync_copy_streams() const;
    bool take_kept_memory() const;
    void return_kept_memory() const;
    core::BufferRef kept_memory(size_t rank) const;
    core::EventRef kept_event(size_t rank) const;

    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
