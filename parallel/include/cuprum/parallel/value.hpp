// One element, passed by value: an initial value, a constant, an operator's state.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "cuprum/parallel/type.hpp"

namespace cuprum::parallel {

/// Bytes to be passed to a kernel. Small ones are kept in place: making and copying them allocates nothing. Moving
/// copies: what was moved from is as it was.
class Bytes {
public:
    Bytes() = default;
    Bytes(const Bytes&) = default;
    Bytes& operator=(const Bytes&) = default;
    ~Bytes() = default;
    /// Zeros.
    explicit Bytes(uint64_t size) : size_(size) {
        if (size > small_.size()) large_.resize(size);
    }
    Bytes(const void* data, uint64_t size) : Bytes(size) {
        if (size > 0) std::memcpy(this->data(), data, size);
    }

    uint64_t size() const { return size_; }
    const std::byte* data() const { return large_.empty() ? small_.data() : large_.data(); }
    std::byte* data() { return large_.empty() ? small_.data() : large_.data(); }

private:
    alignas(16) std::array<std::byte, 32> small_{};
    std::vector<std::byte> large_;
    uint64_t size_ = 0;
};

/// A value of a type. Implicit from C++ values, so that `0.0F` or `Point{1, 2}` can be given as it is.
class Value {
public:
    template <class T>
        requires(std::is_arithmetic_v<T> || detail::Described<T> || detail::kind_of<T>() != TypeKind::structure)
    Value(const T& value) : type_(Type::of<T>()), bytes_(&value, sizeof(value)) {}
    /// Copies type.size() bytes.
    Value(Type type, const void* data) : type_(std::move(type)), bytes_(data, type_.size()) {}

    const Type& type() const { return type_; }
    const std::byte* data() const { return bytes_.data(); }
    uint64_t size() const { return bytes_.size(); }

private:
    Type type_;
    Bytes bytes_;
};

}  // namespace cuprum::parallel
