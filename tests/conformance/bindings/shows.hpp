// What a test shows: the functions of most_used.txt whose work its expectations are about.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace cuprum::bindings::test {

/// Stands at the beginning of a test. At the test's end, each of the functions must have been called in it and have
/// succeeded: the trace of the calls says so. CUPRUM_TEST_SHOWN names a file that gets a line for each function,
/// "shown" if the test has passed, "skipped" with the reason if it was skipped; check_most_used.py reads them.
/// One at a time.
class Shows {
public:
    Shows(std::initializer_list<const char*> functions);
    ~Shows();
    Shows(const Shows&) = delete;
    Shows& operator=(const Shows&) = delete;

private:
    std::vector<std::string> functions_;
    std::string trace_;
};

}  // namespace cuprum::bindings::test
