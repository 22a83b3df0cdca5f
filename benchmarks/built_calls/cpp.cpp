// Calls of built algorithms in C++.
#include "built_calls.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum::core;
using namespace cuprum::parallel;
using cuprum::benchmarks::element_count;
using cuprum::benchmarks::print_built_call;

int main() {
    const Type f32 = Type::of<float>();
    const Device device(0);
    const Stream stream = device.create_stream();
    const Buffer in = device.allocate(element_count * sizeof(float));
    const Buffer out = device.allocate(element_count * sizeof(float));
    in.fill(0, 4, stream);
    const Iterator elements = Iterator::pointer(f32);
    const Reduce reduce(elements, OpKind::plus, f32);
    const Scan scan(ScanKind::inclusive, elements, OpKind::plus, f32);
    const Transform square(elements, "a * a", f32);
    const RadixSort sort(SortOrder::ascending, f32);
    const auto drain = [&] { stream.sync(); };
    print_built_call("reduce", [&] { reduce(stream, in, out, element_count, 0.0F); }, drain);
    print_built_call("inclusive scan", [&] { scan(stream, in, out, element_count); }, drain);
    print_built_call("transform", [&] { square(stream, in, out, element_count); }, drain);
    print_built_call("radix sort", [&] { sort(stream, in, out, element_count); }, drain);
    return 0;
}
