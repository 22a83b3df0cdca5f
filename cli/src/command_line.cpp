#include "command_line.hpp"

#include <algorithm>
#include <charconv>

#include "cuprum/pathfinder/nearest_names.hpp"

namespace cuprum::cli {

namespace {

[[noreturn]] void refuse_option(std::string_view given, std::span<const Option> options) {
    std::vector<std::string> names;
    for (const Option& option : options) {
        names.emplace_back(option.name);
    }
    std::string advice;
    for (const std::string& near : pathfinder::nearest_names(given, names)) {
        advice += (advice.empty() ? "did you mean " : " or ") + near;
    }
    throw UsageError("there is no option " + std::string(given), advice.empty() ? advice : advice + "?");
}

}  // namespace

CommandLine::CommandLine(std::span<const std::string> words, std::span<const Option> options) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            rest_.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            return;
        }
        if (word.size() < 2 || word[0] != '-') {
            words_.push_back(word);
            continue;
        }
        const bool is_long = word.starts_with("--");
        // A short option's value may follow it at once: -Ifolder.
        const std::size_t end = is_long ? word.find('=') : std::min<std::size_t>(2, word.size());
        const std::string_view given = std::string_view(word).substr(0, end);
        const auto option = std::find_if(options.begin(), options.end(), [&](const Option& known) {
            return given == (is_long ? known.name : known.short_name);
        });
        if (option == options.end()) {
            refuse_option(is_long ? given : std::string_view(word), options);
        }
        std::vector<std::string>& values = values_[std::string(option->name)];
        const bool has_value = end < word.size();
        if (!option->takes_value) {
            if (has_value) {
                throw UsageError(std::string(given) + " takes no value, given '" + word + "'");
            }
            values.emplace_back();
        } else if (has_value) {
            values.push_back(word.substr(end + (is_long ? 1 : 0)));
        } else if (i + 1 < words.size()) {
            values.push_back(words[++i]);
        } else {
            throw UsageError(std::string(given) + " needs a value");
        }
    }
}

std::string CommandLine::value(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::string() : found->second.back();
}

std::vector<std::string> CommandLine::values(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>() : found->second;
}

unsigned long CommandLine::number(std::string_view option, unsigned long least, unsigned long otherwise) const {
    if (!has(option)) {
        return otherwise;
    }
    const auto parsed = parse_whole_number(value(option));
    constexpr unsigned long long most = 0xFFFF'FFFF;
    if (!parsed || *parsed < least || *parsed > most) {
        throw UsageError(std::string(option) + " takes a whole number from " + std::to_string(least) + ", given '" +
                         value(option) + "'");
    }
    return static_cast<unsigned long>(*parsed);
}

std::optional<unsigned long long> parse_whole_number(std::string_view text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    text.remove_prefix(base == 16 ? 2 : 0);
    unsigned long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace cuprum::cli
