// Reductions and scans beside CUB's.
#include "bench.hpp"

namespace cuprum::benchmarks {

using namespace core;
using namespace parallel;

namespace {
const char* const larger_magnitude = "fabsf(a) > fabsf(b) ? a : b";

DevicePointer ends(const BufferRef& segments) {
    return segments.handle() + sizeof(int32_t);
}
}  // namespace

std::vector<Row> rows_of_sums() {
    const Type f32 = Type::of<float>();
    const Type u32 = Type::of<uint32_t>();
    const Type i32 = Type::of<int32_t>();
    const Iterator floats = Iterator::pointer(f32);
    const Iterator integers = Iterator::pointer(u32);
    const auto reduce = [](const Reduce& sum, const Stream& stream, const Memory& memory, uint64_t n,
                           const CallOptions& options) { sum(stream, memory.in[0], memory.out[0], n, 0.0F, options); };
    const auto scan_by_key = [](const auto& scan, const Stream& stream, const Memory& memory, uint64_t n,
                                const CallOptions& options) {
        scan(stream, memory.in[0], memory.in[1], memory.out[0], n, options);
    };
    return {
        {"reduce sum f32",
         "cub_reduce_f32",
         "",
         {Data::numbers},
         {{0, 4, Compared::nearly}},
         4,
         [=] { return algorithm(Reduce(floats, OpKind::plus, f32), reduce); }},
        {"reduce f32, gpu_to_gpu",
         "cub_reduce_f32",
         "CUB: a sum in any order",
         {Data::numbers},
         {{0, 4, Compared::nearly}},
         4,
         [=] {
             return algorithm(
                 Reduce(floats, OpKind::plus, f32, Execution::on_device(0).require(Determinism::gpu_to_gpu)), reduce);
         }},
        {"reduce own operator f32",
         "cub_reduce_own_f32",
         "",
         {Data::numbers},
         {{0, 4}},
         4,
         [=] { return algorithm(Reduce(floats, larger_magnitude, f32), reduce); }},
        {"arg-min f32",
         "cub_arg_min_f32",
         "",
         {Data::numbers},
         {{0, 12}},
         4,
         [=] {
             return algorithm(
                 ArgReduce(ArgKind::minimum, floats),
                 [](const ArgReduce& arg_min, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { arg_min(stream, memory.in[0], memory.out[0], n, options); });
         }},
        {"min-max f32",
         "cub_min_max_f32",
         "CUB: a reduction of pairs",
         {Data::numbers},
         {{0, 8}},
         4,
         [=] {
             return algorithm(MinMax(floats), [](const MinMax& extremes, const Stream& stream, const Memory& memory,
                                                 uint64_t n, const CallOptions& options) {
                 extremes(stream, memory.in[0], memory.out[0], n, options);
             });
         }},
        {"find f32, none",
         "cub_find_f32",
         "CUB: a reduction of positions",
         {Data::numbers},
         {{0, 8}},
         4,
         [=] {
             return algorithm(
                 FindIf(floats, "a > 2.0f"),
                 [](const FindIf& find, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { find(stream, memory.in[0], memory.out[0], n, options); });
         }},
        {"equal f32",
         "cub_equal_f32",
         "CUB: a reduction of bool",
         {Data::numbers, Data::same_numbers},
         {{0, 1}},
         8,
         [=] {
             return algorithm(Equal(floats, floats), [](const Equal& equal, const Stream& stream, const Memory& memory,
                                                        uint64_t n, const CallOptions& options) {
                 equal(stream, memory.in[0], memory.in[1], memory.out[0], n, options);
             });
         }},
        {"segments of 1024 f32",
         "cub_segmented_sum_f32",
         "",
         {Data::numbers, Data::segments},
         {{4.0 / segment_length, 0, Compared::nearly}},
         4,
         [=] {
             return algorithm(SegmentedReduce(floats, OpKind::plus, f32, i32),
                              [](const SegmentedReduce& sum, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  sum(stream, memory.in[0], memory.out[0], n / segment_length, memory.in[1],
                                      ends(memory.in[1]), 0.0F, options);
                              });
         }},
        {"reduce by key u32",
         "cub_reduce_by_key_u32",
         "",
         {Data::runs, Data::bits},
         {{4, 0}, {4, 0}, {0, 8}},
         10,
         [=] {
             return algorithm(ReduceByKey(integers, integers, OpKind::plus, u32),
                              [](const ReduceByKey& sum, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  sum(stream, memory.in[0], memory.in[1], memory.out[0], memory.out[1], memory.out[2],
                                      n, options);
                              });
         }},
        {"scan sum f32",
         "cub_scan_f32",
         "",
         {Data::numbers},
         {{4, 0, Compared::nearly}},
         8,
         [=] {
             return algorithm(
                 Scan(ScanKind::exclusive, floats, OpKind::plus, f32),
                 [](const Scan& scan, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { scan(stream, memory.in[0], memory.out[0], n, 0.0F, options); });
         }},
        {"scan own operator f32",
         "cub_scan_own_f32",
         "",
         {Data::numbers},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 Scan(ScanKind::inclusive, floats, larger_magnitude, f32),
                 [](const Scan& scan, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { scan(stream, memory.in[0], memory.out[0], n, options); });
         }},
        {"inclusive scan by key u32",
         "cub_inclusive_scan_by_key_u32",
         "",
         {Data::runs, Data::bits},
         {{4, 0}},
         12,
         [=] { return algorithm(InclusiveScanByKey(integers, integers, OpKind::plus, u32), scan_by_key); }},
        {"exclusive scan by key u32",
         "cub_exclusive_scan_by_key_u32",
         "",
         {Data::runs, Data::bits},
         {{4, 0}},
         12,
         [=] {
             return algorithm(ExclusiveScanByKey(integers, integers, OpKind::plus, u32),
                              [](const ExclusiveScanByKey& scan, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  scan(stream, memory.in[0], memory.in[1], memory.out[0], n, uint32_t{0}, options);
                              });
         }},
        {"segmented scan u32",
         "cub_segmented_scan_u32",
         "CUB: a scan by key",
         {Data::bits, Data::segments},
         {{4, 0}},
         8,
         [=] {
             return algorithm(SegmentedScan(ScanKind::inclusive, integers, OpKind::plus, u32, i32),
                              [](const SegmentedScan& scan, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  scan(stream, memory.in[0], memory.out[0], n, n / segment_length, memory.in[1],
                                       ends(memory.in[1]), options);
                              });
         }},
        {"adjacent difference u32",
         "cub_adjacent_difference_u32",
         "",
         {Data::bits},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 AdjacentDifference(Neighbour::left, integers, OpKind::minus, u32),
                 [](const AdjacentDifference& difference, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { difference(stream, memory.in[0], memory.out[0], n, options); });
         }},
    };
}

}  // namespace cuprum::benchmarks
