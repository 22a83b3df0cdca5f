// `cuprum compile`
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "commands.hpp"
#include "source_file.hpp"
#include "style.hpp"

namespace cuprum::cli {

namespace {

using core::CodeType;

struct CodeName {
    const char* name;  // also the suffix of its files
    CodeType type;
};
constexpr CodeName code_names[] = {{"ptx", CodeType::ptx}, {"cubin", CodeType::cubin}, {"ltoir", CodeType::ltoir}};

std::optional<CodeName> find_code_name(const std::string& name) {
    for (const CodeName& code : code_names) {
        if (name == code.name) {
            return code;
        }
    }
    return std::nullopt;
}

CodeName wanted_code(const CommandLine& line) {
    if (line.has("--type")) {
        if (const auto code = find_code_name(line.value("--type"))) {
            return *code;
        }
        throw UsageError("there is no type '" + line.value("--type") + "'", "--type takes ptx, cubin or ltoir");
    }
    const std::string suffix = std::filesystem::path(line.value("--output")).extension().string();
    return find_code_name(suffix.empty() ? "" : suffix.substr(1)).value_or(code_names[0]);
}

void write_code(const std::string& path, const std::string& code) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << code;
    file.close();
    if (!file) {
        throw UsageError("cannot write " + path + ": " + std::strerror(errno), "name another file with -o");
    }
}

}  // namespace

int compile_file(const CommandLine& line) {
    if (line.words().size() != 1) {
        throw UsageError(line.words().empty() ? "compile needs a file"
                                              : "compile takes one file, given also '" + line.words()[1] + "'",
                         "for example: cuprum compile saxpy.cu -o saxpy.ptx");
    }
    const std::string& path = line.words()[0];
    const CodeName wanted = wanted_code(line);
    std::string output = line.value("--output");
    if (output.empty()) {
        output = path == "-" ? "-" : std::filesystem::path(path).replace_extension(wanted.name).string();
        if (output == path && path != "-") {
            throw UsageError(path + " is PTX already", "name the output with -o, or another --type: cubin");
        }
    }
    const core::ObjectCode code = compile_source(path, line, wanted.type, line.values("--name"));
    if (output == "-") {
        std::fwrite(code.code().data(), 1, code.code().size(), stdout);
        return success;
    }
    write_code(output, code.code());
    const std::string size = "(" + std::to_string(code.code().size()) + " bytes)";
    std::printf("%s  %s\n", output.c_str(), Style(stdout).dim(size).c_str());
    for (const auto& [expression, name] : code.symbol_mapping()) {
        std::printf("  %s is %s\n", expression.c_str(), name.c_str());
    }
    return success;
}

}  // namespace cuprum::cli
