// Logic, shifts, bit fields and counts of bits: the forms that PTX has, and how they are decoded. Source: PTX
// ISA 9.0, 9.7.1, 9.7.8.
#include "engine/instructions/bits/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view bits_forms[] = {
    "popc|clz|brev|bfi b32|b64",
    "bfind shiftamt? $wideint",
    "bfe $wideint",
    "bmsk clamp|wrap b32",
    "szext clamp|wrap $word",
    "fns b32",
    "prmt f4e|b4e|rc8|ecl|ecr|rc16? b32",
    "lop3 and|or? b32",
    "and|or|xor|not pred|b16|b32|b64",
    "cnot|shl $bits",
    "shr $bits",
    "shr $int",
    "shf l|r clamp|wrap b32",
};

// The bits of a predicate are whole values; those of a register may be parts that are put together.
Unwritten unwritten_in_logic(const Form& form, Unwritten of_predicates) {
    return form.type(0) == ScalarType::pred ? of_predicates : Unwritten::bitwise;
}
Unwritten unwritten_in_and(const Form& form) {
    return unwritten_in_logic(form, Unwritten::both);
}
Unwritten unwritten_in_or(const Form& form) {
    return unwritten_in_logic(form, Unwritten::either);
}
Unwritten unwritten_in_xor(const Form& form) {
    return unwritten_in_logic(form, Unwritten::joined);
}

constexpr InstructionDecoding bits_instructions[] = {
    {"and", Opcode::and_, "ttt", &unwritten_in_and},
    {"or", Opcode::or_, "ttt", &unwritten_in_or},
    {"xor", Opcode::xor_, "ttt", &unwritten_in_xor},
    {"not", Opcode::not_, "tt"},
    {"cnot", Opcode::cnot, "tt"},
    {"brev", Opcode::brev, "tt"},
    {"popc", Opcode::popc, "ut"},
    {"clz", Opcode::clz, "ut"},
    {"bfind", Opcode::bfind, "ut"},
    {"shl", Opcode::shl, "ttu"},
    {"shr", Opcode::shr, "ttu"},
    {"szext", Opcode::szext, "ttu"},
    {"shf", Opcode::shf, "uuuu", &always<Unwritten::bitwise>},
    {"prmt", Opcode::prmt, "uuuu", &always<Unwritten::bitwise>},
    {"fns", Opcode::fns, "uuuu"},
    {"bmsk", Opcode::bmsk, "uuu"},
    {"bfe", Opcode::bfe, "ttuu", &always<Unwritten::bitwise>},
    {"bfi", Opcode::bfi, "tttuu", &always<Unwritten::dropped>},
    {"lop3", Opcode::lop3, &decode_lop3, &always<Unwritten::dropped>},
};

}  // namespace

template <>
FamilyDescription describe<Family::bits>() {
    return {bits_forms, bits_instructions};
}

}  // namespace cuprum::simulator
