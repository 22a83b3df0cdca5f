// Versions of the toolkit, and which of them a program accepts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum::pathfinder {

/// A CUDA version. A number that is unknown is -1.
struct Version {
    int major = -1;
    int minor = -1;

    bool known() const noexcept { return major >= 0; }
    /// "13.0", "13" where the minor number is not known, "" where nothing is.
    std::string text() const;
    friend bool operator==(const Version&, const Version&) = default;
};

/// "13.0.88" -> 13.0; stops at the first character that does not fit.
Version parse_version(std::string_view text);

/// Whether parts of these versions can be from one toolkit. An unknown number matches any.
bool same_toolkit(const Version& a, const Version& b);

/// Conditions on a toolkit's version, joined by commas: ">=12.4,<14". Operators: == != >= <= > < and ~= (this minor
/// version or a later one of the same major version). A version without an operator means ==; one without a minor
/// number stands for all of its minor versions: "13", "==13" and "==13.*" are the same, and ">12" begins with 13.0. An
/// empty text allows every version.
class VersionConstraint {
public:
    VersionConstraint() = default;
    /// Throws InvalidArgument that names the condition that it does not understand.
    explicit VersionConstraint(std::string_view text);

    /// A version with an unknown minor number is allowed if any of its minor versions is; an entirely unknown one only
    /// if every version is.
    bool allows(const Version& version) const;
    bool allows_everything() const noexcept { return conditions_.empty(); }
    const std::string& text() const noexcept { return text_; }

private:
    enum class Operator { equal, not_equal, at_least, at_most, above, below, compatible };
    struct Condition {
        Operator op;
        Version version;
    };
    static Condition parse_condition(std::string_view condition, std::string_view whole);
    static bool holds(const Condition& condition, const Version& version);

    std::string text_;
    std::vector<Condition> conditions_;
};

}  // namespace cuprum::pathfinder
