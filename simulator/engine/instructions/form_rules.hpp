// Which forms of an instruction PTX has: what the ISA's syntax allows, whether the simulator implements it or not.
#pragma once

#include <string>

#include "engine/instructions/form.hpp"

namespace cuprum::simulator {

// Why PTX has no such form for this target (sm_80 is 80), as the end of a sentence; empty if it has.
std::string illegal_form(const Form& form, const ptx::Instruction& instruction, uint32_t target);

// Throws std::logic_error, naming the word, where a rule of the table has one that is not an opcode, a type, a modifier
// or a set; the table itself is checked so at its first use.
void check_rule(std::string_view rule);

// PTX has the instruction; the simulator does not. `name` is the opcode.
bool is_known_but_unsupported(std::string_view name);
// PTX has the form; the simulator has not.
bool is_unsupported_form(const Form& form);
// A modifier or type that PTX has for instructions or forms that are not simulated.
bool is_known_word(std::string_view word);

}  // namespace cuprum::simulator
