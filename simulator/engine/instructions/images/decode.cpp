// Decoding of instructions on images.
#include "engine/instructions/images/decode.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include "engine/instructions/images/images.hpp"
#include "engine/instructions/matrix/matrix.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

using images::Geometry;

Geometry geometry_of(const FunctionDecoder& decoder) {
    using enum Modifier;
    for (const auto& [word, geometry] :
         {std::pair{line, Geometry::line}, std::pair{plane, Geometry::plane}, std::pair{volume, Geometry::volume},
          std::pair{lines, Geometry::lines}, std::pair{planes, Geometry::planes}, std::pair{cube, Geometry::cube},
          std::pair{cubes, Geometry::cubes}}) {
        if (decoder.form().has(word)) return geometry;
    }
    decoder.invalid("expected a geometry, as .2d");
}

// An operand's registers or numbers: in braces, or one alone.
std::vector<ptx::Operand> parts_of(const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::vector ? operand.elements : std::vector{operand};
}

constexpr uint32_t rows_at_once = 4;

// Puts operands of one width on the stage, from `row` on.
void emit_to_stage(FunctionDecoder& decoder, uint32_t row, std::span<const Reference> references) {
    for (size_t first = 0; first < references.size(); first += rows_at_once) {
        const size_t count = std::min<size_t>(rows_at_once, references.size() - first);
        PendingInstruction& move = decoder.emit(decoder.control(Control::to_stage));
        move.code.aux = static_cast<uint32_t>(count) << matrix::count_shift;
        move.code.immediate = static_cast<int64_t>((row + first) * matrix::row_bytes);
        move.code.displacement = static_cast<int32_t>(decoder.row_bytes(references[first]));
        for (unsigned k = 0; k < count; ++k)
            decoder.use(move, k, references[first + k]);
    }
}

std::vector<Reference> sources(FunctionDecoder& decoder, std::span<const ptx::Operand> parts, ScalarType type) {
    std::vector<Reference> references;
    for (const ptx::Operand& part : parts)
        references.push_back(decoder.source(part, type));
    return references;
}

// The first `needed` of an operand's parts; in the text there may be more, since vectors have 1, 2 or 4.
std::vector<ptx::Operand> parts_of(const FunctionDecoder& decoder, const ptx::Operand& operand, uint32_t needed,
                                   const char* what) {
    std::vector<ptx::Operand> parts = parts_of(operand);
    const bool sized = parts.size() == std::bit_ceil(needed) || parts.size() == 4;
    if (!sized || parts.size() < needed) {
        decoder.invalid("expected " + std::to_string(std::bit_ceil(needed)) + " " + what + ", found " +
                        std::to_string(parts.size()));
    }
    parts.resize(needed);
    return parts;
}

// `[handle, {coordinates}]`: puts the coordinates on the stage and gives the handle.
Reference take_image(FunctionDecoder& decoder, const ptx::Operand& operand, Geometry geometry, ScalarType type) {
    if (operand.kind != ptx::Operand::Kind::address || operand.elements.size() < 2)
        decoder.invalid("expected an image and coordinates in brackets");
    if (operand.elements.size() > 2) decoder.unsupported("samplers apart from textures are not simulated");
    if (operand.elements[0].kind != ptx::Operand::Kind::reg || operand.offset != 0)
        decoder.unsupported("an image must be named by a handle in a register");
    const bool layered = images::is_layered(geometry);
    const uint32_t needed = images::dimensions_of(geometry) + (layered ? 1 : 0);
    const std::vector<ptx::Operand> parts = parts_of(decoder, operand.elements[1], needed, "coordinates");
    std::vector<Reference> references;
    references.reserve(parts.size());
    for (size_t k = 0; k < parts.size(); ++k)
        references.push_back(decoder.source(parts[k], layered && k == 0 ? ScalarType::u32 : type));
    emit_to_stage(decoder, images::coordinates, references);
    return decoder.source(operand.elements[0], ScalarType::u64);
}

void take_gradient(FunctionDecoder& decoder, size_t index, Geometry geometry, images::Row row) {
    const std::vector<ptx::Operand> parts =
        parts_of(decoder, decoder.operand(index), images::dimensions_of(geometry), "parts of a gradient");
    emit_to_stage(decoder, row, sources(decoder, parts, ScalarType::f32));
}

bool is_depth_value(const FunctionDecoder& decoder, const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::immediate_f32) return true;
    return operand.kind == ptx::Operand::Kind::reg && decoder.register_type(operand.index) == ScalarType::f32;
}

