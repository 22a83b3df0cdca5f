// Calls of built algorithms through the C ABI.
#include "../c_abi.hpp"

#include "built_calls.hpp"

using cuprum::benchmarks::element_count;
using cuprum::benchmarks::must;
using cuprum::benchmarks::print_built_call;

int main() {
    cuprum_stream stream = nullptr;
    cuprum_buffer buffers[2] = {};
    uint64_t in = 0;
    uint64_t out = 0;
    must(cuprum_stream_create(&stream, 0, nullptr));
    for (cuprum_buffer& buffer : buffers)
        must(cuprum_buffer_allocate(&buffer, 0, element_count * sizeof(float), nullptr));
    must(cuprum_buffer_native(&in, buffers[0]));
    must(cuprum_buffer_native(&out, buffers[1]));
    must(cuprum_buffer_fill(buffers[0], 0, 4, stream));
    cuprum_parallel_operator plus = nullptr;
    cuprum_parallel_operator times = nullptr;
    cuprum_parallel_iterator elements = nullptr;
    must(cuprum_parallel_operator_create(&plus, "plus", nullptr, nullptr, 0));
    must(cuprum_parallel_operator_create(&times, "a * a", nullptr, nullptr, 0));
    must(cuprum_parallel_iterator_pointer(&elements, "float32", in));
    cuprum_parallel_algorithm reduce = nullptr;
    cuprum_parallel_algorithm scan = nullptr;
    cuprum_parallel_algorithm square = nullptr;
    cuprum_parallel_algorithm sort = nullptr;
    must(cuprum_parallel_reduce_build(&reduce, nullptr, elements, plus, "float32", nullptr));
    must(cuprum_parallel_scan_build(&scan, nullptr, CUPRUM_SCAN_INCLUSIVE, elements, plus, "float32", nullptr));
    must(cuprum_parallel_transform_build(&square, nullptr, elements, nullptr, times, "float32", nullptr));
    must(cuprum_parallel_radix_sort_build(&sort, nullptr, CUPRUM_SORT_ASCENDING, "float32", nullptr));
    const float zero = 0;
    const auto drain = [&] { must(cuprum_stream_sync(stream)); };
    print_built_call(
        "reduce",
        [&] {
            must(cuprum_parallel_reduce(reduce, stream, elements, out, nullptr, element_count, &zero, sizeof zero,
                                        nullptr, 0, 0));
        },
        drain);
    print_built_call(
        "inclusive scan",
        [&] {
            must(cuprum_parallel_scan(scan, stream, elements, out, nullptr, element_count, nullptr, 0, 0, nullptr, 0,
                                      0));
        },
        drain);
    print_built_call(
        "transform",
        [&] {
            must(cuprum_parallel_transform(square, stream, elements, nullptr, out, nullptr, element_count, nullptr));
        },
        drain);
    print_built_call(
        "radix sort",
        [&] { must(cuprum_parallel_sort(sort, stream, in, out, 0, 0, element_count, 0, 0, nullptr, 0, 0)); }, drain);
    for (const cuprum_parallel_algorithm algorithm : {reduce, scan, square, sort})
        must(cuprum_parallel_algorithm_destroy(algorithm));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_parallel_operator_destroy(times));
    must(cuprum_parallel_operator_destroy(plus));
    for (const cuprum_buffer buffer : buffers)
        must(cuprum_buffer_destroy(buffer));
    must(cuprum_stream_destroy(stream));
    return 0;
}
