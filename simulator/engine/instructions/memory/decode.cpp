// Decoding of loads, stores and atomic operations.
#include <algorithm>

#include "engine/checks/memory_checks.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/program/decoder.hpp"

#include <utility>

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

// ld.param of a kernel from a place known now: the value is a row already.
bool FunctionDecoder::decode_kernel_parameter_load() {
    const ptx::Operand& address = operand(1);
    if (address_space(address) != AddressSpace::parameter || form_.opcode == Opcode::st) return false;
    const ptx::Operand& base = address.elements[0];
    if (base.kind != ptx::Operand::Kind::symbol) return false;
    const auto found = kernel_parameter_offsets_.find(module_.symbols[base.index].index);
    if (found == kernel_parameter_offsets_.end())
        invalid("ld.param of something that is not a parameter of this kernel");
    const ScalarType type = form_.type(0);
    const uint32_t size = ptx::size_of(type);
    const bool vector = operand(0).kind == ptx::Operand::Kind::vector;
    std::vector<ptx::Operand> single{operand(0)};
    const std::vector<ptx::Operand>& parts = vector ? operand(0).elements : single;
    // The checks that any load gets: an unknown modifier must not slip through here.
    Form form = form_;
    form.address_bytes = 8;
    form.data_bytes = 4;
    if (register_bytes(type) == 8) form.data_bytes = 8;
    select(form);
    int64_t offset = found->second + base.offset + address.offset;
    for (const ptx::Operand& part : parts) {
        if (offset < 0) invalid("ld.param below the parameters");
        if (part.kind != ptx::Operand::Kind::sink) {
            if (part.kind != ptx::Operand::Kind::reg) invalid("the result must be a register");
            check_register(part.index, type);
            const uint32_t width = register_bytes(register_types_[part.index]);
            Preload wanted;
            wanted.kind = Preload::Kind::parameter;
            wanted.type = type;
            wanted.bytes = static_cast<uint8_t>(width);
            wanted.index = static_cast<uint32_t>(offset);
            const Reference value = preload(wanted);
            Form move;
            move.opcode = Opcode::mov;
            move.types[move.type_count++] = width == 8 ? ScalarType::b64 : ScalarType::b32;
            const Handlers handlers = select(move);
            begin_guard();
            PendingInstruction& instruction = emit(handlers);
            define(instruction, 0, part.index);
            use(instruction, 1, value);
            instruction.copies = true;
        }
        offset += size;
    }
    return true;
}

