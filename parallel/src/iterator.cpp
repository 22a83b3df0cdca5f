// The state of an iterator is the struct that the device's code has for it (iterator_source.cpp): a pointer by itself,
// or else { reader; long long position; }, where a reader holds those that it is made of in the same way.
#include "cuprum/parallel/iterator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "iterator_state.hpp"
#include "text_hash.hpp"

namespace cuprum::parallel {

struct Iterator::Shape {
    struct Part {
        Iterator iterator;  // with the state it was made with
        uint64_t offset;    // of its reader in this one's
    };
    Kind kind;
    Type value_type;
    bool is_readable, is_writable;
    std::string text;
    Layout reader;  // of the reader alone
    std::vector<Part> parts;
    uint64_t own_offset = 0;  // of what follows the parts
    std::optional<Operator> op;
    CacheModifier modifier = CacheModifier::stream;
    uint32_t depth = 0;   // iterators within each other within it
    uint32_t within = 0;  // iterators within it, in all
};

namespace {

Layout with_position(Layout reader) {
    append(reader, {sizeof(int64_t), alignof(int64_t)});
    reader.size = align_up(reader.size, reader.alignment);
    return reader;
}

// A reader's bytes as a whole iterator's: at position 0.
Bytes as_iterator(const std::byte* reader, Layout layout) {
    Bytes state(with_position(layout).size);
    std::memcpy(state.data(), reader, layout.size);
    return state;
}

Type indexed_type(const Type& value) {
    Layout layout;
    const uint64_t index = append(layout, {sizeof(int64_t), alignof(int64_t)});
    const uint64_t offset = append(layout, {value.size(), value.alignment()});
    return Type::structure("cuprum_indexed", {{"index", Type(TypeKind::int64), index}, {"value", value, offset}},
                           align_up(layout.size, layout.alignment), layout.alignment);
}

// The struct of a zip that has none given. Its name follows from its fields: a program may have several zips.
Type zipped_type(std::span<const Iterator> parts) {
    Layout layout;
    std::vector<Type::Field> fields;
    uint64_t hash = text_hash("");
    for (const Iterator& part : parts) {
        const Type& type = part.value_type();
        const uint64_t offset = append(layout, {type.size(), type.alignment()});
        fields.push_back({"field_" + std::to_string(fields.size()), type, offset});
        hash = text_hash(type.text() + ',', hash);
    }
    return Type::structure("cuprum_zip_" + hexadecimal(hash), std::move(fields),
                           align_up(layout.size, layout.alignment), layout.alignment);
}

constexpr const char* operation = "making an iterator";

bool is_integer(const Type& type) {
    return type.kind() >= TypeKind::int8 && type.kind() <= TypeKind::uint64;
}

void require_readable(const Iterator& iterator, const char* what) {
    if (iterator.is_readable()) return;
    throw InvalidArgument(operation, iterator.shape_text(),
                          std::string("it can only be written to, and ") + what + " reads it");
}

void require_writable(const Iterator& iterator, const char* what) {
    if (iterator.is_writable()) return;
    throw InvalidArgument(operation, iterator.shape_text(),
                          std::string("it can only be read, and ") + what + " writes to it",
                          "write to memory, or through strided, permutation, zip, transform_output or discard");
}

std::string with_length(const std::string& text) {
    return std::to_string(text.size()) + ':' + text;
}

}  // namespace

// Puts an iterator's shape and state together, part by part and member by member, in the order of the device's struct.
class Iterator::Maker {
public:
    Maker(Kind kind, const Type& value_type, bool is_readable, bool is_writable)
        : shape_{kind, value_type, is_readable, is_writable, {}, {}, {}, 0, std::nullopt, CacheModifier::stream, 0, 0} {
    }

