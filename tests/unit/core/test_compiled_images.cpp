// What NVRTC makes is whole: no cubin of any architecture or option is taken for a damaged one.
#include <gtest/gtest.h>

#include <string>

#include "cuprum/cuprum.hpp"
#include "image_check.hpp"
#include "nvrtc_compile.hpp"

namespace cuprum::core {
namespace {

// Memory of all kinds: sections with and without bytes in the file.
constexpr const char* source = R"(
__constant__ int table[100] = {1, 2, 3};
__device__ float initialised[100] = {1, 2, 3};
__device__ float zeros[4096];
__managed__ int managed;
extern __shared__ char dynamic[];
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void first(float* x, int n) {
    __shared__ float shared[100];
    int local[64];
    for (int i = 0; i < 64; ++i) local[i] = x[i] * n;
    shared[threadIdx.x % 100] = local[n & 63] + table[n % 100] + initialised[n % 100] + zeros[n] + managed + dynamic[n];
    __syncthreads();
    x[n] = shared[(n + 1) % 100] + fibonacci(n);
}
extern "C" __global__ void second() {}
)";

TEST(CompiledImages, AreWholeForEveryArchitectureAndOption) {
    const std::vector<int> archs = nvrtc_supported_archs();
    ASSERT_FALSE(archs.empty());
    for (const int arch : {archs.front(), archs[archs.size() / 2], archs.back()}) {
        for (const bool is_relocatable : {false, true}) {
            for (const bool has_debug_info : {false, true}) {
                ProgramOptions options;
                options.arch = "sm_" + std::to_string(arch);
                options.relocatable_device_code = is_relocatable;
                options.debug = has_debug_info;
                const ObjectCode cubin = Program(source, SourceType::cxx, options).compile(CodeType::cubin);
                EXPECT_NO_THROW(check_image(CodeType::cubin, cubin.code(), "cubin"))
                    << options.arch << (is_relocatable ? ", relocatable" : "") << (has_debug_info ? ", debug" : "");
                // The tables lie behind the sections' bytes, or before.
                EXPECT_THROW(check_image(CodeType::cubin, cubin.code().substr(0, cubin.code().size() - 1), "cubin"),
                             InvalidArgument);
            }
        }
    }
}

}  // namespace
}  // namespace cuprum::core
