#include "driver/error/core_dump.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string_view>

#include "driver/context/context.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/error/error_table.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr size_t text_bytes = 1024;  // with the zero at its end

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
    return name.data();
}

std::string default_name(const char* begin) {
    return begin + host_name() + "." + std::to_string(::getpid());
}

std::string expanded(const std::string& name) {
    std::string text;
    for (size_t k = 0; k < name.size(); ++k) {
        const char next = name[k] == '%' && k + 1 < name.size() ? name[k + 1] : '\0';
        if (next == 'h') {
            text += host_name();
        } else if (next == 'p') {
            text += std::to_string(::getpid());
        } else if (next == 't') {
            text += std::to_string(std::time(nullptr));
        } else {
            text += name[k];
            continue;
        }
        ++k;
    }
    return text;
}

size_t bytes_of(CUcoredumpSettings attribute) {
    switch (attribute) {
        case CU_COREDUMP_ENABLE_ON_EXCEPTION:
        case CU_COREDUMP_TRIGGER_HOST:
        case CU_COREDUMP_LIGHTWEIGHT:
        case CU_COREDUMP_ENABLE_USER_TRIGGER:
            return sizeof(bool);
        case CU_COREDUMP_FILE:
        case CU_COREDUMP_PIPE:
            return text_bytes;
        case CU_COREDUMP_GENERATION_FLAGS:
            return sizeof(unsigned int);
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("there is no core dump attribute %d", static_cast<int>(attribute)));
    }
}

// Of the names in CUDA_COREDUMP_GENERATION_FLAGS.
unsigned int flags_of(std::string_view text) {
    struct Named {
        std::string_view name;
        unsigned int flag;
    };
    static constexpr std::array<Named, 6> names{{
        {"skip_nonrelocated_elf_images", CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES},
        {"skip_global_memory", CU_COREDUMP_SKIP_GLOBAL_MEMORY},
        {"skip_shared_memory", CU_COREDUMP_SKIP_SHARED_MEMORY},
        {"skip_local_memory", CU_COREDUMP_SKIP_LOCAL_MEMORY},
        {"skip_abort", CU_COREDUMP_SKIP_ABORT},
        {"skip_constbank_memory", CU_COREDUMP_SKIP_CONSTBANK_MEMORY},
    }};
    unsigned int flags = 0;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        const std::string_view name = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const auto known = std::ranges::find(names, name, &Named::name);
        if (known != names.end()) flags |= known->flag;
    }
    return flags;
}

}  // namespace

CoreDumps& core_dumps() {
    static CoreDumps* const instance = new CoreDumps;
    return *instance;
}

void CoreDumps::begin() {
    const std::lock_guard lock(mutex_);
    const auto fixed = [&](const char* variable, CUcoredumpSettings attribute) -> const char* {
        const char* const text = std::getenv(variable);
        if (text != nullptr) fixed_[attribute] = true;
        return text;
    };
    const auto is_on = [](const char* text) { return std::string_view(text) != "0"; };
    global_.file = default_name("core.cuda.");
    global_.pipe = default_name("corepipe.cuda.");
    if (const char* text = fixed("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", CU_COREDUMP_ENABLE_ON_EXCEPTION))
        global_.on_exception = is_on(text);
    if (const char* text = fixed("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", CU_COREDUMP_TRIGGER_HOST))
        global_.triggers_host = is_on(text);
    if (const char* text = fixed("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", CU_COREDUMP_LIGHTWEIGHT))
        global_.lightweight = is_on(text);
    if (const char* text = fixed("CUDA_COREDUMP_FILE", CU_COREDUMP_FILE)) global_.file = text;
    if (const char* text = fixed("CUDA_COREDUMP_PIPE", CU_COREDUMP_PIPE)) global_.pipe = text;
    if (const char* text = fixed("CUDA_COREDUMP_GENERATION_FLAGS", CU_COREDUMP_GENERATION_FLAGS))
        global_.flags = flags_of(text);
    if (global_.on_exception) driver().inspector().want_faults(true);
}

void CoreDumps::begin_context(const Context& context) {
    const std::lock_guard lock(mutex_);
    if ((context.flags & (CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE)) == 0) return;
    CoreDumpSettings settings = global_;
    settings.on_exception = true;
    by_context_[context.identifier()] = settings;
    driver().inspector().want_faults(true);
}

void CoreDumps::end_context(const Context& context) {
    const std::lock_guard lock(mutex_);
    by_context_.erase(context.identifier());
}

CoreDumpSettings CoreDumps::of(const Context& context) const {
    const std::lock_guard lock(mutex_);
    const auto own = by_context_.find(context.identifier());
    return own == by_context_.end() ? global_ : own->second;
}

