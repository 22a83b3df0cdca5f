#include "cuprum/core/nvtx.hpp"

#include "cuprum/bindings/nvtx.hpp"

namespace cuprum::core::nvtx {

void mark(const std::string& name) noexcept {
    bindings::nvtx::mark(name.c_str());
}

int32_t push_range(const std::string& name) noexcept {
    return bindings::nvtx::range_push(name.c_str());
}

int32_t pop_range() noexcept {
    return bindings::nvtx::range_pop();
}

uint64_t start_range(const std::string& name) noexcept {
    return bindings::nvtx::range_start(name.c_str());
}

void end_range(uint64_t range) noexcept {
    bindings::nvtx::range_end(range);
}

}  // namespace cuprum::core::nvtx
