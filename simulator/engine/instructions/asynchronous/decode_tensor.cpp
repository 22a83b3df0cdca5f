// Decoding of cp.async.bulk.tensor and its like, and of tensormap.
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/instructions/asynchronous/tensor_map_aux.hpp"
#include "engine/instructions/matrix/matrix.hpp"
#include "engine/memory/tensor_map.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

uint32_t take_rank(Form& form) {
    using enum Modifier;
    for (const auto& [word, rank] : {std::pair{line, 1u}, std::pair{plane, 2u}, std::pair{volume, 3u},
                                     std::pair{four_dimensions, 4u}, std::pair{five_dimensions, 5u}}) {
        if (form.take(word)) return rank;
    }
    return 0;
}

std::vector<Reference> numbers(FunctionDecoder& decoder, const ptx::Operand& operand, uint32_t count, ScalarType type,
                               const char* what) {
    const std::vector<ptx::Operand> parts =
        operand.kind == ptx::Operand::Kind::vector ? operand.elements : std::vector{operand};
    if (parts.size() != count) {
        decoder.invalid(std::string("expected ") + std::to_string(count) + " " + what + ", not " +
                        std::to_string(parts.size()));
    }
    std::vector<Reference> references;
    references.reserve(parts.size());
    for (const ptx::Operand& part : parts)
        references.push_back(decoder.source(part, type));
    return references;
}

// Onto the stage, from this row on: more of them than an instruction has operands.
void emit_numbers(FunctionDecoder& decoder, const std::vector<Reference>& values, uint32_t first_row) {
    if (values.empty()) return;
    PendingInstruction& move = decoder.emit(decoder.control(Control::to_stage));
    move.code.aux = static_cast<uint32_t>(values.size()) << matrix::count_shift;
    move.code.immediate = first_row * matrix::row_bytes;
    move.code.displacement = 4;
    for (unsigned k = 0; k < values.size(); ++k)
        decoder.use(move, k, values[k]);
    move.decisive = static_cast<uint8_t>((1u << values.size()) - 1);
}

// `[map, {coordinates}]`: a generic address.
const ptx::Operand& position_of(FunctionDecoder& decoder, size_t index) {
    const ptx::Operand& position = decoder.operand(index);
    if (position.kind != ptx::Operand::Kind::address || position.elements.size() != 2)
        decoder.invalid("expected a tensor map with coordinates");
    return position;
}

}  // namespace

// to shared memory: [box], [map, {coordinates}], [mbarrier] {, {offsets}} {, blocks} {, policy}
// from shared memory: [map, {coordinates}], [box] {, policy}
// prefetch: [map, {coordinates}] {, {offsets}} {, policy}
void decode_tensor_copy(FunctionDecoder& decoder) {
    namespace aux_of = copy_aux;
    Form form = decoder.form();
    for (const Modifier known :
         {Modifier::async, Modifier::bulk, Modifier::tensor, Modifier::reduce, Modifier::bulk_group, Modifier::global,
          Modifier::shared_cta, Modifier::shared_cluster, Modifier::tile, Modifier::L2}) {
        form.take(known);
    }
    const bool policy = form.take(Modifier::cache_hint), hints = form.take(Modifier::prefetch_);
    const bool loads = form.take(Modifier::complete_tx_bytes), multicasts = form.take(Modifier::multicast_cluster);
    const bool has_offsets = form.take(Modifier::im2col),
               pixels = has_offsets || form.take(Modifier::im2col_no_offsets);
    const uint32_t rank = take_rank(form);
    uint32_t aux = take_bulk_reduction(form);
    decoder.expect_exhausted(form);
    if (!hints) {
        const bool from_shared = first_space_of_copy(decoder) == Modifier::global;
        if (from_shared == loads) decoder.invalid("the first state space is where to: .shared with an mbarrier");
    }
    const size_t wanted = (hints   ? 1u
                           : loads ? 3u
                                   : 2u) +
                          (has_offsets ? 1 : 0) + (multicasts ? 1 : 0) + (policy ? 1 : 0);
    decoder.expect_operands(wanted, wanted);
    aux |= rank << aux_of::rank_shift | (loads ? aux_of::counts : 0u) | (multicasts ? aux_of::multicasts : 0u) |
           (pixels ? aux_of::gathers : 0u);
    const ptx::Operand& position = position_of(decoder, loads ? 1 : 0);
    const std::vector<Reference> coordinates =
        numbers(decoder, position.elements[1], rank, ScalarType::s32, "coordinates");
    size_t next = hints ? 1 : loads ? 3 : 2;
    const std::vector<Reference> offsets =
        has_offsets ? numbers(decoder, decoder.operand(next++), rank - 2, ScalarType::u16, "offsets")
                    : std::vector<Reference>{};
    const Reference blocks = multicasts ? decoder.source(decoder.operand(next++), ScalarType::u16) : 0;
    if (policy) decoder.source(decoder.operand(next), ScalarType::b64);
    const auto address = [&](const ptx::Operand& operand, ptx::StateSpace space, unsigned slot) {
        bool narrow = false;
        const Reference reference = decoder.address_value(operand, space, narrow);
        if (narrow && space != ptx::StateSpace::shared) decoder.unsupported_narrow_address();
        if (narrow) aux |= 1u << (aux_of::narrow_shift + slot);
        if (space == ptx::StateSpace::shared) aux |= 1u << (aux_of::shared_shift + slot);
        return reference;
    };
    const Reference map = address(position, ptx::StateSpace::global, 1);
    if (hints) return decoder.emit_without_operands(Control::no_operation);
    const Reference box = address(decoder.operand(loads ? 0 : 1), ptx::StateSpace::shared, 0);
    const Reference barrier = loads ? address(decoder.operand(2), ptx::StateSpace::shared, 3) : 0;
    const size_t mark = decoder.begin_branch_around();
    emit_numbers(decoder, coordinates, 0);
    emit_numbers(decoder, offsets, TensorMap::max_rank);
    PendingInstruction& copy = decoder.emit(decoder.control(Control::tensor_copy));
    copy.code.aux = aux;
    copy.code.cache = decoder.next_cache();
    decoder.use(copy, 0, box);
    decoder.use(copy, 1, map);
    copy.decisive = 3;
    if (loads) {
        decoder.use(copy, 3, barrier);
        copy.decisive |= 8;
    }
    if (multicasts) {
        decoder.use(copy, 4, blocks);
        copy.decisive |= 16;
    }
    decoder.end_branch_around(mark);
}

