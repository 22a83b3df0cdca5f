// Which libcuda.so.1 is taken: the driver's, or Cuprum's simulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuprum/pathfinder/finder.hpp"
#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

using testing::HasSubstr;

constexpr const char* gpu_driver = "/usr/lib/x86_64-linux-gnu/libcuda.so.1";
constexpr const char* simulator = "/opt/app/lib/cuprum/simulator/libcuda.so.1";

FakeSystem machine_with_simulator() {
    FakeSystem system;
    system.file(simulator);
    return system;
}

FakeSystem machine_with_both() {
    FakeSystem system = machine_with_simulator();
    system.file(gpu_driver);
    system.loader_cache["libcuda.so.1"] = {gpu_driver};
    system.drivers[gpu_driver] = {false, true, ""};
    return system;
}

std::string reason_for(const std::vector<RejectedCandidate>& rejected, const std::string& path) {
    for (const RejectedCandidate& candidate : rejected) {
        if (candidate.path == path) {
            return candidate.reason;
        }
    }
    return "(not among the candidates)";
}

TEST(DriverChoice, IsTheGpuWhereNothingElseIsSaid) {
    const FakeSystem system = machine_with_both();
    EXPECT_EQ(Finder(system).driver_choice(), DriverChoice::gpu);
    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
    EXPECT_EQ(found.abs_path, gpu_driver);
    EXPECT_EQ(found.found_via, "loader");
    EXPECT_FALSE(found.is_simulator);
}

TEST(DriverChoice, NeverFallsBackToTheSimulatorSilently) {
    const FakeSystem system = machine_with_simulator();
    try {
        Finder(system).find(PartKind::dynamic_library, "cuda");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_EQ(error.status(), Status::library_not_found);
        EXPECT_THAT(error.advice(), testing::AllOf(HasSubstr("CUPRUM_DRIVER=sim"), HasSubstr("CUPRUM_DRIVER=auto")));
        EXPECT_EQ(reason_for(error.candidates(), "/usr/lib/wsl/lib"), "does not exist");
    }
}

TEST(DriverChoice, SimTakesTheSimulatorEvenWhereThereIsAGpu) {
    FakeSystem system = machine_with_both();
    system.variable("CUPRUM_DRIVER", "sim");
    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
    EXPECT_EQ(found.abs_path, simulator);
    EXPECT_TRUE(found.is_simulator);
}

TEST(DriverChoice, HoldsForNvmlToo) {
    constexpr const char* own = "/opt/app/lib/cuprum/simulator/companions/libnvidia-ml.so.1";
    constexpr const char* of_gpu = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1";
    FakeSystem system = machine_with_both();
    system.file(own).file(of_gpu);
    system.loader_cache["libnvidia-ml.so.1"] = {of_gpu};
    EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "nvml").abs_path, of_gpu);
    system.variable("CUPRUM_DRIVER", "sim");
    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "nvml");
    EXPECT_EQ(found.abs_path, own);
    EXPECT_TRUE(found.is_simulator);
    system.variable("CUPRUM_DRIVER", "auto");
    EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "nvml").abs_path, of_gpu);
}

TEST(DriverChoice, SimWithoutItsNvmlSaysWhatIsMissing) {
    FakeSystem system = machine_with_simulator();
    system.variable("CUPRUM_DRIVER", "sim");
    try {
        Finder(system).find(PartKind::dynamic_library, "nvml");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_THAT(error.what(), HasSubstr("its NVML is not beside it"));
    }
}

TEST(DriverChoice, SimWithoutASimulatorSaysHowToNameIt) {
    FakeSystem system;
    system.variable("CUPRUM_DRIVER", "sim").file(gpu_driver);
    try {
        Finder(system).find(PartKind::dynamic_library, "cuda");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_THAT(error.what(), HasSubstr("CUPRUM_SIMULATOR_PATH"));
        EXPECT_THAT(error.what(), HasSubstr("/opt/app/lib/cuprum/simulator"));
    }
}

TEST(DriverChoice, AutoTakesTheGpuThatHasADevice) {
    FakeSystem system = machine_with_both();
    system.variable("CUPRUM_DRIVER", "auto");
    EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "cuda").abs_path, gpu_driver);
}

TEST(DriverChoice, AutoTakesTheSimulatorWhereTheDriverHasNoDevice) {
    FakeSystem system = machine_with_both();
    system.variable("CUPRUM_DRIVER", "auto");
    system.drivers[gpu_driver] = {false, false, "cuInit fails with CUresult 100"};
    const LoadedLibrary found = Finder(system).load("cuda");
    EXPECT_EQ(found.abs_path, simulator);
    EXPECT_TRUE(found.is_simulator);
    EXPECT_EQ(reason_for(found.rejected, gpu_driver), "cuInit fails with CUresult 100");
}

TEST(DriverChoice, AutoTakesTheSimulatorWhereThereIsNoDriver) {
    FakeSystem system = machine_with_simulator();
    system.variable("CUPRUM_DRIVER", "auto");
    EXPECT_TRUE(Finder(system).find(PartKind::dynamic_library, "cuda").is_simulator);
}

TEST(DriverChoice, AnyOtherValueIsAnErrorThatListsTheThree) {
    for (const char* value : {"GPU", "simulator", "1", " gpu"}) {
        FakeSystem system = machine_with_both();
        system.variable("CUPRUM_DRIVER", value);
        try {
            Finder(system).find(PartKind::dynamic_library, "cuda");
            FAIL() << "it took " << value;
        } catch (const InvalidArgument& error) {
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(std::string("CUPRUM_DRIVER=") + value), HasSubstr("gpu"),
                                                     HasSubstr("sim"), HasSubstr("auto")));
        }
    }
}

