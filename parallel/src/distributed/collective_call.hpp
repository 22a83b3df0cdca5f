// One call of an algorithm over all ranks: its temporary memory, and whose errors are whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuprum/parallel/distributed/communicator.hpp"
#include "cuprum/parallel/distributed/shard.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/value.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel::distributed {

// "rank 1 (device 3)"; "rank 1 (another process)"
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

// A shard for each rank of this process, of that type, with memory of the rank's device for its elements. Throws
// InvalidArgument.
void check_shards(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                  std::span<const Shard> shards);
// The same, with room for that many elements; how many there are does not matter.
void check_room(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                std::span<const Shard> shards, uint64_t count);
// Both have been checked; each rank has as many elements of one as of the other. Throws InvalidArgument.
void check_same_counts(const Communicator& communicator, const char* operation, const char* name,
                       std::span<const Shard> shards, const char* other_name, std::span<const Shard> others);

// Null where there is none. Throws InvalidArgument for one of another type.
void check_initial_value(const char* operation, const Value* init, const Type& accumulator, const char* algorithm);

// What each rank of this process has.
template <class T>
class OfRanks {
public:
    explicit OfRanks(const Communicator& communicator) : first_(communicator.first_local_rank()) {}
    template <class... Arguments>
    void emplace_back(Arguments&&... arguments) {
        items_.emplace_back(std::forward<Arguments>(arguments)...);
    }
    void push_back(T item) { items_.push_back(std::move(item)); }
    T& back() { return items_.back(); }
    const T& operator[](size_t rank) const { return items_[rank - first_]; }

private:
    size_t first_;
    std::vector<T> items_;
};

// work(rank) for each rank of this process.
template <class Work>
void for_each_local_rank(const Communicator& communicator, const Work& work) {
    const size_t first = communicator.first_local_rank();
    for (size_t rank = first; rank < first + communicator.local_size(); ++rank)
        work(rank);
}

// What all ranks are to have in common, as a number. Not the same bytes: nearly never the same number.
class Digest {
public:
    Digest& add_text(std::string_view text);
    Digest& add(uint64_t number);
    Digest& add(const Type& type) { return add_text(type.text()); }
    Digest& add(const Operator& op);
    Digest& add(const Value& value);
    uint64_t number() const { return number_; }

private:
    uint64_t number_ = 14695981039346656037U;
};

// The shards of all ranks. Of ranks of other processes their counts are known, and they have no memory.
using AllShards = std::vector<std::vector<Shard>>;

// The beginning of a call: `check` throws for what does not fit here. All processes then throw, or none: for what one
// of them refuses, and where they do not have the same digest.
AllShards agree(const Communicator& communicator, const char* operation, const Digest& digest,
                std::initializer_list<std::span<const Shard>> shards, const std::function<void()>& check);

// Part of memory of a rank, and of none where that is not of this process.
inline core::BufferRef part(const core::BufferRef& memory, uint64_t begin, uint64_t size) {
    return memory.is_valid() ? memory.slice(begin, size) : core::BufferRef();
}

// Work goes into the ranks' streams from one thread. Whichever way the call ends, all ranks have stopped working on its
// memory before that is freed.
class CollectiveCall {
public:
    explicit CollectiveCall(const Communicator& communicator)
        : communicator_(communicator),
          has_kept_memory_(communicator.take_kept_memory()),
          kept_used_(has_kept_memory_ ? communicator.local_size() : 0) {}
    ~CollectiveCall();
    CollectiveCall(const CollectiveCall&) = delete;
    CollectiveCall& operator=(const CollectiveCall&) = delete;

    size_t size() const { return communicator_.size(); }
    core::StreamRef stream(size_t rank) const { return communicator_.stream(rank); }
    // Another stream of a rank, for copies beside the work in that one, which must wait for them before the call
    // ends. Only where can_read_peers().
    core::StreamRef copy_stream(size_t rank) const { return communicator_.copy_stream(rank); }

