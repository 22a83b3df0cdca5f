// Decoding of mbarrier, cp.async and cp.async.bulk.
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

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

void FunctionDecoder::decode_mbarrier() {
    namespace aux_of = mbarrier_aux;
    Form form = form_;
    uint32_t aux = 0;
    const bool cluster = form.take(Modifier::shared_cluster);
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    if (shared || cluster) aux |= aux_of::shared;
    for (const Modifier order :
         {Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::cta, Modifier::cluster}) {
        form.take(order);  // a block runs on one thread of the host: every order is kept
    }
    if (form.take_type() != ScalarType::b64) invalid("expected .b64");
    const auto finished = [&] {
        if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    };
    bool narrow = false;
    // A variable's address is one in shared memory, also where the instruction names no space.
    const auto barrier_address = [&](size_t index) {
        const Reference address = address_value(operand(index), ptx::StateSpace::shared, narrow);
        if (operand(index).elements[0].kind == ptx::Operand::Kind::symbol) aux |= aux_of::shared;
        return address;
    };
    const auto barrier_instruction = [&](Reference address) -> PendingInstruction& {
        PendingInstruction& instruction = emit(context_.backend->control(Control::mbarrier));
        instruction.code.aux = aux | (narrow ? aux_of::narrow_address | aux_of::shared : 0);
        use(instruction, 1, address);
        instruction.decisive = 1 << 1;
        return instruction;
    };
    if (form.take(Modifier::pending_count)) {
        finished();
        expect_operands(2, 2);
        const Reference count = target(operand(0), ScalarType::u32);
        const Reference state = source(operand(1), ScalarType::u64);
        const size_t mark = begin_branch_around();
        PendingInstruction& instruction = emit(context_.backend->control(Control::mbarrier));
        instruction.code.aux = aux_of::pending;
        define(instruction, 0, count);
        use(instruction, 2, state);
        end_branch_around(mark);
        return;
    }
    if (form.take(Modifier::inval)) {
        finished();
        expect_operands(1, 1);
        const Reference address = barrier_address(0);
        const size_t mark = begin_branch_around();
        barrier_instruction(address).code.aux |= aux_of::inval;
        end_branch_around(mark);
        return;
    }
    const bool test = form.take(Modifier::test_wait), attempt = form.take(Modifier::try_wait);
    if (test || attempt) {
        aux |= aux_of::wait | (attempt ? aux_of::suspends : 0u);
        const bool parity = form.take(Modifier::parity);
        if (parity) aux |= aux_of::parity;
        finished();
        expect_operands(3, attempt ? 4 : 3);  // the fourth: for how long it may be suspended
        const Reference over = target(operand(0), ScalarType::pred);
        const Reference address = barrier_address(1);
        const Reference phase = source(operand(2), parity ? ScalarType::u32 : ScalarType::u64);
        const size_t mark = begin_branch_around();
        PendingInstruction& instruction = barrier_instruction(address);
        define(instruction, 0, over);
        use(instruction, 2, phase);
        end_branch_around(mark);
        return;
    }
    const bool drop = form.take(Modifier::arrive_drop);
    if (drop || form.take(Modifier::arrive)) {
        aux |= aux_of::arrive | (drop ? aux_of::drops : 0u);
        const bool expects = form.take(Modifier::expect_tx);
        if (expects) aux |= aux_of::expects;
        const bool incomplete = form.take(Modifier::no_complete);
        if (incomplete) aux |= aux_of::incomplete;
        finished();
        expect_operands(expects || incomplete ? 3 : 2, 3);
        const bool discards = operand(0).kind == ptx::Operand::Kind::sink;
        if (cluster && !discards) invalid("of a barrier in .shared::cluster the state cannot be had");
        if (discards) aux |= aux_of::discards;
        const Reference state = discards ? 0 : target(operand(0), ScalarType::u64);
        const Reference address = barrier_address(1);
        const bool counted = current_->operands.size() == 3;
        if (counted && !expects && !incomplete && context_.target < 90) {
            invalid("an arrival of several without .noComplete needs .target sm_90");
        }
        const Reference count = counted ? source(operand(2), ScalarType::u32) : 0;
        if (counted && !expects) aux |= aux_of::counted;
        const size_t mark = begin_branch_around();
        PendingInstruction& instruction = barrier_instruction(address);
        if (!discards) define(instruction, 0, state);
        if (counted) use(instruction, 2, count);
        end_branch_around(mark);
        return;
    }
    if (form.take(Modifier::init)) {
        aux |= aux_of::init;
    } else if (form.take(Modifier::expect_tx)) {
        aux |= aux_of::expect;
    } else if (form.take(Modifier::complete_tx)) {
        aux |= aux_of::complete;
    } else {
        unsupported("this operation on an mbarrier is not implemented");
    }
    finished();
    expect_operands(2, 2);
    aux |= aux_of::counted;
    const Reference address = barrier_address(0);
    const Reference count = source(operand(1), ScalarType::u32);
    const size_t mark = begin_branch_around();
    use(barrier_instruction(address), 2, count);
    end_branch_around(mark);
}

