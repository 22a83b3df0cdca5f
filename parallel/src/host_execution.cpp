#include "host_execution.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "call.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "layout.hpp"

namespace cuprum::parallel::host_execution {

namespace {

// complex numbers need no more than their parts on the host.
uint64_t host_alignment(const Type& type) {
    return type.is_complex() ? type.size() / 2 : type.alignment();
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

bool is_unary(OpKind kind) {
    return static_cast<host::OpNumber>(kind) >= host::first_unary_op;
}

}  // namespace

Memory memory_of(const char* name, const Input& input) {
    return {name, input.address(), input.buffer(), input.host_bytes()};
}
Memory memory_of(const char* name, const Output& output) {
    return {name, output.address(), output.buffer(), output.host_bytes()};
}

void check_memory(const HostCall& call, const Memory& memory, const Type& type, uint64_t count) {
    if (memory.buffer != nullptr || (count > 0 && is_device_memory(memory.address))) [[unlikely]] {
        throw InvalidArgument(call.operation, memory.name,
                              "it is device memory, but the algorithm was built for the host's cores",
                              "pass host memory, or build the algorithm for the device");
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
                              "a stream is given, but the algorithm was built for the host's cores, where a call "
                              "is done when it returns",
                              "pass no stream");
    }
    if (call.options.temp_storage.is_valid()) [[unlikely]] {
        throw InvalidArgument(call.operation, "temporary storage",
                              "some is given, but the algorithm was built for the host's cores, which need "
                              "none");
    }
    if (call.options.op != nullptr && (op == nullptr || !call.options.op->has_code_of(*op))) [[unlikely]] {
        throw InvalidArgument(call.operation, "operator '" + call.options.op->text() + "'",
                              "it is not the one that the algorithm was built for");
    }
}

void check_second_op(const HostCall& call, const Operator& op) {
    if (call.options.second_op != nullptr && !call.options.second_op->has_code_of(op)) [[unlikely]] {
        throw InvalidArgument(call.operation, "operator '" + call.options.second_op->text() + "'",
                              "it is not the second one that the algorithm was built for");
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
    info.object = std::to_string(call.count) + " elements in host memory";
    info.detail = "there is not enough memory for intermediate results";
    throw OutOfMemory(std::move(info));
}

void refuse(const char* algorithm, std::string object, std::string detail, std::string advice) {
    throw Unsupported(std::string("building ") + algorithm + " for the host's cores", std::move(object),
                      std::move(detail), std::move(advice));
}

void require_number(const char* algorithm, const char* what, const Type& type) {
    if (type.is_structure()) {
        refuse(algorithm, what,
               "it is of the struct type '" + type.name() + "'; the host's cores take numbers and bool only",
               "build for a device: on a machine without a GPU the simulator is one (CUPRUM_DRIVER=sim)");
    }
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

void require_operands(const char* algorithm, const Operator& op, int expected) {
    const int taken = is_unary(require_known(algorithm, op)) ? 1 : 2;
    if (taken != expected) {
        throw InvalidArgument(
            "building an algorithm", "operator '" + op.text() + "'",
            "it takes " + std::to_string(taken) + " operand(s), expected an operator of " + std::to_string(expected));
    }
}

namespace {

void check_depth(const char* algorithm, const char* what, int depth) {
    if (depth > host::max_depth) {
        refuse(algorithm, what, "it is of more than " + std::to_string(host::max_depth) + " nested iterators");
    }
}

// Elements that go through a block.
void require_small(const char* algorithm, const char* what, const Type& type) {
    if (type.size() > host::max_block_element) {
        refuse(algorithm, what,
               "its elements have " + std::to_string(type.size()) + " bytes; on the host's cores they have at most " +
                   std::to_string(host::max_block_element),
               "build for a device: on a machine without a GPU the simulator is one (CUPRUM_DRIVER=sim)");
    }
}

void check_stage(const char* algorithm, const char* what, const Operator& op, const Type& from, const Type& to) {
    require_number(algorithm, what, from);
    require_number(algorithm, what, to);
    require_operands(algorithm, op, 1);
    const host::TypeNumber result = host_functions().result_of(number_of(op), number_of(from));
    require_defined(algorithm, op, from, result);
    require_convertible(algorithm, what, result, to);
}

void check_source(const char* algorithm, const char* what, const Iterator& iterator, int depth) {
    check_depth(algorithm, what, depth);
    require_small(algorithm, what, iterator.value_type());
    if (!iterator.is_readable()) {
        throw InvalidArgument(std::string("building ") + algorithm + " for the host's cores", iterator.shape_text(),
                              "it can only be written to", "give an iterator that can be read as the input");
    }
    if (iterator.kind() == Iterator::Kind::transform)
        check_stage(algorithm, what, *iterator.op(), iterator.part(0).value_type(), iterator.value_type());
    if (iterator.kind() == Iterator::Kind::indexed) {
        refuse(algorithm, what, "elements with their positions are read on devices only",
               "zip them with a counting iterator");
    }
    for (size_t i = 0; i < iterator.part_count(); ++i)
        check_source(algorithm, what, iterator.part(i), depth + 1);
}

void check_sink(const char* algorithm, const char* what, const Iterator& iterator, int depth) {
    check_depth(algorithm, what, depth);
    require_small(algorithm, what, iterator.value_type());
    if (iterator.kind() == Iterator::Kind::transform_output)
        check_stage(algorithm, what, *iterator.op(), iterator.value_type(), iterator.part(0).value_type());
    for (size_t i = 0; i < iterator.part_count(); ++i) {
        if (iterator.kind() == Iterator::Kind::permutation && i == 1) {
            check_source(algorithm, what, iterator.part(i), depth + 1);
        } else {
            check_sink(algorithm, what, iterator.part(i), depth + 1);
        }
    }
}

// As libcuprum_host has it; for reading or for writing. `state`: of its reader.
host::Source describe(const HostCall& call, const char* name, const Iterator& iterator, const std::byte* state,
                      uint64_t count) {
    host::Source source{};
    const Iterator* leaf = &iterator;
    for (; leaf->kind() == Iterator::Kind::transform; leaf = leaf->base())
        ++source.stage_count;
    int32_t stage = source.stage_count;
    // The first part of an iterator is at the beginning of its state.
    for (const Iterator* it = &iterator; it->kind() == Iterator::Kind::transform; it = it->base()) {
        source.stages[--stage] = {number_of(*it->op()), number_of(it->base()->value_type()),
                                  number_of(it->value_type())};
    }
    const Type& type = leaf->value_type();
    source.type = number_of(type);
    source.element_size = type.size();
    source.memory_or_value = state;
    const auto has_parts = [&](host::Source::Kind kind) {
        source.kind = kind;
        source.part_count = static_cast<int32_t>(leaf->part_count());
        auto parts = std::make_unique<host::Source[]>(leaf->part_count());
        for (size_t i = 0; i < leaf->part_count(); ++i) {
            // How far into it positions go is not known, but for a zip.
            const uint64_t least = kind == host::Source::zip ? count : std::min<uint64_t>(count, 1);
            parts[i] = describe(call, name, leaf->part(i), state + leaf->part_offset(i), least);
            if (kind == host::Source::zip) parts[i].offset = type.fields()[i].offset;
        }
        source.parts = parts.get();
        call.parts.push_back(std::move(parts));
    };
    switch (leaf->kind()) {
        case Iterator::Kind::constant:
            source.kind = host::Source::constant;
            break;
        case Iterator::Kind::counting:
            source.kind = host::Source::counting;
            break;
        case Iterator::Kind::strided:
            has_parts(host::Source::strided);
            std::memcpy(&source.start, state + leaf->own_offset(), sizeof(source.start));
            std::memcpy(&source.step, state + leaf->own_offset() + sizeof(source.start), sizeof(source.step));
            break;
        case Iterator::Kind::permutation:
            has_parts(host::Source::permutation);
            break;
        case Iterator::Kind::zip:
            has_parts(host::Source::zip);
            break;
        case Iterator::Kind::shuffle:
            source.kind = host::Source::shuffle;
            std::memcpy(&source.start, state, sizeof(source.start));
            std::memcpy(&source.step, state + sizeof(source.start), sizeof(source.step));
            break;
        case Iterator::Kind::discard:
            source.kind = host::Source::discard;
            break;
        case Iterator::Kind::transform_output:
            has_parts(host::Source::transform_output);
            source.stage_count = 1;
            source.stages[0] = {number_of(*leaf->op()), number_of(type), number_of(leaf->part(0).value_type())};
            break;
        default: {  // memory, however a device would load it
            source.kind = host::Source::memory;
            uint64_t address = 0;
            std::memcpy(&address, state, sizeof(address));
            check_memory(call, {name, address, nullptr, std::nullopt}, type, count);
            source.memory_or_value = reinterpret_cast<const void*>(address);
            break;
        }
    }
    return source;
}

void check_shape(const HostCall& call, const char* name, const Iterator& built, const Iterator* given) {
    if (given != nullptr ? !given->has_shape_of(built) : built.kind() != Iterator::Kind::pointer) [[unlikely]] {
        throw InvalidArgument(call.operation, name,
                              "it is " + (given != nullptr ? given->shape_text() : std::string("plain memory")) +
                                  ", the algorithm was built for " + built.shape_text());
    }
}

}  // namespace

void check_moved(const char* algorithm, const char* what, const Iterator& iterator) {
    check_source(algorithm, what, iterator, 0);
}

void check_iterator(const char* algorithm, const char* what, const Iterator& iterator) {
    require_number(algorithm, what, iterator.value_type());
    check_source(algorithm, what, iterator, 0);
}

void check_outputs(const char* algorithm, const std::vector<Iterator>& outputs) {
    for (const Iterator& output : outputs) {
        if (output.kind() != Iterator::Kind::pointer) check_sink(algorithm, "output", output, 0);
    }
}

host::Source source_of(const HostCall& call, const char* name, const Iterator& built, const Input& input,
                       uint64_t count) {
    check_shape(call, name, built, input.iterator());
    // A buffer, or memory of a known size.
    if (built.kind() == Iterator::Kind::pointer) check_memory(call, memory_of(name, input), built.value_type(), count);
    return describe(call, name, built, static_cast<const std::byte*>(input.state()), count);
}

HostTarget::HostTarget(const HostCall& call, const char* name, const Iterator& built, const Output& output,
                       uint64_t count)
    : call_(call) {
    check_shape(call, name, built, output.iterator());
    const Type& type = built.value_type();
    if (built.kind() == Iterator::Kind::pointer) {
        memory_ = target_of(call, name, type, output, count);
        return;
    }
    check_count(call.operation, count, type.size());
    sink_ = describe(call, name, built, static_cast<const std::byte*>(output.state()), count);
    own_ = std::make_unique_for_overwrite<std::byte[]>(count * type.size());
    memory_ = own_.get();
}

void HostTarget::deliver(uint64_t count) const {
    if (own_ != nullptr) check(host_functions().store(&sink_, memory_, count), call_);
}

void* target_of(const HostCall& call, const char* name, const Type& type, const Output& output, uint64_t count) {
    check_memory(call, memory_of(name, output), type, count);
    return reinterpret_cast<void*>(output.address());
}

void check_overlap(const HostCall& call, const char* name, const host::Source& input, const void* output,
                   const Type& result) {
    refuse_partial_overlap(call.operation, extent_of(name, input, call.count),
                           {"output", reinterpret_cast<uintptr_t>(output), call.count * result.size()});
}

Extent extent_of(const char* name, const host::Source& source, uint64_t count) {
    if (source.kind != host::Source::memory) return {name, 0, 0};
    return {name, reinterpret_cast<uintptr_t>(source.memory_or_value), count * source.element_size};
}

void check_available() {
    host_functions();
}

void check_elements(const char* algorithm, const Iterator& input) {
    check_available();
    check_iterator(algorithm, "input", input);
}

void check_comparison(const char* algorithm, const Operator& op, const Type& elements) {
    require_operands(algorithm, op, 2);
    const host::TypeNumber result = host_functions().result_of(number_of(op), number_of(elements));
    require_defined(algorithm, op, elements, result);
    if (result != static_cast<host::TypeNumber>(TypeKind::boolean)) {
        refuse(algorithm, "operator '" + op.text() + "'", "it returns a number, expected a comparison",
               "use a comparison, such as equal_to or less");
    }
}

void check_condition(const char* algorithm, const Operator& condition, const Type& elements) {
    require_operands(algorithm, condition, 1);
    const host::TypeNumber result = host_functions().result_of(number_of(condition), number_of(elements));
    require_defined(algorithm, condition, elements, result);
    require_convertible(algorithm, "condition", result, Type(TypeKind::boolean));
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

}  // namespace cuprum::parallel::host_execution
