// Every function of the lists, as far as the resolver.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using FunctionList = Bindings;

TEST_F(FunctionList, IsSortedAndHasEachNameOnce) {
    for (Library* library : libraries()) {
        const auto functions = library->functions();
        for (std::size_t i = 1; i < functions.size(); ++i) {
            EXPECT_LT(std::string(functions[i - 1].name), functions[i].name);
        }
        for (const Function& function : functions) {
            EXPECT_EQ(library->find(function.name), &function);
        }
        EXPECT_EQ(library->find("no such function"), nullptr);
    }
}

TEST_F(FunctionList, IsTheWholeHeader) {
    EXPECT_GE(driver::library().functions().size(), 400u);
    EXPECT_GE(runtime::library().functions().size(), 250u);
    EXPECT_GE(nvrtc::library().functions().size(), 20u);
    EXPECT_EQ(nvjitlink::library().functions().size(), 14u);
    EXPECT_GE(nvvm::library().functions().size(), 13u);
    EXPECT_GE(nvml::library().functions().size(), 260u);
    EXPECT_GE(nccl::library().functions().size(), 70u);
    for (const char* name : {"cuInit", "cuLaunchKernelEx", "cuLibraryLoadData", "cuKernelGetParamInfo",
                             "cuStreamBeginCapture", "cuGetProcAddress", "cuTensorMapEncodeTiled"}) {
        EXPECT_NE(driver::library().find(name), nullptr) << name;
    }
    for (const char* name : {"cudaMalloc", "cudaLaunchKernelExC", "cudaGraphAddNode", "cudaCreateChannelDesc"}) {
        EXPECT_NE(runtime::library().find(name), nullptr) << name;
    }
#if CUDA_VERSION >= 12090
    for (const char* name : {"cuLogsCurrent", "cuLogsDumpToMemory", "cuLogsRegisterCallback"}) {
        EXPECT_NE(driver::library().find(name), nullptr) << name;
    }
#endif
}

// A function that changed its signature asks for the version that brought the one in the headers at hand.
TEST_F(FunctionList, HasTheVersionOfTheHeadersSignature) {
    const std::map<std::string, std::pair<std::string, int>> expected = {
        {"cuMemAlloc", {"cuMemAlloc_v2", 3020}},
        {"cuCtxDestroy", {"cuCtxDestroy_v2", 4000}},
        {"cuGetProcAddress", {"cuGetProcAddress_v2", 12000}},
        {"cuStreamBeginCapture", {"cuStreamBeginCapture_v2", 10010}},
        {"cuLaunchKernel", {"cuLaunchKernel", 4000}},
#if CUDA_VERSION >= 13000
        {"cuCtxCreate", {"cuCtxCreate_v4", 12050}},
        {"cuEventElapsedTime", {"cuEventElapsedTime_v2", 12080}},
        {"cuMemPrefetchAsync", {"cuMemPrefetchAsync_v2", 12020}},
#else
        {"cuCtxCreate", {"cuCtxCreate_v2", 3020}},
        {"cuEventElapsedTime", {"cuEventElapsedTime", 2000}},
        {"cuMemPrefetchAsync", {"cuMemPrefetchAsync", 8000}},
#endif
    };
    for (const auto& [name, symbol_and_version] : expected) {
        const Function* function = driver::library().find(name);
        ASSERT_NE(function, nullptr) << name;
        EXPECT_EQ(function->symbol, symbol_and_version.first);
        EXPECT_EQ(function->version, symbol_and_version.second) << name;
    }
}

TEST_F(FunctionList, EveryFunctionAsksTheDriverForItsOwnNameAndVersion) {
    use("driver_of_every_function");
    for (const Function& function : driver::library().functions()) {
        const int before = variable<int>("requests");
        const AnyFunction address = driver::library().address_of(function.name);
        ASSERT_NE(address, nullptr) << function.name;
        EXPECT_EQ(reinterpret_cast<int (*)()>(address)(), 4711);
        ASSERT_EQ(variable<int>("requests"), before + 1) << function.name;
        EXPECT_STREQ((&variable<char[96]>("queries"))[before], function.query);
        EXPECT_EQ((&variable<int>("versions"))[before], function.version) << function.name;
        EXPECT_TRUE(std::string(function.symbol).starts_with(function.query)) << function.name;
        EXPECT_GE(function.version, 2000);
        EXPECT_LE(function.version, CUDA_VERSION);
    }
}