// What may come last: offsets of texels. (And a depth to compare with, which is not simulated.)
uint32_t take_offsets(FunctionDecoder& decoder, size_t index, Geometry geometry) {
    if (decoder.instruction().operands.size() <= index) return 0;
    const ptx::Operand& operand = decoder.operand(index);
    if (decoder.instruction().operands.size() > index + 1 ||
        (operand.kind != ptx::Operand::Kind::vector && is_depth_value(decoder, operand)))
        decoder.unsupported("comparison of depths is not simulated");
    if (images::is_cube(geometry)) decoder.invalid("cubes take no offsets");
    const std::vector<ptx::Operand> parts =
        parts_of(decoder, operand, images::dimensions_of(geometry), "offsets of texels");
    emit_to_stage(decoder, images::texel_offsets, sources(decoder, parts, ScalarType::s32));
    return images::fetch::offsets;
}

uint32_t component_of(const Form& form) {
    using enum Modifier;
    return form.has(r) ? 0u : form.has(green) ? 1u : form.has(matrix_b) ? 2u : 3u;
}

// A guard is for the one instruction that follows; what is put on the stage does no harm without it.
PendingInstruction& emit_guarded(FunctionDecoder& decoder, Control control, Reference handle, uint32_t aux) {
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(decoder.control(control));
    instruction.code.aux = aux;
    decoder.use(instruction, images::handle_operand, handle);
    instruction.decisive = 1 << images::handle_operand;
    return instruction;
}

uint32_t vector_length(const Form& form) {
    return form.has(Modifier::v4) ? 4 : form.has(Modifier::v2) ? 2 : 1;
}

// Registers of one width, though perhaps wider than `type`.
void require_one_width(const FunctionDecoder& decoder, std::span<const Reference> references) {
    for (const Reference reference : references) {
        if (decoder.row_bytes(reference) != decoder.row_bytes(references.front()))
            decoder.invalid("the registers of a vector must be of one size");
    }
}

std::optional<images::Property> property_of(const Form& form) {
    using images::Property;
    using enum Modifier;
    for (const auto& [word, property] :
         {std::pair{width, Property::width}, std::pair{height, Property::height}, std::pair{depth, Property::depth},
          std::pair{array_size, Property::array_size}, std::pair{num_mipmap_levels, Property::levels},
          std::pair{num_samples, Property::samples}, std::pair{normalized_coords, Property::normalised}}) {
        if (form.has(word)) return property;
    }
    return std::nullopt;
}

}  // namespace

void decode_texture_fetch(FunctionDecoder& decoder) {
    namespace fetch = images::fetch;
    const Form form = decoder.form();
    const Geometry geometry = geometry_of(decoder);
    uint32_t aux = static_cast<uint32_t>(geometry);
    ptx::Operand result = decoder.operand(0);
    std::optional<Reference> residency;
    if (result.kind == ptx::Operand::Kind::pair) {
        residency = decoder.target(result.elements[1], ScalarType::pred);
        result = ptx::Operand(result.elements[0]);
        aux |= fetch::has_residency;
    }
    const ScalarType type = form.type(0);
    const ScalarType held = type == ScalarType::f16x2 ? ScalarType::b32
                            : type == ScalarType::f16 ? ScalarType::b16
                                                      : type;
    if (type == ScalarType::f16 || type == ScalarType::f16x2) aux |= fetch::halves;
    if (type == ScalarType::f16x2) aux |= fetch::pairs_of_halves;
    const std::vector<ptx::Operand> parts = parts_of(result);
    if (parts.size() != vector_length(form)) decoder.invalid("the vector's length does not match the operand");
    const bool integer = form.type(1) == ScalarType::s32;
    if (integer) aux |= fetch::integer_coordinates;
    const Reference handle =
        take_image(decoder, decoder.operand(1), geometry, integer ? ScalarType::s32 : ScalarType::f32);
    size_t next = 2;
    if (form.has(Modifier::level)) {
        aux |= fetch::level | (integer ? fetch::integer_level : 0u);
        const Reference detail = decoder.source(decoder.operand(next++), integer ? ScalarType::s32 : ScalarType::f32);
        emit_to_stage(decoder, images::detail, std::span(&detail, 1));
    } else if (form.has(Modifier::grad)) {
        aux |= fetch::gradient;
        take_gradient(decoder, next++, geometry, images::gradient_x);
        take_gradient(decoder, next++, geometry, images::gradient_y);
    }
    if (form.opcode == Opcode::tld4) aux |= fetch::gather | component_of(form) << fetch::component_shift;
    aux |= take_offsets(decoder, next, geometry);
    std::vector<Reference> results;
    results.reserve(parts.size());
    for (const ptx::Operand& part : parts)
        results.push_back(decoder.target(part, held));
    PendingInstruction& access = emit_guarded(decoder, Control::texture_fetch, handle, aux);
    for (unsigned k = 0; k < results.size(); ++k)
        decoder.define(access, k, results[k]);
    if (residency) decoder.define(access, images::residency_operand, *residency);
}

