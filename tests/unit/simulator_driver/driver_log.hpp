// What the driver's error log says about a piece of code.
#pragma once

#include <string>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {

// Where the log's next line will be.
inline CUlogIterator end_of_log() {
    CUlogIterator end = 0;
    EXPECT_OK(cu().cuLogsCurrent(&end, 0));
    return end;
}

// The log lines from there on.
inline std::string log_since(CUlogIterator begin) {
    std::string text(25600, '\0');
    size_t size = text.size();
    EXPECT_OK(cu().cuLogsDumpToMemory(&begin, text.data(), &size, 0));
    text.resize(size);
    return text;
}

// The log lines that a piece of code causes.
template <typename Code>
std::string log_of(Code&& code) {
    const CUlogIterator begin = end_of_log();
    code();
    return log_since(begin);
}

inline testing::AssertionResult says(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        if (text.find(part) == std::string::npos) {
            return testing::AssertionFailure() << "'" << part << "' is missing in:\n" << text;
        }
    }
    return testing::AssertionSuccess();
}

}  // namespace cuprum::test
