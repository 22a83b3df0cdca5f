// Decoding of a function, pass by pass (program.cpp has all of them).
#include "engine/program/decoder.hpp"

#include <algorithm>

#include "engine/instructions/form_rules.hpp"

namespace cuprum::simulator {
namespace {

uint32_t round_up(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

bool ModuleContext::is_undefined(const ptx::Variable& variable) const {
    return variable.linkage == ptx::Linkage::external &&
           (undefined == Program::Undefined::error || variable.unsized_array);
}

uint32_t ModuleContext::variable_number(uint32_t module_variable) {
    const auto next = static_cast<uint32_t>(image->variable_images.size());
    const auto [found, added] = variable_numbers.emplace(module_variable, next);
    if (added) {
        const ptx::Variable& variable = module->variables[module_variable];
        if (is_undefined(variable)) {
            const std::string line = std::to_string(variable.location.line);
            throw DecodeError(LoadError::Kind::unresolved_symbol, variable.location.line,
                              "line " + line + ": the .extern variable '" + variable.name +
                                  "' is used and defined nowhere; link the module that defines it (cuLinkAddData)");
        }
        VariableImage entry;
        entry.information.name = variable.name;
        entry.information.size = variable.size;
        entry.information.alignment = std::max(variable.alignment, 1u);
        entry.information.constant = variable.space == ptx::StateSpace::constant;
        entry.information.managed = variable.managed;
        entry.initial_value = variable.initial_value;
        image->variable_images.push_back(std::move(entry));
        // What its initial value points to must have a number as well.
        for (const ptx::Relocation& relocation : variable.relocations) {
            const ptx::Symbol& symbol = module->symbols[relocation.symbol];
            VariableImage::Fixup fixup;
            fixup.offset = relocation.offset;
            fixup.size = relocation.size;
            fixup.shift = relocation.shift;
            fixup.addend = relocation.addend;
            fixup.function = symbol.kind == ptx::Symbol::Kind::function;
            fixup.index = fixup.function ? symbol.index : variable_number(symbol.index);
            image->variable_images[found->second].fixups.push_back(fixup);
        }
    }
    return variable_numbers.at(module_variable);
}

uint32_t ModuleContext::mnemonic_number(std::string_view mnemonic) {
    const auto next = static_cast<uint32_t>(image->mnemonics.size());
    const auto [found, added] = mnemonic_numbers.emplace(mnemonic, next);
    if (added) image->mnemonics.emplace_back(mnemonic);
    return found->second;
}

FunctionDecoder::FunctionDecoder(ModuleContext& context, uint32_t function_index)
    : context_(context),
      module_(*context.module),
      parsed_(context.module->functions[function_index]),
      out_(context.image->functions[function_index]),
      function_index_(function_index) {}

void FunctionDecoder::decode() {
    register_types_.reserve(parsed_.registers.size() + 8);
    for (const ptx::Register& reg : parsed_.registers)
        register_types_.push_back(reg.type);
    lay_out_variables();
    start_of_.reserve(parsed_.instructions.size() + 1);
    pending_.reserve(parsed_.instructions.size() + 16);
    load_register_formals();
    for (const ptx::Instruction& instruction : parsed_.instructions) {
        start_of_.push_back(static_cast<uint32_t>(pending_.size()));
        current_ = &instruction;
        origin_.ptx_line = instruction.location.line;
        origin_.source_file = instruction.source_file;
        origin_.source_line = instruction.source_line;
        origin_.text = context_.mnemonic_number(instruction.mnemonic);
        decode_instruction();
    }
    start_of_.push_back(static_cast<uint32_t>(pending_.size()));
    // Falling off the end returns.
    conditional_ = false;
    store_register_returns();
    emit(context_.backend->control(Control::ret)).ends_flow = true;
    remove_constant_copies();
    resolve_branches();
    UnwrittenPolicy policy;
    policy.every_use = context_.checks.registers;
    policy.row = context_.backend->control(Control::written_row);
    policy.name = [this](uint32_t r) { return r < parsed_.registers.size() ? parsed_.registers[r].name : "_"; };
    track_unwritten(pending_, register_types_, out_, policy);
    if (context_.debug != nullptr) {
        std::vector<RegisterPlace> places;
        allocate_registers(pending_, register_types_, out_, &places);
        describe_function(places);
    } else {
        allocate_registers(pending_, register_types_, out_);
    }
    join_comparisons_with_branches();
}

void FunctionDecoder::join_comparisons_with_branches() {
    const Handler forward = control(Control::branch).body[0], backward = control(Control::branch_back).body[0];
    const auto join = [&](Instruction& first) {
        const Handler joined = context_.backend->joined_with_branch(&first);
        if (joined != nullptr) first.body[0] = joined;
        return joined != nullptr;
    };
    for (size_t k = 0; k + 1 < out_.code.size(); ++k) {
        const Instruction& branch = out_.code[k + 1];
        if (branch.body[0] != forward && branch.body[0] != backward) continue;
        Instruction& compare = out_.code[k];
        if (compare.operand[0] == branch.operand[0] && join(compare) && k > 0) join(out_.code[k - 1]);
    }
}

void FunctionDecoder::lay_out_variables() {
    uint32_t parameter_area = 0;
    const auto place_parameter = [&](uint32_t variable_index) {
        const ptx::Variable& variable = module_.variables[variable_index];
        parameter_area = round_up(parameter_area, std::max(variable.alignment, 1u));
        const ParameterSlot slot{parameter_area, static_cast<uint32_t>(variable.size)};
        parameter_slots_[variable_index] = slot;
        parameter_area += slot.size;
        return slot;
    };
    if (parsed_.is_kernel) {
        uint32_t offset = 0;
        for (const uint32_t symbol : parsed_.parameter_symbols) {
            const ptx::Variable& variable = module_.variables[module_.symbols[symbol].index];
            offset = round_up(offset, std::max(variable.alignment, 1u));
            kernel_parameter_offsets_[module_.symbols[symbol].index] = offset;
            offset += static_cast<uint32_t>(variable.size);
        }
    } else {
        for (const uint32_t symbol : parsed_.return_symbols) {
            out_.returns.push_back(place_parameter(module_.symbols[symbol].index));
        }
        for (const uint32_t symbol : parsed_.parameter_symbols) {
            out_.parameters.push_back(place_parameter(module_.symbols[symbol].index));
        }
    }
    uint32_t local = 0;
    for (const uint32_t variable_index : parsed_.variables) {
        const ptx::Variable& variable = module_.variables[variable_index];
        if (variable.space == ptx::StateSpace::parameter) {
            place_parameter(variable_index);
        } else if (variable.space == ptx::StateSpace::local) {
            local = round_up(local, std::max(variable.alignment, 1u));
            local_offsets_[variable_index] = local;
            local += static_cast<uint32_t>(variable.size);
        }
    }
    parameter_area_end_ = parameter_area;
    out_.parameter_area_bytes = round_up(parameter_area, 16);
    out_.local_bytes = round_up(local, 16);
}

// A register that one unguarded instruction sets from a row that never changes is that row: parameters, special
// registers and literals need no move.
void FunctionDecoder::remove_constant_copies() {
    std::vector<uint32_t> definitions(register_types_.size(), 0);
    for (const PendingInstruction& instruction : pending_) {
        for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
            if ((instruction.defines >> slot & 1) != 0) ++definitions[instruction.code.operand[slot]];
        }
    }
    std::vector<Reference> replacement(register_types_.size(), 0);  // 0: none; preloads have the top bit
    std::vector<uint32_t> moved_to(pending_.size() + 1, 0);
    std::vector<PendingInstruction> kept;
    kept.reserve(pending_.size());
    for (size_t k = 0; k < pending_.size(); ++k) {
        const PendingInstruction& instruction = pending_[k];
        moved_to[k] = static_cast<uint32_t>(kept.size());
        const Reference result = instruction.code.operand[0], from = instruction.code.operand[1];
        if (instruction.copies && !instruction.conditional && (from & preload_flag) != 0 && definitions[result] == 1 &&
            row_bytes(from) == row_bytes(result)) {
            replacement[result] = from;
            continue;
        }
        kept.push_back(instruction);
    }
    moved_to[pending_.size()] = static_cast<uint32_t>(kept.size());
    for (PendingInstruction& instruction : kept) {
        for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
            Reference& reference = instruction.code.operand[slot];
            if ((instruction.references >> slot & 1) == 0 || (reference & preload_flag) != 0) continue;
            if (replacement[reference] != 0) reference = replacement[reference];
        }
        if (instruction.branches && (instruction.target & preload_flag) != 0) {
            instruction.target = preload_flag | moved_to[instruction.target & ~preload_flag];
        }
    }
    for (uint32_t& start : start_of_)
        start = moved_to[start];
    pending_ = std::move(kept);
    replacements_ = std::move(replacement);
}

void FunctionDecoder::resolve_branches() {
    for (size_t k = 0; k < pending_.size(); ++k) {
        PendingInstruction& instruction = pending_[k];
        if (!instruction.branches) continue;
        instruction.target = (instruction.target & preload_flag) != 0 ? instruction.target & ~preload_flag
                                                                      : start_of_[instruction.target];
        instruction.code.displacement = static_cast<int32_t>(instruction.target) - static_cast<int32_t>(k);
        if (instruction.code.displacement <= 0) {
            const bool conditional = instruction.references != 0;
            const Handlers back = context_.backend->control(conditional ? Control::branch_back : Control::jump_back);
            instruction.code.body[0] = back.body[0];
            instruction.code.body[1] = back.body[1];
        }
    }
    for (std::vector<int32_t>& table : out_.branch_tables) {
        for (int32_t& entry : table)
            entry = static_cast<int32_t>(start_of_[static_cast<size_t>(entry)]);
    }
}

// --- instructions ---

// A module has few different forms and many instructions: each form is looked at once.
const ModuleContext::KnownForm& FunctionDecoder::legal_form() {
    if (origin_.text >= context_.forms.size()) context_.forms.resize(origin_.text + 1);
    ModuleContext::KnownForm& known = context_.forms[origin_.text];
    const size_t operands = current_->operands.size();
    if (known.decoding != nullptr && known.operands == operands) return known;
    known.operands = operands;
    const std::string_view unknown = read_form(*current_, known.form);
    const Form& form = known.form;
    const std::string opcode(current_->opcode);
    if (form.opcode != Opcode::unknown && is_unsupported_form(form)) {
        unsupported("this form of " + opcode + " is not simulated");
    }
    if (form.opcode == Opcode::unknown) {
        if (is_known_but_unsupported(opcode)) unsupported("the instruction " + opcode + " is not simulated");
        invalid("PTX has no instruction " + opcode);
    }
    if (!unknown.empty()) {
        const std::string word(unknown);
        if (is_known_word(word)) unsupported("modifier ." + word + " is not simulated");
        invalid("PTX has no modifier or type ." + word + " here");
    }
    const LegalForm legal = find_form(form, *current_, context_.target);
    if (legal.decoding == nullptr) invalid("the instruction " + opcode + " " + legal.reason);
    known.decoding = legal.decoding;
    return known;
}

void FunctionDecoder::decode_instruction() {
    conditional_ = false;
    const ModuleContext::KnownForm& known = legal_form();
    form_ = known.form;
    decoding_ = known.decoding;
    if (context_.checks.profile) emit_profile_probe();
    if (context_.inspector != nullptr) emit_break_probe();
    if (decoding_->signature != nullptr)
        decode_arithmetic(decoding_->signature);
    else
        decoding_->decode(*this);
}

}  // namespace cuprum::simulator
