// The words of a command line, sorted into options and the rest.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::cli {

/// A wrong command line: what is wrong with it, and what to write instead (may be empty).
class UsageError : public std::runtime_error {
public:
    explicit UsageError(const std::string& problem, std::string advice = {})
        : std::runtime_error(problem), advice_(std::move(advice)) {}
    const std::string& advice() const { return advice_; }

private:
    std::string advice_;
};

/// An option that a command takes.
struct Option {
    std::string_view name;             ///< "--kind"
    std::string_view short_name = {};  ///< "-k"; empty if there is none
    bool takes_value = false;
};

class CommandLine {
public:
    /// `words` without the program's name and the command's. Throws UsageError for an option that is not one of
    /// `options`, that lacks its value, or that has one and takes none.
    CommandLine(std::span<const std::string> words, std::span<const Option> options);

    bool has(std::string_view option) const { return values_.contains(option); }
    /// The last value given; empty if the option was not given.
    std::string value(std::string_view option) const;
    /// All of them, in their order.
    std::vector<std::string> values(std::string_view option) const;
    /// A whole number of at least `least`; `otherwise` if the option was not given.
    unsigned long number(std::string_view option, unsigned long least, unsigned long otherwise) const;

    /// What is no option, in its order.
    const std::vector<std::string>& words() const { return words_; }
    /// What came behind "--".
    const std::vector<std::string>& rest() const { return rest_; }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
    std::vector<std::string> words_;
    std::vector<std::string> rest_;
};

/// A whole number, decimal or hexadecimal (0x); none if the text is not one.
std::optional<unsigned long long> parse_whole_number(std::string_view text);

}  // namespace cuprum::cli