void FunctionDecoder::decode_load_store() {
    const bool loading = form_.opcode != Opcode::st;
    const ptx::Operand& address = operand(loading ? 1 : 0);
    const ptx::Operand& data = operand(loading ? 0 : 1);
    expect_operands(2, 3);  // the third is a cache policy
    if ((current_->operands.size() == 3) != form_.has(Modifier::cache_hint)) {
        invalid("a cache policy goes with .L2::cache_hint");
    }
    if (current_->operands.size() == 3) source(operand(2), ScalarType::b64);
    const uint32_t bytes_of_address = address_bytes(address);
    if (loading && decode_kernel_parameter_load()) return;
    if (const ptx::Operand& base = address.elements[0];
        base.kind == ptx::Operand::Kind::symbol && module_.symbols[base.index].kind == ptx::Symbol::Kind::variable &&
        kernel_parameter_offsets_.contains(module_.symbols[base.index].index) && !loading) {
        invalid("a kernel's parameters are only read");
    }
    const AddressSpace space = address_space(address);
    const ScalarType type = form_.type(0);
    const bool vector = data.kind == ptx::Operand::Kind::vector;
    const uint32_t count = form_.has(Modifier::v4) ? 4 : form_.has(Modifier::v2) ? 2 : 1;
    if (form_.has(Modifier::v8)) unsupported("vectors of eight need compute capability 10.0");
    if (vector ? data.elements.size() != count : count != 1) invalid("the vector's length does not match the operand");
    std::vector<ptx::Operand> single{data};
    const std::vector<ptx::Operand>& parts = vector ? data.elements : single;

    // The width of the data registers may exceed the type's (ISA 9.4.1); all of a vector have the same.
    uint32_t width = register_bytes(type);
    ScalarType held = ScalarType::none;
    for (const ptx::Operand& part : parts) {
        if (part.kind != ptx::Operand::Kind::reg) continue;
        const ScalarType here = register_types_[part.index];
        if (held != ScalarType::none && ptx::size_of(here) != ptx::size_of(held)) {
            invalid("the registers of a vector must be of one size");
        }
        held = here;
        width = register_bytes(here);
    }
    std::array<Reference, 4> references{};
    for (size_t k = 0; k < parts.size(); ++k) {
        references[k] = loading ? target(parts[k], type) : source(parts[k], type);
        // Of a vector, sinks and literals lie in rows as wide as its registers'.
        if (row_bytes(references[k]) == width) continue;
        if (loading)
            references[k] = scratch(width == 16 ? ScalarType::b128 : width == 8 ? ScalarType::b64 : ScalarType::b32);
        else
            references[k] = literal(parts[k].bits, width);
    }
    Form form = form_;
    form.address_bytes = static_cast<uint8_t>(bytes_of_address);
    form.data_bytes = static_cast<uint8_t>(width);
    // The general family serves every space that is not global or shared; the form says which by its modifiers.
    const Handlers handlers = select(form);
    uint32_t aux = count << memory_aux::vector_shift;
    if (form_.has(Modifier::acquire)) aux |= memory_aux::fence_after;
    if (form_.has(Modifier::release)) aux |= memory_aux::fence_before;
    CheckedAccess access;
    access.element_bytes = ptx::size_of(type);
    access.bytes = access.element_bytes * count;
    access.reads = loading;
    access.writes = !loading;
    if (!loading) access.stored = std::span(references).first(parts.size());
    const bool checked = emit_check(address, space, access) && context_.checks.memory;
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    if (checked) instruction.unwritten = loading ? Unwritten::loaded : Unwritten::dropped;
    instruction.code.aux = aux;
    for (unsigned k = 0; k < parts.size(); ++k) {
        if (loading)
            define(instruction, k, references[k]);
        else
            use(instruction, k, references[k]);
    }
    decode_address(address, space, instruction);
    instruction.code.cache = out_.cache_end++;
}

// mov.b128 {low, high}, whole; and mov.b128 whole, {low, high}. Both halves in one instruction.
void FunctionDecoder::decode_wide_move(bool splits) {
    const std::vector<ptx::Operand>& parts = operand(splits ? 0 : 1).elements;
    if (parts.size() != 2) unsupported("a move of 128 bits from or to other than two halves");
    Form form = form_;
    form.add(splits ? Modifier::l : Modifier::r);
    const Handlers handlers = select(form);
    std::array<Reference, 2> halves{};
    for (size_t k = 0; k < 2; ++k)
        halves[k] = splits ? target(parts[k], ScalarType::b64) : source(parts[k], ScalarType::b64);
    const Reference whole = splits ? source(operand(1), ScalarType::b128) : target(operand(0), ScalarType::b128);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    for (unsigned k = 0; k < 2; ++k) {
        if (splits)
            define(instruction, k, halves[k]);
        else
            use(instruction, k, halves[k]);
    }
    if (splits)
        use(instruction, 2, whole);
    else
        define(instruction, 2, whole);
}

bool FunctionDecoder::emit_check(const ptx::Operand& address, AddressSpace space, const CheckedAccess& access) {
    if (!context_.checks.memory && !context_.checks.races) return false;
    if (space == AddressSpace::parameter || space == AddressSpace::function_parameter) return false;
    if (form_.has(Modifier::constant)) return false;
    begin_guard();
    PendingInstruction& check = emit(context_.backend->control(Control::check_access));
    decode_address(address, space, check);
    check.code.immediate += access.offset;
    check.code.cache = access.element_bytes;
    check.code.aux |= access.bytes << check_aux::bytes_shift | (access.reads ? check_aux::reads : 0u) |
                      (access.writes ? check_aux::writes : 0u);
    check.unwritten = Unwritten::dropped;
    if (context_.checks.memory && !access.stored.empty()) {
        check.unwritten = Unwritten::stored;
        for (unsigned k = 0; k < access.stored.size(); ++k)
            use(check, k, access.stored[k]);
    }
    const bool atomic = access.reads && access.writes;
    bool strong = atomic;
    for (const Modifier ordered :
         {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio}) {
        strong |= form_.has(ordered);
    }
    if (strong) check.code.aux |= check_aux::strong;
    conditional_ = false;
    return true;
}

