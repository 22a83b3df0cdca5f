// What nvJitLink's log says.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace cuprum::parallel {

// Whether the log says that no input defines the function: "Undefined reference to 'f' in 'a'" is the linker's and the
// simulator's form, "Unresolved extern function 'f'" that of ptxas, which compiles what was LTO-IR.
inline bool is_missing(const std::string& function, std::string_view log) {
    const std::string name = "'" + function + "'";
    while (!log.empty()) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(line.size() + (line.size() < log.size() ? 1 : 0));
        // Without their first letters, which come in both cases.
        const size_t said = std::min(line.find("ndefined"), line.find("nresolved"));
        if (said != std::string_view::npos && line.find(name, said) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace cuprum::parallel
