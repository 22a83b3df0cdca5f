// What is wrong with a machine, and what mends it: on machines with nothing, with half of it, and with everything.
#include "cuprum/pathfinder/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Severity = Finding::Severity;

constexpr const char* gpu_driver = "/usr/lib/x86_64-linux-gnu/libcuda.so.1";

FakeSystem with_toolkit() {
    FakeSystem system;
    system.file("/usr/local/cuda/lib64/libnvrtc.so.13").file("/usr/local/cuda/lib64/libnvrtc-builtins.so.13.0");
    system.file("/usr/local/cuda/lib64/libnvJitLink.so.13").headers("/usr/local/cuda/include", 13000);
    system.cccl("/usr/local/cuda/include/cccl");
    return system;
}

FakeSystem with_everything() {
    FakeSystem system = with_toolkit();
    system.file(gpu_driver);
    system.loader_cache["libcuda.so.1"] = {gpu_driver};
    system.drivers[gpu_driver] = {false, true, "", 13000};
    return system;
}

std::vector<Finding> diagnose_machine(const FakeSystem& system) {
    return diagnose(Finder(system));
}

MATCHER_P4(Finds, severity, subject, problem, remedy, "") {
    return arg.severity == severity && arg.subject == subject && arg.problem.find(problem) != std::string::npos &&
           arg.remedy.find(remedy) != std::string::npos;
}

TEST(Doctor, OnAMachineWithEverythingAllIsWell) {
    EXPECT_THAT(diagnose_machine(with_everything()), IsEmpty());
}

TEST(Doctor, OnAMachineWithNothingBothAreMissing) {
    FakeSystem system;
    system.file("/usr/bin/apt-get");
    const std::vector<Finding> findings = diagnose_machine(system);
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "driver", "no usable CUDA driver",
                                         "sudo apt-get install nvidia-driver")));
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "driver", "", "export CUPRUM_DRIVER=sim")));
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "toolkit", "no toolkit on this machine",
                                         "pip install nvidia-cuda-nvrtc")));
}

std::string remedy_without_toolkit(const char* constraint) {
    FakeSystem system;
    system.variable("CUPRUM_TOOLKIT", constraint);
    for (const Finding& finding : diagnose_machine(system)) {
        if (finding.subject == "toolkit") return finding.remedy;
    }
    return "";
}

// All that programs and algorithms are compiled with: the headers in crt/ too, which CUDA 12 has in NVCC's package.
TEST(Doctor, WithoutAToolkitNamesEveryPackageOfTheVersionThatIsWanted) {
    const std::string environment = "python3 -m venv ~/cuda && . ~/cuda/bin/activate && ";
    EXPECT_EQ(remedy_without_toolkit(""), environment +
                                              "pip install nvidia-cuda-nvrtc nvidia-cuda-runtime "
                                              "nvidia-cuda-cccl nvidia-cuda-crt nvidia-nvjitlink");
    EXPECT_EQ(remedy_without_toolkit("<13"),
              environment +
                  "pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12 "
                  "nvidia-cuda-nvcc-cu12 nvidia-nvjitlink-cu12");
    const std::string pinned = remedy_without_toolkit("12.4");
    EXPECT_THAT(pinned, HasSubstr("'nvidia-cuda-nvrtc-cu12==12.4.*'"));
    EXPECT_THAT(pinned, HasSubstr("'nvidia-cuda-nvcc-cu12==12.4.*'"));
}

// There is no nvidia-cuda-cccl 13.5: the wheel with the CCCL of CUDA 13.5 is 13.3.5.
TEST(Doctor, NamesNoPackageThatDoesNotExist) {
    for (const char* const version : {"13.3", "13.5", "13.9"}) {
        const std::string remedy = remedy_without_toolkit(version);
        EXPECT_THAT(remedy, HasSubstr("'nvidia-cuda-nvrtc==" + std::string(version) + ".*'"));
        EXPECT_THAT(remedy, HasSubstr("'nvidia-cuda-cccl==13.*'"));
    }
    EXPECT_THAT(remedy_without_toolkit("13.2"), HasSubstr("'nvidia-cuda-cccl==13.2.*'"));
}

