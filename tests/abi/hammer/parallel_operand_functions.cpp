// What the parallel algorithms are built of: iterators and operators.
#include "parallel_choices.hpp"

namespace hammer {

namespace {

const char* type(Turn& t) {
    constexpr std::array<const char*, 5> others{"float64", "P{x:int32,y:float32}", "P{x:int32@1}", "int8", "complex64"};
    return t.random.one_in(8) ? t.random.pick(others) : text(t, std::array<const char*, 1>{"int32"});
}

}  // namespace

std::vector<Function> parallel_operand_functions() {
    return {
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
        {"cuprum_parallel_iterator_coordinates", 60,
         [](Turn& t) {
             constexpr std::array<const char*, 6> extents{"4,5", "7", "0,3", "4,,5", "1,2,3,4,5,6,7,8,9", "x"};
             return cuprum_parallel_iterator_coordinates(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                         text(t, extents), t.random.one_in(2) ? nullptr : type(t));
         }},
        {"cuprum_parallel_iterator_counting", 60,
         [](Turn& t) {
             return cuprum_parallel_iterator_counting(t.output_handle<cuprum_parallel_iterator>(parallel_iterator),
                                                      type(t), host(t), four(t));
         }},
        {"cuprum_parallel_iterator_destroy", 100,
         [](Turn& t) { return destroy(parallel_iterator, t.doomed(parallel_iterator)); }},
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
        {"cuprum_parallel_operator_by_fields", 30,
         [](Turn& t) {
             return cuprum_parallel_operator_by_fields(
                 t.output_handle<cuprum_parallel_operator>(parallel_operator),
                 t.random.one_in(8) ? type(t) : text(t, std::array<const char*, 1>{"P{x:int32,y:float32}"}),
                 text(t, std::array<const char*, 5>{"x", "y, -x", "-y", "x,x", "z."}));
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
        {"cuprum_parallel_operator_destroy", 60,
         [](Turn& t) { return destroy(parallel_operator, t.doomed(parallel_operator)); }},
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
    };
}

}  // namespace hammer
