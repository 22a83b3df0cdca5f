// Decoding of loads, stores, and hints to the caches.
#include "engine/instructions/memory/decode.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// ld.param of a kernel from a place known now: the value is a row already.
bool decode_kernel_parameter_load(FunctionDecoder& decoder) {
    const ptx::Operand& address = decoder.operand(1);
    if (decoder.address_space(address) != AddressSpace::parameter || decoder.form().opcode == Opcode::st) return false;
    const ptx::Operand& base = address.elements[0];
    if (base.kind != ptx::Operand::Kind::symbol) return false;
    const std::optional<uint32_t> found = decoder.kernel_parameter_offset(decoder.module().symbols[base.index]);
    if (!found) decoder.invalid("ld.param of something that is not a parameter of this kernel");
    const ScalarType type = decoder.form().type(0);
    const uint32_t size = ptx::size_of(type);
    const bool vector = decoder.operand(0).kind == ptx::Operand::Kind::vector;
    std::vector<ptx::Operand> single{decoder.operand(0)};
    const std::vector<ptx::Operand>& parts = vector ? decoder.operand(0).elements : single;
    // The checks that any load gets: an unknown modifier must not slip through here.
    Form form = decoder.form();
    form.address_bytes = 8;
    form.data_bytes = 4;
    if (register_bytes(type) == 8) form.data_bytes = 8;
    decoder.select(form);
    int64_t offset = *found + base.offset + address.offset;
    for (const ptx::Operand& part : parts) {
        if (offset < 0) decoder.invalid("ld.param below the parameters");
        if (part.kind != ptx::Operand::Kind::sink) {
            if (part.kind != ptx::Operand::Kind::reg) decoder.invalid("the result must be a register");
            decoder.check_register(part.index, type);
            const uint32_t width = register_bytes(decoder.register_type(part.index));
            Preload wanted;
            wanted.kind = Preload::Kind::parameter;
            wanted.type = type;
            wanted.bytes = static_cast<uint8_t>(width);
            wanted.index = static_cast<uint32_t>(offset);
            const Reference value = decoder.preload(wanted);
            Form move;
            move.opcode = Opcode::mov;
            move.types[move.type_count++] = width == 8 ? ScalarType::b64 : ScalarType::b32;
            const Handlers handlers = decoder.select(move);
            decoder.begin_guard();
            PendingInstruction& instruction = decoder.emit(handlers);
            decoder.define(instruction, 0, part.index);
            decoder.use(instruction, 1, value);
            instruction.copies = true;
        }
        offset += size;
    }
    return true;
}

}  // namespace

