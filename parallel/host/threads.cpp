#include "threads.hpp"

#include <pthread.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

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

std::atomic<bool> is_forked_child{false};

[[maybe_unused]] const int watches_forks =
    pthread_atfork(nullptr, nullptr, [] { is_forked_child.store(true, std::memory_order_relaxed); });

#if defined(CUPRUM_HOST_THREADS_TBB)

// TBB does not ask OMP_NUM_THREADS.
int wanted_threads() {
    const char* const text = std::getenv("OMP_NUM_THREADS");
    const long number = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return number >= 1 && number <= 4096 ? static_cast<int>(number) : tbb::task_arena::automatic;
}

tbb::task_arena& arena() {
    static auto* const made = new tbb::task_arena(wanted_threads());  // never destroyed: calls may be under way at exit
    return *made;
}

size_t available_threads() {
    return static_cast<size_t>(arena().max_concurrency());
}

template <class Function>
void run(size_t count, const Function& function) {
    arena().execute(
        [&] { thrust::for_each_n(thrust::tbb::par, thrust::counting_iterator<size_t>(0), count, function); });
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
    run(count, [=](size_t index) { function(context, index); });
}

}  // namespace cuprum::parallel::host
