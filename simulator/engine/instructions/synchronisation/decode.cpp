// Decoding of barriers of the block and of fences.
#include "engine/instructions/synchronisation/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

namespace {

// What an arrival publishes is seen at once, by whoever has waited for it: release, acquire and relaxed are the same
// here. Lanes arrive and wait one by one, so .aligned asks for nothing more.
void decode_cluster_barrier(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    const size_t mark = decoder.begin_branch_around();
    PendingInstruction& barrier = decoder.emit(decoder.control(Control::cluster_barrier));
    if (decoder.form().has(Modifier::arrive)) barrier.code.aux = cluster_aux::arrive;
    decoder.end_branch_around(mark);
}

}  // namespace

void decode_barrier(FunctionDecoder& decoder) {
    Form form = decoder.form();
    if (form.has(Modifier::cluster)) return decode_cluster_barrier(decoder);
    form.take(Modifier::cta);
    uint32_t aux = 0;
    if (decoder.form().opcode == Opcode::bar || form.has(Modifier::aligned)) aux |= barrier_aux::aligned;
    form.take(Modifier::aligned);
    const bool arrives = form.take(Modifier::arrive);
    const bool reduces = form.take(Modifier::red);
    if (arrives) aux |= barrier_aux::arrive;
    if (!arrives && !reduces && !form.take(Modifier::sync)) decoder.invalid("expected .sync, .arrive or .red");
    ScalarType result_type = ScalarType::none;
    if (reduces) {
        if (form.take(Modifier::popc))
            aux |= barrier_aux::popc;
        else if (form.take(Modifier::and_))
            aux |= barrier_aux::all;
        else if (form.take(Modifier::or_))
            aux |= barrier_aux::any;
        else
            decoder.invalid("expected .popc, .and or .or");
        result_type = form.take_type();
    }
    decoder.expect_exhausted(form);
    size_t next = 0;
    const size_t mark = decoder.begin_branch_around();
    Reference result = 0, predicate = 0;
    if (reduces) result = decoder.target(decoder.operand(next++), result_type);
    if (decoder.operand(next).kind == ptx::Operand::Kind::immediate && decoder.operand(next).bits > 15) {
        decoder.invalid("barriers have numbers from 0 to 15");
    }
    const ptx::Operand& number = decoder.operand(next++);
    const Reference id = decoder.source(number, ScalarType::u32);
    Reference count = 0;
    const size_t left = decoder.instruction().operands.size() - next - (reduces ? 1 : 0);
    if (left == 1) {
        if (decoder.operand(next).kind == ptx::Operand::Kind::immediate && decoder.operand(next).bits % 32 != 0) {
            decoder.invalid("the number of threads at a barrier must be a multiple of 32");
        }
        count = decoder.source(decoder.operand(next++), ScalarType::u32);
        aux |= barrier_aux::counted;
    } else if (left != 0) {
        decoder.invalid("unexpected number of operands");
    } else if (arrives) {
        decoder.invalid("bar.arrive needs the number of threads");
    }
    if (reduces) {
        bool negated = false;
        predicate = decoder.predicate_source(decoder.operand(next++), negated);
        if (negated) aux |= barrier_aux::negated;
    }
    PendingInstruction& barrier = decoder.emit(decoder.control(Control::block_barrier));
    barrier.code.aux = aux;
    if (reduces) {
        // A parked warp writes its result later: until then it holds the old value.
        decoder.define(barrier, 0, result);
        decoder.use(barrier, 3, predicate);
    }
    decoder.use(barrier, 1, id);
    if (number.kind == ptx::Operand::Kind::immediate) {
        barrier.code.aux |= barrier_aux::literal_id;
        barrier.code.immediate = static_cast<int64_t>(number.bits);
    }
    if ((aux & barrier_aux::counted) != 0) decoder.use(barrier, 2, count);
    decoder.end_branch_around(mark);
}

void decode_fence(FunctionDecoder& decoder) {
    Form form = decoder.form();
    // Of a tensor map: which one is acquired.
    const bool names_map = form.has(Modifier::tensormap_generic) && form.has(Modifier::acquire);
    decoder.expect_operands(names_map ? 2 : 0, names_map ? 2 : 0);
    if (names_map) {
        decoder.check_address(decoder.operand(0));
        if (decoder.operand(1).kind != ptx::Operand::Kind::immediate || decoder.operand(1).bits != 128)
            decoder.invalid("the size must be 128");
    }
    // Memory has one proxy here, and what initialises an mbarrier is seen at once: those fences have nothing to do.
    // Fences of a cluster are kept as those of the device.
    const bool nothing = form.take(Modifier::proxy) || form.take(Modifier::mbarrier_init);
    if (nothing) {
        for (const Modifier known :
             {Modifier::alias, Modifier::async, Modifier::global, Modifier::shared_cta, Modifier::shared_cluster,
              Modifier::release, Modifier::tensormap_generic, Modifier::async_generic}) {
            form.take(known);
        }
    }
    form.take(Modifier::restrict_to_block);
    form.take(Modifier::restrict_to_cluster);
    form.take(Modifier::cluster);
    const bool block_only = form.take(Modifier::cta);
    for (const Modifier known : {Modifier::gl, Modifier::sys, Modifier::gpu, Modifier::sc, Modifier::acq_rel,
                                 Modifier::acquire, Modifier::release}) {
        form.take(known);
    }
    decoder.expect_exhausted(form);
    if (decoder.checks().races && !nothing && !block_only) decoder.emit_without_operands(Control::note_fence);
    decoder.emit_without_operands(nothing ? Control::no_operation : block_only ? Control::fence_block : Control::fence);
}

}  // namespace cuprum::simulator
