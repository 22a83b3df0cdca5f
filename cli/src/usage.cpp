#include "usage.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "commands.hpp"
#include "cuprum/pathfinder/nearest_names.hpp"

namespace cuprum::cli {

namespace {

constexpr Option json{"--json"};
constexpr Option toolkit{"--toolkit", {}, true};
constexpr Option verbose{"--verbose", "-v"};
constexpr Option help{"--help", "-h"};

constexpr Option find_options[] = {json, toolkit, verbose, help, {"--kind", {}, true}};
constexpr Option information_options[] = {json, toolkit, verbose, help};
constexpr Option report_options[] = {json, toolkit, help};
constexpr Option device_options[] = {json, help};
constexpr Option version_options[] = {help};
constexpr Option trace_options[] = {help, {"--output", "-o", true}, {"--no-kernels"}};
constexpr Option top_options[] = {json, help, {"--once"}, {"--interval", {}, true}, {"--count", {}, true}};
constexpr Option compile_options[] = {toolkit,
                                      help,
                                      {"--output", "-o", true},
                                      {"--type", {}, true},
                                      {"--name", {}, true},
                                      {"--arch", {}, true},
                                      {"--std", {}, true},
                                      {"--include", "-I", true},
                                      {"--define", "-D", true}};
constexpr Option run_options[] = {toolkit,
                                  help,
                                  json,
                                  {"--kernel", "-k", true},
                                  {"--grid", "-g", true},
                                  {"--block", "-b", true},
                                  {"--shared", {}, true},
                                  {"--device", {}, true},
                                  {"--print", {}, true},
                                  {"--arch", {}, true},
                                  {"--std", {}, true},
                                  {"--include", "-I", true},
                                  {"--define", "-D", true}};

constexpr Command all_commands[] = {
    {"find", "NAME [OPTION...]", "where a part of the CUDA toolkit is: cuprum find nvrtc",
     "  --kind KIND         library, headers, bitcode, static or tool; by default the first that has the name\n"
     "  -v, --verbose       also how it was found, and what was refused before\n"
     "  --toolkit VERSION   of a toolkit that fits, such as '>=12.4,<14' or 13\n"
     "  --json              prints JSON\n"
     "\n"
     "cuprum info -v lists the names.\n",
     find_options, &find_part},
    {"info", "[OPTION...]", "driver, devices, toolkit, and every part with its version and how it was found",
     "  -v, --verbose       also the parts that were not found\n"
     "  --toolkit VERSION   of a toolkit that fits, such as '>=12.4,<14' or 13\n"
     "  --json              prints JSON\n",
     information_options, &show_information},
    {"devices", "[OPTION...]", "the devices of the driver in use", "  --json              prints JSON\n",
     device_options, &list_devices},
    {"doctor", "[OPTION...]", "what is wrong with this machine's CUDA, and the command that fixes it",
     "  --toolkit VERSION   with a toolkit that fits, such as '>=12.4,<14' or 13\n"
     "  --json              prints JSON\n",
     report_options, &run_doctor},
    {"compile", "FILE [OPTION...] [-- NVRTC OPTION...]", "compiles CUDA C++ (or PTX) to PTX, a cubin or LTO-IR",
     "  -o, --output FILE   where the code goes, - for standard output; by default FILE with the code's suffix\n"
     "  --type TYPE         ptx, cubin or ltoir; by default what the output's suffix says, else ptx\n"
     "  --arch ARCH         such as sm_90; by default that of device 0, or compute_75 where there is none\n"
     "  --name EXPRESSION   also compile this instance of a template, such as 'scale<float>'; may be repeated\n"
     "  --std STANDARD      c++17 by default\n"
     "  -I, --include DIR   a folder of headers; FILE's own folder and the toolkit's are always added\n"
     "  -D, --define NAME[=VALUE]\n"
     "  --toolkit VERSION   with a toolkit that fits, such as '>=12.4,<14' or 13\n"
     "\n"
     "FILE is CUDA C++, or PTX if its name ends in .ptx; - is standard input. NVRTC's other options go behind --, as "
     "in\n"
     "  cuprum compile saxpy.cu -o saxpy.cubin --arch sm_90 -- --use_fast_math -lineinfo\n",
     compile_options, &compile_file},
    {"run", "FILE [OPTION...] [ARGUMENT...] [-- NVRTC OPTION...]",
     "compiles a file if needed, launches one of its kernels and prints the arrays",
     "  -k, --kernel NAME   the kernel's name, if there are several; of a template: 'scale<float>'\n"
     "  -g, --grid X[,Y,Z]  blocks in the grid; 1 by default\n"
     "  -b, --block X[,Y,Z] threads in a block; 1 by default\n"
     "  --shared BYTES      dynamic shared memory of each block\n"
     "  --device N          0 by default\n"
     "  --print COUNT       how many elements of each array are printed, or all; 8 by default\n"
     "  --json              prints JSON, with all elements\n"
     "  --arch, --std, -I, -D, --toolkit: as for cuprum compile\n"
     "\n"
     "FILE is CUDA C++ (.cu, or - for standard input), .ptx, .cubin or .fatbin. The arguments are the kernel's, in "
     "its\n"
     "order, each with its type: i8 i16 i32 i64 u8 u16 u32 u64 f32 f64.\n"
     "  f32:2.5             a number\n"
     "  f32[1000]           an array of zeros in device memory\n"
     "  f32[1000]=1.5       filled with that number\n"
     "  f32[4]=1,2,3,4      with these numbers\n"
     "  i32[1000]=iota      with 0, 1, 2 ...\n"
     "For example, on a machine with no GPU:\n"
     "  CUPRUM_DRIVER=sim cuprum run saxpy.cu --grid 4 --block 256 f32:2 'f32[1000]=iota' 'f32[1000]=1' i32:1000\n",
     run_options, &run_kernel},
    {"cache", "[list | size | clear | verify] [OPTION...]", "what compiles have left on disk",
     "  list                the entries, most recently used first\n"
     "  size                how many there are, and their bytes; this is the default\n"
     "  clear               removes all\n"
     "  verify              reads all, and removes those that are damaged or of another version of Cuprum\n"
     "  --json              prints JSON\n",
     device_options, &manage_cache},
    {"top", "[OPTION...]", "what the machine's GPUs do: a view that is renewed every second",
     "  --once              one look, and no more\n"
     "  --interval MS       milliseconds from one look to the next; 1000 by default\n"
     "  --count N           ends after so many looks\n"
     "  --json              prints JSON: a line for each look, or with --once one text\n"
     "\n"
     "It asks NVIDIA's management library (NVML), which is part of the driver. A simulated device is its process's "
     "own:\n"
     "with CUPRUM_DRIVER=sim, top shows its own.\n",
     top_options, &show_top},
    {"trace", "[OPTION...] -- COMMAND [ARGUMENT...]",
     "runs a command, and writes down its calls, kernels and ranges: for Perfetto",
     "  -o, --output FILE   trace.json by default; a name that does not end in .json gets text; %p is the process's "
     "id\n"
     "  --no-kernels        without the times of kernels and graphs, which takes an event before and after each "
     "launch\n"
     "\n"
     "The command is a program of Cuprum's, in any language: what calls CUDA's libraries past Cuprum is not seen. "
     "Give\n"
     "%p in the file's name where it starts others. Its exit status is the command's.\n",
     trace_options, &trace_command},
    {"version", "", "the version of Cuprum", "", version_options, &show_version},
};

std::string padded(std::string_view text, std::size_t width) {
    std::string result(text);
    result.resize(std::max(result.size() + 2, width), ' ');
    return result;
}

}  // namespace

std::span<const Command> commands() {
    return all_commands;
}

const Command& find_command(std::string_view name) {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        if (command.name == name) {
            return command;
        }
        names.emplace_back(command.name);
    }
    std::string advice;
    for (const std::string& near : pathfinder::nearest_names(name, names)) {
        advice += (advice.empty() ? "did you mean " : " or ") + near;
    }
    throw UsageError("there is no command '" + std::string(name) + "'",
                     advice.empty() ? "cuprum --help lists the commands" : advice + "?");
}

std::string general_help(const Style& style) {
    std::string text = style.heading("usage:") + " cuprum COMMAND [OPTION...]\n\n";
    for (const Command& command : commands()) {
        text += "  " + style.bold(padded(command.name, 10)) + std::string(command.summary) + "\n";
    }
    text += "\ncuprum COMMAND --help describes a command and its options.\n\n" + style.heading("exit codes:") +
            "\n  0  all is well\n"
            "  1  a part is not found, doctor found an error, or a source does not compile\n"
            "  2  the command line is wrong\n"
            "  3  anything else\n\n" +
            style.heading("environment:") +
            "\n  CUPRUM_DRIVER=gpu (the default), sim (the simulator, which needs no GPU) or auto (the GPU if there is "
            "one)\n"
            "  NO_COLOR=1  no colour; there is none but on a terminal\n";
    return text;
}

std::string help_of(const Command& command, const Style& style) {
    const std::string arguments = command.arguments.empty() ? "" : " " + std::string(command.arguments);
    std::string text = style.heading("usage:") + " cuprum " + std::string(command.name) + arguments + "\n\n" +
                       std::string(command.summary) + "\n";
    return command.details.empty() ? text : text + "\n" + std::string(command.details);
}

}  // namespace cuprum::cli
