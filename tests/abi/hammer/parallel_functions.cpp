// The parallel algorithms.
#include "parallel_choices.hpp"

namespace hammer {

namespace {

// Where the lasting iterators and algorithms are in Shared::lasting; main.cpp makes them in this order.
enum Iterators : size_t { it_pointer, it_counting, it_nothing };
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

const char* type(Turn& t) {
    constexpr std::array<const char*, 5> others{"float64", "P{x:int32,y:float32}", "P{x:int32@1}", "int8", "complex64"};
    return t.random.one_in(8) ? t.random.pick(others) : text(t, std::array<const char*, 1>{"int32"});
}
uint64_t count(Turn& t) {
    constexpr std::array<uint64_t, 6> counts{0, 1, 5, 64, uint64_t{1} << 58, most};
    return t.random.one_in(4) ? t.random.pick(counts) : 1 + t.random.below(64);
}
uint64_t input(Turn& t) {
    return t.random.one_in(12) ? t.random.below(3) : t.shared.input;
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

cuprum_parallel_iterator building_input(Turn& t) {
    return as_handle<cuprum_parallel_iterator>(t.random.one_in(8) ? t.bad_handle(parallel_iterator, true)
                                                                  : t.shared.lasting[parallel_iterator][it_pointer]);
}
int32_t number(Turn& t) {
    return static_cast<int32_t>(t.random.below(7)) - 1;
}
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
// Of the three that there are.
uint32_t few_inputs(Turn& t) {
    return t.random.one_in(8) ? static_cast<uint32_t>(t.random.below(3)) : 3;
}
// Mostly memory; others that can be written to would be compiled.
cuprum_parallel_iterator building_output(Turn& t) {
    if (!t.random.one_in(12)) return nullptr;
    return as_handle<cuprum_parallel_iterator>(t.random.one_in(2) ? t.bad_handle(parallel_iterator, true)
                                                                  : t.shared.lasting[parallel_iterator][it_counting]);
}
// The algorithms were built for memory.
cuprum_parallel_iterator a_call_output(Turn& t) {
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
        {"cuprum_parallel_algorithm_destroy", 20,
         [](Turn& t) { return destroy(parallel_algorithm, t.doomed(parallel_algorithm)); }},
        {"cuprum_parallel_arg_reduce", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_arg_reduce(an_algorithm(t, alg_arg), a_stream(t), an_input(t), result(t), count(t),
                                               storage.address, storage.size);
         }},
        {"cuprum_parallel_arg_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_arg_reduce_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                     building_input(t));
         }},
        {"cuprum_parallel_binary_search", 4,
         [](Turn& t) {
             return cuprum_parallel_binary_search(an_algorithm(t, alg_search), a_stream(t), an_input(t), count(t),
                                                  an_input(t), result(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_binary_search_build", 4,
         [](Turn& t) {
             return cuprum_parallel_binary_search_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_BOUND_LOWER}), building_input(t), building_input(t),
                 building_op(t, op_less), building_type(t));
         }},
        {"cuprum_parallel_histogram_even", 4,
         [](Turn& t) {
             static constexpr int32_t upper = 40;
             const uint64_t bins = t.random.one_in(4) ? count(t) : 1 + t.random.below(64);
             return cuprum_parallel_histogram_even(an_algorithm(t, alg_histogram), a_stream(t), an_input(t), result(t),
                                                   bins, initial(t), four(t), t.random.one_in(20) ? nullptr : &upper,
                                                   four(t), count(t));
         }},
        {"cuprum_parallel_histogram_even_build", 4,
         [](Turn& t) {
             return cuprum_parallel_histogram_even_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), building_input(t), building_type(t),
                                                         building_type(t));
         }},
        {"cuprum_parallel_iterator_cache_modified", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_cache_modified(
                 t.output_handle<cuprum_parallel_iterator>(parallel_iterator), type(t),
                 t.random.one_in(8) ? 0 : t.shared.input, choice(t, std::array<int32_t, 3>{0, 1, 2}));
         }},
        {"cuprum_parallel_iterator_constant", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_constant(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                      type(t), host(t), four(t));
         }},
        {"cuprum_parallel_iterator_counting", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_counting(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                      type(t), host(t), four(t));
         }},
        {"cuprum_parallel_iterator_destroy", 100,
         [](Turn& t) { return destroy(parallel_iterator, t.doomed(parallel_iterator)); }},
        {"cuprum_parallel_iterator_coordinates", 60,
         [](Turn& t) {
             constexpr std::array<const char*, 6> extents{"4,5", "7", "0,3", "4,,5", "1,2,3,4,5,6,7,8,9", "x"};
             return cuprum_parallel_iterator_coordinates(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                         text(t, extents), t.random.one_in(2) ? nullptr : type(t));
         }},
        {"cuprum_parallel_iterator_discard", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_discard(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                     type(t));
         }},
        {"cuprum_parallel_iterator_permutation", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_permutation(
                 t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                 as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                 as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)));
         }},
        {"cuprum_parallel_iterator_pointer", 60,
         [](Turn& t) {
             // Of memory that is there: others run on what is made here.
             return cuprum_parallel_iterator_pointer(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                     type(t), t.random.one_in(8) ? 0 : t.shared.input);
         }},
        {"cuprum_parallel_iterator_reverse", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_reverse(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                     as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                                                     static_cast<int64_t>(t.random.below(65)) - 1);
         }},
        {"cuprum_parallel_iterator_shuffle", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_shuffle(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                     t.random.below(65), t.random.below(1000));
         }},
        {"cuprum_parallel_iterator_strided", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_strided(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                     as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                                                     static_cast<int64_t>(t.random.below(65)) - 1,
                                                     static_cast<int64_t>(t.random.below(65)) - 1);
         }},
        {"cuprum_parallel_iterator_transform", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_transform(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                       as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                                                       as_handle<cuprum_parallel_operator>(t.handle(parallel_operator)),
                                                       type(t));
         }},
        {"cuprum_parallel_iterator_transform_output", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_transform_output(
                 t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                 as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                 as_handle<cuprum_parallel_operator>(t.handle(parallel_operator)), type(t));
         }},
        {"cuprum_parallel_iterator_zip", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_zip(
                 t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                 t.random.one_in(2) ? nullptr : as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                 as_handle<cuprum_parallel_iterator>(t.handle(parallel_iterator)),
                 t.random.one_in(2) ? nullptr : type(t));
         }},
        {"cuprum_parallel_load_builds", 10,
         [](Turn& t) {
             const std::string& saved = t.shared.saved_builds;
             const uint64_t size = t.random.one_in(2) ? t.random.below(saved.size() + 1) : saved.size();
             return cuprum_parallel_load_builds(device(t), t.random.one_in(20) ? nullptr : saved.data(), size);
         }},
        {"cuprum_parallel_merge_sort_build", 6,
         [](Turn& t) {
             return cuprum_parallel_merge_sort_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), building_op(t, op_less), building_type(t),
                                                     nullptr);
         }},
        {"cuprum_parallel_operator_create", 60,
         [](Turn& t) {
             const bool has_state = t.random.one_in(4);
             return cuprum_parallel_operator_create(
                 t.output_handle<cuprum_parallel_operator>(parallel_operator),
                 text(t, std::array<const char*, 4>{"plus", "a + b", "a * scale", "return a;"}),
                 has_state ? text(t, std::array<const char*, 1>{"S{scale:int32}"}) : nullptr, host(t), four(t));
         }},
        {"cuprum_parallel_operator_create_compiled", 30,
         [](Turn& t) {
             const bool has_state = t.random.one_in(4);
             return cuprum_parallel_operator_create_compiled(
                 t.output_handle<cuprum_parallel_operator>(parallel_operator),
                 text(t, std::array<const char*, 2>{"poke", "absent"}),
                 as_handle<cuprum_object_code>(t.handle(object_code)), choice(t, std::array<int32_t, 2>{0, 1}),
                 has_state ? text(t, std::array<const char*, 1>{"S{scale:int32}"}) : nullptr, host(t), four(t));
         }},
        {"cuprum_parallel_operator_with_code", 30,
         [](Turn& t) {
             const auto code = as_handle<cuprum_object_code>(t.handle(object_code));
             if (t.random.one_in(2)) {
                 return cuprum_parallel_operator_with_code(
                     t.output_handle<cuprum_parallel_operator>(parallel_operator),
                     as_handle<cuprum_parallel_operator>(t.handle(parallel_operator)), code);
             }
             cuprum_parallel_operator own = nullptr;
             cuprum_parallel_operator_create_compiled(
                 &own, "poke", as_handle<cuprum_object_code>(t.shared.lasting[object_code].front()), 0, nullptr,
                 nullptr, 0);
             destroy(parallel_operator, t.shared.pools[parallel_operator].put(t.random, value_of(own)));
             return cuprum_parallel_operator_with_code(t.output_handle<cuprum_parallel_operator>(parallel_operator),
                                                       own, code);
         }},
        {"cuprum_parallel_operator_by_fields", 30,
         [](Turn& t) {
             return cuprum_parallel_operator_by_fields(
                 t.output_handle<cuprum_parallel_operator>(parallel_operator),
                 t.random.one_in(8) ? type(t) : text(t, std::array<const char*, 1>{"P{x:int32,y:float32}"}),
                 text(t, std::array<const char*, 5>{"x", "y, -x", "-y", "x,x", "z."}));
         }},
        {"cuprum_parallel_operator_with_state", 30,
         [](Turn& t) {
             constexpr const char* state = "S{scale:int32}";
             constexpr int32_t three = 3;
             cuprum_parallel_operator own = nullptr;
             cuprum_parallel_operator_create(&own, "a * scale", state, &three, sizeof(three));
             destroy(parallel_operator, t.shared.pools[parallel_operator].put(t.random, value_of(own)));
             return cuprum_parallel_operator_with_state(
                 t.output_handle<cuprum_parallel_operator>(parallel_operator),
                 t.random.one_in(2) ? own : as_handle<cuprum_parallel_operator>(t.handle(parallel_operator)),
                 text(t, std::array<const char*, 1>{state}), host(t), four(t));
         }},
        {"cuprum_parallel_operator_destroy", 60,
         [](Turn& t) { return destroy(parallel_operator, t.doomed(parallel_operator)); }},
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
        {"cuprum_parallel_reduce", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_reduce(an_algorithm(t, alg_reduce), a_stream(t), an_input(t), result(t),
                                           a_call_output(t), count(t), initial(t), four(t), a_call_op(t),
                                           storage.address, storage.size);
         }},
        {"cuprum_parallel_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_reduce_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t), building_op(t, op_plus),
                                                 building_type(t), building_output(t));
         }},
        {"cuprum_parallel_save", 10,
         [](Turn& t) {
             return cuprum_parallel_save(t.output<const void*>(), t.output<uint64_t>(),
                                         as_handle<cuprum_parallel_algorithm>(t.handle(parallel_algorithm)));
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
        {"cuprum_parallel_scan_build", 6,
         [](Turn& t) {
             return cuprum_parallel_scan_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), building_input(t), building_op(t, op_plus),
                 building_type(t), building_output(t));
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
        {"cuprum_parallel_segmented_reduce_build", 6,
         [](Turn& t) {
             return cuprum_parallel_segmented_reduce_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_op(t, op_plus), building_type(t), building_type(t));
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
        {"cuprum_parallel_segmented_sort_build", 4,
         [](Turn& t) {
             return cuprum_parallel_segmented_sort_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), choice(t, std::array<int32_t, 1>{0}),
                                                         building_type(t), nullptr, building_type(t));
         }},
        {"cuprum_parallel_select", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_select(an_algorithm(t, alg_select), a_stream(t), an_input(t), result(t),
                                           a_call_output(t), t.own_memory() + 1024, count(t), a_call_op(t),
                                           storage.address, storage.size);
         }},
        {"cuprum_parallel_select_build", 6,
         [](Turn& t) {
             return cuprum_parallel_select_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t),
                                                 building_op(t, op_is_positive), building_output(t));
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
        {"cuprum_parallel_three_way_partition_build", 4,
         [](Turn& t) {
             return cuprum_parallel_three_way_partition_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_op(t, op_is_positive), building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_transform_nary", 6,
         [](Turn& t) {
             const std::array<cuprum_parallel_iterator, 3> inputs{an_input(t), an_input(t), an_input(t)};
             return cuprum_parallel_transform_nary(an_algorithm(t, alg_nary_transform), a_stream(t),
                                                   t.random.one_in(8) ? nullptr : inputs.data(), few_inputs(t),
                                                   result(t), a_call_output(t), count(t), a_call_op(t));
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
        {"cuprum_parallel_transform", 6,
         [](Turn& t) {
             const cuprum_parallel_iterator second = t.random.one_in(8) ? an_input(t) : nullptr;
             return cuprum_parallel_transform(an_algorithm(t, alg_transform), a_stream(t), an_input(t), second,
                                              result(t), a_call_output(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_transform_build", 6,
         [](Turn& t) {
             return cuprum_parallel_transform_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                    building_execution(t), building_input(t), nullptr,
                                                    building_op(t, op_negate), building_type(t), building_output(t));
         }},
        {"cuprum_parallel_unique_by_key", 6,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_unique_by_key(an_algorithm(t, alg_unique_by_key), a_stream(t), an_input(t),
                                                  an_input(t), result(t), a_call_output(t), t.own_memory() + 1024,
                                                  a_call_output(t), t.own_memory() + 2048, count(t), a_call_op(t),
                                                  storage.address, storage.size);
         }},
        {"cuprum_parallel_unique_by_key_build", 6,
         [](Turn& t) {
             return cuprum_parallel_unique_by_key_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                        building_execution(t), building_input(t), building_input(t),
                                                        building_op(t, op_equal), building_output(t),
                                                        building_output(t));
         }},
        {"cuprum_parallel_select_flagged", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_select_flagged(an_algorithm(t, alg_select_flagged), a_stream(t), an_input(t),
                                                   an_input(t), result(t), memory + 2048, count(t), storage.address,
                                                   storage.size);
         }},
        {"cuprum_parallel_select_flagged_build", 4,
         [](Turn& t) {
             return cuprum_parallel_select_flagged_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                         building_execution(t), building_input(t), building_input(t));
         }},
        {"cuprum_parallel_unique", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_unique(an_algorithm(t, alg_unique), a_stream(t), an_input(t), result(t),
                                           memory + 2048, count(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_unique_build", 4,
         [](Turn& t) {
             return cuprum_parallel_unique_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                 building_execution(t), building_input(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_partition", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_partition(an_algorithm(t, alg_partition), a_stream(t), an_input(t), result(t),
                                              memory + 2048, count(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_partition_build", 4,
         [](Turn& t) {
             return cuprum_parallel_partition_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                    building_execution(t), building_input(t),
                                                    building_op(t, op_is_positive));
         }},
        {"cuprum_parallel_partition_flagged", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_partition_flagged(an_algorithm(t, alg_partition_flagged), a_stream(t), an_input(t),
                                                      an_input(t), result(t), memory + 2048, count(t), storage.address,
                                                      storage.size);
         }},
        {"cuprum_parallel_partition_flagged_build", 4,
         [](Turn& t) {
             return cuprum_parallel_partition_flagged_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t));
         }},
        {"cuprum_parallel_reduce_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_reduce_by_key(an_algorithm(t, alg_reduce_by_key), a_stream(t), an_input(t),
                                                  an_input(t), result(t), memory + 1024, memory + 2048, count(t),
                                                  a_call_op(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_reduce_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_reduce_by_key_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                        building_execution(t), building_input(t), building_input(t),
                                                        building_op(t, op_plus), building_type(t),
                                                        building_op(t, op_equal));
         }},
        {"cuprum_parallel_run_length_encode", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_run_length_encode(an_algorithm(t, alg_run_length_encode), a_stream(t), an_input(t),
                                                      result(t), memory + 1024, memory + 2048, count(t), a_call_op(t),
                                                      storage.address, storage.size);
         }},
        {"cuprum_parallel_run_length_encode_build", 4,
         [](Turn& t) {
             return cuprum_parallel_run_length_encode_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_non_trivial_runs", 4,
         [](Turn& t) {
             const Storage storage(t);
             const uint64_t memory = t.own_memory();
             return cuprum_parallel_non_trivial_runs(an_algorithm(t, alg_non_trivial_runs), a_stream(t), an_input(t),
                                                     result(t), memory + 1024, memory + 2048, count(t), a_call_op(t),
                                                     storage.address, storage.size);
         }},
        {"cuprum_parallel_non_trivial_runs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_non_trivial_runs_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_op(t, op_equal));
         }},
        {"cuprum_parallel_inclusive_scan_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);

             return cuprum_parallel_inclusive_scan_by_key(an_algorithm(t, alg_inclusive_scan_by_key), a_stream(t),
                                                          an_input(t), an_input(t), result(t), count(t), a_call_op(t),
                                                          a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_inclusive_scan_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_inclusive_scan_by_key_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t), building_op(t, op_plus), building_type(t),
                 building_op(t, op_equal));
         }},
        {"cuprum_parallel_exclusive_scan_by_key", 4,
         [](Turn& t) {
             const Storage storage(t);

             return cuprum_parallel_exclusive_scan_by_key(
                 an_algorithm(t, alg_exclusive_scan_by_key), a_stream(t), an_input(t), an_input(t), result(t), count(t),
                 initial(t), four(t), a_call_op(t), a_call_op(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_exclusive_scan_by_key_build", 4,
         [](Turn& t) {
             return cuprum_parallel_exclusive_scan_by_key_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_input(t), building_op(t, op_plus), building_type(t),
                 building_op(t, op_equal));
         }},
        {"cuprum_parallel_adjacent_difference", 4,
         [](Turn& t) {
             return cuprum_parallel_adjacent_difference(an_algorithm(t, alg_adjacent_difference), a_stream(t),
                                                        an_input(t), result(t), count(t), a_call_op(t));
         }},
        {"cuprum_parallel_adjacent_difference_build", 4,
         [](Turn& t) {
             return cuprum_parallel_adjacent_difference_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_NEIGHBOUR_LEFT}), building_input(t), building_op(t, op_plus),
                 building_type(t));
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
        {"cuprum_parallel_segmented_scan_build", 4,
         [](Turn& t) {
             return cuprum_parallel_segmented_scan_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), building_input(t), building_op(t, op_plus),
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_merge_keys", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_keys(an_algorithm(t, alg_merge_keys), a_stream(t), an_input(t), count(t),
                                               an_input(t), count(t), result(t), a_call_op(t));
         }},
        {"cuprum_parallel_merge_keys_build", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_keys_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                     building_execution(t), building_input(t), building_input(t),
                                                     building_op(t, op_less));
         }},
        {"cuprum_parallel_merge_pairs", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_pairs(an_algorithm(t, alg_merge_pairs), a_stream(t), an_input(t), an_input(t),
                                                count(t), an_input(t), an_input(t), count(t), result(t),
                                                t.own_memory() + 1024, a_call_op(t));
         }},
        {"cuprum_parallel_merge_pairs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_merge_pairs_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                      building_execution(t), building_input(t), building_input(t),
                                                      building_input(t), building_input(t), building_op(t, op_less));
         }},
        {"cuprum_parallel_topk_keys", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_topk_keys(an_algorithm(t, alg_topk_keys), a_stream(t), an_input(t), result(t),
                                              t.random.one_in(12) ? count(t) : 1, count(t), storage.address,
                                              storage.size);
         }},
        {"cuprum_parallel_topk_keys_build", 4,
         [](Turn& t) {
             return cuprum_parallel_topk_keys_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}), building_input(t));
         }},
        {"cuprum_parallel_topk_pairs", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_topk_pairs(an_algorithm(t, alg_topk_pairs), a_stream(t), an_input(t), an_input(t),
                                               result(t), t.own_memory() + 1024, t.random.one_in(12) ? count(t) : 1,
                                               count(t), storage.address, storage.size);
         }},
        {"cuprum_parallel_topk_pairs_build", 4,
         [](Turn& t) {
             return cuprum_parallel_topk_pairs_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}), building_input(t), building_input(t));
         }},
        {"cuprum_parallel_min_max", 4,
         [](Turn& t) {
             const Storage storage(t);
             return cuprum_parallel_min_max(an_algorithm(t, alg_min_max), a_stream(t), an_input(t), result(t), count(t),
                                            storage.address, storage.size);
         }},
        {"cuprum_parallel_min_max_build", 4,
         [](Turn& t) {
             return cuprum_parallel_min_max_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                  building_execution(t), building_input(t));
         }},
        {"cuprum_parallel_find_if", 4,
         [](Turn& t) {
             return cuprum_parallel_find_if(an_algorithm(t, alg_find_if), a_stream(t), an_input(t), result(t), count(t),
                                            a_call_op(t));
         }},
        {"cuprum_parallel_find_if_build", 4,
         [](Turn& t) {
             return cuprum_parallel_find_if_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                  building_execution(t), building_input(t),
                                                  building_op(t, op_is_positive), building_type(t));
         }},
        {"cuprum_parallel_equal", 4,
         [](Turn& t) {
             // One byte, which is aligned anywhere: other wrong addresses are not told apart from right ones.
             const uint64_t output = t.random.one_in(12) ? 0 : t.own_memory();
             return cuprum_parallel_equal(an_algorithm(t, alg_equal), a_stream(t), an_input(t), an_input(t), output,
                                          count(t), a_call_op(t));
         }},
        {"cuprum_parallel_equal_build", 4,
         [](Turn& t) {
             return cuprum_parallel_equal_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                building_execution(t), building_input(t), building_input(t),
                                                building_op(t, op_equal));
         }},
        {"cuprum_parallel_histogram_range", 4,
         [](Turn& t) {
             const uint64_t bins = t.random.one_in(4) ? count(t) : 1 + t.random.below(8);
             return cuprum_parallel_histogram_range(an_algorithm(t, alg_histogram_range), a_stream(t), an_input(t),
                                                    input(t), result(t), bins <= 8 || bins > 64 ? bins : 8, count(t));
         }},
        {"cuprum_parallel_histogram_range_build", 4,
         [](Turn& t) {
             return cuprum_parallel_histogram_range_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), building_type(t), building_type(t));
         }},
        {"cuprum_parallel_multi_histogram_even", 4,
         [](Turn& t) {
             const ChannelsBins bins(t);
             constexpr std::array<int32_t, 3> lower{0, -3, 5}, upper{10, 3, 6};
             return cuprum_parallel_multi_histogram_even(an_algorithm(t, alg_multi_histogram_even), a_stream(t),
                                                         an_input(t), result(t), bins.data(), bins.size(), lower.data(),
                                                         four_each(t), upper.data(), four_each(t), few_pixels(t));
         }},
        {"cuprum_parallel_multi_histogram_even_build", 4,
         [](Turn& t) {
             return cuprum_parallel_multi_histogram_even_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), t.random.one_in(8) ? number(t) : 3, t.random.one_in(8) ? number(t) : 2,
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_multi_histogram_range", 4,
         [](Turn& t) {
             const ChannelsBins bins(t);
             return cuprum_parallel_multi_histogram_range(an_algorithm(t, alg_multi_histogram_range), a_stream(t),
                                                          an_input(t), input(t), result(t), bins.data(), bins.size(),
                                                          few_pixels(t));
         }},
        {"cuprum_parallel_multi_histogram_range_build", 4,
         [](Turn& t) {
             return cuprum_parallel_multi_histogram_range_build(
                 t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm), building_execution(t),
                 building_input(t), t.random.one_in(8) ? number(t) : 3, t.random.one_in(8) ? number(t) : 2,
                 building_type(t), building_type(t));
         }},
        {"cuprum_parallel_for_each", 4,
         [](Turn& t) {
             return cuprum_parallel_for_each(an_algorithm(t, alg_for_each), a_stream(t), an_input(t), count(t),
                                             a_call_op(t));
         }},
        {"cuprum_parallel_for_each_build", 4,
         [](Turn& t) {
             return cuprum_parallel_for_each_build(t.output_handle<cuprum_parallel_algorithm>(parallel_algorithm),
                                                   building_execution(t), building_input(t),
                                                   building_op(t, op_is_positive));
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
    };
}

}  // namespace hammer
