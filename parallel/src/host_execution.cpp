#include "host_execution.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "call.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_library.hpp"
#include "layout.hpp"

namespace cuprum::parallel::host_execution {

namespace {

// complex numbers need no more than their parts on the host.
uint64_t host_alignment(const Type& type) {
    return type.is_complex() ? type.size() / 2 : type.alignment();
}

host::TypeNumber number_of(const Type& type) {
    return static_cast<host::TypeNumber>(type.kind());
}
host::OpNumber number_of(const Operator& op) {
    return static_cast<host::OpNumber>(*op.kind());
}

// Memory that only the device sees; where no driver is in use, there is none.
bool is_device_memory(uint64_t address) {
    namespace driver = bindings::driver;
    if (!driver::loaded()) return false;
    CUmemorytype type{};
    unsigned int is_managed = 0;
    std::array<CUpointer_attribute, 2> names{CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    std::array<void*, 2> values{&type, &is_managed};
    return driver::cuPointerGetAttributes(2, names.data(), values.data(), address) == CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_DEVICE && is_managed == 0;
}

// The bytes there are: none where that is not known.
struct Memory {
    const char* name;
    uint64_t address;
    const core::BufferRef* buffer;
    std::optional<uint64_t> bytes;
};
Memory memory_of(const char* name, const Input& input) {
    return {name, input.address(), input.buffer(), input.host_bytes()};
}
Memory memory_of(const char* name, const Output& output) {
    return {name, output.address(), output.buffer(), output.host_bytes()};
}

void check_memory(const HostCall& call, const Memory& memory, const Type& type, uint64_t count) {
    if (memory.buffer != nullptr || (count > 0 && is_device_memory(memory.address))) [[unlikely]] {
        throw InvalidArgument(call.operation, memory.name,
                              "it is device memory, and the algorithm was built for the host's cores",
                              "give host memory, or build the algorithm for the device");
    }
    if (count == 0) return;
    check_count(call.operation, count, type.size());
    if (memory.address == 0) [[unlikely]] {
        throw InvalidArgument(
            call.operation, memory.name,
            "it is null, expected host memory for " + std::to_string(count) + " elements of " + type.name());
    }
    if (memory.address % host_alignment(type) != 0) [[unlikely]] {
        throw InvalidArgument(call.operation, memory.name,
                              "its address is not aligned to " + std::to_string(host_alignment(type)) +
                                  " bytes, which " + type.name() + " needs");
    }
    if (memory.bytes && *memory.bytes / type.size() < count) [[unlikely]] {
        throw InvalidArgument(call.operation, memory.name,
                              "it has " + std::to_string(*memory.bytes) + " bytes, expected " + std::to_string(count) +
                                  " elements of " + type.name());
    }
}

void check_call(const HostCall& call, const Operator* op) {
    if (call.stream.is_valid()) [[unlikely]] {
        throw InvalidArgument(call.operation, "stream",
                              "one is given, and the algorithm was built for the host's cores, where a call "
                              "is done when it returns",
                              "give no stream");
    }
    if (call.options.temp_storage.is_valid()) [[unlikely]] {
        throw InvalidArgument(call.operation, "temporary storage",
                              "some is given, and the algorithm was built for the host's cores, which takes "
                              "none");
    }
    if (call.options.op != nullptr && (op == nullptr || !call.options.op->has_code_of(*op))) [[unlikely]] {
        throw InvalidArgument(call.operation, "operator '" + call.options.op->text() + "'",
                              "it is not the one that the algorithm was built for");
    }
}

void check_init(const HostCall& call, const Type& accumulator, const Value& init) {
    if (init.type() != accumulator) [[unlikely]] {
        throw InvalidArgument(
            call.operation, "initial value",
            "it is of type " + init.type().text() + ", the algorithm was built for " + accumulator.text());
    }
}

void check(host::Status status, const HostCall& call) {
    if (status == host::success) [[likely]]
        return;
    ErrorInfo info;
    info.status = cuprum::Status::out_of_memory;
    info.operation = call.operation;
    info.object = std::to_string(call.count) + " elements on the host";
    info.detail = "there is no memory for intermediate results";
    throw OutOfMemory(std::move(info));
}

[[noreturn]] void refuse(const char* algorithm, std::string object, std::string detail, std::string advice = {}) {
    throw Unsupported(std::string("building ") + algorithm + " for the host's cores", std::move(object),
                      std::move(detail), std::move(advice));
}

void require_number(const char* algorithm, const char* what, const Type& type) {
    if (type.is_structure()) {
        refuse(algorithm, what, "it is of the struct type '" + type.name() + "'; the host has numbers and bool only",
               "build for a device: on a machine without a GPU the simulator is one (CUPRUM_DRIVER=sim)");
    }
}

OpKind require_known(const char* algorithm, const Operator& op) {
    if (!op.kind()) {
        refuse(algorithm, "operator '" + op.text() + "'",
               "operators of one's own are compiled for a device; on the host there are the well-known ones (OpKind): "
               "\"plus\" or \"a + b\", \"minimum\", \"less\" and so on",
               "use a well-known operator, or build for a device: on a machine without a GPU the simulator is one "
               "(CUPRUM_DRIVER=sim)");
    }
    return *op.kind();
}

void require_convertible(const char* algorithm, const char* what, host::TypeNumber from, const Type& to) {
    if (host_functions().is_convertible(from, number_of(to)) == 0) {
        refuse(algorithm, what,
               Type(static_cast<TypeKind>(from)).name() + " does not become " + to.name() + " without losing a part");
    }
}

void require_defined(const char* algorithm, const Operator& op, const Type& operand, host::TypeNumber result) {
    if (result < 0) refuse(algorithm, "operator '" + op.text() + "'", "it is not defined for " + operand.name());
}

bool is_unary(OpKind kind) {
    return static_cast<host::OpNumber>(kind) >= host::first_unary_op;
}

void require_operands(const char* algorithm, const Operator& op, int expected) {
    const int taken = is_unary(require_known(algorithm, op)) ? 1 : 2;
    if (taken != expected) {
        throw InvalidArgument(
            "building an algorithm", "operator '" + op.text() + "'",
            "it takes " + std::to_string(taken) + " operand(s), expected an operator of " + std::to_string(expected));
    }
}

void check_iterator(const char* algorithm, const char* what, const Iterator& iterator, int depth = 0) {
    if (depth > host::max_stages) {
        refuse(algorithm, what,
               "it is of more than " + std::to_string(host::max_stages) + " transform iterators, one upon the other");
    }
    require_number(algorithm, what, iterator.value_type());
    if (iterator.kind() != Iterator::Kind::transform) return;
    const Iterator& base = *iterator.base();
    const Operator& op = *iterator.op();
    check_iterator(algorithm, what, base, depth + 1);
    require_operands(algorithm, op, 1);
    const host::TypeNumber result = host_functions().result_of(number_of(op), number_of(base.value_type()));
    require_defined(algorithm, op, base.value_type(), result);
    require_convertible(algorithm, what, result, iterator.value_type());
}

// An iterator with the bytes of the input that is given for it.
host::Source source_of(const HostCall& call, const char* name, const Iterator& built, const Input& input,
                       uint64_t count) {
    const Iterator* const given = input.iterator();
    if (given != nullptr ? !given->has_shape_of(built) : built.kind() != Iterator::Kind::pointer) [[unlikely]] {
        throw InvalidArgument(call.operation, name,
                              "it is " + (given != nullptr ? given->shape_text() : std::string("plain memory")) +
                                  ", the algorithm was built for " + built.shape_text());
    }
    host::Source source{};
    const Iterator* leaf = &built;
    for (; leaf->kind() == Iterator::Kind::transform; leaf = leaf->base())
        ++source.stage_count;
    int32_t stage = source.stage_count;
    for (const Iterator* it = &built; it->kind() == Iterator::Kind::transform; it = it->base()) {
        source.stages[--stage] = {number_of(*it->op()), number_of(it->base()->value_type()),
                                  number_of(it->value_type())};
    }
    source.type = number_of(leaf->value_type());
    // The state of the innermost iterator is at the beginning of those around it.
    source.memory_or_value = input.state();
    switch (leaf->kind()) {
        case Iterator::Kind::constant:
            source.kind = host::Source::constant;
            break;
        case Iterator::Kind::counting:
            source.kind = host::Source::counting;
            break;
        default: {
            source.kind = host::Source::memory;
            Memory memory = memory_of(name, input);
            std::memcpy(&memory.address, input.state(), sizeof(memory.address));
            check_memory(call, memory, leaf->value_type(), count);
            source.memory_or_value = reinterpret_cast<const void*>(memory.address);
            break;
        }
    }
    return source;
}

void* target_of(const HostCall& call, const char* name, const Type& type, const Output& output, uint64_t count) {
    check_memory(call, memory_of(name, output), type, count);
    return reinterpret_cast<void*>(output.address());
}

// Elements in place are fine where each is read before its place is written.
void check_overlap(const HostCall& call, const char* name, const host::Source& input, const void* output,
                   const Type& result) {
    if (input.kind != host::Source::memory) return;
    const uint64_t size = call.count * Type(static_cast<TypeKind>(input.type)).size();
    const uint64_t result_size = call.count * result.size();
    const auto begin = reinterpret_cast<uintptr_t>(input.memory_or_value);
    const auto target = reinterpret_cast<uintptr_t>(output);
    if (begin == target && size == result_size) return;
    if (begin < target + result_size && target < begin + size) {
        throw InvalidArgument(call.operation, std::string(name) + " and output",
                              "they overlap: the one would be overwritten before it is read");
    }
}

}  // namespace

void check_available() {
    host_functions();
}

void check_elements(const char* algorithm, const Iterator& input) {
    check_available();
    check_iterator(algorithm, "input", input);
}

void check_combination(const char* algorithm, const Iterator& input, const Operator& op, const Type& accumulator) {
    check_elements(algorithm, input);
    require_number(algorithm, "accumulator", accumulator);
    require_operands(algorithm, op, 2);
    const host::Functions& functions = host_functions();
    require_defined(algorithm, op, accumulator, functions.result_of(number_of(op), number_of(accumulator)));
    if (functions.is_associative(number_of(op), number_of(accumulator)) == 0) {
        refuse(algorithm, "operator '" + op.text() + "'", "elements cannot be combined by it in any order",
               "use an associative one: plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, logical_and or "
               "logical_or");
    }
    require_convertible(algorithm, "input", number_of(input.value_type()), accumulator);
}

void check_transform(const Iterator& first, const Iterator* second, const Operator& op, const Type& output) {
    constexpr const char* algorithm = "transform";
    check_elements(algorithm, first);
    if (second != nullptr) check_elements(algorithm, *second);
    require_number(algorithm, "output", output);
    require_operands(algorithm, op, second == nullptr ? 1 : 2);
    const host::Functions& functions = host_functions();
    host::TypeNumber operands = number_of(first.value_type());
    if (second != nullptr) {
        operands = functions.common_type(operands, number_of(second->value_type()));
        if (operands < 0) {
            refuse(algorithm, "inputs",
                   "C++ has no common type for " + first.value_type().name() + " and " + second->value_type().name(),
                   "convert one of them with a transform iterator: the operator identity");
        }
    }
    const host::TypeNumber result = functions.result_of(number_of(op), operands);
    require_defined(algorithm, op, Type(static_cast<TypeKind>(operands)), result);
    require_convertible(algorithm, "output", result, output);
}

void check_condition(const Iterator& input, const Operator& condition) {
    constexpr const char* algorithm = "select";
    check_elements(algorithm, input);
    require_operands(algorithm, condition, 1);
    const Type& elements = input.value_type();
    const host::TypeNumber result = host_functions().result_of(number_of(condition), number_of(elements));
    require_defined(algorithm, condition, elements, result);
    require_convertible(algorithm, "condition", result, Type(TypeKind::boolean));
}

void check_unique_by_key(const Iterator& keys, const Iterator& values, const Operator& op) {
    constexpr const char* algorithm = "unique_by_key";
    check_available();
    check_iterator(algorithm, "keys", keys);
    check_iterator(algorithm, "values", values);
    require_operands(algorithm, op, 2);
    const host::TypeNumber result = host_functions().result_of(number_of(op), number_of(keys.value_type()));
    require_defined(algorithm, op, keys.value_type(), result);
    if (result != static_cast<host::TypeNumber>(TypeKind::boolean)) {
        refuse(algorithm, "operator '" + op.text() + "'", "it gives a number, expected a comparison",
               "use equal_to or another comparison");
    }
}

void check_comparison(const Operator& compare, const Type& keys) {
    constexpr const char* algorithm = "merge_sort";
    check_available();
    require_number(algorithm, "keys", keys);
    require_operands(algorithm, compare, 2);
    if (*compare.kind() != OpKind::less && *compare.kind() != OpKind::greater) {
        refuse(algorithm, "operator '" + compare.text() + "'", "it is no strict weak ordering",
               "use the operator less or greater");
    }
    if (keys.is_complex()) {
        refuse(algorithm, "operator '" + compare.text() + "'", "it is not defined for " + keys.name());
    }
}

void reduce(const HostCall& call, const Iterator& built, const Operator& op, const Type& accumulator,
            const Input& input, const Output& output, const Value& init) {
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count);
    void* const target = target_of(call, "output", accumulator, output, 1);
    check_init(call, accumulator, init);
    check(host_functions().reduce(&source, call.count, number_of(op), number_of(accumulator), init.data(), target),
          call);
}

void segmented_reduce(const HostCall& call, const Iterator& built, const Operator& op, const Type& accumulator,
                      const Type& offsets, const Input& input, const Output& output, const Input& begins,
                      const Input& ends, const Value& init) {
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count > 0 ? 1 : 0);
    check_memory(call, memory_of("segments' begins", begins), offsets, call.count);
    check_memory(call, memory_of("segments' ends", ends), offsets, call.count);
    void* const target = target_of(call, "output", accumulator, output, call.count);
    check_init(call, accumulator, init);
    check(host_functions().segmented_reduce(&source, call.count, reinterpret_cast<const void*>(begins.address()),
                                            reinterpret_cast<const void*>(ends.address()), offsets.size(),
                                            number_of(op), number_of(accumulator), init.data(), target),
          call);
}

