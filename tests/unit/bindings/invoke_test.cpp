// Calls through the one signature that every function has beside its own.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using Invoke = Bindings;

std::uint64_t invoke(Library& library, const char* name, const std::uint64_t* arguments) {
    std::uint64_t result[4] = {99, 99, 99, 99};
    library.find(name)->invoke(arguments, result);
    return result[0];
}

std::uint64_t slot(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

struct Seen {
    CUdeviceptr address;
    std::size_t bytes;
    float value;
    int number;
    CUmemLocation location;
} seen;

CUresult see_memory(CUdeviceptr* address, std::size_t bytes) {
    seen.bytes = bytes;
    *address = 0xFFFFFFFF00000001;
    return CUDA_ERROR_ASSERT;
}

CUresult see_float(CUfunction, int number, float value) {
    seen.number = number;
    seen.value = value;
    return CUDA_SUCCESS;
}

TEST_F(Invoke, SixtyFourBitsArriveAndComeBack) {
    const TableOverride override(driver::library(), "cuMemAlloc", &see_memory);
    CUdeviceptr address = 0;
    const std::uint64_t arguments[] = {slot(&address), 0xFFFFFFFF00000001};
    EXPECT_EQ(invoke(driver::library(), "cuMemAlloc", arguments), static_cast<std::uint64_t>(CUDA_ERROR_ASSERT));
    EXPECT_EQ(seen.bytes, 0xFFFFFFFF00000001);
    EXPECT_EQ(address, 0xFFFFFFFF00000001);
}

TEST_F(Invoke, FloatsAreTheirBitsAndSignedNumbersMayBeExtendedEitherWay) {
    const TableOverride override(driver::library(), "cuParamSetf", &see_float);
    for (const std::uint64_t minus_two : {0xFFFFFFFFFFFFFFFEULL, 0x00000000FFFFFFFEULL}) {
        const std::uint64_t arguments[] = {0, minus_two, std::bit_cast<std::uint32_t>(1.5F)};
        EXPECT_EQ(invoke(driver::library(), "cuParamSetf", arguments), 0u);
        EXPECT_EQ(seen.number, -2);
        EXPECT_EQ(seen.value, 1.5F);
    }
}

#if CUDA_VERSION >= 13000
CUresult see_location(CUdeviceptr, std::size_t, CUmem_advise, CUmemLocation location) {
    seen.location = location;
    return CUDA_SUCCESS;
}

TEST_F(Invoke, AStructureByValueIsGivenByItsAddress) {
    const TableOverride override(driver::library(), "cuMemAdvise", &see_location);
    const CUmemLocation location{.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 3};
    const std::uint64_t arguments[] = {0, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, slot(&location)};
    EXPECT_EQ(invoke(driver::library(), "cuMemAdvise", arguments), 0u);
    EXPECT_EQ(seen.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(seen.location.id, 3);
}
#endif

cudaChannelFormatDesc make_description(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

TEST_F(Invoke, AStructureComesBackAsItself) {
    const TableOverride override(runtime::library(), "cudaCreateChannelDesc", &make_description);
    const std::uint64_t arguments[] = {8, 16, 24, 32, cudaChannelFormatKindFloat};
    std::uint64_t result[(sizeof(cudaChannelFormatDesc) + 7) / 8];
    runtime::library().find("cudaCreateChannelDesc")->invoke(arguments, result);
    cudaChannelFormatDesc description;
    std::memcpy(&description, result, sizeof description);
    EXPECT_EQ(description.w, 32);
    EXPECT_EQ(description.f, cudaChannelFormatKindFloat);
}

TEST_F(Invoke, ATextComesBackAsItsAddress) {
    use("nvrtc");
    const std::uint64_t arguments[] = {0};
    EXPECT_STREQ(reinterpret_cast<const char*>(invoke(nvrtc::library(), "nvrtcGetErrorString", arguments)),
                 "miniature success");
}

// Not made: a function that is missing gives its library's status.
TEST_F(Invoke, EveryFunctionOfEveryLibraryComesAsFarAsTheResolver) {
    const EmptyMachine machine;
    std::uint64_t nothing[64] = {};
    unsigned char memory[512] = {};
    for (std::uint64_t& argument : nothing) {
        argument = slot(memory);  // structures by value are read
    }
    for (Library* library : libraries()) {
        for (const Function& function : library->functions()) {
            std::uint64_t result[8] = {};
            take_resolution_failure();
            function.invoke(nothing, result);
            const auto failure = take_resolution_failure();
            ASSERT_TRUE(failure.has_value()) << function.name;
            EXPECT_EQ(failure->function, function.name);
        }
    }
}

}  // namespace
}  // namespace cuprum::bindings::test
