// How arguments of the parallel algorithms are chosen.
#pragma once

#include "choices.hpp"

namespace hammer {

// Where the lasting operators are in Shared::lasting; main.cpp makes them in this order.
enum Operators : size_t { op_plus, op_less, op_negate, op_is_positive, op_equal, op_of_three };

inline uint64_t four(Turn& t) {
    return t.random.one_in(8) ? size(t) : 4;
}
// What algorithms are built of: others than these would be compiled.
inline cuprum_parallel_operator building_op(Turn& t, size_t which) {
    return as_handle<cuprum_parallel_operator>(t.random.one_in(8) ? t.bad_handle(parallel_operator, true)
                                                                  : t.shared.lasting[parallel_operator][which]);
}
inline const char* building_type(Turn& t) {
    constexpr std::array<const char*, 2> wrong{"P{x:int32@1}", "int31"};
    return t.random.one_in(10) ? t.random.pick(wrong) : text(t, std::array<const char*, 1>{"int32"});
}
// The size of an array of two int32_t, or a wrong one, of at most three.
inline uint64_t four_each(Turn& t) {
    return t.random.one_in(8) ? t.random.below(13) : 8;
}
// Device 0, another one, the host's cores now and then. Ahead of time only what is refused: the rest would be compiled.
inline const cuprum_execution* execution_of(Turn& t, const char* named) {
    static thread_local cuprum_execution made;
    if (t.random.one_in(4)) return nullptr;
    const bool is_host = t.random.one_in(3);
    const int32_t kind = is_host || named == nullptr || *named == '\0' ? t.random.one_in(20) ? 3 : is_host ? 1 : 0 : 2;
    made = {t.struct_size(sizeof made, sizeof made), kind, device(t), named, t.random.one_in(20) ? 3 : 0};
    return &made;
}
inline const void* initial(Turn& t) {
    static constexpr int32_t zero = 0;
    return t.random.one_in(20) ? nullptr : &zero;
}

// Where the lasting iterators and algorithms are in Shared::lasting; main.cpp makes them in this order.
enum Iterators : size_t { it_pointer, it_counting, it_nothing };
inline uint64_t input(Turn& t) {
    return t.random.one_in(12) ? t.random.below(3) : t.shared.input;
}
inline int32_t number(Turn& t) {
    return static_cast<int32_t>(t.random.below(7)) - 1;
}
// Of the three that there are.
inline uint32_t few_inputs(Turn& t) {
    return t.random.one_in(8) ? static_cast<uint32_t>(t.random.below(3)) : 3;
}

}  // namespace hammer
