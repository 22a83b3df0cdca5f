// Decoding of cp.async, and of what waits for copies.
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// cp.async.{ca,cg}.shared.global [to], [from], size {, source size | ignore} {, policy}
void decode_small_copy(FunctionDecoder& decoder, Form& form) {
    namespace aux_of = copy_aux;
    const bool bypasses = form.take(Modifier::cg);
    if (!bypasses && !form.take(Modifier::ca)) decoder.invalid("expected .ca or .cg");
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    if (!shared || !form.take(Modifier::global) || first_space_of_copy(decoder) == Modifier::global)
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
    if (from_narrow) aux |= 2u << aux_of::narrow_shift;
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

}  // namespace

void decode_asynchronous_copy(FunctionDecoder& decoder) {
    namespace aux_of = copy_aux;
    Form form = decoder.form();
    if (form.has(Modifier::tensor)) return decode_tensor_copy(decoder);
    if (form.has(Modifier::reduce)) return decode_bulk_copy(decoder);
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
    bulk ? decode_bulk_copy(decoder) : decode_small_copy(decoder, form);
}

}  // namespace cuprum::simulator
