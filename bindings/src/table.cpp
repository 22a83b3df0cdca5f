#include "cuprum/bindings/table.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "companion.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nccl.hpp"
#include "cuprum/bindings/nvjitlink.hpp"
#include "cuprum/bindings/nvml.hpp"
#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/bindings/nvvm.hpp"
#include "cuprum/bindings/of_this_thread.hpp"
#include "cuprum/bindings/options.hpp"
#include "cuprum/bindings/runtime.hpp"
#include "observation.hpp"

namespace cuprum::bindings {

namespace {

// One lock for all libraries: it is only taken to open one of them.
constinit std::mutex open_mutex;

std::optional<ResolutionFailure>& failure_of_this_thread() {
    return of_this_thread<std::optional<ResolutionFailure>>();
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::optional<ResolutionFailure> last_resolution_failure() {
    return failure_of_this_thread();
}

std::optional<ResolutionFailure> take_resolution_failure() {
    return std::exchange(failure_of_this_thread(), {});
}

// What is known of an open library. Never destroyed: calls may come from threads that outlive main.
struct Library::Opened {
    pathfinder::LoadedLibrary library;
    int version = 0;
    const Opened* forgotten = nullptr;  // the record before the last reset
};

const Function* Library::find(std::string_view name) const noexcept {
    auto found = std::lower_bound(parts_.functions.begin(), parts_.functions.end(), name,
                                  [](const Function& f, std::string_view n) { return f.name < n; });
    return found != parts_.functions.end() && found->name == name ? &*found : nullptr;
}

bool Library::loaded() const noexcept {
    return opened_.load(std::memory_order_acquire) != nullptr;
}

const Library::Opened& Library::open() {
    if (const Opened* opened = opened_.load(std::memory_order_acquire)) {
        return *opened;
    }
    const std::lock_guard lock(open_mutex);
    if (const Opened* opened = opened_.load(std::memory_order_acquire)) {
        return *opened;
    }
    // What the environment asks for and cannot have makes the calls fail, as a library that is missing does.
    detail::observe_as_environment_says();
    per_thread_default_stream();
    auto opened = std::make_unique<Opened>();
    opened->library = pathfinder::load_nvidia_dynamic_lib(parts_.pathfinder_name);
    opened->library.handle = detail::handle_for_driver(opened->library);
    opened->version = parts_.find_version(opened->library.handle, opened->library);
    opened->forgotten = forgotten_.load(std::memory_order_relaxed);
    opened_.store(opened.get(), std::memory_order_release);
    return *opened.release();
}

const pathfinder::LoadedLibrary& Library::load() {
    return open().library;
}

int Library::version() {
    return open().version;
}

std::string Library::path() {
    return open().library.abs_path;
}

AnyFunction Library::address_of(std::string_view name) {
    const Function* function = find(name);
    if (function == nullptr) {
        throw InvalidArgument("looking up an address", std::string(parts_.title),
                              "there is no function named " + std::string(name) + " in its list");
    }
    const AnyFunction current = function->operations->load(function->slot);
    if (current != function->stub()) {
        return current;
    }
    ResolutionFailure::Kind failure;
    return resolve(*function, failure);
}

AnyFunction Library::resolve(const Function& function, ResolutionFailure::Kind& failure) noexcept {
    failure = ResolutionFailure::Kind::library_missing;
    try {
        const Opened* opened = nullptr;
        try {
            opened = &open();
        } catch (const Error& error) {
            record_missing_library(function, error);
            return nullptr;
        }
        failure = ResolutionFailure::Kind::symbol_missing;
        std::string reason;
        const AnyFunction address = parts_.find_symbol(opened->library.handle, function, opened->version, reason);
        if (address == nullptr) {
            record_missing_symbol(function, *opened, reason);
            return nullptr;
        }
        function.operations->compare_exchange(function.slot, function.stub(), address);
        return address;
    } catch (...) {
        // Out of memory while looking or explaining: the status code has to say it alone.
        failure_of_this_thread().reset();
        return nullptr;
    }
}

void Library::record_missing_library(const Function& function, const Error& error) const {
    ResolutionFailure failure;
    failure.kind = ResolutionFailure::Kind::library_missing;
    failure.function = function.name;
    failure.library = parts_.title;
    failure.required_version = function.version;
    failure.info = error.info();
    failure.info.operation = "calling " + failure.function;
    if (const auto* not_found = dynamic_cast<const NotFound*>(&error)) {
        failure.candidates = not_found->candidates();
    }
    failure_of_this_thread() = std::move(failure);
}

void Library::record_missing_symbol(const Function& function, const Opened& opened, const std::string& reason) const {
    ResolutionFailure failure;
    failure.kind = ResolutionFailure::Kind::symbol_missing;
    failure.function = function.name;
    failure.library = parts_.title;
    failure.path = opened.library.abs_path;
    failure.library_version = opened.version;
    failure.required_version = function.version;
    failure.info.status = Status::symbol_not_found;
    failure.info.domain = parts_.domain;
    failure.info.operation = "calling " + failure.function;
    failure.info.object =
        failure.library + " " + (opened.version > 0 ? version_text(opened.version) + " " : "") + failure.path;
    failure.info.detail = failure.function + " with this signature came with " + parts_.numbered_as + " " +
                          version_text(function.version) + ", and this library does not have it: " + reason;
    if (opened.library.is_simulator) {
        failure.info.advice = "the simulator does not implement it: use a GPU (CUPRUM_DRIVER=gpu) or another call";
    } else if (opened.version > 0 && opened.version < function.version) {
        failure.info.advice = "update to a " + failure.library + " of " + parts_.numbered_as + " " +
                              version_text(function.version) + " or newer";
    } else {
        failure.info.advice =
            "the function may have been removed from this version, or another library has taken "
            "this one's place";
    }
    failure_of_this_thread() = std::move(failure);
}

void Library::reset() noexcept {
    for (const Function& function : parts_.functions) {
        function.operations->exchange(function.slot, function.stub());
    }
    // The record is kept: a thread may still hold a reference that load() gave.
    if (const Opened* opened = opened_.exchange(nullptr, std::memory_order_acq_rel)) {
        forgotten_.store(opened, std::memory_order_relaxed);
    }
}

std::span<Library* const> libraries() noexcept {
    static Library* const all[] = {&driver::library(), &runtime::library(), &nvrtc::library(), &nvjitlink::library(),
                                   &nvvm::library(),   &nvml::library(),    &nccl::library()};
    return all;
}

Library* find_library(std::string_view name) noexcept {
    for (Library* library : libraries()) {
        if (library->name() == name) {
            return library;
        }
    }
    return nullptr;
}

TableOverride::TableOverride(Library& library, std::string_view name, const std::type_info& type,
                             AnyFunction replacement)
    : function_(library.find(name)) {
    if (function_ == nullptr) {
        throw InvalidArgument("overriding a function", std::string(name), "it is not in the library's list");
    }
    if (replacement == nullptr) {
        throw InvalidArgument("overriding a function", std::string(name), "the replacement is null");
    }
    if (type != *function_->type) {
        throw InvalidArgument("overriding a function", std::string(name),
                              std::string("the replacement has another type: expected ") + function_->type->name() +
                                  ", given " + type.name());
    }
    previous_ = function_->operations->exchange(function_->slot, replacement);
}

TableOverride::TableOverride(TableOverride&& other) noexcept
    : function_(std::exchange(other.function_, nullptr)), previous_(other.previous_) {}

TableOverride::~TableOverride() {
    if (function_ != nullptr) {
        function_->operations->exchange(function_->slot, previous_);
    }
}

}  // namespace cuprum::bindings
