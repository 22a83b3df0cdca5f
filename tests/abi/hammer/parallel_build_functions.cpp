// Building the parallel algorithms, and their saved builds.
#include "parallel_choices.hpp"

namespace hammer {

namespace {

cuprum_parallel_iterator building_input(Turn& t) {
    return as_handle<cuprum_parallel_iterator>(t.random.one_in(8) ? t.bad_handle(parallel_iterator, true)
                                                                  : t.shared.lasting[parallel_iterator][it_pointer]);
}
// Mostly memory; others that can be written to would be compiled.
cuprum_parallel_iterator building_output(Turn& t) {
    if (!t.random.one_in(12)) return nullptr;
    return as_handle<cuprum_parallel_iterator>(t.random.one_in(2) ? t.bad_handle(parallel_iterator, true)
                                                                  : t.shared.lasting[parallel_iterator][it_counting]);
}
const char* architectures(Turn& t) {
    constexpr std::array<const char*, 4> wrong{"volta", "sm_,", ",,,", "compute_x"};
    return t.random.one_in(10) ? t.random.pick(wrong) : t.random.one_in(2) ? nullptr : "";
}
const cuprum_execution* building_execution(Turn& t) {
    return execution_of(t, architectures(t));
}

}  // namespace

std::vector<Function> parallel_build_functions() {
    return {
        {"cuprum_parallel_adjacent_difference_build", 4,
         [](Turn& t) {
             return cuprum_parallel_adjacent_difference_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_NEIGHBOUR_LEFT}), building_input(t), building_op(t, op_plus),
                 building_type(t));
         }},
        {"cuprum_parallel_algorithm_destroy", 20,
         [](Turn& t) { return destroy(parallel_algorithm, t.doomed(parallel_algorithm)); }},
        {"cuprum_parallel_arg_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_arg_reduce_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                     building_input(t));
         }},
        {"cuprum_parallel_batched_memcpy_build", 4,
         [](Turn& t) {
             const auto nothing = [&] {
                 return as_handle<cuprum_parallel_iterator>(t.random.one_in(8)
                                                                ? t.bad_handle(parallel_iterator, true)
                                                                : t.shared.lasting[parallel_iterator][it_nothing]);
             };
             return cuprum_parallel_batched_memcpy_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), nothing(), nothing(), nothing());
         }},
        {"cuprum_parallel_binary_search_build", 4,
         [](Turn& t) {
             return cuprum_parallel_binary_search_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_BOUND_LOWER}), building_input(t), building_input(t),
                 building_op(t, op_less), building_type(t));
         }},
        {"cuprum_parallel_equal_build", 4,
         [](Turn& t) {
             return cuprum_parallel_equal_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                building_execution(t), building_input(t), building_input(t),
                                                building_op(t, op_equal));
         }},
        {"cuprum_parallel_exclusive_scan_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_exclusive_scan_by_key_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t), building_op(t, op_plus), building_type(t),
                 building_op(t, op_equal));
         }},
        {"cuprum_parallel_find_if_build", 4,
         [](Turn& t) {
             return cuprum_parallel_find_if_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                  building_execution(t), building_input(t),
                                                  building_op(t, op_is_positive), building_type(t));
         }},
        {"cuprum_parallel_for_each_build", 4,
         [](Turn& t) {
             return cuprum_parallel_for_each_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                   building_execution(t), building_input(t),
                                                   building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_histogram_even_build", 4,
         [](Turn& t) {
             return cuprum_parallel_histogram_even_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), building_input(t), building_type(t),
                                                         building_type(t));
         }},
        {"cuprum_parallel_histogram_range_build", 4,
         [](Turn& t) {
             return cuprum_parallel_histogram_range_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_type(t));
         }},
        {"cuprum_parallel_inclusive_scan_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_inclusive_scan_by_key_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t), building_op(t, op_plus), building_type(t),
                 building_op(t, op_equal));
         }},
        {"cuprum_parallel_load_builds", 10,
         [](Turn& t) {
             const std::string& saved = t.shared.saved_builds;
             const uint64_t size = t.random.one_in(2) ? t.random.below(saved.size() + 1) : saved.size();
             return cuprum_parallel_load_builds(device(t), t.random.one_in(20) ? nullptr : saved.data(), size);
         }},
        {"cuprum_parallel_merge_keys_build", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_keys_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), building_input(t), building_input(t),
                                                     building_op(t, op_less));
         }},
        {"cuprum_parallel_merge_pairs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_pairs_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                      building_execution(t), building_input(t), building_input(t),
                                                      building_input(t), building_input(t), building_op(t, op_less));
         }},
        {"cuprum_parallel_merge_sort_build", 6,
         [](Turn& t) {
             return cuprum_parallel_merge_sort_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), building_op(t, op_less), building_type(t),
                                                     nullptr);
         }},
        {"cuprum_parallel_min_max_build", 4,
         [](Turn& t) {
             return cuprum_parallel_min_max_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                  building_execution(t), building_input(t));
         }},
        {"cuprum_parallel_multi_histogram_even_build", 4,
         [](Turn& t) {
             return cuprum_parallel_multi_histogram_even_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), t.random.one_in(8) ? number(t) : 3, t.random.one_in(8) ? number(t) : 2,
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_multi_histogram_range_build", 4,
         [](Turn& t) {
             return cuprum_parallel_multi_histogram_range_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), t.random.one_in(8) ? number(t) : 3, t.random.one_in(8) ? number(t) : 2,
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_non_trivial_runs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_non_trivial_runs_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_partition_build", 4,
         [](Turn& t) {
             return cuprum_parallel_partition_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                    building_execution(t), building_input(t),
                                                    building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_partition_flagged_build", 4,
         [](Turn& t) {
             return cuprum_parallel_partition_flagged_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t));
         }},
        {"cuprum_parallel_radix_sort_build", 6,
         [](Turn& t) {
             return cuprum_parallel_radix_sort_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                     building_type(t), nullptr);
         }},
        {"cuprum_parallel_radix_sort_build_by_fields", 6,
         [](Turn& t) {
             return cuprum_parallel_radix_sort_build_by_fields(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 text(t, std::array<const char*, 3>{"y, -x", "x,x", "z."}),
                 text(t, std::array<const char*, 1>{"P{x:int8,y:int16}"}), nullptr);
         }},
        {"cuprum_parallel_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_reduce_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t), building_op(t, op_plus),
                                                 building_type(t), building_output(t));
         }},
        {"cuprum_parallel_reduce_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_reduce_by_key_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                        building_execution(t), building_input(t), building_input(t),
                                                        building_op(t, op_plus), building_type(t),
                                                        building_op(t, op_equal));
         }},
        {"cuprum_parallel_run_length_encode_build", 4,
         [](Turn& t) {
             return cuprum_parallel_run_length_encode_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_save", 10,
         [](Turn& t) {
             return cuprum_parallel_save(t.output<const void*>(), t.output<uint64_t>(),
                                         as_handle<cuprum_parallel_algorithm>(t.handle(parallel_algorithm)));
         }},
        {"cuprum_parallel_scan_build", 6,
         [](Turn& t) {
             return cuprum_parallel_scan_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), building_input(t), building_op(t, op_plus),
                 building_type(t), building_output(t));
         }},
        {"cuprum_parallel_segmented_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_segmented_reduce_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_op(t, op_plus), building_type(t), building_type(t));
         }},
        {"cuprum_parallel_segmented_scan_build", 4,
         [](Turn& t) {
             return cuprum_parallel_segmented_scan_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), building_input(t), building_op(t, op_plus),
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_segmented_sort_build", 4,
         [](Turn& t) {
             return cuprum_parallel_segmented_sort_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                         building_type(t), nullptr, building_type(t));
         }},
        {"cuprum_parallel_select_build", 6,
         [](Turn& t) {
             return cuprum_parallel_select_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t),
                                                 building_op(t, op_is_positive), building_output(t));
         }},
        {"cuprum_parallel_select_flagged_build", 4,
         [](Turn& t) {
             return cuprum_parallel_select_flagged_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), building_input(t), building_input(t));
         }},
        {"cuprum_parallel_three_way_partition_build", 4,
         [](Turn& t) {
             return cuprum_parallel_three_way_partition_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_op(t, op_is_positive), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_topk_keys_build", 4,
         [](Turn& t) {
             return cuprum_parallel_topk_keys_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}), building_input(t));
         }},
        {"cuprum_parallel_topk_pairs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_topk_pairs_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}), building_input(t), building_input(t));
         }},
        {"cuprum_parallel_transform_build", 6,
         [](Turn& t) {
             return cuprum_parallel_transform_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                    building_execution(t), building_input(t), nullptr,
                                                    building_op(t, op_negate), building_type(t), building_output(t));
         }},
        {"cuprum_parallel_transform_build_nary", 6,
         [](Turn& t) {
             const std::array<cuprum_parallel_iterator, 3> inputs{building_input(t), building_input(t),
                                                                  building_input(t)};
             return cuprum_parallel_transform_build_nary(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 t.random.one_in(8) ? nullptr : inputs.data(), few_inputs(t), building_op(t, op_of_three),
                 building_type(t), building_output(t));
         }},
        {"cuprum_parallel_unique_build", 4,
         [](Turn& t) {
             return cuprum_parallel_unique_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_unique_by_key_build", 6,
         [](Turn& t) {
             return cuprum_parallel_unique_by_key_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                        building_execution(t), building_input(t), building_input(t),
                                                        building_op(t, op_equal), building_output(t),
                                                        building_output(t));
         }},
    };
}

}  // namespace hammer
