#include "cuprum/pathfinder/version.hpp"

#include <algorithm>
#include <utility>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::pathfinder {

std::string Version::text() const {
    if (major < 0) {
        return {};
    }
    return std::to_string(major) + (minor < 0 ? "" : "." + std::to_string(minor));
}

Version parse_version(std::string_view text) {
    Version version;
    std::size_t at = 0;
    for (int* number : {&version.major, &version.minor}) {
        const std::size_t start = at;
        int value = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - start < 6) {
            value = value * 10 + (text[at] - '0');
            ++at;
        }
        if (at == start) {
            break;
        }
        *number = value;
        if (at >= text.size() || text[at] != '.') {
            break;
        }
        ++at;
    }
    return version;
}

bool same_toolkit(const Version& a, const Version& b) {
    return !a.known() || !b.known() || (a.major == b.major && (a.minor < 0 || b.minor < 0 || a.minor == b.minor));
}

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

VersionConstraint::VersionConstraint(std::string_view text) : text_(trimmed(text)) {
    std::string_view rest = text_;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        conditions_.push_back(parse_condition(trimmed(rest.substr(0, comma)), text_));
        if (comma + 1 == rest.size()) {
            static_cast<void>(parse_condition({}, text_));  // a comma with nothing behind it
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
}

VersionConstraint::Condition VersionConstraint::parse_condition(std::string_view condition, std::string_view whole) {
    Operator op = Operator::equal;
    std::string_view number = condition;
    for (const auto& [sign, meaning] :
         {std::pair(std::string_view("=="), Operator::equal), std::pair(std::string_view("!="), Operator::not_equal),
          std::pair(std::string_view(">="), Operator::at_least), std::pair(std::string_view("<="), Operator::at_most),
          std::pair(std::string_view("~="), Operator::compatible), std::pair(std::string_view(">"), Operator::above),
          std::pair(std::string_view("<"), Operator::below)}) {
        if (condition.starts_with(sign)) {
            op = meaning;
            number = trimmed(condition.substr(sign.size()));
            break;
        }
    }
    const bool any_minor = number.ends_with(".*");
    const std::string_view digits = any_minor ? number.substr(0, number.size() - 2) : number;
    const Version version = parse_version(digits);
    const bool takes_any_minor = op == Operator::equal || op == Operator::not_equal;
    if (version.text() != digits || digits.empty() || (any_minor && (!takes_any_minor || version.minor >= 0)) ||
        (op == Operator::compatible && version.minor < 0)) {
        throw InvalidArgument(
            "reading the condition on a toolkit's version", "\"" + std::string(whole) + "\"",
            "\"" + std::string(condition) +
                "\" is not a condition: expected ==, !=, >=, <=, > or < and a version such as 12, 12.4 "
                "or (for == and !=) 12.*, or ~= and a version such as 12.4",
            "write for example \">=12.4,<14\", \"13\" or \"==12.*\"");
    }
    return {op, version};
}

// What a condition without a minor number says, it says of the major number.
bool VersionConstraint::holds(const Condition& condition, const Version& version) {
    const int minor = condition.version.minor < 0 ? 0 : condition.version.minor;
    const std::pair<int, int> bound(condition.version.major, minor);
    const std::pair<int, int> asked(version.major, condition.version.minor < 0 ? 0 : version.minor);
    switch (condition.op) {
        case Operator::equal:
            return asked == bound;
        case Operator::not_equal:
            return asked != bound;
        case Operator::at_least:
            return asked >= bound;
        case Operator::at_most:
            return asked <= bound;
        case Operator::above:
            return asked > bound;
        case Operator::below:
            return asked < bound;
        case Operator::compatible:
            return asked >= bound && asked.first == bound.first;
    }
    return false;
}

bool VersionConstraint::allows(const Version& version) const {
    if (conditions_.empty()) {
        return true;
    }
    if (!version.known()) {
        return false;
    }
    const auto all_hold = [&](const Version& exact) {
        return std::all_of(conditions_.begin(), conditions_.end(),
                           [&](const Condition& condition) { return holds(condition, exact); });
    };
    if (version.minor >= 0) {
        return all_hold(version);
    }
    constexpr int more_minors_than_any_toolkit_has = 100;
    for (int minor = 0; minor < more_minors_than_any_toolkit_has; ++minor) {
        if (all_hold({version.major, minor})) {
            return true;
        }
    }
    return false;
}

}  // namespace cuprum::pathfinder
