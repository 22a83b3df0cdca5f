// What the algorithms share on the host's cores. Each checks what it is built for, checks the memory of a call, and
// calls its function of libcuprum_host (host/interface.hpp). Of what a call uses nothing allocates while all is well.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "host_library.hpp"

namespace cuprum::parallel {

// What all calls have.
struct HostCall {
    const char* operation;  // "reducing"
    const core::StreamRef& stream;
    const CallOptions& options;
    uint64_t count;
    // What iterators that are made of others are made of; of others there is nothing.
    mutable std::vector<std::unique_ptr<host::Source[]>> parts{};
};

namespace host_execution {

inline host::TypeNumber number_of(const Type& type) {
    return type.is_structure() ? -1 : static_cast<host::TypeNumber>(type.kind());
}
inline host::OpNumber number_of(const Operator& op) {
    return static_cast<host::OpNumber>(*op.kind());
}

// Building: whether an algorithm can be built for the host's cores. `algorithm`: "reduce", for the errors, which are
// Unsupported; `what`: "input".

// Throws NotFound without libcuprum_host.
void check_available();
[[noreturn]] void refuse(const char* algorithm, std::string object, std::string detail, std::string advice = {});
// Numbers, bool and complex numbers; no structs.
void require_number(const char* algorithm, const char* what, const Type& type);
// A well-known operator of so many operands. Throws InvalidArgument for another number of them.
void require_operands(const char* algorithm, const Operator& op, int expected);
// `result`: what host::Functions::result_of says of the operator and its operands' type.
void require_defined(const char* algorithm, const Operator& op, const Type& operand, host::TypeNumber result);
void require_convertible(const char* algorithm, const char* what, host::TypeNumber from, const Type& to);
// Of numbers.
void check_iterator(const char* algorithm, const char* what, const Iterator& iterator);
// Of elements that are only moved, and may be structs.
void check_moved(const char* algorithm, const char* what, const Iterator& iterator);
// What results are written through.
void check_outputs(const char* algorithm, const std::vector<Iterator>& outputs);
// check_available, and the input.
void check_elements(const char* algorithm, const Iterator& input);
// A comparison of two elements.
void check_comparison(const char* algorithm, const Operator& op, const Type& elements);
// A condition of one element: a well-known operator, whose result is taken as true or false.
void check_condition(const char* algorithm, const Operator& condition, const Type& elements);
// check_elements, and an operator that combines them in any order.
void check_combination(const char* algorithm, const Iterator& input, const Operator& op, const Type& accumulator);

// Calls. What is checked here throws InvalidArgument.

// `op`: what the algorithm was built for; null where it takes none.
void check_call(const HostCall& call, const Operator* op);
// The same of an algorithm with a second operator.
void check_second_op(const HostCall& call, const Operator& op);
void check_init(const HostCall& call, const Type& accumulator, const Value& init);

// `bytes`: how many there are; none where that is not known.
struct Memory {
    const char* name;
    uint64_t address;
    const core::BufferRef* buffer;
    std::optional<uint64_t> bytes;
};
Memory memory_of(const char* name, const Input& input);
Memory memory_of(const char* name, const Output& output);
void check_memory(const HostCall& call, const Memory& memory, const Type& type, uint64_t count);

// An iterator with the bytes of the input that is given for it.
host::Source source_of(const HostCall& call, const char* name, const Iterator& built, const Input& input,
                       uint64_t count);
void* target_of(const HostCall& call, const char* name, const Type& type, const Output& output, uint64_t count);

// Memory for results, from where they go through what the algorithm was built to write through.
class HostTarget {
public:
    HostTarget(const HostCall& call, const char* name, const Iterator& built, const Output& output, uint64_t count);
    // The output itself where it is memory.
    void* memory() const { return memory_; }
    // The first results, once they are there.
    void deliver(uint64_t count) const;

private:
    const HostCall& call_;
    void* memory_;
    std::unique_ptr<std::byte[]> own_;
    host::Source sink_{};
};
// The memory that is read for `count` elements.
Extent extent_of(const char* name, const host::Source& source, uint64_t count);
// Elements in place are fine where each is read before its place is written.
void check_overlap(const HostCall& call, const char* name, const host::Source& input, const void* output,
                   const Type& result);

// What the library's function returned.
void check(host::Status status, const HostCall& call);

}  // namespace host_execution

}  // namespace cuprum::parallel
