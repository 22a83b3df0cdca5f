// Where a library is found in each layout that a toolkit comes in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cuprum/pathfinder/finder.hpp"
#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

struct Layout {
    const char* title;
    std::function<void(FakeSystem&)> make;
    const char* library;
    const char* path;
    const char* found_via;
    const char* version;
};

void PrintTo(const Layout& layout, std::ostream* out) {
    *out << layout.title;
}

const Layout layouts[] = {
    {"Cuda13WheelsOfTheActiveEnvironment",
     [](FakeSystem& s) {
         s.variable("VIRTUAL_ENV", "/venv")
             .file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13")
             .file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
     },
     "nvrtc", "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "wheel", "13.0"},
    {"Cuda12WheelPerPart",
     [](FakeSystem& s) {
         s.variable("VIRTUAL_ENV", "/venv")
             .file("/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12")
             .file("/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4");
     },
     "nvrtc", "/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "wheel", "12.4"},
    {"BesideTheWheelThatCuprumIsIn",
     [](FakeSystem& s) {
         s.own = "/usr/lib/python3/dist-packages/cuprum/lib";
         s.file("/usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvJitLink.so.13");
     },
     "nvJitLink", "/usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvJitLink.so.13", "wheel", "13"},
    {"Conda",
     [](FakeSystem& s) {
         s.variable("CONDA_PREFIX", "/conda/envs/x").file("/conda/envs/x/lib/libcudart.so.12.6.77");
         s.link("/conda/envs/x/lib/libcudart.so.12", "libcudart.so.12.6.77");
     },
     "cudart", "/conda/envs/x/lib/libcudart.so.12", "conda", "12.6"},
    {"CondaTargets",
     [](FakeSystem& s) { s.variable("CONDA_PREFIX", "/conda").file("/conda/targets/x86_64-linux/lib/libnvrtc.so.13"); },
     "nvrtc", "/conda/targets/x86_64-linux/lib/libnvrtc.so.13", "conda", "13"},
    {"RunfileThroughCudaPath",
     [](FakeSystem& s) {
         s.variable("CUDA_PATH", "/opt/cuda-13.0/").file("/opt/cuda-13.0/lib64/libnvrtc.so.13.0.88");
         s.link("/opt/cuda-13.0/lib64/libnvrtc.so.13", "libnvrtc.so.13.0.88");
     },
     "nvrtc", "/opt/cuda-13.0/lib64/libnvrtc.so.13", "CUDA_PATH", "13.0"},
    {"CudaHome", [](FakeSystem& s) { s.variable("CUDA_HOME", "/opt/cuda").file("/opt/cuda/lib/libnvrtc.so.12"); },
     "nvrtc", "/opt/cuda/lib/libnvrtc.so.12", "CUDA_HOME", "12"},
    {"LdLibraryPath",
     [](FakeSystem& s) {
         s.variable("LD_LIBRARY_PATH", "/empty:/site/cuda/lib").file("/site/cuda/lib/libnvrtc.so.13").folder("/empty");
     },
     "nvrtc", "/site/cuda/lib/libnvrtc.so.13", "loader", "13"},
    {"DebiansOwnPackageThroughTheLoadersCache",
     [](FakeSystem& s) {
         s.file("/usr/lib/x86_64-linux-gnu/libnvrtc.so.12").headers("/usr/include", 12040);
         s.loader_cache["libnvrtc.so.12"] = {"/usr/lib/x86_64-linux-gnu/libnvrtc.so.12"};
     },
     "nvrtc", "/usr/lib/x86_64-linux-gnu/libnvrtc.so.12", "loader", "12.4"},
    {"UsrLocalCuda",
     [](FakeSystem& s) {
         s.link("/usr/local/cuda", "/usr/local/cuda-12.9").file("/usr/local/cuda-12.9/lib64/libnvrtc.so.12");
         s.headers("/usr/local/cuda-12.9/include", 12090);
     },
     "nvrtc", "/usr/local/cuda/lib64/libnvrtc.so.12", "/usr/local/cuda", "12.9"},
    {"UsrLocalCudaWithoutTheLinkTakesTheNewest",
     [](FakeSystem& s) {
         s.file("/usr/local/cuda-12.9/lib64/libnvrtc.so.12").file("/usr/local/cuda-13.0/lib64/libnvrtc.so.13");
         s.file("/usr/local/cuda-9.2/lib64/libnvrtc.so.12");
     },
     "nvrtc", "/usr/local/cuda-13.0/lib64/libnvrtc.so.13", "/usr/local/cuda", "13"},
};

class LibraryLayout : public testing::TestWithParam<Layout> {};

TEST_P(LibraryLayout, IsFound) {
    const Layout& layout = GetParam();
    FakeSystem system;
    layout.make(system);

    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, layout.library);

    EXPECT_EQ(found.name, layout.library);
    EXPECT_EQ(found.abs_path, layout.path);
    EXPECT_EQ(found.found_via, layout.found_via);
    EXPECT_EQ(found.version.text(), layout.version);
    EXPECT_FALSE(found.is_simulator);
    EXPECT_THAT(system.opened, testing::IsEmpty()) << "finding must not open";
}

INSTANTIATE_TEST_SUITE_P(Layouts, LibraryLayout, testing::ValuesIn(layouts),
                         [](const auto& parameter) { return std::string(parameter.param.title); });

// One library in every place; each place is taken away in turn, and the next one must be found.
TEST(LibrarySearch, GoesThroughThePlacesInTheDocumentedOrder) {
    const std::vector<std::pair<std::string, std::string>> places = {
        {"/added/nvidia/cu13/lib", "wheel"},
        {"/venv/lib/python3.12/site-packages/nvidia/cu13/lib", "wheel"},
        {"/own/site-packages/nvidia/cu13/lib", "wheel"},
        {"/conda/lib", "conda"},
        {"/cuda-path/lib64", "CUDA_PATH"},
        {"/cuda-home/lib64", "CUDA_HOME"},
        {"/ld-library-path", "loader"},
        {"/cached", "loader"},
        {"/usr/local/cuda/lib64", "/usr/local/cuda"},
    };
    for (std::size_t first = 0; first < places.size(); ++first) {
        FakeSystem system;
        system.own = "/own/site-packages/cuprum";
        system.folder("/venv/lib/python3.12").folder("/conda").folder("/cuda-path").folder("/cuda-home");
        system.variable("VIRTUAL_ENV", "/venv").variable("CONDA_PREFIX", "/conda");
        system.variable("CUDA_PATH", "/cuda-path").variable("CUDA_HOME", "/cuda-home");
        system.variable("LD_LIBRARY_PATH", "/ld-library-path");
        system.loader_cache["libnvrtc.so.13"] = {"/cached/libnvrtc.so.13"};
        for (std::size_t i = first; i < places.size(); ++i) {
            system.file(places[i].first + "/libnvrtc.so.13");
        }

        const LocatedPart found = Finder(system, {"/added"}).find(PartKind::dynamic_library, "nvrtc");

        EXPECT_EQ(found.abs_path, places[first].first + "/libnvrtc.so.13");
        EXPECT_EQ(found.found_via, places[first].second);
    }
}

TEST(LibrarySearch, PrefersTheNewerMajorVersionWithinAFolder) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.12").file("/c/lib64/libnvrtc.so.13");
    EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "nvrtc").abs_path, "/c/lib64/libnvrtc.so.13");
}

