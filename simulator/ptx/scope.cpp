#include "ptx/scope.hpp"

#include <charconv>
#include <string>

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

// Calls visit(prefix, number) for each way to read the name as a prefix and a register number.
template <typename Visitor>
void for_each_split(std::string_view name, const Visitor& visit) {
    constexpr size_t kLongestNumber = 10;  // digits of the largest uint32_t
    for (size_t length = 1; length <= kLongestNumber && length < name.size(); ++length) {
        const size_t split = name.size() - length;
        if (name[split] < '0' || name[split] > '9') {
            return;
        }
        if (const std::optional<uint32_t> number = register_number(name.substr(split))) {
            visit(name.substr(0, split), *number);
        }
    }
}

// Whether `name` is one of prefix0 .. prefix<count-1>.
bool is_numbered_below(std::string_view name, std::string_view prefix, uint64_t count) {
    if (name.size() <= prefix.size() || name.substr(0, prefix.size()) != prefix) {
        return false;
    }
    const std::optional<uint32_t> number = register_number(name.substr(prefix.size()));
    return number && *number < count;
}

}  // namespace

std::optional<Meaning> Scope::find_in_ranges(std::string_view name) const {
    std::optional<Meaning> meaning;
    if (!ranges_.empty()) {
        for_each_split(name, [&](std::string_view prefix, uint32_t number) {
            const auto range = ranges_.find(prefix);
            if (range != ranges_.end() && number < range->second.count) {
                const Range& found = range->second;
                meaning = Meaning{Meaning::Kind::reg, found.first_index + number * found.length, found.length};
            }
        });
    }
    return meaning;
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

// Looks the names up one by one, or through what the scope holds, whichever is less: neither many declarations nor
// large ones may make this slow.
bool Scope::holds_any_of(std::string_view prefix, uint32_t count) const {
    if (names_.size() <= count) {
        for (const auto& [name, meaning] : names_) {
            if (is_numbered_below(name, prefix, count)) {
                return true;
            }
        }
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            if (names_.count(std::string(prefix) + std::to_string(i)) != 0) {
                return true;
            }
        }
    }
    // %r<100> and %r1<5> both hold %r10: a longer prefix clashes if its own digits and one more make a number below
    // count.
    const auto longer_count = static_cast<uint32_t>((uint64_t{count} + 9) / 10);
    if (ranges_.size() <= longer_count) {
        for (const auto& [name, range] : ranges_) {
            const bool names_leading_zero = name.size() == prefix.size() + 1 && name.back() == '0';  // %r00 is no %r<n>
            if (range.count > 0 && !names_leading_zero && is_numbered_below(name, prefix, longer_count)) {
                return true;
            }
        }
    } else {
        for (uint32_t i = 1; i < longer_count; ++i) {
            const auto range = ranges_.find(std::string(prefix) + std::to_string(i));
            if (range != ranges_.end() && range->second.count > 0) {
                return true;
            }
        }
    }
    return false;
}

bool Scope::add_registers(std::string_view prefix, uint32_t count, uint32_t first_index, uint32_t length) {
    bool shorter_prefix_clashes = false;
    for_each_split(prefix, [&](std::string_view shorter, uint32_t number) {
        const auto range = ranges_.find(shorter);
        shorter_prefix_clashes |=
            count > 0 && number > 0 && range != ranges_.end() && uint64_t{number} * 10 < range->second.count;
    });
    if (shorter_prefix_clashes || holds_any_of(prefix, count)) {
        return false;
    }
    return ranges_.emplace(prefix, Range{count, first_index, length}).second;
}

}  // namespace cuprum::simulator::ptx
