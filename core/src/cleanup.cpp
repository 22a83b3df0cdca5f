#include "cleanup.hpp"

#include <atomic>
#include <exception>
#include <string>

#include "driver_error.hpp"

namespace cuprum::core {

namespace {

void ignore(const Error&) noexcept {}

std::atomic<CleanupErrorHandler> handler = &ignore;

void report_foreign(const char* operation, const char* object, const char* what) noexcept {
    try {
        report_cleanup_error(InvalidState(operation, object, std::string("it has thrown: ") + what,
                                          "catch exceptions in the function itself"));
    } catch (...) {
        // No memory for the text: there is nothing left to tell anybody.
    }
}

}  // namespace

CleanupErrorHandler set_cleanup_error_handler(CleanupErrorHandler new_handler) noexcept {
    const CleanupErrorHandler former = handler.exchange(new_handler == nullptr ? &ignore : new_handler);
    return former == &ignore ? nullptr : former;
}

void report_cleanup_error(const Error& error) noexcept {
    handler.load()(error);
}

void report_thrown(const char* operation, const char* object) noexcept {
    try {
        throw;
    } catch (const Error& error) {
        report_cleanup_error(error);
    } catch (const std::exception& error) {
        report_foreign(operation, object, error.what());
    } catch (...) {
        report_foreign(operation, object, "something other than a std::exception");
    }
}

void report_driver_cleanup_failure(CUresult result, const char* driver_function, std::string operation,
                                   std::string object) {
    try {
        throw_driver_error(result, driver_function, std::move(operation), std::move(object));
    } catch (const Error& error) {
        report_cleanup_error(error);
    }
}

}  // namespace cuprum::core
