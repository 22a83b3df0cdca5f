// `cuprum trace`: a command, and a trace of its calls, kernels and ranges.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "cuprum/core/error.hpp"
#include "style.hpp"

namespace cuprum::cli {

namespace {

// What a shell says of a command that it cannot start.
constexpr int cannot_start = 127;
constexpr int by_signal = 128;

// The command's exit status as a shell has it.
int run_command(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        throw InvalidState("starting a command", words[0], std::generic_category().message(errno));
    }
    if (child == 0) {
        execvp(arguments[0], arguments.data());
        std::fprintf(stderr, "cuprum: %s: %s\n", arguments[0], std::generic_category().message(errno).c_str());
        _exit(cannot_start);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
}

}  // namespace

int trace_command(const CommandLine& line) {
    std::vector<std::string> words = line.words();
    words.insert(words.end(), line.rest().begin(), line.rest().end());
    if (words.empty()) {
        throw UsageError("there is no command to trace", "cuprum trace -- python program.py");
    }
    const std::string file = line.has("--output") ? line.value("--output") : "trace.json";
    const std::string path = std::filesystem::absolute(file).string();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);  // a former one is not taken for this command's
    setenv("CUPRUM_TRACE", path.c_str(), 1);
    setenv("CUPRUM_TRACE_KERNELS", line.has("--no-kernels") ? "0" : "1", 1);
    const int status = run_command(words);
    const Style style(stderr);
    if (path.find("%p") != std::string::npos) return status;
    if (std::filesystem::exists(path)) {
        std::fprintf(stderr, "%s the trace is in %s; ui.perfetto.dev opens it\n", style.dim("cuprum:").c_str(),
                     file.c_str());
    } else {
        std::fprintf(stderr, "%s the command has made no call through Cuprum: there is no trace\n",
                     style.yellow("cuprum:").c_str());
    }
    return status;
}

}  // namespace cuprum::cli