void decode_surface_access(FunctionDecoder& decoder) {
    namespace access = images::access;
    const Form form = decoder.form();
    const Geometry geometry = geometry_of(decoder);
    const bool loads = form.opcode == Opcode::suld, reduces = form.opcode == Opcode::sured;
    decoder.expect_operands(2, 2);
    const ScalarType type = form.type(0);
    const uint32_t count = vector_length(form), bytes = ptx::size_of(type);
    if (count * bytes > 16) decoder.invalid("a vector has at most 128 bits");
    const Reference handle = take_image(decoder, decoder.operand(loads ? 1 : 0), geometry, ScalarType::s32);
    const std::vector<ptx::Operand> parts = parts_of(decoder.operand(loads ? 0 : 1));
    if (parts.size() != count) decoder.invalid("the vector's length does not match the operand");
    std::vector<Reference> references;
    references.reserve(parts.size());
    for (const ptx::Operand& part : parts)
        references.push_back(loads ? decoder.target(part, type) : decoder.source(part, type));
    require_one_width(decoder, references);
    if (!loads) emit_to_stage(decoder, images::data, references);

    using enum Modifier;
    using images::Outside;
    using images::Reduction;
    const Outside outside = form.has(zero) ? Outside::zero : form.has(clamp) ? Outside::clamp : Outside::trap;
    uint32_t aux = static_cast<uint32_t>(geometry) | static_cast<uint32_t>(outside) << access::outside_shift |
                   static_cast<uint32_t>(std::countr_zero(bytes)) << access::size_shift | count << access::count_shift;
    if (!loads) aux |= access::stores;
    if (form.has(formatted)) aux |= access::formatted;
    if (reduces) {
        const Reduction reduction = form.has(min)    ? Reduction::min
                                    : form.has(max)  ? Reduction::max
                                    : form.has(and_) ? Reduction::and_
                                    : form.has(or_)  ? Reduction::or_
                                                     : Reduction::add;
        aux |= access::reduces | static_cast<uint32_t>(reduction) << access::reduction_shift;
        if (type == ScalarType::s32 || type == ScalarType::s64) aux |= access::signed_values;
    }
    const auto row_width = static_cast<int32_t>(decoder.row_bytes(references.front()));
    PendingInstruction& instruction = emit_guarded(decoder, Control::surface_access, handle, aux);
    instruction.code.displacement = row_width;
    if (loads) {
        for (unsigned k = 0; k < references.size(); ++k)
            decoder.define(instruction, k, references[k]);
    }
}

void decode_image_query(FunctionDecoder& decoder) {
    namespace query = images::query;
    const Form& form = decoder.form();
    const bool of_level = form.has(Modifier::level);
    decoder.expect_operands(of_level ? 3 : 2, of_level ? 3 : 2);
    const std::optional<images::Property> property = property_of(form);
    if (!property) decoder.invalid("expected what is asked for, as .width");
    const ptx::Operand& image = decoder.operand(1);
    if (image.kind != ptx::Operand::Kind::address || image.elements[0].kind != ptx::Operand::Kind::reg)
        decoder.unsupported("an image must be named by a handle in a register");
    uint32_t aux = static_cast<uint32_t>(*property);
    if (form.opcode == Opcode::suq) aux |= query::surface;
    if (of_level) aux |= query::level;
    const Reference handle = decoder.source(image.elements[0], ScalarType::u64);
    const Reference level = of_level ? decoder.source(decoder.operand(2), ScalarType::u32) : decoder.literal(0, 4);
    const Reference result = decoder.target(decoder.operand(0), ScalarType::b32);
    PendingInstruction& instruction = emit_guarded(decoder, Control::image_query, handle, aux);
    decoder.use(instruction, 1, level);
    decoder.define(instruction, 0, result);
}

}  // namespace cuprum::simulator
