// Decoding of arithmetic, comparisons, conversions, moves and address conversions.
#include "engine/program/decoder.hpp"

#include <cstring>

#include "engine/instructions/floating_point/float_aux.hpp"

namespace cuprum::simulator {
namespace {

ScalarType widened(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return ScalarType::u32;
        case ScalarType::s16:
            return ScalarType::s32;
        case ScalarType::u32:
            return ScalarType::u64;
        case ScalarType::s32:
            return ScalarType::s64;
        default:
            return type;
    }
}

// What set writes where its comparison holds: 1.0, or all ones. Of a pair of comparisons, each half gets the lower half
// of it.
int64_t value_of_true(ScalarType type) {
    switch (type) {
        case ScalarType::f32:
            return 0x3f800000;
        case ScalarType::f16:
        case ScalarType::f16x2:
            return 0x3c00;
        case ScalarType::bf16:
        case ScalarType::bf16x2:
            return 0x3f80;
        case ScalarType::u16:
        case ScalarType::s16:
            return 0xffff;
        default:
            return 0xffffffff;
    }
}

// How a result is rounded and what is done to it, for the handlers that look at it while running.
uint32_t rounding_aux(const Form& form) {
    uint32_t aux = 0;
    if (form.has(Modifier::rz)) aux |= float_aux::zero;
    if (form.has(Modifier::rm)) aux |= float_aux::down;
    if (form.has(Modifier::rp)) aux |= float_aux::up;
    if (form.has(Modifier::rni)) aux |= float_aux::to_nearest_integer;
    if (form.has(Modifier::rzi)) aux |= float_aux::to_integer_towards_zero;
    if (form.has(Modifier::rmi)) aux |= float_aux::to_integer_below;
    if (form.has(Modifier::rpi)) aux |= float_aux::to_integer_above;
    if (form.has(Modifier::ftz)) aux |= float_aux::flush;
    if (form.has(Modifier::sat)) aux |= float_aux::saturate;
    if (form.has(Modifier::relu)) aux |= float_aux::relu;
    if (form.has(Modifier::satfinite)) aux |= float_aux::finite;
    return aux;
}

}  // namespace

void FunctionDecoder::decode_arithmetic(const char* signature) {
    const ScalarType first = form_.type(0);
    const bool wide = form_.has(Modifier::wide);
    const bool signed_carry = is_signed_integer(first);
    const Opcode opcode = form_.opcode;
    Form form = form_;
    const size_t count = std::strlen(signature);
    expect_operands(count, count);
    const Handlers handlers = select(form);
    std::array<Reference, 6> references{};
    // cvt alone takes registers wider than its types (ISA 9.4.1): the low part of a source, a result that is extended.
    Reference wide_result = 0;
    bool extends = false;
    for (size_t k = 0; k < count; ++k) {
        ScalarType type = first;
        switch (signature[k]) {
            case 'w':
                type = wide ? widened(first) : first;
                break;
            case '2':
                type = form_.type(1);
                break;
            case 'u':
                type = ScalarType::u32;
                break;
            case 'p':
                type = ScalarType::pred;
                break;
            default:
                break;
        }
        const bool wider = opcode == Opcode::cvt && operand(k).kind == ptx::Operand::Kind::reg &&
                           register_bytes(register_types_[operand(k).index]) == 8 && register_bytes(type) == 4;
        if (wider) check_register(operand(k).index, type);
        if (wider && k == 0) {
            extends = true;
            wide_result = operand(k).index;
            references[k] = scratch(type);
        } else if (wider) {
            references[k] = scratch(type);
            PendingInstruction& narrow = emit(select_conversion(ScalarType::u32, ScalarType::u64));
            define(narrow, 0, references[k]);
            use(narrow, 1, operand(k).index);
        } else {
            references[k] = k == 0 ? target(operand(k), type) : source(operand(k), type);
        }
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, references[0]);
    for (unsigned k = 1; k < count; ++k)
        use(instruction, k, references[k]);
    if ((opcode == Opcode::mad || opcode == Opcode::madc) && !is_float(first)) {
        instruction.code.aux = signed_carry ? 1 : 0;
    } else {
        instruction.code.aux = rounding_aux(form_);
    }
    if (extends) {
        begin_guard();
        PendingInstruction& extend =
            emit(select_conversion(ScalarType::u64, is_signed_integer(first) ? ScalarType::s32 : ScalarType::u32));
        define(extend, 0, wide_result);
        use(extend, 1, references[0]);
    }
}

