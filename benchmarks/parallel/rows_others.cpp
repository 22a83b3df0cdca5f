// Transformations, histograms, calls for each element and copies beside CUB's.
#include "bench.hpp"

namespace cuprum::benchmarks {
namespace {
// What the operator of for_each sees.
struct Addresses {
    uint64_t in, out;
};
}  // namespace
}  // namespace cuprum::benchmarks

template <>
struct cuprum::parallel::TypeTraits<cuprum::benchmarks::Addresses> {
    static Type type() {
        using cuprum::benchmarks::Addresses;
        return Type::structure_of<Addresses>("Addresses", field("in", &Addresses::in), field("out", &Addresses::out));
    }
};

namespace cuprum::benchmarks {

using namespace core;
using namespace parallel;

namespace {
const char* const fused = "a * 2.0f + 1.0f";
}  // namespace

std::vector<Row> rows_of_others() {
    const Type f32 = Type::of<float>();
    const Type u32 = Type::of<uint32_t>();
    const Iterator floats = Iterator::pointer(f32);
    const Iterator addresses = Iterator::pointer(Type::of<uint64_t>());
    return {
        {"transform f32",
         "cub_transform_f32",
         "",
         {Data::numbers},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 Transform(floats, fused, f32),
                 [](const Transform& transform, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { transform(stream, memory.in[0], memory.out[0], n, options); });
         }},
        {"transform f32*f32",
         "cub_transform_binary_f32",
         "",
         {Data::numbers, Data::same_numbers},
         {{4, 0}},
         12,
         [=] {
             return algorithm(Transform(floats, floats, "a * b", f32),
                              [](const Transform& transform, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  transform(stream, memory.in[0], memory.in[1], memory.out[0], n, options);
                              });
         }},
        {"for_each f32",
         "cub_for_each_f32",
         "",
         {Data::numbers},
         {{4, 0}},
         8,
         [=] {
             const Iterator positions = Iterator::counting(int32_t{0});
             const Operator store(
                 "reinterpret_cast<float*>(out)[a] = reinterpret_cast<const float*>(in)[a] * 2.0f + 1.0f; return true;",
                 Addresses{});
             return algorithm(ForEach(positions, store),
                              [positions, store](const ForEach& for_each, const Stream& stream, const Memory& memory,
                                                 uint64_t n, const CallOptions&) {
                                  const Operator bound =
                                      store.with_state(Value(Addresses{memory.in[0].handle(), memory.out[0].handle()}));
                                  for_each(stream, positions, n, {.op = &bound});
                              });
         }},
        {"histogram even f32, 256",
         "cub_histogram_even_f32",
         "",
         {Data::numbers},
         {{0, uint64_t{4} * bin_count}},
         4,
         [=] {
             return algorithm(HistogramEven(floats, f32, u32),
                              [](const HistogramEven& histogram, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  histogram(stream, memory.in[0], memory.out[0], bin_count, 0.0F, 1.0F, n, options);
                              });
         }},
        {"histogram range f32, 256",
         "cub_histogram_range_f32",
         "",
         {Data::numbers, Data::levels},
         {{0, uint64_t{4} * bin_count}},
         4,
         [=] {
             return algorithm(HistogramRange(floats, f32, u32),
                              [](const HistogramRange& histogram, const Stream& stream, const Memory& memory,
                                 uint64_t n, const CallOptions& options) {
                                  histogram(stream, memory.in[0], memory.in[1], memory.out[0], bin_count, n, options);
                              });
         }},
        {"batched copies, 1 B to 4 KiB",
         "cub_batched_memcpy",
         "",
         {Data::sources, Data::targets, Data::targets, Data::sizes},
         {{4, 0}},
         4,
         [=] {
             return algorithm(BatchedMemcpy(addresses, addresses, Iterator::pointer(u32)),
                              [](const BatchedMemcpy& copy, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  copy(stream, memory.in[0], memory.in[1], memory.in[3], n * 4 / copy_slot, options);
                              });
         }},
    };
}

}  // namespace cuprum::benchmarks
