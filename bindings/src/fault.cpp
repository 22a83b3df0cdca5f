#include "cuprum/bindings/fault.hpp"

#include <atomic>
#include <charconv>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "observation.hpp"

namespace cuprum::bindings {

struct FaultInjection::Fault {
    std::string name;        // without the final "*"
    bool prefix = false;     // the name ended with "*"
    std::uint64_t from = 1;  // the first call that fails, counted from 1
    bool forever = false;
    std::int32_t code = 0;
    const Library* library = nullptr;  // whose calls count; null for all
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> injected{0};

    bool matches(const Library& of, const Function& function) const {
        const std::string_view given = function.name;
        return (library == nullptr || library == &of) && (prefix ? given.starts_with(name) : given == name);
    }
};

namespace {

using Fault = FaultInjection::Fault;

struct Armed {
    std::mutex mutex;
    std::vector<std::shared_ptr<Fault>> faults;
    std::atomic<bool> any{false};
    std::vector<FaultInjection> of_environment;
};

// Never destroyed: calls may come from threads that outlive main.
Armed& armed() {
    static Armed& instance = *new Armed;
    return instance;
}

bool gives_status(const Library& library, const Function& function) {
    const std::string_view signature = function.signature;
    const std::string_view result = signature.substr(0, signature.find(','));
    return result.starts_with("enum:") && result.substr(5) == library.status();
}

[[noreturn]] void refuse(std::string_view item, const std::string& detail) {
    throw InvalidArgument("arming a fault", "'" + std::string(item) + "'", detail,
                          "write NAME[:N[+]]=CODE, for example cuMemAlloc:2=CUDA_ERROR_OUT_OF_MEMORY");
}

void read_call(std::string_view item, std::string_view text, Fault& fault) {
    if (text.ends_with('+')) {
        fault.forever = true;
        text.remove_suffix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fault.from);
    if (error != std::errc() || end != text.data() + text.size() || fault.from == 0) {
        refuse(item, "expected the number of a call, from 1, given '" + std::string(text) + "'");
    }
}

void read_code(std::string_view item, std::string_view text, Fault& fault) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fault.code);
    if (error == std::errc() && end == text.data() + text.size()) {
        return;
    }
    for (const Library* library : libraries()) {
        if (const Enumerator* code = library->types().find_enumerator(library->status(), text)) {
            fault.code = static_cast<std::int32_t>(code->value);
            fault.library = library;
            return;
        }
    }
    refuse(item, "'" + std::string(text) + "' is neither a number nor a status of one of the libraries");
}

std::shared_ptr<Fault> parse_fault(std::string_view item) {
    auto fault = std::make_shared<Fault>();
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
        refuse(item, "it has no '='");
    }
    std::string_view name = item.substr(0, equals);
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
        read_call(item, name.substr(colon + 1), *fault);
        name = name.substr(0, colon);
    }
    read_code(item, item.substr(equals + 1), *fault);
    fault->prefix = name.ends_with('*');
    fault->name = name.substr(0, name.size() - (fault->prefix ? 1 : 0));
    for (const Library* library : libraries()) {
        for (const Function& function : library->functions()) {
            if (fault->matches(*library, function) && gives_status(*library, function)) {
                return fault;
            }
        }
    }
    refuse(item, "no function that can return this code is named '" + std::string(name) + "'");
}

}  // namespace

FaultInjection::FaultInjection(std::string_view item) : fault_(parse_fault(item)) {
    Armed& state = armed();
    {
        const std::lock_guard lock(state.mutex);
        state.faults.push_back(fault_);
        state.any.store(true);
    }
    detail::update_observed();
}

FaultInjection::FaultInjection(FaultInjection&&) noexcept = default;

FaultInjection::~FaultInjection() {
    if (fault_ == nullptr) {
        return;
    }
    Armed& state = armed();
    {
        const std::lock_guard lock(state.mutex);
        std::erase(state.faults, fault_);
        state.any.store(!state.faults.empty());
    }
    detail::update_observed();
}

std::uint64_t FaultInjection::injected() const noexcept {
    return fault_->injected.load(std::memory_order_relaxed);
}

namespace detail {

bool faults_are_armed() noexcept {
    return armed().any.load();
}

std::optional<std::int32_t> count_for_faults(const Library& library, const Function& function) noexcept {
    if (!gives_status(library, function)) {
        return {};
    }
    Armed& state = armed();
    const std::lock_guard lock(state.mutex);
    std::optional<std::int32_t> code;
    for (const std::shared_ptr<Fault>& fault : state.faults) {
        if (!fault->matches(library, function)) {
            continue;
        }
        const std::uint64_t call = fault->calls.fetch_add(1, std::memory_order_relaxed) + 1;
        if (!code && (call == fault->from || (fault->forever && call > fault->from))) {
            code = fault->code;
            fault->injected.fetch_add(1, std::memory_order_relaxed);
        }
    }
    return code;
}

void arm_faults(std::string_view list) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        armed().of_environment.emplace_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
}

}  // namespace detail

}  // namespace cuprum::bindings
