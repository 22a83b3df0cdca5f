// Work over the host's cores: Thrust's TBB or OpenMP system. Elsewhere nobody knows what runs the threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cuprum::parallel::host {

// How many threads work together: one per core, or as few as OMP_NUM_THREADS says, or as many as the arena has that the
// caller works in (TBB). 1 in a child that was forked after this library was loaded: the other threads are not there,
// and might be waited for forever.
size_t thread_count();

namespace detail {
void for_each_index(size_t count, void (*function)(const void* context, size_t index), const void* context);
}

// function(0) to function(count - 1), each by some thread; returns when all are done. They must not throw. Each thread
// has a contiguous run of them, the calling thread the first one, so that what lies in a core's cache is used
// there, by one call after another; who has done his own helps the others.
template <class Function>
void for_each_index(size_t count, const Function& function) {
    if (count == 1) {
        function(size_t{0});
        return;
    }
    detail::for_each_index(
        count, [](const void* context, size_t index) { (*static_cast<const Function*>(context))(index); }, &function);
}

// Elements 0 to n - 1 in consecutive pieces: `per_thread` for each thread, so that one that the machine holds
// up is not waited for long; fewer where they would have less than `smallest` elements. The bounds depend on n and the
// number of threads alone.
class Chunks {
public:
    static constexpr size_t max_count = 1024;

    explicit Chunks(uint64_t elements, uint64_t smallest = 1U << 14, uint64_t per_thread = 4) : elements_(elements) {
        const uint64_t wanted =
            elements < 2 * smallest ? 1 : std::min(elements / smallest, per_thread * uint64_t{thread_count()});
        count_ = static_cast<size_t>(std::clamp<uint64_t>(wanted, 1, max_count));
    }

    size_t count() const { return count_; }
    uint64_t begin(size_t chunk) const { return chunk == count_ ? elements_ : bound(chunk); }
    uint64_t end(size_t chunk) const { return begin(chunk + 1); }

private:
    // At multiples of 64 elements: no two threads write to one cache line.
    uint64_t bound(size_t chunk) const { return elements_ / count_ * chunk / 64 * 64; }

    uint64_t elements_;
    size_t count_;
};

}  // namespace cuprum::parallel::host
