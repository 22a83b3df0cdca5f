#include "driver/process/configuration.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "driver/device/capability.hpp"
#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

[[noreturn]] void refuse_option(std::string_view key, std::string_view value, const char* expected) {
    throw DriverError(CUDA_ERROR_INVALID_VALUE, "CUPRUM_SIM: " + std::string(key) + "=" + std::string(value) +
                                                    " is not valid, expected " + expected);
}

// The number at the start of `text`, which is shortened by it; nothing if there is none.
std::optional<uint64_t> take_number(std::string_view& text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return number;
}

uint64_t parse_number(std::string_view key, std::string_view value, uint64_t low, uint64_t high, const char* expected) {
    std::string_view rest = value;
    const std::optional<uint64_t> number = take_number(rest);
    if (!number || !rest.empty() || *number < low || *number > high) refuse_option(key, value, expected);
    return *number;
}

uint64_t parse_bytes(std::string_view key, std::string_view value) {
    static constexpr uint64_t least = 16ull << 20;
    static constexpr uint64_t most = 1ull << 40;
    static const char* const expected = "a size from 16MiB to 1024GiB, such as 512MiB or 4GiB";
    static constexpr std::array<std::pair<std::string_view, uint64_t>, 4> units{
        {{"", 1}, {"KiB", 1ull << 10}, {"MiB", 1ull << 20}, {"GiB", 1ull << 30}}};
    std::string_view rest = value;
    const std::optional<uint64_t> number = take_number(rest);
    if (!number) refuse_option(key, value, expected);
    for (const auto& [unit, factor] : units) {
        if (rest != unit) continue;
        if (*number > most / factor || *number * factor < least) refuse_option(key, value, expected);
        return *number * factor;
    }
    refuse_option(key, value, expected);
}

std::chrono::milliseconds parse_time(std::string_view key, std::string_view value) {
    static constexpr uint64_t most = 1000ull * 3600 * 24 * 365;  // milliseconds
    static const char* const expected = "a time from 1ms to a year, in whole s or ms, such as 30s or 500ms";
    std::string_view rest = value;
    const std::optional<uint64_t> number = take_number(rest);
    const uint64_t factor = rest == "s" ? 1000 : rest == "ms" ? 1 : 0;
    if (!number || factor == 0 || *number == 0 || *number > most / factor) refuse_option(key, value, expected);
    return std::chrono::milliseconds(*number * factor);
}

void parse_capability(std::string_view key, std::string_view value, Configuration& configuration) {
    const std::optional<Capability> capability = find_capability(value);
    if (!capability) refuse_option(key, value, ("one of " + known_capabilities()).c_str());
    configuration.capability_major = capability->major;
    configuration.capability_minor = capability->minor;
}

// "13.0" is 13000, as cuDriverGetVersion has it.
int parse_cuda_version(std::string_view key, std::string_view value) {
    std::string_view rest = value;
    const std::optional<uint64_t> major = take_number(rest);
    const bool has_minor = !rest.empty() && rest.front() == '.';
    if (has_minor) rest.remove_prefix(1);
    const std::optional<uint64_t> minor = take_number(rest);
    const uint64_t version = major && minor && *minor < 100 ? *major * 1000 + *minor * 10 : 0;
    if (!has_minor || !rest.empty() || version < oldest_cuda_version || version > newest_cuda_version) {
        refuse_option(key, value, "a CUDA version from 12.0 to 13.5");
    }
    return static_cast<int>(version);
}

// Several are joined by '+'.
void parse_checks(std::string_view key, std::string_view value, Configuration& configuration) {
    std::string_view rest = value;
    bool more = true;
    while (more) {
        const size_t plus = rest.find('+');
        const std::string_view check = rest.substr(0, plus);
        more = plus != std::string_view::npos;
        if (more) rest.remove_prefix(plus + 1);
        if (check == "leaks") {
            configuration.check_leaks = true;
        } else if (check == "memory") {
            configuration.checks.memory = true;
        } else if (check == "races") {
            configuration.checks.races = true;
        } else if (check == "registers") {
            configuration.checks.registers = true;
        } else {
            refuse_option(key, value, "some of leaks, memory, races and registers, joined by '+'");
        }
    }
}

void parse_breakpoint(std::string_view key, std::string_view value, Configuration& configuration) {
    configuration.shows_faults = true;
    if (value == "faults") return;
    std::string reason;
    configuration.breakpoint = Breakpoint::parse(value, reason);
    if (configuration.breakpoint) return;
    refuse_option(key, value,
                  ("kernel, kernel:line, kernel:file.cu:line or kernel:ptx:line, with @block and /thread behind it if "
                   "only they are meant, or faults: " +
                   reason)
                      .c_str());
}

}  // namespace

Configuration parse_configuration(std::string_view text) {
    Configuration configuration;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        if (part.empty()) continue;
        const size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
        if (key == "seed") {
            configuration.seed = parse_number(key, value, 0, UINT64_MAX, "a whole number of at most 64 bits");
        } else if (key == "devices") {
            configuration.devices = static_cast<uint32_t>(parse_number(key, value, 0, 16, "a number from 0 to 16"));
        } else if (key == "threads") {
            configuration.threads = static_cast<uint32_t>(parse_number(key, value, 1, 256, "a number from 1 to 256"));
        } else if (key == "multiprocessors") {
            configuration.multiprocessors =
                static_cast<uint32_t>(parse_number(key, value, 1, 256, "a number from 1 to 256"));
        } else if (key == "memory") {
            configuration.memory = parse_bytes(key, value);
        } else if (key == "cc") {
            parse_capability(key, value, configuration);
        } else if (key == "cuda") {
            configuration.cuda_version = parse_cuda_version(key, value);
        } else if (key == "timeout") {
            configuration.timeout = parse_time(key, value);
        } else if (key == "launch") {
            if (value != "none") refuse_option(key, value, "none (kernels are not run)");
            configuration.launches = false;
        } else if (key == "video") {
            if (value != "isa" && value != "gpu") {
                refuse_option(key, value, "isa (results as the PTX ISA says) or gpu (as a GPU's emulation gives them)");
            }
            configuration.emulates_video = value == "gpu";
        } else if (key == "check") {
            parse_checks(key, value, configuration);
        } else if (key == "trace") {
            if (value.empty()) refuse_option(key, value, "the name of a file that can be written");
            configuration.trace = value;
        } else if (key == "profile") {
            if (value.empty()) refuse_option(key, value, "the name of a file that can be written");
            configuration.profile = value;
            configuration.checks.profile = true;
        } else if (key == "break") {
            parse_breakpoint(key, value, configuration);
        } else {
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                "CUPRUM_SIM: unknown option '" + std::string(key) +
                    "'; the options are seed, devices, memory, cc, cuda, multiprocessors, threads, timeout, "
                    "launch, trace, check, profile, break, video");
        }
    }
    return configuration;
}

}  // namespace cuprum::simulator::libcuda