void FunctionDecoder::decode_asynchronous_copy() {
    namespace aux_of = copy_aux;
    Form form = form_;
    if (!form.take(Modifier::async)) unsupported("the instruction is not implemented");
    const bool bulk = form.take(Modifier::bulk);
    const auto finished = [&] {
        if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    };
    const auto number = [&](size_t index) {
        if (operand(index).kind != ptx::Operand::Kind::immediate) invalid("expected a number");
        return operand(index).bits;
    };
    const auto simple = [&](uint32_t operation, uint64_t immediate) {
        finished();
        if (operation != aux_of::wait && operation != aux_of::bulk_wait) expect_operands(0, 0);
        const size_t mark = begin_branch_around();
        PendingInstruction& instruction = emit(context_.backend->control(Control::asynchronous_copy));
        instruction.code.aux = operation;
        instruction.code.immediate = static_cast<int64_t>(immediate);
        end_branch_around(mark);
    };
    if (form.take(Modifier::commit_group)) return simple(bulk ? aux_of::bulk_commit : aux_of::commit, 0);
    if (form.take(Modifier::wait_group)) {
        form.take(Modifier::read);
        expect_operands(1, 1);
        return simple(bulk ? aux_of::bulk_wait : aux_of::wait, number(0));
    }
    if (!bulk && form.take(Modifier::wait_all)) return simple(aux_of::wait_all, 0);
    if (form.take(Modifier::mbarrier)) {
        // The thread's copies are done here and now. Then it arrives: with .noinc as one of those that are expected,
        // without it as one more, which leaves the barrier as it was.
        const bool counts = form.take(Modifier::noinc);
        bool shared = form.take(Modifier::shared);
        shared |= form.take(Modifier::shared_cta);
        if (!form.take(Modifier::arrive) || form.take_type() != ScalarType::b64) invalid("expected .arrive and .b64");
        finished();
        expect_operands(1, 1);
        bool narrow = false;
        const Reference address = address_value(operand(0), ptx::StateSpace::shared, narrow);
        shared |= operand(0).elements[0].kind == ptx::Operand::Kind::symbol;
        const size_t mark = begin_branch_around();
        emit(context_.backend->control(Control::asynchronous_copy)).code.aux = aux_of::wait_all;
        if (counts) {
            PendingInstruction& arrive = emit(context_.backend->control(Control::mbarrier));
            arrive.code.aux = mbarrier_aux::arrive | mbarrier_aux::discards |
                              (shared || narrow ? mbarrier_aux::shared : 0u) |
                              (narrow ? mbarrier_aux::narrow_address : 0u);
            use(arrive, 1, address);
            arrive.decisive = 1 << 1;
        }
        end_branch_around(mark);
        return;
    }
    bulk ? decode_bulk_copy(form) : decode_small_copy(form);
}

// The state space that is named first, which of a copy is the destination's.
Modifier FunctionDecoder::first_space() const {
    for (const std::string_view word : current_->modifiers) {
        Modifier modifier{};
        if (!find_modifier(word, modifier)) continue;
        for (const Modifier space :
             {Modifier::global, Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster}) {
            if (modifier == space) return space;
        }
    }
    invalid("expected a state space");
}

