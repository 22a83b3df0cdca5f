// The root of Cuprum's exception hierarchy, and the exceptions that every layer throws. Those that only core and the
// layers above it throw are in cuprum/core/error.hpp.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum {

/// The kind of failure. The numbers are the C ABI's status codes and never change their meaning.
enum class Status : std::int32_t {
    success = 0,
    invalid_argument = 1,
    invalid_handle = 2,
    invalid_state = 3,
    out_of_memory = 4,
    library_not_found = 5,
    header_not_found = 6,
    symbol_not_found = 7,
    driver_error = 8,
    nvrtc_error = 9,
    nvjitlink_error = 10,
    compile_error = 11,
    kernel_not_found = 12,
    argument_mismatch = 13,
    device_fault = 14,
    unsupported = 15,
    not_ready = 16,
    nvvm_error = 17,
    internal = 99,
};

/// The library that `Error::code()` comes from.
enum class ErrorDomain : std::int32_t {
    cuprum = 0,
    driver = 1,
    runtime = 2,
    nvrtc = 3,
    nvjitlink = 4,
    pathfinder = 5,
    nvvm = 6,
    nvml = 7,
    nccl = 8,
};

/// "invalid_argument" for Status::invalid_argument; "unknown" for any other number.
std::string_view to_string(Status status) noexcept;

/// "CUDA driver" for ErrorDomain::driver; "unknown" for any other number.
std::string_view to_string(ErrorDomain domain) noexcept;

/// The contents of an error. All texts are UTF-8 without a final full stop or line end; each may be empty.
struct ErrorInfo {
    Status status = Status::internal;
    ErrorDomain domain = ErrorDomain::cuprum;
    std::int32_t code = 0;  ///< the domain's own code, for example the CUresult; 0 where there is none
    std::string name;       ///< the code's name, "CUDA_ERROR_INVALID_VALUE"
    std::string operation;  ///< what was being done, "copying 4096 bytes to the host"
    std::string object;     ///< to which object, "Buffer 0x7f00 (4096 bytes) on device 0"
    std::string detail;     ///< what was expected and what was given, or what the library itself said
    std::string advice;     ///< what to do next
};

/// The root of all exceptions that Cuprum throws. Copying never throws: copies share one immutable record.
class Error : public std::exception {
public:
    explicit Error(ErrorInfo info);

    /// All fields as one text, of several lines if there is a detail or advice.
    const char* what() const noexcept override;

    Status status() const noexcept;
    ErrorDomain domain() const noexcept;
    std::int32_t code() const noexcept;
    const std::string& name() const noexcept;
    const std::string& operation() const noexcept;
    const std::string& object() const noexcept;
    const std::string& detail() const noexcept;
    const std::string& advice() const noexcept;
    const ErrorInfo& info() const noexcept;

protected:
    /// For subclasses with data of their own: `appendix` (whole lines) goes between the detail and the advice.
    Error(ErrorInfo info, const std::string& appendix);

private:
    struct Record;
    std::shared_ptr<const Record> record_;
};

/// An argument that the call does not accept. The call had no effect.
class InvalidArgument : public Error {
public:
    using Error::Error;
    /// Sets status and domain; `detail` says what was expected and what was given.
    InvalidArgument(std::string operation, std::string object, std::string detail, std::string advice = {});
};

/// An object that is closed, moved from, or in the wrong state for the call.
class InvalidState : public Error {
public:
    using Error::Error;
    InvalidState(std::string operation, std::string object, std::string detail, std::string advice = {});
};

/// Something that this driver, device, toolkit or build cannot do.
class Unsupported : public Error {
public:
    using Error::Error;
    Unsupported(std::string operation, std::string object, std::string detail, std::string advice = {});
};

/// Host or device memory is exhausted.
class OutOfMemory : public Error {
public:
    explicit OutOfMemory(ErrorInfo info, std::uint64_t requested_bytes = 0);
    /// 0 if the size is unknown.
    std::uint64_t requested_bytes() const noexcept { return requested_bytes_; }

private:
    std::uint64_t requested_bytes_ = 0;
};

/// One place that was looked at, and why what is (or is not) there was refused.
struct RejectedCandidate {
    std::string path;
    std::string reason;
};

/// A library, a header folder or a symbol that was not found.
class NotFound : public Error {
public:
    explicit NotFound(ErrorInfo info, std::vector<RejectedCandidate> candidates = {});
    /// Every place that was looked at, in the order of the search.
    const std::vector<RejectedCandidate>& candidates() const noexcept { return *candidates_; }

private:
    std::shared_ptr<const std::vector<RejectedCandidate>> candidates_;
};

}  // namespace cuprum