    bool is_local(size_t rank) const { return communicator_.is_local(rank); }
    size_t first_local_rank() const { return communicator_.first_local_rank(); }
    // Processes have one rank each, if there are several.
    bool are_of_one_process(size_t rank, size_t other) const {
        return communicator_.local_size() == size() || rank == other;
    }
    // work(first rank) for each process.
    template <class Work>
    void on_each_process(const Work& work) const {
        const size_t processes = communicator_.local_size() == size() ? 1 : size();
        for (size_t process = 0; process < processes; ++process)
            work(process);
    }
    // work(rank) for one rank of this process after the other.
    template <class Work>
    void on_each_rank(const Work& work) const {
        for_each_local_rank(communicator_, [&](size_t rank) { on_rank(communicator_, rank, [&] { work(rank); }); });
    }
    // Nothing, where that is a rank of another process.
    template <class Work>
    void on_one_rank(size_t rank, const Work& work) const {
        if (is_local(rank)) on_rank(communicator_, rank, work);
    }

    // Until the end of the call. Little memory is kept by the communicator.
    core::BufferRef allocate(size_t rank, uint64_t bytes);
    template <class T>
    core::BufferRef upload(size_t rank, const std::vector<T>& elements) {
        static_assert(std::is_trivially_copyable_v<T>);
        const uint64_t bytes = elements.size() * sizeof(T);
        wait_for_other_processes();
        std::byte* const kept = keep(bytes);
        if (bytes > 0) std::memcpy(kept, elements.data(), bytes);
        const core::BufferRef memory = allocate(rank, bytes);
        memory.copy_from_host(kept, bytes, stream(rank));
        return memory;
    }
    // The elements are there after the next wait(), until the end of the call.
    template <class T>
    std::span<const T> download(size_t rank, const core::BufferRef& memory) {
        wait_for_other_processes();
        std::byte* const kept = keep(memory.size());
        memory.copy_to_host(kept, memory.size(), stream(rank));
        return {reinterpret_cast<const T*>(kept), memory.size() / sizeof(T)};
    }

    void exchange(const std::vector<Message>& messages) const { communicator_.exchange(messages); }
    // Fills in those of the other processes: `count` values of each rank, one rank after the other. Waits for the ranks
    // where there are others.
    template <class T>
    void gather(std::vector<T>& values, uint64_t count) {
        if (communicator_.local_size() == size()) return;
        static_assert(std::is_trivially_copyable_v<T>);
        const uint64_t bytes = count * sizeof(T);
        std::vector<core::BufferRef> sources(size()), all(size());
        on_each_rank([&](size_t rank) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(rank * count);
            sources[rank] = upload(rank, std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(count)));
            all[rank] = allocate(rank, bytes * size());
        });
        std::vector<Message> messages;
        for (size_t from = 0; from < size(); ++from) {
            for (size_t to = 0; to < size(); ++to)
                messages.push_back({from, to, sources[from], part(all[to], from * bytes, bytes)});
        }
        exchange(messages);
        std::span<const T> found;
        const size_t first = communicator_.first_local_rank();
        on_one_rank(first, [&] { found = download<T>(first, all[first]); });
        wait();
        values.assign(found.begin(), found.end());
    }
    // Whether each rank's kernels can read what has been allocated here for the others.
    bool can_read_peers() const;
    // What a rank does from here on comes after the work so far of all ranks.
    void wait_for_each_other() const;
    void wait() const { communicator_.sync(); }
    // wait(), after which there is no more work.
    void finish();

private:
    // The driver may wait for a stream in a copy from or to pageable memory, without an end where another process has
    // died: it gets nothing to wait for.
    void wait_for_other_processes() const {
        if (communicator_.local_size() < size()) wait();
    }
    std::byte* keep(uint64_t bytes);
    void stop_work() noexcept;

    const Communicator& communicator_;
    const bool has_kept_memory_;
    std::vector<uint64_t> kept_used_;                 // bytes of each local rank's kept memory
    std::deque<std::vector<std::byte>> host_memory_;  // of copies that may be under way
    std::vector<core::Buffer> memory_;
    bool is_finished_ = false;
};

}  // namespace cuprum::parallel::distributed