TEST(LibrarySearch, ListsEveryPlaceAndWhatToInstallWhenNothingIsThere) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/nowhere").variable("LD_LIBRARY_PATH", "/some/folder");
    try {
        Finder(system).find(PartKind::dynamic_library, "nvrtc");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_EQ(error.status(), Status::library_not_found);
        EXPECT_EQ(error.domain(), ErrorDomain::pathfinder);
        const std::string text = error.what();
        for (const char* part : {"/nowhere", "/some/folder", "/usr/local/cuda/lib64", "the dynamic loader's cache",
                                 "CUDA_PATH: does not exist", "pip install nvidia-cuda-nvrtc"}) {
            EXPECT_THAT(text, testing::HasSubstr(part));
        }
    }
}

TEST(LibrarySearch, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
    FakeSystem system;
    try {
        Finder(system).find(PartKind::dynamic_library, "nvrct");
        FAIL() << "it found something";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("nvrct"), testing::HasSubstr("nvrtc"),
                                                 testing::HasSubstr("nvJitLink"), testing::HasSubstr("cudart")));
    }
}

// --- refusals: what is there cannot be taken, the reason is recorded, and the search goes on -----------------------

struct Refusal {
    const char* title;
    std::function<void(FakeSystem&)> make;
    const char* path;
    const char* reason;
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
    *out << refusal.title;
}

