// What is put before each instruction to count it (Checks::profile).
#include "engine/checks/profile.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

bool is_access(const Form& form) {
    switch (form.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
        case Opcode::atom:
        case Opcode::red:
            return !form.has(Modifier::async) && !form.has(Modifier::constant);
        default:
            return false;
    }
}

}  // namespace

void FunctionDecoder::emit_profile_probe() {
    ProgramProfile& profile = *context_.image->profile;
    PendingInstruction& probe = emit(control(Control::profile_probe));
    probe.unwritten = Unwritten::dropped;
    probe.code.displacement = static_cast<int32_t>(profile.instructions.size());
    ProfiledInstruction counted;
    counted.function = out_.name;
    counted.mnemonic = current_->mnemonic;
    counted.ptx_line = origin_.ptx_line;
    counted.line = origin_.source_line;
    if (origin_.source_line != 0) counted.file = context_.image->source_files[origin_.source_file];
    profile.instructions.push_back(std::move(counted));
    if (current_->guarded) {
        probe.code.aux |= profile_aux::guarded | (current_->guard_negated ? profile_aux::negated : 0u);
        use(probe, 0, current_->guard_register);
    }
    if (form_.opcode == Opcode::bra) probe.code.aux |= profile_aux::branches;
    if (!is_access(form_)) return;
    for (const ptx::Operand& operand : current_->operands) {
        if (operand.kind != ptx::Operand::Kind::address) continue;
        address_bytes(operand);
        const AddressSpace space = address_space(operand);
        if (space != AddressSpace::global && space != AddressSpace::shared) return;
        const uint32_t count = form_.has(Modifier::v8)   ? 8
                               : form_.has(Modifier::v4) ? 4
                               : form_.has(Modifier::v2) ? 2
                                                         : 1;
        decode_address(operand, space, probe);
        probe.decisive = 0;  // the access itself finds what is wrong with it
        probe.code.aux |= profile_aux::accesses;
        probe.code.cache = ptx::size_of(form_.type(0)) * count;
        return;
    }
}

}  // namespace cuprum::simulator
