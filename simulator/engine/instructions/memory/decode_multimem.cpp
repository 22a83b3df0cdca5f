// Decoding of multimem: loads, stores and reductions of all the memory that an address of a multicast object stands
// for. Source: PTX ISA 9.0, 9.7.9.14.
//
// A simulated multicast object has one device, so an address of it stands for one place in memory: a reduction of what
// is loaded is the value itself. Only these instructions may touch such addresses, and no others.
#include <algorithm>

#include "engine/instructions/atomics/decode.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/instructions/memory/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t most_at_once = 4;  // elements of a load or store

struct Multimem {
    const ptx::Operand& address;
    std::vector<ptx::Operand> parts;  // of the vector, or the one register
    ScalarType type;
    uint32_t bytes;  // of an element
};

void copy_modifiers(const Form& from, Form& to, std::initializer_list<Modifier> modifiers) {
    for (const Modifier modifier : modifiers) {
        if (from.has(modifier)) to.add(modifier);
    }
}

constexpr auto orders = {Modifier::relaxed, Modifier::acquire, Modifier::release};
constexpr auto scopes = {Modifier::cta, Modifier::cluster, Modifier::gpu, Modifier::sys};
bool has_any(const Form& form, std::initializer_list<Modifier> modifiers) {
    return std::ranges::any_of(modifiers, [&](Modifier modifier) { return form.has(modifier); });
}

ScalarType bits_type(uint32_t bytes) {
    return bytes == 8 ? ScalarType::b64 : bytes == 4 ? ScalarType::b32 : ScalarType::b16;
}

// One load or store of up to four elements.
void emit_access(FunctionDecoder& decoder, const ptx::Operand& address, bool loads, uint32_t bytes,
                 const std::vector<Reference>& elements) {
    const Form& given = decoder.form();
    const auto count = static_cast<uint32_t>(elements.size());
    Form form;
    form.opcode = loads ? Opcode::ld : Opcode::st;
    form.types[form.type_count++] = bits_type(bytes);
    form.add(Modifier::global);
    copy_modifiers(given, form, orders);
    copy_modifiers(given, form, scopes);
    if (count > 1) form.add(count == 2 ? Modifier::v2 : Modifier::v4);
    form.data_bytes = bytes == 8 ? 8 : 4;
    const Handlers handlers = decoder.select(form);
    FunctionDecoder::CheckedAccess access{bytes * count, bytes, 0, loads, !loads, {}};
    if (!loads) access.stored = elements;
    const bool checked = decoder.emit_check(address, AddressSpace::global, access) && decoder.checks().memory;
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    if (checked) instruction.unwritten = loads ? Unwritten::loaded : Unwritten::dropped;
    instruction.code.aux = count << memory_aux::vector_shift | memory_aux::multicast |
                           (given.has(Modifier::acquire) ? memory_aux::fence_after : 0u) |
                           (given.has(Modifier::release) ? memory_aux::fence_before : 0u);
    for (unsigned k = 0; k < count; ++k) {
        if (loads)
            decoder.define(instruction, k, elements[k]);
        else
            decoder.use(instruction, k, elements[k]);
    }
    decoder.decode_address(address, AddressSpace::global, instruction);
    instruction.code.cache = decoder.next_cache();
    decoder.end_guard();
}

Reference emit_words(FunctionDecoder& decoder, Opcode opcode, Reference to, Reference a, Reference b) {
    Form form;
    form.opcode = opcode;
    form.types[form.type_count++] = ScalarType::b32;
    const Handlers handlers = decoder.select(form);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, to);
    decoder.use(instruction, 1, a);
    decoder.use(instruction, 2, b);
    decoder.end_guard();
    return to;
}

// Eight halves are one access of four words.
void emit_halves(FunctionDecoder& decoder, const ptx::Operand& address, bool loads,
                 const std::vector<Reference>& halves) {
    const Reference half_bits = decoder.literal(16, 4), lower = decoder.literal(0xffff, 4);
    std::vector<Reference> words;
    for (size_t k = 0; k < halves.size(); k += 2) {
        words.push_back(decoder.scratch(ScalarType::b32));
        if (loads) continue;
        const Reference low = emit_words(decoder, Opcode::and_, decoder.scratch(ScalarType::b32), halves[k], lower);
        emit_words(decoder, Opcode::shl, words.back(), halves[k + 1], half_bits);
        emit_words(decoder, Opcode::or_, words.back(), words.back(), low);
    }
    emit_access(decoder, address, loads, 4, words);
    for (size_t k = 0; loads && k < halves.size(); k += 2) {
        emit_words(decoder, Opcode::and_, halves[k], words[k / 2], lower);
        emit_words(decoder, Opcode::shr, halves[k + 1], words[k / 2], half_bits);
    }
}

// Element by element, as red of vectors is.
void emit_reductions(FunctionDecoder& decoder, const Multimem& what, const std::vector<Reference>& elements) {
    const Form& given = decoder.form();
    Form form;
    form.opcode = Opcode::red;
    form.types[form.type_count++] = what.type;
    form.add(Modifier::global);
    copy_modifiers(given, form, orders);
    copy_modifiers(given, form, scopes);
    copy_modifiers(given, form,
                   {Modifier::add, Modifier::min, Modifier::max, Modifier::and_, Modifier::or_, Modifier::xor_});
    // Subnormal halves count, as in red, which says so.
    if (is_float(what.type) && what.type != ScalarType::f32 && what.type != ScalarType::f64) form.add(Modifier::noftz);
    for (size_t k = 0; k < elements.size(); ++k) {
        const auto size = static_cast<uint32_t>(elements.size()) * what.bytes;
        emit_atomic(decoder, form, decoder.scratch(what.type), elements[k], 0, what.address,
                    static_cast<int64_t>(k) * what.bytes, k == 0 ? size : what.bytes, memory_aux::multicast);
    }
}

}  // namespace

void decode_multimem(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    const bool loads = form.has(Modifier::ld_reduce), stores = form.has(Modifier::st);
    decoder.expect_operands(2, 2);
    if (has_any(form, orders) != has_any(form, scopes))
        decoder.invalid("a scope goes with .relaxed, .acquire and .release");
    const ptx::Operand& address = decoder.operand(loads ? 1 : 0);
    const ptx::Operand& data = decoder.operand(loads ? 0 : 1);
    if (decoder.address_bytes(address) != 8) decoder.invalid("an address of global memory has 64 bits");
    if (decoder.address_space(address) != AddressSpace::global)
        decoder.invalid("addresses of multicast objects are in global memory");
    const bool vector = data.kind == ptx::Operand::Kind::vector;
    const size_t count = form.has(Modifier::v8) ? 8 : form.has(Modifier::v4) ? 4 : form.has(Modifier::v2) ? 2 : 1;
    if (vector ? data.elements.size() != count : count != 1)
        decoder.invalid("the vector's length does not match the operand");
    const ScalarType type = form.type(0);
    const Multimem what{address, vector ? data.elements : std::vector{data}, type, ptx::size_of(type)};
    std::vector<Reference> elements;
    for (const ptx::Operand& part : what.parts) {
        if (loads && part.kind != ptx::Operand::Kind::reg) decoder.invalid("the result must be a register");
        elements.push_back(loads ? decoder.target(part, type) : decoder.source(part, type));
    }
    if (!loads && !stores) return emit_reductions(decoder, what, elements);
    if (elements.size() > most_at_once) return emit_halves(decoder, address, loads, elements);
    emit_access(decoder, address, loads, what.bytes, elements);
}

}  // namespace cuprum::simulator
