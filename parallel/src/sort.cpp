#include "sort.hpp"

#include <string>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

HostSort HostSort::in_place(const HostOutput& keys, const std::optional<HostOutput>& values) {
    HostSort result{{keys.type, keys.data, keys.count}, keys, std::nullopt, values};
    if (values) result.values = HostInput{values->type, values->data, values->count};
    return result;
}

void HostSort::check() const {
    constexpr const char* operation = "sorting";
    if (values.has_value() != moved.has_value()) {
        throw InvalidArgument(
            operation, "values",
            values ? "there is no memory for where they move to" : "there is memory for them, and they are not given");
    }
    if (values) require_same_count(operation, keys.count, values->count);
    require_same_count(operation, keys.count, sorted.count);
    if (moved) require_same_count(operation, values->count, moved->count);
    const auto require_type = [&](const char* part, const Type& in, const Type& out) {
        if (in != out) throw InvalidArgument(operation, part, "they are of " + in.name() + " and go to " + out.name());
    };
    require_type("keys", keys.type, sorted.type);
    refuse_overlap(operation, keys, sorted, true);
    if (!values) return;
    require_type("values", values->type, moved->type);
    refuse_overlap(operation, *values, *moved, true);
    refuse_overlap(operation, keys, *moved);
    refuse_overlap(operation, *values, sorted);
    refuse_overlap(operation, sorted, *moved);
}

void check_sort_on_host(const HostCall& call, const SortMemory& memory) {
    using namespace host_execution;
    check_call(call, call.options.op);
    const auto check_pair = [&](const char* in_name, const char* out_name, const Type& type, const Input& in,
                                const Output& out) {
        check_memory(call, memory_of(in_name, in), type, call.count);
        check_memory(call, memory_of(out_name, out), type, call.count);
        const uint64_t size = call.count * type.size();
        if (in.address() != out.address() && in.address() < out.address() + size &&
            out.address() < in.address() + size) {
            throw InvalidArgument(call.operation, std::string(in_name) + " and " + out_name,
                                  "they overlap: the one would be overwritten before it is read");
        }
    };
    check_pair("input keys", "output keys", memory.keys, memory.keys_in, memory.keys_out);
    if (memory.values != nullptr) {
        check_pair("input values", "output values", *memory.values, *memory.values_in, *memory.values_out);
    }
}

void sort_on_host(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit, int32_t end_bit) {
    using namespace host_execution;
    check_sort_on_host(call, memory);
    const bool has_values = memory.values != nullptr;
    const auto in = [](const Input& input) { return reinterpret_cast<const void*>(input.address()); };
    const auto out = [](const Output& output) { return reinterpret_cast<void*>(output.address()); };
    check(host_functions().sort(number_of(memory.keys), order == SortOrder::descending ? 1 : 0, in(memory.keys_in),
                                out(memory.keys_out), has_values ? memory.values->size() : 0,
                                has_values ? in(*memory.values_in) : nullptr,
                                has_values ? out(*memory.values_out) : nullptr, call.count, begin_bit, end_bit),
          call);
}

}  // namespace cuprum::parallel
