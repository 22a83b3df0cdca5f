// Parses PTX text into a Module. Never throws on bad input, never crashes: arbitrary bytes give diagnostics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace cuprum::simulator::ptx {

struct Diagnostic {
    SourceLocation location;
    std::string message;  // one line: what was found, what was expected
};

struct ParseResult {
    Module module;                        // meaningful only when diagnostics is empty
    std::vector<Diagnostic> diagnostics;  // at most 20; the first is the one to act on
};

// Thread-safe. `text` may or may not end in NUL characters; they are ignored.
ParseResult parse(std::string_view text);

// "ptxas-style" text for an error log: "line 12, column 5: ..." and the offending line.
std::string format(const Diagnostic& diagnostic, std::string_view text);

}  // namespace cuprum::simulator::ptx