// Room on the stack for any arguments.
struct StackRoom {
    char bytes[256];
};

// Through the function itself and its stub, not only through address_of.
TEST_F(FunctionList, EveryStubOfEveryLibraryCallsWhatItResolved) {
    for (Library* library : libraries()) {
        use(std::string(library->name()) + "_of_every_function");
        if (library == find_library("nvml")) setenv("CUPRUM_DRIVER", "gpu", 1);  // a simulator has its own NVML
        for (const Function& function : library->functions()) {
            const AnyFunction stub = function.operations->load(function.slot);
            EXPECT_EQ(stub, function.stub()) << function.name;
            const AnyFunction address = library->address_of(function.name);
            ASSERT_NE(address, nullptr) << function.name;
            if (std::string_view(function.signature).starts_with("struct:")) {
                continue;  // the library's answer is not of that form
            }
            library->reset();
            // The library's answer takes no arguments and looks at none, so any will do; the stub passes them on.
            const auto call = reinterpret_cast<int (*)(long, long, long, long, long, long, StackRoom)>(stub);
            EXPECT_EQ(call(0, 0, 0, 0, 0, 0, StackRoom{}), 4711) << function.name;
            EXPECT_EQ(function.operations->load(function.slot), address) << function.name;
        }
    }
}

TEST_F(FunctionList, EveryFunctionOfEveryLibraryFailsWithItsNameWhereTheLibraryIsMissing) {
    const EmptyMachine machine;
    for (Library* library : libraries()) {
        for (const Function& function : library->functions()) {
            ResolutionFailure::Kind kind;
            EXPECT_EQ(library->resolve(function, kind), nullptr);
            EXPECT_EQ(kind, ResolutionFailure::Kind::library_missing);
            EXPECT_EQ(take_resolution_failure()->function, function.name);
        }
    }
}

TEST_F(FunctionList, TheMissingLibrarysStatusIsItsOwn) {
    const EmptyMachine machine;
    int version = 7;
    unsigned int number = 7;
    EXPECT_EQ(driver::cuDriverGetVersion(&version), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    EXPECT_EQ(runtime::cudaRuntimeGetVersion(&version), cudaErrorSharedObjectInitFailed);
    EXPECT_EQ(nvrtc::nvrtcVersion(&version, &version), NVRTC_ERROR_INTERNAL_ERROR);
    EXPECT_EQ(nvjitlink::nvJitLinkVersion(&number, &number), NVJITLINK_ERROR_INTERNAL);
    EXPECT_EQ(nvvm::nvvmVersion(&version, &version), NVVM_ERROR_PROGRAM_CREATION_FAILURE);
    EXPECT_EQ(nvml::nvmlDeviceGetCount(&number), NVML_ERROR_LIBRARY_NOT_FOUND);
    EXPECT_EQ(nccl::ncclGetVersion(&version), ncclSystemError);
    EXPECT_EQ(version, 7);
    EXPECT_STREQ(runtime::cudaGetErrorString(cudaSuccess), "the library is not installed");
    EXPECT_EQ(runtime::cudaCreateChannelDesc(1, 2, 3, 4, cudaChannelFormatKindFloat).x, 0);
}

// A runtime of another major version has other signatures under other names: none is called by mistake.
TEST_F(FunctionList, AFunctionThatAnOlderRuntimeLacksFailsAlone) {
    use("runtime");
    int version = 0;
    EXPECT_EQ(runtime::cudaRuntimeGetVersion(&version), cudaSuccess);
    EXPECT_EQ(runtime::version(), 12020);
    EXPECT_TRUE(runtime::loaded());
    EXPECT_EQ(runtime::cudaFree(nullptr), cudaErrorSymbolNotFound);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->function, "cudaFree");
    EXPECT_EQ(failure->library_version, 12020);
    EXPECT_EQ(failure->info.domain, ErrorDomain::runtime);
#if CUDA_VERSION >= 13000
    EXPECT_EQ(runtime::address_of("cudaStreamGetCaptureInfo"), nullptr) << "the one in CUDA 12 has other parameters";
#endif
}

}  // namespace
}  // namespace cuprum::bindings::test