    Maker& part(const Iterator& iterator) {
        const Shape& inner = *iterator.shape_;
        if (inner.depth == max_depth) {
            throw InvalidArgument(operation, "iterator upon others",
                                  "there would be more than " + std::to_string(max_depth) + " nested iterators",
                                  "write one operator that does what several do");
        }
        // One that is used twice is there twice, also in texts: that many would double with each depth.
        shape_.within += inner.within + 1;
        if (shape_.within > max_within) {
            throw InvalidArgument(operation, "iterator upon others",
                                  "there would be more than " + std::to_string(max_within) + " iterators within it");
        }
        shape_.depth = std::max(shape_.depth, inner.depth + 1);
        shape_.parts.push_back({iterator, add(iterator.state_.data(), inner.reader)});
        return *this;
    }
    Maker& member(const void* data, Layout layout) {
        const uint64_t offset = add(data, layout);
        if (!has_own_) shape_.own_offset = offset;
        has_own_ = true;
        return *this;
    }
    Maker& op(const Operator& op) {
        static constexpr std::byte nothing{0};
        shape_.op = op;
        add(op.state() ? op.state()->data() : &nothing, state_layout(op));
        return *this;
    }
    Maker& modifier(CacheModifier modifier) {
        shape_.modifier = modifier;
        return *this;
    }
    Iterator make(std::string text) {
        shape_.text = std::move(text);
        Layout layout = shape_.reader;
        layout.size = align_up(layout.size, layout.alignment);
        bytes_.resize(layout.size);
        shape_.reader = layout;
        const Bytes state =
            shape_.kind == Kind::pointer ? Bytes(bytes_.data(), bytes_.size()) : as_iterator(bytes_.data(), layout);
        return {std::make_shared<const Shape>(std::move(shape_)), state};
    }

private:
    uint64_t add(const void* data, Layout layout) {
        const uint64_t offset = append(shape_.reader, layout);
        bytes_.resize(offset + layout.size);
        std::memcpy(bytes_.data() + offset, data, layout.size);
        return offset;
    }

    Shape shape_;
    bool has_own_ = false;
    std::vector<std::byte> bytes_;
};

Layout state_layout(const Operator& op) {
    // An empty struct has one byte.
    return op.state() ? Layout{op.state()->type().size(), op.state()->type().alignment()} : Layout{1, 1};
}

Iterator Iterator::pointer(const Type& type, core::DevicePointer address) {
    return Maker(Kind::pointer, type, true, true)
        .member(&address, {sizeof(address), alignof(core::DevicePointer)})
        .make("pointer<" + type.text() + '>');
}

Iterator Iterator::constant(const Value& value) {
    const Type& type = value.type();
    return Maker(Kind::constant, type, true, false)
        .member(value.data(), {type.size(), type.alignment()})
        .make("constant<" + type.text() + '>');
}

Iterator Iterator::counting(const Value& start) {
    const Type& type = start.type();
    if (type.is_structure() || type.is_complex() || type.kind() == TypeKind::boolean) {
        throw InvalidArgument("making a counting iterator", type.name(), "expected an integer or floating-point type");
    }
    return Maker(Kind::counting, type, true, false)
        .member(start.data(), {type.size(), type.alignment()})
        .make("counting<" + type.text() + '>');
}

Iterator Iterator::transform(const Iterator& base, const Operator& op, const Type& result) {
    require_readable(base, "a transform iterator");
    std::string text = "transform<" + base.shape_text() + ',' + result.text() + ',';
    if (op.state()) text += op.state()->type().text() + ',';
    text += with_length(op.text()) + '>';
    return Maker(Kind::transform, result, true, false).part(base).op(op).make(std::move(text));
}

Iterator Iterator::indexed(const Iterator& base) {
    require_readable(base, "an indexed iterator");
    return Maker(Kind::indexed, indexed_type(base.value_type()), true, false)
        .part(base)
        .make("indexed<" + base.shape_text() + '>');
}

Iterator Iterator::discard(const Type& type) {
    // The device's struct is empty, which takes one byte.
    constexpr std::byte nothing{0};
    return Maker(Kind::discard, type, false, true).member(&nothing, {1, 1}).make("discard<" + type.text() + '>');
}

Iterator Iterator::reverse(const Iterator& base, int64_t last) {
    return strided(base, -1, last);
}

Iterator Iterator::strided(const Iterator& base, int64_t step, int64_t start) {
    constexpr Layout number{sizeof(int64_t), alignof(int64_t)};
    return Maker(Kind::strided, base.value_type(), base.is_readable(), base.is_writable())
        .part(base)
        .member(&start, number)
        .member(&step, number)
        .make("strided<" + base.shape_text() + '>');
}

Iterator Iterator::permutation(const Iterator& values, const Iterator& indices) {
    require_readable(indices, "a permutation iterator");
    if (!is_integer(indices.value_type())) {
        throw InvalidArgument("making a permutation iterator", "indices of " + indices.value_type().name(),
                              "expected integers");
    }
    return Maker(Kind::permutation, values.value_type(), values.is_readable(), values.is_writable())
        .part(values)
        .part(indices)
        .make("permutation<" + values.shape_text() + ',' + indices.shape_text() + '>');
}

Iterator Iterator::zip(std::span<const Iterator> parts, const Type& value) {
    constexpr const char* zipping = "making a zip iterator";
    if (parts.empty() || parts.size() > max_zipped) {
        throw InvalidArgument(zipping, std::to_string(parts.size()) + " iterators",
                              "expected 1 to " + std::to_string(max_zipped));
    }
    if (value.fields().size() != parts.size()) {
        throw InvalidArgument(
            zipping, "elements of " + value.text(),
            "expected a struct of " + std::to_string(parts.size()) + " fields, one for each iterator");
    }
    bool is_readable = true;
    bool is_writable = true;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Type::Field& field = value.fields()[i];
        if (field.type != parts[i].value_type()) {
            throw InvalidArgument(zipping, "field '" + field.name + "' of " + value.name(),
                                  "it is of " + field.type.text() + ", and iterator " + std::to_string(i) + " of " +
                                      parts[i].value_type().text());
        }
        is_readable = is_readable && parts[i].is_readable();
        is_writable = is_writable && parts[i].is_writable();
    }
    if (!is_readable && !is_writable) {
        throw InvalidArgument(zipping, std::to_string(parts.size()) + " iterators",
                              "some can only be read and others only be written to");
    }
    Maker maker(Kind::zip, value, is_readable, is_writable);
    std::string text = "zip<" + value.text();
    for (const Iterator& part : parts) {
        maker.part(part);
        text += ',' + part.shape_text();
    }
    return maker.make(text + '>');
}

