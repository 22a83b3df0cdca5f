// Two rows of the baseline that benchmark_parallel measures against, where there is no nvcc and no GPU; with
// BASELINE_COUNTS_64_BITS one of them. CUPRUM_TEST_BASELINE=wrong: its results are wrong.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "cuprum/bindings/driver.hpp"

namespace driver = cuprum::bindings::driver;

namespace {

void must(CUresult result) {
    if (result == CUDA_SUCCESS) return;
    std::fprintf(stderr, "the stand-in for the baseline: the driver failed with %d\n", static_cast<int>(result));
    std::abort();
}

CUdeviceptr address(const void* pointer) {
    return reinterpret_cast<CUdeviceptr>(pointer);
}

template <class T>
std::vector<T> read(const void* in, long long n, CUstream stream) {
    std::vector<T> elements(static_cast<size_t>(n));
    must(driver::cuMemcpyDtoHAsync(elements.data(), address(in), elements.size() * sizeof(T), stream));
    must(driver::cuStreamSynchronize(stream));
    return elements;
}

template <class T>
void write(void* out, std::vector<T> elements, CUstream stream) {
    const char* const setting = std::getenv("CUPRUM_TEST_BASELINE");
    if (setting != nullptr && std::strcmp(setting, "wrong") == 0) elements.back() += T{1};
    must(driver::cuMemcpyHtoDAsync(address(out), elements.data(), elements.size() * sizeof(T), stream));
    must(driver::cuStreamSynchronize(stream));
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int cub_sort_keys_u32(void* storage, size_t* bytes, const void* const* in,
                                                     void* const* out, long long n, CUstream stream) {
    if (storage == nullptr) {
        *bytes = 1;
        return 0;
    }
    std::vector<uint32_t> keys = read<uint32_t>(in[0], n, stream);
    std::sort(keys.begin(), keys.end());
    write(out[0], std::move(keys), stream);
    return 0;
}

#ifndef BASELINE_COUNTS_64_BITS
[[gnu::visibility("default")]] int cub_reduce_f32(void* storage, size_t* bytes, const void* const* in, void* const* out,
                                                  long long n, CUstream stream) {
    if (storage == nullptr) {
        *bytes = 1;
        return 0;
    }
    const std::vector<float> numbers = read<float>(in[0], n, stream);
    write(out[0], std::vector<float>{std::accumulate(numbers.begin(), numbers.end(), 0.0F)}, stream);
    return 0;
}
#endif
}
