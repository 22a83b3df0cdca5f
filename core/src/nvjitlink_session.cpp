#include "nvjitlink_session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <utility>

#include "compiler_use.hpp"
#include "context.hpp"
#include "cuprum/bindings/nvjitlink.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/linker.hpp"
#include "image_check.hpp"
#include "unresolved.hpp"

namespace cuprum::core {

namespace nvjitlink = cuprum::bindings::nvjitlink;

namespace {

constexpr const char* running_nvjitlink = "linking";

// Results by number: those from 8 on came with versions of CUDA 12, and are not in every header that core is built
// with.
enum Result : int {
    unrecognized_option = 1,
    missing_arch = 2,
    invalid_input = 3,
    incompatible_options = 11,
    incorrect_input_type = 12,
    arch_mismatch = 13,
    unrecognized_arch = 16,
    unsupported_arch = 17,
};

std::string link_result_name(int result) {
    const bindings::Enumerator* const found = nvjitlink::library().types().find_enumerator("nvJitLinkResult", result);
    return found == nullptr ? "nvJitLinkResult " + std::to_string(result) : std::string(found->name);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

std::string arch_in(const std::vector<std::string>& options) {
    return options.front().substr(options.front().find('=') + 1);
}

std::string advice_for_link(int result, std::string_view log, const std::string& arch) {
    if (has_any(log, {"Undefined reference", "Unresolved extern"})) {
        return "give the linker the code that defines it too; code that others call is compiled as relocatable device "
               "code";
    }
    if (result == arch_mismatch || has_any(log, {"is higher than default SM version", "newer than target arch"})) {
        return "the input is for a newer architecture than " + arch + ": compile it for " + arch +
               " or an older one, or link for a newer one";
    }
    if (result == invalid_input) {
        return "it is damaged, or was compiled for another architecture: code for " + arch +
               " is linked from cubins of the same major version, not newer ones";
    }
    if (result == unrecognized_arch || result == unsupported_arch) {
        return "this nvJitLink does not link for " + arch + ": give another architecture, or install a newer toolkit";
    }
    if (result == unrecognized_option) return "one of the options is not nvJitLink's, or its value is not";
    return {};
}

nvJitLinkInputType input_type(CodeType type) {
    switch (type) {
        case CodeType::cubin:
            return NVJITLINK_INPUT_CUBIN;
        case CodeType::ltoir:
            return NVJITLINK_INPUT_LTOIR;
        case CodeType::fatbin:
            return NVJITLINK_INPUT_FATBIN;
        case CodeType::object:
            return NVJITLINK_INPUT_OBJECT;
        case CodeType::library:
            return NVJITLINK_INPUT_LIBRARY;
        default:
            return NVJITLINK_INPUT_PTX;
    }
}

// Of the calling thread, unlike those of the operating system never another's again.
uint64_t number_of_thread() {
    static std::atomic<uint64_t> last = 0;
    thread_local const uint64_t number = ++last;
    return number;
}

// Empty where nvJitLink does not say: the log is only a help for the reader.
std::string read_link_log(nvJitLinkHandle handle, nvJitLinkResult (*get_size)(nvJitLinkHandle, size_t*),
                          nvJitLinkResult (*get)(nvJitLinkHandle, char*)) {
    size_t size = 0;
    if (handle == nullptr || compilers_have_ended() || get_size(handle, &size) != NVJITLINK_SUCCESS || size == 0)
        return {};
    std::string log(size, '\0');
    if (get(handle, log.data()) != NVJITLINK_SUCCESS) return {};
    log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
    return log;
}

}  // namespace

void NvJitLinkSession::check(int result, const char* function, const char* operation, const std::string& object) const {
    if (result == NVJITLINK_SUCCESS) return;
    if (result == NVJITLINK_ERROR_INTERNAL) throw_if_unresolved(function, operation, object);
    std::string log = error_log();
    ErrorInfo info;
    info.domain = ErrorDomain::nvjitlink;
    info.code = result;
    info.name = link_result_name(result);
    info.operation = operation;
    info.object = object;
    info.advice = advice_for_link(result, log, arch_in(options_));
    info.detail = "options:";
    for (const std::string& option : options_)
        info.detail += ' ' + option;
    constexpr std::array faults_of_options{unrecognized_option, missing_arch, incompatible_options, unrecognized_arch,
                                           unsupported_arch};
    if (std::find(faults_of_options.begin(), faults_of_options.end(), result) != faults_of_options.end()) {
        info.status = Status::invalid_argument;
        if (!log.empty()) info.detail = log + (log.back() == '\n' ? "" : "\n") + info.detail;
        throw InvalidArgument(std::move(info));
    }
    throw NvJitLinkError(std::move(info), std::move(log));
}

NvJitLinkSession::NvJitLinkSession(std::vector<std::string> options, std::string object)
    : options_(std::move(options)), object_(std::move(object)), thread_(number_of_thread()) {
    const CompilerUse use(Compiler::nvjitlink, running_nvjitlink, object_);
    std::vector<const char*> texts;
    texts.reserve(options_.size());
    for (const std::string& option : options_)
        texts.push_back(option.c_str());
    const nvJitLinkResult result =
        nvjitlink::nvJitLinkCreate(&handle_, static_cast<uint32_t>(texts.size()), texts.data());
    if (result == NVJITLINK_SUCCESS) return;
    // A call that fails makes a handle too, which has the log.
    try {
        check(result, "nvJitLinkCreate", running_nvjitlink, object_);
    } catch (...) {
        if (handle_ != nullptr) nvjitlink::nvJitLinkDestroy(&handle_);
        throw;
    }
}

NvJitLinkSession::~NvJitLinkSession() {
    // nvJitLink 13.0 crashes, there or in the next call, when a handle that was not completed is destroyed in another
    // thread than that which made it: a collector's, for one. It leaks then.
    const bool can_destroy = thread_ == number_of_thread() && !must_leak() && !compilers_have_ended();
    if (handle_ != nullptr && can_destroy) nvjitlink::nvJitLinkDestroy(&handle_);
}

void NvJitLinkSession::require_architecture(std::string_view cubin, const std::string& object) const {
    const std::string arch = arch_in(options_);
    uint32_t target = 0;
    const size_t digits = arch.find('_') + 1;  // "sm_90a", "compute_90"
    std::from_chars(arch.data() + digits, arch.data() + arch.size(), target);
    const uint32_t made_for = architecture_of_cubin(cubin);
    if (made_for == 0 || target == 0 || (made_for / 10 == target / 10 && made_for <= target)) return;
    ErrorInfo info;
    info.domain = ErrorDomain::nvjitlink;
    info.code = invalid_input;
    info.name = link_result_name(invalid_input);
    info.operation = running_nvjitlink;
    info.object = object;
    info.detail = "it is machine code for sm_" + std::to_string(made_for);
    info.advice = advice_for_link(invalid_input, {}, arch);
    throw NvJitLinkError(std::move(info));
}

void NvJitLinkSession::add(CodeType type, std::string_view code, std::string name, const std::string& input) {
    const CompilerUse use(Compiler::nvjitlink, running_nvjitlink, object_);
    if (type == CodeType::cubin) require_architecture(code, input + " of " + object_);
    const char* const kept = names_.emplace_back(std::move(name)).c_str();
    check(nvjitlink::nvJitLinkAddData(handle_, input_type(type), code.data(), code.size(), kept), "nvJitLinkAddData",
          running_nvjitlink, input + " of " + object_);
}

std::string NvJitLinkSession::complete(bool to_ptx) {
    const CompilerUse use(Compiler::nvjitlink, running_nvjitlink, object_);
    check(nvjitlink::nvJitLinkComplete(handle_), "nvJitLinkComplete", running_nvjitlink, object_);
    constexpr const char* reading = "reading what was linked";
    size_t size = 0;
    if (!to_ptx) {
        check(nvjitlink::nvJitLinkGetLinkedCubinSize(handle_, &size), "nvJitLinkGetLinkedCubinSize", reading, object_);
        std::string cubin(size, '\0');
        check(nvjitlink::nvJitLinkGetLinkedCubin(handle_, cubin.data()), "nvJitLinkGetLinkedCubin", reading, object_);
        return cubin;
    }
    check(nvjitlink::nvJitLinkGetLinkedPtxSize(handle_, &size), "nvJitLinkGetLinkedPtxSize", reading, object_);
    std::string ptx(size, '\0');
    check(nvjitlink::nvJitLinkGetLinkedPtx(handle_, ptx.data()), "nvJitLinkGetLinkedPtx", reading, object_);
    while (!ptx.empty() && ptx.back() == '\0')
        ptx.pop_back();
    return ptx;
}

std::string NvJitLinkSession::error_log() const {
    return read_link_log(handle_, &nvjitlink::nvJitLinkGetErrorLogSize, &nvjitlink::nvJitLinkGetErrorLog);
}

std::string NvJitLinkSession::info_log() const {
    return read_link_log(handle_, &nvjitlink::nvJitLinkGetInfoLogSize, &nvjitlink::nvJitLinkGetInfoLog);
}

std::pair<int32_t, int32_t> nvjitlink_version() {
    unsigned int major = 0;
    unsigned int minor = 0;
    constexpr const char* asking = "asking for nvJitLink's version";
    const nvJitLinkResult result = nvjitlink::nvJitLinkVersion(&major, &minor);
    if (result != NVJITLINK_SUCCESS) {
        if (result == NVJITLINK_ERROR_INTERNAL) throw_if_unresolved("nvJitLinkVersion", asking);
        ErrorInfo info;
        info.domain = ErrorDomain::nvjitlink;
        info.code = result;
        info.name = link_result_name(result);
        info.operation = asking;
        throw NvJitLinkError(std::move(info));
    }
    return {static_cast<int32_t>(major), static_cast<int32_t>(minor)};
}

}  // namespace cuprum::core