TEST(Doctor, WithAToolkitAndNoDriverOnlyTheDriverIsMissing) {
    const std::vector<Finding> findings = diagnose_machine(with_toolkit());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].subject, "driver");
}

TEST(Doctor, TheRemedyFitsTheMachine) {
    FakeSystem container = with_toolkit();
    container.file("/.dockerenv").file("/usr/bin/apt-get");
    EXPECT_THAT(diagnose_machine(container)[0].remedy, HasSubstr("docker run --gpus all"));
    FakeSystem ubuntu = with_toolkit();
    ubuntu.file("/usr/bin/ubuntu-drivers").file("/usr/bin/apt-get");
    EXPECT_THAT(diagnose_machine(ubuntu)[0].remedy, HasSubstr("ubuntu-drivers install"));
}

TEST(Doctor, ADriverThatFailsToStartSaysWhatItsCodeMeans) {
    const std::pair<int, const char*> codes[] = {{100, "modprobe nvidia"},
                                                 {802, "nvidia-fabricmanager"},
                                                 {803, "restart the machine"},
                                                 {999, "modprobe nvidia_uvm"}};
    for (const auto& [code, remedy] : codes) {
        FakeSystem system = with_everything();
        system.drivers[gpu_driver] = {false, false, "cuInit fails with CUresult " + std::to_string(code), 13000, code};
        const std::vector<Finding> findings = diagnose_machine(system);
        ASSERT_EQ(findings.size(), 1u) << code;
        EXPECT_THAT(findings[0], Finds(Severity::error, "driver", std::to_string(code), remedy));
    }
}

TEST(Doctor, AHiddenGpuIsShownAgain) {
    FakeSystem system = with_everything();
    system.variable("CUDA_VISIBLE_DEVICES", "-1");
    system.drivers[gpu_driver] = {false, false, "cuInit fails with CUresult 100", 13000, 100};
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "100", "unset CUDA_VISIBLE_DEVICES")));
}

TEST(Doctor, NoDriverIsInstalledWhereThereIsNoGpu) {
    FakeSystem system = with_toolkit();
    system.file("/usr/bin/apt-get").file("/sys/bus/pci/devices/0000:00:01.0/vendor", "0x1af4\n");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "no NVIDIA GPU", "CUPRUM_DRIVER=sim")));
    EXPECT_THAT(diagnose_machine(system)[0].remedy, Not(HasSubstr("apt-get")));
    system.file("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
    EXPECT_THAT(diagnose_machine(system)[0].remedy, HasSubstr("apt-get install nvidia-driver"));
}

TEST(Doctor, AStubInTheDriversPlaceIsNamed) {
    FakeSystem system = with_toolkit();
    system.variable("LD_LIBRARY_PATH", "/usr/local/cuda/lib64/stubs").file("/usr/local/cuda/lib64/stubs/libcuda.so.1");
    const std::vector<Finding> findings = diagnose_machine(system);
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "driver", "is a stub library", "")));
    EXPECT_THAT(findings,
                Contains(Finds(Severity::warning, "LD_LIBRARY_PATH", "stub libraries", "unset LD_LIBRARY_PATH")));
}

TEST(Doctor, TheSimulatorIsWorthANote) {
    FakeSystem system = with_toolkit();
    system.variable("CUPRUM_DRIVER", "sim").file("/opt/app/lib/cuprum/simulator/libcuda.so.1");
    const std::vector<Finding> findings = diagnose_machine(system);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_THAT(findings[0], Finds(Severity::note, "driver", "simulator stands in", "CUPRUM_DRIVER=gpu"));
}

