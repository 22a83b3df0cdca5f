// The algorithms over host memory in pieces: a few elements, of a piece of the device's memory that has room for them,
// or now and then has not.
#include "choices.hpp"

namespace hammer {

namespace {

// Where the lasting algorithms are in Shared::lasting; main.cpp makes them in this order. And the operator plus.
enum Algorithms : size_t { of_reduce, of_scan, of_radix_sort, of_histogram, of_reduce_by_key };
constexpr size_t op_plus = 0;

cuprum_out_of_core_algorithm an_algorithm(Turn& t, Algorithms which) {
    return as_handle<cuprum_out_of_core_algorithm>(t.handle(out_of_core_algorithm, which));
}
cuprum_out_of_core_algorithm* an_output(Turn& t) {
    return t.output_handle<cuprum_out_of_core_algorithm>(out_of_core_algorithm);
}
// What is compiled already, or refused.
const char* type(Turn& t) {
    constexpr std::array<const char*, 2> wrong{"P{x:int32@1}", "int31"};
    return t.random.one_in(10) ? t.random.pick(wrong) : text(t, std::array<const char*, 1>{"int32"});
}
cuprum_parallel_operator plus(Turn& t) {
    return as_handle<cuprum_parallel_operator>(t.random.one_in(8) ? t.bad_handle(parallel_operator, true)
                                                                  : t.shared.lasting[parallel_operator][op_plus]);
}
uint64_t limit(Turn& t) {
    return t.random.one_in(4) ? t.random.below(20000) : 65536;
}
// Of one device, or now and then of two, of none, or cut short.
class Memory {
public:
    explicit Memory(Turn& t)
        : size_(t.random.one_in(8) ? t.random.below(sizeof(memory_) + 1) : sizeof(cuprum_device_memory)),
          data_(t.random.one_in(20) ? nullptr : memory_.data()) {
        for (cuprum_device_memory& each : memory_) {
            const uint64_t resource = t.random.one_in(8) ? t.bad_handle(memory_resource, true) : 0;
            each = {device(t), limit(t), as_handle<cuprum_memory_resource>(resource)};
        }
    }
    const void* data() const { return data_; }
    uint64_t size() const { return size_; }

private:
    std::array<cuprum_device_memory, 2> memory_{};
    uint64_t size_;
    const void* data_;
};
uint64_t four(Turn& t) {
    return t.random.one_in(8) ? t.random.below(9) : 4;
}
// Bytes of a few elements, or a few too many or too few.
uint64_t bytes(Turn& t, uint64_t elements) {
    return t.random.one_in(12) ? t.random.below(257) : 4 * elements;
}

// Elements of one call: they may be NULL.
class Elements {
public:
    explicit Elements(Turn& t) : data_(t.random.one_in(20) ? nullptr : memory_.data()) {
        for (int32_t& each : memory_)
            each = static_cast<int32_t>(t.random.below(50));
    }
    int32_t* data() { return data_; }

private:
    std::array<int32_t, 64> memory_{};
    int32_t* data_;
};

}  // namespace

std::vector<Function> out_of_core_functions() {
    return {
        {"cuprum_out_of_core_algorithm_destroy", 8,
         [](Turn& t) { return destroy(out_of_core_algorithm, t.doomed(out_of_core_algorithm)); }},
        {"cuprum_out_of_core_histogram_even", 2,
         [](Turn& t) {
             static constexpr int32_t lower = -20, upper = 40;
             Elements samples(t), histogram(t);
             const uint64_t bins = t.random.below(65);
             return cuprum_out_of_core_histogram_even(an_algorithm(t, of_histogram), samples.data(),
                                                      bytes(t, t.random.below(65)), histogram.data(), bytes(t, bins),
                                                      bins, &lower, four(t), &upper, four(t));
         }},
        {"cuprum_out_of_core_histogram_even_build", 2,
         [](Turn& t) {
             const Memory memory(t);
             return cuprum_out_of_core_histogram_even_build(an_output(t), memory.data(), memory.size(), type(t),
                                                            type(t), type(t));
         }},
        {"cuprum_out_of_core_radix_sort", 2,
         [](Turn& t) {
             Elements keys(t), target(t), scratch(t);
             const uint64_t count = t.random.below(65);
             return cuprum_out_of_core_radix_sort(an_algorithm(t, of_radix_sort), keys.data(), bytes(t, count),
                                                  target.data(), bytes(t, count), scratch.data(),
                                                  t.random.one_in(2) ? 0 : bytes(t, count), nullptr, 0, nullptr, 0,
                                                  nullptr, t.random.one_in(8) ? 4 : 0);
         }},
        {"cuprum_out_of_core_radix_sort_build", 2,
         [](Turn& t) {
             const Memory memory(t);
             return cuprum_out_of_core_radix_sort_build(an_output(t), memory.data(), memory.size(),
                                                        choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}),
                                                        type(t), nullptr);
         }},
        {"cuprum_out_of_core_reduce", 4,
         [](Turn& t) {
             Elements elements(t), result(t), init(t);
             return cuprum_out_of_core_reduce(an_algorithm(t, of_reduce), elements.data(), bytes(t, t.random.below(65)),
                                              result.data(), four(t), init.data(), t.random.one_in(2) ? 0 : four(t));
         }},
        {"cuprum_out_of_core_reduce_build", 2,
         [](Turn& t) {
             const Memory memory(t);
             return cuprum_out_of_core_reduce_build(an_output(t), memory.data(), memory.size(), type(t), plus(t),
                                                    type(t));
         }},
        {"cuprum_out_of_core_reduce_by_key", 2,
         [](Turn& t) {
             Elements keys(t), values(t), keys_target(t), values_target(t);
             const uint64_t count = t.random.below(65);
             return cuprum_out_of_core_reduce_by_key(
                 t.output<uint64_t>(), an_algorithm(t, of_reduce_by_key), keys.data(), bytes(t, count), values.data(),
                 bytes(t, count), keys_target.data(), bytes(t, count), values_target.data(), bytes(t, count));
         }},
        {"cuprum_out_of_core_reduce_by_key_build", 2,
         [](Turn& t) {
             const Memory memory(t);
             return cuprum_out_of_core_reduce_by_key_build(an_output(t), memory.data(), memory.size(), type(t), type(t),
                                                           plus(t), type(t));
         }},
        {"cuprum_out_of_core_scan", 2,
         [](Turn& t) {
             Elements elements(t), results(t);
             const uint64_t count = t.random.below(65);
             return cuprum_out_of_core_scan(an_algorithm(t, of_scan), elements.data(), bytes(t, count), results.data(),
                                            bytes(t, count), nullptr, t.random.one_in(8) ? 4 : 0);
         }},
        {"cuprum_out_of_core_scan_build", 2,
         [](Turn& t) {
             const Memory memory(t);
             return cuprum_out_of_core_scan_build(an_output(t), memory.data(), memory.size(),
                                                  choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), type(t),
                                                  plus(t), type(t));
         }},
    };
}

}  // namespace hammer
