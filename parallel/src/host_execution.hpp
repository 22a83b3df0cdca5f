// The algorithms on the host's cores: what they are built for is checked, and calls go to libcuprum_host. Of what is
// called here nothing allocates while all is well.
#pragma once

#include <optional>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/arg_reduce.hpp"
#include "cuprum/parallel/merge_sort.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/scan.hpp"

namespace cuprum::parallel::host_execution {

// Whether an algorithm can be built for the host's cores: throw Unsupported where not, and NotFound without
// libcuprum_host. `algorithm`: "reduce", for the errors.
void check_available();
void check_combination(const char* algorithm, const Iterator& input, const Operator& op, const Type& accumulator);
void check_transform(const Iterator& first, const Iterator* second, const Operator& op, const Type& output);
void check_elements(const char* algorithm, const Iterator& input);
void check_condition(const Iterator& input, const Operator& condition);
void check_unique_by_key(const Iterator& keys, const Iterator& values, const Operator& op);
void check_comparison(const Operator& compare, const Type& keys);

// What all calls have.
struct HostCall {
    const char* operation;  // "reducing"
    const core::StreamRef& stream;
    const CallOptions& options;
    uint64_t count;
};

void reduce(const HostCall& call, const Iterator& built, const Operator& op, const Type& accumulator,
            const Input& input, const Output& output, const Value& init);
void segmented_reduce(const HostCall& call, const Iterator& built, const Operator& op, const Type& accumulator,
                      const Type& offsets, const Input& input, const Output& output, const Input& begins,
                      const Input& ends, const Value& init);
// `init`: null without one.
void scan(const HostCall& call, bool is_exclusive, const Iterator& built, const Operator& op, const Type& accumulator,
          const Input& input, const Output& output, const Value* init);
// `second`: null for an operator of one operand.
void transform(const HostCall& call, const Iterator& built_first, const Iterator* built_second, const Operator& op,
               const Type& result, const Input& first, const Input* second, const Output& output);
// `result`: struct cuprum_indexed.
void arg_reduce(const HostCall& call, ArgKind kind, const Iterator& built, const Type& result, const Input& input,
                const Output& output);

// `output` may be the input's own memory.
void select(const HostCall& call, const Iterator& built, const Operator& condition, const Input& input,
            const Output& output, const Output& selected_count);

// Each output may be its input's own memory.
void unique_by_key(const HostCall& call, const Iterator& built_keys, const Iterator& built_values, const Operator& op,
                   const Input& keys_in, const Input& values_in, const Output& keys_out, const Output& values_out,
                   const Output& selected_count);

// A sort's memory; values null for keys alone.
struct SortMemory {
    const Type& keys;
    const Type* values;
    const Input& keys_in;
    const Output& keys_out;
    const Input* values_in;
    const Output* values_out;
};
void sort(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit, int32_t end_bit);
// The same by OpKind::less or OpKind::greater.
void sort(const HostCall& call, const SortMemory& memory, const Operator& compare);

}  // namespace cuprum::parallel::host_execution
