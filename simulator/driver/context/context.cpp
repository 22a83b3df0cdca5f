#include "driver/context/context.hpp"

#include <algorithm>

#include "driver/context/green_context.hpp"
#include "driver/context/of_this_thread.hpp"
#include "driver/device/device.hpp"
#include "driver/device/device_fault.hpp"
#include "driver/error/core_dump.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/error/error_table.hpp"
#include "driver/error/log.hpp"
#include "driver/images/image_object.hpp"
#include "driver/module/module.hpp"
#include "driver/process/driver.hpp"
#include "driver/process/process_end.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// The per-thread default streams that the calling thread has used; a thread takes its streams with it.
struct ThreadStreams {
    std::map<uint64_t, std::weak_ptr<Stream>> by_context;

    // Null if there is none yet, or none any more.
    std::shared_ptr<Stream> of(uint64_t context) const {
        const auto found = by_context.find(context);
        return found == by_context.end() ? nullptr : found->second.lock();
    }
    ~ThreadStreams() {
        for (const auto& [context, stream] : by_context) {
            if (const std::shared_ptr<Stream> live = stream.lock()) live->abandon();
        }
    }
};

// The calling thread's.
std::vector<CurrentContext>& context_stack() {
    return of_this_thread<std::vector<CurrentContext>>();
}

}  // namespace

uint64_t next_context_identifier() {
    static std::atomic<uint64_t> next{1};
    return next++;
}

CUcontext CurrentContext::handle() const {
    return green ? green->context_handle() : context ? context->handle() : nullptr;
}

Context::Context(Device& device, bool primary, unsigned int initial_flags, unsigned int api_version)
    : flags(initial_flags), device_(device), primary_(primary), api_version_(api_version) {}

void Context::activate() {
    const std::lock_guard lock(order_mutex_);
    legacy_ = std::make_shared<Stream>(shared_from_this(), Stream::Kind::legacy_default, 0);
    sticky_ = CUDA_SUCCESS;
    cancelled_ = false;
    cache_config = CU_FUNC_CACHE_PREFER_NONE;
    {
        const std::lock_guard limits_lock(limits_mutex_);
        limits_.clear();
        heap_.reset();
    }
    identifier_ = next_context_identifier();
    core_dumps().begin_context(*this);
    active_.store(true, std::memory_order_release);
}

void Context::deactivate() {
    active_.store(false, std::memory_order_release);
    synchronize();
    std::unordered_set<CUstream> streams;
    std::unordered_set<CUevent> events;
    std::unordered_set<CUmodule> modules;
    {
        const std::lock_guard lock(order_mutex_);
        streams.swap(owned_streams_);
        events.swap(owned_events_);
        modules.swap(owned_modules_);
        streams_.clear();
        held_back_until_.clear();
        legacy_ = nullptr;  // it holds this context: here the cycle ends
    }
    for (const CUstream stream : streams) {
        handles().streams.remove(stream);
    }
    for (const CUevent event : events) {
        handles().events.remove(event);
    }
    for (const CUmodule module : modules) {
        unload_module(module);
    }
    forget_images_of(*this);
    core_dumps().end_context(*this);
    driver().addresses().forget_peer(reinterpret_cast<uint64_t>(handle()));
    driver().report_leaks(this);
    driver().free_memory_of(*this);
}

std::string Context::sticky_report() const {
    const std::lock_guard lock(report_mutex_);
    return report_;
}

void Context::fail(CUresult code, const std::string& report) {
    {
        const std::lock_guard lock(report_mutex_);
        if (sticky_.load() != CUDA_SUCCESS) return;
        report_ = report;
        sticky_.store(code, std::memory_order_release);
    }
    cancelled_.store(true, std::memory_order_release);
    note_device_fault(device_.ordinal(), code);
    note_fault(code, report);
    log().write(CU_LOG_LEVEL_ERROR, std::string(error_name(code)) + ": " + report);
}

void Context::run_unless_failed(const std::function<void()>& operation) {
    if (sticky_error() != CUDA_SUCCESS) return;
    try {
        operation();
    } catch (const DriverError& error) {
        fail(error.code(), error.what());
    } catch (const std::exception& error) {
        fail(CUDA_ERROR_UNKNOWN, std::string("the simulator could not carry out work in a stream: ") + error.what());
    }
}

