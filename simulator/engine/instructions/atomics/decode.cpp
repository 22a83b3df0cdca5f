// Decoding of atom and red.
#include "engine/instructions/atomics/decode.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// A vector is updated element by element (ISA 9.7.13.6: no more is promised), at an address that suits the whole.
void decode_vector_atomic(FunctionDecoder& decoder, uint32_t count) {
    const bool reduction = decoder.form().opcode == Opcode::red;
    const ScalarType type = decoder.form().type(0);
    const uint32_t bytes = ptx::size_of(type);
    if (!is_float(type) || type == ScalarType::f64 || bytes * count > 16) decoder.unsupported("a vector of this type");
    if (decoder.form().has(Modifier::shared) || decoder.form().has(Modifier::shared_cta) ||
        decoder.form().has(Modifier::shared_cluster))
        decoder.invalid("vectors are of global memory");
    const size_t first = reduction ? 0 : 1;
    const ptx::Operand& address = decoder.operand(first);
    const ptx::Operand& data = decoder.operand(first + 1);
    if (data.kind != ptx::Operand::Kind::vector || data.elements.size() != count ||
        (!reduction &&
         (decoder.operand(0).kind != ptx::Operand::Kind::vector || decoder.operand(0).elements.size() != count))) {
        decoder.invalid("the vector's length does not match the operand");
    }
    // The results are moved at the end: the same registers may be results and operands.
    std::vector<Reference> results;
    for (uint32_t k = 0; k < count; ++k) {
        const Reference b = decoder.source(data.elements[k], type);
        results.push_back(decoder.scratch(type));
        emit_atomic(decoder, decoder.form(), results.back(), b, 0, address, static_cast<int64_t>(k) * bytes,
                    k == 0 ? bytes * count : bytes);
    }
    for (uint32_t k = 0; !reduction && k < count; ++k) {
        Form move;
        move.opcode = Opcode::mov;
        move.types[move.type_count++] = ScalarType::b32;
        const Handlers handlers = decoder.select(move);
        const Reference to = decoder.target(decoder.operand(0).elements[k], type);
        decoder.begin_guard();
        PendingInstruction& instruction = decoder.emit(handlers);
        decoder.define(instruction, 0, to);
        decoder.use(instruction, 1, results[k]);
        decoder.end_guard();
    }
}

}  // namespace

void emit_atomic(FunctionDecoder& decoder, Form form, Reference result, Reference b, Reference c,
                 const ptx::Operand& address, int64_t offset, uint32_t alignment, uint32_t aux) {
    const bool swaps = form.has(Modifier::cas);
    const AddressSpace space = decoder.address_space(address);
    const Handlers handlers = decoder.select(form);
    const uint32_t bytes = ptx::size_of(decoder.form().type(0));
    decoder.emit_check(address, space, {bytes, bytes, offset, true, true, {}});
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, b);
    if (swaps) decoder.use(instruction, 2, c);
    decoder.decode_address(address, space, instruction);
    instruction.code.immediate += offset;
    instruction.code.aux |= aux | static_cast<uint32_t>(__builtin_ctz(alignment)) << memory_aux::alignment_shift;
    instruction.code.cache = decoder.next_cache();
    decoder.end_guard();
}

void decode_atomic(FunctionDecoder& decoder) {
    const bool reduction = decoder.form().opcode == Opcode::red;
    const bool swaps = decoder.form().has(Modifier::cas);
    const size_t first = reduction ? 0 : 1;
    const size_t count = first + 2 + (swaps ? 1 : 0);
    decoder.expect_operands(count, count + 1);
    if ((decoder.instruction().operands.size() == count + 1) != decoder.form().has(Modifier::cache_hint)) {
        decoder.invalid("a cache policy goes with .L2::cache_hint");
    }
    if (decoder.form().has(Modifier::cache_hint)) decoder.source(decoder.operand(count), ScalarType::b64);
    const ptx::Operand& address = decoder.operand(first);
    decoder.form().address_bytes = static_cast<uint8_t>(decoder.address_bytes(address));
    const AddressSpace space = decoder.address_space(address);
    if (space != AddressSpace::global && space != AddressSpace::shared) {
        decoder.invalid("atomic operations work on global and shared memory");
    }
    if (decoder.form().address_bytes != 8 && space != AddressSpace::shared &&
        !decoder.form().has(Modifier::shared_cluster))
        decoder.invalid_narrow_address();
    for (const auto& [modifier, elements] :
         {std::pair{Modifier::v2, 2u}, std::pair{Modifier::v4, 4u}, std::pair{Modifier::v8, 8u}}) {
        if (decoder.form().take(modifier)) return decode_vector_atomic(decoder, elements);
    }
    const ScalarType type = decoder.form().type(0);
    const Reference result = reduction ? decoder.scratch(type) : decoder.target(decoder.operand(0), type);
    const Reference b = decoder.source(decoder.operand(first + 1), type);
    const Reference c = swaps ? decoder.source(decoder.operand(first + 2), type) : 0;
    emit_atomic(decoder, decoder.form(), result, b, c, address, 0, 1);
}

}  // namespace cuprum::simulator
