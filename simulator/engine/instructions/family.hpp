// The families of instructions: the one list of them, and what each says of its instructions when a module is loaded.
//
// A family is a folder of its name beside this file:
//   forms.cpp         the forms that PTX has, and how each opcode is decoded: describe()
//   decode.cpp        decoding of what a signature does not describe
//   operations*.cpp   what is executed, on the lanes of a warp: operations() (execution/lanes.hpp). Compiled once for
//                     each instruction set; what is shared by all of them lies in other files of the folder
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/instructions/form.hpp"

namespace cuprum::simulator {

class FunctionDecoder;

// In this order they are asked for the operation of a form.
enum class Family : uint8_t {
    integer,
    bits,
    comparison,
    moves,
    memory,
    floating_point,
    half,
    conversion,
    atomics,
    warp,
    video,
    matrix,
    images,
    asynchronous,
    synchronisation,
    control_flow,
    calls,
    count_,  // last: the number of families
};

// What becomes of an operand that the thread has not written, where it decides nothing.
enum class Unwritten : uint8_t {
    used,      // stored in device memory, told to other threads, or what else is not below: the result is written
    dropped,   // shfl, joined and picked bits, memory of the block or the thread: not followed, the result is written
    joined,    // arithmetic: the result is unwritten where an operand is
    bitwise,   // as joined, with one register; several may be parts that are put together: dropped
    selected,  // selp
    both,      // and.pred: a written operand that is false is enough
    either,    // or.pred: a written operand that is true is enough
    compared,  // setp, whose last operand may settle the result
    loaded,    // the results are as the check of the access before has found them (Checks::memory)
    stored,    // that check, of a store: told who has written operands 0 to 3
};
using UnwrittenIn = Unwritten (*)(const Form& form);
template <Unwritten which>
Unwritten always(const Form&) {
    return which;
}
// Dropped in pairs of halves, which are two values.
Unwritten joined_but_in_pairs(const Form& form);

// How the instructions of one opcode are decoded.
struct InstructionDecoding {
    // `operands`: the types of an instruction's operands, result first: t the instruction's type, w twice as wide if
    // .wide is given, 2 the second type, m that if there is one, else t, u 32 bits, p a predicate, r random bits (a
    // register of type .b32).
    constexpr InstructionDecoding(std::string_view ptx_name, Opcode number, const char* operands,
                                  UnwrittenIn unwritten_in = &joined_but_in_pairs)
        : name(ptx_name), opcode(number), signature(operands), unwritten(unwritten_in) {}
    constexpr InstructionDecoding(std::string_view ptx_name, Opcode number, void (*decoder)(FunctionDecoder&),
                                  UnwrittenIn unwritten_in = &always<Unwritten::used>)
        : name(ptx_name), opcode(number), decode(decoder), unwritten(unwritten_in) {}

    std::string_view name;
    Opcode opcode;
    const char* signature = nullptr;
    void (*decode)(FunctionDecoder&) = nullptr;  // where there is no signature
    UnwrittenIn unwritten;
};

// The syntax of each form is as in the ISA: a word, or one of several, `?` if it may be missing; `$` names a set of
// words (form_rules.cpp). What stands before the opcode are the targets
// that have the form: 80, all from sm_80 on; 100f, of those from sm_100 on the ones with a suffix (sm_100a, sm_120f);
// 100a|103a, these alone. The order of types
// counts, that of modifiers does not: ptxas takes them in any. Which forms exist has been compared with ptxas 13.0,
// those of PTX 9.1 and 9.2 with ptxas 13.5, form by form.
struct FamilyDescription {
    std::span<const std::string_view> forms;
    std::span<const InstructionDecoding> instructions;  // of the opcodes that the forms name
};
template <Family family>
FamilyDescription describe();

const std::vector<FamilyDescription>& families();
bool has_instruction(Family family, Opcode opcode);

}  // namespace cuprum::simulator
