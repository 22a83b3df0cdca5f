// One toolkit: which one is chosen, what belongs to it, what is refused, and what does not fit.
#include "cuprum/pathfinder/toolkit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuprum/pathfinder/doctor.hpp"
#include "cuprum/pathfinder/finder.hpp"
#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using enum PartKind;
using Severity = Finding::Severity;

// --- conditions on the version --------------------------------------------------------------------------------------

struct Condition {
    const char* text;
    std::vector<const char*> allowed;
    std::vector<const char*> refused;
};

TEST(VersionConstraint, AllowsWhatItsConditionsSay) {
    const Condition conditions[] = {
        {"", {"11.8", "12.4", "13", "14.1"}, {}},
        {"13", {"13.0", "13.4", "13"}, {"12.9", "14.0"}},
        {"==13", {"13.0", "13.4"}, {"12.9"}},
        {"==12.*", {"12.0", "12.9"}, {"13.0"}},
        {"12.4", {"12.4", "12"}, {"12.3", "12.5", "13.4"}},
        {">=12.4,<14", {"12.4", "12.9", "13.0", "13.9", "12"}, {"12.3", "14.0", "11", "11.8"}},
        {" >= 12.4 , < 14 ", {"12.4"}, {"14.0"}},
        {">12", {"13.0"}, {"12.9", "12.0", "12"}},
        {">12.4", {"12.5", "13.0"}, {"12.4"}},
        {"<=12", {"12.9", "11.8"}, {"13.0"}},
        {"<=12.4", {"12.4", "12.0"}, {"12.5"}},
        {"<13", {"12.9"}, {"13.0"}},
        {"!=12.5", {"12.4", "12.6", "12"}, {"12.5"}},
        {"!=12.*", {"13.0"}, {"12.0", "12.9", "12"}},
        {"~=12.4", {"12.4", "12.9"}, {"12.3", "13.0"}},
    };
    for (const Condition& condition : conditions) {
        const VersionConstraint constraint(condition.text);
        for (const char* version : condition.allowed) {
            EXPECT_TRUE(constraint.allows(parse_version(version))) << condition.text << " and " << version;
        }
        for (const char* version : condition.refused) {
            EXPECT_FALSE(constraint.allows(parse_version(version))) << condition.text << " and " << version;
        }
    }
}

TEST(VersionConstraint, AnUnknownVersionFitsOnlyNoCondition) {
    EXPECT_TRUE(VersionConstraint("").allows({}));
    EXPECT_FALSE(VersionConstraint("!=12.0").allows({}));
}

TEST(VersionConstraint, RefusesWhatItDoesNotUnderstandByName) {
    for (const char* text : {"new", ">=", "12.4.1", ">=12.*", "=12", "12,", ",12", "12..4", "v12", "12 13", "~=12",
                             "12.4.*", "-12", "12.x"}) {
        try {
            const VersionConstraint constraint(text);
            FAIL() << "it took " << text;
        } catch (const InvalidArgument& error) {
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(text), HasSubstr("is not a condition")));
        }
    }
}

// --- choosing -------------------------------------------------------------------------------------------------------

// Wheels of 13.0 first, then 12.9 by CUDA_PATH, 12.4 in /usr/local.
FakeSystem machine_with_three() {
    FakeSystem system;
    const std::string wheels = "/venv/lib/python3.12/site-packages/nvidia/cu13";
    system.variable("VIRTUAL_ENV", "/venv").file(wheels + "/lib/libnvrtc.so.13");
    system.file(wheels + "/lib/libnvrtc-builtins.so.13.0").headers(wheels + "/include", 13000);
    system.variable("CUDA_PATH", "/opt/cuda").file("/opt/cuda/lib64/libnvrtc.so.12");
    system.file("/opt/cuda/lib64/libnvrtc-builtins.so.12.9").headers("/opt/cuda/include", 12090);
    system.file("/opt/cuda/lib64/libcufft.so.11").program("/opt/cuda/bin/nvcc");
    system.file("/usr/local/cuda-12.4/lib64/libnvrtc.so.12").headers("/usr/local/cuda-12.4/include", 12040);
    return system;
}

