// The state of an iterator is the struct that the device's code has for it (source.cpp, "cuprum_iterators"): a pointer
// by itself, or else { reader; long long position; }, where a reader holds those that it is made of in the same way.
#include "cuprum/parallel/iterator.hpp"

#include <cstring>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "iterator_state.hpp"

namespace cuprum::parallel {

struct Iterator::Shape {
    Kind kind;
    Type value_type;
    std::string text;
    Layout reader;                         // of the reader alone
    std::shared_ptr<const Iterator> base;  // with the state it was made with
    std::optional<Operator> op;
    uint32_t depth = 0;  // iterators within it
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

// Of an iterator upon `base`. Each has the text and the state of those within it, and goes after them.
uint32_t depth_upon(uint32_t base) {
    if (base == Iterator::max_depth) {
        throw InvalidArgument("making an iterator", "iterator upon others",
                              "there would be more than " + std::to_string(Iterator::max_depth) + " nested iterators",
                              "write one operator that does what several do");
    }
    return base + 1;
}

}  // namespace

Layout state_layout(const Operator& op) {
    // An empty struct has one byte.
    return op.state() ? Layout{op.state()->type().size(), op.state()->type().alignment()} : Layout{1, 1};
}

Iterator Iterator::pointer(const Type& type, core::DevicePointer address) {
    return {std::make_shared<const Shape>(Shape{Kind::pointer,
                                                type,
                                                "pointer<" + type.text() + '>',
                                                {sizeof(address), alignof(core::DevicePointer)},
                                                nullptr,
                                                std::nullopt,
                                                0}),
            Bytes(&address, sizeof(address))};
}

Iterator Iterator::constant(const Value& value) {
    const Layout layout{value.type().size(), value.type().alignment()};
    return {std::make_shared<const Shape>(Shape{Kind::constant, value.type(), "constant<" + value.type().text() + '>',
                                                layout, nullptr, std::nullopt, 0}),
            as_iterator(value.data(), layout)};
}

Iterator Iterator::counting(const Value& start) {
    const Type& type = start.type();
    if (type.is_structure() || type.is_complex() || type.kind() == TypeKind::boolean) {
        throw InvalidArgument("making a counting iterator", type.name(), "expected an integer or floating-point type");
    }
    const Layout layout{type.size(), type.alignment()};
    return {std::make_shared<const Shape>(
                Shape{Kind::counting, type, "counting<" + type.text() + '>', layout, nullptr, std::nullopt, 0}),
            as_iterator(start.data(), layout)};
}

Iterator Iterator::transform(const Iterator& base, const Operator& op, const Type& result) {
    const uint32_t depth = depth_upon(base.shape_->depth);
    Layout layout = base.shape_->reader;
    const uint64_t op_offset = append(layout, state_layout(op));
    layout.size = align_up(layout.size, layout.alignment);
    std::vector<std::byte> reader(layout.size);
    std::memcpy(reader.data(), base.state_.data(), base.shape_->reader.size);
    if (op.state()) std::memcpy(reader.data() + op_offset, op.state()->data(), op.state()->size());
    std::string text = "transform<" + base.shape_text() + ',' + result.text() + ',';
    if (op.state()) text += op.state()->type().text() + ',';
    text += std::to_string(op.text().size()) + ':' + op.text() + '>';
    return {std::make_shared<const Shape>(Shape{Kind::transform, result, std::move(text), layout,
                                                std::make_shared<const Iterator>(base), op, depth}),
            as_iterator(reader.data(), layout)};
}

Iterator Iterator::indexed(const Iterator& base) {
    const uint32_t depth = depth_upon(base.shape_->depth);
    const Layout layout = base.shape_->reader;
    return {std::make_shared<const Shape>(Shape{Kind::indexed, indexed_type(base.value_type()),
                                                "indexed<" + base.shape_text() + '>', layout,
                                                std::make_shared<const Iterator>(base), std::nullopt, depth}),
            as_iterator(base.state_.data(), layout)};
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
const Iterator* Iterator::base() const {
    return shape_->base.get();
}
const Operator* Iterator::op() const {
    return shape_->op ? &*shape_->op : nullptr;
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
