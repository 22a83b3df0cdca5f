// Decoding of moves and of conversions of addresses.
#include "engine/instructions/moves/decode.hpp"
#include "engine/instructions/moves/cluster_address.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// mov.b128 {low, high}, whole; and mov.b128 whole, {low, high}. Both halves in one instruction.
void decode_wide_move(FunctionDecoder& decoder, bool splits) {
    const std::vector<ptx::Operand>& parts = decoder.operand(splits ? 0 : 1).elements;
    if (parts.size() != 2) decoder.unsupported("a move of 128 bits from or to other than two halves");
    Form form = decoder.form();
    form.add(splits ? Modifier::l : Modifier::r);
    const Handlers handlers = decoder.select(form);
    std::array<Reference, 2> halves{};
    for (size_t k = 0; k < 2; ++k)
        halves[k] = splits ? decoder.target(parts[k], ScalarType::b64) : decoder.source(parts[k], ScalarType::b64);
    const Reference whole = splits ? decoder.source(decoder.operand(1), ScalarType::b128)
                                   : decoder.target(decoder.operand(0), ScalarType::b128);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    for (unsigned k = 0; k < 2; ++k) {
        if (splits)
            decoder.define(instruction, k, halves[k]);
        else
            decoder.use(instruction, k, halves[k]);
    }
    if (splits)
        decoder.use(instruction, 2, whole);
    else
        decoder.define(instruction, 2, whole);
}

// Where the generic addresses of the state space begin that the instruction names; 0 for global and constant memory.
uint64_t window_of_form(const FunctionDecoder& decoder) {
    for (const Modifier space : {Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster}) {
        if (decoder.form().has(space)) return window::shared;
    }
    return decoder.form().has(Modifier::local) ? window::local : 0;
}

// mov.v4.u32 of a special register without a component, such as %tid: all four of it.
void decode_vector_move(FunctionDecoder& decoder) {
    decoder.expect_operands(2, 2);
    const ptx::Operand& from = decoder.operand(1);
    if (decoder.operand(0).kind != ptx::Operand::Kind::vector || decoder.operand(0).elements.size() != 4 ||
        from.kind != ptx::Operand::Kind::special_register) {
        decoder.invalid("expected a vector of four and a special register that is one");
    }
    Form move;
    move.opcode = Opcode::mov;
    move.types[move.type_count++] = ScalarType::u32;
    const Handlers handlers = decoder.select(move);
    constexpr std::array<std::string_view, 4> components = {".x", ".y", ".z", ".w"};
    for (size_t k = 0; k < components.size(); ++k) {
        const std::string name = std::string(from.name) + std::string(components[k]);
        ptx::Operand component = from;
        component.name = name;
        const Reference value = decoder.source(component, ScalarType::u32);
        const Reference result = decoder.target(decoder.operand(0).elements[k], ScalarType::u32);
        decoder.begin_guard();
        PendingInstruction& instruction = decoder.emit(handlers);
        decoder.define(instruction, 0, result);
        decoder.use(instruction, 1, value);
        instruction.copies = true;
    }
}

}  // namespace

void decode_move(FunctionDecoder& decoder) {
    if (decoder.form().has(Modifier::v4)) return decode_vector_move(decoder);
    decoder.expect_operands(2, 2);
    const ScalarType type = decoder.form().type(0);
    const bool splits = decoder.operand(0).kind == ptx::Operand::Kind::vector;
    const bool joins = decoder.operand(1).kind == ptx::Operand::Kind::vector;
    if (!splits && !joins) {
        const Handlers handlers = decoder.select(decoder.form());
        // A label's or function's address, a variable's, a register's: all are sources.
        const Reference from = decoder.source(decoder.operand(1), type);
        const Reference to = decoder.target(decoder.operand(0), type);
        decoder.begin_guard();
        PendingInstruction& instruction = decoder.emit(handlers);
        decoder.define(instruction, 0, to);
        decoder.use(instruction, 1, from);
        instruction.copies = true;
        return;
    }
    if (splits && joins) decoder.invalid("both operands are vectors");
    if (type != ScalarType::b16 && type != ScalarType::b32 && type != ScalarType::b64 && type != ScalarType::b128) {
        decoder.invalid("a move from or to parts has a type .b16, .b32, .b64 or .b128");
    }
    if (type == ScalarType::b128) return decode_wide_move(decoder, splits);
    const std::vector<ptx::Operand>& parts = decoder.operand(splits ? 0 : 1).elements;
    const uint32_t whole_bytes = ptx::size_of(type);
    if (parts.size() != 2 && parts.size() != 4) decoder.unsupported("a vector of " + std::to_string(parts.size()));
    const auto part_bytes = static_cast<uint32_t>(whole_bytes / parts.size());
    if (whole_bytes > 8 || part_bytes == 0 || part_bytes > 4) {
        decoder.unsupported("a move of " + std::to_string(whole_bytes * 8) + " bits from or to parts");
    }
    Form form = decoder.form();
    form.add(splits ? Modifier::l : Modifier::r);
    const Handlers handlers = decoder.select(form);
    const ScalarType part_type = part_bytes == 1 ? ScalarType::b8 : part_bytes == 2 ? ScalarType::b16 : ScalarType::b32;
    std::array<Reference, 4> references{};
    for (size_t k = 0; k < parts.size(); ++k) {
        references[k] = splits ? decoder.target(parts[k], part_type) : decoder.source(parts[k], part_type);
    }
    const Reference whole =
        splits ? decoder.source(decoder.operand(1), type) : decoder.target(decoder.operand(0), type);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    instruction.code.aux = static_cast<uint32_t>(parts.size());
    instruction.code.immediate = part_bytes;
    for (unsigned k = 0; k < parts.size(); ++k) {
        if (splits)
            decoder.define(instruction, k, references[k]);
        else
            decoder.use(instruction, k + 1, references[k]);
    }
    if (splits)
        decoder.use(instruction, static_cast<unsigned>(parts.size()), whole);
    else
        decoder.define(instruction, 0, whole);
}

