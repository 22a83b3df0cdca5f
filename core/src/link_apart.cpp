#include "link_apart.hpp"

#include <exception>

#include "on_all_cores.hpp"

namespace cuprum::core {

std::vector<std::string> link_apart(const ObjectCode& lto_ir, const LinkerOptions& options,
                                    std::span<const std::string> symbols) {
    std::vector<std::string> codes(symbols.size());
    std::vector<std::exception_ptr> failures(symbols.size());
    on_all_cores(symbols.size(), [&](size_t index) {
        try {
            LinkerOptions own = options;
            own.kernels_used = {symbols[index]};
            codes[index] = Linker({lto_ir}, std::move(own)).link().code();
        } catch (...) {
            failures[index] = std::current_exception();
        }
    });
    for (const std::exception_ptr& failure : failures) {
        if (failure != nullptr) std::rethrow_exception(failure);
    }
    return codes;
}

}  // namespace cuprum::core
