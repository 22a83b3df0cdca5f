// The files of tests/data/fat_binaries.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

inline std::string file(const std::string& name) {
    std::ifstream stream(std::string(CUPRUM_TEST_DATA_FOLDER "/fat_binaries/") + name, std::ios::binary);
    EXPECT_TRUE(stream) << name;
    return {std::istreambuf_iterator<char>(stream), {}};
}
