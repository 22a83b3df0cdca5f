// NVRTC's options, read for the architecture that they ask code for.
#include "companions/architecture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cuprum::simulator::companions {
namespace {

using testing::ElementsAre;

std::optional<CompileRequest> request(std::vector<const char*> options) {
    return machine_code_request(options);
}

TEST(ArchitectureTest, ARealArchitectureBecomesAVirtualOne) {
    for (const std::vector<const char*>& options :
         {std::vector{"--gpu-architecture=sm_80"}, std::vector{"-arch=sm_80"},
          std::vector{"--gpu-architecture", "sm_80"}, std::vector{"-arch", "sm_80"}}) {
        const auto found = request(options);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->architecture, 80u);
        EXPECT_THAT(found->options, ElementsAre("--gpu-architecture=compute_80"));
    }
}

TEST(ArchitectureTest, ASuffixIsKept) {
    const auto found = request({"-arch=sm_90a"});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->architecture, 90u);
    EXPECT_THAT(found->options, ElementsAre("--gpu-architecture=compute_90a"));
}

TEST(ArchitectureTest, OtherOptionsStayInTheirOrder) {
    const auto found = request({"-std=c++17", "-arch=sm_80", "-I", "/headers", "-DNAME=sm_80"});
    ASSERT_TRUE(found);
    EXPECT_THAT(found->options,
                ElementsAre("-std=c++17", "--gpu-architecture=compute_80", "-I", "/headers", "-DNAME=sm_80"));
}

TEST(ArchitectureTest, WhatSpeaksToTheAssemblerIsLeftOut) {
    const auto found = request({"-Xptxas", "-v", "--ptxas-options=-O1", "-arch=sm_80", "-G"});
    ASSERT_TRUE(found);
    EXPECT_THAT(found->options, ElementsAre("--gpu-architecture=compute_80", "-G"));
}

TEST(ArchitectureTest, ARegisterLimitIsNoted) {
    EXPECT_EQ(request({"-arch=sm_80", "--maxrregcount=38"})->max_registers, 38u);
    EXPECT_EQ(request({"-arch=sm_80", "-maxrregcount", "40"})->max_registers, 40u);
    EXPECT_EQ(request({"-arch=sm_80"})->max_registers, 0u);
}

TEST(ArchitectureTest, WithoutARealArchitectureThereIsNothingToDo) {
    EXPECT_FALSE(request({}));
    EXPECT_FALSE(request({"-arch=compute_80"}));
    EXPECT_FALSE(request({"-arch"}));
    EXPECT_FALSE(request({"-arch=native"}));
    EXPECT_FALSE(request({"-arch=sm_80", nullptr}));
}

TEST(ArchitectureTest, LtoIrIsNoMachineCode) {
    EXPECT_FALSE(request({"-arch=sm_80", "-dlto"}));
    EXPECT_FALSE(request({"--dlink-time-opt", "-arch=sm_80"}));
}

}  // namespace
}  // namespace cuprum::simulator::companions
