// `cuprum run`
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/launch.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "indented_json.hpp"
#include "json_writer.hpp"
#include "kernel_argument.hpp"
#include "source_file.hpp"
#include "style.hpp"

namespace cuprum::cli {

namespace {

using core::CodeType;
using core::Dimensions;

constexpr std::size_t all_elements = static_cast<std::size_t>(-1);

Dimensions parse_dimensions(const CommandLine& line, std::string_view option) {
    if (!line.has(option)) {
        return {};
    }
    const std::string text = line.value(option);
    std::vector<std::uint32_t> sizes;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const auto size = parse_whole_number(std::string_view(text).substr(start, comma - start));
        if (!size || *size == 0 || *size > 0xFFFF'FFFF || sizes.size() == 3) {
            throw UsageError(std::string(option) + " takes one to three whole numbers from 1, given '" + text + "'",
                             "for example: " + std::string(option) + " 16,16");
        }
        sizes.push_back(static_cast<std::uint32_t>(*size));
        start = comma + 1;
    }
    sizes.resize(3, 1);
    return {sizes[0], sizes[1], sizes[2]};
}

// "1 block", "16x16 threads".
std::string text_of(const Dimensions& dimensions, const char* unit) {
    std::string text = std::to_string(dimensions.x);
    if (dimensions.y != 1 || dimensions.z != 1) {
        text += "x" + std::to_string(dimensions.y);
    }
    if (dimensions.z != 1) {
        text += "x" + std::to_string(dimensions.z);
    }
    return text + " " + unit + (text == "1" ? "" : "s");
}

std::size_t elements_to_print(const CommandLine& line) {
    return line.value("--print") == "all" ? all_elements : line.number("--print", 0, 8);
}

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return text == nullptr ? name : text.get();
}

// The only kernel, where none is named.
core::Kernel only_kernel(const std::string& path, const core::ObjectCode& code) {
    const std::vector<std::string>& names = code.kernel_names();
    if (names.size() == 1) {
        return code.get_kernel(names[0]);
    }
    std::string list;
    for (const std::string& name : names) {
        list += "\n  " + demangled(name);
    }
    throw UsageError(path + (names.empty() ? " has no kernel" : " has several kernels:" + list),
                     names.empty() ? "an instance of a template is named: --kernel 'scale<float>'"
                                   : "name one of them with --kernel");
}

core::Kernel compiled_kernel(const std::string& path, const CommandLine& line) {
    const std::string name = line.value("--kernel");
    const bool is_source = source_type_of(path) == core::SourceType::cxx;
    // Only a name expression finds templates and what lies in namespaces.
    const bool is_expression = name.find_first_of("<:") != std::string::npos;
    const std::vector<std::string> expressions = is_expression ? std::vector{name} : std::vector<std::string>();
    const core::ObjectCode code = compile_source(path, line, CodeType::native, expressions);
    if (name.empty()) {
        return only_kernel(path, code);
    }
    if (is_source && !is_expression) {
        // A kernel that is not extern "C" has a mangled name; the one that was written is meant.
        const std::string mangled = "_Z" + std::to_string(name.size()) + name;
        for (const std::string& known : code.kernel_names()) {
            if (known.starts_with(mangled)) {
                return code.get_kernel(known);
            }
        }
    }
    return code.get_kernel(name);
}

core::Kernel load_kernel(const std::string& path, const CommandLine& line) {
    const std::string suffix = std::filesystem::path(path).extension().string();
    if (suffix != ".cubin" && suffix != ".fatbin") {
        return compiled_kernel(path, line);
    }
    static_cast<void>(read_source(path));  // says in the tool's own words that there is no such file
    const core::ObjectCode code =
        core::ObjectCode::from_file(path, suffix == ".cubin" ? CodeType::cubin : CodeType::fatbin);
    return line.has("--kernel") ? code.get_kernel(line.value("--kernel")) : only_kernel(path, code);
}

struct Run {
    std::string kernel;
    core::LaunchConfig config;
    std::string device;
    float milliseconds = 0;
    std::vector<KernelArgument> arguments;  // the arrays as the kernel left them
    std::vector<bool> is_changed;           // by argument
};

