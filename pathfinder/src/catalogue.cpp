#include "catalogue.hpp"

#include <algorithm>
#include <array>

#include "cuprum/pathfinder/nearest_names.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::pathfinder {

const char* to_string(PartKind kind) noexcept {
    switch (kind) {
        case PartKind::dynamic_library:
            return "dynamic library";
        case PartKind::headers:
            return "headers";
        case PartKind::bitcode_library:
            return "bitcode library";
        case PartKind::static_library:
            return "static library";
        case PartKind::binary_utility:
            return "binary utility";
    }
    return "part";
}

std::string finding_one(PartKind kind) {
    return std::string(kind == PartKind::headers ? "finding " : "finding a ") + to_string(kind);
}

namespace {

// A library of the toolkit that lies where most do.
constexpr Part toolkit_library(const char* name, Texts files, Texts windows_files, const char* wheel_folder,
                               const char* package, Texts dependencies = {}) {
    Part part;
    part.name = name;
    part.files = files;
    part.windows_files = windows_files;
    part.wheel_folders = {wheel_folder};
    part.package = package;
    part.dependencies = dependencies;
    return part;
}

// Same, and its version is the toolkit's.
constexpr Part versioned(Part part) {
    part.has_toolkit_version = true;
    return part;
}

constexpr Part npp(const char* name, Texts files, Texts windows_files) {
    return toolkit_library(name, files, windows_files, "nvidia/npp/lib", "nvidia-npp", {"nppc"});
}

constexpr Part add_on(const char* name, Texts files, Texts windows_files, Texts wheel_folders, const char* package,
                      Texts dependencies = {}, Texts root_variables = {}) {
    Part part;
    part.name = name;
    part.origin = PartOrigin::add_on;
    part.files = files;
    part.windows_files = windows_files;
    part.wheel_folders = wheel_folders;
    part.package = package;
    part.dependencies = dependencies;
    part.root_variables = root_variables;
    return part;
}

constexpr Part cuquantum(const char* name, Texts files, const char* package, Texts dependencies = {}) {
    return add_on(name, files, {}, {"cuquantum/lib"}, package, dependencies, {"CUQUANTUM_ROOT"});
}

constexpr Part driver_library(const char* name, Texts files, Texts windows_files) {
    Part part;
    part.name = name;
    part.origin = PartOrigin::driver;
    part.files = files;
    part.windows_files = windows_files;
    return part;
}

// Headers of the toolkit; on Windows the files are the same.
constexpr Part toolkit_headers(const char* name, Texts files, const char* wheel_folder, const char* package) {
    Part part;
    part.kind = PartKind::headers;
    part.name = name;
    part.files = files;
    part.windows_files = files;
    part.wheel_folders = {wheel_folder};
    part.package = package;
    return part;
}

constexpr Part add_on_headers(const char* name, Texts files, Texts wheel_folders, const char* package,
                              Texts root_variables = {}) {
    Part part;
    part.kind = PartKind::headers;
    part.name = name;
    part.origin = PartOrigin::add_on;
    part.files = files;
    part.windows_files = files;
    part.wheel_folders = wheel_folders;
    part.package = package;
    part.root_variables = root_variables;
    return part;
}

constexpr Part binary(const char* name, const char* windows_file, Texts wheel_folders, const char* package) {
    Part part;
    part.kind = PartKind::binary_utility;
    part.name = name;
    part.files = {name};
    part.windows_files = {windows_file};
    part.wheel_folders = wheel_folders;
    part.package = package;
    part.package12 = "nvidia-cuda-nvcc-cu12";
    return part;
}

constexpr Part curand_library() {
    Part part = toolkit_library("curand", {"libcurand.so.11", "libcurand.so.10"},
                                {"curand64_11.dll", "curand64_10.dll"}, "nvidia/curand/lib", "nvidia-curand");
    part.keeps_soname = true;
    return part;
}

constexpr Part nvvm_library() {
    Part part = toolkit_library("nvvm", {"libnvvm.so.4", "libnvvm.so"}, {"nvvm70.dll", "nvvm64_40_0.dll", "nvvm64.dll"},
                                "nvidia/cuda_nvcc/nvvm/lib64", "nvidia-nvvm");
    part.toolkit_folders = {"nvvm/lib64", "lib64", "lib"};
    part.windows_toolkit_folders = {"nvvm/bin/x64", "nvvm/bin"};
    part.package12 = "nvidia-cuda-nvcc-cu12";
    return part;
}

constexpr Part cupti_library() {
    Part part = toolkit_library("cupti", {"libcupti.so.13", "libcupti.so.12"}, {"cupti64_13.dll", "cupti64_*.dll"},
                                "nvidia/cuda_cupti/lib", "nvidia-cuda-cupti");
    part.toolkit_folders = {"extras/CUPTI/lib64", "lib64", "lib"};
    part.windows_toolkit_folders = {"extras/CUPTI/lib/x64", "extras/CUPTI/lib64", "bin"};
    return part;
}

constexpr Part cufftmp_library() {
    Part part = add_on("cufftMp", {"libcufftMp.so.12", "libcufftMp.so.11"}, {},
                       {"nvidia/cufftmp/cu13/lib", "nvidia/cufftmp/cu12/lib"}, "nvidia-cufftmp-cu13", {"nvshmem_host"});
    part.prefers_own_symbols = true;  // it defines functions of cuFFT, which the process may have open as well
    return part;
}

constexpr Part nccl_library() {
    Part part = add_on("nccl", {"libnccl.so.2"}, {}, {"nvidia/nccl/lib"}, "nvidia-nccl-cu13", {}, {"NCCL_HOME"});
    part.toolkit_folders = {"lib64", "lib", "build/lib"};
    return part;
}

constexpr Part cudart_headers() {
    Part part = versioned(
        toolkit_headers("cudart", {"cuda_runtime.h", "cuda.h"}, "nvidia/cuda_runtime/include", "nvidia-cuda-runtime"));
    return part;
}

// CUDA 13 has CCCL in a folder of its own; before, it lay among the other headers. Since CUDA 13.3 its wheels' numbers
// are CUDA's major version and then CCCL's: 13.3.5 has CCCL 3.5.
constexpr Part cccl_headers() {
    Part part = versioned(
        toolkit_headers("cccl", {"cub/cub.cuh", "nv/target"}, "nvidia/cuda_cccl/include", "nvidia-cuda-cccl"));
    part.cuda_wheel_folders = {"include/cccl", "include"};
    part.toolkit_folders = {"include/cccl", "include"};
    part.windows_toolkit_folders = {"include/cccl", "include/targets/x64/cccl", "include/targets/x64", "include"};
    part.own_numbers_since = {13, 3};
    return part;
}

// What cuda_runtime.h and cuda_device_runtime_api.h include. Wheels have them in a package of their own, which an
// environment with NVRTC and the runtime need not have.
constexpr Part crt_headers() {
    Part part =
        versioned(toolkit_headers("crt", {"crt/host_defines.h"}, "nvidia/cuda_nvcc/include", "nvidia-cuda-crt"));
    part.package12 = "nvidia-cuda-nvcc-cu12";
    return part;
}

constexpr Part nvvm_headers() {
    Part part = toolkit_headers("nvvm", {"nvvm.h"}, "nvidia/cuda_nvcc/nvvm/include", "nvidia-nvvm");
    part.toolkit_folders = {"nvvm/include"};
    part.windows_toolkit_folders = {"nvvm/include"};
    part.package12 = "nvidia-cuda-nvcc-cu12";
    return part;
}

constexpr Part linux_only(Part part) {
    part.windows_files = {};
    return part;
}

constexpr Part nccl_headers() {
    Part part =
        linux_only(add_on_headers("nccl", {"nccl.h"}, {"nvidia/nccl/include"}, "nvidia-nccl-cu13", {"NCCL_HOME"}));
    part.toolkit_folders = {"include", "build/include"};
    return part;
}

constexpr Part nvshmem_headers() {
    Part part = linux_only(add_on_headers("nvshmem", {"nvshmem.h"}, {"nvidia/nvshmem/include"}, "nvidia-nvshmem-cu13"));
    part.toolkit_folders = {"include", "include/nvshmem_13", "include/nvshmem_12"};
    return part;
}

constexpr Part libdevice() {
    Part part;
    part.kind = PartKind::bitcode_library;
    part.name = "device";
    part.files = {"libdevice.10.bc"};
    part.windows_files = part.files;
    part.wheel_folders = {"nvidia/cuda_nvcc/nvvm/libdevice"};
    part.package = "nvidia-nvvm";
    part.package12 = "nvidia-cuda-nvcc-cu12";
    return part;
}

constexpr Part add_on_bitcode(const char* name, const char* file, const char* wheel_folder, const char* package,
                              Texts root_variables) {
    Part part = add_on(name, {file}, {}, {wheel_folder}, package, {}, root_variables);
    part.kind = PartKind::bitcode_library;
    part.toolkit_folders = {"lib64", "lib"};
    return part;
}

constexpr Part cudadevrt() {
    Part part = toolkit_library("cudadevrt", {"libcudadevrt.a"}, {"cudadevrt.lib"}, "nvidia/cuda_runtime/lib",
                                "nvidia-cuda-runtime");
    part.kind = PartKind::static_library;
    return part;
}

constexpr Texts nvcc_wheel = {"nvidia/cuda_nvcc/bin"};

// Names, SONAMEs and folders as NVIDIA's installers and wheels have them; the names of the parts are cuda.pathfinder's.
constexpr Part all_parts[] = {
    // The driver's.
    driver_library("cuda", {"libcuda.so.1"}, {"nvcuda.dll"}),
    driver_library("nvml", {"libnvidia-ml.so.1"}, {"nvml.dll"}),
    driver_library("nvcudla", {"libnvcudla.so"}, {}),

    // The toolkit's.
    versioned(toolkit_library("nvrtc", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                              {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll"}, "nvidia/cuda_nvrtc/lib",
                              "nvidia-cuda-nvrtc")),
    versioned(toolkit_library("nvJitLink", {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"},
                              {"nvJitLink_130_0.dll", "nvJitLink_120_0.dll"}, "nvidia/nvjitlink/lib",
                              "nvidia-nvjitlink")),
    versioned(toolkit_library("cudart", {"libcudart.so.13", "libcudart.so.12", "libcudart.so"},
                              {"cudart64_13.dll", "cudart64_12.dll"}, "nvidia/cuda_runtime/lib",
                              "nvidia-cuda-runtime")),
    versioned(toolkit_library("nvfatbin", {"libnvfatbin.so.13", "libnvfatbin.so.12"},
                              {"nvfatbin_130_0.dll", "nvfatbin_120_0.dll"}, "nvidia/nvfatbin/lib", "nvidia-nvfatbin")),
    nvvm_library(),
    toolkit_library("cublas", {"libcublas.so.13", "libcublas.so.12"}, {"cublas64_13.dll", "cublas64_12.dll"},
                    "nvidia/cublas/lib", "nvidia-cublas", {"cublasLt"}),
    toolkit_library("cublasLt", {"libcublasLt.so.13", "libcublasLt.so.12"}, {"cublasLt64_13.dll", "cublasLt64_12.dll"},
                    "nvidia/cublas/lib", "nvidia-cublas"),
    toolkit_library("cufft", {"libcufft.so.12", "libcufft.so.11"}, {"cufft64_12.dll", "cufft64_11.dll"},
                    "nvidia/cufft/lib", "nvidia-cufft"),
    toolkit_library("cufftw", {"libcufftw.so.12", "libcufftw.so.11"}, {"cufftw64_12.dll", "cufftw64_11.dll"},
                    "nvidia/cufft/lib", "nvidia-cufft", {"cufft"}),
    curand_library(),
    toolkit_library("cusolver", {"libcusolver.so.12", "libcusolver.so.11"}, {"cusolver64_12.dll", "cusolver64_11.dll"},
                    "nvidia/cusolver/lib", "nvidia-cusolver", {"nvJitLink", "cusparse", "cublasLt", "cublas"}),
    toolkit_library("cusolverMg", {"libcusolverMg.so.12", "libcusolverMg.so.11"},
                    {"cusolverMg64_12.dll", "cusolverMg64_11.dll"}, "nvidia/cusolver/lib", "nvidia-cusolver",
                    {"nvJitLink", "cublasLt", "cublas"}),
    toolkit_library("cusparse", {"libcusparse.so.12"}, {"cusparse64_12.dll"}, "nvidia/cusparse/lib", "nvidia-cusparse",
                    {"nvJitLink"}),
    toolkit_library("nppc", {"libnppc.so.13", "libnppc.so.12"}, {"nppc64_13.dll", "nppc64_12.dll"}, "nvidia/npp/lib",
                    "nvidia-npp"),
    npp("nppial", {"libnppial.so.13", "libnppial.so.12"}, {"nppial64_13.dll", "nppial64_12.dll"}),
    npp("nppicc", {"libnppicc.so.13", "libnppicc.so.12"}, {"nppicc64_13.dll", "nppicc64_12.dll"}),
    npp("nppidei", {"libnppidei.so.13", "libnppidei.so.12"}, {"nppidei64_13.dll", "nppidei64_12.dll"}),
    npp("nppif", {"libnppif.so.13", "libnppif.so.12"}, {"nppif64_13.dll", "nppif64_12.dll"}),
    npp("nppig", {"libnppig.so.13", "libnppig.so.12"}, {"nppig64_13.dll", "nppig64_12.dll"}),
    npp("nppim", {"libnppim.so.13", "libnppim.so.12"}, {"nppim64_13.dll", "nppim64_12.dll"}),
    npp("nppist", {"libnppist.so.13", "libnppist.so.12"}, {"nppist64_13.dll", "nppist64_12.dll"}),
    npp("nppisu", {"libnppisu.so.13", "libnppisu.so.12"}, {"nppisu64_13.dll", "nppisu64_12.dll"}),
    npp("nppitc", {"libnppitc.so.13", "libnppitc.so.12"}, {"nppitc64_13.dll", "nppitc64_12.dll"}),
    npp("npps", {"libnpps.so.13", "libnpps.so.12"}, {"npps64_13.dll", "npps64_12.dll"}),
    toolkit_library("nvblas", {"libnvblas.so.13", "libnvblas.so.12"}, {"nvblas64_13.dll", "nvblas64_12.dll"},
                    "nvidia/cublas/lib", "nvidia-cublas", {"cublasLt", "cublas"}),
    toolkit_library("nvjpeg", {"libnvjpeg.so.13", "libnvjpeg.so.12"}, {"nvjpeg64_13.dll", "nvjpeg64_12.dll"},
                    "nvidia/nvjpeg/lib", "nvidia-nvjpeg"),
    toolkit_library("cufile", {"libcufile.so.0"}, {}, "nvidia/cufile/lib", "nvidia-cufile"),
    cupti_library(),
    toolkit_library("cudla", {"libcudla.so.1"}, {}, "nvidia/cudla/lib", "nvidia-cudla"),

    // Add-ons.
    add_on("cublasmp", {"libcublasmp.so.0"}, {}, {"nvidia/cublasmp/cu13/lib", "nvidia/cublasmp/cu12/lib"},
           "nvidia-cublasmp-cu13", {"cublasLt", "cublas", "nvshmem_host"}),
    cufftmp_library(),
    add_on("cudnn", {"libcudnn.so.9"}, {"cudnn64_9.dll"}, {"nvidia/cudnn/lib"}, "nvidia-cudnn-cu13", {"cublasLt"},
           {"CUDNN_PATH"}),
    add_on("cusolverMp", {"libcusolverMp.so.0"}, {}, {"nvidia/cu13/lib", "nvidia/cu12/lib"}, "nvidia-cusolvermp-cu13",
           {"cudart", "cublas", "cusolver", "nccl"}),
    add_on("mathdx", {"libmathdx.so.0"}, {"mathdx64_0.dll"}, {"nvidia/cu13/lib", "nvidia/cu12/lib"},
           "nvidia-libmathdx-cu13", {"nvrtc"}),
    add_on("cudss", {"libcudss.so.1", "libcudss.so.0"}, {"cudss64_1.dll", "cudss64_0.dll"},
           {"nvidia/cu13/lib", "nvidia/cu12/lib"}, "nvidia-cudss-cu13", {"cublasLt", "cublas"}),
    add_on("cusparseLt", {"libcusparseLt.so.0"}, {"cusparseLt_13.dll", "cusparseLt.dll"},
           {"nvidia/cu13/lib", "nvidia/cusparselt/lib"}, "nvidia-cusparselt-cu13"),
    add_on("cutensor", {"libcutensor.so.2"}, {"cutensor.dll"}, {"cutensor/lib"}, "cutensor-cu13", {"cublasLt"},
           {"CUTENSOR_ROOT"}),
    add_on("cutensorMg", {"libcutensorMg.so.2"}, {"cutensorMg.dll"}, {"cutensor/lib"}, "cutensor-cu13",
           {"cutensor", "cublasLt"}, {"CUTENSOR_ROOT"}),
    add_on("cutensorMp", {"libcutensorMp.so.2"}, {}, {"cutensor/lib"}, "cutensor-cu13",
           {"cutensor", "cublasLt", "cudart", "nccl"}, {"CUTENSOR_ROOT"}),
    cuquantum("cudensitymat", {"libcudensitymat.so.0"}, "cudensitymat-cu13",
              {"cutensornet", "cutensor", "cusolver", "cublas", "curand", "cusparse"}),
    cuquantum("cupauliprop", {"libcupauliprop.so.0"}, "cupauliprop-cu13"),
    cuquantum("cutensornet", {"libcutensornet.so.2"}, "cutensornet-cu13", {"cutensor", "cublas", "cusolver"}),
    cuquantum("custabilizer", {"libcustabilizer.so.0"}, "custabilizer-cu13"),
    cuquantum("custatevec", {"libcustatevec.so.1"}, "custatevec-cu13", {"cublasLt", "cublas"}),
    nccl_library(),
    add_on("nvpl_fftw", {"libnvpl_fftw.so.0"}, {}, {"nvpl/lib"}, "nvpl-fft"),
    add_on("nvshmem_host", {"libnvshmem_host.so.3"}, {}, {"nvidia/nvshmem/lib"}, "nvidia-nvshmem-cu13", {},
           {"NVSHMEM_HOME"}),

    // Header folders.
    cudart_headers(),
    cccl_headers(),
    crt_headers(),
    toolkit_headers("nvrtc", {"nvrtc.h"}, "nvidia/cuda_nvrtc/include", "nvidia-cuda-nvrtc"),
    toolkit_headers("nvjitlink", {"nvJitLink.h"}, "nvidia/nvjitlink/include", "nvidia-nvjitlink"),
    toolkit_headers("nvfatbin", {"nvFatbin.h"}, "nvidia/nvfatbin/include", "nvidia-nvfatbin"),
    toolkit_headers("nvcc", {"fatbinary_section.h"}, "nvidia/cuda_nvcc/include", "nvidia-cuda-nvcc"),
    nvvm_headers(),
    toolkit_headers("profiler", {"cuda_profiler_api.h"}, "nvidia/cuda_profiler_api/include",
                    "nvidia-cuda-profiler-api"),
    toolkit_headers("cublas", {"cublas.h"}, "nvidia/cublas/include", "nvidia-cublas"),
    toolkit_headers("cufft", {"cufft.h"}, "nvidia/cufft/include", "nvidia-cufft"),
    linux_only(toolkit_headers("cufile", {"cufile.h"}, "nvidia/cufile/include", "nvidia-cufile")),
    toolkit_headers("curand", {"curand.h"}, "nvidia/curand/include", "nvidia-curand"),
    toolkit_headers("cusolver", {"cusolverDn.h"}, "nvidia/cusolver/include", "nvidia-cusolver"),
    toolkit_headers("cusparse", {"cusparse.h"}, "nvidia/cusparse/include", "nvidia-cusparse"),
    toolkit_headers("npp", {"npp.h"}, "nvidia/npp/include", "nvidia-npp"),
    toolkit_headers("nvjpeg", {"nvjpeg.h"}, "nvidia/nvjpeg/include", "nvidia-nvjpeg"),
    linux_only(toolkit_headers("cudla", {"cudla.h"}, "nvidia/cudla/include", "nvidia-cudla")),
    add_on_headers("cudnn", {"cudnn.h"}, {"nvidia/cudnn/include"}, "nvidia-cudnn-cu13", {"CUDNN_PATH"}),
    linux_only(add_on_headers("cusolverMp", {"cusolverMp.h"}, {"nvidia/cu13/include", "nvidia/cu12/include"},
                              "nvidia-cusolvermp-cu13")),
    add_on_headers("cusparseLt", {"cusparseLt.h"}, {"nvidia/cu13/include", "nvidia/cusparselt/include"},
                   "nvidia-cusparselt-cu13"),
    add_on_headers("cute", {"cute/tensor.hpp"}, {"cutlass_library/source/include"}, "nvidia-cutlass"),
    add_on_headers("cutlass", {"cutlass/cutlass.h"}, {"cutlass_library/source/include"}, "nvidia-cutlass"),
    add_on_headers("cutensor", {"cutensor.h"}, {"cutensor/include"}, "cutensor-cu13", {"CUTENSOR_ROOT"}),
    linux_only(add_on_headers("cudensitymat", {"cudensitymat.h"}, {"cuquantum/include"}, "cudensitymat-cu13",
                              {"CUQUANTUM_ROOT"})),
    linux_only(add_on_headers("cupauliprop", {"cupauliprop.h"}, {"cuquantum/include"}, "cupauliprop-cu13",
                              {"CUQUANTUM_ROOT"})),
    linux_only(add_on_headers("cutensornet", {"cutensornet.h"}, {"cuquantum/include"}, "cutensornet-cu13",
                              {"CUQUANTUM_ROOT"})),
    linux_only(add_on_headers("custabilizer", {"custabilizer.h"}, {"cuquantum/include"}, "custabilizer-cu13",
                              {"CUQUANTUM_ROOT"})),
    linux_only(
        add_on_headers("custatevec", {"custatevec.h"}, {"cuquantum/include"}, "custatevec-cu13", {"CUQUANTUM_ROOT"})),
    add_on_headers("mathdx", {"libmathdx.h"}, {"nvidia/cu13/include", "nvidia/cu12/include"}, "nvidia-libmathdx-cu13"),
    nccl_headers(),
    nvshmem_headers(),

    // Bitcode libraries.
    libdevice(),
    add_on_bitcode("nccl_device", "libnccl_device.bc", "nvidia/nccl/lib", "nvidia-nccl-cu13", {"NCCL_HOME"}),
    add_on_bitcode("nvshmem_device", "libnvshmem_device.bc", "nvidia/nvshmem/lib", "nvidia-nvshmem-cu13",
                   {"NVSHMEM_HOME"}),

    // Static libraries.
    cudadevrt(),

    // Binary utilities.
    binary("nvcc", "nvcc.exe", nvcc_wheel, "nvidia-cuda-nvcc"),
    binary("ptxas", "ptxas.exe", nvcc_wheel, "nvidia-cuda-nvcc"),
    binary("nvlink", "nvlink.exe", nvcc_wheel, "nvidia-cuda-nvcc"),
    binary("fatbinary", "fatbinary.exe", nvcc_wheel, "nvidia-cuda-nvcc"),
    binary("bin2c", "bin2c.exe", nvcc_wheel, "nvidia-cuda-nvcc"),
    binary("cuobjdump", "cuobjdump.exe", {"nvidia/cuda_cuobjdump/bin", "nvidia/cuda_nvcc/bin"},
           "nvidia-cuda-cuobjdump"),
    binary("nvdisasm", "nvdisasm.exe", {"nvidia/cuda_nvdisasm/bin", "nvidia/cuda_nvcc/bin"}, "nvidia-cuda-nvdisasm"),
    binary("nvprune", "nvprune.exe", {"nvidia/cuda_nvprune/bin", "nvidia/cuda_nvcc/bin"}, "nvidia-cuda-nvprune"),
    binary("cuda-gdb", "cuda-gdb.exe", {"nvidia/cuda_gdb/bin", "nvidia/cuda_nvcc/bin"}, "nvidia-cuda-gdb"),
    binary("cuda-gdbserver", "cuda-gdbserver.exe", {"nvidia/cuda_gdb/bin", "nvidia/cuda_nvcc/bin"}, "nvidia-cuda-gdb"),
    binary("compute-sanitizer", "compute-sanitizer.exe", {"nvidia/cuda_sanitizer_api/bin", "nvidia/cuda_nvcc/bin"},
           "nvidia-cuda-sanitizer-api"),
    binary("nvprof", "nvprof.exe", {"nvidia/cuda_nvprof/bin", "nvidia/cuda_nvcc/bin"}, "nvidia-cuda-nvprof"),
    binary("nsys", "nsys.exe", {"nvidia/nsight_systems/bin"}, "nsight-systems"),
    binary("nsight-sys", "nsight-sys.exe", {"nvidia/nsight_systems/bin"}, "nsight-systems"),
    binary("ncu", "ncu.exe", {"nvidia/nsight_compute/bin"}, "nsight-compute"),
    binary("nsight-compute", "nsight-compute.exe", {"nvidia/nsight_compute/bin"}, "nsight-compute"),
};

constexpr std::size_t part_count = std::size(all_parts);

// Positions in all_parts, sorted by kind and name: a look-up compares a few short texts and allocates nothing.
constexpr auto sorted_parts = [] {
    std::array<unsigned char, part_count> order{};
    for (std::size_t i = 0; i < part_count; ++i) {
        order[i] = static_cast<unsigned char>(i);
    }
    std::sort(order.begin(), order.end(), [](unsigned char a, unsigned char b) {
        return all_parts[a].kind != all_parts[b].kind
                   ? all_parts[a].kind < all_parts[b].kind
                   : std::string_view(all_parts[a].name) < std::string_view(all_parts[b].name);
    });
    return order;
}();
static_assert(part_count < 256);

std::vector<std::string> to_vector(const Texts& texts) {
    return {texts.begin(), texts.end()};
}

std::string with_last_folder(const std::string& folder, std::string_view last) {
    return folder.substr(0, folder.rfind('/') + 1) + std::string(last);
}

}  // namespace

std::span<const Part> catalogue() noexcept {
    return all_parts;
}

std::size_t index_of(const Part& part) noexcept {
    return static_cast<std::size_t>(&part - all_parts);
}

const Part* find_part(PartKind kind, std::string_view name) noexcept {
    const auto found = std::lower_bound(sorted_parts.begin(), sorted_parts.end(), name,
                                        [&](unsigned char index, std::string_view wanted) {
                                            const Part& part = all_parts[index];
                                            return part.kind != kind ? part.kind < kind : part.name < wanted;
                                        });
    if (found == sorted_parts.end() || all_parts[*found].kind != kind || all_parts[*found].name != name) {
        return nullptr;
    }
    return &all_parts[*found];
}

const Part& require_part(PartKind kind, std::string_view name) {
    if (const Part* part = find_part(kind, name)) {
        return *part;
    }
    std::string known;
    std::vector<std::string> names;
    std::string other_kinds;
    for (const Part& part : all_parts) {
        if (part.kind == kind) {
            names.emplace_back(part.name);
            known += (known.empty() ? "" : ", ") + names.back();
        } else if (part.name == name) {
            other_kinds += (other_kinds.empty() ? "" : " and as ") + std::string(to_string(part.kind));
        }
    }
    std::string detail = "no part has that name";
    std::string advice;
    if (!other_kinds.empty()) {
        detail += " among those of this kind; there is one as " + other_kinds;
    }
    if (const std::vector<std::string> near = nearest_names(name, names); !near.empty()) {
        for (const std::string& candidate : near) {
            advice += (advice.empty() ? "did you mean " : " or ") + candidate;
        }
        advice += '?';
    }
    throw InvalidArgument(finding_one(kind), std::string(name), detail + "; known names are " + known, advice);
}

const Texts& files_of(const Part& part, Platform platform) noexcept {
    return platform == Platform::windows_x86_64 ? part.windows_files : part.files;
}

std::vector<std::string> toolkit_folders_of(const Part& part, Platform platform) {
    const bool windows = platform == Platform::windows_x86_64;
    const std::string target = windows ? std::string() : "targets/" + cuda_target(platform);
    if (const Texts& own = windows ? part.windows_toolkit_folders : part.toolkit_folders; !own.empty()) {
        std::vector<std::string> folders = to_vector(own);
        if (part.kind == PartKind::headers && !windows) {
            for (const char* folder : own) {
                folders.push_back(target + "/" + folder);
            }
        }
        return folders;
    }
    switch (part.kind) {
        case PartKind::dynamic_library:
            return windows ? std::vector<std::string>{"bin/x64", "bin"}
                           : std::vector<std::string>{"lib64", "lib", target + "/lib"};
        case PartKind::static_library:
            return windows ? std::vector<std::string>{"lib/x64", "lib"}
                           : std::vector<std::string>{"lib64", "lib", target + "/lib"};
        case PartKind::headers:
            return windows ? std::vector<std::string>{"include"}
                           : std::vector<std::string>{"include", target + "/include"};
        case PartKind::bitcode_library:
            return {"nvvm/libdevice"};
        case PartKind::binary_utility:
            return windows ? std::vector<std::string>{"bin", "bin/x64"} : std::vector<std::string>{"bin"};
    }
    return {};
}

std::vector<std::string> cuda_wheel_folders_of(const Part& part, Platform platform) {
    if (!part.cuda_wheel_folders.empty()) {
        return to_vector(part.cuda_wheel_folders);
    }
    const bool windows = platform == Platform::windows_x86_64;
    switch (part.kind) {
        case PartKind::dynamic_library:
            return {windows ? "bin/x86_64" : "lib"};
        case PartKind::static_library:
            return {windows ? "lib/x64" : "lib"};
        case PartKind::headers:
            return {"include"};
        case PartKind::bitcode_library:
            return {part.origin == PartOrigin::toolkit ? "nvvm/libdevice" : "lib"};
        case PartKind::binary_utility:
            return {"bin"};
    }
    return {};
}

std::vector<std::string> wheel_folders_of(const Part& part, Platform platform) {
    std::vector<std::string> folders = to_vector(part.wheel_folders);
    if (platform == Platform::windows_x86_64) {
        for (std::string& folder : folders) {
            if (part.kind == PartKind::dynamic_library && (folder.ends_with("/lib") || folder.ends_with("/lib64"))) {
                folder = with_last_folder(folder, "bin");
            } else if (part.kind == PartKind::static_library) {
                folder += "/x64";
            }
        }
    }
    return folders;
}

bool has_own_numbers(const Part& part, const Version& toolkit) noexcept {
    const Version& since = part.own_numbers_since;
    return since.known() &&
           (toolkit.major > since.major || (toolkit.major == since.major && toolkit.minor >= since.minor));
}

std::string package_of(const Part& part, const Version& version) {
    const std::string package = part.package;
    if (part.origin != PartOrigin::toolkit) {
        const std::size_t major = package.rfind("-cu13");
        return version.major == 12 && major != std::string::npos ? package.substr(0, major) + "-cu12" : package;
    }
    const bool is_12 = version.major == 12;
    std::string name = !is_12 ? package : *part.package12 != '\0' ? std::string(part.package12) : package + "-cu12";
    if (!part.has_toolkit_version || version.minor < 0) return name;
    // Which of these wheels a toolkit came with their numbers do not say: the newest for its major version.
    if (has_own_numbers(part, version)) return "'" + name + "==" + std::to_string(version.major) + ".*'";
    return "'" + name + "==" + version.text() + ".*'";
}

std::string cuda_target(Platform platform) {
    switch (platform) {
        case Platform::linux_x86_64:
            return "x86_64-linux";
        case Platform::linux_aarch64:
            return "sbsa-linux";
        case Platform::windows_x86_64:
            break;
    }
    return {};
}

std::string multiarch(Platform platform) {
    switch (platform) {
        case Platform::linux_x86_64:
            return "x86_64-linux-gnu";
        case Platform::linux_aarch64:
            return "aarch64-linux-gnu";
        case Platform::windows_x86_64:
            break;
    }
    return {};
}

}  // namespace cuprum::pathfinder
