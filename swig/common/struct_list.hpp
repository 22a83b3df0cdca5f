// A list of structures of the C ABI, which the languages pass as a list of each field.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>

namespace cuprum_languages {

template <class Struct>
class StructList {
public:
    // As many structures as there are fields in the shortest list.
    explicit StructList(std::initializer_list<uint64_t> lengths)
        : count_(static_cast<uint32_t>(std::min(lengths))), structs_(new(std::nothrow) Struct[count_]()) {}

    // False where there was no memory for it.
    bool is_valid() const { return structs_ != nullptr; }
    Struct& operator[](uint32_t index) { return structs_[index]; }
    const Struct* data() const { return structs_.get(); }
    uint32_t count() const { return count_; }

private:
    uint32_t count_;
    std::unique_ptr<Struct[]> structs_;
};

}  // namespace cuprum_languages
