#include "link_apart.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

namespace cuprum::core {

std::vector<std::string> link_apart(const ObjectCode& lto_ir, const LinkerOptions& options,
                                    std::span<const std::string> symbols) {
    std::vector<std::string> codes(symbols.size());
    std::vector<std::exception_ptr> failures(symbols.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t index = next++; index < symbols.size(); index = next++) {
            try {
                LinkerOptions own = options;
                own.kernels_used = {symbols[index]};
                codes[index] = Linker({lto_ir}, std::move(own)).link().code();
            } catch (...) {
                failures[index] = std::current_exception();
            }
        }
    };
    {
        const size_t cores = std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> others;
        try {
            while (others.size() + 1 < std::min(cores, symbols.size()))
                others.emplace_back(work);
        } catch (const std::system_error&) {
            // No more threads to be had: those that there are do it all.
        }
        work();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure != nullptr) std::rethrow_exception(failure);
    }
    return codes;
}

}  // namespace cuprum::core