// cp.async.{ca,cg}.shared.global [to], [from], size {, source size | ignore} {, policy}
void FunctionDecoder::decode_small_copy(Form& form) {
    namespace aux_of = copy_aux;
    const bool bypasses = form.take(Modifier::cg);
    if (!bypasses && !form.take(Modifier::ca)) invalid("expected .ca or .cg");
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    if (!shared || !form.take(Modifier::global) || first_space() == Modifier::global)
        invalid("expected .shared.global");
    const bool policy = form.take(Modifier::cache_hint);
    form.take(Modifier::prefetch_size);
    if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    expect_operands(3, 5);
    if (operand(2).kind != ptx::Operand::Kind::immediate) invalid("the size must be a number");
    const uint64_t size = operand(2).bits;
    if (size != 16 && (bypasses || (size != 4 && size != 8))) invalid("the size must be 4, 8 or 16, for .cg 16");
    bool to_narrow = false, from_narrow = false;
    const Reference to = address_value(operand(0), ptx::StateSpace::shared, to_narrow);
    const Reference from = address_value(operand(1), ptx::StateSpace::global, from_narrow);
    uint32_t aux = aux_of::copy | 1u << aux_of::shared_shift;
    if (to_narrow) aux |= 1u << aux_of::narrow_shift;
    if (from_narrow) invalid("a global address has 64 bits");
    Reference third = 0;
    const bool has_third = current_->operands.size() - (policy ? 1 : 0) == 4;
    if (has_third) {
        const ptx::Operand& given = operand(3);
        const bool predicate =
            given.kind == ptx::Operand::Kind::reg && register_bytes(register_types_[given.index]) == 0;
        if (predicate) {
            bool negated = false;
            third = predicate_source(given, negated);
            aux |= aux_of::ignores_source | (negated ? aux_of::negated : 0u);
        } else {
            third = source(given, ScalarType::u32);
            aux |= aux_of::partial_source;
        }
    }
    begin_guard();
    PendingInstruction& copy = emit(context_.backend->control(Control::asynchronous_copy));
    copy.code.aux = aux;
    copy.code.immediate = static_cast<int64_t>(size);
    copy.code.cache = out_.cache_end++;
    use(copy, 0, to);
    use(copy, 1, from);
    copy.decisive = 3;
    if (has_third) {
        use(copy, 2, third);
        copy.decisive |= 4;
    }
}

// cp.async.bulk.<to>.<from>.<completion> [to], [from], size {, [mbarrier]} {, policy}
void FunctionDecoder::decode_bulk_copy(Form& form) {
    namespace aux_of = copy_aux;
    const bool policy = form.take(Modifier::cache_hint);
    if (form.take(Modifier::prefetch_)) {
        // [from], size {, policy}: a hint
        form.take(Modifier::L2);
        form.take(Modifier::global);
        if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
        expect_operands(policy ? 3 : 2, policy ? 3 : 2);
        check_address(operand(0));
        source(operand(1), ScalarType::u32);
        const size_t mark = begin_branch_around();
        emit(context_.backend->control(Control::no_operation));
        end_branch_around(mark);
        return;
    }
    const bool counts = form.take(Modifier::complete_tx_bytes);
    const bool groups = form.take(Modifier::bulk_group);
    if (counts == groups) invalid("expected .mbarrier::complete_tx::bytes or .bulk_group");
    const bool global = form.take(Modifier::global);
    const bool cluster = form.take(Modifier::shared_cluster), block = form.take(Modifier::shared_cta);
    // Without clusters .shared::cluster is the block's own shared memory.
    if (!global && !(cluster && block)) invalid("expected two state spaces");
    const Modifier destination = first_space();
    if (groups != (destination == Modifier::global) || (cluster && destination != Modifier::shared_cluster)) {
        invalid("the first state space is where to: .shared with an mbarrier, .global with .bulk_group");
    }
    if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    const size_t wanted = 3 + (counts ? 1 : 0) + (policy ? 1 : 0);
    expect_operands(wanted, wanted);
    bool to_narrow = false, from_narrow = false, barrier_narrow = false;
    const auto space = [](bool shared) { return shared ? ptx::StateSpace::shared : ptx::StateSpace::global; };
    const bool to_shared = counts, from_shared = !global || groups;
    const Reference to = address_value(operand(0), space(to_shared), to_narrow);
    const Reference from = address_value(operand(1), space(from_shared), from_narrow);
    const Reference bytes = source(operand(2), ScalarType::u32);
    const Reference barrier = counts ? address_value(operand(3), ptx::StateSpace::shared, barrier_narrow) : 0;
    uint32_t aux = aux_of::bulk | (to_narrow ? 1u : 0u) << aux_of::narrow_shift |
                   (from_narrow ? 2u : 0u) << aux_of::narrow_shift | (barrier_narrow ? 8u : 0u) << aux_of::narrow_shift;
    aux |= (to_shared ? 1u : 0u) << aux_of::shared_shift | (from_shared ? 2u : 0u) << aux_of::shared_shift |
           8u << aux_of::shared_shift;
    if (counts) aux |= aux_of::counts;
    begin_guard();
    PendingInstruction& copy = emit(context_.backend->control(Control::asynchronous_copy));
    copy.code.aux = aux;
    copy.code.cache = out_.cache_end++;
    use(copy, 0, to);
    use(copy, 1, from);
    use(copy, 2, bytes);
    copy.decisive = 7;
    if (counts) {
        use(copy, 3, barrier);
        copy.decisive |= 8;
    }
}

}  // namespace cuprum::simulator
