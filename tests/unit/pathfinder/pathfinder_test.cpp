// The functions that programs call: on the real machine, with a driver and headers in miniature, and remembering.
#include "cuprum/pathfinder/pathfinder.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "cuprum/pathfinder/toolkit.hpp"
#include "fake_system.hpp"
#include "temporary_folder.hpp"

namespace cuprum::pathfinder::test {
namespace {

// What the machine has must not show: each test sees the toolkit that it makes.
class Pathfinder : public testing::Test {
protected:
    Pathfinder() {
        for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "LD_LIBRARY_PATH", "CUPRUM_DRIVER",
                                 "CUPRUM_SIMULATOR_PATH"}) {
            unsetenv(name);
        }
        setenv("CUDA_PATH", toolkit.path().c_str(), 1);
        reset_cache();
    }
    ~Pathfinder() override { reset_cache(); }

    // Any real shared library will do where none of its functions are called.
    std::string library(const std::string& name) {
        const std::string path = toolkit.path() + "/lib64/" + name;
        std::filesystem::create_directories(toolkit.path() + "/lib64");
        std::filesystem::copy_file(DRIVER_WITH_DEVICE, path, std::filesystem::copy_options::overwrite_existing);
        return path;
    }

    TemporaryFolder toolkit;
};

TEST_F(Pathfinder, FindsAndOpensALibrary) {
    const std::string path = library("libnvrtc.so.13");
    EXPECT_EQ(find_cuda_library("nvrtc"), path);
    const LoadedLibrary loaded = load_nvidia_dynamic_lib("nvrtc");
    EXPECT_EQ(loaded.abs_path, path);
    EXPECT_EQ(loaded.found_via, "CUDA_PATH");
    EXPECT_FALSE(loaded.was_already_loaded);
    EXPECT_NE(dlsym(loaded.handle, "cuInit"), nullptr);
}

TEST_F(Pathfinder, SaysThatALibraryWasLoadedBefore) {
    const std::string path = library("libnvrtc.so.13");
    ASSERT_NE(dlopen(path.c_str(), RTLD_NOW), nullptr);
    EXPECT_TRUE(load_nvidia_dynamic_lib("nvrtc").was_already_loaded);
}

TEST_F(Pathfinder, RemembersWhatItFoundUntilReset) {
    const std::string path = library("libnvrtc.so.13");
    ASSERT_EQ(find_cuda_library("nvrtc"), path);
    std::filesystem::remove(path);
    EXPECT_EQ(find_cuda_library("nvrtc"), path);
    const std::string other = library("libnvrtc.so.12");
    EXPECT_EQ(find_cuda_library("nvrtc"), path);
    reset_cache();
    EXPECT_EQ(find_cuda_library("nvrtc"), other);
}

// A GPU's driver may be on the machine that runs this, so the simulator is what is asked for.
TEST_F(Pathfinder, DoesNotRememberThatSomethingWasMissing) {
    setenv("CUPRUM_DRIVER", "sim", 1);
    const std::string path = library("libcuda.so.1");
    setenv("CUPRUM_SIMULATOR_PATH", (path + ".gone").c_str(), 1);
    const auto found = [] {
        try {
            return find_cuda_library("cuda");
        } catch (const NotFound&) {
            return std::string();
        }
    };
    EXPECT_NE(found(), path);
    setenv("CUPRUM_SIMULATOR_PATH", path.c_str(), 1);
    reset_cache();
    EXPECT_EQ(found(), path);
}

TEST_F(Pathfinder, GivesTheIncludeFoldersInOrderAndWithoutRepetition) {
    library("libnvrtc.so.13");
    toolkit.file("include/cuda.h", cuda_h(13000));
    toolkit.file("include/cuda_runtime.h");
    toolkit.file("include/cccl/cub/cub.cuh");
    toolkit.file("include/cccl/nv/target");
    toolkit.file("include/crt/host_defines.h");
    EXPECT_THAT(find_cuda_include_dirs(),
                testing::ElementsAre(toolkit.path() + "/include", toolkit.path() + "/include/cccl"));

    std::filesystem::remove_all(toolkit.path() + "/include/cccl");
    toolkit.file("include/cub/cub.cuh");
    toolkit.file("include/nv/target");
    reset_cache();
    EXPECT_THAT(find_cuda_include_dirs(), testing::ElementsAre(toolkit.path() + "/include"));
}

TEST_F(Pathfinder, SearchesAnAddedFolderOfWheelsFirst) {
    const std::string in_toolkit = library("libnvrtc.so.13");
    const TemporaryFolder site;
    ASSERT_EQ(find_cuda_library("nvrtc"), in_toolkit);
    std::filesystem::create_directories(site.path() + "/nvidia/cu13/lib");
    std::filesystem::copy_file(DRIVER_WITH_DEVICE, site.path() + "/nvidia/cu13/lib/libnvrtc.so.13");
    add_wheel_directory(site.path() + "/");
    EXPECT_EQ(find_cuda_library("nvrtc"), site.path() + "/nvidia/cu13/lib/libnvrtc.so.13");
}

TEST_F(Pathfinder, AnAddedFolderMustBeAbsolute) {
    EXPECT_THROW(add_wheel_directory("site-packages"), InvalidArgument);
    EXPECT_THROW(add_wheel_directory(""), InvalidArgument);
}

