// Decoding of cp.async and cp.async.bulk.
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// The state space that is named first, which of a copy is the destination's.
Modifier first_space(const FunctionDecoder& decoder) {
    for (const std::string_view word : decoder.instruction().modifiers) {
        Modifier modifier{};
        if (!find_modifier(word, modifier)) continue;
        for (const Modifier space :
             {Modifier::global, Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster}) {
            if (modifier == space) return space;
        }
    }
    decoder.invalid("expected a state space");
}

// cp.async.{ca,cg}.shared.global [to], [from], size {, source size | ignore} {, policy}
void decode_small_copy(FunctionDecoder& decoder, Form& form) {
    namespace aux_of = copy_aux;
    const bool bypasses = form.take(Modifier::cg);
    if (!bypasses && !form.take(Modifier::ca)) decoder.invalid("expected .ca or .cg");
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    if (!shared || !form.take(Modifier::global) || first_space(decoder) == Modifier::global)
        decoder.invalid("expected .shared.global");
    const bool policy = form.take(Modifier::cache_hint);
    form.take(Modifier::prefetch_size);
    decoder.expect_exhausted(form);
    decoder.expect_operands(3, 5);
    if (decoder.operand(2).kind != ptx::Operand::Kind::immediate) decoder.invalid("the size must be a number");
    const uint64_t size = decoder.operand(2).bits;
    if (size != 16 && (bypasses || (size != 4 && size != 8)))
        decoder.invalid("the size must be 4, 8 or 16, for .cg 16");
    bool to_narrow = false, from_narrow = false;
    const Reference to = decoder.address_value(decoder.operand(0), ptx::StateSpace::shared, to_narrow);
    const Reference from = decoder.address_value(decoder.operand(1), ptx::StateSpace::global, from_narrow);
    uint32_t aux = aux_of::copy | 1u << aux_of::shared_shift;
    if (to_narrow) aux |= 1u << aux_of::narrow_shift;
    if (from_narrow) decoder.invalid("a global address has 64 bits");
    Reference third = 0;
    const bool has_third = decoder.instruction().operands.size() - (policy ? 1 : 0) == 4;
    if (has_third) {
        const ptx::Operand& given = decoder.operand(3);
        const bool predicate =
            given.kind == ptx::Operand::Kind::reg && register_bytes(decoder.register_type(given.index)) == 0;
        if (predicate) {
            bool negated = false;
            third = decoder.predicate_source(given, negated);
            aux |= aux_of::ignores_source | (negated ? aux_of::negated : 0u);
        } else {
            third = decoder.source(given, ScalarType::u32);
            aux |= aux_of::partial_source;
        }
    }
    decoder.begin_guard();
    PendingInstruction& copy = decoder.emit(decoder.control(Control::asynchronous_copy));
    copy.code.aux = aux;
    copy.code.immediate = static_cast<int64_t>(size);
    copy.code.cache = decoder.next_cache();
    decoder.use(copy, 0, to);
    decoder.use(copy, 1, from);
    copy.decisive = 3;
    if (has_third) {
        decoder.use(copy, 2, third);
        copy.decisive |= 4;
    }
}

