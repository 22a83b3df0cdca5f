// Thrust: vectors, sort, sort by key, reduce, transform, scan, unique, count, and a lambda.
// nvcc: --extended-lambda
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdio>

int main() {
    constexpr int n = 3000;
    thrust::host_vector<int> host(n);
    unsigned seed = 1;
    for (int& value : host) {
        seed = seed * 1664525 + 1013904223;
        value = static_cast<int>(seed >> 16) % 1000;
    }
    thrust::device_vector<int> numbers = host;
    thrust::device_vector<int> places(n);
    thrust::sequence(places.begin(), places.end());
    long sum = 0;
    for (const int value : host)
        sum += value;
    std::printf("sum %d\n", thrust::reduce(numbers.begin(), numbers.end(), 0L, thrust::plus<long>()) == sum);
    thrust::sort_by_key(numbers.begin(), numbers.end(), places.begin());
    bool sorted = true;
    for (int i = 0; i < n; ++i)
        sorted = sorted && numbers[i] == host[places[i]] && (i == 0 || numbers[i - 1] <= numbers[i]);
    std::printf("sorted by key %d\n", sorted);
    thrust::device_vector<float> values(1000);
    thrust::sequence(values.begin(), values.end());
    thrust::transform(values.begin(), values.end(), values.begin(), [] __device__(float x) { return 2 * x + 1; });
    thrust::inclusive_scan(values.begin(), values.end(), values.begin());
    std::printf("scan %g\n", static_cast<float>(values[999]));
    thrust::sort(values.begin(), values.end(), thrust::greater<float>());
    std::printf("greatest %g\n", static_cast<float>(values[0]));
    const auto end = thrust::unique(numbers.begin(), numbers.end());
    std::printf("unique %d, small %d\n", end - numbers.begin() <= 1000,
                static_cast<int>(thrust::count_if(values.begin(), values.end(), [] __device__(float x) { return x < 100; })));
    // expect: sum 1
    // expect: sorted by key 1
    // expect: scan 1e+06
    // expect: greatest 1e+06
    // expect: unique 1, small 9
}
