// Which forms of an instruction PTX has: what the ISA's syntax allows, whether the simulator implements it or not.
#pragma once

#include <string>

#include "engine/instructions/family.hpp"

namespace cuprum::simulator {

// A module's .target.
struct Target {
    uint32_t number = 0;  // 100 of sm_100a
    char suffix = '\0';   // of sm_100a 'a', of sm_100f 'f'
};
Target parse_target(std::string_view text);

struct LegalForm {
    const InstructionDecoding* decoding = nullptr;  // of the family that has the form
    std::string reason;                             // else why PTX has no such form, as the end of a sentence
};
// Looks among the families' forms; `target` is the module's.
LegalForm find_form(const Form& form, const ptx::Instruction& instruction, Target target);

// Throws std::logic_error, naming the word, where a rule has one that is not an opcode of the family, a type, a
// modifier or a set; the families' own are checked so at their first use.
void check_rule(std::string_view rule, Family family);

// PTX has the instruction; the simulator does not. `name` is the opcode.
bool is_known_but_unsupported(std::string_view name);
// PTX has the form; the simulator has not.
bool is_unsupported_form(const Form& form);
// A modifier or type that PTX has for instructions or forms that are not simulated.
bool is_known_word(std::string_view word);

}  // namespace cuprum::simulator
