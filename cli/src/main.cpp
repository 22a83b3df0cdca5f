// `cuprum`: where the parts of CUDA are, what is wrong with them, and a kernel's way from its source to its results.
// docs/command-line.md describes it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "cuprum/core/error.hpp"
#include "usage.hpp"

namespace cuprum::cli {

namespace {

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

bool is_help(std::string_view word) {
    return word == "--help" || word == "-h" || word == "help";
}

int run(std::vector<std::string> words) {
    const Style style(stdout);
    if (words.empty()) {
        print(general_help(style));
        return success;
    }
    if (is_help(words[0])) {
        print(words.size() > 1 ? help_of(find_command(words[1]), style) : general_help(style));
        return success;
    }
    if (words[0] == "--version") {
        words[0] = "version";
    }
    // The command is the first word that is no option: `cuprum --json info` is `cuprum info --json`.
    auto name = words.begin();
    while (name != words.end() && name->starts_with('-')) {
        name += *name == "--toolkit" && name + 1 != words.end() ? 2 : 1;
    }
    if (name == words.end()) {
        throw UsageError("there is no command", "cuprum --help lists the commands");
    }
    const Command& command = find_command(*name);
    words.erase(name);
    const CommandLine line(words, command.options);
    if (line.has("--help")) {
        print(help_of(command, style));
        return success;
    }
    if (line.has("--toolkit")) {
        // The same as the variable, so that doctor and a toolkit that is missing are treated alike.
        setenv("CUPRUM_TOOLKIT", line.value("--toolkit").c_str(), 1);
    }
    return command.run(line);
}

// On standard error: what is wrong, then what to do about it.
void report(const std::string& problem, const std::string& advice = {}) {
    const Style style(stderr);
    std::fprintf(stderr, "%s %s\n", style.red("cuprum:").c_str(), problem.c_str());
    if (!advice.empty()) {
        std::fprintf(stderr, "%s\n", advice.c_str());
    }
}

// The parts of an error that help the person who typed the command.
std::string in_plain_words(const Error& error) {
    return error.object().empty() ? error.detail() : error.object() + ": " + error.detail();
}

std::string in_plain_words(const NotFound& error) {
    std::string text = error.operation() + ": " + error.detail();
    for (const RejectedCandidate& candidate : error.candidates()) {
        text += "\n  " + candidate.path + ": " + candidate.reason;
    }
    return text;
}

std::string in_plain_words(const KernelNotFound& error) {
    std::string text = error.operation() + ": " + error.object() + " has no kernel of that name";
    for (const std::string& name : error.available()) {
        text += "\n  it has " + name;
    }
    return text;
}

int report_compile_error(const CompileError& error) {
    std::string log = error.log();
    log.erase(log.find_last_not_of('\n') + 1);
    report(error.object() + " does not compile\n" + log, error.advice());
    return not_found;
}

}  // namespace

}  // namespace cuprum::cli

int main(int count, char** words) {
    using namespace cuprum;
    try {
        return cli::run(std::vector<std::string>(words + std::min(count, 1), words + count));
    } catch (const cli::UsageError& error) {
        cli::report(error.what(), error.advice());
        return cli::bad_usage;
    } catch (const InvalidArgument& error) {
        cli::report(cli::in_plain_words(error), error.advice());
        return cli::bad_usage;
    } catch (const ArgumentMismatch& error) {
        cli::report(cli::in_plain_words(error), error.advice());
        return cli::bad_usage;
    } catch (const CompileError& error) {
        return cli::report_compile_error(error);
    } catch (const NotFound& error) {
        cli::report(cli::in_plain_words(error), error.advice());
        return cli::not_found;
    } catch (const KernelNotFound& error) {
        cli::report(cli::in_plain_words(error), error.advice());
        return cli::not_found;
    } catch (const std::exception& error) {
        cli::report(error.what());
        return cli::failure;
    }
}
