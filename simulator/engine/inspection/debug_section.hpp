// One debug section as bytes: PTX's lists of numbers and names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace cuprum::simulator {

// A number, or a name with something added.
struct DebugValue {
    uint64_t number = 0;
    std::string_view name;  // empty: the number alone
};

class DebugSectionBytes {
public:
    DebugSectionBytes() = default;
    explicit DebugSectionBytes(std::string_view text);  // ends at the first thing that is not a list of numbers

    uint64_t size() const { return bytes_.size(); }
    bool has_label(std::string_view label) const { return labels_.contains(label); }
    uint64_t label(std::string_view label) const { return labels_.at(label); }
    const std::map<std::string_view, uint64_t>& labels() const { return labels_; }
    // Little-endian, of 1 to 8 bytes. Zero beyond the end.
    DebugValue read(uint64_t offset, unsigned size) const;
    std::string text_at(uint64_t offset) const;  // up to a zero

private:
    struct Name {
        std::string_view name;
        uint64_t addend = 0;
    };
    std::vector<uint8_t> bytes_;
    std::map<uint64_t, Name> names_;  // by offset
    std::map<std::string_view, uint64_t> labels_;
};

// The first section of that name; nothing if there is none.
DebugSectionBytes debug_section(const ptx::Module& module, std::string_view name);

// Goes through a section. Reading beyond its end gives zeros and sets `ended`.
class DebugCursor {
public:
    DebugCursor(const DebugSectionBytes& bytes, uint64_t position) : bytes_(&bytes), position_(position) {}
    uint64_t position() const { return position_; }
    bool ended() const { return position_ > bytes_->size(); }
    DebugValue value(unsigned size) {
        const DebugValue read = bytes_->read(position_, size);
        position_ += size;
        return read;
    }
    uint64_t number(unsigned size) { return value(size).number; }
    uint64_t leb128(bool is_signed = false);
    std::string text();
    void skip(uint64_t bytes) { position_ += bytes; }

private:
    const DebugSectionBytes* bytes_;
    uint64_t position_;
};

}  // namespace cuprum::simulator
