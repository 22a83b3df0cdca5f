// What the driver's error log says about a piece of code.
#pragma once

#include <string>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {

// The log lines that a piece of code causes.
template <typename Code>
std::string log_of(Code&& code) {
    CUlogIterator start = 0;
    EXPECT_OK(cu().cuLogsCurrent(&start, 0));
    code();
    std::string text(25600, '\0');
    size_t size = text.size();
    EXPECT_OK(cu().cuLogsDumpToMemory(&start, text.data(), &size, 0));
    text.resize(size);
    return text;
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
