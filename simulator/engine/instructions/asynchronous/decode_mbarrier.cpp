// Decoding of mbarrier.
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

void decode_mbarrier(FunctionDecoder& decoder) {
    namespace aux_of = mbarrier_aux;
    Form form = decoder.form();
    uint32_t aux = 0;
    const bool cluster = form.take(Modifier::shared_cluster);
    bool shared = form.take(Modifier::shared);
    shared |= form.take(Modifier::shared_cta);
    if (shared || cluster) aux |= aux_of::shared;
    for (const Modifier order :
         {Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::cta, Modifier::cluster}) {
        form.take(order);  // a block runs on one thread of the host: every order is kept
    }
    if (form.take_type() != ScalarType::b64) decoder.invalid("expected .b64");
    bool narrow = false;
    // A variable's address is one in shared memory, also where the instruction names no space.
    const auto barrier_address = [&](size_t index) {
        const Reference address = decoder.address_value(decoder.operand(index), ptx::StateSpace::shared, narrow);
        if (decoder.operand(index).elements[0].kind == ptx::Operand::Kind::symbol) aux |= aux_of::shared;
        if (narrow && (aux & aux_of::shared) == 0) decoder.invalid_narrow_address();
        return address;
    };
    const auto barrier_instruction = [&](Reference address) -> PendingInstruction& {
        PendingInstruction& instruction = decoder.emit(decoder.control(Control::mbarrier));
        instruction.code.aux = aux | (narrow ? aux_of::narrow_address : 0);
        decoder.use(instruction, 1, address);
        instruction.decisive = 1 << 1;
        return instruction;
    };
    if (form.take(Modifier::pending_count)) {
        decoder.expect_exhausted(form);
        decoder.expect_operands(2, 2);
        const Reference count = decoder.target(decoder.operand(0), ScalarType::u32);
        const Reference state = decoder.source(decoder.operand(1), ScalarType::u64);
        const size_t mark = decoder.begin_branch_around();
        PendingInstruction& instruction = decoder.emit(decoder.control(Control::mbarrier));
        instruction.code.aux = aux_of::pending;
        decoder.define(instruction, 0, count);
        decoder.use(instruction, 2, state);
        decoder.end_branch_around(mark);
        return;
    }
    if (form.take(Modifier::inval)) {
        decoder.expect_exhausted(form);
        decoder.expect_operands(1, 1);
        const Reference address = barrier_address(0);
        const size_t mark = decoder.begin_branch_around();
        barrier_instruction(address).code.aux |= aux_of::inval;
        decoder.end_branch_around(mark);
        return;
    }
    const bool test = form.take(Modifier::test_wait), attempt = form.take(Modifier::try_wait);
    if (test || attempt) {
        aux |= aux_of::wait | (attempt ? aux_of::suspends : 0u);
        const bool parity = form.take(Modifier::parity);
        if (parity) aux |= aux_of::parity;
        decoder.expect_exhausted(form);
        decoder.expect_operands(3, attempt ? 4 : 3);  // the fourth: for how long it may be suspended
        const Reference over = decoder.target(decoder.operand(0), ScalarType::pred);
        const Reference address = barrier_address(1);
        const Reference phase = decoder.source(decoder.operand(2), parity ? ScalarType::u32 : ScalarType::u64);
        const size_t mark = decoder.begin_branch_around();
        PendingInstruction& instruction = barrier_instruction(address);
        decoder.define(instruction, 0, over);
        decoder.use(instruction, 2, phase);
        decoder.end_branch_around(mark);
        return;
    }
    const bool drop = form.take(Modifier::arrive_drop);
    if (drop || form.take(Modifier::arrive)) {
        aux |= aux_of::arrive | (drop ? aux_of::drops : 0u);
        const bool expects = form.take(Modifier::expect_tx);
        if (expects) aux |= aux_of::expects;
        const bool incomplete = form.take(Modifier::no_complete);
        if (incomplete) aux |= aux_of::incomplete;
        decoder.expect_exhausted(form);
        decoder.expect_operands(expects || incomplete ? 3 : 2, 3);
        const bool discards = decoder.operand(0).kind == ptx::Operand::Kind::sink;
        if (cluster && !discards) decoder.invalid("of a barrier in .shared::cluster the state cannot be had");
        if (discards) aux |= aux_of::discards;
        const Reference state = discards ? 0 : decoder.target(decoder.operand(0), ScalarType::u64);
        const Reference address = barrier_address(1);
        const bool counted = decoder.instruction().operands.size() == 3;
        if (counted && !expects && !incomplete && decoder.target_architecture() < 90) {
            decoder.invalid("an arrival of several without .noComplete needs .target sm_90");
        }
        const Reference count = counted ? decoder.source(decoder.operand(2), ScalarType::u32) : 0;
        if (counted && !expects) aux |= aux_of::counted;
        const size_t mark = decoder.begin_branch_around();
        PendingInstruction& instruction = barrier_instruction(address);
        if (!discards) decoder.define(instruction, 0, state);
        if (counted) decoder.use(instruction, 2, count);
        decoder.end_branch_around(mark);
        return;
    }
    if (form.take(Modifier::init)) {
        aux |= aux_of::init;
    } else if (form.take(Modifier::expect_tx)) {
        aux |= aux_of::expect;
    } else if (form.take(Modifier::complete_tx)) {
        aux |= aux_of::complete;
    } else {
        decoder.unsupported("this operation on an mbarrier is not implemented");
    }
    decoder.expect_exhausted(form);
    decoder.expect_operands(2, 2);
    aux |= aux_of::counted;
    const Reference address = barrier_address(0);
    const Reference count = decoder.source(decoder.operand(1), ScalarType::u32);
    const size_t mark = decoder.begin_branch_around();
    decoder.use(barrier_instruction(address), 2, count);
    decoder.end_branch_around(mark);
}

}  // namespace cuprum::simulator
