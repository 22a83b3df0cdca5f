// Decoding of cp.async.bulk and cp.reduce.async.bulk, st.async and red.async.
#include "engine/instructions/asynchronous/bulk.hpp"
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

BulkReduction take_reduction(Form& form) {
    using enum Modifier;
    for (const auto& [word, reduction] :
         {std::pair{add, BulkReduction::add}, std::pair{min, BulkReduction::minimum},
          std::pair{max, BulkReduction::maximum}, std::pair{inc, BulkReduction::increment},
          std::pair{dec, BulkReduction::decrement}, std::pair{and_, BulkReduction::bit_and},
          std::pair{or_, BulkReduction::bit_or}, std::pair{xor_, BulkReduction::bit_xor}}) {
        if (form.take(word)) return reduction;
    }
    return BulkReduction::none;
}

ReducedType reduced_type(const FunctionDecoder& decoder, ScalarType type) {
    switch (type) {
        case ScalarType::b32:
        case ScalarType::u32:
            return ReducedType::u32;
        case ScalarType::s32:
            return ReducedType::s32;
        case ScalarType::b64:
        case ScalarType::u64:
            return ReducedType::u64;
        case ScalarType::s64:
            return ReducedType::s64;
        case ScalarType::f16:
            return ReducedType::f16;
        case ScalarType::bf16:
            return ReducedType::bf16;
        case ScalarType::f32:
            return ReducedType::f32;
        case ScalarType::f64:
            return ReducedType::f64;
        default:
            decoder.invalid("no reduction has this type");
    }
}

}  // namespace

// The state space that is named first, which of a copy is the destination's.
Modifier first_space_of_copy(const FunctionDecoder& decoder) {
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

uint32_t take_bulk_reduction(Form& form) {
    return static_cast<uint32_t>(take_reduction(form)) << copy_aux::reduction_shift;
}

// cp{.reduce}.async.bulk.<to>.<from>.<completion> [to], [from], size {, [mbarrier]} {, blocks} {, policy}
void decode_bulk_copy(FunctionDecoder& decoder) {
    namespace aux_of = copy_aux;
    Form form = decoder.form();
    form.take(Modifier::async);
    form.take(Modifier::bulk);
    const bool reduces = form.take(Modifier::reduce);
    uint32_t reduction = 0;
    if (reduces) {
        reduction = take_bulk_reduction(form);
        reduction |= static_cast<uint32_t>(reduced_type(decoder, form.take_type())) << aux_of::type_shift;
        form.take(Modifier::noftz);
    }
    const bool multicasts = form.take(Modifier::multicast_cluster);
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
    const Modifier destination = first_space_of_copy(decoder);
    if (groups != (destination == Modifier::global) || (cluster && destination != Modifier::shared_cluster)) {
        decoder.invalid("the first state space is where to: .shared with an mbarrier, .global with .bulk_group");
    }
    decoder.expect_exhausted(form);
    const size_t wanted = 3u + (counts ? 1 : 0) + (multicasts ? 1 : 0) + (policy ? 1 : 0);
    decoder.expect_operands(wanted, wanted);
    bool to_narrow = false, from_narrow = false, barrier_narrow = false;
    const auto space = [](bool shared) { return shared ? ptx::StateSpace::shared : ptx::StateSpace::global; };
    const bool to_shared = counts, from_shared = !global || groups;
    const Reference to = decoder.address_value(decoder.operand(0), space(to_shared), to_narrow);
    const Reference from = decoder.address_value(decoder.operand(1), space(from_shared), from_narrow);
    if ((to_narrow && !to_shared) || (from_narrow && !from_shared)) decoder.unsupported_narrow_address();
    const Reference bytes = decoder.source(decoder.operand(2), ScalarType::u32);
    const Reference barrier =
        counts ? decoder.address_value(decoder.operand(3), ptx::StateSpace::shared, barrier_narrow) : 0;
    const Reference blocks = multicasts ? decoder.source(decoder.operand(4), ScalarType::u16) : 0;
    uint32_t aux = aux_of::bulk | reduction | (multicasts ? aux_of::multicasts : 0u) |
                   (to_narrow ? 1u : 0u) << aux_of::narrow_shift | (from_narrow ? 2u : 0u) << aux_of::narrow_shift |
                   (barrier_narrow ? 8u : 0u) << aux_of::narrow_shift;
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
    if (multicasts) {
        decoder.use(copy, 4, blocks);
        copy.decisive |= 16;
    }
}

// st.async and red.async: [to], values, [mbarrier]
void decode_remote_store(FunctionDecoder& decoder) {
    namespace aux_of = copy_aux;
    Form form = decoder.form();
    form.take(Modifier::async);
    form.take(Modifier::weak);
    form.take(Modifier::relaxed);
    form.take(Modifier::cluster);
    form.take(Modifier::complete_tx_bytes);
    const bool shared = form.take(Modifier::shared_cluster);
    const uint32_t count = form.take(Modifier::v4) ? 4 : form.take(Modifier::v2) ? 2 : 1;
    const ScalarType type = form.take_type();
    uint32_t aux = take_bulk_reduction(form);
    if (aux != 0) aux |= static_cast<uint32_t>(reduced_type(decoder, type)) << aux_of::type_shift;
    decoder.expect_exhausted(form);
    decoder.expect_operands(3, 3);
    const auto address = [&](size_t operand, unsigned slot) {
        bool narrow = false;
        const ptx::Operand& given = decoder.operand(operand);
        const Reference reference = decoder.address_value(given, ptx::StateSpace::shared, narrow);
        if (narrow) aux |= 1u << (aux_of::narrow_shift + slot);
        // A variable's address is one in shared memory, also where the instruction names no space.
        if (shared || narrow || given.elements[0].kind == ptx::Operand::Kind::symbol)
            aux |= 1u << (aux_of::shared_shift + slot);
        return reference;
    };
    const Reference to = address(0, 0), barrier = address(2, 1);
    const ptx::Operand& data = decoder.operand(1);
    const std::vector<ptx::Operand> parts = data.kind == ptx::Operand::Kind::vector ? data.elements : std::vector{data};
    if (parts.size() != count) decoder.invalid("the vector's length does not match the operand");
    const uint32_t size = ptx::size_of(type);
    std::vector<Reference> values;
    for (const ptx::Operand& part : parts) {
        const Reference value = decoder.source(part, type);
        if (decoder.row_bytes(value) != size) decoder.invalid("the registers must be as wide as the type");
        values.push_back(value);
    }
    decoder.begin_guard();
    PendingInstruction& store = decoder.emit(decoder.control(Control::remote_store));
    store.code.aux = aux;
    store.code.immediate = size;
    store.code.displacement = static_cast<int32_t>(count);
    store.code.cache = decoder.next_cache();
    decoder.use(store, 0, to);
    decoder.use(store, 1, barrier);
    for (unsigned k = 0; k < count; ++k)
        decoder.use(store, 2 + k, values[k]);
    store.decisive = 3;
}

}  // namespace cuprum::simulator
