// Any text as a type: it is refused with the reason, or its own text gives the same type again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cuprum/parallel/type.hpp"
#include "cuprum/pathfinder/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using cuprum::parallel::Type;
    try {
        const Type type = Type::parse({reinterpret_cast<const char*>(data), size});
        const bool is_within_limits = type.size() >= 1 && type.size() <= Type::max_size &&
                                      type.size() % type.alignment() == 0 && type.text().size() <= Type::max_text_size;
        if (!is_within_limits || Type::parse(type.text()) != type) std::abort();
    } catch (const cuprum::InvalidArgument& error) {
        if (error.detail().empty()) std::abort();
    }
    return 0;
}
