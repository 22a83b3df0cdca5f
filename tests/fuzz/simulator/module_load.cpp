// Any bytes loaded as a module, from memory and from a file: PTX, fat binaries, cubins, what is cut short, what is none
// of them. The driver must answer with one of CUDA's codes and a line in its log, and never crash.
#include <cuda.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "module_load: %s\n", what);
    std::abort();
}

// The simulator's libcuda, which no loader path names.
struct Driver {
    decltype(&::cuModuleLoad) load_file = nullptr;
    decltype(&::cuModuleLoadDataEx) load_memory = nullptr;
    decltype(&::cuModuleUnload) unload = nullptr;
    decltype(&::cuGetErrorName) error_name = nullptr;
};

template <class Function>
void bind(void* library, Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    require(function != nullptr, name);
}

Driver open_driver() {
    setenv("CUPRUM_SIM", "cc=9.0,threads=1", 1);
    void* const library = dlopen(CUPRUM_TEST_SIMULATOR, RTLD_NOW | RTLD_LOCAL);
    require(library != nullptr, "the simulator cannot be opened");
    decltype(&::cuInit) init = nullptr;
    decltype(&::cuDeviceGet) device_get = nullptr;
    decltype(&::cuDevicePrimaryCtxRetain) retain = nullptr;
    decltype(&::cuCtxSetCurrent) set_current = nullptr;
    bind(library, init, "cuInit");
    bind(library, device_get, "cuDeviceGet");
    bind(library, retain, "cuDevicePrimaryCtxRetain");
    bind(library, set_current, "cuCtxSetCurrent");
    CUdevice device = 0;
    CUcontext context = nullptr;
    require(init(0) == CUDA_SUCCESS, "cuInit");
    require(device_get(&device, 0) == CUDA_SUCCESS, "cuDeviceGet");
    require(retain(&context, device) == CUDA_SUCCESS, "cuDevicePrimaryCtxRetain");
    require(set_current(context) == CUDA_SUCCESS, "cuCtxSetCurrent");
    Driver driver;
    bind(library, driver.load_file, "cuModuleLoad");
    bind(library, driver.load_memory, "cuModuleLoadDataEx");
    bind(library, driver.unload, "cuModuleUnload");
    bind(library, driver.error_name, "cuGetErrorName");
    return driver;
}

// A file in memory, named by its descriptor.
class MemoryFile {
public:
    MemoryFile(const uint8_t* data, size_t size) : descriptor_(memfd_create("module", MFD_CLOEXEC)) {
        require(descriptor_ >= 0, "memfd_create");
        require(write(descriptor_, data, size) == static_cast<ssize_t>(size), "write");
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

void unload(const Driver& driver, CUresult loaded, CUmodule module) {
    if (loaded == CUDA_SUCCESS) require(driver.unload(module) == CUDA_SUCCESS, "cuModuleUnload");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Driver driver = open_driver();
    CUmodule module = nullptr;
    const MemoryFile file(data, size);
    const CUresult from_file = driver.load_file(&module, file.path().c_str());
    const char* name = nullptr;
    require(driver.error_name(from_file, &name) == CUDA_SUCCESS && name != nullptr, "a code that CUDA does not have");
    unload(driver, from_file, module);
    // From memory the driver trusts what binaries say of their size, as NVIDIA's does: text alone can be anything.
    const bool is_text = size > 0 && (data[0] == '/' || data[0] == '.' || data[0] == ' ' || data[0] == '\n');
    if (!is_text) return 0;
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::array<char, 512> log{};
    std::array options = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
    const CUresult from_memory =
        driver.load_memory(&module, text.c_str(), options.size(), options.data(), values.data());
    require((from_memory == CUDA_SUCCESS) == (from_file == CUDA_SUCCESS), "file and memory load differently");
    require(from_memory == CUDA_SUCCESS || log[0] != 0, "refused without a word");
    unload(driver, from_memory, module);
    return 0;
}