void decode_load_store(FunctionDecoder& decoder) {
    const bool loading = decoder.form().opcode != Opcode::st;
    const ptx::Operand& address = decoder.operand(loading ? 1 : 0);
    const ptx::Operand& data = decoder.operand(loading ? 0 : 1);
    decoder.expect_operands(2, 3);  // the third is a cache policy
    if ((decoder.instruction().operands.size() == 3) != decoder.form().has(Modifier::cache_hint)) {
        decoder.invalid("a cache policy goes with .L2::cache_hint");
    }
    if (decoder.instruction().operands.size() == 3) decoder.source(decoder.operand(2), ScalarType::b64);
    const uint32_t bytes_of_address = decoder.address_bytes(address);
    if (loading && decode_kernel_parameter_load(decoder)) return;
    if (const ptx::Operand& base = address.elements[0];
        base.kind == ptx::Operand::Kind::symbol &&
        decoder.module().symbols[base.index].kind == ptx::Symbol::Kind::variable &&
        decoder.kernel_parameter_offset(decoder.module().symbols[base.index]) && !loading) {
        decoder.invalid("a kernel's parameters are only read");
    }
    const AddressSpace space = decoder.address_space(address);
    if (bytes_of_address < 8 && space == AddressSpace::global && !decoder.form().has(Modifier::shared_cluster)) {
        if (decoder.form().has(Modifier::constant)) decoder.unsupported("a constant address of 32 bits");
        decoder.invalid_narrow_address();
    }
    const ScalarType type = decoder.form().type(0);
    const bool vector = data.kind == ptx::Operand::Kind::vector;
    const uint32_t count = decoder.form().has(Modifier::v4) ? 4 : decoder.form().has(Modifier::v2) ? 2 : 1;
    if (decoder.form().has(Modifier::v8)) decoder.unsupported("vectors of eight need compute capability 10.0");
    if (vector ? data.elements.size() != count : count != 1)
        decoder.invalid("the vector's length does not match the operand");
    std::vector<ptx::Operand> single{data};
    const std::vector<ptx::Operand>& parts = vector ? data.elements : single;

    // The width of the data registers may exceed the type's (ISA 9.4.1); all of a vector have the same.
    uint32_t width = register_bytes(type);
    ScalarType held = ScalarType::none;
    for (const ptx::Operand& part : parts) {
        if (part.kind != ptx::Operand::Kind::reg) continue;
        const ScalarType here = decoder.register_type(part.index);
        if (held != ScalarType::none && ptx::size_of(here) != ptx::size_of(held)) {
            decoder.invalid("the registers of a vector must be of one size");
        }
        held = here;
        width = register_bytes(here);
    }
    std::array<Reference, 4> references{};
    for (size_t k = 0; k < parts.size(); ++k) {
        references[k] = loading ? decoder.target(parts[k], type) : decoder.source(parts[k], type);
        // Of a vector, sinks and literals lie in rows as wide as its registers'.
        if (decoder.row_bytes(references[k]) == width) continue;
        if (loading)
            references[k] = decoder.scratch(width == 16  ? ScalarType::b128
                                            : width == 8 ? ScalarType::b64
                                                         : ScalarType::b32);
        else
            references[k] = decoder.literal(parts[k].bits, width);
    }
    Form form = decoder.form();
    form.address_bytes = static_cast<uint8_t>(bytes_of_address);
    form.data_bytes = static_cast<uint8_t>(width);
    // The general family serves every space that is not global or shared; the form says which by its modifiers.
    const Handlers handlers = decoder.select(form);
    uint32_t aux = count << memory_aux::vector_shift;
    if (decoder.form().has(Modifier::acquire)) aux |= memory_aux::fence_after;
    if (decoder.form().has(Modifier::release)) aux |= memory_aux::fence_before;
    FunctionDecoder::CheckedAccess access;
    access.element_bytes = ptx::size_of(type);
    access.bytes = access.element_bytes * count;
    access.reads = loading;
    access.writes = !loading;
    if (!loading) access.stored = std::span(references).first(parts.size());
    const bool checked = decoder.emit_check(address, space, access);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    if (checked) instruction.unwritten = loading ? Unwritten::loaded : Unwritten::dropped;
    instruction.code.aux = aux;
    for (unsigned k = 0; k < parts.size(); ++k) {
        if (loading)
            decoder.define(instruction, k, references[k]);
        else
            decoder.use(instruction, k, references[k]);
    }
    decoder.decode_address(address, space, instruction);
    instruction.code.cache = decoder.next_cache();
}

void decode_prefetch(FunctionDecoder& decoder) {
    decoder.expect_operands(1, 1);
    decoder.check_address(decoder.operand(0));
    if (!decoder.form().has(Modifier::local)) decoder.expect_wide_address(decoder.operand(0));
    decoder.emit_without_operands(Control::no_operation);
}

void decode_discard(FunctionDecoder& decoder) {
    decoder.expect_operands(2, 2);
    decoder.check_address(decoder.operand(0));
    decoder.expect_wide_address(decoder.operand(0));
    if (decoder.operand(1).kind != ptx::Operand::Kind::immediate || decoder.operand(1).bits != 128)
        decoder.invalid("the size must be 128");
    decoder.emit_without_operands(Control::no_operation);
}

// Policies say what to keep in which cache: here they are a number that nobody looks at.
void decode_create_policy(FunctionDecoder& decoder) {
    Form move;
    move.opcode = Opcode::mov;
    move.types[move.type_count++] = ScalarType::b64;
    const Handlers handlers = decoder.select(move);
    if (decoder.form().has(Modifier::fractional)) {
        decoder.expect_operands(1, 2);
        if (decoder.instruction().operands.size() == 2) decoder.source(decoder.operand(1), ScalarType::f32);
    } else if (decoder.form().has(Modifier::range)) {
        decoder.expect_operands(4, 4);
        decoder.check_address(decoder.operand(1));
        decoder.source(decoder.operand(2), ScalarType::u32);
        decoder.source(decoder.operand(3), ScalarType::u32);
    } else {
        decoder.expect_operands(2, 2);
        decoder.source(decoder.operand(1), ScalarType::u64);
    }
    const Reference value = decoder.literal(0, 8);
    const Reference result = decoder.target(decoder.operand(0), ScalarType::u64);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, value);
}

}  // namespace cuprum::simulator
