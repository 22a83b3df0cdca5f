// Calls of the parallel algorithms.
#include "parallel_choices.hpp"

namespace hammer {

namespace {

enum Algorithms : size_t {
    alg_reduce,
    alg_scan,
    alg_radix_sort,
    alg_merge_sort,
    alg_transform,
    alg_segmented,
    alg_arg,
    alg_select,
    alg_unique_by_key,
    alg_search,
    alg_three_way_partition,
    alg_segmented_sort,
    alg_histogram,
    alg_select_flagged,
    alg_unique,
    alg_partition,
    alg_partition_flagged,
    alg_reduce_by_key,
    alg_run_length_encode,
    alg_non_trivial_runs,
    alg_inclusive_scan_by_key,
    alg_exclusive_scan_by_key,
    alg_adjacent_difference,
    alg_segmented_scan,
    alg_merge_keys,
    alg_merge_pairs,
    alg_topk_keys,
    alg_topk_pairs,
    alg_min_max,
    alg_find_if,
    alg_equal,
    alg_histogram_range,
    alg_for_each,
    alg_batched_memcpy,
    alg_nary_transform,
    alg_multi_histogram_even,
    alg_multi_histogram_range,
    alg_radix_sort_by_fields
};
uint64_t count(Turn& t) {
    constexpr std::array<uint64_t, 6> counts{0, 1, 5, 64, uint64_t{1} << 58, most};
    return t.random.one_in(4) ? t.random.pick(counts) : 1 + t.random.below(64);
}
uint64_t result(Turn& t) {
    return t.random.one_in(12) ? t.random.below(3) : t.own_memory();
}
// Temporary storage: none, or enough, or too little, or at a wrong place.
struct Storage {
    uint64_t address = 0, size = 0;
    explicit Storage(Turn& t) {
        if (!t.random.one_in(4)) return;
        constexpr uint64_t offset = 32 * 1024;
        address = t.random.one_in(3) ? t.random.below(3) : t.own_memory() + offset;
        size = t.random.one_in(3) ? t.random.below(3) : Shared::memory_per_thread - offset;
    }
};
// Of three samples each: no more than there are in memory.
uint64_t few_pixels(Turn& t) {
    return t.random.one_in(8) ? most : t.random.below(21);
}
// The bins of two channels, or of another number of them.
class ChannelsBins {
public:
    explicit ChannelsBins(Turn& t)
        : size_(t.random.one_in(8) ? t.random.below(25) : 16), is_null_(t.random.one_in(20)) {
        for (uint64_t& each : bins_)
            each = t.random.one_in(8) ? (t.random.one_in(2) ? 0 : most) : 1 + t.random.below(8);
    }
    const void* data() const { return is_null_ ? nullptr : bins_.data(); }
    uint64_t size() const { return size_; }

private:
    std::array<uint64_t, 3> bins_{};
    uint64_t size_;
    bool is_null_;
};
// The algorithms were built for memory.
cuprum_parallel_iterator a_call_output(Turn& t) {
    if (!t.random.one_in(12)) return nullptr;
    return as_handle<cuprum_parallel_iterator>(t.random.one_in(2) ? t.bad_handle(parallel_iterator, true)
                                                                  : t.shared.lasting[parallel_iterator][it_counting]);
}
cuprum_parallel_algorithm an_algorithm(Turn& t, size_t which) {
    return as_handle<cuprum_parallel_algorithm>(t.handle(parallel_algorithm, which));
}
cuprum_parallel_iterator an_input(Turn& t) {
    return as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator, it_pointer));
}
// Of a call: mostly the one that it was built with.
cuprum_parallel_operator a_call_op(Turn& t) {
    return t.random.one_in(3) ? as_handle<cuprum_parallel_operator>(t.handle(parallel_operator)) : nullptr;
}

}  // namespace