Handlers FunctionDecoder::select_conversion(ScalarType to, ScalarType from) const {
    Form form;
    form.opcode = Opcode::cvt;
    form.types = {to, from};
    form.type_count = 2;
    return select(form);
}

void FunctionDecoder::decode_setp() {
    uint32_t aux = 0;
    Form form = form_;
    // The boolean operation comes after the comparison; both .and and a comparison never share a word here.
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    const bool combined = aux != 0;
    expect_operands(combined ? 4 : 3, combined ? 4 : 3);
    const ScalarType type = form.type(0);
    const Handlers handlers = select(form);
    const ptx::Operand& result = operand(0);
    Reference first = 0, second = 0;
    const bool of_pairs = type == ScalarType::f16x2 || type == ScalarType::bf16x2;
    if (of_pairs && result.kind != ptx::Operand::Kind::pair) invalid("a comparison of pairs gives two predicates, p|q");
    if (result.kind == ptx::Operand::Kind::pair) {
        if (type == ScalarType::f16 || type == ScalarType::bf16) invalid("a comparison of halves gives one predicate");
        first = target(result.elements[0], ScalarType::pred);
        second = target(result.elements[1], ScalarType::pred);
        aux |= 8;
    } else {
        first = target(result, ScalarType::pred);
    }
    const Reference a = source(operand(1), type);
    const Reference b = source(operand(2), type);
    Reference other = 0;
    if (combined) {
        bool negated = false;
        other = predicate_source(operand(3), negated);
        if (negated) aux |= 4;
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, first);
    if ((aux & 8) != 0) define(instruction, 1, second);
    use(instruction, 2, a);
    use(instruction, 3, b);
    if (combined) use(instruction, 4, other);
    instruction.code.aux = aux;
}

void FunctionDecoder::decode_set() {
    uint32_t aux = 0;
    Form form = form_;
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    expect_operands(aux != 0 ? 4 : 3, aux != 0 ? 4 : 3);
    const ScalarType result_type = form.type(0), type = form.type(1);
    const Handlers handlers = select(form);
    const Reference result = target(operand(0), result_type);
    const Reference a = source(operand(1), type);
    const Reference b = source(operand(2), type);
    Reference other = 0;
    if (aux != 0) {
        bool negated = false;
        other = predicate_source(operand(3), negated);
        if (negated) aux |= 4;
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, result);
    use(instruction, 2, a);
    use(instruction, 3, b);
    if ((aux & 3) != 0) use(instruction, 4, other);
    instruction.code.aux = aux;
    instruction.code.immediate = value_of_true(result_type);
}

// With .and or .or there is a predicate more: whether the result has a bit set, combined with the last operand.
void FunctionDecoder::decode_lop3() {
    Form form = form_;
    uint32_t combine = 0;
    if (form.take(Modifier::and_)) combine = 1;
    if (form.take(Modifier::or_)) combine = 2;
    const size_t count = combine != 0 ? 6 : 5;
    expect_operands(count, count);
    if (operand(4).kind != ptx::Operand::Kind::immediate || operand(4).bits > 255) {
        invalid("the look-up table must be a literal from 0 to 255");
    }
    const Handlers handlers = select(form);
    const bool two_results = operand(0).kind == ptx::Operand::Kind::pair;
    if (two_results != (combine != 0)) invalid("two results, d|p, go with .and or .or alone");
    const Reference d = target(two_results ? operand(0).elements[0] : operand(0), ScalarType::b32);
    std::array<Reference, 3> sources{};
    for (size_t k = 0; k < 3; ++k)
        sources[k] = source(operand(k + 1), ScalarType::b32);
    Reference flag = 0, other = 0;
    bool negated = false;
    if (combine != 0) {
        flag = target(operand(0).elements[1], ScalarType::pred);
        other = predicate_source(operand(5), negated);
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, d);
    for (unsigned k = 0; k < 3; ++k)
        use(instruction, k + 1, sources[k]);
    instruction.code.aux = static_cast<uint32_t>(operand(4).bits & 0xff);
    if (combine == 0) return;
    Form compare;
    compare.opcode = Opcode::setp;
    compare.types[compare.type_count++] = ScalarType::b32;
    compare.add(Modifier::ne);
    const Handlers compare_handlers = select(compare);
    const Reference zero = literal(0, 4);
    begin_guard();
    PendingInstruction& test = emit(compare_handlers);
    define(test, 0, flag);
    use(test, 2, d);
    use(test, 3, zero);
    use(test, 4, other);
    test.code.aux = combine | (negated ? 4 : 0);
}

