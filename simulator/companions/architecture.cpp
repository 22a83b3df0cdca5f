#include "companions/architecture.hpp"

#include <charconv>

namespace cuprum::simulator::companions {
namespace {

// The spellings of one option. Its value follows after '=' or as an argument of its own.
// Source: NVRTC documentation, "Supported Compile Options".
struct Spelling {
    std::string_view full, brief;
};
constexpr Spelling architecture_option{"--gpu-architecture", "-arch"};
constexpr Spelling assembler_option{"--ptxas-options", "-Xptxas"};
constexpr Spelling registers_option{"--maxrregcount", "-maxrregcount"};
constexpr Spelling link_time_option{"--dlink-time-opt", "-dlto"};

// The value, "" if it is the next argument; nothing if this is another option.
std::optional<std::string_view> value_of(std::string_view argument, const Spelling& spelling) {
    for (const std::string_view name : {spelling.full, spelling.brief}) {
        if (argument == name) return std::string_view();
        if (argument.size() > name.size() && argument.substr(0, name.size()) == name && argument[name.size()] == '=') {
            return argument.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

constexpr std::string_view real_prefix = "sm_", virtual_prefix = "compute_";

uint32_t number_in(std::string_view text) {
    uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

std::optional<uint32_t> real_architecture(std::string_view name) {
    if (name.substr(0, real_prefix.size()) != real_prefix) return std::nullopt;
    name.remove_prefix(real_prefix.size());
    uint32_t number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc{}) return std::nullopt;
    return number;
}

std::optional<uint32_t> register_limit(std::string_view option) {
    const std::optional<std::string_view> value = value_of(option, registers_option);
    return value ? std::optional(number_in(*value)) : std::nullopt;
}

std::optional<CompileRequest> machine_code_request(std::span<const char* const> options) {
    CompileRequest request;
    bool found = false;
    for (size_t index = 0; index < options.size(); ++index) {
        if (options[index] == nullptr) return std::nullopt;  // the real library's to refuse
        const std::string_view option = options[index];
        const bool has_next = index + 1 < options.size() && options[index + 1] != nullptr;
        if (value_of(option, link_time_option)) return std::nullopt;
        if (const auto value = value_of(option, assembler_option)) {
            if (value->empty() && has_next) ++index;
            continue;
        }
        if (const auto value = value_of(option, registers_option)) {
            request.max_registers = number_in(value->empty() && has_next ? options[index + 1] : *value);
        }
        if (auto value = value_of(option, architecture_option)) {
            if (value->empty() && has_next) value = options[++index];
            if (const std::optional<uint32_t> number = real_architecture(*value)) {
                found = true;
                request.architecture = *number;
                request.options.push_back(std::string(architecture_option.full) + "=" + std::string(virtual_prefix) +
                                          std::string(value->substr(real_prefix.size())));
                continue;
            }
            request.options.push_back(std::string(architecture_option.full) + "=" + std::string(*value));
            continue;
        }
        request.options.emplace_back(option);
    }
    if (!found) return std::nullopt;
    return request;
}

}  // namespace cuprum::simulator::companions
