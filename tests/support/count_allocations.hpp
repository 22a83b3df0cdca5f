// Counts what the calling thread takes from the heap, in a program that links
// cuprum_test_count_allocations, and lets allocations fail. It replaces operator new.
#pragma once

#include <cstdint>

namespace cuprum::test {

/// How often the calling thread has called operator new, ever.
uint64_t allocations_of_this_thread() noexcept;

/// From the n-th allocation of the calling thread on, counted from now, all fail; 0 lets all succeed.
void fail_allocations_from(uint64_t n) noexcept;

/// The n-th allocation of the calling thread, counted from now, fails, and no other; 0 lets all succeed.
void fail_allocation(uint64_t n) noexcept;

/// Whether an allocation of the calling thread has failed since the last fail_allocation() or fail_allocations_from().
bool has_an_allocation_failed() noexcept;

class AllocationCount {
public:
    uint64_t so_far() const noexcept { return allocations_of_this_thread() - start_; }

private:
    uint64_t start_ = allocations_of_this_thread();
};

}  // namespace cuprum::test
