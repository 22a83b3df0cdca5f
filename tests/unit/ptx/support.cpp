#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cuprum::simulator::ptx {

std::string module_text(std::string_view text) {
    return ".version 8.0 .target sm_80 .address_size 64\n" + std::string(text);
}

std::string kernel_text(std::string_view body) {
    return module_text(
               ".global .u32 data[8];\n"
               ".visible .entry k() {\n"
               ".reg .b32 %r<10>; .reg .b64 %rd<10>;\n"
               ".reg .f32 %f<5>; .reg .f64 %fd<5>;\n"
               ".reg .pred %p<5>;\n"
               "\n") +
           std::string(body) + "\n}\n";
}

Module parse_valid(const std::string& text) {
    ParseResult result = parse(text);
    for (const Diagnostic& diagnostic : result.diagnostics) {
        ADD_FAILURE() << format(diagnostic, text);
    }
    return std::move(result.module);
}

Module parse_kernel(std::string_view body) {
    return parse_valid(kernel_text(body));
}

const Function& function_named(const Module& module, std::string_view name) {
    for (const Function& function : module.functions) {
        if (function.name == name) {
            return function;
        }
    }
    throw std::runtime_error("the module has no function " + std::string(name));
}

const Variable& variable_named(const Module& module, std::string_view name) {
    for (const Variable& variable : module.variables) {
        if (variable.name == name) {
            return variable;
        }
    }
    throw std::runtime_error("the module has no variable " + std::string(name));
}

std::vector<std::string> diagnostics_of(const std::string& text) {
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : parse(text).diagnostics) {
        messages.push_back(std::to_string(diagnostic.location.line) + ":" + std::to_string(diagnostic.location.column) +
                           ": " + diagnostic.message);
    }
    return messages;
}

std::vector<std::string> corpus_files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(CUPRUM_TEST_PTX_FOLDER)) {
        if (entry.path().extension() == ".ptx") {
            names.push_back(entry.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string read_corpus_file(const std::string& name) {
    std::ifstream file(std::filesystem::path(CUPRUM_TEST_PTX_FOLDER) / name, std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot read " + name);
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace cuprum::simulator::ptx
