// A machine without a toolkit, or with half of one. CTest runs each suite in a process of its own, in which a preloaded
// library makes the files look absent (HIDE_PATHS).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Program program_of(const std::string& source) {
    ProgramOptions options;
    options.arch = "compute_75";
    return Program(source, SourceType::cxx, options);
}

TEST(NoNvrtc, IsAnErrorThatListsThePlacesAndSaysWhatToInstall) {
    const Program program = program_of("extern \"C\" __global__ void k() {}");
    for (int round = 0; round < 2; ++round) {  // nothing is remembered of the failure
        try {
            static_cast<void>(program.compile(CodeType::ptx));
            FAIL() << "it compiled";
        } catch (const NotFound& error) {
            EXPECT_EQ(error.status(), Status::library_not_found);
            EXPECT_FALSE(error.candidates().empty());
            EXPECT_THAT(error.what(), HasSubstr("libnvrtc"));
            EXPECT_THAT(error.advice(), AllOf(HasSubstr("pip install"), HasSubstr("nvidia-cuda-nvrtc")));
        }
    }
}

TEST(NoNvJitLink, IsAnErrorThatListsThePlacesAndSaysWhatToInstall) {
    const Linker linker({program_of("extern \"C\" __global__ void k() {}").compile(CodeType::ptx)}, {.arch = "sm_80"});
    for (int round = 0; round < 2; ++round) {  // nothing is remembered of the failure
        try {
            static_cast<void>(linker.link());
            FAIL() << "it linked";
        } catch (const NotFound& error) {
            EXPECT_EQ(error.status(), Status::library_not_found);
            EXPECT_EQ(error.operation(), "linking");
            EXPECT_FALSE(error.candidates().empty());
            EXPECT_THAT(error.what(), HasSubstr("libnvJitLink"));
            EXPECT_THAT(error.advice(), HasSubstr("nvidia-nvjitlink"));
        }
    }
}

TEST(NoNvvm, IsAnErrorThatListsThePlacesAndSaysWhatToInstall) {
    const Program program("; NVVM IR", SourceType::nvvm, {.name = "k.ll", .arch = "compute_75"});
    for (int round = 0; round < 2; ++round) {  // nothing is remembered of the failure
        try {
            static_cast<void>(program.compile(CodeType::ptx));
            FAIL() << "it compiled";
        } catch (const NotFound& error) {
            EXPECT_EQ(error.status(), Status::library_not_found);
            EXPECT_EQ(error.operation(), "compiling");
            EXPECT_EQ(error.object(), "program 'k.ll'");
            EXPECT_FALSE(error.candidates().empty());
            EXPECT_THAT(error.what(), HasSubstr("libnvvm"));
            EXPECT_THAT(error.advice(), AllOf(HasSubstr("pip install"), HasSubstr("nvidia-nvvm")));
        }
    }
}

TEST(NoLibdevice, IsAnErrorForAProgramThatUsesIt) {
    const Program program("; NVVM IR", SourceType::nvvm, {.arch = "compute_75", .use_libdevice = true});
    try {
        static_cast<void>(program.compile(CodeType::ptx));
        FAIL() << "it compiled";
    } catch (const NotFound& error) {
        EXPECT_EQ(error.operation(), "compiling");
        EXPECT_THAT(error.object(), HasSubstr("which uses libdevice"));
        EXPECT_FALSE(error.candidates().empty());
        EXPECT_THAT(error.what(), HasSubstr("nvvm/libdevice"));
        EXPECT_THAT(error.advice(), HasSubstr("nvidia-nvvm"));
    }
}

TEST(NoHeaders, IsAnErrorForASourceThatIncludesOne) {
    try {
        static_cast<void>(program_of("#include <cuda_fp16.h>\n__global__ void k() {}").compile(CodeType::ptx));
        FAIL() << "it compiled";
    } catch (const NotFound& error) {
        EXPECT_EQ(error.status(), Status::header_not_found);
        EXPECT_FALSE(error.candidates().empty());
    }
}

TEST(NoHeaders, IsNoReasonWhereAHeaderOfTheHostIsMissing) {
    try {
        static_cast<void>(program_of("#include <cstdio>\n__global__ void k() {}").compile(CodeType::ptx));
        FAIL() << "it compiled";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.advice(), HasSubstr("printf is built in"));
    }
}

TEST(NoCccl, IsAnErrorThatSaysWhatToInstall) {
    for (const char* header : {"cub/cub.cuh", "cuda/std/array", "thrust/sort.h"}) {
        try {
            static_cast<void>(
                program_of("#include <" + std::string(header) + ">\n__global__ void k() {}").compile(CodeType::ptx));
            FAIL() << "it compiled";
        } catch (const CompileError& error) {
            EXPECT_THAT(error.advice(),
                        AllOf(HasSubstr(header), HasSubstr("pip install"), HasSubstr("nvidia-cuda-cccl")));
        }
    }
}

TEST(NoHeaders, IsNoneForASourceThatIncludesNothing) {
    const Program program = program_of("extern \"C\" __global__ void k() {}");
    EXPECT_THAT(program.compile(CodeType::ptx).code(), HasSubstr(".entry k"));
}

}  // namespace
}  // namespace cuprum::core
