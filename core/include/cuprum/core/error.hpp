// The exceptions of calls to the driver and the compilers, and of kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum {

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

/// An nvJitLink call that failed, most often because the inputs do not fit together; `code()` is the nvJitLinkResult.
class NvJitLinkError : public Error {
public:
    explicit NvJitLinkError(ErrorInfo info, std::string log = {});
    /// nvJitLink's error log, as it gave it; may be empty.
    const std::string& log() const noexcept { return *log_; }

private:
    std::shared_ptr<const std::string> log_;
};

/// A libNVVM call that failed for another reason than the program's IR; `code()` is the nvvmResult.
class NvvmError : public Error {
public:
    using Error::Error;
};

/// The log, options and headers of a failed compilation.
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

/// A kernel that the compiled program does not have.
class KernelNotFound : public Error {
public:
    KernelNotFound(ErrorInfo info, std::vector<std::string> available);
    /// The names of the kernels that it has.
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
