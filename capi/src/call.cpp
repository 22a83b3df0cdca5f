#include "call.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "cuprum/core/error.hpp"

namespace cuprum::capi {

namespace {

std::string quoted(const char* parameter) {
    return std::string("parameter `") + parameter + "`";
}

std::string hexadecimal(HandleValue value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

// "a stream" -> "a destroyed stream": the article belongs to the word that follows it.
std::string without_article(HandleType type) {
    const std::string_view text = to_string(type);
    return std::string(text.substr(text.find(' ') + 1));
}

cuprum_status store(Status status, const char* message) noexcept {
    if (LastError* last = last_error()) {
        last->set(status, message);
    }
    return static_cast<cuprum_status>(status);
}

template <class E>
cuprum_status store(const E& error) noexcept {
    if (LastError* last = last_error()) {
        last->set(error);
    }
    return static_cast<cuprum_status>(error.status());
}

// An exception that is not ours is a fault of ours: its text is all there is to go by.
cuprum_status store_foreign(Operation operation, const char* what) noexcept {
    try {
        ErrorInfo info;
        info.status = Status::internal;
        info.operation = operation.text();
        info.detail = what;
        info.advice = "this is a bug in Cuprum; please report it";
        return store(Error(std::move(info)));
    } catch (...) {
        return store(Status::internal, "an unexpected exception, and no memory to tell more");
    }
}

}  // namespace

std::string Call::parameter_of_function(const char* parameter) const {
    return quoted(parameter) + " of " + std::string(operation_.function());
}

void Call::refuse(const char* parameter, std::string detail, std::string advice) const {
    throw InvalidArgument(operation_.text(), quoted(parameter), std::move(detail), std::move(advice));
}

void Call::refuse_null(const char* parameter) const {
    throw InvalidArgument(operation_.text(), parameter_of_function(parameter), "is NULL; expected an address");
}

void Call::refuse_handle(HandleValue value, HandleType expected, const char* parameter, int32_t element) const {
    ErrorInfo info;
    info.status = Status::invalid_handle;
    info.operation = operation_.text();
    info.object = parameter_of_function(parameter) + (element < 0 ? "" : ", element " + std::to_string(element));
    const std::string kind = without_article(expected);
    switch (process_handles().diagnose(value, expected)) {
        case HandleProblem::null:
            info.detail = "NULL where " + std::string(to_string(expected)) + " is expected";
            break;
        case HandleProblem::unknown:
            info.detail =
                hexadecimal(value) + " is not a handle of this process; expected " + std::string(to_string(expected));
            break;
        case HandleProblem::other_type:
            info.detail = std::string(to_string(HandleTable::type_of(value))) + " where " +
                          std::string(to_string(expected)) + " is expected (" + hexadecimal(value) + ")";
            break;
        case HandleProblem::destroyed:
            info.detail = "a destroyed " + kind + " (" + hexadecimal(value) + ")";
            info.advice = "use a handle only until it is destroyed, and destroy it once";
            break;
        case HandleProblem::forked:
            info.detail = to_string(expected);
            info.detail += " made before this process was forked off (" + hexadecimal(value) + ")";
            info.advice =
                "CUDA does not survive fork(): start the process anew (exec, or Python's \"spawn\") or make "
                "all objects after the fork";
            break;
    }
    throw_error(std::move(info));
}

cuprum_status record_current_exception(Operation operation) noexcept {
    try {
        throw;
    } catch (const CompileError& error) {
        return store(error);
    } catch (const NvJitLinkError& error) {
        return store(error);
    } catch (const Error& error) {
        return store(error);
    } catch (const std::bad_alloc&) {
        return store(Status::out_of_memory, "out of host memory");
    } catch (const std::exception& error) {
        return store_foreign(operation, error.what());
    } catch (...) {
        return store_foreign(operation, "an exception of an unknown type");
    }
}

}  // namespace cuprum::capi
