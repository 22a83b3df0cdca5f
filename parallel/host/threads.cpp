#include "threads.hpp"

#include <pthread.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <array>
#include <atomic>
#include <cstdlib>

// What runs the threads is chosen when Cuprum is built (CUPRUM_HOST_THREADS).
#if defined(CUPRUM_HOST_THREADS_TBB)
#include <tbb/task_arena.h>
#include <thrust/system/tbb/execution_policy.h>
#else
#include <omp.h>
#include <thrust/system/omp/execution_policy.h>
#endif

namespace cuprum::parallel::host {

namespace {

// The indices that a thread is to begin with. Not cleared: an array of as many as there may be costs nothing.
struct alignas(64) Run {
    size_t next;  // atomic
    size_t end;
};
constexpr size_t max_runs = 512;

std::atomic<bool> is_forked_child{false};

[[maybe_unused]] const int watches_forks =
    pthread_atfork(nullptr, nullptr, [] { is_forked_child.store(true, std::memory_order_relaxed); });

#if defined(CUPRUM_HOST_THREADS_TBB)

// What OMP_NUM_THREADS says, which TBB does not ask; 0 if nothing.
int thread_limit() {
    static const int limit = [] {
        const char* const text = std::getenv("OMP_NUM_THREADS");
        return text == nullptr ? 0 : static_cast<int>(std::clamp(std::strtol(text, nullptr, 10), 0L, 1L << 20));
    }();
    return limit;
}

// Whether there are more threads where the caller works than there are to be.
bool is_limited() {
    return thread_limit() > 0 && thread_limit() < tbb::this_task_arena::max_concurrency();
}

size_t available_threads() {
    return static_cast<size_t>(is_limited() ? thread_limit() : tbb::this_task_arena::max_concurrency());
}

// In the caller's own arena, where its other parallel loops run: the threads are awake there, and have in their caches
// what those loops have left. Isolated: a thread that waits for the end takes up none of the caller's other work, which
// may need locks that it holds.
template <class Function>
void run(size_t count, const Function& function) {
    const auto work = [&] {
        thrust::for_each_n(thrust::tbb::par, thrust::counting_iterator<size_t>(0), count, function);
    };
    if (is_limited()) {
        static auto* const arena = new tbb::task_arena(thread_limit());  // for ever: calls may be under way at exit
        arena->execute(work);
    } else {
        tbb::this_task_arena::isolate(work);
    }
}

#else

size_t available_threads() {
    return static_cast<size_t>(std::max(omp_get_max_threads(), 1));
}

template <class Function>
void run(size_t count, const Function& function) {
    thrust::for_each_n(thrust::omp::par, thrust::counting_iterator<size_t>(0), count, function);
}

#endif

}  // namespace

size_t thread_count() {
    return is_forked_child.load(std::memory_order_relaxed) ? 1 : available_threads();
}

void detail::for_each_index(size_t count, void (*function)(const void* context, size_t index), const void* context) {
    if (thread_count() == 1) {
        for (size_t i = 0; i < count; ++i)
            function(context, i);
        return;
    }
    const size_t runs = std::min({count, thread_count(), max_runs});
    std::array<Run, max_runs> all;
    for (size_t i = 0; i < runs; ++i) {
        all[i] = {count * i / runs, count * (i + 1) / runs};
    }
    run(runs, [&](size_t own) {
        for (size_t i = 0; i < runs; ++i) {
            Run& indices = all[(own + i) % runs];
            const std::atomic_ref next(indices.next);
            while (next.load(std::memory_order_relaxed) < indices.end) {
                const size_t index = next.fetch_add(1, std::memory_order_relaxed);
                if (index < indices.end) function(context, index);
            }
        }
    });
}

}  // namespace cuprum::parallel::host