TEST(DriverSearch, RefusesAStubByItsPath) {
    FakeSystem system;
    system.variable("LD_LIBRARY_PATH", "/usr/local/cuda/lib64/stubs");
    system.file("/usr/local/cuda/lib64/stubs/libcuda.so.1").file("/usr/lib/wsl/lib/libcuda.so.1");
    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
    EXPECT_EQ(found.abs_path, "/usr/lib/wsl/lib/libcuda.so.1");
    EXPECT_EQ(found.found_via, "driver folder");
    EXPECT_THAT(reason_for(found.rejected, "/usr/local/cuda/lib64/stubs/libcuda.so.1"), HasSubstr("stub library"));
}

TEST(DriverSearch, RefusesAStubByWhatItDoes) {
    FakeSystem system = machine_with_both();
    system.variable("LD_LIBRARY_PATH", "/innocent").file("/innocent/libcuda.so.1");
    system.drivers["/innocent/libcuda.so.1"] = {true, false, "is a stub library, which runs nothing"};
    const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
    EXPECT_EQ(found.abs_path, gpu_driver);
    EXPECT_THAT(reason_for(found.rejected, "/innocent/libcuda.so.1"), HasSubstr("stub library"));
}

TEST(DriverSearch, DoesNotTakeTheSimulatorFromALoaderPathForAGpu) {
    FakeSystem system = machine_with_simulator();
    system.variable("LD_LIBRARY_PATH", "/opt/app/lib/cuprum/simulator");
    try {
        Finder(system).find(PartKind::dynamic_library, "cuda");
        FAIL() << "it found something";
    } catch (const NotFound& error) {
        EXPECT_THAT(reason_for(error.candidates(), simulator), HasSubstr("Cuprum's simulator"));
    }
}

TEST(DriverSearch, LooksInTheDriversUsualFolders) {
    for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/wsl/lib", "/usr/local/nvidia/lib64",
                               "/usr/lib64-nvidia", "/usr/lib64"}) {
        FakeSystem system;
        system.file(std::string(folder) + "/libcuda.so.1");
        EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "cuda").abs_path,
                  std::string(folder) + "/libcuda.so.1");
    }
}

TEST(SimulatorSearch, FindsTheSimulatorRelativeToTheLibraryItIsPartOf) {
    for (const auto& [own, path] : std::vector<std::pair<std::string, std::string>>{
             {"/prefix/lib", "/prefix/lib/cuprum/simulator/libcuda.so.1"},
             {"/prefix/bin", "/prefix/lib/cuprum/simulator/libcuda.so.1"},
             {"/site-packages/cuprum", "/site-packages/cuprum/simulator/libcuda.so.1"},
             {"/package/runtimes/linux-x64/native", "/package/simulator/linux-x64/libcuda.so.1"}}) {
        FakeSystem system;
        system.own = own;
        system.variable("CUPRUM_DRIVER", "sim").file(path);
        const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
        EXPECT_EQ(found.abs_path, path);
        EXPECT_EQ(found.found_via, "simulator");
    }
}

TEST(SimulatorSearch, FindsTheSimulatorByTheRunPathOfAProgramElsewhere) {
    FakeSystem system;
    system.run_path_folders = {"lib", "/opt/cuprum/lib/"};
    system.variable("CUPRUM_DRIVER", "sim").file("/opt/cuprum/lib/cuprum/simulator/libcuda.so.1");
    EXPECT_EQ(Finder(system).find(PartKind::dynamic_library, "cuda").abs_path,
              "/opt/cuprum/lib/cuprum/simulator/libcuda.so.1");
}

TEST(SimulatorSearch, FindsTheInstalledSimulatorForAProgramElsewhere) {
    FakeSystem system;
    system.variable("CUPRUM_DRIVER", "sim").file("/usr/lib/cuprum/simulator/libcuda.so.1");
    EXPECT_EQ(Finder(system, {}, {"", "/usr/lib"}).find(PartKind::dynamic_library, "cuda").abs_path,
              "/usr/lib/cuprum/simulator/libcuda.so.1");
}

TEST(SimulatorSearch, TheVariableNamesAFileOrAFolder) {
    for (const char* value : {"/built/libcuda.so.1", "/built", "/built/"}) {
        FakeSystem system = machine_with_simulator();
        system.variable("CUPRUM_DRIVER", "sim").variable("CUPRUM_SIMULATOR_PATH", value).file("/built/libcuda.so.1");
        const LocatedPart found = Finder(system).find(PartKind::dynamic_library, "cuda");
        EXPECT_EQ(found.abs_path, "/built/libcuda.so.1");
        EXPECT_EQ(found.found_via, "CUPRUM_SIMULATOR_PATH");
    }
}

TEST(SimulatorSearch, AVariableThatNamesNothingIsAnErrorAndNoOtherSimulatorIsTaken) {
    FakeSystem system = machine_with_simulator();
    system.variable("CUPRUM_DRIVER", "sim").variable("CUPRUM_SIMULATOR_PATH", "/gone/libcuda.so.1");
    try {
        static_cast<void>(Finder(system).find(PartKind::dynamic_library, "cuda"));
        FAIL() << "another simulator was taken";
    } catch (const NotFound& error) {
        EXPECT_THAT(reason_for(error.candidates(), "/gone/libcuda.so.1"), HasSubstr("does not exist"));
    }
}

}  // namespace
}  // namespace cuprum::pathfinder::test