TEST(ToolkitChoice, IsTheFirstThatFits) {
    const FakeSystem system = machine_with_three();
    const Finder finder(system);
    const std::pair<const char*, const char*> wanted[] = {{"", "13.0"},           {"13", "13.0"},
                                                          {"<13", "12.9"},        {"12.4", "12.4"},
                                                          {">=12,<12.9", "12.4"}, {">=12.4,<14", "13.0"}};
    for (const auto& [constraint, version] : wanted) {
        const auto toolkit = finder.choose_toolkit(VersionConstraint(constraint));
        ASSERT_TRUE(toolkit.has_value()) << constraint;
        EXPECT_EQ(toolkit->version.text(), version) << constraint;
        EXPECT_EQ(finder.find(dynamic_library, "nvrtc", &*toolkit).version.text(), version);
        EXPECT_EQ(finder.find(headers, "cudart", &*toolkit).version.text(), version);
    }
    EXPECT_FALSE(finder.choose_toolkit(VersionConstraint(">=14")).has_value());
}

TEST(ToolkitChoice, PrefersOneThatCanCompile) {
    FakeSystem system;
    system.variable("CONDA_PREFIX", "/conda").headers("/conda/include", 12040).file("/conda/lib/libcudart.so.12");
    EXPECT_EQ(Finder(system).choose_toolkit({})->path, "/conda") << "without any NVRTC the first will do";
    system.file("/usr/local/cuda/lib64/libnvrtc.so.13");
    EXPECT_EQ(Finder(system).choose_toolkit({})->path, "/usr/local/cuda");
}

TEST(ToolkitChoice, ListsEachToolkitOnceHoweverManyWaysLeadToIt) {
    FakeSystem system = machine_with_three();
    system.variable("CUDA_HOME", "/opt/cuda").variable("LD_LIBRARY_PATH", "/opt/cuda/lib64");
    system.link("/usr/local/cuda", "/usr/local/cuda-12.4");
    std::vector<std::string> versions;
    for (const ToolkitChoice& toolkit : Finder(system).toolkits()) {
        versions.push_back(toolkit.version.text());
    }
    EXPECT_THAT(versions, testing::ElementsAre("13.0", "12.9", "12.4"));
}

TEST(ToolkitChoice, TwoCudaVersionsInOneSitePackagesAreTwoToolkits) {
    FakeSystem system;
    const std::string site = "/venv/lib/python3.12/site-packages/nvidia";
    system.variable("VIRTUAL_ENV", "/venv")
        .file(site + "/cu13/lib/libnvrtc.so.13")
        .headers(site + "/cu13/include", 13000);
    system.file(site + "/cuda_nvrtc/lib/libnvrtc.so.12").file(site + "/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4");
    system.headers(site + "/cuda_runtime/include", 12040).file(site + "/nvjitlink/lib/libnvJitLink.so.12");
    const Finder finder(system);
    const auto twelve = finder.choose_toolkit(VersionConstraint("12"));
    EXPECT_EQ(finder.find(dynamic_library, "nvrtc", &*twelve).abs_path, site + "/cuda_nvrtc/lib/libnvrtc.so.12");
    EXPECT_EQ(finder.find(headers, "cudart", &*twelve).abs_path, site + "/cuda_runtime/include");
    EXPECT_EQ(finder.find(dynamic_library, "nvJitLink", &*twelve).abs_path, site + "/nvjitlink/lib/libnvJitLink.so.12");
    const auto thirteen = finder.choose_toolkit(VersionConstraint("13"));
    EXPECT_EQ(finder.find(headers, "cudart", &*thirteen).abs_path, site + "/cu13/include");
    EXPECT_THROW(finder.find(dynamic_library, "nvJitLink", &*thirteen), NotFound);
}

// --- mixing ---------------------------------------------------------------------------------------------------------

TEST(ToolkitMixing, IsRefusedWithTheVersionsOfBoth) {
    const FakeSystem system = machine_with_three();
    const Finder finder(system);
    const auto toolkit = finder.choose_toolkit(VersionConstraint("13"));
    const std::pair<PartKind, const char*> parts[] = {{dynamic_library, "cufft"}, {binary_utility, "nvcc"}};
    for (const auto& [kind, name] : parts) {
        try {
            finder.find(kind, name, &*toolkit);
            FAIL() << "it mixed in " << name;
        } catch (const NotFound& error) {
            EXPECT_THAT(error.detail(), HasSubstr("there is one, but none of CUDA 13.0"));
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("is of CUDA 12.9"), HasSubstr("is of CUDA 13.0"),
                                                     HasSubstr("only taken when it is asked for by name")));
        }
    }
}