uint64_t Context::submit(const std::shared_ptr<Stream>& stream, std::function<void()> run, const Dependency& after) {
    const std::lock_guard lock(order_mutex_);
    Work work;
    work.run = std::move(run);
    if (after.stream) work.after.push_back(after);
    work.known = known_order();
    const auto follow = [&](const std::shared_ptr<Stream>& other) {
        if (other->idle()) {
            work.known = join(work.known, other->order());
        } else {
            work.after.push_back({other, other->last_ticket()});
        }
    };
    // A green context has a legacy default stream of its own, which orders its streams and no others.
    if (stream->kind() == Stream::Kind::legacy_default) {
        for (const std::shared_ptr<Stream>& other : streams_) {
            if (other->follows_legacy_default() && other->green() == stream->green()) follow(other);
        }
    } else if (stream->follows_legacy_default()) {
        const std::shared_ptr<Stream> legacy = stream->green() ? stream->green()->default_stream() : legacy_;
        if (legacy) follow(legacy);
    }
    return stream->enqueue(std::move(work));
}

void Context::submit_behind_all(std::function<void()> run, const std::shared_ptr<GreenContext>& green) {
    // In a stream of its own, which no program knows, so that synchronize() waits for it.
    const std::shared_ptr<Stream> stream = create_stream(Stream::Kind::non_blocking, 0, green);
    const std::lock_guard lock(order_mutex_);
    Work work;
    work.run = std::move(run);
    work.known = known_order();
    if (!green && legacy_) work.after.push_back({legacy_, legacy_->last_ticket()});
    for (const std::shared_ptr<Stream>& other : streams_) {
        if (green && other->green() != green) continue;
        if (other != stream) work.after.push_back({other, other->last_ticket()});
    }
    stream->enqueue(std::move(work));
    stream->abandon();
}

void Context::hold_back_until(const std::shared_ptr<Completion>& completion,
                              const std::shared_ptr<GreenContext>& green) {
    const std::lock_guard lock(order_mutex_);
    const auto wait = [&] { return Work{[completion] { completion->wait(); }, {}}; };
    if (!green && legacy_) legacy_->enqueue(wait());
    for (const std::shared_ptr<Stream>& stream : streams_) {
        if (!green || stream->green() == green) stream->enqueue(wait());
    }
    std::erase_if(held_back_until_, [](const HoldBack& old) {
        if (!old.completion->ready()) return false;
        old.completion->pass();
        return true;
    });
    held_back_until_.push_back({completion, green});
}

std::vector<std::shared_ptr<Stream>> Context::streams() const {
    const std::lock_guard lock(order_mutex_);
    std::vector<std::shared_ptr<Stream>> all = streams_;
    if (legacy_) all.push_back(legacy_);
    return all;
}

bool Context::legacy_order_idle(const Stream& legacy) const {
    const std::lock_guard lock(order_mutex_);
    if (!legacy.idle()) return false;
    return std::all_of(streams_.begin(), streams_.end(), [&](const auto& stream) {
        return !stream->follows_legacy_default() || stream->green() != legacy.green() || stream->idle();
    });
}

void Context::synchronize() {
    std::vector<Dependency> pending;
    {
        const std::lock_guard lock(order_mutex_);
        if (legacy_) pending.push_back({legacy_, legacy_->last_ticket()});
        for (const std::shared_ptr<Stream>& stream : streams_) {
            pending.push_back({stream, stream->last_ticket()});
        }
    }
    for (const Dependency& work : pending) {
        work.stream->wait(work.ticket);
        learn_order(work.stream->order());
    }
}

std::shared_ptr<Stream> Context::legacy_default_stream() {
    const std::lock_guard lock(order_mutex_);
    if (!legacy_) throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context has been destroyed");
    return legacy_;
}

std::shared_ptr<Stream> Context::per_thread_default_stream() {
    std::shared_ptr<Stream> stream = of_this_thread<ThreadStreams>().of(identifier_);
    // A primary context that was reset has forgotten its streams.
    bool known = false;
    if (stream) {
        const std::lock_guard lock(order_mutex_);
        known = std::find(streams_.begin(), streams_.end(), stream) != streams_.end();
    }
    if (!known) {
        stream = create_stream(Stream::Kind::per_thread_default, 0);
        std::map<uint64_t, std::weak_ptr<Stream>>& mine = of_this_thread<ThreadStreams>().by_context;
        std::erase_if(mine, [](const auto& entry) { return entry.second.expired(); });
        mine[identifier_] = stream;
    }
    return stream;
}

std::shared_ptr<Stream> Context::create_stream(Stream::Kind kind, int priority,
                                               const std::shared_ptr<GreenContext>& green) {
    auto stream = std::make_shared<Stream>(shared_from_this(), kind, priority, green);
    const std::lock_guard lock(order_mutex_);
    std::erase_if(streams_, [](const auto& old) {
        const bool is_gone = old->abandoned() && old->idle();
        // What must wait for all streams asks this one no more.
        if (is_gone) learn_order(old->order());
        return is_gone;
    });
    for (const HoldBack& held : held_back_until_) {
        if (held.green && held.green != green) continue;
        if (held.completion->ready()) {
            held.completion->pass();
            continue;
        }
        stream->enqueue({[completion = held.completion] { completion->wait(); }, {}});
    }
    streams_.push_back(stream);
    return stream;
}

