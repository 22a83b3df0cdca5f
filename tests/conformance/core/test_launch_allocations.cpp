// A launch allocates nothing. A program of its own, because it counts what operator new is asked for.
//
// Nor does it take a lock: see launch.cpp and context.cpp, where everything on the way of a launch is an atomic load.
#include <cuda.h>

#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

// Allocations of ours only: with the driver's launch replaced by nothing, what is left is core's.
CUresult accept_launch(const CUlaunchConfig*, CUfunction, void**, void**) {
    return CUDA_SUCCESS;
}

TEST(Launch, AllocatesNothing) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Buffer x = device.allocate(1024);
    const Kernel saxpy = test::kernel("saxpy");
    const bindings::TableOverride override_launch(bindings::driver::library(), "cuLaunchKernelEx", &accept_launch);
    launch(stream, {1, 256}, saxpy, 2.0F, x, x, 256);  // reads the device's limits

    const cuprum::test::AllocationCount allocations;
    for (int i = 0; i < 100; ++i)
        launch(stream, {1, 256}, saxpy, 2.0F, x, x, 256);
    EXPECT_EQ(allocations.so_far(), 0U);

    for (int i = 0; i < 100; ++i)
        launch(device.default_stream(), {1, 256}, saxpy, 2.0F, x, x, 256);
    EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(Launch, WithAttributesAllocatesNothing) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Kernel nothing = test::kernel("nothing");
    const bindings::TableOverride override_launch(bindings::driver::library(), "cuLaunchKernelEx", &accept_launch);
    LaunchConfig config{1, 1};
    config.is_cooperative = config.programmatic_stream_serialization = true;
    config.cluster = Dimensions{1};
    config.priority = 0;
    config.preferred_shared_memory_carveout = 50;
    config.memory_sync_domain = MemorySyncDomain::remote;
    config.memory_sync_domain_map = MemorySyncDomainMap{};
    config.access_policy_window = AccessPolicyWindow{};
    launch(stream, config, nothing);  // reads the device's limits

    const cuprum::test::AllocationCount allocations;
    for (int i = 0; i < 100; ++i)
        launch(stream, config, nothing);
    EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(Launch, OfManyArgumentsAllocatesNothing) {
    constexpr size_t count = 200;
    std::string source = "extern \"C\" __global__ void wide(int a0";
    for (size_t i = 1; i < count; ++i)
        source += ", int a" + std::to_string(i);
    const Kernel wide = Program(source + ") {}").compile().get_kernel("wide");
    const Device device(0);
    const Stream stream = device.create_stream();
    const bindings::TableOverride override_launch(bindings::driver::library(), "cuLaunchKernelEx", &accept_launch);
    const int value = 1;
    const std::vector<const void*> addresses(count, &value);
    const std::vector<ArgumentType> types(count, ArgumentType{sizeof(int), ArgumentKind::integer});
    launch_arguments(stream, {1, 1}, wide, addresses, types);  // reads the device's limits

    const cuprum::test::AllocationCount allocations;
    for (int i = 0; i < 100; ++i)
        launch_arguments(stream, {1, 1}, wide, addresses, types);
    EXPECT_EQ(allocations.so_far(), 0U);
}

TEST(Launch, AllocationsWouldBeCounted) {
    const Device device(0);
    const Stream stream = device.create_stream();
    const Kernel saxpy = test::kernel("saxpy");
    const cuprum::test::AllocationCount allocations;
    EXPECT_THROW(launch(stream, {1, 256}, saxpy), ArgumentMismatch);  // makes a text
    EXPECT_GT(allocations.so_far(), 0U);
}

}  // namespace
}  // namespace cuprum::core
