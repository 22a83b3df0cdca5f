// Sorts, merges and searches beside CUB's.
#include "bench.hpp"

namespace cuprum::benchmarks {

using namespace core;
using namespace parallel;

namespace {
DevicePointer ends(const BufferRef& segments) {
    return segments.handle() + sizeof(int32_t);
}

std::function<Algorithm()> bounds_of(Bound bound) {
    return [bound] {
        const Iterator integers = Iterator::pointer(Type::of<uint32_t>());
        return algorithm(BinarySearch(bound, integers, integers, OpKind::less, Type::of<uint32_t>()),
                         [](const BinarySearch& search, const Stream& stream, const Memory& memory, uint64_t n,
                            const CallOptions& options) {
                             search(stream, memory.in[0], n, memory.in[1], memory.out[0], n, options);
                         });
    };
}
}  // namespace

std::vector<Row> rows_of_orders() {
    const Type u32 = Type::of<uint32_t>();
    const Type i32 = Type::of<int32_t>();
    const Iterator integers = Iterator::pointer(u32);
    return {
        {"radix keys u32",
         "cub_sort_keys_u32",
         "",
         {Data::bits},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 RadixSort(SortOrder::ascending, u32),
                 [](const RadixSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { sort(stream, memory.in[0], memory.out[0], n, {}, options); });
         }},
        {"radix keys u128, n / 4",
         "cub_sort_keys_u128",
         "",
         {Data::bits},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 RadixSort(SortOrder::ascending, Type::of<uint128>()),
                 [](const RadixSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { sort(stream, memory.in[0], memory.out[0], n / 4, {}, options); });
         }},
        {"radix pairs u32+u32",
         "cub_sort_pairs_u32",
         "",
         {Data::bits, Data::numbers},
         {{4, 0}, {4, 0}},
         16,
         [=] {
             return algorithm(RadixSort(SortOrder::ascending, u32, u32), [](const RadixSort& sort, const Stream& stream,
                                                                            const Memory& memory, uint64_t n,
                                                                            const CallOptions& options) {
                 sort(stream, memory.in[0], memory.out[0], memory.in[1], memory.out[1], n, {}, options);
             });
         }},
        {"merge sort u32",
         "cub_merge_sort_u32",
         "",
         {Data::bits},
         {{4, 0}},
         8,
         [=] {
             return algorithm(
                 MergeSort(OpKind::less, u32),
                 [](const MergeSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { sort(stream, memory.in[0], memory.out[0], n, options); });
         }},
        {"merge sort pairs u32+u32",
         "cub_merge_sort_pairs_u32",
         "",
         {Data::bits, Data::numbers},
         {{4, 0}, {4, 0}},
         16,
         [=] {
             return algorithm(MergeSort(OpKind::less, u32, u32),
                              [](const MergeSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  sort(stream, memory.in[0], memory.out[0], memory.in[1], memory.out[1], n, options);
                              });
         }},
        {"segmented sort keys u32",
         "cub_segmented_sort_keys_u32",
         "",
         {Data::bits, Data::segments},
         {{4, 0}},
         8,
         [=] {
             return algorithm(SegmentedSort(SortOrder::ascending, u32, std::nullopt, i32),
                              [](const SegmentedSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  sort(stream, memory.in[0], memory.out[0], n, n / segment_length, memory.in[1],
                                       ends(memory.in[1]), options);
                              });
         }},
        {"segmented sort pairs u32",
         "cub_segmented_sort_pairs_u32",
         "",
         {Data::bits, Data::segments, Data::numbers},
         {{4, 0}, {4, 0}},
         16,
         [=] {
             return algorithm(SegmentedSort(SortOrder::ascending, u32, u32, i32),
                              [](const SegmentedSort& sort, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  sort(stream, memory.in[0], memory.out[0], memory.in[2], memory.out[1], n,
                                       n / segment_length, memory.in[1], ends(memory.in[1]), options);
                              });
         }},
        {"top 1024 keys u32",
         "cub_sort_keys_u32",
         "CUB: a radix sort",
         {Data::bits},
         {{0, uint64_t{4} * top_count, Compared::in_any_order}},
         4,
         [=] {
             return algorithm(
                 TopkKeys(SortOrder::ascending, integers),
                 [](const TopkKeys& topk, const Stream& stream, const Memory& memory, uint64_t n,
                    const CallOptions& options) { topk(stream, memory.in[0], memory.out[0], top_count, n, options); });
         }},
        // Each key is its own value: of equal ones any may be selected.
        {"top 1024 pairs u32",
         "cub_sort_pairs_u32",
         "CUB: a radix sort",
         {Data::bits, Data::bits},
         {{0, uint64_t{4} * top_count, Compared::in_any_order}, {0, uint64_t{4} * top_count, Compared::in_any_order}},
         4,
         [=] {
             return algorithm(TopkPairs(SortOrder::ascending, integers, integers),
                              [](const TopkPairs& topk, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  topk(stream, memory.in[0], memory.in[1], memory.out[0], memory.out[1], top_count, n,
                                       options);
                              });
         }},
        {"merge keys u32",
         "cub_merge_keys_u32",
         "",
         {Data::sorted, Data::also_sorted},
         {{4, 0}},
         8,
         [=] {
             return algorithm(MergeKeys(integers, integers),
                              [](const MergeKeys& merge, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  merge(stream, memory.in[0], n / 2, memory.in[1], n / 2, memory.out[0], options);
                              });
         }},
        {"merge pairs u32+u32",
         "cub_merge_pairs_u32",
         "",
         {Data::sorted, Data::also_sorted, Data::bits, Data::numbers},
         {{4, 0}, {4, 0}},
         16,
         [=] {
             return algorithm(MergePairs(integers, integers, integers, integers),
                              [](const MergePairs& merge, const Stream& stream, const Memory& memory, uint64_t n,
                                 const CallOptions& options) {
                                  merge(stream, memory.in[0], memory.in[2], n / 2, memory.in[1], memory.in[3], n / 2,
                                        memory.out[0], memory.out[1], options);
                              });
         }},
        {"lower bound u32",
         "thrust_lower_bound_u32",
         "Thrust",
         {Data::sorted, Data::bits},
         {{4, 0}},
         8,
         bounds_of(Bound::lower)},
        {"upper bound u32",
         "thrust_upper_bound_u32",
         "Thrust",
         {Data::sorted, Data::bits},
         {{4, 0}},
         8,
         bounds_of(Bound::upper)},
    };
}

}  // namespace cuprum::benchmarks
