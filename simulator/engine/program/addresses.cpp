// Decoding of addresses, and the checks of accesses that the options ask for.
#include "engine/checks/checked_access.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/program/decoder.hpp"

#include <algorithm>
#include <bit>

namespace cuprum::simulator {

// Of an instruction that does nothing with the address: a register that can hold one, a variable in the right space.
void FunctionDecoder::check_address(const ptx::Operand& address) {
    address_bytes(address);
    const ptx::Operand& base = address.elements[0];
    if (base.kind == ptx::Operand::Kind::symbol) window_of_address(base);
}

uint32_t FunctionDecoder::address_bytes(const ptx::Operand& address) {
    if (address.kind != ptx::Operand::Kind::address || address.elements.empty()) invalid("expected an address");
    const ptx::Operand& base = address.elements[0];
    if (base.kind != ptx::Operand::Kind::reg) return 8;
    const ScalarType held = register_types_[base.index];
    if (is_float(held) || held == ScalarType::pred || held == ScalarType::b128) {
        invalid("an address is in a register of an integer or bit type");
    }
    return register_bytes(held);
}

// ptxas compiles no 32-bit addresses of global memory, generic ones included, for any current architecture.
void FunctionDecoder::expect_wide_address(const ptx::Operand& address) {
    if (address_bytes(address) < 8) invalid_narrow_address();
}

void FunctionDecoder::invalid_narrow_address() const {
    invalid("a global or generic address of 32 bits, which no current architecture has; use one of 64 bits");
}

void FunctionDecoder::unsupported_narrow_address() const {
    unsupported("a global address of 32 bits, of which ptxas leaves the upper half undefined; use one of 64 bits");
}

AddressSpace FunctionDecoder::address_space(const ptx::Operand& address) {
    if (form_.has(Modifier::shared) || form_.has(Modifier::shared_cta)) return AddressSpace::shared;
    if (form_.has(Modifier::local)) return AddressSpace::local;
    if (form_.has(Modifier::param) || form_.has(Modifier::param_entry) || form_.has(Modifier::param_func)) {
        if (!parsed_.is_kernel || form_.has(Modifier::param_func)) return AddressSpace::function_parameter;
        const ptx::Operand& base = address.elements[0];
        if (base.kind == ptx::Operand::Kind::symbol && parameter_slots_.contains(module_.symbols[base.index].index)) {
            return AddressSpace::function_parameter;
        }
        return AddressSpace::parameter;
    }
    return AddressSpace::global;
}

// A variable's address is one in its own state space; of a generic access, what must be added to it. Throws where the
// instruction names another space.
uint64_t FunctionDecoder::window_of_address(const ptx::Operand& base) const {
    const ptx::Symbol& symbol = module_.symbols[base.index];
    if (symbol.kind != ptx::Symbol::Kind::variable) invalid("the address of a function");
    const ptx::Variable& variable = module_.variables[symbol.index];
    const auto any_of = [&](std::initializer_list<Modifier> spaces) {
        return std::ranges::any_of(spaces, [&](Modifier space) { return form_.has(space); });
    };
    const bool shared = any_of({Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster});
    const bool param = any_of({Modifier::param, Modifier::param_entry, Modifier::param_func});
    const bool generic = !shared && !param && !any_of({Modifier::global, Modifier::constant, Modifier::local});
    bool fits = false;
    uint64_t window = 0;
    switch (variable.space) {
        case ptx::StateSpace::global:
            fits = generic || form_.has(Modifier::global);
            break;
        case ptx::StateSpace::constant:
            fits = form_.has(Modifier::constant);
            break;
        case ptx::StateSpace::shared:
            fits = generic || shared;
            window = generic ? window::shared : 0;
            break;
        case ptx::StateSpace::local:
            fits = generic || form_.has(Modifier::local);
            window = generic ? window::local : 0;
            break;
        case ptx::StateSpace::parameter:
            fits = param;
            break;
        case ptx::StateSpace::generic:
            fits = generic;
            break;
    }
    if (!fits) invalid("'" + variable.name + "' lies in another state space than the instruction names");
    return window;
}

void FunctionDecoder::decode_address(const ptx::Operand& address, AddressSpace space, PendingInstruction& instruction) {
    const ptx::Operand& base = address.elements[0];
    instruction.code.immediate = address.offset;
    // The cluster's shared memory is reached as generic addresses are.
    if (form_.opcode != Opcode::cp && form_.has(Modifier::shared_cluster))
        instruction.code.immediate += static_cast<int64_t>(window::shared);
    instruction.code.aux |= static_cast<uint32_t>(space);
    const auto with_flag = [&](Reference reference) {
        if (row_bytes(reference) == 4) instruction.code.aux |= memory_aux::narrow_address;
        use(instruction, 4, reference);
        instruction.decisive = 1 << 4;
    };
    switch (base.kind) {
        case ptx::Operand::Kind::reg:
            with_flag(base.index);
            return;
        case ptx::Operand::Kind::symbol: {
            // Asynchronous copies name two spaces, one for each of their addresses.
            ptx::Operand placed = base;
            if (form_.opcode != Opcode::cp) placed.offset += static_cast<int64_t>(window_of_address(base));
            with_flag(symbol_address(placed, 8));
            return;
        }
        case ptx::Operand::Kind::immediate:
            with_flag(literal(base.bits, 8));
            return;
        default:
            invalid("an address must start from a register, a variable or a number");
    }
}

PendingInstruction& FunctionDecoder::begin_check(Control which, const ptx::Operand& address, AddressSpace space,
                                                 const CheckedAccess& access) {
    begin_guard();
    PendingInstruction& check = emit(context_.backend->control(which));
    decode_address(address, space, check);
    check.code.immediate += access.offset;
    check.code.cache = access.element_bytes;
    check.code.aux |= access.bytes << check_aux::bytes_shift | (access.reads ? check_aux::reads : 0u) |
                      (access.writes ? check_aux::writes : 0u);
    check.unwritten = Unwritten::dropped;
    for (const Modifier ordered :
         {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio}) {
        if (form_.has(ordered)) check.code.aux |= check_aux::strong;
    }
    const bool atomic = access.reads && access.writes;
    if (atomic) check.code.aux |= check_aux::strong;
    conditional_ = false;
    return check;
}

bool FunctionDecoder::emit_check(const ptx::Operand& address, AddressSpace space, const CheckedAccess& access) {
    const Checks& checks = context_.checks;
    if (space == AddressSpace::parameter || space == AddressSpace::function_parameter) return false;
    if (form_.has(Modifier::constant)) return false;
    if (checks.races && space != AddressSpace::local) {
        PendingInstruction& check = begin_check(Control::check_races, address, space, access);
        const bool to_others = !form_.has(Modifier::cta);
        if (to_others && (form_.has(Modifier::release) || form_.has(Modifier::acq_rel)))
            check.code.aux |= check_aux::releases;
        if (form_.has(Modifier::cg) || form_.has(Modifier::cv) || form_.has(Modifier::wt))
            check.code.aux |= check_aux::uncached;
        if (!access.stored.empty()) {
            const uint32_t bytes = row_bytes(access.stored[0]);
            check.code.aux |= static_cast<uint32_t>(std::countr_zero(bytes)) << check_aux::row_shift;
            for (unsigned k = 0; k < access.stored.size(); ++k)
                use(check, k, access.stored[k]);
        }
    }
    if (!checks.memory) return false;
    PendingInstruction& check = begin_check(Control::check_access, address, space, access);
    if (!access.stored.empty()) {
        check.unwritten = Unwritten::stored;
        for (unsigned k = 0; k < access.stored.size(); ++k)
            use(check, k, access.stored[k]);
    }
    return true;
}

// The address as a row: the register itself, a symbol's address, or their sum with the offset. `narrow`: of 32 bits.
// A variable must lie in `space`, and its address is one there.
Reference FunctionDecoder::address_value(const ptx::Operand& address, ptx::StateSpace space, bool& narrow) {
    if (address.kind != ptx::Operand::Kind::address || address.elements.empty()) invalid("expected an address");
    address_bytes(address);
    ptx::Operand base = address.elements[0];
    narrow = false;
    switch (base.kind) {
        case ptx::Operand::Kind::symbol:
            base.offset += address.offset;
            if (const ptx::Symbol& symbol = module_.symbols[base.index];
                symbol.kind != ptx::Symbol::Kind::variable || module_.variables[symbol.index].space != space) {
                invalid("the address lies in another state space than the instruction names");
            }
            return symbol_address(base, 8);
        case ptx::Operand::Kind::immediate:
            return literal(base.bits + static_cast<uint64_t>(address.offset), 8);
        case ptx::Operand::Kind::reg:
            break;
        default:
            invalid("an address must start from a register, a variable or a number");
    }
    const uint32_t bytes = register_bytes(register_types_[base.index]);
    narrow = bytes == 4;
    if (address.offset == 0) return base.index;
    const ScalarType type = narrow ? ScalarType::u32 : ScalarType::u64;
    Form form;
    form.opcode = Opcode::add;
    form.types[form.type_count++] = type;
    const Reference sum = scratch(type);
    const Reference offset = literal(static_cast<uint64_t>(address.offset), bytes);
    PendingInstruction& add = emit(select(form));
    use(add, 1, base.index);
    use(add, 2, offset);
    define(add, 0, sum);
    return sum;
}

}  // namespace cuprum::simulator
