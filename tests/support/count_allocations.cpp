#include "count_allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local uint64_t allocations = 0;
thread_local uint64_t first_failure = 0;  // in `allocations`' count; 0: none
thread_local uint64_t last_failure = 0;
thread_local bool has_failed = false;

void fail(uint64_t first, uint64_t last) noexcept {
    first_failure = first;
    last_failure = last;
    has_failed = false;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    ++allocations;
    if (first_failure != 0 && allocations >= first_failure && allocations <= last_failure) {
        has_failed = true;
        return nullptr;
    }
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    return alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                  : std::aligned_alloc(alignment, rounded);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    if (void* memory = allocate(size, alignment)) {
        return memory;
    }
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new[](std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace cuprum::test {

uint64_t allocations_of_this_thread() noexcept {
    return allocations;
}
void fail_allocations_from(uint64_t n) noexcept {
    fail(n == 0 ? 0 : allocations + n, UINT64_MAX);
}
void fail_allocation(uint64_t n) noexcept {
    fail(n == 0 ? 0 : allocations + n, allocations + n);
}
bool has_an_allocation_failed() noexcept {
    return has_failed;
}

}  // namespace cuprum::test
