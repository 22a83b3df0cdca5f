// The frame of decoding: variables, emission, branches, and which part of the decoder an instruction belongs to.
#include "engine/decoder.hpp"

#include <algorithm>

#include "engine/form_rules.hpp"

namespace cuprum::simulator {
namespace {

// The types of an instruction's operands, result first: t the instruction's type, w twice as wide if .wide is given,
// 2 the second type, u 32 bits, p a predicate.
const char* signature_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::add:
        case Opcode::addc:
        case Opcode::sub:
        case Opcode::subc:
        case Opcode::div:
        case Opcode::rem:
        case Opcode::min:
        case Opcode::max:
        case Opcode::and_:
        case Opcode::or_:
        case Opcode::xor_:
        case Opcode::copysign:
        case Opcode::mul24:
            return "ttt";
        case Opcode::mul:
            return "wtt";
        case Opcode::mad:
            return "wttw";
        case Opcode::madc:
        case Opcode::mad24:
        case Opcode::sad:
        case Opcode::fma:
            return "tttt";
        case Opcode::abs:
        case Opcode::neg:
        case Opcode::not_:
        case Opcode::cnot:
        case Opcode::rcp:
        case Opcode::sqrt:
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::lg2:
        case Opcode::ex2:
        case Opcode::tanh:
        case Opcode::brev:
            return "tt";
        case Opcode::popc:
        case Opcode::clz:
        case Opcode::bfind:
            return "ut";
        case Opcode::shl:
        case Opcode::shr:
        case Opcode::szext:
            return "ttu";
        case Opcode::shf:
        case Opcode::fns:
        case Opcode::prmt:
        case Opcode::dp4a:
        case Opcode::dp2a:
            return "uuuu";
        case Opcode::bmsk:
            return "uuu";
        case Opcode::bfe:
            return "ttuu";
        case Opcode::bfi:
            return "tttuu";
        case Opcode::selp:
            return "tttp";
        case Opcode::slct:
            return "ttt2";
        case Opcode::testp:
            return "pt";
        default:
            return nullptr;
    }
}

bool is_pair(ScalarType type) {
    return type == ScalarType::f16x2 || type == ScalarType::bf16x2 || type == ScalarType::e4m3x2 ||
           type == ScalarType::e5m2x2;
}

Unwritten unwritten_in(const Form& form) {
    const bool of_predicates = form.type_count != 0 && form.type(0) == ScalarType::pred;
    // The halves of a pair are two values.
    const bool of_pairs = form.type_count != 0 && is_pair(form.type(0));
    switch (form.opcode) {
        case Opcode::selp:
            return Unwritten::selected;
        case Opcode::setp:
            return of_pairs ? Unwritten::dropped : Unwritten::compared;
        case Opcode::and_:
            return of_predicates ? Unwritten::both : Unwritten::bitwise;
        case Opcode::or_:
            return of_predicates ? Unwritten::either : Unwritten::bitwise;
        case Opcode::xor_:
            return of_predicates ? Unwritten::joined : Unwritten::bitwise;
        case Opcode::shf:
        case Opcode::bfe:
        case Opcode::prmt:
        case Opcode::copysign:
            return Unwritten::bitwise;
        case Opcode::cvt:
            return form.has(Modifier::pack) ? Unwritten::dropped : of_pairs ? Unwritten::bitwise : Unwritten::joined;
        case Opcode::mov:
        case Opcode::shfl:
        case Opcode::lop3:
        case Opcode::bfi:
        case Opcode::dp4a:
        case Opcode::dp2a:
            return Unwritten::dropped;
        case Opcode::ld:
        case Opcode::ldu:
            return Unwritten::dropped;
        case Opcode::st:
            for (const Modifier own :
                 {Modifier::shared, Modifier::shared_cta, Modifier::local, Modifier::param, Modifier::param_func}) {
                if (form.has(own)) return Unwritten::dropped;
            }
            return Unwritten::used;
        case Opcode::call:
        case Opcode::ret:
            return Unwritten::dropped;  // arguments and results lie in memory
        case Opcode::cvta:
        case Opcode::isspacep:
        case Opcode::set:
        case Opcode::testp:
            return Unwritten::joined;
        default:
            break;
    }
    if (form.opcode >= Opcode::vabsdiff && form.opcode <= Opcode::vsub4) return Unwritten::dropped;
    if (signature_of(form.opcode) == nullptr) return Unwritten::used;
    return of_pairs ? Unwritten::dropped : Unwritten::joined;
}

