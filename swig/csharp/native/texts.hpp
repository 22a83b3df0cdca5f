// A list of texts from C#: a byte[] with their number as 4 bytes in the machine's order, then each text with its NUL.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace cuprum_csharp {

class Texts {
public:
    // Borrows `packed`. False when there is no memory.
    bool read(const char* packed) {
        uint32_t count = 0;
        std::memcpy(&count, packed, sizeof(count));
        const char* text = packed + sizeof(count);
        try {
            starts_.reserve(count);
        } catch (const std::bad_alloc&) {
            return false;
        }
        for (uint32_t i = 0; i < count; ++i) {
            starts_.push_back(text);
            text += std::strlen(text) + 1;
        }
        return true;
    }
    const char** data() { return starts_.data(); }
    uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }

private:
    std::vector<const char*> starts_;
};

}  // namespace cuprum_csharp
