#include "ptx/scope.hpp"

#include <charconv>

namespace cuprum::simulator::ptx {
namespace {

// The number that `digits` writes, if it is one that a parameterised declaration can make: no leading zeros.
std::optional<uint32_t> register_number(std::string_view digits) {
    if (digits.empty() || (digits[0] == '0' && digits.size() > 1)) {
        return std::nullopt;
    }
    uint32_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

// Whether `shorter<count>` and `longer<...>` share a name: %r<100> and %r1<5> do, both hold %r10.
bool overlap(std::string_view shorter, uint32_t count, std::string_view longer) {
    if (longer.substr(0, shorter.size()) != shorter) {
        return false;
    }
    if (longer.size() == shorter.size()) {
        return true;
    }
    const std::optional<uint32_t> number = register_number(longer.substr(shorter.size()));
    return number && *number != 0 && uint64_t{*number} * 10 < count;
}

}  // namespace

std::optional<Meaning> Scope::find_in_ranges(std::string_view name) const {
    for (const Range& range : ranges_) {
        if (name.size() <= range.prefix.size() || name.substr(0, range.prefix.size()) != range.prefix) {
            continue;
        }
        const std::optional<uint32_t> number = register_number(name.substr(range.prefix.size()));
        if (number && *number < range.count) {
            return Meaning{Meaning::Kind::reg, range.first_index + *number * range.length, range.length};
        }
    }
    return std::nullopt;
}

std::optional<Meaning> Scope::find(std::string_view name) const {
    if (std::optional<Meaning> meaning = find_in_ranges(name)) {
        return meaning;
    }
    if (!names_.empty()) {
        if (const auto found = names_.find(name); found != names_.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

bool Scope::add(std::string_view name, const Meaning& meaning) {
    return !find_in_ranges(name) && names_.emplace(name, meaning).second;
}

bool Scope::add_registers(std::string_view prefix, uint32_t count, uint32_t first_index, uint32_t length) {
    for (const Range& range : ranges_) {
        if (overlap(range.prefix, range.count, prefix) || overlap(prefix, count, range.prefix)) {
            return false;
        }
    }
    for (const auto& [name, meaning] : names_) {
        if (name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix) {
            const std::optional<uint32_t> number = register_number(name.substr(prefix.size()));
            if (number && *number < count) {
                return false;
            }
        }
    }
    ranges_.push_back({prefix, count, first_index, length});
    return true;
}

}  // namespace cuprum::simulator::ptx
