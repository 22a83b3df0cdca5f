#include "cuprum/core/object_code.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "context.hpp"
#include "cuprum/bindings/trace.hpp"
#include "cuprum/core/device.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "image_check.hpp"
#include "kernel_state.hpp"
#include "object_code_state.hpp"
#include "ptx_kernels.hpp"

namespace cuprum::core {

namespace {

const char* type_name(CodeType type) {
    switch (type) {
        case CodeType::native:
            return "native";
        case CodeType::ptx:
            return "PTX";
        case CodeType::cubin:
            return "cubin";
        case CodeType::ltoir:
            return "LTO-IR";
        case CodeType::fatbin:
            return "fatbin";
        case CodeType::object:
            return "object";
        case CodeType::library:
            return "library";
    }
    return "code";
}

// The state of a valid object; `operation` is what was to be done with it.
template <class State>
State& require_object_code(const std::shared_ptr<State>& state, const char* operation) {
    if (state == nullptr) {
        throw InvalidState(operation, "object code", "the object is moved-from or default-constructed",
                           "compile a program, or make object code from PTX");
    }
    return *state;
}

// All kernels by the driver's own account (CUDA 12.4 and newer).
std::vector<std::string> names_in_library(CUlibrary library, const std::string& object) {
    constexpr const char* operation = "listing the kernels";
    unsigned int count = 0;
    check(driver::cuLibraryGetKernelCount(&count, library), "cuLibraryGetKernelCount", operation, object);
    std::vector<CUkernel> kernels(count);
    if (count > 0) {
        check(driver::cuLibraryEnumerateKernels(kernels.data(), count, library), "cuLibraryEnumerateKernels", operation,
              object);
    }
    std::vector<std::string> names;
    names.reserve(count);
    for (const CUkernel kernel : kernels) {
        const char* name = nullptr;
        check(driver::cuKernelGetName(&name, kernel), "cuKernelGetName", operation, object);
        names.emplace_back(name == nullptr ? "" : name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

// What can be given to get_kernel(): name expressions first, then the kernels that have none.
std::vector<std::string> names_to_ask_for(ObjectCodeAccess::State& state, CUlibrary library) {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> lowered;
    for (const auto& [expression, lowered_name] : state.symbol_mapping) {
        names.push_back(expression);
        lowered.insert(lowered_name);
    }
    try {
        for (const std::string& name : state.kernel_names(library)) {
            if (!lowered.contains(name)) names.push_back(name);
        }
    } catch (const Error&) {
        // Without a list the error still says which name is missing.
    }
    return names;
}

[[noreturn]] void throw_kernel_not_found(ObjectCodeAccess::State& state, CUlibrary library, const std::string& name) {
    std::vector<std::string> available = names_to_ask_for(state, library);
    ErrorInfo info;
    info.status = Status::kernel_not_found;
    info.operation = "looking for the kernel '" + name + "'";
    info.object = state.describe();
    // _Z<length><name>...: the Itanium ABI's mangled form of a C++ function.
    const std::string mangled = "_Z" + std::to_string(name.size()) + name;
    const bool is_mangled = std::any_of(available.begin(), available.end(), [&](const std::string& candidate) {
        return candidate.compare(0, mangled.size(), mangled) == 0;
    });
    if (is_mangled) {
        info.advice = "its name is mangled: declare the kernel extern \"C\", or give '" + name +
                      "' to the compile as a name expression";
    }
    throw KernelNotFound(std::move(info), std::move(available));
}

std::vector<KernelArgumentInfo> read_arguments(CUkernel kernel, const std::string& name) {
    std::vector<KernelArgumentInfo> arguments;
    // cuKernelGetParamInfo fails with CUDA_ERROR_INVALID_CONTEXT where no context is current (seen with driver 580).
    const ContextScope scope(device_with_context());
    for (;;) {
        size_t offset = 0;
        size_t size = 0;
        const CUresult result = [&] {
            const bindings::Probe probe(CUDA_ERROR_INVALID_VALUE);
            return driver::cuKernelGetParamInfo(kernel, arguments.size(), &offset, &size);
        }();
        if (result == CUDA_ERROR_INVALID_VALUE) {
            // One past the last parameter: how the driver ends the list (cuda.h, cuKernelGetParamInfo).
            discard_driver_log();
            return arguments;
        }
        check(
            result, "cuKernelGetParamInfo", [&] { return "asking for parameter " + std::to_string(arguments.size()); },
            [&] { return "kernel '" + name + "'"; });
        arguments.push_back({offset, size});
    }
}

// Not of a device or a pipe, which may have no end.
std::string read_code_file(const std::string& path, const std::string& operation) {
    constexpr off_t most = off_t{4} << 30;
    const auto refuse = [&](std::string detail, std::string advice = {}) {
        throw InvalidArgument(operation, path, std::move(detail), std::move(advice));
    };
    // O_NONBLOCK: opening a pipe would wait for somebody who writes to it.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) refuse(std::strerror(errno));
    const auto close_file = [file](const void*) { close(file); };
    const std::unique_ptr<const std::string, decltype(close_file)> closed(&path, close_file);
    struct stat status {};
    if (fstat(file, &status) != 0) refuse(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) refuse("it is not a regular file", "copy the code to a file, or pass its bytes");
    if (status.st_size > most) {
        refuse("the file has " + std::to_string(status.st_size) + " bytes, code has at most " + std::to_string(most));
    }
    std::string code(static_cast<size_t>(status.st_size), '\0');
    size_t filled = 0;
    while (filled < code.size()) {
        const ssize_t count = read(file, code.data() + filled, code.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) refuse(std::strerror(errno));
        if (count == 0) break;  // shorter than it was
        filled += static_cast<size_t>(count);
    }
    code.resize(filled);
    return code;
}

// Where the parameters of a kernel with a handle lie, and what they are.
void read_parameters(KernelAccess::State& kernel, const KnownKernels& known, const std::string& symbol) {
    kernel.arguments = read_arguments(kernel.handle, kernel.name);
    kernel.types = find_parameter_types(known, symbol, kernel.arguments);
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        kernel.arguments[i].kind = kernel.types[i].kind;
        kernel.arguments[i].type = kernel.types[i].text;
    }
}

}  // namespace

ObjectCode::State::~State() {
    const CUlibrary loaded = library.load();
    if (loaded == nullptr || must_leak()) return;
    report_cleanup(driver::cuLibraryUnload(loaded), "cuLibraryUnload", "unloading code", [this] { return describe(); });
}

std::string ObjectCode::State::describe() const {
    std::string text = type_name(type);
    if (!name.empty()) text += " '" + name + "'";
    return text + " (" + std::to_string(code.size()) + " bytes)";
}

const KnownKernels& ObjectCode::State::known_kernels() {
    std::call_once(kernels_read, [this] {
        if (origin.source != nullptr) kernels.declared = origin.source->kernels();
        kernels.in_ptx = type == CodeType::ptx ? kernels_in_ptx(code) : origin.ptx_kernels;
    });
    return kernels;
}

void ObjectCode::State::require_compiled(CUlibrary of) const {
    const std::vector<std::string> in_text = core::kernel_names(kernels_in_ptx(code));
    if (in_text.empty()) return;
    CUkernel kernel = nullptr;
    const CUresult result = driver::cuLibraryGetKernel(&kernel, of, in_text.front().c_str());
    if (result == CUDA_SUCCESS) return;
    throw_driver_error(result, "cuLibraryGetKernel", "listing the kernels", describe(), jit_log());
}

const std::vector<std::string>& ObjectCode::State::kernel_names(CUlibrary of) {
    const std::lock_guard lock(mutex);
    if (names) return *names;
    std::vector<std::string> found;
    try {
        found = names_in_library(of, describe());
    } catch (const Unsupported&) {
        // The driver is too old to tell; the text of PTX tells as well.
        if (type != CodeType::ptx) throw;
        found = core::kernel_names(kernels_in_ptx(code));
    }
    if (found.empty() && type == CodeType::ptx) require_compiled(of);
    names = std::move(found);
    return *names;
}

CUlibrary ObjectCode::State::load() {
    if (const CUlibrary loaded = library.load(std::memory_order_acquire)) return loaded;
    const std::lock_guard lock(mutex);
    if (library.load(std::memory_order_acquire) == nullptr) load_locked();
    return library.load(std::memory_order_acquire);
}

void ObjectCode::State::load_locked() {
    constexpr const char* operation = "loading code";
    if (type == CodeType::ltoir || type == CodeType::object || type == CodeType::library) {
        throw InvalidState(operation, describe(),
                           std::string("a device cannot run ") + (type == CodeType::ltoir    ? "LTO-IR"
                                                                  : type == CodeType::object ? "an object"
                                                                                             : "a library"),
                           "link it first, with a linker");
    }
    check_image(type, code, describe());
    initialize_driver();
    if (logs == nullptr) logs = std::make_unique<Logs>();
    auto& [error_log, info_log] = *logs;
    error_log.fill('\0');
    info_log.fill('\0');
    // One byte less than there is: the text stays terminated whatever the driver does with the last.
    std::array options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                       CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 4> values{error_log.data(), reinterpret_cast<void*>(error_log.size() - 1), info_log.data(),
                                reinterpret_cast<void*>(info_log.size() - 1)};
    CUlibrary loaded = nullptr;
    const CUresult result = driver::cuLibraryLoadData(&loaded, code.c_str(), options.data(), values.data(),
                                                      static_cast<unsigned int>(options.size()), nullptr, nullptr, 0);
    if (result != CUDA_SUCCESS) {
        throw_driver_error(result, "cuLibraryLoadData", operation, describe(), error_log.data());
    }
    library.store(loaded, std::memory_order_release);
}

ObjectCode ObjectCode::make(CodeType type, std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(type, std::move(code), std::move(name), std::move(symbol_mapping), CodeOrigin());
}

ObjectCode ObjectCode::make(CodeType type, std::string code, std::string name, SymbolMapping symbol_mapping,
                            CodeOrigin origin) {
    return ObjectCode(
        std::make_shared<State>(type, std::move(code), std::move(name), std::move(symbol_mapping), std::move(origin)));
}

void GlobalVariable::require_size(uint64_t bytes) const {
    if (bytes == size() && is_valid()) return;
    if (!is_valid()) throw InvalidState("using a variable", "variable", "it is default-constructed", "look it up");
    throw InvalidArgument("using a variable", "the variable " + name_ + " on " + describe_device(device_id()),
                          "it has " + std::to_string(size()) + " bytes, and the value has " + std::to_string(bytes),
                          "give a value, or values, of the variable's own type");
}

void GlobalVariable::require_multiple(uint64_t element_size) const {
    require_size(size());
    if (size() % element_size == 0) return;
    throw InvalidArgument("using a variable", "the variable " + name_ + " on " + describe_device(device_id()),
                          "its " + std::to_string(size()) + " bytes are no whole number of values of " +
                              std::to_string(element_size) + " bytes",
                          "ask for values of the variable's own type");
}

ObjectCode ObjectCode::from_ptx(std::string code, std::string name, SymbolMapping symbol_mapping) {
    while (!code.empty() && code.back() == '\0')
        code.pop_back();
    return make(CodeType::ptx, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_cubin(std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(CodeType::cubin, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_fatbin(std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(CodeType::fatbin, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_ltoir(std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(CodeType::ltoir, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_object(std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(CodeType::object, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_library(std::string code, std::string name, SymbolMapping symbol_mapping) {
    return make(CodeType::library, std::move(code), std::move(name), std::move(symbol_mapping));
}

ObjectCode ObjectCode::from_file(const std::string& path, CodeType type) {
    const std::string operation = "reading code from a file";
    if (type == CodeType::native) {
        throw InvalidArgument(operation, path, "'native' is not a type of code", "say which it is: ptx, cubin, fatbin");
    }
    std::string code = read_code_file(path, operation);
    if (type == CodeType::ptx) return from_ptx(std::move(code), path);
    return make(type, std::move(code), path, {});
}

CodeType ObjectCode::code_type() const {
    return require_object_code(state_, "asking for the type").type;
}
const std::string& ObjectCode::name() const {
    return require_object_code(state_, "asking for the name").name;
}
const std::string& ObjectCode::code() const {
    return require_object_code(state_, "asking for the code").code;
}
const SymbolMapping& ObjectCode::symbol_mapping() const {
    return require_object_code(state_, "asking for the symbol mapping").symbol_mapping;
}

CUlibrary ObjectCode::handle() const {
    return require_object_code(state_, "loading code").load();
}

const std::vector<std::string>& ObjectCode::kernel_names() const& {
    State& state = require_object_code(state_, "listing the kernels");
    return state.kernel_names(state.load());
}

std::vector<std::string> ObjectCode::kernel_names() && {
    return static_cast<const ObjectCode&>(*this).kernel_names();
}

Kernel ObjectCode::get_kernel(std::string_view name) const {
    State& state = require_object_code(state_, "looking for a kernel");
    const CUlibrary library = state.load();
    auto kernel = std::make_shared<Kernel::State>();
    kernel->name = name;
    kernel->code = state_;
    const auto mapped = state.symbol_mapping.find(kernel->name);
    const std::string& symbol = mapped == state.symbol_mapping.end() ? kernel->name : mapped->second;
    const CUresult result = driver::cuLibraryGetKernel(&kernel->handle, library, symbol.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) {
        // The kernel is not there, or this driver lacks the function itself.
        if (const auto unresolved = take_unresolved(result, "cuLibraryGetKernel")) throw unresolved->to_error();
        discard_driver_log();
        throw_kernel_not_found(state, library, kernel->name);
    }
    if (result != CUDA_SUCCESS) {
        // A driver that loads lazily compiles PTX only now.
        throw_driver_error(result, "cuLibraryGetKernel", "looking for the kernel '" + kernel->name + "'",
                           state.describe(), state.jit_log());
    }
    read_parameters(*kernel, state.known_kernels(), symbol);
    return Kernel(std::move(kernel));
}

GlobalVariable ObjectCode::get_global(const Device& device, std::string_view name) const {
    State& state = require_object_code(state_, "looking for a variable");
    const CUlibrary library = state.load();
    const std::string asked_for(name);
    const auto mapped = state.symbol_mapping.find(asked_for);
    const std::string& symbol = mapped == state.symbol_mapping.end() ? asked_for : mapped->second;
    const auto operation = [&] { return "looking for the variable '" + asked_for + "'"; };
    if (name.empty()) throw InvalidArgument(operation(), state.describe(), "the name is empty, expected a variable's");
    const ContextScope scope(device.device_id());
    CUdeviceptr address = 0;
    size_t size = 0;
    const CUresult result = driver::cuLibraryGetGlobal(&address, &size, library, symbol.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) {
        if (const auto unresolved = take_unresolved(result, "cuLibraryGetGlobal")) throw unresolved->to_error();
        discard_driver_log();
        throw InvalidArgument(operation(), state.describe(), "the code has no variable of that name",
                              "declare it __device__ or __constant__ and extern \"C\", or give '&" + asked_for +
                                  "' to the compile as a name expression; one that no kernel uses may be removed");
    }
    if (result != CUDA_SUCCESS) {
        throw_driver_error(result, "cuLibraryGetGlobal", operation(), state.describe(), state.jit_log());
    }
    return {BufferRef::from_handle(address, size, device.device_id()), state_, asked_for};
}

Kernel Kernel::from_handle(CUkernel handle) {
    return from_handle(handle, ObjectCode());
}

Kernel Kernel::from_handle(CUkernel handle, const ObjectCode& code) {
    constexpr const char* operation = "taking a kernel's handle";
    if (handle == nullptr) throw InvalidArgument(operation, "kernel", "the handle is null", "give a CUkernel");
    initialize_driver();
    auto kernel = std::make_shared<Kernel::State>();
    const char* name = nullptr;
    check(driver::cuKernelGetName(&name, handle), "cuKernelGetName", operation, "kernel");
    kernel->handle = handle;
    kernel->name = name == nullptr ? "" : name;
    kernel->code = code.state_;
    read_parameters(*kernel, code.state_ == nullptr ? KnownKernels{} : code.state_->known_kernels(), kernel->name);
    return Kernel(std::move(kernel));
}

}  // namespace cuprum::core