const Refusal refusals[] = {
    {"NoElfFile", [](FakeSystem& s) { s.file("/bad/lib64/libnvrtc.so.13", "/* a linker script */ INPUT(x)"); },
     "/bad/lib64/libnvrtc.so.13", "not an ELF file"},
    {"EmptyFile", [](FakeSystem& s) { s.file("/bad/lib64/libnvrtc.so.13", ""); }, "/bad/lib64/libnvrtc.so.13",
     "not an ELF file"},
    {"ThirtyTwoBits", [](FakeSystem& s) { s.file("/bad/lib64/libnvrtc.so.13", elf(3, 32)); },
     "/bad/lib64/libnvrtc.so.13", "32-bit"},
    {"OtherProcessor", [](FakeSystem& s) { s.file("/bad/lib64/libnvrtc.so.13", elf(aarch64)); },
     "/bad/lib64/libnvrtc.so.13", "another processor (ELF machine 183"},
    {"Executable",
     [](FakeSystem& s) {
         std::string program = elf();
         program[16] = 2;  // ET_EXEC
         s.file("/bad/lib64/libnvrtc.so.13", program);
     },
     "/bad/lib64/libnvrtc.so.13", "not a shared library"},
    {"DanglingLink", [](FakeSystem& s) { s.link("/bad/lib64/libnvrtc.so.13", "libnvrtc.so.13.0.1"); },
     "/bad/lib64/libnvrtc.so.13", "symbolic link to something that does not exist"},
    {"LoopOfLinks",
     [](FakeSystem& s) { s.link("/bad/lib64/libnvrtc.so.13", "b").link("/bad/lib64/b", "libnvrtc.so.13"); },
     "/bad/lib64/libnvrtc.so.13", "loop of symbolic links"},
    {"Folder", [](FakeSystem& s) { s.folder("/bad/lib64/libnvrtc.so.13"); }, "/bad/lib64/libnvrtc.so.13",
     "is a folder"},
    {"FileWithoutRights",
     [](FakeSystem& s) {
         s.file("/bad/lib64/libnvrtc.so.13").set_kind("/bad/lib64/libnvrtc.so.13", FileStatus::Kind::no_permission);
     },
     "/bad/lib64/libnvrtc.so.13", "may not be read by this user"},
    {"FolderWithoutRights", [](FakeSystem& s) { s.set_kind("/bad/lib64", FileStatus::Kind::no_permission); },
     "/bad/lib64", "may not be read by this user"},
    {"FolderThatEverybodyMayWriteTo",
     [](FakeSystem& s) { s.folder("/bad/lib64", true).file("/bad/lib64/libnvrtc.so.13"); }, "/bad/lib64",
     "everybody on this machine may write"},
    {"LinkIntoAFolderThatEverybodyMayWriteTo",
     [](FakeSystem& s) {
         s.folder("/tmp", true).file("/tmp/evil.so").link("/bad/lib64/libnvrtc.so.13", "/tmp/evil.so");
     },
     "/bad/lib64/libnvrtc.so.13", "everybody on this machine may write"},
    {"StubByItsPath",
     [](FakeSystem& s) { s.file("/bad/lib64/stubs/libnvrtc.so").link("/bad/lib64/libnvrtc.so", "stubs/libnvrtc.so"); },
     "/bad/lib64/libnvrtc.so", "stub library"},
};

class LibraryRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(LibraryRefusal, GivesTheReasonAndGoesOn) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/bad").variable("CUDA_HOME", "/good").file("/good/lib64/libnvrtc.so.13");
    system.folder("/bad/lib64");
    GetParam().make(system);

    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "nvrtc");

    EXPECT_EQ(found.abs_path, "/good/lib64/libnvrtc.so.13");
    EXPECT_THAT(found.rejected,
                testing::Contains(
                    testing::AllOf(testing::Field(&RejectedCandidate::path, GetParam().path),
                                   testing::Field(&RejectedCandidate::reason, testing::HasSubstr(GetParam().reason)))));
}

INSTANTIATE_TEST_SUITE_P(Refusals, LibraryRefusal, testing::ValuesIn(refusals),
                         [](const auto& parameter) { return std::string(parameter.param.title); });

TEST(LibrarySearch, NeverLooksInTheWorkingDirectory) {
    FakeSystem system;
    system.variable("LD_LIBRARY_PATH", ":lib:/good").variable("CUDA_PATH", "cuda").variable("VIRTUAL_ENV", ".venv");
    system.file("lib/libnvrtc.so.13").file("/libnvrtc.so.13").file("/good/libnvrtc.so.13").file("cuda/lib64/x");

    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "nvrtc");

    EXPECT_EQ(found.abs_path, "/good/libnvrtc.so.13");
    const auto reason_of = [&](const std::string& path) {
        for (const RejectedCandidate& candidate : found.rejected) {
            if (candidate.path == path) {
                return candidate.reason;
            }
        }
        return std::string();
    };
    EXPECT_THAT(reason_of("LD_LIBRARY_PATH entry \"\""), testing::HasSubstr("not an absolute path"));
    EXPECT_THAT(reason_of("LD_LIBRARY_PATH entry \"lib\""), testing::HasSubstr("not an absolute path"));
    EXPECT_THAT(reason_of("cuda"), testing::HasSubstr("CUDA_PATH is not an absolute path"));
    EXPECT_THAT(reason_of(".venv"), testing::HasSubstr("VIRTUAL_ENV is not an absolute path"));
}

TEST(LibraryLoading, RefusesACandidateThatDoesNotOpenAndTakesTheNext) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/bad").file("/bad/lib64/libnvrtc.so.13");
    system.variable("CUDA_HOME", "/good").file("/good/lib64/libnvrtc.so.13");
    system.does_not_open["/bad/lib64/libnvrtc.so.13"] = "GLIBC_2.99 not found";

    const LoadedLibrary loaded = Finder(system).load("nvrtc");

    EXPECT_EQ(loaded.abs_path, "/good/lib64/libnvrtc.so.13");
    EXPECT_NE(loaded.handle, nullptr);
    EXPECT_THAT(loaded.rejected, testing::Contains(testing::Field(&RejectedCandidate::reason,
                                                                  testing::HasSubstr("GLIBC_2.99 not found"))));
}

TEST(LibraryLoading, OpensTheBuiltinsOfNvrtcBeforeItFromTheSameFolder) {
    FakeSystem system;
    system.variable("VIRTUAL_ENV", "/env");
    const std::string folder = "/env/lib/python3.11/site-packages/nvidia/cu13/lib/";
    system.file(folder + "libnvrtc.so.13").file(folder + "libnvrtc-builtins.so.13.0");
    system.file(folder + "libnvrtc-builtins.alt.so.13.0");

    static_cast<void>(Finder(system).load("nvrtc"));

    EXPECT_THAT(system.opened, testing::ElementsAre(folder + "libnvrtc-builtins.so.13.0", folder + "libnvrtc.so.13"));
}

}  // namespace
}  // namespace cuprum::pathfinder::test