void scan(const HostCall& call, bool is_exclusive, const Iterator& built, const Operator& op, const Type& accumulator,
          const Input& input, const Output& output, const Value* init) {
    check_call(call, &op);
    const host::Source source = source_of(call, "input", built, input, call.count);
    void* const target = target_of(call, "output", accumulator, output, call.count);
    if (init != nullptr) check_init(call, accumulator, *init);
    check_overlap(call, "input", source, target, accumulator);
    check(host_functions().scan(&source, call.count, is_exclusive ? 1 : 0, number_of(op), number_of(accumulator),
                                init == nullptr ? nullptr : init->data(), target),
          call);
}

void transform(const HostCall& call, const Iterator& built_first, const Iterator* built_second, const Operator& op,
               const Type& result, const Input& first, const Input* second, const Output& output) {
    check_call(call, &op);
    const host::Source left = source_of(call, "first input", built_first, first, call.count);
    void* const target = target_of(call, "output", result, output, call.count);
    check_overlap(call, "first input", left, target, result);
    host::Source right{};
    if (second != nullptr) {
        right = source_of(call, "second input", *built_second, *second, call.count);
        check_overlap(call, "second input", right, target, result);
    }
    check(host_functions().transform(&left, second == nullptr ? nullptr : &right, call.count, number_of(op),
                                     number_of(result), target),
          call);
}