void Context::own(CUstream handle) {
    const std::lock_guard lock(order_mutex_);
    owned_streams_.insert(handle);
}

void Context::own(CUevent handle) {
    const std::lock_guard lock(order_mutex_);
    owned_events_.insert(handle);
}

void Context::own(CUmodule handle) {
    const std::lock_guard lock(order_mutex_);
    owned_modules_.insert(handle);
}

void Context::disown(CUstream handle) {
    const std::lock_guard lock(order_mutex_);
    owned_streams_.erase(handle);
}

void Context::disown(CUevent handle) {
    const std::lock_guard lock(order_mutex_);
    owned_events_.erase(handle);
}

void Context::disown(CUmodule handle) {
    const std::lock_guard lock(order_mutex_);
    owned_modules_.erase(handle);
}

namespace {

struct LimitRule {
    CUlimit limit;
    size_t initial;
    size_t largest;
};

// Initial values as an A100 reports them.
constexpr LimitRule limit_rules[] = {
    {CU_LIMIT_STACK_SIZE, 1024, 512 << 10},
    {CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20, size_t{1} << 32},
    {CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20, size_t{1} << 40},
    {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2, 24},
    {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048, 1 << 20},
    {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64, 128},
    {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0, 30 << 20},
};

const LimitRule& rule_of(CUlimit limit) {
    for (const LimitRule& rule : limit_rules) {
        if (rule.limit == limit) return rule;
    }
    if (limit >= 0 && limit < CU_LIMIT_MAX) {
        throw DriverError(CUDA_ERROR_UNSUPPORTED_LIMIT, format("CUlimit %d is not one of this device", limit));
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown CUlimit %d", limit));
}

}  // namespace

// Kernels of compute capability 9.0 cannot wait for kernels that they have launched.
void Context::require_synchronisable_kernels(CUlimit limit) const {
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH && device_.model().compute_capability_major >= 9) {
        throw DriverError(CUDA_ERROR_UNSUPPORTED_LIMIT,
                          "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH is not a limit of this device");
    }
}

std::shared_ptr<DeviceHeap> Context::heap() {
    const size_t bytes = limit(CU_LIMIT_MALLOC_HEAP_SIZE);
    const std::lock_guard lock(limits_mutex_);
    if (heap_ == nullptr) heap_ = std::make_shared<DeviceHeap>(bytes);
    return heap_;
}

size_t Context::limit(CUlimit limit) const {
    if (limit == CU_LIMIT_SHMEM_SIZE) return device_.model().max_dynamic_shared_bytes;
    if (limit == CU_LIMIT_CIG_ENABLED) return 0;
    require_synchronisable_kernels(limit);
    const LimitRule& rule = rule_of(limit);
    const std::lock_guard lock(limits_mutex_);
    const auto found = limits_.find(limit);
    return found == limits_.end() ? rule.initial : found->second;
}

void Context::set_limit(CUlimit limit, size_t value) {
    if (limit == CU_LIMIT_SHMEM_SIZE || limit == CU_LIMIT_CIG_ENABLED) {
        throw DriverError(CUDA_ERROR_NOT_PERMITTED, format("CUlimit %d cannot be set", limit));
    }
    require_synchronisable_kernels(limit);
    const LimitRule& rule = rule_of(limit);
    if (value > rule.largest) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("CUlimit %d cannot be %zu: at most %zu", limit, value, rule.largest));
    }
    const std::lock_guard lock(limits_mutex_);
    limits_[limit] = value;
}

CurrentContext ContextStack::current_with_green() {
    const std::vector<CurrentContext>& stack = context_stack();
    return stack.empty() ? CurrentContext{} : stack.back();
}

void ContextStack::set_current(CurrentContext context) {
    // As the driver documents: null pops, anything else replaces the top.
    std::vector<CurrentContext>& stack = context_stack();
    if (!stack.empty()) stack.pop_back();
    if (context.context) stack.push_back(std::move(context));
}

void ContextStack::push(CurrentContext context) {
    context_stack().push_back(std::move(context));
}

CurrentContext ContextStack::pop() {
    std::vector<CurrentContext>& stack = context_stack();
    if (stack.empty()) return {};
    CurrentContext context = std::move(stack.back());
    stack.pop_back();
    return context;
}

}  // namespace cuprum::simulator::libcuda
