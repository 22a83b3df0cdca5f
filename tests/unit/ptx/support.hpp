// What the tests of the PTX front end share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ptx/parser.hpp"

namespace cuprum::simulator::ptx {

// The header every module needs, on one line, so that `text` begins in line 2.
std::string module_text(std::string_view text);

// A module with one kernel `k` of that body, which stands in line 8. Declared around it: the variable `data` of 8 .u32,
// registers %r<10> .b32, %rd<10> .b64, %f<5> .f32, %fd<5> .f64, %p<5> .pred.
std::string kernel_text(std::string_view body);

// Parses; fails the test and shows the diagnostics if there are any.
Module parse_valid(const std::string& text);
Module parse_kernel(std::string_view body);

const Function& function_named(const Module& module, std::string_view name);
const Variable& variable_named(const Module& module, std::string_view name);

// The diagnostics as "line:column: message".
std::vector<std::string> diagnostics_of(const std::string& text);

std::vector<std::string> corpus_files();
std::string read_corpus_file(const std::string& name);

}  // namespace cuprum::simulator::ptx