void launch_and_read_back(const core::Device& device, const core::Kernel& kernel, Run& run) {
    const core::Stream stream = device.create_stream();
    std::vector<core::Buffer> buffers;
    buffers.reserve(run.arguments.size());  // their addresses are given to the launch
    std::vector<const void*> addresses;
    std::vector<core::ArgumentType> types;
    for (const KernelArgument& argument : run.arguments) {
        if (!argument.is_array()) {
            addresses.push_back(argument.bytes().data());
            types.push_back({static_cast<std::uint32_t>(argument.bytes().size())});
            continue;
        }
        buffers.push_back(device.allocate(argument.bytes().size()));
        buffers.back().copy_from_host(argument.bytes().data(), argument.bytes().size(), stream);
        addresses.push_back(buffers.back().address_of_handle());
        types.push_back({sizeof(core::DevicePointer)});
    }
    const core::Event begin = stream.record({.timing_enabled = true});
    core::launch_arguments(stream, run.config, kernel, addresses, types);
    const core::Event end = stream.record({.timing_enabled = true});
    stream.sync();
    run.milliseconds = end - begin;
    std::size_t next = 0;
    for (KernelArgument& argument : run.arguments) {
        const std::vector<std::byte> given = argument.bytes();
        if (argument.is_array()) {
            buffers[next++].copy_to_host(argument.bytes().data(), argument.bytes().size());
        }
        run.is_changed.push_back(argument.bytes() != given);
    }
}

std::string report(const Run& run, std::size_t count, const Style& style) {
    char time[32];
    std::snprintf(time, sizeof time, "%.3f ms", static_cast<double>(run.milliseconds));
    std::string text = style.heading(run.kernel) + "  " + text_of(run.config.grid, "block") + " of " +
                       text_of(run.config.block, "thread") + "  " + time + "  " + style.dim("(" + run.device + ")") +
                       "\n";
    std::size_t width = 0;
    for (const KernelArgument& argument : run.arguments) {
        width = std::max(width, argument.type_text().size());
    }
    for (std::size_t i = 0; i < run.arguments.size(); ++i) {
        const KernelArgument& argument = run.arguments[i];
        std::string type = argument.type_text();
        type.resize(width + 2, ' ');
        text += "  " + style.dim(std::to_string(i)) + "  " + type;
        const std::size_t shown = argument.is_array() ? std::min(count, argument.length()) : 1;
        for (std::size_t element = 0; element < shown; ++element) {
            text += (element == 0 ? "" : " ") + argument.element(element, false);
        }
        text += shown < argument.length() ? " ..." : "";
        text += argument.is_array() && !run.is_changed[i] ? "  " + style.dim("(unchanged)") : "";
        text += '\n';
    }
    return text;
}

// JSON has no infinities and no NaN: they are texts there.
std::string json_element(const KernelArgument& argument, std::size_t index) {
    const std::string text = argument.element(index, true);
    const bool is_number = text.find_first_of("0123456789") != std::string::npos;
    return is_number ? text : "\"" + text + "\"";
}

std::string to_json(const Run& run) {
    const auto dimensions = [](const Dimensions& size) {
        return "[" + std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z) + "]";
    };
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", static_cast<double>(run.milliseconds));
    std::string json = "{\"kernel\":" + capi::json_string(run.kernel) + ",\"device\":" + capi::json_string(run.device) +
                       ",\"grid\":" + dimensions(run.config.grid) + ",\"block\":" + dimensions(run.config.block) +
                       ",\"milliseconds\":" + time + ",\"arguments\":[";
    for (std::size_t i = 0; i < run.arguments.size(); ++i) {
        const KernelArgument& argument = run.arguments[i];
        json += (i == 0 ? "{\"type\":" : ",{\"type\":") + capi::json_string(argument.type_text());
        if (argument.is_array()) {
            json += std::string(",\"changed\":") + (run.is_changed[i] ? "true" : "false") + ",\"values\":[";
            for (std::size_t element = 0; element < argument.length(); ++element) {
                json += (element == 0 ? "" : ",") + json_element(argument, element);
            }
            json += "]}";
        } else {
            json += ",\"value\":" + json_element(argument, 0) + "}";
        }
    }
    return json + "]}";
}

}  // namespace

int run_kernel(const CommandLine& line) {
    if (line.words().empty()) {
        throw UsageError("run needs a file",
                         "for example: cuprum run saxpy.cu --grid 4 --block 256 f32:2 'f32[1000]=1'");
    }
    const std::string& path = line.words()[0];
    // Everything that was written is read before anything is compiled.
    Run run;
    for (std::size_t i = 1; i < line.words().size(); ++i) {
        run.arguments.emplace_back(line.words()[i]);
    }
    run.config.grid = parse_dimensions(line, "--grid");
    run.config.block = parse_dimensions(line, "--block");
    run.config.shmem_size = static_cast<std::uint32_t>(line.number("--shared", 0, 0));
    const std::size_t count = elements_to_print(line);
    const auto device_id = static_cast<std::int32_t>(line.number("--device", 0, 0) & 0x7FFF'FFFF);

    const core::Device device(device_id);
    const core::Kernel kernel = load_kernel(path, line);
    run.kernel = demangled(kernel.name());
    run.device = device.name();
    launch_and_read_back(device, kernel, run);
    const std::string text = line.has("--json") ? indented_json(to_json(run)) : report(run, count, Style(stdout));
    std::fputs(text.c_str(), stdout);
    return success;
}

}  // namespace cuprum::cli