TEST(Doctor, ADriverThatIsTooOldIsFoundOut) {
    FakeSystem system = with_everything();
    system.drivers[gpu_driver].version = 12080;
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "serves CUDA 12.8", "update the driver")));
}

TEST(Doctor, VariablesThatNameNothingOrContradictEachOther) {
    FakeSystem system = with_everything();
    system.variable("CUDA_PATH", "/gone").variable("CUDA_HOME", "/usr/local/cuda").variable("LD_LIBRARY_PATH", ":lib");
    system.variable("CONDA_PREFIX", "relative");
    const std::vector<Finding> findings = diagnose_machine(system);
    EXPECT_THAT(findings,
                Contains(Finds(Severity::warning, "CUDA_PATH", "/gone: CUDA_PATH: does not exist", "unset CUDA_PATH")));
    system.variable("CUDA_PATH", "/other").file("/other/lib64/libnvrtc.so.13");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::warning, "CUDA_PATH", "name different toolkits", "export CUDA_HOME")));
    EXPECT_THAT(findings,
                Contains(Finds(Severity::warning, "LD_LIBRARY_PATH", "working directory", "unset LD_LIBRARY_PATH")));
    EXPECT_THAT(findings,
                Contains(Finds(Severity::warning, "CONDA_PREFIX", "not an absolute path", "unset CONDA_PREFIX")));
}

TEST(Doctor, TheGoodEntriesOfTheLibraryPathStay) {
    FakeSystem system = with_everything();
    system.variable("LD_LIBRARY_PATH", "/opt/lib:lib::/usr/local/cuda/lib64/stubs:/my folder/lib");
    for (const Finding& finding : diagnose_machine(system)) {
        EXPECT_EQ(finding.remedy, "export LD_LIBRARY_PATH='/opt/lib:/my folder/lib'");
    }
}

TEST(Doctor, AFolderWithoutAToolkitIsNoCudaPath) {
    FakeSystem system = with_everything();
    system.variable("CUDA_PATH", "/empty").folder("/empty").variable("CUDNN_PATH", "/gone");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::warning, "CUDA_PATH", "/empty has no CUDA toolkit", "unset CUDA_PATH")));
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::warning, "CUDNN_PATH", "/gone", "unset CUDNN_PATH")));
}

TEST(Doctor, ASimulatorThatIsNamedAndNotThereIsFoundBesideTheLibrary) {
    FakeSystem system = with_toolkit();
    system.variable("CUPRUM_DRIVER", "sim").variable("CUPRUM_SIMULATOR_PATH", "/gone");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "/gone", "export CUPRUM_SIMULATOR_PATH=")));
    system.file("/opt/app/lib/cuprum/simulator/libcuda.so.1");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "/gone", "unset CUPRUM_SIMULATOR_PATH")));
    system.variable("CUPRUM_DRIVER", "gpu");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::warning, "CUPRUM_SIMULATOR_PATH", "/gone", "unset CUPRUM_SIMULATOR_PATH")));
}

TEST(Doctor, OptionsThatTheSimulatorRefusesAreAnError) {
    const std::string simulator = "/opt/app/lib/cuprum/simulator/libcuda.so.1";
    FakeSystem system = with_toolkit();
    system.variable("CUPRUM_DRIVER", "sim").variable("CUPRUM_SIM", "cc=8.1").file(simulator);
    system.drivers[simulator] = {false, false, "cuInit fails with CUresult 1:\ncc=8.1 is none of 7.5, 8.0", 13000, 1};
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "CUPRUM_SIM", "cc=8.1 is none of", "unset CUPRUM_SIM")));
}

