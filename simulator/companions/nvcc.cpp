// nvcc, before the real one: where a cubin is asked for, the real nvcc is asked for PTX, and the cubin is the
// simulator's own object. Where programs are to hold machine code alone (-gencode arch=compute_80,code=sm_80), they get
// PTX instead. Everything else is passed on.
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "companions/architecture.hpp"
#include "image/simulator_object.hpp"
#include "ptx/linker.hpp"

namespace cuprum::simulator::companions {
namespace {

constexpr const char* real_nvcc_variable = "CUPRUM_SIM_NVCC";

[[noreturn]] void fail(const std::string& text) {
    std::fprintf(stderr, "cuprum: nvcc on the simulator: %s\n", text.c_str());
    std::exit(1);
}

std::optional<struct stat> status_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return std::nullopt;
    return status;
}

// The one that CUPRUM_SIM_NVCC names, or the first on PATH that is not this program.
std::string find_real_nvcc() {
    if (const char* const given = std::getenv(real_nvcc_variable); given != nullptr && *given != '\0') return given;
    const auto own = status_of("/proc/self/exe");
    const char* const path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, end)) + "/nvcc";
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto found = status_of(candidate);
        if (!found || access(candidate.c_str(), X_OK) != 0) continue;
        if (own && found->st_dev == own->st_dev && found->st_ino == own->st_ino) continue;
        return candidate;
    }
    fail(
        std::string("there is no real nvcc on PATH; install one (pip install nvidia-cuda-nvcc), or name its file in ") +
        real_nvcc_variable);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), text) != names.end();
}

// "code=sm_80" to "code=compute_80", wherever an option says for which architecture code is made.
std::string with_virtual_code(std::string argument) {
    const size_t code = argument.find("code=");
    if (code == std::string::npos) return argument;
    for (size_t real = argument.find("sm_", code); real != std::string::npos; real = argument.find("sm_", real))
        argument.replace(real, 3, "compute_");
    return argument;
}

// Options that may name architectures in their value.
bool chooses_code(std::string_view argument) {
    for (const std::string_view name : {"-gencode", "--generate-code", "-code", "--gpu-code", "arch=compute_"}) {
        if (argument.substr(0, name.size()) == name) return true;
    }
    return false;
}

std::vector<char*> pointers(std::vector<std::string>& arguments) {
    std::vector<char*> result;
    result.reserve(arguments.size() + 1);
    for (std::string& argument : arguments)
        result.push_back(argument.data());
    result.push_back(nullptr);
    return result;
}

[[noreturn]] void become(std::vector<std::string> arguments) {
    execv(arguments[0].c_str(), pointers(arguments).data());
    fail(arguments[0] + " cannot be run");
}

int run(std::vector<std::string> arguments) {
    pid_t child = 0;
    if (posix_spawn(&child, arguments[0].c_str(), nullptr, nullptr, pointers(arguments).data(), environ) != 0)
        fail(arguments[0] + " cannot be run");
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// What a command line asks for.
struct Request {
    bool cubin = false;
    std::string output;
    std::string input;                 // the only source file; empty if there are several or none
    std::vector<std::string> options;  // all but what asks for a cubin and names the output
};

Request parse(int count, char** arguments) {
    Request request;
    size_t inputs = 0;
    for (int index = 1; index < count; ++index) {
        const std::string argument = arguments[index];
        if (is_one_of(argument, {"-cubin", "--cubin"})) {
            request.cubin = true;
        } else if (is_one_of(argument, {"-o", "--output-file"}) && index + 1 < count) {
            request.output = arguments[++index];
        } else {
            const size_t dot = argument.rfind('.');
            const bool is_source =
                !argument.empty() && argument[0] != '-' && dot != std::string::npos &&
                is_one_of(std::string_view(argument).substr(dot), {".cu", ".c", ".cc", ".cpp", ".cxx"});
            if (is_source) request.input = ++inputs == 1 ? argument : "";
            request.options.push_back(argument);
        }
    }
    return request;
}

std::string file_name_without_ending(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.substr(0, name.rfind('.'));
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// 0 if there is none.
uint32_t register_limit_in(const std::vector<std::string>& options) {
    for (size_t index = 0; index < options.size(); ++index) {
        const std::optional<uint32_t> limit = register_limit(options[index]);
        if (!limit) continue;
        if (*limit != 0 || index + 1 == options.size()) return *limit;
        return static_cast<uint32_t>(std::strtoul(options[index + 1].c_str(), nullptr, 10));
    }
    return 0;
}

// The architecture that PTX was made for: 80 of ".target sm_80".
uint32_t target_of(std::string_view ptx) {
    const size_t target = ptx.find(".target ");
    return target == std::string_view::npos ? 0 : real_architecture(ptx.substr(target + 8)).value_or(0);
}

int make_cubin(const std::string& nvcc, Request request) {
    if (request.output.empty()) request.output = file_name_without_ending(request.input) + ".cubin";
    // nvcc's options are spelled as NVRTC's are, but for those that choose architecture and code apart.
    for (std::string& option : request.options)
        if (chooses_code(option)) option = with_virtual_code(std::move(option));
    std::vector<const char*> options;
    options.reserve(request.options.size());
    for (const std::string& option : request.options)
        options.push_back(option.c_str());
    const uint32_t max_registers = register_limit_in(request.options);
    if (const auto machine_code = machine_code_request(options)) request.options = machine_code->options;
    const std::string ptx_file = request.output + ".ptx." + std::to_string(getpid());
    std::vector<std::string> command{nvcc, "-ptx", "-o", ptx_file};
    command.insert(command.end(), request.options.begin(), request.options.end());
    const int status = run(std::move(command));
    std::string ptx = read_file(ptx_file);
    unlink(ptx_file.c_str());
    if (status != 0) return status;
    if (ptx.empty()) fail("the real nvcc made no PTX of " + request.input);
    if (max_registers != 0) {
        const ptx::LinkInput input{request.input, ptx};
        ptx::LinkResult limited = ptx::link({&input, 1}, max_registers);
        if (!limited.errors.empty()) fail("the PTX of " + request.input + " cannot be read");
        ptx = std::move(limited.text);
    }
    std::ofstream output(request.output, std::ios::binary | std::ios::trunc);
    output << image::make_simulator_object(target_of(ptx), ptx);
    output.close();
    if (!output) fail(request.output + " cannot be written");
    return 0;
}

int main_of_nvcc(int count, char** arguments) {
    const std::string nvcc = find_real_nvcc();
    const bool only_shows = std::any_of(arguments + 1, arguments + count, [](const char* argument) {
        return is_one_of(argument, {"-dryrun", "--dryrun", "-h", "--help"});
    });
    Request request = parse(count, arguments);
    if (request.cubin && !request.input.empty() && !only_shows) return make_cubin(nvcc, std::move(request));
    std::vector<std::string> command{nvcc};
    for (int index = 1; index < count; ++index) {
        std::string argument = arguments[index];
        if (chooses_code(argument)) argument = with_virtual_code(std::move(argument));
        command.push_back(std::move(argument));
    }
    become(std::move(command));
}

}  // namespace
}  // namespace cuprum::simulator::companions

int main(int count, char** arguments) {
    return cuprum::simulator::companions::main_of_nvcc(count, arguments);
}
