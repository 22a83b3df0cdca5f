// The parallel algorithms over arrays in host memory.
#include "parallel_choices.hpp"

namespace hammer {

namespace {

uint64_t bytes_of(uint64_t elements) {
    return elements > 64 ? elements : elements * sizeof(int32_t);
}
// Two segments, or some that are not within the elements.
class Segments {
public:
    explicit Segments(Turn& t) : begins_size_(four_each(t)), ends_size_(four_each(t)) {
        for (int32_t* const each : {begins_.data(), begins_.data() + 1, ends_.data(), ends_.data() + 1})
            if (t.random.one_in(8)) *each = static_cast<int32_t>(t.random.below(130)) - 20;
    }
    const void* begins() const { return begins_.data(); }
    const void* ends() const { return ends_.data(); }
    uint64_t begins_size() const { return begins_size_; }
    uint64_t ends_size() const { return ends_size_; }

private:
    std::array<int32_t, 3> begins_{0, 5, 5}, ends_{5, 9, 9};
    uint64_t begins_size_, ends_size_;
};
// The memory of one array of a call, apart from that of the others; now and then all are one.
void* array(Turn& t, size_t place) {
    constexpr size_t room = 512;  // for bytes_of() any number of elements
    auto* const memory = static_cast<std::byte*>(host(t));
    return memory == nullptr || t.random.one_in(16) ? memory : memory + place * room;
}
const cuprum_execution* execution(Turn& t) {
    return execution_of(t, t.random.one_in(20) ? "sm_90" : nullptr);
}

}  // namespace

std::vector<Function> parallel_array_functions() {
    return {
        {"cuprum_parallel_adjacent_difference_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_adjacent_difference_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                              execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                              building_type(t), building_type(t), array(t, 1),
                                                              bytes_of(elements), building_op(t, op_plus));
         }},
        {"cuprum_parallel_arg_reduce_array", 6,
         [](Turn& t) {
             return cuprum_parallel_arg_reduce_array(t.output<int64_t>(), execution(t),
                                                     choice(t, std::array<int32_t, 1>{0}), building_type(t),
                                                     array(t, 0), bytes_of(t.random.below(65)));
         }},
        {"cuprum_parallel_binary_search_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_binary_search_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                        execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                        building_type(t), building_type(t), array(t, 1),
                                                        bytes_of(t.random.below(65)), building_type(t), array(t, 2),
                                                        bytes_of(elements), building_op(t, op_less));
         }},
        {"cuprum_parallel_equal_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_equal_array(t.output<int32_t>(), execution(t), building_type(t), array(t, 0),
                                                bytes_of(elements), building_type(t), array(t, 1),
                                                bytes_of(t.random.one_in(8) ? 3 : elements), building_op(t, op_equal));
         }},
        {"cuprum_parallel_exclusive_scan_by_key_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_exclusive_scan_by_key_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t), building_type(t), array(t, 1),
                 bytes_of(elements), building_type(t), array(t, 2), bytes_of(t.random.one_in(8) ? 3 : elements),
                 building_type(t), initial(t), four(t), building_op(t, op_plus),
                 t.random.one_in(2) ? nullptr : building_op(t, op_equal));
         }},
        {"cuprum_parallel_find_if_array", 6,
         [](Turn& t) {
             return cuprum_parallel_find_if_array(t.output<int64_t>(), execution(t), building_type(t), array(t, 0),
                                                  bytes_of(t.random.below(65)), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_histogram_even_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             static constexpr int32_t upper = 9;
             return cuprum_parallel_histogram_even_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                         execution(t), building_type(t), building_type(t), array(t, 1),
                                                         bytes_of(elements), building_type(t), initial(t), four(t),
                                                         &upper, four(t));
         }},
        {"cuprum_parallel_histogram_range_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(64);
             return cuprum_parallel_histogram_range_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                          execution(t), building_type(t), building_type(t), array(t, 1),
                                                          bytes_of(elements), building_type(t), array(t, 2),
                                                          bytes_of(t.random.one_in(8) ? 3 : elements + 1));
         }},
        {"cuprum_parallel_inclusive_scan_by_key_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_inclusive_scan_by_key_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t), building_type(t), array(t, 1),
                 bytes_of(elements), building_type(t), array(t, 2), bytes_of(t.random.one_in(8) ? 3 : elements),
                 building_type(t), building_op(t, op_plus), t.random.one_in(2) ? nullptr : building_op(t, op_equal));
         }},
        {"cuprum_parallel_merge_keys_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(33);
             return cuprum_parallel_merge_keys_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements * 2),
                                                     execution(t), building_type(t), array(t, 1), bytes_of(elements),
                                                     building_type(t), array(t, 2), bytes_of(elements),
                                                     building_op(t, op_less));
         }},
        {"cuprum_parallel_merge_pairs_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(33);
             return cuprum_parallel_merge_pairs_array(
                 array(t, 0), bytes_of(elements * 2), array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements * 2),
                 execution(t), building_type(t), array(t, 2), bytes_of(elements), building_type(t), array(t, 3),
                 bytes_of(elements), building_type(t), array(t, 4), bytes_of(elements), building_type(t), array(t, 5),
                 bytes_of(t.random.one_in(8) ? 3 : elements), building_op(t, op_less));
         }},
        {"cuprum_parallel_min_max_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_min_max_array(array(t, 0), t.random.one_in(8) ? 4 : 8, execution(t),
                                                  building_type(t), array(t, 1), bytes_of(elements));
         }},
        {"cuprum_parallel_multi_histogram_even_array", 6,
         [](Turn& t) {
             static constexpr std::array<uint64_t, 2> bins{5, 3};
             static constexpr std::array<int32_t, 2> lower{0, 0}, upper{9, 4};
             return cuprum_parallel_multi_histogram_even_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : 8), execution(t), building_type(t), building_type(t),
                 array(t, 1), bytes_of(t.random.below(20) * (t.random.one_in(8) ? 1 : 3)),
                 choice(t, std::array<int32_t, 1>{3}), t.random.one_in(20) ? nullptr : bins.data(),
                 t.random.one_in(8) ? size(t) % 17 : sizeof bins, building_type(t), lower.data(), four_each(t) % 9,
                 building_type(t), upper.data(), four_each(t) % 9);
         }},
        {"cuprum_parallel_multi_histogram_range_array", 6,
         [](Turn& t) {
             static constexpr std::array<uint64_t, 2> bins{5, 3};
             return cuprum_parallel_multi_histogram_range_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : 8), execution(t), building_type(t), building_type(t),
                 array(t, 1), bytes_of(t.random.below(20) * (t.random.one_in(8) ? 1 : 3)),
                 choice(t, std::array<int32_t, 1>{3}), t.random.one_in(20) ? nullptr : bins.data(),
                 t.random.one_in(8) ? size(t) % 17 : sizeof bins, building_type(t), array(t, 2),
                 bytes_of(t.random.one_in(8) ? 3 : 10));
         }},
        {"cuprum_parallel_non_trivial_runs_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_non_trivial_runs_array(t.output<uint64_t>(), array(t, 0), bytes_of(elements),
                                                           array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                           execution(t), building_type(t), building_type(t),
                                                           array(t, 2), bytes_of(elements), building_op(t, op_equal));
         }},
        {"cuprum_parallel_partition_array", 6,
         [](Turn& t) {
             return cuprum_parallel_partition_array(t.output<uint64_t>(), execution(t), building_type(t), array(t, 0),
                                                    bytes_of(t.random.below(65)), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_partition_flagged_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_partition_flagged_array(t.output<uint64_t>(), execution(t), building_type(t),
                                                            array(t, 0), bytes_of(elements), building_type(t),
                                                            array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements));
         }},
        {"cuprum_parallel_reduce_array", 6,
         [](Turn& t) {
             return cuprum_parallel_reduce_array(array(t, 0), four(t), execution(t), building_type(t), array(t, 1),
                                                 bytes_of(t.random.below(65)), building_type(t), initial(t), four(t),
                                                 building_op(t, op_plus));
         }},
        {"cuprum_parallel_reduce_by_key_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_reduce_by_key_array(
                 t.output<uint64_t>(), execution(t), building_type(t), array(t, 0), bytes_of(elements),
                 building_type(t), array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements), building_op(t, op_plus),
                 t.random.one_in(2) ? nullptr : building_op(t, op_equal));
         }},
        {"cuprum_parallel_run_length_encode_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_run_length_encode_array(
                 t.output<uint64_t>(), execution(t), building_type(t), array(t, 0), bytes_of(elements),
                 building_type(t), array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements), building_op(t, op_equal));
         }},
        {"cuprum_parallel_scan_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_scan_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t),
                                               choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}),
                                               building_type(t), array(t, 1), bytes_of(elements), building_type(t),
                                               nullptr, 0, building_op(t, op_plus));
         }},
        {"cuprum_parallel_segmented_reduce_array", 6,
         [](Turn& t) {
             const Segments segments(t);
             return cuprum_parallel_segmented_reduce_array(
                 array(t, 0), four_each(t), execution(t), building_type(t), array(t, 1), bytes_of(t.random.below(65)),
                 "int32", segments.begins(), segments.begins_size(), "int32", segments.ends(), segments.ends_size(),
                 building_type(t), initial(t), four(t), building_op(t, op_plus));
         }},
        {"cuprum_parallel_segmented_scan_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             const Segments segments(t);
             return cuprum_parallel_segmented_scan_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), building_type(t), array(t, 1),
                 bytes_of(elements), "int32", segments.begins(), segments.begins_size(), "int32", segments.ends(),
                 segments.ends_size(), building_type(t), nullptr, 0, building_op(t, op_plus));
         }},
        {"cuprum_parallel_segmented_sort_array", 6,
         [](Turn& t) {
             const Segments segments(t);
             return cuprum_parallel_segmented_sort_array(
                 execution(t), choice(t, std::array<int32_t, 1>{0}), building_type(t), array(t, 0),
                 bytes_of(t.random.below(65)), nullptr, nullptr, 0, "int32", segments.begins(), segments.begins_size(),
                 "int32", segments.ends(), segments.ends_size());
         }},
        {"cuprum_parallel_select_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_select_array(
                 t.output<uint64_t>(), array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t),
                 building_type(t), array(t, 1), bytes_of(elements), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_select_flagged_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_select_flagged_array(
                 t.output<uint64_t>(), array(t, 0), bytes_of(elements), execution(t), building_type(t), array(t, 1),
                 bytes_of(elements), building_type(t), array(t, 2), bytes_of(t.random.one_in(8) ? 3 : elements));
         }},
        {"cuprum_parallel_sort_array", 6,
         [](Turn& t) {
             return cuprum_parallel_sort_array(
                 execution(t), building_type(t), array(t, 0), bytes_of(t.random.below(65)), nullptr, nullptr, 0,
                 choice(t, std::array<int32_t, 1>{0}), t.random.one_in(2) ? nullptr : building_op(t, op_less));
         }},
        {"cuprum_parallel_sort_array_to", 6,
         [](Turn& t) {
             const uint64_t bytes = bytes_of(t.random.below(65));
             return cuprum_parallel_sort_array_to(array(t, 0), t.random.one_in(8) ? 3 : bytes, nullptr, 0, execution(t),
                                                  building_type(t), array(t, 1), bytes, nullptr, nullptr, 0,
                                                  choice(t, std::array<int32_t, 1>{0}),
                                                  t.random.one_in(2) ? nullptr : building_op(t, op_less));
         }},
        {"cuprum_parallel_three_way_partition_array", 6,
         [](Turn& t) {
             return cuprum_parallel_three_way_partition_array(
                 t.output<uint64_t>(), t.output<uint64_t>(), execution(t), building_type(t), array(t, 0),
                 bytes_of(t.random.below(65)), building_op(t, op_is_positive), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_topk_keys_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_topk_keys_array(array(t, 0), bytes_of(t.random.below(elements + 2)), execution(t),
                                                    choice(t, std::array<int32_t, 1>{0}), building_type(t), array(t, 1),
                                                    bytes_of(elements));
         }},
        {"cuprum_parallel_topk_pairs_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_topk_pairs_array(
                 array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), array(t, 1),
                 bytes_of(t.random.one_in(8) ? 3 : elements), execution(t), choice(t, std::array<int32_t, 1>{0}),
                 building_type(t), array(t, 2), bytes_of(elements), building_type(t), array(t, 3),
                 bytes_of(t.random.one_in(8) ? 3 : elements));
         }},
        {"cuprum_parallel_transform_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_transform_array(array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements),
                                                    execution(t), building_type(t), building_type(t), array(t, 1),
                                                    bytes_of(elements), nullptr, nullptr, 0, building_op(t, op_negate));
         }},
        {"cuprum_parallel_transform_array_nary", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             std::array<cuprum_host_input, 3> inputs{};
             for (size_t i = 0; i < inputs.size(); ++i)
                 inputs[i] = {building_type(t), array(t, i + 1), bytes_of(t.random.one_in(20) ? 3 : elements)};
             return cuprum_parallel_transform_array_nary(array(t, 0), bytes_of(elements), execution(t),
                                                         building_type(t), t.random.one_in(8) ? nullptr : inputs.data(),
                                                         static_cast<uint32_t>(t.random.one_in(8) ? 0 : 3),
                                                         building_op(t, op_of_three));
         }},
        {"cuprum_parallel_unique_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_unique_array(
                 t.output<uint64_t>(), array(t, 0), bytes_of(t.random.one_in(8) ? 3 : elements), execution(t),
                 building_type(t), array(t, 1), bytes_of(elements), building_op(t, op_equal));
         }},
        {"cuprum_parallel_unique_by_key_array", 6,
         [](Turn& t) {
             const uint64_t elements = t.random.below(65);
             return cuprum_parallel_unique_by_key_array(
                 t.output<uint64_t>(), execution(t), building_type(t), array(t, 0), bytes_of(elements),
                 building_type(t), array(t, 1), bytes_of(t.random.one_in(8) ? 3 : elements), building_op(t, op_equal));
         }},
    };
}

}  // namespace hammer
