// The messages of compilers and linkers, one by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::core {

struct Diagnostic {
    enum class Severity : int32_t { note = 0, warning = 1, error = 2 };

    Severity severity = Severity::note;
    std::string file;  // as the compile calls it; empty where the log names none
    int32_t line = 0;  // 1 is the first; 0 where the log has none
    int32_t column = 0;
    std::string code;  // "177-D", for --diag-suppress; empty where there is none
    std::string text;  // of several lines where the log has more to say
};

// The diagnostics in a log of NVRTC, ptxas or nvJitLink, in their order. Lines that are not diagnostics
// (summaries, remarks on options, the source itself) are left out. Takes any text; thread-safe.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

}  // namespace cuprum::core