void FunctionDecoder::decode_move() {
    expect_operands(2, 2);
    const ScalarType type = form_.type(0);
    const bool splits = operand(0).kind == ptx::Operand::Kind::vector;
    const bool joins = operand(1).kind == ptx::Operand::Kind::vector;
    if (!splits && !joins) {
        const Handlers handlers = select(form_);
        // A label's or function's address, a variable's, a register's: all are sources.
        const Reference from = source(operand(1), type);
        const Reference to = target(operand(0), type);
        begin_guard();
        PendingInstruction& instruction = emit(handlers);
        define(instruction, 0, to);
        use(instruction, 1, from);
        instruction.copies = true;
        return;
    }
    if (splits && joins) invalid("both operands are vectors");
    if (type != ScalarType::b16 && type != ScalarType::b32 && type != ScalarType::b64 && type != ScalarType::b128) {
        invalid("a move from or to parts has a type .b16, .b32, .b64 or .b128");
    }
    if (type == ScalarType::b128) return decode_wide_move(splits);
    const std::vector<ptx::Operand>& parts = operand(splits ? 0 : 1).elements;
    const uint32_t whole_bytes = ptx::size_of(type);
    if (parts.size() != 2 && parts.size() != 4) unsupported("a vector of " + std::to_string(parts.size()));
    const auto part_bytes = static_cast<uint32_t>(whole_bytes / parts.size());
    if (whole_bytes > 8 || part_bytes == 0 || part_bytes > 4) {
        unsupported("a move of " + std::to_string(whole_bytes * 8) + " bits from or to parts");
    }
    Form form = form_;
    form.add(splits ? Modifier::l : Modifier::r);
    const Handlers handlers = select(form);
    const ScalarType part_type = part_bytes == 1 ? ScalarType::b8 : part_bytes == 2 ? ScalarType::b16 : ScalarType::b32;
    std::array<Reference, 4> references{};
    for (size_t k = 0; k < parts.size(); ++k) {
        references[k] = splits ? target(parts[k], part_type) : source(parts[k], part_type);
    }
    const Reference whole = splits ? source(operand(1), type) : target(operand(0), type);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    instruction.code.aux = static_cast<uint32_t>(parts.size());
    instruction.code.immediate = part_bytes;
    for (unsigned k = 0; k < parts.size(); ++k) {
        if (splits)
            define(instruction, k, references[k]);
        else
            use(instruction, k + 1, references[k]);
    }
    if (splits)
        use(instruction, static_cast<unsigned>(parts.size()), whole);
    else
        define(instruction, 0, whole);
}

