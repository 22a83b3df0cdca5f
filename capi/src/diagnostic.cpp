#include "cuprum/core/diagnostic.hpp"

#include <new>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/pathfinder.h"
#include "cuprum/capi/program.h"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

using Severity = core::Diagnostic::Severity;
static_assert(CUPRUM_SEVERITY_NOTE == static_cast<int32_t>(Severity::note));
static_assert(CUPRUM_SEVERITY_WARNING == static_cast<int32_t>(Severity::warning));
static_assert(CUPRUM_SEVERITY_ERROR == static_cast<int32_t>(Severity::error));

// None without memory.
std::optional<std::string> copy_of(const char* text) noexcept {
    try {
        return std::string(text == nullptr ? "" : text);
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

}  // namespace

cuprum_status cuprum_diagnostics_parse(uint32_t* count_out, const char* log) {
    // It may be the log of the thread's error, which the call clears.
    const std::optional<std::string> copy = copy_of(log);
    return run("cuprum_diagnostics_parse", [&](const Call& call) {
        call.require(count_out, "count_out");
        call.require(log, "log");
        if (!copy) {
            throw std::bad_alloc();
        }
        diagnostics() = core::parse_diagnostics(*copy);
        *count_out = static_cast<uint32_t>(diagnostics().size());
    });
}

cuprum_status cuprum_diagnostic(int32_t* severity_out, int32_t* line_out, int32_t* column_out, const char** file_out,
                                const char** code_out, const char** text_out, uint32_t index) {
    return run("cuprum_diagnostic", [&](const Call& call) {
        call.require(severity_out, "severity_out");
        call.require(line_out, "line_out");
        call.require(column_out, "column_out");
        call.require(file_out, "file_out");
        call.require(code_out, "code_out");
        call.require(text_out, "text_out");
        const std::vector<core::Diagnostic>& all = diagnostics();
        if (index >= all.size()) {
            call.refuse("index",
                        "is " + std::to_string(index) + "; the log had " + std::to_string(all.size()) + " diagnostics");
        }
        const core::Diagnostic& diagnostic = all[index];
        *file_out = lend(diagnostic.file, 0);
        *code_out = lend(diagnostic.code, 1);
        *text_out = lend(diagnostic.text, 2);
        *severity_out = static_cast<int32_t>(diagnostic.severity);
        *line_out = diagnostic.line;
        *column_out = diagnostic.column;
    });
}
