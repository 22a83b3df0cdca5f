// Where every kind of part is found in each layout that a toolkit comes in, on Linux and on Windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cuprum/pathfinder/finder.hpp"
#include "fake_system.hpp"

namespace cuprum::pathfinder::test {
namespace {

using enum PartKind;

struct Layout {
    const char* title;
    Platform platform;
    std::function<void(FakeSystem&)> make;  // everything but the part itself
    PartKind kind;
    const char* name;
    const char* path;
    const char* found_via;
};

void PrintTo(const Layout& layout, std::ostream* out) {
    *out << layout.title;
}

constexpr Platform on_linux = Platform::linux_x86_64;
constexpr Platform on_windows = Platform::windows_x86_64;

// The file that a part of this kind is, at `path`; of headers the folder.
void put(FakeSystem& system, PartKind kind, const std::string& name, const std::string& path) {
    switch (kind) {
        case dynamic_library:
            system.file(path, path.ends_with(".dll") ? dll() : elf());
            break;
        case headers:
            if (name == "cudart") {
                system.headers(path, 12040);
            } else if (name == "cccl") {
                system.cccl(path);
            } else {
                system.file(path + "/" + name + ".h", "");
            }
            break;
        case bitcode_library:
            system.file(path, bitcode);
            break;
        case static_library:
            system.file(path, archive);
            break;
        case binary_utility:
            system.program(path);
            break;
    }
}

void in_venv(FakeSystem& s) {
    s.variable("VIRTUAL_ENV", "/venv").folder("/venv/lib/python3.12/site-packages");
}
void in_conda(FakeSystem& s) {
    s.variable("CONDA_PREFIX", "/conda").folder("/conda");
}
void in_cuda_path(FakeSystem& s) {
    s.variable("CUDA_PATH", "/opt/cuda").folder("/opt/cuda");
}
void nothing(FakeSystem&) {}
// Debian's packages: the loader knows libcudart, and the rest lies around it.
void in_debian(FakeSystem& s) {
    s.file("/usr/lib/x86_64-linux-gnu/libcudart.so.12");
    s.loader_cache["libcudart.so.12"] = {"/usr/lib/x86_64-linux-gnu/libcudart.so.12"};
}
void in_ld_library_path(FakeSystem& s) {
    s.variable("LD_LIBRARY_PATH", "/site/cuda/lib64").folder("/site/cuda/lib64");
}
void in_loader_cache(FakeSystem& s) {
    s.file("/opt/nv/lib64/libcudart.so.13");
    s.loader_cache["libcudart.so.13"] = {"/opt/nv/lib64/libcudart.so.13"};
}
void with_libcudart_open(FakeSystem& s) {
    s.file("/app/cuda/lib64/libcudart.so.12");
    s.loaded["libcudart.so.12"] = "/app/cuda/lib64/libcudart.so.12";
}
void windows_venv(FakeSystem& s) {
    s.variable("VIRTUAL_ENV", "C:\\venv").folder("C:/venv/Lib/site-packages");
}
void windows_conda(FakeSystem& s) {
    s.variable("CONDA_PREFIX", "C:\\conda").folder("C:/conda");
}
void windows_cuda_path(FakeSystem& s) {
    s.variable("CUDA_PATH", "D:\\CUDA\\v13.0\\").folder("D:/CUDA/v13.0");
}
void windows_program_files(FakeSystem& s) {
    s.variable("ProgramFiles", "C:\\Program Files");
}

const Layout layouts[] = {
    // Wheels of CUDA 13: one folder.
    {"Wheel13Library", on_linux, in_venv, dynamic_library, "cusolver",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcusolver.so.12", "wheel"},
    {"Wheel13Nvvm", on_linux, in_venv, dynamic_library, "nvvm",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvvm.so.4", "wheel"},
    {"Wheel13Headers", on_linux, in_venv, headers, "cufft", "/venv/lib/python3.12/site-packages/nvidia/cu13/include",
     "wheel"},
    {"Wheel13Cccl", on_linux, in_venv, headers, "cccl", "/venv/lib/python3.12/site-packages/nvidia/cu13/include/cccl",
     "wheel"},
    {"Wheel13Libdevice", on_linux, in_venv, bitcode_library, "device",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/nvvm/libdevice/libdevice.10.bc", "wheel"},
    {"Wheel13Static", on_linux, in_venv, static_library, "cudadevrt",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcudadevrt.a", "wheel"},
    {"Wheel13Tool", on_linux, in_venv, binary_utility, "nvcc",
     "/venv/lib/python3.12/site-packages/nvidia/cu13/bin/nvcc", "wheel"},
    {"WheelOfACudaToCome", on_linux, in_venv, dynamic_library, "nvrtc",
     "/venv/lib/python3.12/site-packages/nvidia/cu14/lib/libnvrtc.so", "wheel"},
    // Wheels of CUDA 12: a folder per part.
    {"Wheel12Library", on_linux, in_venv, dynamic_library, "cublasLt",
     "/venv/lib/python3.12/site-packages/nvidia/cublas/lib/libcublasLt.so.12", "wheel"},
    {"Wheel12Nvvm", on_linux, in_venv, dynamic_library, "nvvm",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4", "wheel"},
    {"Wheel12Cupti", on_linux, in_venv, dynamic_library, "cupti",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12", "wheel"},
    {"Wheel12Headers", on_linux, in_venv, headers, "cudart",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_runtime/include", "wheel"},
    {"Wheel12Libdevice", on_linux, in_venv, bitcode_library, "device",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc", "wheel"},
    {"Wheel12Static", on_linux, in_venv, static_library, "cudadevrt",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_runtime/lib/libcudadevrt.a", "wheel"},
    {"Wheel12Tool", on_linux, in_venv, binary_utility, "ptxas",
     "/venv/lib/python3.12/site-packages/nvidia/cuda_nvcc/bin/ptxas", "wheel"},
    // Add-ons.
    {"WheelCudnn", on_linux, in_venv, dynamic_library, "cudnn",
     "/venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9", "wheel"},
    {"WheelCutensor", on_linux, in_venv, dynamic_library, "cutensor",
     "/venv/lib/python3.12/site-packages/cutensor/lib/libcutensor.so.2", "wheel"},
    {"WheelCuquantum", on_linux, in_venv, headers, "cutensornet",
     "/venv/lib/python3.12/site-packages/cuquantum/include", "wheel"},
    {"WheelNcclBitcode", on_linux, in_venv, bitcode_library, "nccl_device",
     "/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl_device.bc", "wheel"},
    {"VariableOfTheLibrary", on_linux, [](FakeSystem& s) { s.variable("NCCL_HOME", "/opt/nccl").folder("/opt/nccl"); },
     dynamic_library, "nccl", "/opt/nccl/build/lib/libnccl.so.2", "NCCL_HOME"},
    {"VariableOfTheLibraryForHeaders", on_linux,
     [](FakeSystem& s) { s.variable("CUDNN_PATH", "/opt/cudnn").folder("/opt/cudnn"); }, headers, "cudnn",
     "/opt/cudnn/include", "CUDNN_PATH"},
    {"SystemHeadersOfAnAddOn", on_linux, nothing, headers, "cudnn", "/usr/include/x86_64-linux-gnu", "system"},
    // conda.
    {"CondaLibrary", on_linux, in_conda, dynamic_library, "nvJitLink", "/conda/lib/libnvJitLink.so.12", "conda"},
    {"CondaTargets", on_linux, in_conda, dynamic_library, "cudart", "/conda/targets/x86_64-linux/lib/libcudart.so.13",
     "conda"},
    {"CondaHeaders", on_linux, in_conda, headers, "cudart", "/conda/targets/x86_64-linux/include", "conda"},
    {"CondaCccl", on_linux, in_conda, headers, "cccl", "/conda/targets/x86_64-linux/include/cccl", "conda"},
    {"CondaLibdevice", on_linux, in_conda, bitcode_library, "device", "/conda/nvvm/libdevice/libdevice.10.bc", "conda"},
    {"CondaTool", on_linux, in_conda, binary_utility, "nvdisasm", "/conda/bin/nvdisasm", "conda"},
    // NVIDIA's installer, by variable and where it puts things by itself.
    {"RunfileNvvm", on_linux, in_cuda_path, dynamic_library, "nvvm", "/opt/cuda/nvvm/lib64/libnvvm.so.4", "CUDA_PATH"},
    {"RunfileCupti", on_linux, in_cuda_path, dynamic_library, "cupti", "/opt/cuda/extras/CUPTI/lib64/libcupti.so.12",
     "CUDA_PATH"},
    {"RunfileNvvmHeaders", on_linux, in_cuda_path, headers, "nvvm", "/opt/cuda/nvvm/include", "CUDA_PATH"},
    {"RunfileStatic", on_linux, in_cuda_path, static_library, "cudadevrt", "/opt/cuda/lib64/libcudadevrt.a",
     "CUDA_PATH"},
    {"RunfileTool", on_linux, nothing, binary_utility, "nsys", "/usr/local/cuda/bin/nsys", "/usr/local/cuda"},
    {"RunfileLibdeviceOfAVersion", on_linux, nothing, bitcode_library, "device",
     "/usr/local/cuda-12.4/nvvm/libdevice/libdevice.10.bc", "/usr/local/cuda"},
    {"ArmServer", Platform::linux_aarch64, in_cuda_path, headers, "cudart", "/opt/cuda/targets/sbsa-linux/include",
     "CUDA_PATH"},
    // The dynamic loader, and the toolkit around what it knows.
    {"LdLibraryPathLibrary", on_linux, in_ld_library_path, dynamic_library, "nvrtc", "/site/cuda/lib64/libnvrtc.so.13",
     "loader"},
    {"LdLibraryPathNvvmBesideTheFolder", on_linux, in_ld_library_path, dynamic_library, "nvvm",
     "/site/cuda/nvvm/lib64/libnvvm.so.4", "loader"},
    {"LdLibraryPathHeaders", on_linux, in_ld_library_path, headers, "cccl", "/site/cuda/include", "loader"},
    {"LdLibraryPathOfATarget", on_linux,
     [](FakeSystem& s) {
         s.variable("LD_LIBRARY_PATH", "/opt/nv/targets/x86_64-linux/lib").folder("/opt/nv/targets/x86_64-linux/lib");
     },
     binary_utility, "nvlink", "/opt/nv/bin/nvlink", "loader"},
    {"LoaderCacheTool", on_linux, in_loader_cache, binary_utility, "cuobjdump", "/opt/nv/bin/cuobjdump", "loader"},
    {"LoaderCacheLibdevice", on_linux, in_loader_cache, bitcode_library, "device",
     "/opt/nv/nvvm/libdevice/libdevice.10.bc", "loader"},
    // Debian's own package.
    {"DebianLibrary", on_linux, in_debian, dynamic_library, "cublas", "/usr/lib/x86_64-linux-gnu/libcublas.so.12",
     "loader"},
    {"DebianHeaders", on_linux, in_debian, headers, "cudart", "/usr/include", "loader"},
    {"DebianLibdevice", on_linux, in_debian, bitcode_library, "device",
     "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc", "loader"},
    {"DebianStatic", on_linux, in_debian, static_library, "cudadevrt", "/usr/lib/x86_64-linux-gnu/libcudadevrt.a",
     "loader"},
    {"DebianTool", on_linux, in_debian, binary_utility, "nvcc", "/usr/bin/nvcc", "loader"},
    {"DebianInnerTool", on_linux, in_debian, binary_utility, "fatbinary", "/usr/lib/nvidia-cuda-toolkit/bin/fatbinary",
     "loader"},
    // The toolkit around a libcudart that the process has open.
    {"LoadedLibcudartLibrary", on_linux, with_libcudart_open, dynamic_library, "nvrtc",
     "/app/cuda/lib64/libnvrtc.so.12", "loaded"},
    {"LoadedLibcudartHeaders", on_linux, with_libcudart_open, headers, "cudart", "/app/cuda/include", "loaded"},
    {"LoadedLibcudartTool", on_linux, with_libcudart_open, binary_utility, "nvcc", "/app/cuda/bin/nvcc", "loaded"},
    // The driver's other libraries.
    {"Nvml", on_linux, nothing, dynamic_library, "nvml", "/usr/lib/wsl/lib/libnvidia-ml.so.1", "driver folder"},
    // Windows.
    {"WindowsWheel13Library", on_windows, windows_venv, dynamic_library, "nvrtc",
     "C:\\venv\\Lib\\site-packages\\nvidia\\cu13\\bin\\x86_64\\nvrtc64_130_0.dll", "wheel"},
    {"WindowsWheel12Library", on_windows, windows_venv, dynamic_library, "nvrtc",
     "C:\\venv\\Lib\\site-packages\\nvidia\\cuda_nvrtc\\bin\\nvrtc64_120_0.dll", "wheel"},
    {"WindowsWheel12Nvvm", on_windows, windows_venv, dynamic_library, "nvvm",
     "C:\\venv\\Lib\\site-packages\\nvidia\\cuda_nvcc\\nvvm\\bin\\nvvm64_40_0.dll", "wheel"},
    {"WindowsWheel12Headers", on_windows, windows_venv, headers, "cudart",
     "C:\\venv\\Lib\\site-packages\\nvidia\\cuda_runtime\\include", "wheel"},
    {"WindowsWheel12Static", on_windows, windows_venv, static_library, "cudadevrt",
     "C:\\venv\\Lib\\site-packages\\nvidia\\cuda_runtime\\lib\\x64\\cudadevrt.lib", "wheel"},
    {"WindowsConda", on_windows, windows_conda, dynamic_library, "cudart", "C:\\conda\\Library\\bin\\cudart64_12.dll",
     "conda"},
    {"WindowsCudaPath13", on_windows, windows_cuda_path, dynamic_library, "cublas",
     "D:\\CUDA\\v13.0\\bin\\x64\\cublas64_13.dll", "CUDA_PATH"},
    {"WindowsCudaPath12", on_windows, windows_cuda_path, dynamic_library, "cublas",
     "D:\\CUDA\\v13.0\\bin\\cublas64_12.dll", "CUDA_PATH"},
    {"WindowsNvvm", on_windows, windows_cuda_path, dynamic_library, "nvvm",
     "D:\\CUDA\\v13.0\\nvvm\\bin\\x64\\nvvm70.dll", "CUDA_PATH"},
    {"WindowsCuptiByItsDate", on_windows, windows_cuda_path, dynamic_library, "cupti",
     "D:\\CUDA\\v13.0\\extras\\CUPTI\\lib64\\cupti64_2025.3.1.dll", "CUDA_PATH"},
    {"WindowsHeaders", on_windows, windows_cuda_path, headers, "cudart", "D:\\CUDA\\v13.0\\include", "CUDA_PATH"},
    {"WindowsLibdevice", on_windows, windows_cuda_path, bitcode_library, "device",
     "D:\\CUDA\\v13.0\\nvvm\\libdevice\\libdevice.10.bc", "CUDA_PATH"},
    {"WindowsStatic", on_windows, windows_cuda_path, static_library, "cudadevrt",
     "D:\\CUDA\\v13.0\\lib\\x64\\cudadevrt.lib", "CUDA_PATH"},
    {"WindowsTool", on_windows, windows_cuda_path, binary_utility, "nvcc", "D:\\CUDA\\v13.0\\bin\\nvcc.exe",
     "CUDA_PATH"},
    {"WindowsProgramFiles", on_windows, windows_program_files, dynamic_library, "nvJitLink",
     "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.4\\bin\\nvJitLink_120_0.dll", "Program Files"},
    {"WindowsPath", on_windows, [](FakeSystem& s) { s.variable("PATH", "C:\\tools;E:\\cuda\\bin").folder("C:/tools"); },
     dynamic_library, "nvrtc", "E:\\cuda\\bin\\nvrtc64_120_0.dll", "loader"},
    {"WindowsHeadersBesidePath", on_windows, [](FakeSystem& s) { s.variable("PATH", "E:\\cuda\\bin\\x64"); }, headers,
     "cudart", "E:\\cuda\\include", "loader"},
    {"WindowsDriver", on_windows, [](FakeSystem& s) { s.variable("SystemRoot", "C:\\Windows"); }, dynamic_library,
     "cuda", "C:\\Windows\\System32\\nvcuda.dll", "loader"},
};

class PartLayout : public testing::TestWithParam<Layout> {};

TEST_P(PartLayout, IsFound) {
    const Layout& layout = GetParam();
    FakeSystem system(layout.platform);
    system.own = layout.platform == on_windows ? "C:\\app" : "/opt/app/bin";
    layout.make(system);
    put(system, layout.kind, layout.name, layout.path);

    const LocatedPart found = Finder(system).find(layout.kind, layout.name);

    EXPECT_EQ(found.kind, layout.kind);
    EXPECT_EQ(found.name, layout.name);
    EXPECT_EQ(found.abs_path, layout.path);
    EXPECT_EQ(found.found_via, layout.found_via);
}

TEST_P(PartLayout, IsTheOnlyPlace) {
    const Layout& layout = GetParam();
    FakeSystem system(layout.platform);
    system.own = layout.platform == on_windows ? "C:\\app" : "/opt/app/bin";
    layout.make(system);
    EXPECT_THROW(Finder(system).find(layout.kind, layout.name), NotFound) << "the test shows nothing";
}

INSTANTIATE_TEST_SUITE_P(Layouts, PartLayout, testing::ValuesIn(layouts),
                         [](const auto& parameter) { return std::string(parameter.param.title); });

// The order is the same for every kind: each place is taken away in turn, and the next one must be found.
struct Place {
    const char* root;  // of the layout that NVIDIA's installer makes; of wheels, nvidia/cu13
    const char* found_via;
};

constexpr Place places[] = {
    {"/added/nvidia/cu13", "wheel"},
    {"/venv/lib/python3.12/site-packages/nvidia/cu13", "wheel"},
    {"/conda", "conda"},
    {"/cuda-path", "CUDA_PATH"},
    {"/cuda-home", "CUDA_HOME"},
    {"/ld", "loader"},
    {"/cached", "loader"},
    {"/usr/local/cuda", "/usr/local/cuda"},
    {"/usr/local/cuda-13.0", "/usr/local/cuda"},
    {"/loaded", "loaded"},
};

struct OrderedPart {
    PartKind kind;
    const char* name;
    const char* file;  // relative to a root
};

class Order : public testing::TestWithParam<OrderedPart> {};

TEST_P(Order, IsTheSameForEveryKind) {
    const OrderedPart& part = GetParam();
    for (std::size_t first = 0; first < std::size(places); ++first) {
        FakeSystem system;
        system.variable("VIRTUAL_ENV", "/venv").variable("CONDA_PREFIX", "/conda").variable("CUDA_PATH", "/cuda-path");
        system.variable("CUDA_HOME", "/cuda-home").variable("LD_LIBRARY_PATH", "/ld/lib");
        for (const Place& place : places) {
            system.folder(std::string(place.root) + "/lib");
        }
        system.loader_cache["libcudart.so.13"] = {"/cached/lib/libcudart.so.13"};
        system.loaded["libcudart.so.13"] = "/loaded/lib/libcudart.so.13";
        for (std::size_t i = first; i < std::size(places); ++i) {
            put(system, part.kind, part.name, places[i].root + std::string("/") + part.file);
        }
        const LocatedPart found = Finder(system, {"/added"}).find(part.kind, part.name);
        EXPECT_EQ(found.abs_path, places[first].root + std::string("/") + part.file);
        EXPECT_EQ(found.found_via, places[first].found_via);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Order,
                         testing::Values(OrderedPart{headers, "cudart", "include"},
                                         OrderedPart{headers, "cufft", "include"},
                                         OrderedPart{static_library, "cudadevrt", "lib/libcudadevrt.a"},
                                         OrderedPart{bitcode_library, "device", "nvvm/libdevice/libdevice.10.bc"},
                                         OrderedPart{binary_utility, "nvcc", "bin/nvcc"}),
                         [](const auto& parameter) {
                             return std::string(parameter.param.name) +
                                    std::to_string(static_cast<int>(parameter.param.kind));
                         });

TEST(PartSearch, TheLibrarysOwnVariableComesAfterCondaAndBeforeTheToolkits) {
    FakeSystem system;
    system.variable("CONDA_PREFIX", "/conda").variable("NCCL_HOME", "/nccl").variable("CUDA_PATH", "/cuda");
    system.file("/conda/lib/libnccl.so.2").file("/nccl/lib/libnccl.so.2").file("/cuda/lib64/libnccl.so.2");
    const auto find = [&] { return Finder(system).find(dynamic_library, "nccl").found_via; };
    EXPECT_EQ(find(), "conda");
    system.variable("CONDA_PREFIX", "");
    EXPECT_EQ(find(), "NCCL_HOME");
    system.variable("NCCL_HOME", "");
    EXPECT_EQ(find(), "CUDA_PATH");
}

TEST(PartSearch, TheNewestFileOfANameWithADateIsTaken) {
    FakeSystem system(Platform::windows_x86_64);
    windows_cuda_path(system);
    for (const char* version : {"2024.3.2", "2025.2.1", "2025.10.0", "2023.9.9"}) {
        system.file("D:/CUDA/v13.0/bin/cupti64_" + std::string(version) + ".dll", dll());
    }
    EXPECT_EQ(Finder(system).find(dynamic_library, "cupti").abs_path, "D:\\CUDA\\v13.0\\bin\\cupti64_2025.10.0.dll");
}

TEST(PartSearch, APartThatThePlatformDoesNotHaveIsUnsupported) {
    const FakeSystem system(Platform::windows_x86_64);
    EXPECT_THROW(Finder(system).find(dynamic_library, "cufile"), Unsupported);
}

TEST(PartSearch, ANameThatIsOnlyKnownAsAnotherKindSaysSo) {
    const FakeSystem system;
    try {
        Finder(system).find(dynamic_library, "nvcc");
        FAIL() << "it found something";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.detail(), testing::HasSubstr("there is one as headers and as binary utility"));
    }
}

TEST(PartSearch, AnUnknownNameOffersTheNearestOnes) {
    const FakeSystem system;
    const std::pair<const char*, const char*> misspelled[] = {{"nvrct", "nvrtc"},          {"nvjitlink", "nvJitLink"},
                                                              {"libnvrtc.so.13", "nvrtc"}, {"CUDART", "cudart"},
                                                              {"cublaslt", "cublasLt"},    {"cuda-rt", "cudart"}};
    for (const auto& [name, meant] : misspelled) {
        try {
            Finder(system).find(dynamic_library, name);
            FAIL() << "it found " << name;
        } catch (const InvalidArgument& error) {
            EXPECT_THAT(error.advice(), testing::StartsWith(std::string("did you mean ") + meant)) << name;
        }
    }
}

// --- refusals that libraries do not have ----------------------------------------------------------------------------

std::string reason_for(const FakeSystem& system, PartKind kind, const char* name, const std::string& path) {
    try {
        Finder(system).find(kind, name);
    } catch (const NotFound& error) {
        for (const RejectedCandidate& candidate : error.candidates()) {
            if (candidate.path == path) {
                return candidate.reason;
            }
        }
        return "(not among the candidates)";
    }
    return "(was taken)";
}

TEST(PartRefusal, AToolThatMayNotBeRun) {
    FakeSystem system;
    in_cuda_path(system);
    system.file("/opt/cuda/bin/nvcc");
    EXPECT_EQ(reason_for(system, binary_utility, "nvcc", "/opt/cuda/bin/nvcc"), "may not be run by this user");
}

TEST(PartRefusal, ABitcodeLibraryThatIsNone) {
    FakeSystem system;
    in_cuda_path(system);
    system.file("/opt/cuda/nvvm/libdevice/libdevice.10.bc", "version https://git-lfs");
    EXPECT_EQ(reason_for(system, bitcode_library, "device", "/opt/cuda/nvvm/libdevice/libdevice.10.bc"),
              "is not LLVM bitcode");
}

TEST(PartRefusal, AStaticLibraryThatIsNone) {
    FakeSystem system;
    in_cuda_path(system);
    system.file("/opt/cuda/lib64/libcudadevrt.a", elf());
    EXPECT_EQ(reason_for(system, static_library, "cudadevrt", "/opt/cuda/lib64/libcudadevrt.a"),
              "is not an archive of object files");
}

TEST(PartRefusal, AWindowsLibraryOfAnotherMachine) {
    for (const auto& [content, reason] : {std::pair(dll(0x14c), "32-bit"), std::pair(dll(0xaa64), "another processor"),
                                          std::pair(elf(), "not a Windows library")}) {
        FakeSystem system(Platform::windows_x86_64);
        windows_cuda_path(system);
        system.file("D:/CUDA/v13.0/bin/cudart64_12.dll", content);
        EXPECT_THAT(reason_for(system, dynamic_library, "cudart", "D:\\CUDA\\v13.0\\bin\\cudart64_12.dll"),
                    testing::HasSubstr(reason));
    }
}

TEST(PartRefusal, AFolderBelowOneThatEverybodyMayRename) {
    FakeSystem system;
    in_cuda_path(system);
    system.folder("/opt", true).program("/opt/cuda/bin/nvcc");
    EXPECT_THAT(reason_for(system, binary_utility, "nvcc", "/opt/cuda/bin"),
                testing::HasSubstr("everybody on this machine may write to /opt above it"));
}

TEST(PartRefusal, ButNotBelowOneWithTheStickyBit) {
    FakeSystem system;
    system.variable("CUDA_PATH", "/tmp/cuda").folder("/tmp", true, true).program("/tmp/cuda/bin/nvcc");
    EXPECT_EQ(Finder(system).find(binary_utility, "nvcc").abs_path, "/tmp/cuda/bin/nvcc");
}

TEST(PartRefusal, AToolThatIsALinkIntoAFolderThatEverybodyMayWriteTo) {
    FakeSystem system;
    in_cuda_path(system);
    system.folder("/scratch", true).program("/scratch/nvcc").link("/opt/cuda/bin/nvcc", "/scratch/nvcc");
    EXPECT_THAT(reason_for(system, binary_utility, "nvcc", "/opt/cuda/bin/nvcc"),
                testing::HasSubstr("is a link into /scratch"));
}

TEST(PartRefusal, RelativeVariablesAndEntriesOnWindows) {
    FakeSystem system(Platform::windows_x86_64);
    system.variable("CUDA_PATH", "cuda").variable("PATH", ".;\\cuda\\bin;C:cuda");
    system.file("cuda/bin/cudart64_12.dll", dll()).file("/cuda/bin/cudart64_12.dll", dll());
    EXPECT_EQ(reason_for(system, dynamic_library, "cudart", "cuda"), "CUDA_PATH is not an absolute path");
    EXPECT_THAT(reason_for(system, dynamic_library, "cudart", "PATH entry \".\""),
                testing::HasSubstr("working directory is never searched"));
    EXPECT_THAT(reason_for(system, dynamic_library, "cudart", "PATH entry \"C:cuda\""),
                testing::HasSubstr("not an absolute path"));
}

// --- the order in which a library's own needs are opened -------------------------------------------------------------

TEST(PartLoading, OpensWhatALibraryNeedsBeforeIt) {
    FakeSystem system;
    in_cuda_path(system);
    for (const char* name :
         {"libcusolver.so.12", "libcublas.so.13", "libcublasLt.so.13", "libcusparse.so.12", "libnvJitLink.so.13"}) {
        system.file("/opt/cuda/lib64/" + std::string(name));
    }
    static_cast<void>(Finder(system).load("cusolver"));
    std::vector<std::string> first_times;
    for (const std::string& path : system.opened) {
        if (std::find(first_times.begin(), first_times.end(), path) == first_times.end()) {
            first_times.push_back(path);
        }
    }
    EXPECT_THAT(first_times,
                testing::ElementsAre("/opt/cuda/lib64/libnvJitLink.so.13", "/opt/cuda/lib64/libcusparse.so.12",
                                     "/opt/cuda/lib64/libcublasLt.so.13", "/opt/cuda/lib64/libcublas.so.13",
                                     "/opt/cuda/lib64/libcusolver.so.12"));
}

TEST(PartLoading, NamesWhatIsMissingIfTheLibraryThenDoesNotOpen) {
    FakeSystem system;
    in_cuda_path(system);
    system.file("/opt/cuda/lib64/libcublas.so.13");
    system.does_not_open["/opt/cuda/lib64/libcublas.so.13"] = "libcublasLt.so.13: cannot open shared object file";
    try {
        static_cast<void>(Finder(system).load("cublas"));
        FAIL() << "it opened";
    } catch (const NotFound& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("it needs cublasLt, which pathfinder does not find either"));
    }
}

}  // namespace
}  // namespace cuprum::pathfinder::test