void FunctionDecoder::emit_atomic(Form form, Reference result, Reference b, Reference c, const ptx::Operand& address,
                                  int64_t offset, uint32_t alignment) {
    const bool swaps = form.has(Modifier::cas);
    const AddressSpace space = address_space(address);
    const Handlers handlers = select(form);
    const uint32_t bytes = ptx::size_of(form_.type(0));
    emit_check(address, space, {bytes, bytes, offset, true, true, {}});
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, result);
    use(instruction, 1, b);
    if (swaps) use(instruction, 2, c);
    decode_address(address, space, instruction);
    instruction.code.immediate += offset;
    instruction.code.aux |= static_cast<uint32_t>(__builtin_ctz(alignment)) << memory_aux::alignment_shift;
    instruction.code.cache = out_.cache_end++;
    conditional_ = false;
}

void FunctionDecoder::decode_atomic() {
    const bool reduction = form_.opcode == Opcode::red;
    const bool swaps = form_.has(Modifier::cas);
    const size_t first = reduction ? 0 : 1;
    const size_t count = first + 2 + (swaps ? 1 : 0);
    expect_operands(count, count + 1);
    if ((current_->operands.size() == count + 1) != form_.has(Modifier::cache_hint)) {
        invalid("a cache policy goes with .L2::cache_hint");
    }
    if (form_.has(Modifier::cache_hint)) source(operand(count), ScalarType::b64);
    const ptx::Operand& address = operand(first);
    form_.address_bytes = static_cast<uint8_t>(address_bytes(address));
    const AddressSpace space = address_space(address);
    if (space != AddressSpace::global && space != AddressSpace::shared) {
        invalid("atomic operations work on global and shared memory");
    }
    if (form_.address_bytes != 8 && space != AddressSpace::shared) unsupported("32-bit addresses of global memory");
    for (const auto& [modifier, elements] :
         {std::pair{Modifier::v2, 2u}, std::pair{Modifier::v4, 4u}, std::pair{Modifier::v8, 8u}}) {
        if (form_.take(modifier)) return decode_vector_atomic(elements);
    }
    const ScalarType type = form_.type(0);
    const Reference result = reduction ? scratch(type) : target(operand(0), type);
    const Reference b = source(operand(first + 1), type);
    const Reference c = swaps ? source(operand(first + 2), type) : 0;
    emit_atomic(form_, result, b, c, address, 0, 1);
}

// A vector is updated element by element (ISA 9.7.13.6: no more is promised), at an address that suits the whole.
void FunctionDecoder::decode_vector_atomic(uint32_t count) {
    const bool reduction = form_.opcode == Opcode::red;
    const ScalarType type = form_.type(0);
    const uint32_t bytes = ptx::size_of(type);
    if (!is_float(type) || type == ScalarType::f64 || bytes * count > 16) unsupported("a vector of this type");
    if (form_.has(Modifier::shared) || form_.has(Modifier::shared_cta)) invalid("vectors are of global memory");
    const size_t first = reduction ? 0 : 1;
    const ptx::Operand& address = operand(first);
    const ptx::Operand& data = operand(first + 1);
    if (data.kind != ptx::Operand::Kind::vector || data.elements.size() != count ||
        (!reduction && (operand(0).kind != ptx::Operand::Kind::vector || operand(0).elements.size() != count))) {
        invalid("the vector's length does not match the operand");
    }
    // The results are moved at the end: the same registers may be results and operands.
    std::vector<Reference> results;
    for (uint32_t k = 0; k < count; ++k) {
        const Reference b = source(data.elements[k], type);
        results.push_back(scratch(type));
        emit_atomic(form_, results.back(), b, 0, address, static_cast<int64_t>(k) * bytes,
                    k == 0 ? bytes * count : bytes);
    }
    for (uint32_t k = 0; !reduction && k < count; ++k) {
        Form move;
        move.opcode = Opcode::mov;
        move.types[move.type_count++] = ScalarType::b32;
        const Handlers handlers = select(move);
        const Reference to = target(operand(0).elements[k], type);
        begin_guard();
        PendingInstruction& instruction = emit(handlers);
        define(instruction, 0, to);
        use(instruction, 1, results[k]);
        conditional_ = false;
    }
}

}  // namespace cuprum::simulator