std::vector<Function> parallel_functions() {
    return {
        {"cuprum_parallel_adjacent_difference", 4,
         [](Turn& t) {
             return cuprum_parallel_adjacent_difference(an_algorithm(t, alg_adjacent_difference), a_stream(t),
                                                        an_input(t), result(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_arg_reduce", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_arg_reduce(an_algorithm(t, alg_arg), a_stream(t), an_input(t), result(t), count(t),
                                               storage.address, storage.size);
         }},
        {"cuprum_parallel_batched_memcpy", 4,
         [](Turn& t) {
             const Storage storage(t);
             const auto nothing = [&] {
                 return as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator, it_nothing));
             };
             return cuprum_parallel_batched_memcpy(an_algorithm(t, alg_batched_memcpy), a_stream(t), nothing(),
                                                   nothing(), nothing(), count(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_binary_search", 4,
         [](Turn& t) {
             return cuprum_parallel_binary_search(an_algorithm(t, alg_search), a_stream(t), an_input(t), count(t),
                                                  an_input(t), result(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_equal", 4,
         [](Turn& t) {
             // One byte, which is aligned anywhere: other wrong addresses are not told apart from right ones.
             const uint64_t output = t.random.one_in(12) ? 0 : t.own_memory();
             return cuprum_parallel_equal(an_algorithm(t, alg_equal), a_stream(t), an_input(t), an_input(t), output,
                                          count(t), a_call_op(t));
         }},
        {"cuprum_parallel_exclusive_scan_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);

             return cuprum_parallel_exclusive_scan_by_key(
                 an_algorithm(t, alg_exclusive_scan_by_key), a_stream(t), an_input(t), an_input(t), result(t), count(t),
                 initial(t), four(t), a_call_op(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_find_if", 4,
         [](Turn& t) {
             return cuprum_parallel_find_if(an_algorithm(t, alg_find_if), a_stream(t), an_input(t), result(t), count(t),
                                            a_call_op(t));
         }},
        {"cuprum_parallel_for_each", 4,
         [](Turn& t) {
             return cuprum_parallel_for_each(an_algorithm(t, alg_for_each), a_stream(t), an_input(t), count(t),
                                             a_call_op(t));
         }},
        {"cuprum_parallel_histogram_even", 4,
         [](Turn& t) {
             static constexpr int32_t upper = 40;
             const uint64_t bins = t.random.one_in(4) ? count(t) : 1 + t.random.below(64);
             return cuprum_parallel_histogram_even(an_algorithm(t, alg_histogram), a_stream(t), an_input(t), result(t),
                                                   bins, initial(t), four(t), t.random.one_in(20) ? nullptr : &upper,
                                                   four(t), count(t));
         }},
        {"cuprum_parallel_histogram_range", 4,
         [](Turn& t) {
             const uint64_t bins = t.random.one_in(4) ? count(t) : 1 + t.random.below(8);
             return cuprum_parallel_histogram_range(an_algorithm(t, alg_histogram_range), a_stream(t), an_input(t),
                                                    input(t), result(t), bins <= 8 || bins > 64 ? bins : 8, count(t));
         }},
        {"cuprum_parallel_inclusive_scan_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);

             return cuprum_parallel_inclusive_scan_by_key(an_algorithm(t, alg_inclusive_scan_by_key), a_stream(t),
                                                          an_input(t), an_input(t), result(t), count(t), a_call_op(t),
                                                          a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_merge_keys", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_keys(an_algorithm(t, alg_merge_keys), a_stream(t), an_input(t), count(t),
                                               an_input(t), count(t), result(t), a_call_op(t));
         }},
        {"cuprum_parallel_merge_pairs", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_pairs(an_algorithm(t, alg_merge_pairs), a_stream(t), an_input(t), an_input(t),
                                                count(t), an_input(t), an_input(t), count(t), result(t),
                                                t.own_memory() + 1024, a_call_op(t));
         }},
        {"cuprum_parallel_min_max", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_min_max(an_algorithm(t, alg_min_max), a_stream(t), an_input(t), result(t), count(t),
                                            storage.address, storage.size);
         }},
        {"cuprum_parallel_multi_histogram_even", 4,
         [](Turn& t) {
             const ChannelsBins bins(t);
             constexpr std::array<int32_t, 3> lower{0, -3, 5}, upper{10, 3, 6};
             return cuprum_parallel_multi_histogram_even(an_algorithm(t, alg_multi_histogram_even), a_stream(t),
                                                         an_input(t), result(t), bins.data(), bins.size(), lower.data(),
                                                         four_each(t), upper.data(), four_each(t), few_pixels(t));
         }},
        {"cuprum_parallel_multi_histogram_range", 4,
         [](Turn& t) {
             const ChannelsBins bins(t);
             return cuprum_parallel_multi_histogram_range(an_algorithm(t, alg_multi_histogram_range), a_stream(t),
                                                          an_input(t), input(t), result(t), bins.data(), bins.size(),
                                                          few_pixels(t));
         }},
        {"cuprum_parallel_non_trivial_runs", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_non_trivial_runs(an_algorithm(t, alg_non_trivial_runs), a_stream(t), an_input(t),
                                                     result(t), memory + 1024, memory + 2048, count(t), a_call_op(t),
                                                     storage.address, storage.size);
         }},
        {"cuprum_parallel_partition", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_partition(an_algorithm(t, alg_partition), a_stream(t), an_input(t), result(t),
                                              memory + 2048, count(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_partition_flagged", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_partition_flagged(an_algorithm(t, alg_partition_flagged), a_stream(t), an_input(t),
                                                      an_input(t), result(t), memory + 2048, count(t), storage.address,
                                                      storage.size);
         }},
        {"cuprum_parallel_radix_sort_between", 6,
         [](Turn& t) {
             const Storage storage(t);
             constexpr std::array<int32_t, 4> bits{-1, 8, 32, 33};
             const bool has_bits = t.random.one_in(8);
             return cuprum_parallel_radix_sort_between(
                 t.output<int32_t>(), an_algorithm(t, alg_radix_sort), a_stream(t), result(t),
                 t.random.one_in(12) ? t.random.below(3) : t.own_memory() + 8192,
                 t.random.one_in(12) ? t.own_memory() + 16384 : 0, 0, count(t), has_bits ? t.random.pick(bits) : 0,
                 has_bits ? t.random.pick(bits) : 0, storage.address, storage.size);
         }},
        {"cuprum_parallel_radix_sort_between_storage_bytes", 20,
         [](Turn& t) {
             return cuprum_parallel_radix_sort_between_storage_bytes(t.output<uint64_t>(),
                                                                     an_algorithm(t, alg_radix_sort), count(t));
         }},
        {"cuprum_parallel_reduce", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_reduce(an_algorithm(t, alg_reduce), a_stream(t), an_input(t), result(t),
                                           a_call_output(t), count(t), initial(t), four(t), a_call_op(t),
                                           storage.address, storage.size);
         }},
        {"cuprum_parallel_reduce_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_reduce_by_key(an_algorithm(t, alg_reduce_by_key), a_stream(t), an_input(t),
                                                  an_input(t), result(t), memory + 1024, memory + 2048, count(t),
                                                  a_call_op(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_run_length_encode", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_run_length_encode(an_algorithm(t, alg_run_length_encode), a_stream(t), an_input(t),
                                                      result(t), memory + 1024, memory + 2048, count(t), a_call_op(t),
                                                      storage.address, storage.size);
         }},
        {"cuprum_parallel_scan", 6,
         [](Turn& t) {
             const Storage storage(t);
             const bool is_given = t.random.one_in(4);
             return cuprum_parallel_scan(an_algorithm(t, alg_scan), a_stream(t), an_input(t), result(t),
                                         a_call_output(t), count(t), is_given ? initial(t) : nullptr,
                                         is_given ? four(t) : 0, t.random.one_in(4) ? result(t) : 0, a_call_op(t),
                                         storage.address, storage.size);
         }},
        {"cuprum_parallel_segmented_reduce", 6,
         [](Turn& t) {
             const uint64_t segments = t.random.one_in(4) ? count(t) : 1 + t.random.below(8);
             const bool is_small = segments <= 8 || segments > 64;
             return cuprum_parallel_segmented_reduce(
                 an_algorithm(t, alg_segmented), a_stream(t), an_input(t), result(t), is_small ? segments : 8,
                 t.random.one_in(12) ? 0 : t.shared.segment_begins, t.random.one_in(12) ? 0 : t.shared.segment_ends,
                 initial(t), four(t), a_call_op(t));
         }},
        {"cuprum_parallel_segmented_scan", 4,
         [](Turn& t) {
             const uint64_t segments = t.random.one_in(4) ? count(t) : 1 + t.random.below(8);
             const bool has_init = t.random.one_in(12);
             return cuprum_parallel_segmented_scan(
                 an_algorithm(t, alg_segmented_scan), a_stream(t), an_input(t), result(t),
                 t.random.one_in(2) ? 64 : count(t), segments <= 8 || segments > 64 ? segments : 8,
                 t.random.one_in(12) ? 0 : t.shared.segment_begins, t.random.one_in(12) ? 0 : t.shared.segment_ends,
                 has_init ? initial(t) : nullptr, has_init ? four(t) : 0, a_call_op(t));
         }},
        {"cuprum_parallel_segmented_sort", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t segments = t.random.one_in(4) ? count(t) : 1 + t.random.below(8);
             return cuprum_parallel_segmented_sort(
                 an_algorithm(t, alg_segmented_sort), a_stream(t), input(t), result(t),
                 t.random.one_in(12) ? t.shared.input : 0, 0, t.random.one_in(2) ? 64 : count(t),
                 segments <= 8 || segments > 64 ? segments : 8, t.random.one_in(12) ? 0 : t.shared.segment_begins,
                 t.random.one_in(12) ? 0 : t.shared.segment_ends, storage.address, storage.size);
         }},
        {"cuprum_parallel_select", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_select(an_algorithm(t, alg_select), a_stream(t), an_input(t), result(t),
                                           a_call_output(t), t.own_memory() + 1024, count(t), a_call_op(t),
                                           storage.address, storage.size);
         }},
        {"cuprum_parallel_select_flagged", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_select_flagged(an_algorithm(t, alg_select_flagged), a_stream(t), an_input(t),
                                                   an_input(t), result(t), memory + 2048, count(t), storage.address,
                                                   storage.size);
         }},
        {"cuprum_parallel_sort", 6,
         [](Turn& t) {
             const Storage storage(t);
             constexpr std::array<int32_t, 4> bits{-1, 8, 32, 33};
             const bool has_bits = t.random.one_in(8);
             return cuprum_parallel_sort(
                 an_algorithm(t, t.random.pick(std::array{alg_radix_sort, alg_merge_sort, alg_radix_sort_by_fields})),
                 a_stream(t), input(t), result(t), t.random.one_in(12) ? t.shared.input : 0, 0, count(t),
                 has_bits ? t.random.pick(bits) : 0, has_bits ? t.random.pick(bits) : 0, a_call_op(t), storage.address,
                 storage.size);
         }},
        {"cuprum_parallel_temp_storage_bytes", 40,
         [](Turn& t) {
             return cuprum_parallel_temp_storage_bytes(
                 t.output<uint64_t>(), as_handle<cuprum_parallel_algorithm>(t.handle(parallel_algorithm)), count(t));
         }},
        {"cuprum_parallel_three_way_partition", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_three_way_partition(
                 an_algorithm(t, alg_three_way_partition), a_stream(t), an_input(t), result(t), memory + 1024,
                 memory + 2048, memory + 3072, count(t), a_call_op(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_topk_keys", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_topk_keys(an_algorithm(t, alg_topk_keys), a_stream(t), an_input(t), result(t),
                                              t.random.one_in(12) ? count(t) : 1, count(t), storage.address,
                                              storage.size);
         }},
        {"cuprum_parallel_topk_pairs", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_topk_pairs(an_algorithm(t, alg_topk_pairs), a_stream(t), an_input(t), an_input(t),
                                               result(t), t.own_memory() + 1024, t.random.one_in(12) ? count(t) : 1,
                                               count(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_transform", 6,
         [](Turn& t) {
             const cuprum_parallel_iterator second = t.random.one_in(8) ? an_input(t) : nullptr;
             return cuprum_parallel_transform(an_algorithm(t, alg_transform), a_stream(t), an_input(t), second,
                                              result(t), a_call_output(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_transform_nary", 6,
         [](Turn& t) {
             const std::array<cuprum_parallel_iterator, 3> inputs{an_input(t), an_input(t), an_input(t)};
             return cuprum_parallel_transform_nary(an_algorithm(t, alg_nary_transform), a_stream(t),
                                                   t.random.one_in(8) ? nullptr : inputs.data(), few_inputs(t),
                                                   result(t), a_call_output(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_unique", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_unique(an_algorithm(t, alg_unique), a_stream(t), an_input(t), result(t),
                                           memory + 2048, count(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_unique_by_key", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_unique_by_key(an_algorithm(t, alg_unique_by_key), a_stream(t), an_input(t),
                                                  an_input(t), result(t), a_call_output(t), t.own_memory() + 1024,
                                                  a_call_output(t), t.own_memory() + 2048, count(t), a_call_op(t),
                                                  storage.address, storage.size);
         }},
    };
}

}  // namespace hammer
