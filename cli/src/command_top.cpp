// `cuprum top`: what the machine's GPUs do, now and from second to second.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "commands.hpp"
#include "gpu_state.hpp"
#include "indented_json.hpp"

namespace cuprum::cli {

namespace {

constexpr const char* clear_screen = "\x1b[H\x1b[J";
constexpr unsigned long default_interval = 1000;  // milliseconds

// One look at the GPUs, as it is printed.
std::string frame(const CommandLine& line, bool once, const Style& style) {
    const std::vector<GpuState> gpus = read_gpus();
    if (!line.has("--json")) return gpus_report(gpus, style);
    return once ? indented_json(to_json(gpus)) : to_json(gpus) + "\n";
}

}  // namespace

int show_top(const CommandLine& line) {
    if (!line.words().empty()) {
        throw UsageError("top takes options alone, given '" + line.words()[0] + "'");
    }
    const Style style(stdout);
    const bool once = line.has("--once");
    const bool is_screen = isatty(STDOUT_FILENO) != 0 && !line.has("--json") && !once;
    const std::chrono::milliseconds interval(line.number("--interval", 10, default_interval));
    const unsigned long count = once ? 1 : line.number("--count", 1, 0);
    // Rates are of the time between two looks: one look alone needs a moment before it.
    read_gpus();
    std::this_thread::sleep_for(once ? std::chrono::milliseconds(200) : interval);
    for (unsigned long shown = 1;; ++shown) {
        const std::string text = frame(line, once, style);
        std::fputs(((is_screen ? clear_screen : "") + text).c_str(), stdout);
        if (is_screen)
            std::fputs(style.dim("\n  every " + std::to_string(interval.count()) + " ms; Ctrl-C ends\n").c_str(),
                       stdout);
        if (std::fflush(stdout) != 0) return failure;  // nobody reads it any more
        if (shown == count) return success;
        std::this_thread::sleep_for(interval);
    }
}

}  // namespace cuprum::cli