// cp.async.bulk.<to>.<from>.<completion> [to], [from], size {, [mbarrier]} {, policy}
void decode_bulk_copy(FunctionDecoder& decoder, Form& form) {
    namespace aux_of = copy_aux;
    const bool policy = form.take(Modifier::cache_hint);
    if (form.take(Modifier::prefetch_)) {
        // [from], size {, policy}: a hint
        form.take(Modifier::L2);
        form.take(Modifier::global);
        decoder.expect_exhausted(form);
        decoder.expect_operands(policy ? 3 : 2, policy ? 3 : 2);
        decoder.check_address(decoder.operand(0));
        decoder.source(decoder.operand(1), ScalarType::u32);
        decoder.emit_without_operands(Control::no_operation);
        return;
    }
    const bool counts = form.take(Modifier::complete_tx_bytes);
    const bool groups = form.take(Modifier::bulk_group);
    if (counts == groups) decoder.invalid("expected .mbarrier::complete_tx::bytes or .bulk_group");
    const bool global = form.take(Modifier::global);
    const bool cluster = form.take(Modifier::shared_cluster), block = form.take(Modifier::shared_cta);
    // Without clusters .shared::cluster is the block's own shared memory.
    if (!global && !(cluster && block)) decoder.invalid("expected two state spaces");
    const Modifier destination = first_space(decoder);
    if (groups != (destination == Modifier::global) || (cluster && destination != Modifier::shared_cluster)) {
        decoder.invalid("the first state space is where to: .shared with an mbarrier, .global with .bulk_group");
    }
    decoder.expect_exhausted(form);
    const size_t wanted = 3 + (counts ? 1 : 0) + (policy ? 1 : 0);
    decoder.expect_operands(wanted, wanted);
    bool to_narrow = false, from_narrow = false, barrier_narrow = false;
    const auto space = [](bool shared) { return shared ? ptx::StateSpace::shared : ptx::StateSpace::global; };
    const bool to_shared = counts, from_shared = !global || groups;
    const Reference to = decoder.address_value(decoder.operand(0), space(to_shared), to_narrow);
    const Reference from = decoder.address_value(decoder.operand(1), space(from_shared), from_narrow);
    const Reference bytes = decoder.source(decoder.operand(2), ScalarType::u32);
    const Reference barrier =
        counts ? decoder.address_value(decoder.operand(3), ptx::StateSpace::shared, barrier_narrow) : 0;
    uint32_t aux = aux_of::bulk | (to_narrow ? 1u : 0u) << aux_of::narrow_shift |
                   (from_narrow ? 2u : 0u) << aux_of::narrow_shift | (barrier_narrow ? 8u : 0u) << aux_of::narrow_shift;
    aux |= (to_shared ? 1u : 0u) << aux_of::shared_shift | (from_shared ? 2u : 0u) << aux_of::shared_shift |
           8u << aux_of::shared_shift;
    if (counts) aux |= aux_of::counts;
    decoder.begin_guard();
    PendingInstruction& copy = decoder.emit(decoder.control(Control::asynchronous_copy));
    copy.code.aux = aux;
    copy.code.cache = decoder.next_cache();
    decoder.use(copy, 0, to);
    decoder.use(copy, 1, from);
    decoder.use(copy, 2, bytes);
    copy.decisive = 7;
    if (counts) {
        decoder.use(copy, 3, barrier);
        copy.decisive |= 8;
    }
}

}  // namespace

void decode_asynchronous_copy(FunctionDecoder& decoder) {
    namespace aux_of = copy_aux;
    Form form = decoder.form();
    if (!form.take(Modifier::async)) decoder.unsupported("the instruction is not implemented");
    const bool bulk = form.take(Modifier::bulk);
    const auto number = [&](size_t index) {
        if (decoder.operand(index).kind != ptx::Operand::Kind::immediate) decoder.invalid("expected a number");
        return decoder.operand(index).bits;
    };
    const auto simple = [&](uint32_t operation, uint64_t immediate) {
        decoder.expect_exhausted(form);
        if (operation != aux_of::wait && operation != aux_of::bulk_wait) decoder.expect_operands(0, 0);
        const size_t mark = decoder.begin_branch_around();
        PendingInstruction& instruction = decoder.emit(decoder.control(Control::asynchronous_copy));
        instruction.code.aux = operation;
        instruction.code.immediate = static_cast<int64_t>(immediate);
        decoder.end_branch_around(mark);
    };
    if (form.take(Modifier::commit_group)) return simple(bulk ? aux_of::bulk_commit : aux_of::commit, 0);
    if (form.take(Modifier::wait_group)) {
        form.take(Modifier::read);
        decoder.expect_operands(1, 1);
        return simple(bulk ? aux_of::bulk_wait : aux_of::wait, number(0));
    }
    if (!bulk && form.take(Modifier::wait_all)) return simple(aux_of::wait_all, 0);
    if (form.take(Modifier::mbarrier)) {
        // The thread's copies are done here and now. Then it arrives: with .noinc as one of those that are expected,
        // without it as one more, which leaves the barrier as it was.
        const bool counts = form.take(Modifier::noinc);
        bool shared = form.take(Modifier::shared);
        shared |= form.take(Modifier::shared_cta);
        if (!form.take(Modifier::arrive) || form.take_type() != ScalarType::b64)
            decoder.invalid("expected .arrive and .b64");
        decoder.expect_exhausted(form);
        decoder.expect_operands(1, 1);
        bool narrow = false;
        const Reference address = decoder.address_value(decoder.operand(0), ptx::StateSpace::shared, narrow);
        shared |= decoder.operand(0).elements[0].kind == ptx::Operand::Kind::symbol;
        const size_t mark = decoder.begin_branch_around();
        decoder.emit(decoder.control(Control::asynchronous_copy)).code.aux = aux_of::wait_all;
        if (counts) {
            PendingInstruction& arrive = decoder.emit(decoder.control(Control::mbarrier));
            arrive.code.aux = mbarrier_aux::arrive | mbarrier_aux::discards |
                              (shared || narrow ? mbarrier_aux::shared : 0u) |
                              (narrow ? mbarrier_aux::narrow_address : 0u);
            decoder.use(arrive, 1, address);
            arrive.decisive = 1 << 1;
        }
        decoder.end_branch_around(mark);
        return;
    }
    bulk ? decode_bulk_copy(decoder, form) : decode_small_copy(decoder, form);
}

}  // namespace cuprum::simulator
