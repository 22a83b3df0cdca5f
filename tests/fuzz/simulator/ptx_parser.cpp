// Any text as PTX: the parser never crashes, and accepts what it prints of what it has accepted.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "module_printer.hpp"
#include "ptx/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace cuprum::simulator::ptx;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ParseResult result = parse(text);
    if (result.diagnostics.size() > 20) {
        std::abort();
    }
    for (const Diagnostic& diagnostic : result.diagnostics) {
        format(diagnostic, text);
    }
    // Printing walks every index and view of the module. Text of a module that was accepted must be accepted as well,
    // unless it holds so many registers or initial bytes that its printed form is too long to be worth it.
    uint64_t initial_bytes = 0;
    size_t registers = 0;
    for (const Variable& variable : result.module.variables) {
        initial_bytes += variable.initial_value.size();
    }
    for (const Function& function : result.module.functions) {
        registers += function.registers.size();
    }
    if (result.diagnostics.empty() && initial_bytes < 100000 && registers < 10000) {
        if (!parse(print(result.module)).diagnostics.empty()) {
            std::abort();
        }
    }
    return 0;
}
