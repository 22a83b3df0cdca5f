#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "context.hpp"
#include "context_state.hpp"
#include "cuprum/core/context.hpp"
#include "cuprum/core/device.hpp"
#include "device_of_context.hpp"
#include "device_resources.hpp"
#include "driver_error.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

template <class State>
const State& require_context(const std::shared_ptr<const State>& state, const char* operation) {
    if (state == nullptr) [[unlikely]] {
        throw InvalidArgument(operation, "context",
                              "the context is invalid (moved-from, closed or default-constructed)",
                              "ask a device or a stream for its context, or create one");
    }
    return *state;
}

std::string describe_context(const Context::State& state) {
    return (state.green != nullptr ? "a green context of " : "a context of ") + describe_device(state.device_id);
}

// The green contexts that were created, by what the driver calls them as contexts: it does not tell which are green.
// Never freed, so that it may be used while the process exits.
struct GreenContexts {
    std::mutex mutex;
    std::map<CUcontext, std::weak_ptr<const Context::State>> by_handle;
};
GreenContexts& green_contexts() {
    static auto* const all = new GreenContexts;
    return *all;
}

}  // namespace

Context::State::~State() {
    if (!owned) return;
    {
        GreenContexts& all = green_contexts();
        const std::lock_guard lock(all.mutex);
        all.by_handle.erase(handle);
    }
    clean_up(device_id, [this] {
        report_cleanup(driver::cuGreenCtxDestroy(green), "cuGreenCtxDestroy", "destroying a green context",
                       [this] { return describe_context(*this); });
    });
}

Context::Context(const Device& device, const ContextOptions& options) {
    constexpr const char* operation = "creating a green context";
    const auto object = [&] { return describe_device(device.device_id()); };
    if (options.resources.empty()) {
        throw InvalidArgument(operation, object(), "no resources were given",
                              "give it multiprocessors of the device, as a split makes them");
    }
    std::vector<CUdevResource> resources;
    for (const SMResource& each : options.resources) {
        if (!each.is_valid())
            throw InvalidArgument(operation, object(), "a resource is invalid (default-constructed)",
                                  "ask the device for it");
        if (each.device_id() != device.device_id()) {
            throw InvalidArgument(operation, object(), "a resource is one of " + describe_device(each.device_id()),
                                  "split the multiprocessors of this device");
        }
        resources.push_back(SMResourceAccess::unwrap(each));
    }
    if (options.workqueue.has_value()) {
        if (options.workqueue->device_id() != device.device_id()) {
            throw InvalidArgument(operation, object(), "the workqueue is not one of this device",
                                  "ask the device for its workqueue");
        }
        resources.push_back(WorkqueueResourceAccess::unwrap(*options.workqueue));
    }
    // Before the driver's context exists, so that no failure can leave it without an owner.
    auto state = std::make_shared<State>();
    state->device_id = device.device_id();
    const ContextScope scope(device.device_id());
    CUdevResourceDesc description = nullptr;
    check(
        driver::cuDevResourceGenerateDesc(&description, resources.data(), static_cast<unsigned int>(resources.size())),
        "cuDevResourceGenerateDesc", operation, object);
    check(driver::cuGreenCtxCreate(&state->green, description, device_state(device.device_id()).device,
                                   CU_GREEN_CTX_DEFAULT_STREAM),
          "cuGreenCtxCreate", operation, object);
    state->owned = true;
    check(driver::cuCtxFromGreenCtx(&state->handle, state->green), "cuCtxFromGreenCtx", operation, object);
    {
        GreenContexts& all = green_contexts();
        const std::lock_guard lock(all.mutex);
        all.by_handle[state->handle] = state;
    }
    state_ = std::move(state);
}

// Invalid where it is none.
Context Context::known_green(CUcontext handle) {
    GreenContexts& all = green_contexts();
    const std::lock_guard lock(all.mutex);
    const auto known = all.by_handle.find(handle);
    return Context(known == all.by_handle.end() ? nullptr : known->second.lock());
}

Context Context::from_handle(CUcontext handle) {
    constexpr const char* operation = "borrowing a context";
    if (handle == nullptr) throw InvalidArgument(operation, "", "the handle is null, which is not a context");
    initialize_driver();
    Context known = known_green(handle);
    if (known.is_valid()) return known;
    auto state = std::make_shared<State>();
    state->handle = handle;
    state->device_id = device_of_context(handle, operation, "a context");
    return Context(std::move(state));
}

Context Context::current() {
    initialize_driver();
    CUcontext handle = nullptr;
    check(driver::cuCtxGetCurrent(&handle), "cuCtxGetCurrent", "asking for the current context", "");
    return handle == nullptr ? Context() : from_handle(handle);
}

CUcontext Context::handle() const {
    return require_context(state_, "asking for a context's handle").handle;
}

int32_t Context::device_id() const {
    return require_context(state_, "asking for a context's device").device_id;
}

Device Context::device() const {
    return Device(device_id());
}

bool Context::is_green() const {
    return require_context(state_, "asking whether a context is green").green != nullptr;
}

SMResource Context::sm_resource() const {
    const State& state = require_context(state_, "asking for the multiprocessors");
    const ContextScope scope(state.device_id);
    return SMResource::of(state.device_id, state.handle);
}

WorkqueueResource Context::workqueue_resource() const {
    const State& state = require_context(state_, "asking for the workqueues");
    const ContextScope scope(state.device_id);
    return WorkqueueResource::of(state.device_id, state.handle);
}

Stream Context::create_stream(const StreamOptions& options) const {
    const State& state = require_context(state_, "creating a stream");
    return state.green == nullptr ? Stream(state.handle, state.device_id, options)
                                  : Stream(state_, state.green, state.device_id, options);
}

Context StreamRef::context() const {
    constexpr const char* operation = "asking for a stream's context";
    require_valid(*this, operation);
    if (is_default_stream(handle_)) return Device(device_id_).context();
    const ContextScope scope(*this);
    CUgreenCtx green = nullptr;
    // A driver without green contexts has no streams of one.
    if (driver_version() >= 12040) {
        check(driver::cuStreamGetGreenCtx(handle_, &green), "cuStreamGetGreenCtx", operation, *this);
    }
    auto state = std::make_shared<Context::State>();
    if (green == nullptr) {
        check(driver::cuStreamGetCtx(handle_, &state->handle), "cuStreamGetCtx", operation, *this);
    } else {
        check(driver::cuCtxFromGreenCtx(&state->handle, green), "cuCtxFromGreenCtx", operation, *this);
        Context known = Context::known_green(state->handle);
        if (known.is_valid()) return known;
    }
    state->green = green;
    state->device_id = device_id_;
    return Context(std::move(state));
}

void Context::set_current() const {
    constexpr const char* operation = "making a context current";
    const State& state = require_context(state_, operation);
    check(driver::cuCtxSetCurrent(state.handle), "cuCtxSetCurrent", operation, [&] { return describe_context(state); });
}

}  // namespace cuprum::core
