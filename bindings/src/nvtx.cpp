#include "cuprum/bindings/nvtx.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observation.hpp"
#include "trace_time.hpp"

namespace cuprum::bindings::nvtx {

namespace {

using Clock = std::chrono::steady_clock;

// NVTX's protocol, version 3: a tool's library asks for a table by its number, and for a module's slots by the
// module's, and writes its own functions into the slots.
using AnySlot = void (*)();
using Slots = AnySlot**;
using GetExportTable = const void* (*)(std::uint32_t);
using Initialize = int (*)(GetExportTable);

enum ExportTable : std::uint32_t { callbacks = 1, version_info = 3 };
enum Module : int { core = 1, core2 = 5 };
enum CoreFunction : std::size_t {
    mark_a = 2,
    range_start_a = 5,
    range_end_id = 7,
    range_push_a = 9,
    range_pop_id = 11,
    core_count = 16,
};
constexpr std::size_t core2_count = 16;
constexpr std::uint32_t protocol_version = 3;

std::array<AnySlot, core_count> core_functions{};
// Of the functions of domains, which Cuprum does not call: tools fill them in and do not attach without.
std::array<AnySlot, core2_count> core2_functions{};

template <std::size_t count>
std::array<AnySlot*, count + 1> slots_of(std::array<AnySlot, count>& functions) {
    std::array<AnySlot*, count + 1> slots{};
    for (std::size_t index = 1; index < count; ++index)
        slots[index] = &functions[index];
    return slots;
}

int get_module_functions(int module, Slots* table, unsigned int* size) {
    static std::array<AnySlot*, core_count + 1> core_slots = slots_of(core_functions);
    static std::array<AnySlot*, core2_count + 1> core2_slots = slots_of(core2_functions);
    if (module != core && module != core2) return 0;
    if (table != nullptr) *table = module == core ? core_slots.data() : core2_slots.data();
    if (size != nullptr) *size = static_cast<unsigned int>(module == core ? core_count : core2_count);
    return 1;
}

struct CallbacksTable {
    std::size_t struct_size;
    int (*get_module_functions)(int, Slots*, unsigned int*);
};

struct VersionTable {
    std::size_t struct_size;
    std::uint32_t version;
    std::uint32_t reserved;
    void (*set_tool_version)(std::uint32_t);
};

const void* get_export_table(std::uint32_t table) {
    static constexpr CallbacksTable callbacks_table{sizeof(CallbacksTable), &get_module_functions};
    static constexpr VersionTable version_table{sizeof(VersionTable), protocol_version, 0, [](std::uint32_t) {}};
    switch (table) {
        case callbacks:
            return &callbacks_table;
        case version_info:
            return &version_table;
        default:
            return nullptr;
    }
}

enum class Tool : int { unknown, none, attached };
std::atomic<Tool> tool{Tool::unknown};

Tool attach() {
    const char* const path = std::getenv("NVTX_INJECTION64_PATH");
    if (path == nullptr || *path == '\0') return Tool::none;
    void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return Tool::none;
    const auto initialize = reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"));
    if (initialize != nullptr && initialize(&get_export_table) != 0) return Tool::attached;
    core_functions.fill(nullptr);
    core2_functions.fill(nullptr);
    dlclose(library);
    return Tool::none;
}

// The tool's function, or null.
template <class Function>
Function tools(CoreFunction function) {
    return tool_is_attached() ? reinterpret_cast<Function>(core_functions[function]) : nullptr;
}

// A range that has begun, for the trace; with an empty name where no trace ran then.
struct Begun {
    std::string name;
    Clock::time_point start;
};

thread_local std::vector<Begun> pushed;

struct Started {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::pair<Begun, std::uint64_t>> ranges;  // with the tool's own number
    std::uint64_t last = 0;
};

// Never destroyed: calls may come from threads that outlive main.
Started& started() {
    static Started& instance = *new Started;
    return instance;
}

Begun begin(const char* message) {
    return detail::trace_is_running() ? Begun{message, detail::trace_time()} : Begun{};
}

void end(const Begun& range) {
    if (!range.name.empty()) detail::write_range_to_trace(range.name, range.start, detail::trace_time());
}

const char* text_of(const char* message) {
    return message == nullptr || *message == '\0' ? "(unnamed)" : message;
}

}  // namespace

bool tool_is_attached() noexcept {
    Tool known = tool.load(std::memory_order_acquire);
    if (known == Tool::unknown) {
        static std::once_flag once;
        std::call_once(once, [] { tool.store(attach(), std::memory_order_release); });
        known = tool.load(std::memory_order_acquire);
    }
    return known == Tool::attached;
}

void mark(const char* message) noexcept {
    message = text_of(message);
    if (const auto function = tools<void (*)(const char*)>(mark_a)) function(message);
    detail::begin_trace_of_environment();
    if (detail::trace_is_running()) detail::write_mark_to_trace(message, detail::trace_time());
}

int range_push(const char* message) noexcept {
    message = text_of(message);
    if (const auto function = tools<int (*)(const char*)>(range_push_a)) function(message);
    detail::begin_trace_of_environment();
    try {
        pushed.push_back(begin(message));
    } catch (...) {
        return -1;  // out of memory: the range is not in the trace
    }
    return static_cast<int>(pushed.size()) - 1;
}

int range_pop() noexcept {
    if (const auto function = tools<int (*)()>(range_pop_id)) function();
    if (pushed.empty()) return -1;
    end(pushed.back());
    pushed.pop_back();
    return static_cast<int>(pushed.size());
}

std::uint64_t range_start(const char* message) noexcept {
    message = text_of(message);
    std::uint64_t of_tool = 0;
    if (const auto function = tools<std::uint64_t (*)(const char*)>(range_start_a)) of_tool = function(message);
    detail::begin_trace_of_environment();
    try {
        Begun range = begin(message);
        const std::lock_guard lock(started().mutex);
        const std::uint64_t number = ++started().last;
        started().ranges.emplace(number, std::pair(std::move(range), of_tool));
        return number;
    } catch (...) {
        return ~std::uint64_t{0};  // out of memory: its end is ignored
    }
}

void range_end(std::uint64_t range) noexcept {
    std::pair<Begun, std::uint64_t> found;
    {
        const std::lock_guard lock(started().mutex);
        const auto place = started().ranges.find(range);
        if (place == started().ranges.end()) return;
        found = std::move(place->second);
        started().ranges.erase(place);
    }
    if (const auto function = tools<void (*)(std::uint64_t)>(range_end_id)) function(found.second);
    end(found.first);
}

}  // namespace cuprum::bindings::nvtx
