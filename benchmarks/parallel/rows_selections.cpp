// Selections, partitions and runs beside CUB's.
#include "bench.hpp"

namespace cuprum::benchmarks {

using namespace core;
using namespace parallel;

std::vector<Row> rows_of_selections() {
    const Type u32 = Type::of<uint32_t>();
    const Type i32 = Type::of<int32_t>();
    const Iterator floats = Iterator::pointer(Type::of<float>());
    const Iterator integers = Iterator::pointer(u32);
    const Iterator flags = Iterator::pointer(Type::of<uint8_t>());
    const auto of_one = [](const auto& select, const Stream& stream, const Memory& memory, uint64_t n,
                           const CallOptions& options) {
        select(stream, memory.in[0], memory.out[0], memory.out[1], n, options);
    };
    const auto flagged = [](const auto& select, const Stream& stream, const Memory& memory, uint64_t n,
                            const CallOptions& options) {
        select(stream, memory.in[0], memory.in[1], memory.out[0], memory.out[1], n, options);
    };
    const auto runs = [](const auto& encode, const Stream& stream, const Memory& memory, uint64_t n,
                         const CallOptions& options) {
        encode(stream, memory.in[0], memory.out[0], memory.out[1], memory.out[2], n, options);
    };
    const std::vector<Output> selected{{4, 0}, {0, 8}};
    const std::vector<Output> two_selected{{4, 0}, {4, 0}, {0, 8}};
    return {
        {"select f32",
         "cub_select_f32",
         "",
         {Data::numbers},
         selected,
         6,
         [=] { return algorithm(Select(floats, "a > 0.5f"), of_one); }},
        {"select flagged f32",
         "cub_select_flagged_f32",
         "",
         {Data::numbers, Data::flags},
         selected,
         7,
         [=] { return algorithm(SelectFlagged(floats, flags), flagged); }},
        {"partition f32",
         "cub_partition_f32",
         "",
         {Data::numbers},
         selected,
         8,
         [=] { return algorithm(Partition(floats, "a > 0.5f"), of_one); }},
        {"partition flagged f32",
         "cub_partition_flagged_f32",
         "",
         {Data::numbers, Data::flags},
         selected,
         9,
         [=] { return algorithm(PartitionFlagged(floats, flags), flagged); }},
        {"partition in three f32",
         "cub_three_way_partition_f32",
         "",
         {Data::numbers},
         {{4, 0}, {4, 0}, {4, 0}, {0, 16}},
         8,
         [=] {
             return algorithm(ThreeWayPartition(floats, "a > 0.5f", "a < 0.25f"),
                              [](const ThreeWayPartition& partition, const Stream& stream, const Memory& memory,
                                 uint64_t n, const CallOptions& options) {
                                  partition(stream, memory.in[0], memory.out[0], memory.out[1], memory.out[2],
                                            memory.out[3], n, options);
                              });
         }},
        {"unique u32",
         "cub_unique_u32",
         "",
         {Data::runs},
         selected,
         5,
         [=] { return algorithm(Unique(integers), of_one); }},
        {"unique by key u32",
         "cub_unique_by_key_u32",
         "",
         {Data::runs, Data::bits},
         two_selected,
         10,
         [=] {
             return algorithm(UniqueByKey(integers, integers), [](const UniqueByKey& unique, const Stream& stream,
                                                                  const Memory& memory, uint64_t n,
                                                                  const CallOptions& options) {
                 unique(stream, memory.in[0], memory.in[1], memory.out[0], memory.out[1], memory.out[2], n, options);
             });
         }},
        {"run-length encode u32",
         "cub_run_length_encode_u32",
         "",
         {Data::runs},
         two_selected,
         6,
         [=] { return algorithm(RunLengthEncode(integers, i32), runs); }},
        {"non-trivial runs u32",
         "cub_non_trivial_runs_u32",
         "",
         {Data::runs},
         two_selected,
         5,
         [=] { return algorithm(NonTrivialRuns(integers, i32), runs); }},
    };
}

}  // namespace cuprum::benchmarks