void decode_tensor_map_prefetch(FunctionDecoder& decoder) {
    decoder.expect_operands(1, 1);
    decoder.check_address(decoder.operand(0));
    decoder.emit_without_operands(Control::no_operation);
}

void decode_tensor_map(FunctionDecoder& decoder) {
    namespace aux_of = tensor_map_aux;
    const Form& form = decoder.form();
    const auto address = [&](size_t index, bool shared, unsigned slot, uint32_t& aux) {
        bool narrow = false;
        const ptx::StateSpace space = shared ? ptx::StateSpace::shared : ptx::StateSpace::global;
        const Reference reference = decoder.address_value(decoder.operand(index), space, narrow);
        if (narrow && !shared && form.has(Modifier::cp_fenceproxy)) decoder.unsupported_narrow_address();
        if (narrow) aux |= 1u << (copy_aux::narrow_shift + slot);
        if (shared) aux |= 1u << (copy_aux::shared_shift + slot);
        return reference;
    };
    uint32_t aux = 0;
    if (form.has(Modifier::cp_fenceproxy)) {
        decoder.expect_operands(3, 3);
        if (decoder.operand(2).kind != ptx::Operand::Kind::immediate || decoder.operand(2).bits != 128)
            decoder.invalid("the size must be 128");
        aux = aux_of::copies;
        const Reference to = address(0, false, 0, aux), from = address(1, true, 1, aux);
        const size_t mark = decoder.begin_branch_around();
        PendingInstruction& copy = decoder.emit(decoder.control(Control::tensor_map_update));
        copy.code.aux = aux;
        copy.code.cache = decoder.next_cache();
        decoder.use(copy, 0, to);
        decoder.use(copy, 1, from);
        copy.decisive = 3;
        decoder.end_branch_around(mark);
        return;
    }
    aux_of::Field field = aux_of::global_address;
    for (const auto& [word, meant] :
         {std::pair{Modifier::global_address, aux_of::global_address}, std::pair{Modifier::rank, aux_of::rank},
          std::pair{Modifier::box_dim, aux_of::box_dim}, std::pair{Modifier::global_dim, aux_of::global_dim},
          std::pair{Modifier::global_stride, aux_of::global_stride},
          std::pair{Modifier::element_stride, aux_of::element_stride}, std::pair{Modifier::elemtype, aux_of::elemtype},
          std::pair{Modifier::interleave_layout, aux_of::interleave_layout},
          std::pair{Modifier::swizzle_mode, aux_of::swizzle_mode}, std::pair{Modifier::fill_mode, aux_of::fill_mode}}) {
        if (form.has(word)) field = meant;
    }
    const bool of_dimension = field >= aux_of::box_dim && field <= aux_of::element_stride;
    decoder.expect_operands(of_dimension ? 3 : 2, of_dimension ? 3 : 2);
    if (of_dimension &&
        (decoder.operand(1).kind != ptx::Operand::Kind::immediate || decoder.operand(1).bits >= TensorMap::max_rank)) {
        decoder.invalid("the dimension must be a number from 0 to 4");
    }
    const ptx::Operand& given = decoder.operand(of_dimension ? 2 : 1);
    if (field >= aux_of::elemtype && given.kind != ptx::Operand::Kind::immediate)
        decoder.invalid("the new value must be a number");
    const Reference value = decoder.source(given, form.type(0));
    aux = field << aux_of::field_shift;
    const Reference map = address(0, form.has(Modifier::shared_cta), 0, aux);
    decoder.begin_guard();
    PendingInstruction& replace = decoder.emit(decoder.control(Control::tensor_map_update));
    replace.code.aux = aux;
    replace.code.immediate = of_dimension ? static_cast<int64_t>(decoder.operand(1).bits) : 0;
    replace.code.cache = decoder.next_cache();
    decoder.use(replace, 0, map);
    decoder.use(replace, 3, value);
    replace.decisive = 9;
}

}  // namespace cuprum::simulator
