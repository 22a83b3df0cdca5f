#pragma once

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuprum/core/object_code.hpp"
#include "driver_api.hpp"
#include "kernel_parameters.hpp"

namespace cuprum::core {

// Compiled code and, once loaded, the driver's library of it. Shared by ObjectCode copies and kernels.
struct ObjectCode::State {
    State(CodeType type_, std::string code_, std::string name_, std::map<std::string, std::string> symbol_mapping_,
          CodeOrigin origin_)
        : type(type_),
          code(std::move(code_)),
          name(std::move(name_)),
          symbol_mapping(std::move(symbol_mapping_)),
          origin(std::move(origin_)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    // The library; loads it at the first call that succeeds. Thread-safe.
    CUlibrary load();
    std::string describe() const;
    // What the driver's PTX compiler has complained of; "" if nothing.
    const char* jit_log() const { return error_log.data(); }

    const CodeType type;
    const std::string code;
    const std::string name;
    const std::map<std::string, std::string> symbol_mapping;
    const CodeOrigin origin;

    // Read at the first call. Thread-safe.
    const KnownKernels& known_kernels();

private:
    void load_locked();

    std::once_flag kernels_read;
    KnownKernels kernels;
    std::mutex mutex;
    std::atomic<CUlibrary> library = nullptr;
    // Written by the driver while it loads, which may be as late as the first launch (lazy loading): they live as long
    // as the library.
    std::array<char, 4096> error_log{};
    std::array<char, 1024> info_log{};
};

struct ObjectCodeAccess {
    using State = ObjectCode::State;
};

}  // namespace cuprum::core
