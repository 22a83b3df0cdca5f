// Rows of tables, and which of them a build takes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "cuprum/pathfinder/error.hpp"
#include "tuning.hpp"

namespace cuprum::parallel {
namespace {

class Tables : public testing::Test {
protected:
    void SetUp() override { unsetenv("CUPRUM_TUNINGS"); }
    void TearDown() override {
        unsetenv("CUPRUM_TUNINGS");
        unlink(path_.c_str());
    }
    void use(const std::string& rows) {
        std::ofstream(path_) << rows;
        setenv("CUPRUM_TUNINGS", path_.c_str(), 1);
    }
    static TuningCase scan(const std::string& size, const Operator& op) {
        return {"scan", {{"element", {size}}, {"operator", tuning_names(op)}}};
    }
    std::string error_of(const std::string& rows) {
        use(rows);
        try {
            static_cast<void>(find_tunings(scan("4", OpKind::plus), ""));
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "no error";
    }

private:
    std::string path_ = testing::TempDir() + "tunings_" + std::to_string(getpid()) + ".txt";
};

using Numbers = std::map<std::string, int64_t>;

TEST_F(Tables, RowsHoldForTheirArchitectureAlgorithmAndCase) {
    use("sm_77 scan element=3 : threads=64 vectors=3 blocks=2\n"
        "sm_78 select element=3 : threads=96\n");
    const Tunings found = find_tunings(scan("3", OpKind::plus), "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.at("sm_77"), (Numbers{{"threads", 64}, {"vectors", 3}, {"blocks", 2}}));
    EXPECT_TRUE(find_tunings(scan("5", OpKind::plus), "").empty());
}

TEST_F(Tables, TheRowWithTheMostConditionsCountsAndOfEqualsTheLast) {
    use("sm_77 scan element=3 operator=plus : threads=1\n"
        "sm_77 scan element=3 : threads=2\n"
        "sm_77 scan : threads=3  # a comment\n"
        "\n"
        "sm_77 scan element=3 operator=own : threads=4\n"
        "sm_77 scan element=3 operator=own : threads=5\n");
    EXPECT_EQ(find_tunings(scan("3", OpKind::plus), "").at("sm_77").at("threads"), 1);
    EXPECT_EQ(find_tunings(scan("3", OpKind::maximum), "").at("sm_77").at("threads"), 2);
    EXPECT_EQ(find_tunings(scan("5", OpKind::plus), "").at("sm_77").at("threads"), 3);
    EXPECT_EQ(find_tunings(scan("3", "a * b + 1"), "").at("sm_77").at("threads"), 5);
}

TEST_F(Tables, ARowOfTheTunersHoldsForThatOperatorAlone) {
    const TuningCase what = scan("3", "a * b + 1");
    const std::string row = tuning_row("sm_77", what, "threads=7");
    use(row + "\n");
    EXPECT_EQ(find_tunings(what, "").at("sm_77").at("threads"), 7) << row;
    EXPECT_TRUE(find_tunings(scan("3", "a * b + 2"), "").empty()) << row;
}

TEST_F(Tables, NumbersThatAreGivenStandBeforeTables) {
    use("sm_77 scan element=3 : threads=64\n");
    EXPECT_EQ(find_tunings(scan("3", OpKind::plus), "threads=32 blocks=1"),
              (Tunings{{"", {{"threads", 32}, {"blocks", 1}}}}));
    EXPECT_TRUE(find_tunings(scan("3", OpKind::plus), "cub").empty());
    EXPECT_THROW(static_cast<void>(find_tunings(scan("3", OpKind::plus), "threads=many")), InvalidArgument);
}

TEST_F(Tables, CubStandsForNoTable) {
    EXPECT_FALSE(find_tunings(scan("4", OpKind::plus), "").empty()) << "Cuprum's own table";
    setenv("CUPRUM_TUNINGS", "cub", 1);
    EXPECT_TRUE(find_tunings(scan("4", OpKind::plus), "").empty());
}

TEST_F(Tables, WhatCannotBeReadIsRefusedWithItsLine) {
    EXPECT_NE(error_of("\nsm_90 scan threads=3\n").find(", line 2"), std::string::npos);
    EXPECT_NE(error_of("sm_90 scan : threads=x").find("'threads=x'"), std::string::npos);
    EXPECT_NE(error_of("sm_90 scan : threads=-1").find("'threads=-1'"), std::string::npos);
    EXPECT_NE(error_of("sm_90 scan : Threads=1").find("'Threads=1'"), std::string::npos);
    EXPECT_NE(error_of("sm_90 scan element : threads=1").find("'element'"), std::string::npos);
    EXPECT_NE(error_of("hopper scan : threads=1").find("no row"), std::string::npos);
    EXPECT_NE(error_of("sm_90 scna : threads=1").find("'scna' cannot be tuned, expected scan, select, "),
              std::string::npos);
    setenv("CUPRUM_TUNINGS", "/nowhere/table.txt", 1);
    EXPECT_THROW(static_cast<void>(find_tunings(scan("4", OpKind::plus), "")), InvalidArgument);
}

TEST_F(Tables, NamesThatNothingReadsAreRefused) {
    EXPECT_NE(error_of("sm_90 scan : threads=64 look_back=4")
                  .find("scan has no number 'look_back', expected threads, vectors, blocks, from"),
              std::string::npos);
    EXPECT_EQ(error_of("sm_90 radix_sort : threads=64 look_back=4"), "no error");
    EXPECT_NE(error_of("sm_90 radix_sort elements=4 : threads=64")
                  .find("radix_sort has no condition 'elements', expected key, value"),
              std::string::npos)
        << "also of an algorithm that is not built";
    EXPECT_THROW(static_cast<void>(find_tunings(scan("4", OpKind::plus), "threads=64 blcoks=2")), InvalidArgument);
}

TEST_F(Tables, ProgramsSeeTheNumbersOfTheirArchitecture) {
    const std::string lines = tuning_lines({{"sm_90", {{"histogram_items", 8}}}});
    EXPECT_NE(lines.find("#if __CUDA_ARCH__ == 900\n"), std::string::npos);
    EXPECT_NE(lines.find("#define CUPRUM_TUNED_HISTOGRAM_ITEMS 8\n"), std::string::npos);
    EXPECT_EQ(tuning_lines({}), "");
}

}  // namespace
}  // namespace cuprum::parallel