Iterator Iterator::zip(std::span<const Iterator> parts) {
    return zip(parts, parts.empty() ? Type(TypeKind::boolean) : zipped_type(parts));
}

Iterator Iterator::transform_output(const Iterator& base, const Operator& op, const Type& value) {
    require_writable(base, "a transform output iterator");
    std::string text = "transform_output<" + base.shape_text() + ',' + value.text() + ',';
    if (op.state()) text += op.state()->type().text() + ',';
    text += with_length(op.text()) + '>';
    return Maker(Kind::transform_output, value, false, true).part(base).op(op).make(std::move(text));
}

Iterator Iterator::cache_modified(const Type& type, CacheModifier modifier, core::DevicePointer address) {
    constexpr std::array names{"stream", "global", "volatile"};
    const auto index = static_cast<size_t>(modifier);
    if (index >= names.size()) {
        throw InvalidArgument(operation, "cache modifier " + std::to_string(static_cast<int>(modifier)),
                              "expected stream, global or volatile (0 to 2)");
    }
    return Maker(Kind::cache_modified, type, true, false)
        .member(&address, {sizeof(address), alignof(core::DevicePointer)})
        .modifier(modifier)
        .make(std::string("cache_modified<") + names[index] + ',' + type.text() + '>');
}

Iterator Iterator::shuffle(uint64_t n, uint64_t seed) {
    if (n == 0 || n > uint64_t{1} << 62) {
        throw InvalidArgument("making a shuffle iterator", std::to_string(n) + " positions", "expected 1 to 2^62");
    }
    constexpr Layout number{sizeof(uint64_t), alignof(uint64_t)};
    return Maker(Kind::shuffle, Type(TypeKind::int64), true, false)
        .member(&n, number)
        .member(&seed, number)
        .make("shuffle");
}

Iterator Iterator::over(const std::byte* base_state) const {
    return {shape_, as_iterator(base_state, shape_->reader)};
}

Iterator::Kind Iterator::kind() const {
    return shape_->kind;
}
const Type& Iterator::value_type() const {
    return shape_->value_type;
}
bool Iterator::is_readable() const {
    return shape_->is_readable;
}
bool Iterator::is_writable() const {
    return shape_->is_writable;
}
size_t Iterator::part_count() const {
    return shape_->parts.size();
}
const Iterator& Iterator::part(size_t index) const {
    return shape_->parts[index].iterator;
}
uint64_t Iterator::part_offset(size_t index) const {
    return shape_->parts[index].offset;
}
uint64_t Iterator::own_offset() const {
    return shape_->own_offset;
}
const Iterator* Iterator::base() const {
    return shape_->parts.empty() ? nullptr : &shape_->parts.front().iterator;
}
const Operator* Iterator::op() const {
    return shape_->op ? &*shape_->op : nullptr;
}
Iterator::CacheModifier Iterator::cache_modifier() const {
    return shape_->modifier;
}

core::DevicePointer Iterator::address() const {
    core::DevicePointer address = 0;
    if (shape_->kind == Kind::pointer) std::memcpy(&address, state_.data(), sizeof(address));
    return address;
}

const std::string& Iterator::shape_text() const {
    return shape_->text;
}

bool Iterator::has_shape_of(const Iterator& other) const {
    return shape_ == other.shape_ || shape_->text == other.shape_->text;
}

}  // namespace cuprum::parallel
