// Several devices of one process, as the ranks of algorithms over data that is spread over them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::distributed {

/// What one rank sends to another, or keeps: memory of the one's device, to memory of the other's, of one size.
struct Message {
    size_t from = 0;  ///< rank
    size_t to = 0;    ///< rank
    core::BufferRef source{};
    core::BufferRef destination{};
};

/// Ranks, which are devices of this process, each with a stream of its own. The algorithms put each rank's work into
/// its stream, so that all devices work at once. A value: copies stand for the same ranks and streams, which live as
/// long as they do. Thread-safe; calls of several threads share the streams.
///
/// Bytes go from device to device by the driver's copies. Where the driver offers peer access they go directly (over
/// NVLink where there is some), otherwise through host memory. Peer access between the devices, and to the pools that
/// they allocate from at this time, is enabled when the communicator is made, and stays.
class Communicator {
public:
    /// Rank r is devices[r]. Throws InvalidArgument where there is none, and for a device that is named twice.
    explicit Communicator(const std::vector<core::Device>& devices);

    size_t size() const;  ///< ranks
    const core::Device& device(size_t rank) const;
    /// What the algorithms read must be written in this stream's order: put the work that writes it there, or let this
    /// stream wait for it.
    core::StreamRef stream(size_t rank) const;

    /// Whether kernels on each rank's device can read the memory that the others allocate in a stream now: all are
    /// peers, and their memory comes from the pools of the time when the communicator was made. A sort then merges what
    /// lies on other devices without a copy.
    bool can_read_peers() const;

    /// Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases. In the
    /// order of the streams: each source is read after the work so far in its rank's stream, each destination is
    /// written in its rank's, and later work in the stream of either finds its messages copied. Returns before that.
    /// Throws InvalidArgument for ranks that do not exist, memory of another device than its rank's, and sizes that
    /// differ. If it throws anything else, some of the messages may be under way: sync().
    void exchange(std::span<const Message> messages) const;

    /// Waits for the work in all streams. The error of a rank, after all others were waited for too, names it.
    void sync() const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::distributed