TEST(Doctor, InstallsWherePathfinderLooks) {
    FakeSystem system = with_everything();
    system.file("/other/lib64/libnvrtc.so.12").variable("CUPRUM_TOOLKIT", "12.4");
    const auto remedy = [&] {
        for (const Finding& finding : diagnose_machine(system)) {
            if (finding.subject == "toolkit" && finding.severity == Severity::error) return finding.remedy;
        }
        return std::string();
    };
    EXPECT_THAT(remedy(), AllOf(HasSubstr("unset CUPRUM_TOOLKIT"), HasSubstr("python3 -m venv")))
        << "no environment is active";
    system.own = "/env/lib/python3.11/site-packages/cuprum";
    system.program("/env/bin/python");
    EXPECT_THAT(remedy(), HasSubstr("or: /env/bin/python -m pip install 'nvidia-cuda-nvrtc-cu12==12.4.*'"));
    system.variable("VIRTUAL_ENV", "/venv").folder("/venv/lib/python3.12/site-packages");
    EXPECT_THAT(remedy(), HasSubstr("or: pip install 'nvidia-cuda-nvrtc-cu12==12.4.*'"));
    system.variables.erase("VIRTUAL_ENV");
    system.variable("CONDA_PREFIX", "/conda").folder("/conda/lib/python3.12/site-packages");
    EXPECT_THAT(remedy(), HasSubstr("or: pip install 'nvidia-cuda-nvrtc-cu12==12.4.*'"));
}

TEST(Doctor, WhatNoPackageHasIsNotInstalled) {
    FakeSystem system = with_everything();
    system.variable("CUPRUM_TOOLKIT", ">=14");
    for (const Finding& finding : diagnose_machine(system)) {
        EXPECT_THAT(finding.remedy, Not(HasSubstr("pip install")));
    }
}

TEST(Doctor, AnOlderDriverTakesAToolkitThatIsThere) {
    FakeSystem system = with_everything();
    system.drivers[gpu_driver].version = 12080;
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "serves CUDA 12.8", "nvidia-cuda-nvrtc-cu12")));
    system.file("/usr/local/cuda-12.4/lib64/libnvrtc.so.12").headers("/usr/local/cuda-12.4/include", 12040);
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "driver", "serves CUDA 12.8", "export CUPRUM_TOOLKIT=12.4")));
}

TEST(Doctor, AWrongChoiceOfDriverOrToolkitIsAnErrorOfItsOwn) {
    FakeSystem system = with_everything();
    system.variable("CUPRUM_DRIVER", "gup").variable("CUPRUM_TOOLKIT", "newest");
    const std::vector<Finding> findings = diagnose_machine(system);
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "CUPRUM_DRIVER", "gup", "gpu")));
    EXPECT_THAT(findings, Contains(Finds(Severity::error, "CUPRUM_TOOLKIT", "newest", ">=12.4")));
}

TEST(Doctor, AToolkitThatIsAskedForAndNotThereListsThoseThatAre) {
    FakeSystem system = with_everything();
    system.variable("CUPRUM_TOOLKIT", ">=14");
    EXPECT_THAT(diagnose_machine(system),
                Contains(Finds(Severity::error, "toolkit", "/usr/local/cuda is of CUDA 13.0, which \">=14\"",
                               "unset CUPRUM_TOOLKIT")));
}

TEST(Doctor, OtherToolkitsAreWorthANote) {
    FakeSystem system = with_everything();
    system.file("/usr/local/cuda-12.4/lib64/libnvrtc.so.12").headers("/usr/local/cuda-12.4/include", 12040);
    const std::vector<Finding> findings = diagnose_machine(system);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_THAT(findings[0], Finds(Severity::note, "toolkit", "12.4", "export CUPRUM_TOOLKIT=12.4"));
}

TEST(Doctor, TheWorstComesFirst) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/gone").variable("CUPRUM_DRIVER", "sim");
    system.file("/opt/app/lib/cuprum/simulator/libcuda.so.1");
    std::vector<Severity> severities;
    for (const Finding& finding : diagnose_machine(system)) {
        severities.push_back(finding.severity);
    }
    EXPECT_THAT(severities, testing::ElementsAre(Severity::error, Severity::warning, Severity::note));
}

}  // namespace
}  // namespace cuprum::pathfinder::test