// mov.v4.u32 of a special register without a component, such as %tid: all four of it.
void FunctionDecoder::decode_vector_move() {
    expect_operands(2, 2);
    const ptx::Operand& from = operand(1);
    if (operand(0).kind != ptx::Operand::Kind::vector || operand(0).elements.size() != 4 ||
        from.kind != ptx::Operand::Kind::special_register) {
        invalid("expected a vector of four and a special register that is one");
    }
    Form move;
    move.opcode = Opcode::mov;
    move.types[move.type_count++] = ScalarType::u32;
    const Handlers handlers = select(move);
    constexpr std::array<std::string_view, 4> components = {".x", ".y", ".z", ".w"};
    for (size_t k = 0; k < components.size(); ++k) {
        const std::string name = std::string(from.name) + std::string(components[k]);
        ptx::Operand component = from;
        component.name = name;
        const Reference value = source(component, ScalarType::u32);
        const Reference result = target(operand(0).elements[k], ScalarType::u32);
        begin_guard();
        PendingInstruction& instruction = emit(handlers);
        define(instruction, 0, result);
        use(instruction, 1, value);
        instruction.copies = true;
    }
}

void FunctionDecoder::decode_cvta() {
    expect_operands(2, 2);
    if (form_.type(0) != ScalarType::u64) unsupported("only 64-bit addresses are simulated");
    const bool to = form_.has(Modifier::to);
    if (to && operand(1).kind == ptx::Operand::Kind::symbol)
        invalid("a variable's own address is not a generic address");
    if (operand(1).kind == ptx::Operand::Kind::symbol) window_of_address(operand(1));
    const Reference from = source(operand(1), ScalarType::u64);
    const Reference result = target(operand(0), ScalarType::u64);
    begin_guard();
    PendingInstruction& instruction = emit(context_.backend->control(Control::add_window));
    define(instruction, 0, result);
    use(instruction, 1, from);
    const uint64_t base = window_of_form();
    instruction.code.immediate = static_cast<int64_t>(to ? uint64_t{0} - base : base);
}

// Where the generic addresses of the state space begin that the instruction names; 0 for global and constant memory.
uint64_t FunctionDecoder::window_of_form() const {
    for (const Modifier space : {Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster}) {
        if (form_.has(space)) return window::shared;
    }
    return form_.has(Modifier::local) ? window::local : 0;
}

void FunctionDecoder::decode_isspacep() {
    expect_operands(2, 2);
    const bool parameters = form_.has(Modifier::param) || form_.has(Modifier::param_entry);
    const Reference result = target(operand(0), ScalarType::pred);
    const Reference address = source(operand(1), ScalarType::u64);
    begin_guard();
    PendingInstruction& instruction = emit(context_.backend->control(Control::is_space));
    define(instruction, 0, result);
    use(instruction, 1, address);
    instruction.code.immediate = static_cast<int64_t>(parameters ? window::parameters : window_of_form());
    instruction.code.aux = form_.has(Modifier::constant) ? 1 : 0;
}

// cvt.pack: `immediate` says how many bits each part gets.
void FunctionDecoder::decode_convert_pack() {
    const bool has_rest = form_.type_count == 3;
    expect_operands(has_rest ? 4 : 3, has_rest ? 4 : 3);
    const Handlers handlers = select(form_);
    const Reference a = source(operand(1), ScalarType::s32);
    const Reference b = source(operand(2), ScalarType::s32);
    const Reference c = has_rest ? source(operand(3), ScalarType::b32) : literal(0, 4);
    const Reference result = target(operand(0), ScalarType::b32);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, result);
    use(instruction, 1, a);
    use(instruction, 2, b);
    use(instruction, 3, c);
}

// Policies say what to keep in which cache: here they are a number that nobody looks at.
void FunctionDecoder::decode_create_policy() {
    Form move;
    move.opcode = Opcode::mov;
    move.types[move.type_count++] = ScalarType::b64;
    const Handlers handlers = select(move);
    if (form_.has(Modifier::fractional)) {
        expect_operands(1, 2);
        if (current_->operands.size() == 2) source(operand(1), ScalarType::f32);
    } else if (form_.has(Modifier::range)) {
        expect_operands(4, 4);
        check_address(operand(1));
        source(operand(2), ScalarType::u32);
        source(operand(3), ScalarType::u32);
    } else {
        expect_operands(2, 2);
        source(operand(1), ScalarType::u64);
    }
    const Reference value = literal(0, 8);
    const Reference result = target(operand(0), ScalarType::u64);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, result);
    use(instruction, 1, value);
}

}  // namespace cuprum::simulator
