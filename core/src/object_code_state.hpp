#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/object_code.hpp"
#include "driver_api.hpp"
#include "kernel_parameters.hpp"

namespace cuprum::core {

// Compiled code and, once loaded, the driver's library of it. Shared by ObjectCode copies and kernels.
struct ObjectCode::State {
    detail::Alive<ObjectKind::object_code> alive;

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
    const char* jit_log() const { return logs == nullptr ? "" : logs->errors.data(); }
    // The names of all kernels in `library`, which is what load() gave; asked for once. Thread-safe.
    const std::vector<std::string>& kernel_names(CUlibrary of);

    // What is known of the kernels without the driver; read at the first call. Thread-safe.
    const KnownKernels& known_kernels();

    const CodeType type;
    const std::string code;
    const std::string name;
    const std::map<std::string, std::string> symbol_mapping;
    const CodeOrigin origin;

private:
    void load_locked();
    // Throws where PTX with kernels cannot be compiled: the driver then says that the library has none.
    void require_compiled(CUlibrary of) const;

    // Written by the driver while it loads, which may be as late as the first launch (lazy loading): they live as long
    // as the library.
    struct Logs {
        std::array<char, 4096> errors{};
        std::array<char, 1024> information{};
    };

    std::once_flag kernels_read;
    KnownKernels kernels;
    std::mutex mutex;
    std::atomic<CUlibrary> library = nullptr;
    std::unique_ptr<Logs> logs;  // from the first attempt to load on
    std::optional<std::vector<std::string>> names;
};

struct ObjectCodeAccess {
    using State = ObjectCode::State;
};

}  // namespace cuprum::core
