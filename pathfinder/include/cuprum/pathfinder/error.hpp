// The root of the one exception hierarchy that every layer throws. It lives in the lowest layer because that layer
// throws it too.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum {

/// What kind of failure it was. The numbers are the C ABI's status codes and never change their meaning.
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
    internal = 99,
};

/// Whose code `Error::code()` is.
enum class ErrorDomain : std::int32_t {
    cuprum = 0,
    driver = 1,
    runtime = 2,
    nvrtc = 3,
    nvjitlink = 4,
    pathfinder = 5,
};

/// "invalid_argument" for Status::invalid_argument; "unknown" for a number that is none of ours.
std::string_view to_string(Status status) noexcept;

/// "CUDA driver" for ErrorDomain::driver; "unknown" for a number that is none of ours.
std::string_view to_string(ErrorDomain domain) noexcept;

/// Everything that one error says. All texts are UTF-8 without a final full stop or line end; each may be empty.
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

    /// One text made of all the fields, several lines where there is a detail or an advice.
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

/// A value that the call does not take. The call had no effect.
class InvalidArgument : public Error {
public:
    using Error::Error;
    /// Sets status and domain; `detail` says what was expected and what was given.
    InvalidArgument(std::string operation, std::string object, std::string detail, std::string advice = {});
};

/// An object that is closed, moved from, or in a state in which the call makes no sense.
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
    /// 0 where the size is not known.
    std::uint64_t requested_bytes() const noexcept { return requested_bytes_; }

private:
    std::uint64_t requested_bytes_ = 0;
};

/// One place that was looked at, and why what is (or is not) there was refused.
struct RejectedCandidate {
    std::string path;
    std::string reason;
};

/// A library, a header folder or a symbol that is nowhere to be found.
class NotFound : public Error {
public:
    explicit NotFound(ErrorInfo info, std::vector<RejectedCandidate> candidates = {});
    /// Every place that was looked at, in the order of the search.
    const std::vector<RejectedCandidate>& candidates() const noexcept { return *candidates_; }

private:
    std::shared_ptr<const std::vector<RejectedCandidate>> candidates_;
};

/// A CUDA driver call that failed; `code()` is the CUresult.
class DriverError : public Error {
public:
    using Error::Error;
};

/// A fault on the device (illegal address, trap, failed assertion ...): the context is lost, every later call on it
/// fails in the same way.
class DeviceFault : public DriverError {
public:
    using DriverError::DriverError;
};

/// An NVRTC call that failed for another reason than the program's text; `code()` is the nvrtcResult.
class NvrtcError : public Error {
public:
    using Error::Error;
};

/// An nvJitLink call that failed; `code()` is the nvJitLinkResult.
class NvJitLinkError : public Error {
public:
    using Error::Error;
};

/// What belongs to a failed compilation.
struct CompileReport {
    std::string log;                   ///< the compiler's log, as it gave it
    std::vector<std::string> options;  ///< the options it was given, in order
    std::vector<std::string> headers;  ///< names of the headers that were passed in memory, and header folders
};

/// A program that does not compile.
class CompileError : public Error {
public:
    CompileError(ErrorInfo info, CompileReport report);
    const std::string& log() const noexcept { return report_->log; }
    const std::vector<std::string>& options() const noexcept { return report_->options; }
    const std::vector<std::string>& headers() const noexcept { return report_->headers; }

private:
    std::shared_ptr<const CompileReport> report_;
};

/// A kernel name that the compiled program does not have.
class KernelNotFound : public Error {
public:
    KernelNotFound(ErrorInfo info, std::vector<std::string> available);
    /// The names that the program does have.
    const std::vector<std::string>& available() const noexcept { return *available_; }

private:
    std::shared_ptr<const std::vector<std::string>> available_;
};

/// Kernel arguments that do not fit the kernel's parameters.
class ArgumentMismatch : public Error {
public:
    /// `position` counts from 0; -1 when the number of arguments is wrong.
    ArgumentMismatch(ErrorInfo info, std::int32_t position);
    std::int32_t position() const noexcept { return position_; }

private:
    std::int32_t position_;
};

/// Throws `info` as the class that belongs to its status: InvalidArgument for Status::invalid_argument and so on, and
/// plain Error where the status has no class of its own.
[[noreturn]] void throw_error(ErrorInfo info);

}  // namespace cuprum
