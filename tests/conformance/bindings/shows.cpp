#include "shows.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "cuprum/bindings/trace.hpp"

namespace cuprum::bindings::test {
namespace {

// "... us  thread 7  cuInit(Flags=0) = CUDA_SUCCESS"; functions that give a text have that as their result.
std::set<std::string> succeeded_calls(const std::string& trace) {
    std::set<std::string> names;
    std::ifstream calls(trace);
    for (std::string line; std::getline(calls, line);) {
        const std::size_t open = line.find('(');
        const std::size_t name = line.rfind(' ', open) + 1;
        const std::string_view result = std::string_view(line).substr(line.rfind(" = ") + 3);
        if (result.ends_with("SUCCESS") || result == "cudaSuccess" || result.starts_with('"')) {
            names.insert(line.substr(name, open - name));
        }
    }
    return names;
}

std::string skip_reason(const testing::TestResult& result) {
    for (int i = 0; i < result.total_part_count(); ++i) {
        if (result.GetTestPartResult(i).skipped()) {
            return result.GetTestPartResult(i).message();
        }
    }
    return "no reason given";
}

}  // namespace

Shows::Shows(std::initializer_list<const char*> functions)
    : functions_(functions.begin(), functions.end()),
      trace_(std::filesystem::temp_directory_path() / ("cuprum-shows-" + std::to_string(getpid()) + ".txt")) {
    start_trace(trace_);
}

Shows::~Shows() {
    stop_trace();
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    const bool skipped = testing::Test::IsSkipped();
    const std::set<std::string> calls = succeeded_calls(trace_);
    std::filesystem::remove(trace_);
    for (const std::string& function : functions_) {
        EXPECT_TRUE(skipped || calls.contains(function))
            << "the test says that it shows " << function << ", and has not called it with success";
    }
    const char* const file = std::getenv("CUPRUM_TEST_SHOWN");
    if (file == nullptr || testing::Test::HasFailure()) {
        return;
    }
    static std::ofstream record(file);  // a run begins a new one
    for (const std::string& function : functions_) {
        record << (skipped ? "skipped" : "shown") << '\t' << function << '\t' << test.test_suite_name() << '.'
               << test.name() << '\t' << (skipped ? skip_reason(*test.result()) : "") << std::endl;
    }
}

}  // namespace cuprum::bindings::test