TEST_F(Pathfinder, ReportsEveryPartFoundOrNot) {
    const std::string nvrtc = library("libnvrtc.so.13");
    const std::vector<PartReport> reports = find_all_parts();
    std::size_t names = 0;
    for (const PartKind kind : {PartKind::dynamic_library, PartKind::headers, PartKind::bitcode_library,
                                PartKind::static_library, PartKind::binary_utility}) {
        names += supported_parts(kind).size();
    }
    ASSERT_EQ(reports.size(), names);
    for (const PartReport& report : reports) {
        EXPECT_EQ(report.found, !report.part.abs_path.empty()) << report.part.name;
        EXPECT_EQ(report.found, !report.part.found_via.empty()) << report.part.name;
        EXPECT_TRUE(report.found || !report.part.rejected.empty()) << report.part.name;
        if (report.part.kind == PartKind::dynamic_library && report.part.name == "nvrtc") {
            EXPECT_EQ(report.part.abs_path, nvrtc);
        }
    }
}

TEST_F(Pathfinder, WhatWasReturnedOutlivesAReset) {
    const std::string path = library("libnvrtc.so.13");
    const LocatedPart& found = locate_nvidia_dynamic_lib("nvrtc");
    EXPECT_EQ(&found, &locate_nvidia_dynamic_lib("nvrtc")) << "it was not remembered";
    reset_cache();
    EXPECT_NE(&found, &locate_nvidia_dynamic_lib("nvrtc"));
    EXPECT_EQ(found.abs_path, path);
}

// CUDA 13 by CUDA_PATH, CUDA 12 by CUDA_HOME.
class TwoToolkits : public Pathfinder {
protected:
    TwoToolkits() {
        thirteen = library("libnvrtc.so.13");
        toolkit.file("include/cuda.h", cuda_h(13000));
        toolkit.file("include/cuda_runtime.h");
        std::filesystem::create_directories(other.path() + "/lib64");
        twelve = other.path() + "/lib64/libnvrtc.so.12";
        std::filesystem::copy_file(DRIVER_WITH_DEVICE, twelve);
        other.file("include/cuda.h", cuda_h(12040));
        other.file("include/cuda_runtime.h");
        setenv("CUDA_HOME", other.path().c_str(), 1);
        reset_cache();
    }
    ~TwoToolkits() override { unsetenv("CUPRUM_TOOLKIT"); }

    TemporaryFolder other;
    std::string twelve;
    std::string thirteen;
};

TEST_F(TwoToolkits, EachIsWholeWithoutBeingInUse) {
    const Toolkit toolkit_12 = Toolkit::find({"12", {}});
    EXPECT_EQ(toolkit_12.root(), other.path());
    EXPECT_EQ(toolkit_12.found_via(), "CUDA_HOME");
    EXPECT_EQ(toolkit_12.version().text(), "12.4");
    EXPECT_EQ(toolkit_12.load("nvrtc").abs_path, twelve);
    EXPECT_THAT(toolkit_12.include_dirs(), testing::ElementsAre(other.path() + "/include"));
    EXPECT_EQ(Toolkit::find().root(), toolkit.path());
    EXPECT_EQ(find_cuda_library("nvrtc"), thirteen);
    EXPECT_EQ(Toolkit::in_use().version().text(), "13.0");
}

TEST_F(TwoToolkits, TheVariableChoosesTheOneInUse) {
    setenv("CUPRUM_TOOLKIT", "<13", 1);
    EXPECT_EQ(find_cuda_library("nvrtc"), twelve);
    EXPECT_THAT(find_cuda_include_dirs(), testing::ElementsAre(other.path() + "/include"));
    setenv("CUPRUM_TOOLKIT", ">=99", 1);
    reset_cache();
    EXPECT_THROW(find_cuda_library("nvrtc"), NotFound);
    EXPECT_THROW(Toolkit::in_use(), NotFound);
    setenv("CUPRUM_TOOLKIT", "newest", 1);
    EXPECT_THROW(find_cuda_library("nvrtc"), InvalidArgument);
}

// In a process of its own, because what a process has opened stays open.
TEST_F(TwoToolkits, OnePutInUseIsTheOneInUseUnlessTheOtherIsOpen) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto use_each = [&] {
        Toolkit::find({"12", {}}).use();
        if (find_cuda_library("nvrtc") != twelve || load_nvidia_dynamic_lib("nvrtc").abs_path != twelve) return 1;
        add_wheel_directory("/nowhere");  // forgets what was found, but not what was said
        if (find_cuda_library("nvrtc") != twelve) return 2;
        try {
            Toolkit::find({"13", {}}).use();
        } catch (const InvalidState&) {
            return find_cuda_library("nvrtc") == twelve ? 0 : 3;
        }
        return 4;
    };
    const auto use_and_leave = [&] {
        const int status = use_each();
        // The process has folders of its own, and leaves without the destructors that remove them.
        std::filesystem::remove_all(toolkit.path());
        std::filesystem::remove_all(other.path());
        std::exit(status);
    };
    EXPECT_EXIT(use_and_leave(), testing::ExitedWithCode(0), "");
}

TEST_F(Pathfinder, AnswersManyThreadsAtOnce) {
    const std::string path = library("libnvrtc.so.13");
    std::vector<std::string> answers(8);
    std::vector<std::thread> threads;
    for (std::string& answer : answers) {
        threads.emplace_back([&answer] { answer = load_nvidia_dynamic_lib("nvrtc").abs_path; });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(answers, testing::Each(path));
}

}  // namespace
}  // namespace cuprum::pathfinder::test
