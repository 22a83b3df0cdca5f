#include "source_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "compile_notice.hpp"

namespace cuprum::cli {

namespace {

namespace fs = std::filesystem;

std::string shown_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

}  // namespace

std::string read_source(const std::string& path) {
    std::ostringstream content;
    if (path == "-") {
        content << std::cin.rdbuf();
        return std::move(content).str();
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    const bool is_folder = fs::is_directory(path);
    if (file && !is_folder) {
        content << file.rdbuf();
    }
    if (!file || is_folder) {
        throw UsageError("cannot read " + path + ": " + (is_folder ? "it is a folder" : std::strerror(errno)));
    }
    return std::move(content).str();
}

core::SourceType source_type_of(const std::string& path) {
    return fs::path(path).extension() == ".ptx" ? core::SourceType::ptx : core::SourceType::cxx;
}

core::ProgramOptions program_options(const std::string& path, const CommandLine& line) {
    core::ProgramOptions options;
    options.name = shown_name(path);
    options.arch = line.value("--arch");
    if (line.has("--std")) {
        options.std = line.value("--std");
    }
    // As every compiler has it, and NVRTC not: the file's own folder is searched first.
    std::error_code unknown;
    const fs::path folder = path == "-" ? fs::current_path(unknown) : fs::absolute(path, unknown).parent_path();
    options.include_path.push_back(folder.string());
    for (const std::string& include : line.values("--include")) {
        options.include_path.push_back(include);
    }
    for (const std::string& definition : line.values("--define")) {
        const std::size_t equals = definition.find('=');
        options.define_macro.emplace_back(definition.substr(0, equals),
                                          equals == std::string::npos ? "" : definition.substr(equals + 1));
    }
    options.extra_options = line.rest();
    return options;
}

core::ObjectCode compile_source(const std::string& path, const CommandLine& line, core::CodeType target,
                                const std::vector<std::string>& name_expressions) {
    const core::Program program(read_source(path), source_type_of(path), program_options(path, line));
    CompileNotice notice(shown_name(path));
    core::ObjectCode code = program.compile(target, name_expressions);
    notice.finish();
    std::fputs(core::Program::last_log().c_str(), stderr);
    return code;
}

}  // namespace cuprum::cli
