// Headers come from the toolkit that NVRTC comes from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuprum/pathfinder/finder.hpp"
#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

using testing::HasSubstr;

ToolkitChoice toolkit_of(const FakeSystem& system) {
    return Finder(system).choose_toolkit({}).value();
}

struct HeaderLayout {
    const char* title;
    void (*make)(FakeSystem&);
    const char* cudart;
    const char* cccl;
    const char* version;
};

void PrintTo(const HeaderLayout& layout, std::ostream* out) {
    *out << layout.title;
}

const HeaderLayout layouts[] = {
    {"Cuda13Wheels",
     [](FakeSystem& s) {
         const std::string root = "/venv/lib/python3.12/site-packages/nvidia/cu13";
         s.variable("VIRTUAL_ENV", "/venv").file(root + "/lib/libnvrtc.so.13");
         s.headers(root + "/include", 13000).cccl(root + "/include/cccl");
     },
     "/venv/lib/python3.12/site-packages/nvidia/cu13/include",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/include/cccl", "13.0"},
    {"Cuda12WheelPerPart",
     [](FakeSystem& s) {
         const std::string root = "/venv/lib/python3.12/site-packages/nvidia";
         s.variable("VIRTUAL_ENV", "/venv").file(root + "/cuda_nvrtc/lib/libnvrtc.so.12");
         s.file(root + "/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4").headers(root + "/cuda_runtime/include", 12040);
         s.cccl(root + "/cuda_cccl/include").folder(root + "/cuda_nvrtc/include");
     },
     "/venv/lib/python3.12/site-packages/nvidia/cuda_runtime/include",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_cccl/include", "12.4"},
    {"Runfile13",
     [](FakeSystem& s) {
         s.variable("CUDA_HOME", "/opt/cuda").file("/opt/cuda/lib64/libnvrtc.so.13");
         s.headers("/opt/cuda/include", 13010).cccl("/opt/cuda/include/cccl");
     },
     "/opt/cuda/include", "/opt/cuda/include/cccl", "13.1"},
    {"Runfile12HasCcclBesideTheOthers",
     [](FakeSystem& s) {
         s.variable("CUDA_HOME", "/opt/cuda").file("/opt/cuda/lib64/libnvrtc.so.12");
         s.headers("/opt/cuda/include", 12060).cccl("/opt/cuda/include");
     },
     "/opt/cuda/include", "/opt/cuda/include", "12.6"},
    {"Conda",
     [](FakeSystem& s) {
         s.variable("CONDA_PREFIX", "/conda").file("/conda/lib/libnvrtc.so.12");
         s.headers("/conda/targets/x86_64-linux/include", 12060).cccl("/conda/targets/x86_64-linux/include");
         s.folder("/conda/include");
     },
     "/conda/targets/x86_64-linux/include", "/conda/targets/x86_64-linux/include", "12.6"},
    {"DebiansOwnPackage",
     [](FakeSystem& s) {
         s.file("/usr/lib/x86_64-linux-gnu/libnvrtc.so.12").headers("/usr/include", 12040).cccl("/usr/include");
         s.loader_cache["libnvrtc.so.12"] = {"/usr/lib/x86_64-linux-gnu/libnvrtc.so.12"};
     },
     "/usr/include", "/usr/include", "12.4"},
    {"LinkIntoAVersionedToolkit",
     [](FakeSystem& s) {
         s.link("/usr/local/lib/libnvrtc.so.13", "/usr/local/cuda-13.0/lib64/libnvrtc.so.13");
         s.file("/usr/local/cuda-13.0/lib64/libnvrtc.so.13").headers("/usr/local/cuda-13.0/include", 13000);
         s.cccl("/usr/local/cuda-13.0/include/cccl").variable("LD_LIBRARY_PATH", "/usr/local/lib");
     },
     "/usr/local/cuda-13.0/include", "/usr/local/cuda-13.0/include/cccl", "13.0"},
};

class HeadersLayout : public testing::TestWithParam<HeaderLayout> {};

TEST_P(HeadersLayout, AreFoundBesideNvrtc) {
    FakeSystem system;
    GetParam().make(system);
    // Another toolkit that comes first in the order of the search must not be mixed in.
    system.headers("/added/nvidia/cu13/include", 13000).cccl("/added/nvidia/cu13/include/cccl");
    const ToolkitChoice toolkit = toolkit_of(system);
    const Finder finder(system, {"/added"});

    const LocatedPart cudart = finder.find(PartKind::headers, "cudart", &toolkit);
    EXPECT_EQ(cudart.abs_path, GetParam().cudart);
    EXPECT_EQ(cudart.found_via, toolkit.found_via);
    EXPECT_EQ(cudart.version.text(), GetParam().version);
    EXPECT_EQ(finder.find(PartKind::headers, "cccl", &toolkit).abs_path, GetParam().cccl);
}

INSTANTIATE_TEST_SUITE_P(Layouts, HeadersLayout, testing::ValuesIn(layouts),
                         [](const auto& parameter) { return std::string(parameter.param.title); });

TEST(Headers, ComeFromAnotherToolkitOfTheSameVersionWhereNvrtcsHasNone) {
    FakeSystem system;
    system.variable("VIRTUAL_ENV", "/venv").variable("CUDA_PATH", "/opt/cuda");
    system.file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    system.file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
    system.headers("/opt/cuda/include", 13000);
    const ToolkitChoice toolkit = toolkit_of(system);
    EXPECT_EQ(Finder(system).find(PartKind::headers, "cudart", &toolkit).abs_path, "/opt/cuda/include");
}

// nvidia-cuda-crt is a wheel of its own; without it the runtime's headers include what is not there.
TEST(Headers, OfCrtComeFromTheWheelsWhereTheyAreThere) {
    FakeSystem system;
    const std::string wheels = "/venv/lib/python3.12/site-packages/nvidia/cu13";
    system.variable("VIRTUAL_ENV", "/venv").file(wheels + "/lib/libnvrtc.so.13");
    system.headers_without_crt(wheels + "/include", 13000).crt(wheels + "/include");
    system.headers("/usr/local/cuda-13.0/include", 13000);
    const ToolkitChoice toolkit = toolkit_of(system);
    EXPECT_EQ(Finder(system).find(PartKind::headers, "crt", &toolkit).abs_path, wheels + "/include");
}

// From 13.3 on the wheels of CCCL have its own version in their number, and not CUDA's minor one.
TEST(Headers, OfCcclBelongToTheWheelsThatTheyLieAmong) {
    const std::string site = "/venv/lib/python3.12/site-packages", wheels = site + "/nvidia/cu13";
    for (const bool is_of_13_3 : {true, false}) {
        FakeSystem system;
        system.variable("VIRTUAL_ENV", "/venv").file(wheels + "/lib/libnvrtc.so.13");
        system.headers(wheels + "/include", 13050).cccl(wheels + "/include/cccl");
        system.folder(site +
                      (is_of_13_3 ? "/nvidia_cuda_cccl-13.3.5.0.6.dist-info" : "/nvidia_cuda_cccl-13.0.85.dist-info"));
        const ToolkitChoice toolkit = toolkit_of(system);
        if (is_of_13_3) {
            EXPECT_EQ(Finder(system).find(PartKind::headers, "cccl", &toolkit).abs_path, wheels + "/include/cccl");
        } else {
            EXPECT_THROW(Finder(system).find(PartKind::headers, "cccl", &toolkit), NotFound);
        }
    }
}

TEST(Headers, OfCrtComeFromAnotherToolkitOfTheSameVersionAlone) {
    const std::string wheels = "/venv/lib/python3.12/site-packages/nvidia/cu13";
    for (const int version : {13000, 13010}) {
        FakeSystem system;
        system.variable("VIRTUAL_ENV", "/venv").file(wheels + "/lib/libnvrtc.so.13");
        system.headers_without_crt(wheels + "/include", 13000);
        system.headers("/usr/local/cuda/include", version);
        const ToolkitChoice toolkit = toolkit_of(system);
        if (version == 13000) {
            EXPECT_EQ(Finder(system).find(PartKind::headers, "crt", &toolkit).abs_path, "/usr/local/cuda/include");
            continue;
        }
        try {
            Finder(system).find(PartKind::headers, "crt", &toolkit);
            FAIL() << "headers of another version were taken";
        } catch (const NotFound& error) {
            EXPECT_THAT(error.advice(), HasSubstr("pip install 'nvidia-cuda-crt==13.0.*'"));
        }
    }
}

TEST(Headers, OfCrtAreInTheCompilersWheelOfCuda12) {
    FakeSystem system;
    const std::string wheels = "/venv/lib/python3.12/site-packages/nvidia";
    system.variable("VIRTUAL_ENV", "/venv").file(wheels + "/cuda_nvrtc/lib/libnvrtc.so.12");
    system.file(wheels + "/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4");
    system.headers_without_crt(wheels + "/cuda_runtime/include", 12040).crt(wheels + "/cuda_nvcc/include");
    const ToolkitChoice toolkit = toolkit_of(system);
    EXPECT_EQ(Finder(system).find(PartKind::headers, "crt", &toolkit).abs_path, wheels + "/cuda_nvcc/include");
}

TEST(Headers, OfAnotherVersionThanNvrtcAreRefusedAndTheNextOnesTaken) {
    FakeSystem system;
    system.file("/usr/local/cuda/lib64/libnvrtc.so.13.0.88");
    system.link("/usr/local/cuda/lib64/libnvrtc.so.13", "libnvrtc.so.13.0.88");
    system.variable("CUDA_PATH", "/opt/cuda-12").headers("/opt/cuda-12/include", 12040);
    system.headers("/usr/local/cuda-13.0/include", 13000);
    const ToolkitChoice toolkit = toolkit_of(system);

    const LocatedPart found = Finder(system).find(PartKind::headers, "cudart", &toolkit);

    EXPECT_EQ(found.abs_path, "/usr/local/cuda-13.0/include");
    EXPECT_THAT(found.rejected, testing::Contains(testing::AllOf(
                                    testing::Field(&RejectedCandidate::path, "/opt/cuda-12/include"),
                                    testing::Field(&RejectedCandidate::reason,
                                                   testing::AllOf(HasSubstr("CUDA 12.4"), HasSubstr("CUDA 13.0"))))));
}

TEST(Headers, OfTheWrongVersionOnlyAreAnErrorThatSaysWhichToInstall) {
    for (const int version : {12040, 13010}) {
        FakeSystem system;
        system.variable("CUDA_PATH", "/opt/cuda").file("/opt/cuda/lib64/libnvrtc.so.13");
        system.file("/opt/cuda/lib64/libnvrtc-builtins.so.13.0").headers("/opt/cuda/include", version);
        const ToolkitChoice toolkit = toolkit_of(system);
        try {
            Finder(system).find(PartKind::headers, "cudart", &toolkit);
            FAIL() << "it took headers of " << version;
        } catch (const NotFound& error) {
            EXPECT_EQ(error.status(), Status::header_not_found);
            EXPECT_THAT(error.detail(), HasSubstr("none of CUDA 13.0"));
            EXPECT_THAT(error.advice(), HasSubstr("pip install 'nvidia-cuda-runtime==13.0.*'"));
        }
    }
}

TEST(Headers, AMinorVersionThatIsNotKnownFitsAny) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/a").file("/a/lib64/libnvrtc.so.13");
    system.variable("CUDA_HOME", "/b").headers("/b/include", 13020);
    const ToolkitChoice toolkit = toolkit_of(system);
    ASSERT_EQ(toolkit.version.text(), "13");
    EXPECT_EQ(Finder(system).find(PartKind::headers, "cudart", &toolkit).version.text(), "13.2");
}

TEST(Headers, AreFoundWithoutNvrtcInTheOrderOfEverySearch) {
    FakeSystem system;
    system.variable("CUDA_HOME", "/b").headers("/b/include", 12090).headers("/usr/local/cuda/include", 13000);
    const LocatedPart found = Finder(system).find(PartKind::headers, "cudart");
    EXPECT_EQ(found.abs_path, "/b/include");
    EXPECT_EQ(found.found_via, "CUDA_HOME");
}

TEST(Headers, OfEveryToolkitAreListedInTheOrderOfTheSearch) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/a").variable("CUDA_HOME", "/b");
    for (const char* const folder : {"/a/include", "/b/include/cccl", "/usr/local/cuda/include/cccl"}) {
        system.file(std::string(folder) + "/cub/cub.cuh").file(std::string(folder) + "/nv/target");
    }
    std::vector<std::string> folders;
    for (const LocatedPart& part : Finder(system).find_all(PartKind::headers, "cccl"))
        folders.push_back(part.abs_path);
    EXPECT_THAT(folders, testing::ElementsAre("/a/include", "/b/include/cccl", "/usr/local/cuda/include/cccl"));
}

TEST(Headers, AFolderThatLacksAFileIsRefusedByThatFilesName) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/a").file("/a/include/cuda.h", cuda_h(13000)).headers("/usr/include", 13000);
    const LocatedPart found = Finder(system).find(PartKind::headers, "cudart");
    EXPECT_EQ(found.abs_path, "/usr/include");
    EXPECT_THAT(found.rejected, testing::Contains(testing::Field(&RejectedCandidate::reason, "has no cuda_runtime.h")));
}

TEST(Headers, AFolderThatEverybodyMayWriteToIsRefused) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/a").headers("/a/include", 13000).folder("/a/include", true);
    EXPECT_THROW(Finder(system).find(PartKind::headers, "cudart"), NotFound);
}

TEST(Headers, NothingAnywhereIsAnErrorThatSaysWhatToInstall) {
    FakeSystem system;
    try {
        Finder(system).find(PartKind::headers, "cccl");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("cub/cub.cuh"), HasSubstr("/usr/local/cuda/include"),
                                                 HasSubstr("pip install nvidia-cuda-cccl")));
    }
}

TEST(Headers, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
    FakeSystem system;
    EXPECT_THROW(Finder(system).find(PartKind::headers, "cub"), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::pathfinder::test
