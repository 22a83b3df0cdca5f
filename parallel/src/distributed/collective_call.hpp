// One call of an algorithm over all ranks: its temporary memory, and whose errors are whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel::distributed {

// "rank 1 (device 3)"
std::string describe_rank(const Communicator& communicator, size_t rank);
// The same error, which names the rank before its object.
[[noreturn]] void throw_of_rank(const Error& error, const Communicator& communicator, size_t rank);

template <class Work>
void on_rank(const Communicator& communicator, size_t rank, const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        throw_of_rank(error, communicator, rank);
    }
}

// A shard for each rank, of that type, with memory of the rank's device for its elements. Throws InvalidArgument.
void check_shards(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                  std::span<const Shard> shards);
// The same, with room for that many elements; how many there are does not matter.
void check_room(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                std::span<const Shard> shards, uint64_t count);
// Both have been checked; each rank has as many elements of one as of the other. Throws InvalidArgument.
void check_same_counts(const Communicator& communicator, const char* operation, const char* name,
                       std::span<const Shard> shards, const char* other_name, std::span<const Shard> others);

// Work goes into the ranks' streams from one thread. Whichever way the call ends, all ranks have stopped working on its
// memory before that is freed.
class CollectiveCall {
public:
    explicit CollectiveCall(const Communicator& communicator) : communicator_(communicator) {}
    ~CollectiveCall();
    CollectiveCall(const CollectiveCall&) = delete;
    CollectiveCall& operator=(const CollectiveCall&) = delete;

    size_t size() const { return communicator_.size(); }
    core::StreamRef stream(size_t rank) const { return communicator_.stream(rank); }

    // work(rank) for one after the other.
    template <class Work>
    void on_each_rank(const Work& work) const {
        for (size_t rank = 0; rank < size(); ++rank)
            on_rank(communicator_, rank, [&] { work(rank); });
    }
    template <class Work>
    void on_one_rank(size_t rank, const Work& work) const {
        on_rank(communicator_, rank, work);
    }

    // Until the end of the call.
    core::BufferRef allocate(size_t rank, uint64_t bytes);
    template <class T>
    core::BufferRef upload(size_t rank, const std::vector<T>& elements) {
        static_assert(std::is_trivially_copyable_v<T>);
        const uint64_t bytes = elements.size() * sizeof(T);
        std::byte* const kept = keep(bytes);
        if (bytes > 0) std::memcpy(kept, elements.data(), bytes);
        const core::BufferRef memory = allocate(rank, bytes);
        memory.copy_from_host(kept, bytes, stream(rank));
        return memory;
    }
    // The elements are there after the next wait(), until the end of the call.
    template <class T>
    std::span<const T> download(size_t rank, const core::BufferRef& memory) {
        std::byte* const kept = keep(memory.size());
        memory.copy_to_host(kept, memory.size(), stream(rank));
        return {reinterpret_cast<const T*>(kept), memory.size() / sizeof(T)};
    }

    void exchange(const std::vector<Message>& messages) const { communicator_.exchange(messages); }
    // Whether each rank's kernels can read what has been allocated here for the others.
    bool can_read_peers() const;
    // What a rank does from here on comes after the work so far of all ranks.
    void wait_for_each_other() const;
    void wait() const { communicator_.sync(); }
    // wait(), after which there is no more work.
    void finish();

private:
    std::byte* keep(uint64_t bytes);

    const Communicator& communicator_;
    std::deque<std::vector<std::byte>> host_memory_;  // of copies that may be under way
    std::vector<core::Buffer> memory_;
    bool is_finished_ = false;
};

}  // namespace cuprum::parallel::distributed
