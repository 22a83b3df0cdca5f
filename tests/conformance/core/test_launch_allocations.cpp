// A launch allocates nothing. A program of its own, because it replaces operator new.
//
// Nor does it take a lock: see launch.cpp and context.cpp, where everything on the way of a launch is an atomic load.
#include <atomic>
#include <cstdlib>
#include <new>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace {

// Of this thread: a driver's own threads may allocate what they like.
thread_local long allocations = 0;

void* counted(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
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

namespace cuprum::core {
namespace {

// Allocations of ours only: with the driver's launch replaced by nothing, what is left is core's.
CUresult accept_launch(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                       unsigned int, CUstream, void**, void**) {
    return CUDA_SUCCESS;
}

TEST(Launch, AllocatesNothing) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Buffer x = device.allocate(1024);
    const Kernel saxpy = test::kernel("saxpy");
    const bindings::TableOverride override_launch(bindings::driver::library(), "cuLaunchKernel", &accept_launch);
    launch(stream, {1, 256}, saxpy, 2.0F, x, x, 256);  // reads the device's limits

    const long before = allocations;
    for (int i = 0; i < 100; ++i)
        launch(stream, {1, 256}, saxpy, 2.0F, x, x, 256);
    EXPECT_EQ(allocations - before, 0);

    for (int i = 0; i < 100; ++i)
        launch(device.default_stream(), {1, 256}, saxpy, 2.0F, x, x, 256);
    EXPECT_EQ(allocations - before, 0);
}

TEST(Launch, AllocationsWouldBeCounted) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Kernel saxpy = test::kernel("saxpy");
    const long before = allocations;
    EXPECT_THROW(launch(stream, {1, 256}, saxpy), ArgumentMismatch);  // makes a text
    EXPECT_GT(allocations - before, 0);
}

}  // namespace
}  // namespace cuprum::core