void CoreDumps::get(const Context* context, CUcoredumpSettings attribute, void* value, size_t* size) const {
    require_pointer(size, "size");
    const size_t bytes = bytes_of(attribute);
    if (value == nullptr) {
        *size = bytes;
        return;
    }
    CoreDumpSettings settings;
    if (context != nullptr) {
        settings = of(*context);
    } else {
        const std::lock_guard lock(mutex_);
        settings = global_;
    }
    const std::string& text = attribute == CU_COREDUMP_FILE ? settings.file : settings.pipe;
    const bool is_text = bytes == text_bytes;
    if (*size < (is_text ? text.size() + 1 : bytes))
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("*size is %zu, and the attribute takes %zu bytes", *size, bytes));
    bool truth = false;
    switch (attribute) {
        case CU_COREDUMP_ENABLE_ON_EXCEPTION:
            truth = settings.on_exception;
            break;
        case CU_COREDUMP_TRIGGER_HOST:
            truth = settings.triggers_host;
            break;
        case CU_COREDUMP_LIGHTWEIGHT:
            truth = settings.lightweight;
            break;
        case CU_COREDUMP_GENERATION_FLAGS:
            std::memcpy(value, &settings.flags, sizeof(settings.flags));
            return;
        case CU_COREDUMP_FILE:
        case CU_COREDUMP_PIPE:
            std::memcpy(value, text.c_str(), text.size() + 1);
            return;
        default:
            break;  // no dump is triggered by a pipe
    }
    std::memcpy(value, &truth, sizeof(truth));
}

void CoreDumps::apply(CoreDumpSettings& settings, CUcoredumpSettings attribute, const void* value) const {
    if (fixed_.contains(attribute)) return;
    const auto truth = [&] { return *static_cast<const unsigned char*>(value) != 0; };
    switch (attribute) {
        case CU_COREDUMP_ENABLE_ON_EXCEPTION:
            settings.on_exception = truth();
            break;
        case CU_COREDUMP_TRIGGER_HOST:
            settings.triggers_host = truth();
            break;
        case CU_COREDUMP_LIGHTWEIGHT:
            settings.lightweight = truth();
            break;
        case CU_COREDUMP_ENABLE_USER_TRIGGER:
            if (truth())
                throw DriverError(
                    CUDA_ERROR_NOT_SUPPORTED,
                    "core dumps that writing to a pipe triggers (CU_COREDUMP_ENABLE_USER_TRIGGER) are not "
                    "simulated; CU_COREDUMP_ENABLE_ON_EXCEPTION is");
            break;
        case CU_COREDUMP_FILE:
            settings.file = static_cast<const char*>(value);
            break;
        case CU_COREDUMP_PIPE:
            settings.pipe = static_cast<const char*>(value);
            break;
        default:
            std::memcpy(&settings.flags, value, sizeof(settings.flags));
            break;
    }
}

void CoreDumps::set(const Context* context, CUcoredumpSettings attribute, const void* value, size_t* size) {
    require_pointer(size, "size");
    const size_t bytes = bytes_of(attribute);
    if (value == nullptr) {
        *size = bytes;
        return;
    }
    const bool is_text = bytes == text_bytes;
    if (is_text ? ::strnlen(static_cast<const char*>(value), text_bytes) == text_bytes : *size < bytes)
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          is_text ? std::string("a file's name has at most 1023 characters")
                                  : format("*size is %zu, and the attribute takes %zu bytes", *size, bytes));
    if (context != nullptr && (attribute == CU_COREDUMP_ENABLE_USER_TRIGGER || attribute == CU_COREDUMP_PIPE))
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "this attribute is of the whole process (cuCoredumpSetAttributeGlobal)");
    const std::lock_guard lock(mutex_);
    if (context == nullptr) {
        apply(global_, attribute, value);
    } else {
        apply(by_context_.emplace(context->identifier(), global_).first->second, attribute, value);
    }
    if (attribute == CU_COREDUMP_ENABLE_ON_EXCEPTION && *static_cast<const unsigned char*>(value) != 0)
        driver().inspector().want_faults(true);
}

void dump_core(const Context& context, CUresult code, const std::string& report, const std::string& inspection) {
    const CoreDumpSettings settings = core_dumps().of(context);
    if (!settings.on_exception) return;
    const std::string name = expanded(settings.file);
    std::ofstream file(name);
    file << "Cuprum simulator: core dump of a kernel\n"
         << "process " << ::getpid() << ", device " << context.device().ordinal() << "\n"
         << error_name(code) << ": " << report << "\n"
         << inspection;
    const bool skips_memory = settings.lightweight || (settings.flags & CU_COREDUMP_SKIP_GLOBAL_MEMORY) != 0;
    if (!skips_memory) {
        file << "memory\n";
        for (const Allocation& allocation :
             driver().addresses().of_context(reinterpret_cast<uint64_t>(context.handle())))
            file << "    " << hexadecimal(allocation.begin) << "  " << allocation.size << " bytes, "
                 << allocation.description << "\n";
    }
    file.close();
    if (file) {
        std::fprintf(stderr, "Cuprum simulator: %s: core dump written to %s\n", error_name(code), name.c_str());
    } else {
        std::fprintf(stderr, "Cuprum simulator: %s: the core dump %s cannot be written: %s\n", error_name(code),
                     name.c_str(), std::strerror(errno));
    }
    if (settings.aborts()) std::abort();
}

}  // namespace cuprum::simulator::libcuda
