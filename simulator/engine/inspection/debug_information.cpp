// What is kept of a function that may be inspected.
#include "engine/inspection/debug_information.hpp"

#include <algorithm>

#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// How a register of bits is best read: as what most is known of by the instructions that name it.
unsigned knowledge(ScalarType type) {
    if (is_float(type)) return 4;
    switch (type) {
        case ScalarType::s8:
        case ScalarType::s16:
        case ScalarType::s32:
        case ScalarType::s64:
            return 3;
        case ScalarType::u8:
        case ScalarType::u16:
        case ScalarType::u32:
        case ScalarType::u64:
            return 2;
        default:
            return 1;
    }
}

// The types in an instruction's name: of its result, and of what it reads.
struct NamedTypes {
    ScalarType result = ScalarType::none, source = ScalarType::none;
};

NamedTypes types_of(const ptx::Instruction& instruction) {
    Form form;
    read_form(instruction, form);
    NamedTypes types;
    if (form.type_count == 0) return types;
    types.result = form.types[0];
    types.source = form.types[form.type_count - 1];
    return types;
}

void improve(ScalarType& known, ScalarType seen, uint32_t bytes) {
    // A 16-bit value lies in a 32-bit element.
    const bool fits = ptx::size_of(seen) == bytes || (bytes == 4 && ptx::size_of(seen) == 2);
    if (seen != ScalarType::none && fits && knowledge(seen) > knowledge(known)) known = seen;
}

}  // namespace

void FunctionDecoder::describe_function(const std::vector<RegisterPlace>& places) {
    DebugFunction& debug = context_.debug->functions[function_index_];
    DwarfNames& names = context_.debug_names[function_index_];

    // Passes have put instructions between those that were decoded: what tells is where they come from.
    const std::vector<ptx::Instruction>& parsed = parsed_.instructions;
    const auto comes_from = [&](const Origin& origin, size_t ptx) {
        return parsed[ptx].location.line == origin.ptx_line &&
               parsed[ptx].mnemonic == context_.image->mnemonics[origin.text];
    };
    size_t at = 0;
    for (const Origin& origin : out_.origins) {
        size_t ptx = at;
        while (ptx < parsed.size() && !comes_from(origin, ptx))
            ++ptx;
        if (ptx < parsed.size()) at = ptx;
        debug.ptx_instruction.push_back(static_cast<uint32_t>(at));
    }
    describe_registers(debug, names, places);

    if (!parsed_.inlined_calls.empty()) {
        for (const ptx::Instruction& instruction : parsed_.instructions)
            debug.inlined.push_back(instruction.inlined);
        for (const ptx::InlinedCall& call : parsed_.inlined_calls)
            debug.inlined_calls.push_back({{}, call.file, call.line, call.caller});
    }
    for (const auto& [variable, offset] : local_offsets_)
        names.locals[module_.variables[variable].name] = offset;
    if (!parsed_.is_kernel) return;
    for (const uint32_t symbol : parsed_.parameter_symbols) {
        const uint32_t index = module_.symbols[symbol].index;
        const ptx::Variable& variable = module_.variables[index];
        const uint32_t offset = kernel_parameter_offsets_.at(index);
        debug.parameters.push_back({variable.name, variable.type, offset, variable.size});
        names.parameters[variable.name] = offset;
    }
}

void FunctionDecoder::describe_registers(DebugFunction& debug, DwarfNames& names,
                                         const std::vector<RegisterPlace>& places) const {
    debug.registers.resize(parsed_.registers.size());
    for (uint32_t r = 0; r < parsed_.registers.size(); ++r) {
        DebugRegister& described = debug.registers[r];
        described.name = parsed_.registers[r].name;
        described.type = parsed_.registers[r].type;
        described.bytes = register_bytes(described.type);
        names.registers.emplace(parsed_.registers[r].name, r);
        if (r < replacements_.size() && replacements_[r] != 0) {
            // It is a row that never changes; where it was set, nobody keeps.
            described.offset = out_.preloads[replacements_[r] & ~preload_flag].offset;
            described.in_use = true;
            described.last = ~0u;
        } else if (places[r].first <= places[r].last) {
            described.offset = places[r].offset;
            described.first = places[r].first;
            described.last = places[r].last;
            described.in_use = true;
        }
    }
    for (const ptx::Instruction& instruction : parsed_.instructions) {
        const NamedTypes types = types_of(instruction);
        for (size_t k = 0; k < instruction.operands.size(); ++k) {
            const auto see = [&](const ptx::Operand& operand) {
                if (operand.kind != ptx::Operand::Kind::reg) return;
                DebugRegister& described = debug.registers[operand.index];
                improve(described.type, k == 0 ? types.result : types.source, described.bytes);
            };
            see(instruction.operands[k]);
            if (instruction.operands[k].kind == ptx::Operand::Kind::vector)
                std::ranges::for_each(instruction.operands[k].elements, see);
        }
    }
}

}  // namespace cuprum::simulator
