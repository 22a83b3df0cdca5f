// The algorithms over several devices, of which there is one here.
#include "choices.hpp"

namespace hammer {

namespace {

// Where the lasting algorithms are in Shared::lasting; main.cpp makes them in this order. And the operator plus.
enum Algorithms : size_t { over_reduce, over_scan, over_radix_sort, over_histogram, over_reduce_by_key };
constexpr size_t op_plus = 0;

cuprum_communicator a_communicator(Turn& t) {
    return as_handle<cuprum_communicator>(t.handle(communicator));
}
cuprum_distributed_algorithm an_algorithm(Turn& t, Algorithms which) {
    return as_handle<cuprum_distributed_algorithm>(t.handle(distributed_algorithm, which));
}
cuprum_reduced_shards some_reduced(Turn& t) {
    return as_handle<cuprum_reduced_shards>(t.handle(reduced_shards));
}
uint32_t rank(Turn& t) {
    return t.random.one_in(8) ? static_cast<uint32_t>(t.random.next()) : 0;
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
uint64_t four(Turn& t) {
    return t.random.one_in(8) ? size(t) : 4;
}

// A list of one shard, as there is one rank; now and then of another number of them, or with something wrong.
class Shards {
public:
    // Of the input, which is only read.
    Shards(Turn& t, uint64_t elements) : Shards(t, t.shared.input_buffer, elements) {}
    static Shards of_own_memory(Turn& t, uint64_t elements) { return {t, t.shared.own_buffers[t.thread], elements}; }
    const cuprum_shard* data() const { return is_null_ ? nullptr : shards_.data(); }
    uint32_t size() const { return size_; }

private:
    Shards(Turn& t, cuprum_buffer memory, uint64_t elements)
        : size_(t.random.one_in(12) ? static_cast<uint32_t>(t.random.below(3)) : 1), is_null_(t.random.one_in(40)) {
        for (cuprum_shard& each : shards_) {
            each = {t.random.one_in(12) ? type(t) : "int32", memory, t.random.one_in(12) ? hammer::size(t) : elements};
            if (t.random.one_in(20)) each.memory = as_handle<cuprum_buffer>(t.bad_handle(buffer, true));
        }
    }

    std::array<cuprum_shard, 2> shards_{};
    uint32_t size_;
    bool is_null_;
};

// Elements of the input.
uint64_t few(Turn& t) {
    return t.random.below(65);
}
const int32_t* number(Turn& t, const int32_t& value) {
    return t.random.one_in(20) ? nullptr : &value;
}

}  // namespace

std::vector<Function> distributed_functions() {
    return {
        {"cuprum_communicator_create", 4,
         [](Turn& t) {
             const std::array<int32_t, 2> devices{device(t), device(t)};
             return cuprum_communicator_create(t.output_handle<cuprum_communicator>(communicator),
                                               t.random.one_in(20) ? nullptr : devices.data(),
                                               t.random.one_in(8) ? t.random.below(9) : 4);
         }},
        {"cuprum_communicator_destroy", 4, [](Turn& t) { return destroy(communicator, t.doomed(communicator)); }},
        {"cuprum_communicator_device", 10,
         [](Turn& t) { return cuprum_communicator_device(t.output<int32_t>(), a_communicator(t), rank(t)); }},
        {"cuprum_communicator_size", 10,
         [](Turn& t) { return cuprum_communicator_size(t.output<uint32_t>(), a_communicator(t)); }},
        {"cuprum_communicator_stream", 4,
         [](Turn& t) {
             return cuprum_communicator_stream(t.output_handle<cuprum_stream>(stream), a_communicator(t), rank(t));
         }},
        {"cuprum_communicator_sync", 4, [](Turn& t) { return cuprum_communicator_sync(a_communicator(t)); }},
        {"cuprum_distributed_algorithm_destroy", 8,
         [](Turn& t) { return destroy(distributed_algorithm, t.doomed(distributed_algorithm)); }},
        {"cuprum_distributed_histogram_even", 2,
         [](Turn& t) {
             static constexpr int32_t lower = -20, upper = 40;
             const uint64_t bins = t.random.one_in(8) ? size(t) : 1 + t.random.below(64);
             const Shards samples(t, few(t)), histograms = Shards::of_own_memory(t, bins);
             return cuprum_distributed_histogram_even(an_algorithm(t, over_histogram), samples.data(), samples.size(),
                                                      histograms.data(), histograms.size(), bins, number(t, lower),
                                                      four(t), number(t, upper), four(t));
         }},
        {"cuprum_distributed_histogram_even_build", 2,
         [](Turn& t) {
             return cuprum_distributed_histogram_even_build(
                 t.output_handle<cuprum_distributed_algorithm>(distributed_algorithm), a_communicator(t), type(t),
                 type(t), type(t));
         }},
        {"cuprum_distributed_radix_sort", 2,
         [](Turn& t) {
             const uint64_t count = few(t);
             const Shards keys(t, count), target = Shards::of_own_memory(t, count), none(t, count);
             const bool has_values = t.random.one_in(8);
             return cuprum_distributed_radix_sort(an_algorithm(t, over_radix_sort), keys.data(), keys.size(),
                                                  target.data(), target.size(), has_values ? none.data() : nullptr,
                                                  has_values ? none.size() : 0, nullptr, 0);
         }},
        {"cuprum_distributed_radix_sort_build", 2,
         [](Turn& t) {
             return cuprum_distributed_radix_sort_build(
                 t.output_handle<cuprum_distributed_algorithm>(distributed_algorithm), a_communicator(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SORT_ASCENDING}), type(t), nullptr);
         }},
        {"cuprum_distributed_reduce", 4,
         [](Turn& t) {
             static constexpr int32_t init = 3;
             const Shards inputs(t, few(t)), outputs = Shards::of_own_memory(t, 1);
             return cuprum_distributed_reduce(an_algorithm(t, over_reduce), inputs.data(), inputs.size(),
                                              outputs.data(), outputs.size(), number(t, init),
                                              t.random.one_in(3) ? 0 : four(t));
         }},
        {"cuprum_distributed_reduce_build", 2,
         [](Turn& t) {
             return cuprum_distributed_reduce_build(
                 t.output_handle<cuprum_distributed_algorithm>(distributed_algorithm), a_communicator(t), type(t),
                 plus(t), type(t));
         }},
        {"cuprum_distributed_reduce_by_key", 2,
         [](Turn& t) {
             const uint64_t count = few(t);
             const Shards keys(t, count), values(t, count);
             return cuprum_distributed_reduce_by_key(t.output_handle<cuprum_reduced_shards>(reduced_shards),
                                                     an_algorithm(t, over_reduce_by_key), keys.data(), keys.size(),
                                                     values.data(), values.size());
         }},
        {"cuprum_distributed_reduce_by_key_build", 2,
         [](Turn& t) {
             return cuprum_distributed_reduce_by_key_build(
                 t.output_handle<cuprum_distributed_algorithm>(distributed_algorithm), a_communicator(t), type(t),
                 type(t), plus(t), type(t));
         }},
        {"cuprum_distributed_scan", 2,
         [](Turn& t) {
             static constexpr int32_t init = 3;
             const uint64_t count = few(t);
             const Shards inputs(t, count), outputs = Shards::of_own_memory(t, count);
             return cuprum_distributed_scan(an_algorithm(t, over_scan), inputs.data(), inputs.size(), outputs.data(),
                                            outputs.size(), number(t, init), t.random.one_in(3) ? four(t) : 0);
         }},
        {"cuprum_distributed_scan_build", 2,
         [](Turn& t) {
             return cuprum_distributed_scan_build(
                 t.output_handle<cuprum_distributed_algorithm>(distributed_algorithm), a_communicator(t),
                 choice(t, std::array<int32_t, 1>{CUPRUM_SCAN_INCLUSIVE}), type(t), plus(t), type(t));
         }},
        {"cuprum_reduced_shards_count", 8,
         [](Turn& t) { return cuprum_reduced_shards_count(t.output<uint64_t>(), some_reduced(t), rank(t)); }},
        {"cuprum_reduced_shards_destroy", 2, [](Turn& t) { return destroy(reduced_shards, t.doomed(reduced_shards)); }},
        {"cuprum_reduced_shards_take_keys", 8,
         [](Turn& t) {
             return cuprum_reduced_shards_take_keys(t.output_handle<cuprum_buffer>(buffer), some_reduced(t), rank(t));
         }},
        {"cuprum_reduced_shards_take_values", 8,
         [](Turn& t) {
             return cuprum_reduced_shards_take_values(t.output_handle<cuprum_buffer>(buffer), some_reduced(t), rank(t));
         }},
    };
}

}  // namespace hammer
