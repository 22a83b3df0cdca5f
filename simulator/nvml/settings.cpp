#include "nvml/settings.hpp"

#include <charconv>
#include <cstdio>
#include <string_view>

namespace cuprum::simulator::nvml {

namespace {

struct Option {
    std::string_view name;
    std::optional<unsigned int> Settings::*value;
    unsigned int most;
};
constexpr Option options[] = {{"temperature", &Settings::temperature, 150},
                              {"power", &Settings::power, 2000},
                              {"utilization", &Settings::utilization, 100},
                              {"fan", &Settings::fan, 100}};

bool set(Settings& settings, std::string_view part) {
    const size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const std::string_view text = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    unsigned int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    for (const Option& option : options) {
        if (option.name != name) continue;
        if (error != std::errc{} || end != text.data() + text.size() || number > option.most) return false;
        settings.*option.value = number;
        return true;
    }
    return false;
}

}  // namespace

std::optional<Settings> parse_settings(const std::string& text) {
    Settings settings;
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        if (!part.empty() && !set(settings, part)) {
            std::fprintf(stderr,
                         "Cuprum's simulator: CUPRUM_SIM_NVML: '%s' is not valid; it is a list of temperature=0..150 "
                         "(degrees Celsius), power=0..2000 (watts), utilization=0..100 and fan=0..100 (percent)\n",
                         std::string(part).c_str());
            return std::nullopt;
        }
    }
    return settings;
}

}  // namespace cuprum::simulator::nvml