void arg_reduce(const HostCall& call, ArgKind kind, const Iterator& built, const Type& result, const Input& input,
                const Output& output) {
    check_call(call, nullptr);
    const host::Source source = source_of(call, "input", built, input, call.count);
    auto* const target = static_cast<std::byte*>(target_of(call, "output", result, output, 1));
    int64_t index = -1;
    check(host_functions().arg_reduce(&source, call.count, kind == ArgKind::maximum ? 1 : 0, &index,
                                      target + result.fields()[1].offset),
          call);
    std::memcpy(target, &index, sizeof(index));
}

void select(const HostCall& call, const Iterator& built, const Operator& condition, const Input& input,
            const Output& output, const Output& selected_count) {
    check_call(call, &condition);
    const host::Source source = source_of(call, "input", built, input, call.count);
    void* const target = target_of(call, "output", built.value_type(), output, call.count);
    void* const selected = target_of(call, "number of selected elements", Type(TypeKind::uint64), selected_count, 1);
    check_overlap(call, "input", source, target, built.value_type());
    uint64_t count = 0;
    check(host_functions().select(&source, call.count, number_of(condition), target, &count), call);
    std::memcpy(selected, &count, sizeof(count));
}

void unique_by_key(const HostCall& call, const Iterator& built_keys, const Iterator& built_values, const Operator& op,
                   const Input& keys_in, const Input& values_in, const Output& keys_out, const Output& values_out,
                   const Output& selected_count) {
    check_call(call, &op);
    const Type& key_type = built_keys.value_type();
    const Type& value_type = built_values.value_type();
    const host::Source keys = source_of(call, "input keys", built_keys, keys_in, call.count);
    const host::Source values = source_of(call, "input values", built_values, values_in, call.count);
    void* const to_keys = target_of(call, "output keys", key_type, keys_out, call.count);
    void* const to_values = target_of(call, "output values", value_type, values_out, call.count);
    void* const selected = target_of(call, "number of selected keys", Type(TypeKind::uint64), selected_count, 1);
    check_overlap(call, "input keys", keys, to_keys, key_type);
    check_overlap(call, "input values", values, to_values, value_type);
    const auto refuse_overlap = [&](const char* first, const void* left, uint64_t left_size, const char* second,
                                    const void* right, uint64_t right_size) {
        const auto from = reinterpret_cast<uintptr_t>(left);
        const auto to = reinterpret_cast<uintptr_t>(right);
        if (left_size > 0 && right_size > 0 && from < to + right_size && to < from + left_size) {
            throw InvalidArgument(call.operation, std::string(first) + " and " + second,
                                  "they overlap: the one would be overwritten before it is read");
        }
    };
    const uint64_t key_bytes = call.count * key_type.size();
    const uint64_t value_bytes = call.count * value_type.size();
    const auto bytes_of = [&](const host::Source& source) {
        return source.kind == host::Source::memory ? call.count * Type(static_cast<TypeKind>(source.type)).size() : 0;
    };
    refuse_overlap("input keys", keys.memory_or_value, bytes_of(keys), "output values", to_values, value_bytes);
    refuse_overlap("input values", values.memory_or_value, bytes_of(values), "output keys", to_keys, key_bytes);
    refuse_overlap("output keys", to_keys, key_bytes, "output values", to_values, value_bytes);
    uint64_t count = 0;
    check(host_functions().unique_by_key(&keys, &values, call.count, number_of(op), to_keys, to_values, &count), call);
    std::memcpy(selected, &count, sizeof(count));
}

void sort(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit, int32_t end_bit) {
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
    const bool has_values = memory.values != nullptr;
    if (has_values) {
        check_pair("input values", "output values", *memory.values, *memory.values_in, *memory.values_out);
    }
    const auto in = [](const Input& input) { return reinterpret_cast<const void*>(input.address()); };
    const auto out = [](const Output& output) { return reinterpret_cast<void*>(output.address()); };
    check(host_functions().sort(number_of(memory.keys), order == SortOrder::descending ? 1 : 0, in(memory.keys_in),
                                out(memory.keys_out), has_values ? memory.values->size() : 0,
                                has_values ? in(*memory.values_in) : nullptr,
                                has_values ? out(*memory.values_out) : nullptr, call.count, begin_bit, end_bit),
          call);
}

void sort(const HostCall& call, const SortMemory& memory, const Operator& compare) {
    check_call(call, &compare);
    // The bits of numbers have the numbers' order, and radix sort is stable.
    const SortOrder order = *compare.kind() == OpKind::less ? SortOrder::ascending : SortOrder::descending;
    sort(call, memory, order, 0, static_cast<int32_t>(memory.keys.size() * 8));
}

}  // namespace cuprum::parallel::host_execution