TEST(ToolkitMixing, IsAllowedForWhatIsAskedForByName) {
    const FakeSystem system = machine_with_three();
    const Finder finder(system);
    auto toolkit = finder.choose_toolkit(VersionConstraint("13"));
    toolkit->from_elsewhere = {"cufft"};
    EXPECT_EQ(finder.find(dynamic_library, "cufft", &*toolkit).abs_path, "/opt/cuda/lib64/libcufft.so.11");
    EXPECT_THROW(finder.find(binary_utility, "nvcc", &*toolkit), NotFound);
}

TEST(ToolkitMixing, PiecesOfTheSameVersionAreOneToolkit) {
    FakeSystem system = machine_with_three();
    system.file("/usr/local/cuda-13.0/lib64/libcublas.so.13").headers("/usr/local/cuda-13.0/include", 13000);
    const Finder finder(system);
    const auto toolkit = finder.choose_toolkit(VersionConstraint("13"));
    EXPECT_EQ(finder.find(dynamic_library, "cublas", &*toolkit).abs_path, "/usr/local/cuda-13.0/lib64/libcublas.so.13");
}

TEST(ToolkitMixing, ALibraryWhoseSonameIsOfAnotherMajorVersionIsRefused) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.13").headers("/c/include", 13000);
    system.file("/c/lib64/libcublas.so.12").file("/c/lib64/libcurand.so.10");
    const Finder finder(system);
    const auto toolkit = finder.choose_toolkit({});
    EXPECT_THROW(finder.find(dynamic_library, "cublas", &*toolkit), NotFound);
    EXPECT_EQ(finder.find(dynamic_library, "curand", &*toolkit).version.text(), "13.0") << "its SONAME did not change";
}

TEST(ToolkitMixing, AddOnsHaveVersionsOfTheirOwnButNotThoseMadeForAnotherCuda) {
    FakeSystem system = machine_with_three();
    const std::string site = "/venv/lib/python3.12/site-packages/nvidia";
    system.file(site + "/nccl/lib/libnccl.so.2").file(site + "/cublasmp/cu13/lib/libcublasmp.so.0");
    system.file(site + "/cublasmp/cu12/lib/libcublasmp.so.0");
    const Finder finder(system);
    const auto twelve = finder.choose_toolkit(VersionConstraint("12.9"));
    EXPECT_EQ(finder.find(dynamic_library, "nccl", &*twelve).abs_path, site + "/nccl/lib/libnccl.so.2");
    const LocatedPart cublasmp = finder.find(dynamic_library, "cublasmp", &*twelve);
    EXPECT_EQ(cublasmp.abs_path, site + "/cublasmp/cu12/lib/libcublasmp.so.0");
    EXPECT_THAT(cublasmp.rejected,
                testing::Contains(testing::Field(&RejectedCandidate::reason, HasSubstr("is made for CUDA 13"))));
}