void decode_cvta(FunctionDecoder& decoder) {
    decoder.expect_operands(2, 2);
    if (decoder.form().type(0) != ScalarType::u64) decoder.invalid_narrow_address();
    const bool to = decoder.form().has(Modifier::to);
    if (to && decoder.operand(1).kind == ptx::Operand::Kind::symbol)
        decoder.invalid("a variable's own address is not a generic address");
    if (decoder.operand(1).kind == ptx::Operand::Kind::symbol) decoder.window_of_address(decoder.operand(1));
    const Reference from = decoder.source(decoder.operand(1), ScalarType::u64);
    const Reference result = decoder.target(decoder.operand(0), ScalarType::u64);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(decoder.control(Control::add_window));
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, from);
    const uint64_t base = window_of_form(decoder);
    instruction.code.immediate = static_cast<int64_t>(to ? uint64_t{0} - base : base);
}

void decode_isspacep(FunctionDecoder& decoder) {
    decoder.expect_operands(2, 2);
    const bool parameters = decoder.form().has(Modifier::param) || decoder.form().has(Modifier::param_entry);
    const Reference result = decoder.target(decoder.operand(0), ScalarType::pred);
    const Reference address = decoder.source(decoder.operand(1), ScalarType::u64);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(decoder.control(Control::is_space));
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, address);
    instruction.code.immediate = static_cast<int64_t>(parameters ? window::parameters : window_of_form(decoder));
    const bool own = decoder.form().has(Modifier::shared) || decoder.form().has(Modifier::shared_cta);
    instruction.code.aux = decoder.form().has(Modifier::constant) ? 1 : own ? 2 : 0;
}

// mapa d, address, rank; getctarank d, address. With a state space the address is one there, or a variable's; else it
// is generic. Of a generic address, 32 bits are those of the address in shared memory: that is how ptxas has it.
void decode_cluster_address(FunctionDecoder& decoder) {
    namespace aux_of = cluster_address_aux;
    const bool maps = decoder.form().opcode == Opcode::mapa;
    decoder.expect_operands(maps ? 3 : 2, maps ? 3 : 2);
    const ScalarType type = decoder.form().type(0);
    const bool generic = !decoder.form().has(Modifier::shared_cluster) && type == ScalarType::u64;
    const ptx::Operand& from = decoder.operand(1);
    if (from.kind == ptx::Operand::Kind::symbol) {
        if (generic) decoder.invalid("a variable's own address is not a generic address");
        if (decoder.window_of_address(from) == window::local) decoder.invalid("the variable is not in shared memory");
    }
    const Reference address = decoder.source(from, type);
    const Reference rank = maps ? decoder.source(decoder.operand(2), ScalarType::u32) : 0;
    const Reference result = decoder.target(decoder.operand(0), maps ? type : ScalarType::u32);
    decoder.begin_guard();
    PendingInstruction& instruction =
        decoder.emit(decoder.control(maps ? Control::map_address : Control::rank_of_address));
    instruction.code.aux = (generic ? aux_of::generic : 0u) | (type == ScalarType::u32 ? aux_of::narrow : 0u);
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, address);
    if (maps) decoder.use(instruction, 2, rank);
}

}  // namespace cuprum::simulator
