#include "thread_state.hpp"
#include "cuprum/core/error.hpp"

#include <array>
#include <initializer_list>
#include <new>
#include <utility>

#include "status_name.hpp"
#include "utf8.hpp"

namespace cuprum::capi {

namespace {

struct ThreadState {
    LastError error;
    std::array<std::string, lent_text_count> lent;
    std::vector<pathfinder::Finding> findings;
    std::vector<core::system::ProcessInfo> processes;
    std::vector<core::Diagnostic> diagnostics;
};

// Calls may come after the thread's state was destroyed: from the destructors of other thread-local objects, such as
// those of a language runtime that detaches the thread. The pointer itself has no destructor and outlives them all.
thread_local ThreadState* current = nullptr;
thread_local bool ended = false;

struct ThreadEnd {
    ~ThreadEnd() {
        delete std::exchange(current, nullptr);
        ended = true;
    }
    void arm() {}
};
thread_local ThreadEnd thread_end;

ThreadState* thread_state() noexcept {
    if (current == nullptr && !ended) {
        current = new (std::nothrow) ThreadState;
        thread_end.arm();  // the first use registers its destructor
    }
    return current;
}

ThreadState& require_state() {
    ThreadState* state = thread_state();
    if (state == nullptr) {
        throw std::bad_alloc();
    }
    return *state;
}

bool is_all_utf8(const Error& error) noexcept {
    for (const std::string* text :
         {&error.name(), &error.operation(), &error.object(), &error.detail(), &error.advice()}) {
        if (!is_utf8(*text)) {
            return false;
        }
    }
    return is_utf8(error.what());
}

ErrorInfo as_utf8(const ErrorInfo& info) {
    ErrorInfo result = info;
    for (std::string* text : {&result.name, &result.operation, &result.object, &result.detail, &result.advice}) {
        *text = to_utf8(*text);
    }
    return result;
}

}  // namespace

void LastError::clear() noexcept {
    if (texts_.status != 0) {
        texts_ = {};
        error_.reset();
        compile_error_.reset();
        link_error_.reset();
    }
}

void LastError::set(Status status, const char* message) noexcept {
    clear();
    texts_.status = static_cast<int32_t>(status);
    texts_.name = status_name(texts_.status);
    texts_.message = message;
}

void LastError::set_texts(const Error& error) noexcept {
    texts_.status = static_cast<int32_t>(error.status());
    texts_.domain = static_cast<int32_t>(error.domain());
    texts_.code = error.code();
    texts_.name = error.name().empty() ? status_name(texts_.status) : error.name().c_str();
    texts_.message = error.what();
    texts_.operation = error.operation().c_str();
    texts_.object = error.object().c_str();
    texts_.detail = error.detail().c_str();
    texts_.advice = error.advice().c_str();
}

template <class Kind, class AsUtf8>
void LastError::store(std::optional<Kind>& place, const Kind& error, bool is_utf8_already, AsUtf8 as_utf8) noexcept {
    clear();
    try {
        if (is_utf8_already) {
            place = error;
        } else {
            place.emplace(as_utf8());
        }
        set_texts(*place);
    } catch (...) {
        set(error.status(), "out of memory while storing the texts of this error");
    }
}

void LastError::set(const Error& error) noexcept {
    store(error_, error, is_all_utf8(error), [&] { return Error(as_utf8(error.info())); });
}

void LastError::set(const CompileError& error) noexcept {
    store(compile_error_, error, is_all_utf8(error) && is_utf8(error.log()), [&] {
        CompileReport report{to_utf8(error.log()), error.options(), error.headers()};
        for (std::string& option : report.options) {
            option = to_utf8(option);
        }
        return CompileError(as_utf8(error.info()), std::move(report));
    });
    if (compile_error_) texts_.log = compile_error_->log().c_str();
}

void LastError::set(const NvJitLinkError& error) noexcept {
    store(link_error_, error, is_all_utf8(error) && is_utf8(error.log()),
          [&] { return NvJitLinkError(as_utf8(error.info()), to_utf8(error.log())); });
    if (link_error_) texts_.log = link_error_->log().c_str();
}

void LastError::rethrow() const {
    if (error_) throw_error(error_->info());
    if (compile_error_) throw CompileError(*compile_error_);
    if (link_error_) throw NvJitLinkError(*link_error_);
}

LastError* last_error() noexcept {
    ThreadState* state = thread_state();
    return state == nullptr ? nullptr : &state->error;
}

const char* lend(std::string_view text, int position) {
    std::string& lent = require_state().lent[static_cast<size_t>(position)];
    lent = is_utf8(text) ? std::string(text) : to_utf8(text);
    return lent.c_str();
}

const std::string& lend_bytes(std::string bytes) {
    std::string& lent = require_state().lent[0];
    lent = std::move(bytes);
    return lent;
}

std::vector<pathfinder::Finding>& findings() {
    return require_state().findings;
}

std::vector<core::system::ProcessInfo>& processes() {
    return require_state().processes;
}

std::vector<core::Diagnostic>& diagnostics() {
    return require_state().diagnostics;
}

}  // namespace cuprum::capi
