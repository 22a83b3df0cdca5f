#include "ptx_link.hpp"

#include <array>
#include <charconv>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "context.hpp"
#include "driver_error.hpp"

namespace cuprum::core {

namespace {

constexpr const char* assembling = "assembling PTX";

struct DestroyLink {
    void operator()(CUlinkState link) const {
        report_cleanup(driver::cuLinkDestroy(link), "cuLinkDestroy", "destroying a linker", "");
    }
};
using LinkOwner = std::unique_ptr<std::remove_pointer_t<CUlinkState>, DestroyLink>;

// The driver takes the options as two arrays, numbers disguised as pointers.
class JitOptions {
public:
    void add(CUjit_option option, uintptr_t value) {
        keys_.push_back(option);
        values_.push_back(reinterpret_cast<void*>(value));
    }
    unsigned int count() const { return static_cast<unsigned int>(keys_.size()); }
    CUjit_option* keys() { return keys_.data(); }
    void** values() { return values_.data(); }

private:
    std::vector<CUjit_option> keys_;
    std::vector<void*> values_;
};

// 90 for "sm_90" and for "compute_90". An ending such as the a of "sm_90a" is not for PTX that exists already.
unsigned int architecture_number(const std::string& arch) {
    const size_t underscore = arch.find('_');
    const char* const begin = arch.data() + (underscore == std::string::npos ? 0 : underscore + 1);
    const char* const end = arch.data() + arch.size();
    unsigned int number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || stop != end) {
        throw InvalidArgument(assembling, "arch '" + arch + "'", "expected \"sm_\" and a number, as in \"sm_90\"");
    }
    return number;
}

}  // namespace

std::string link_ptx_to_cubin(const std::string& ptx, const ProgramOptions& options) {
    const std::string object = "program '" + options.name + "'";
    std::array<char, 8192> error_log{};
    std::array<char, 8192> info_log{};
    JitOptions jit;
    jit.add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<uintptr_t>(error_log.data()));
    jit.add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error_log.size() - 1);
    jit.add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<uintptr_t>(info_log.data()));
    jit.add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, info_log.size() - 1);
    if (!options.arch.empty()) jit.add(CU_JIT_TARGET, architecture_number(options.arch));
    if (options.max_register_count) {
        jit.add(CU_JIT_MAX_REGISTERS, static_cast<uintptr_t>(*options.max_register_count));
    }
    if (options.debug.value_or(false)) jit.add(CU_JIT_GENERATE_DEBUG_INFO, 1);
    if (options.lineinfo.value_or(false)) jit.add(CU_JIT_GENERATE_LINE_INFO, 1);

    const ContextScope scope(device_with_context());
    CUlinkState created = nullptr;
    check(driver::cuLinkCreate(jit.count(), jit.keys(), jit.values(), &created), "cuLinkCreate", assembling, object);
    const LinkOwner link(created);
    void* cubin = nullptr;
    size_t size = 0;
    const char* function = "cuLinkAddData";
    // With its terminating NUL, as the driver wants text.
    CUresult result = driver::cuLinkAddData(link.get(), CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()),
                                            ptx.size() + 1, options.name.c_str(), 0, nullptr, nullptr);
    if (result == CUDA_SUCCESS) {
        function = "cuLinkComplete";
        result = driver::cuLinkComplete(link.get(), &cubin, &size);
    }
    if (result != CUDA_SUCCESS && error_log.front() != '\0') {
        ErrorInfo info = driver_error_info(result, function, assembling, object);
        throw CompileError(std::move(info), {error_log.data(), {}, {}});
    }
    check(result, function, assembling, object);
    return std::string(static_cast<const char*>(cubin), size);
}

}  // namespace cuprum::core