TEST(ToolkitMixing, WheelsSayTheirVersionInTheirMetadata) {
    FakeSystem system;
    const std::string site = "/venv/lib/python3.12/site-packages";
    system.variable("VIRTUAL_ENV", "/venv").folder(site + "/nvidia_nvjitlink_cu12-12.9.86.dist-info");
    system.file(site + "/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    system.file(site + "/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4");
    system.file(site + "/nvidia/nvjitlink/lib/libnvJitLink.so.12");
    const Finder finder(system);
    const auto toolkit = finder.choose_toolkit({});
    EXPECT_EQ(finder.find(dynamic_library, "nvJitLink").version.text(), "12.9");
    EXPECT_THROW(finder.find(dynamic_library, "nvJitLink", &*toolkit), NotFound) << "NVRTC is of 12.4";
}

TEST(ToolkitChoice, LooksForWheelsInACondaEnvironment) {
    FakeSystem system;
    const std::string wheels = "/conda/lib/python3.12/site-packages/nvidia/cu13";
    system.variable("CONDA_PREFIX", "/conda").file(wheels + "/lib/libnvrtc.so.13");
    EXPECT_EQ(Finder(system).choose_toolkit({})->path, wheels);
}

// --- what does not fit ----------------------------------------------------------------------------------------------

TEST(DriverVersion, ServesToolkitsByMinorVersionCompatibility) {
    EXPECT_THAT(check_driver_version({13, 0}, 13000), IsEmpty());
    EXPECT_THAT(check_driver_version({12, 9}, 13000), IsEmpty()) << "an older toolkit always works";
    EXPECT_THAT(check_driver_version({13, 0}, 0), IsEmpty()) << "a driver that does not say";
    EXPECT_THAT(check_driver_version({}, 13000), IsEmpty()) << "a toolkit that does not say";

    const std::vector<Finding> minor = check_driver_version({13, 2}, 13000);
    ASSERT_EQ(minor.size(), 1u);
    EXPECT_EQ(minor[0].severity, Severity::note);
    EXPECT_THAT(minor[0].problem, testing::AllOf(HasSubstr("13.0"), HasSubstr("13.2"), HasSubstr("PTX")));
    EXPECT_THAT(minor[0].remedy, HasSubstr("CUPRUM_TOOLKIT='<=13.0'"));

    const std::vector<Finding> major = check_driver_version({13, 0}, 12080);
    ASSERT_EQ(major.size(), 1u);
    EXPECT_EQ(major[0].severity, Severity::error);
    EXPECT_THAT(major[0].remedy, HasSubstr("branch 580"));
}

std::vector<Finding> check(const FakeSystem& system, const char* constraint = "") {
    const Finder finder(system);
    return check_toolkit(finder, *finder.choose_toolkit(VersionConstraint(constraint)));
}

FakeSystem whole_toolkit() {
    FakeSystem system;
    system.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.13").file("/c/lib64/libnvrtc-builtins.so.13.0");
    system.file("/c/lib64/libnvJitLink.so.13").headers("/c/include", 13000).cccl("/c/include/cccl");
    return system;
}

MATCHER_P3(Says, severity, problem, remedy, "") {
    return arg.severity == severity && arg.problem.find(problem) != std::string::npos &&
           arg.remedy.find(remedy) != std::string::npos;
}

TEST(ToolkitCheck, HasNothingToSayOfAWholeToolkit) {
    EXPECT_THAT(check(whole_toolkit()), IsEmpty());
}

TEST(ToolkitCheck, SaysWhatIsOfAnotherVersionAndHowToMendIt) {
    FakeSystem system = whole_toolkit();
    system.headers("/c/include", 13010);
    EXPECT_THAT(check(system), testing::Contains(Says(Severity::error, "/c/include is of CUDA 13.1",
                                                      "pip install 'nvidia-cuda-runtime==13.0.*'")));
}

TEST(ToolkitCheck, SaysWhatIsMissing) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.12").file("/c/lib64/libnvrtc-builtins.so.12.4");
    const std::vector<Finding> findings = check(system);
    EXPECT_THAT(findings, testing::Contains(Says(Severity::error, "programs that include nothing",
                                                 "pip install 'nvidia-cuda-runtime-cu12==12.4.*'")));
    EXPECT_THAT(findings, testing::Contains(Says(Severity::warning, "CUB", "nvidia-cuda-cccl-cu12")));
    EXPECT_THAT(findings, testing::Contains(Says(Severity::warning, "linked", "nvidia-nvjitlink-cu12")));
}

TEST(ToolkitCheck, NvrtcNeedsItsBuiltinsOfItsOwnVersion) {
    FakeSystem without;
    without.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.13").headers("/c/include", 13000);
    EXPECT_THAT(check(without), testing::Contains(Says(Severity::error, "lacks its second library", "pip install")));

    FakeSystem other;
    other.variable("CUDA_PATH", "/c").file("/c/lib64/libnvrtc.so.13.0.88").headers("/c/include", 13000);
    other.link("/c/lib64/libnvrtc.so.13", "libnvrtc.so.13.0.88").file("/c/lib64/libnvrtc-builtins.so.13.1");
    EXPECT_THAT(check(other), testing::Contains(Says(Severity::error, "beside it is libnvrtc-builtins.so.13.1",
                                                     "'nvidia-cuda-nvrtc==13.0.*' 'nvidia-cuda-runtime")));

    FakeSystem wheel;
    wheel.variable("VIRTUAL_ENV", "/venv").file("/venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    wheel.headers("/venv/lib/python3.11/site-packages/nvidia/cu13/include", 13000);
    EXPECT_THAT(check(wheel), testing::Contains(Says(Severity::error, "lacks its second library",
                                                     "pip install --force-reinstall 'nvidia-cuda-nvrtc==13.0.*'")));
}

TEST(ToolkitCheck, AsksTheDriver) {
    FakeSystem system = whole_toolkit();
    system.file("/usr/lib64/libcuda.so.1");
    system.drivers["/usr/lib64/libcuda.so.1"] = {false, true, "", 12080};
    EXPECT_THAT(check(system), testing::Contains(Says(Severity::error, "serves no newer major version", "580")));
}

}  // namespace
}  // namespace cuprum::pathfinder::test
