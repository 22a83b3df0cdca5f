#include "cuprum/core/error.hpp"

#include <utility>

namespace cuprum {

namespace {

ErrorInfo with_status(ErrorInfo info, Status status) {
    info.status = status;
    return info;
}

std::string list_names(const std::vector<std::string>& names) {
    if (names.empty()) {
        return "the program has no kernels";
    }
    std::string text = "the program has:";
    for (const std::string& name : names) {
        text += "\n  " + name;
    }
    return text;
}

std::string list_report(const CompileReport& report) {
    std::string text = report.log;
    if (!report.options.empty()) {
        text += text.empty() || text.back() == '\n' ? "options:" : "\noptions:";
        for (const std::string& option : report.options) {
            text += ' ' + option;
        }
    }
    return text;
}

}  // namespace

CompileError::CompileError(ErrorInfo info, CompileReport report)
    : Error(with_status(std::move(info), Status::compile_error), list_report(report)),
      report_(std::make_shared<const CompileReport>(std::move(report))) {}

NvJitLinkError::NvJitLinkError(ErrorInfo info, std::string log)
    : Error(with_status(std::move(info), Status::nvjitlink_error), log),
      log_(std::make_shared<const std::string>(std::move(log))) {}

KernelNotFound::KernelNotFound(ErrorInfo info, std::vector<std::string> available)
    : Error(with_status(std::move(info), Status::kernel_not_found), list_names(available)),
      available_(std::make_shared<const std::vector<std::string>>(std::move(available))) {}

ArgumentMismatch::ArgumentMismatch(ErrorInfo info, std::int32_t position)
    : Error(with_status(std::move(info), Status::argument_mismatch)), position_(position) {}

void throw_error(ErrorInfo info) {
    switch (info.status) {
        case Status::invalid_argument:
            throw InvalidArgument(std::move(info));
        case Status::invalid_state:
            throw InvalidState(std::move(info));
        case Status::unsupported:
            throw Unsupported(std::move(info));
        case Status::out_of_memory:
            throw OutOfMemory(std::move(info));
        case Status::library_not_found:
        case Status::header_not_found:
        case Status::symbol_not_found:
            throw NotFound(std::move(info));
        case Status::driver_error:
            throw DriverError(std::move(info));
        case Status::device_fault:
            throw DeviceFault(std::move(info));
        case Status::nvrtc_error:
            throw NvrtcError(std::move(info));
        case Status::nvjitlink_error:
            throw NvJitLinkError(std::move(info));
        case Status::nvvm_error:
            throw NvvmError(std::move(info));
        case Status::compile_error:
            throw CompileError(std::move(info), {});
        case Status::kernel_not_found:
            throw KernelNotFound(std::move(info), {});
        case Status::argument_mismatch:
            throw ArgumentMismatch(std::move(info), -1);
        case Status::success:
        case Status::invalid_handle:
        case Status::not_ready:
        case Status::internal:
            break;
    }
    throw Error(std::move(info));
}

}  // namespace cuprum