uint32_t round_up(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

uint32_t ModuleContext::variable_number(uint32_t module_variable) {
    const auto next = static_cast<uint32_t>(image->variable_images.size());
    const auto [found, added] = variable_numbers.emplace(module_variable, next);
    if (added) {
        const ptx::Variable& variable = module->variables[module_variable];
        VariableImage entry;
        entry.information.name = variable.name;
        entry.information.size = variable.size;
        entry.information.alignment = std::max(variable.alignment, 1u);
        entry.information.constant = variable.space == ptx::StateSpace::constant;
        entry.information.external = variable.linkage == ptx::Linkage::external;
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
    allocate_registers(pending_, register_types_, out_);
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
// --- emission ---

PendingInstruction& FunctionDecoder::emit(Handlers handlers) {
    PendingInstruction& instruction = pending_.emplace_back();
    instruction.code.body[0] = handlers.body[0];
    instruction.code.body[1] = handlers.body[1];
    instruction.conditional = conditional_;
    instruction.unwritten = unwritten_in(form_);
    instruction.origin = origin_;
    return instruction;
}

void FunctionDecoder::use(PendingInstruction& instruction, unsigned slot, Reference reference) {
    instruction.code.operand[slot] = reference;
    instruction.references = static_cast<uint8_t>(instruction.references | 1u << slot);
}

void FunctionDecoder::define(PendingInstruction& instruction, unsigned slot, Reference reference) {
    use(instruction, slot, reference);
    instruction.defines = static_cast<uint8_t>(instruction.defines | 1u << slot);
}

Handlers FunctionDecoder::select(Form& form) const {
    const Handlers handlers = context_.backend->select(form);
    if (!handlers) unsupported("this combination of type and modifiers is not implemented");
    return handlers;
}

void FunctionDecoder::begin_guard() {
    if (!current_->guarded) return;
    PendingInstruction& guard = emit(context_.backend->control(Control::guard));
    guard.code.aux = current_->guard_negated ? 1 : 0;
    use(guard, 0, current_->guard_register);
    guard.decisive = 1;
    conditional_ = true;
}

size_t FunctionDecoder::begin_branch_around() {
    if (!current_->guarded) return 0;
    PendingInstruction& branch = emit(context_.backend->control(Control::branch));
    branch.code.aux = current_->guard_negated ? 0 : 1;
    branch.branches = true;
    use(branch, 0, current_->guard_register);
    branch.decisive = 1;
    return pending_.size();
}

void FunctionDecoder::end_branch_around(size_t mark) {
    if (mark == 0) return;
    // Targets among pending instructions carry the top bit until resolve_branches.
    pending_[mark - 1].target = preload_flag | static_cast<uint32_t>(pending_.size());
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
const Form& FunctionDecoder::legal_form() {
    if (origin_.text >= context_.forms.size()) context_.forms.resize(origin_.text + 1);
    std::optional<Form>& known = context_.forms[origin_.text];
    if (known) return *known;
    Form form;
    const std::string_view unknown = read_form(*current_, form);
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
    if (const std::string reason = illegal_form(form, *current_, context_.target); !reason.empty()) {
        invalid("the instruction " + opcode + " " + reason);
    }
    known = form;
    return *known;
}

void FunctionDecoder::decode_instruction() {
    conditional_ = false;
    form_ = legal_form();
    switch (form_.opcode) {
        case Opcode::mov:
            return form_.has(Modifier::v4) ? decode_vector_move() : decode_move();
        case Opcode::cvta:
            return decode_cvta();
        case Opcode::isspacep:
            return decode_isspacep();
        case Opcode::setp:
            return decode_setp();
        case Opcode::set:
            return decode_set();
        case Opcode::lop3:
            return decode_lop3();
        case Opcode::cvt:
            if (form_.has(Modifier::pack)) return decode_convert_pack();
            // Two floats become a pair: one operand more.
            return decode_arithmetic(form_.type(1) == ScalarType::f32 && is_pair(form_.type(0)) ? "t22" : "t2");
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
            return decode_load_store();
        case Opcode::atom:
        case Opcode::red:
            return decode_atomic();
        case Opcode::bra:
            return decode_branch();
        case Opcode::brx:
            return decode_branch_indexed();
        case Opcode::call:
            return decode_call();
        case Opcode::ret:
            return decode_return();
        case Opcode::exit:
            return decode_simple(Control::exit);
        case Opcode::trap:
            return decode_simple(Control::trap);
        case Opcode::brkpt:
            return decode_simple(Control::breakpoint);
        case Opcode::nanosleep:
            return decode_simple(Control::sleep);
        case Opcode::pmevent:
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::discard:
        case Opcode::applypriority:
        case Opcode::griddepcontrol:
        case Opcode::setmaxnreg:
            return decode_without_effect();
        case Opcode::createpolicy:
            return decode_create_policy();
        case Opcode::bar:
        case Opcode::barrier:
            return decode_barrier();
        case Opcode::mbarrier:
            return decode_mbarrier();
        case Opcode::cp:
            return decode_asynchronous_copy();
        case Opcode::alloca_:
        case Opcode::stacksave:
        case Opcode::stackrestore:
            return decode_stack();
        case Opcode::membar:
        case Opcode::fence:
            return decode_fence();
        case Opcode::shfl:
        case Opcode::vote:
        case Opcode::match:
        case Opcode::redux:
        case Opcode::elect:
        case Opcode::activemask:
            return decode_warp();
        default:
            if (form_.opcode >= Opcode::vabsdiff && form_.opcode <= Opcode::vsub4) return decode_video();
            break;
    }
    const char* const signature = signature_of(form_.opcode);
    if (signature == nullptr) unsupported("the instruction is not implemented");
    decode_arithmetic(signature);
}

}  // namespace cuprum::simulator
