#include "driver.hpp"

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <stdexcept>

namespace cuprum::ptx_test {

Driver::Driver(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    const auto bind = [&](auto& member, const char* name) {
        member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(dlsym(library_, name));
        if (member == nullptr) throw std::runtime_error(library + " has no function " + name);
    };
    bind(call_.init, "cuInit");
    bind(call_.device_get, "cuDeviceGet");
    bind(call_.device_name, "cuDeviceGetName");
    bind(call_.device_attribute, "cuDeviceGetAttribute");
    bind(call_.retain, "cuDevicePrimaryCtxRetain");
    bind(call_.set_current, "cuCtxSetCurrent");
    bind(call_.synchronise, "cuCtxSynchronize");
    bind(call_.load, "cuModuleLoadDataEx");
    bind(call_.unload, "cuModuleUnload");
    bind(call_.function, "cuModuleGetFunction");
    bind(call_.allocate, "cuMemAlloc_v2");
    bind(call_.release, "cuMemFree_v2");
    bind(call_.upload, "cuMemcpyHtoD_v2");
    bind(call_.download, "cuMemcpyDtoH_v2");
    bind(call_.fill, "cuMemsetD8_v2");
    bind(call_.launch, "cuLaunchKernel");
    bind(call_.error_name, "cuGetErrorName");
    check(call_.init(0), "cuInit");
    check(call_.device_get(&device_, 0), "cuDeviceGet");
    std::array<char, 256> name{};
    check(call_.device_name(name.data(), name.size(), device_), "cuDeviceGetName");
    device_name_ = name.data();
    int major = 0, minor = 0;
    check(call_.device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device_),
          "the device's version");
    check(call_.device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device_),
          "the device's version");
    compute_capability_ = static_cast<unsigned>(10 * major + minor);
    check(call_.retain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

// The context is kept until the process ends, as programs do; buffers go with it.
Driver::~Driver() {
    dlclose(library_);
}

void Driver::check(CUresult code, const char* what) const {
    if (code == CUDA_SUCCESS) return;
    const char* name = nullptr;
    call_.error_name(code, &name);
    throw std::runtime_error(std::string(what) + " gives " + (name != nullptr ? name : std::to_string(code)));
}

CUresult Driver::load(const std::string& ptx, CUmodule& module, std::string& log) const {
    std::array<char, 4096> text{};
    std::array options = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values = {text.data(), reinterpret_cast<void*>(text.size())};
    const CUresult code = call_.load(&module, ptx.c_str(), options.size(), options.data(), values.data());
    log = text.data();
    return code;
}

std::string Driver::load_error(const std::string& ptx, CUresult* code) {
    check(call_.set_current(context_), "cuCtxSetCurrent");
    CUmodule module = nullptr;
    std::string log;
    const CUresult result = load(ptx, module, log);
    if (code != nullptr) *code = result;
    if (result == CUDA_SUCCESS) {
        call_.unload(module);
        return {};
    }
    const char* name = nullptr;
    call_.error_name(result, &name);
    return std::string(name != nullptr ? name : "error") + ": " + log;
}

CUdeviceptr Driver::reserve(CUdeviceptr& buffer, size_t& held, size_t wanted) {
    if (wanted > held) {
        if (buffer != 0) call_.release(buffer);
        check(call_.allocate(&buffer, wanted), "cuMemAlloc");
        held = wanted;
    }
    return buffer;
}

std::vector<std::vector<std::vector<Bits>>> Driver::run(const Group& group, const std::string& form,
                                                        const std::vector<std::vector<Bits>>& operands) {
    check(call_.set_current(context_), "cuCtxSetCurrent");
    CUmodule module = nullptr;
    std::string log;
    if (const CUresult code = load(kernel_text(group, form, compute_capability_), module, log); code != CUDA_SUCCESS) {
        const char* name = nullptr;
        call_.error_name(code, &name);
        throw std::runtime_error(std::string("does not load: ") + (name != nullptr ? name : "?") + " " + log);
    }
    CUfunction kernel = nullptr;
    check(call_.function(&kernel, module, "cases"), "cuModuleGetFunction");

    const size_t elements = operands.size() * group.threads;
    std::vector<std::byte> in(operands.size() * group.operands.size() * slot_bytes + slot_bytes);
    size_t place = 0;
    for (const std::vector<Bits>& one : operands) {
        for (const Bits& value : one) {
            std::memcpy(in.data() + place, &value, sizeof value);
            place += slot_bytes;
        }
    }
    std::vector<std::byte> out(elements * group.results.size() * slot_bytes);
    CUdeviceptr in_address = reserve(in_, in_bytes_, in.size());
    CUdeviceptr out_address = reserve(out_, out_bytes_, out.size());
    CUdeviceptr scratch_address = reserve(scratch_, scratch_bytes_, elements * scratch_bytes);
    check(call_.upload(in_address, in.data(), in.size()), "cuMemcpyHtoD");
    check(call_.fill(out_address, 0, out.size()), "cuMemsetD8");
    check(call_.fill(scratch_address, 0, elements * scratch_bytes), "cuMemsetD8");
    auto count = static_cast<unsigned>(operands.size());
    std::array<void*, 4> parameters = {&in_address, &out_address, &scratch_address, &count};
    const unsigned block = group.threads > 1 ? group.threads : block_threads;
    const unsigned grid = group.threads > 1 ? count : (count + block_threads - 1) / block_threads;
    check(call_.launch(kernel, grid, 1, 1, block, 1, 1, 0, nullptr, parameters.data(), nullptr), "cuLaunchKernel");
    check(call_.synchronise(), "the kernel");
    check(call_.download(out.data(), out_address, out.size()), "cuMemcpyDtoH");
    check(call_.unload(module), "cuModuleUnload");

    std::vector<std::vector<std::vector<Bits>>> results(operands.size());
    place = 0;
    for (std::vector<std::vector<Bits>>& one : results) {
        one.assign(group.results.size(), std::vector<Bits>(group.threads));
        for (unsigned thread = 0; thread < group.threads; ++thread) {
            for (std::vector<Bits>& of_register : one) {
                std::memcpy(&of_register[thread], out.data() + place, sizeof(Bits));
                place += slot_bytes;
            }
        }
    }
    return results;
}

}  // namespace cuprum::ptx_test
