#include "cuprum/pathfinder/error.hpp"

#include <algorithm>
#include <utility>

namespace cuprum {

namespace {

ErrorInfo make_info(Status status, std::string operation, std::string object, std::string detail, std::string advice) {
    ErrorInfo info;
    info.status = status;
    info.operation = std::move(operation);
    info.object = std::move(object);
    info.detail = std::move(detail);
    info.advice = std::move(advice);
    return info;
}

ErrorInfo with_status(ErrorInfo info, Status status) {
    info.status = status;
    return info;
}

// "invalid argument"
std::string in_words(Status status) {
    std::string text(to_string(status));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

// "copying 4096 bytes (Buffer 0x7f00): CUDA_ERROR_INVALID_VALUE (CUDA driver, code 1)", then each of the other parts on
// lines of its own. Without such a name: "copying 4096 bytes (Buffer 0x7f00): the buffer has only 16 bytes".
std::string compose(const ErrorInfo& info, const std::string& appendix) {
    std::string text = info.operation;
    if (!info.object.empty()) {
        text += text.empty() ? info.object : " (" + info.object + ")";
    }
    if (!text.empty()) {
        text += ": ";
    }
    // Where no library has a name for it, the detail says what went wrong, better than the status.
    const bool has_name = !info.name.empty() || info.code != 0;
    const std::string& reason = has_name ? info.name : info.detail;
    text += reason.empty() ? in_words(info.status) : reason;
    if (info.code != 0) {
        text += " (" + std::string(to_string(info.domain)) + ", code " + std::to_string(info.code) + ")";
    }
    for (const std::string* part : {has_name ? &info.detail : nullptr, &appendix, &info.advice}) {
        if (part != nullptr && !part->empty()) {
            text += '\n';
            text += *part;
            while (text.back() == '\n') {
                text.pop_back();
            }
        }
    }
    return text;
}

std::string list_candidates(const std::vector<RejectedCandidate>& candidates) {
    if (candidates.empty()) {
        return {};
    }
    std::string text = "looked at:";
    for (const RejectedCandidate& candidate : candidates) {
        text += "\n  " + candidate.path + ": " + candidate.reason;
    }
    return text;
}

}  // namespace

struct Error::Record {
    ErrorInfo info;
    std::string text;
};

std::string_view to_string(Status status) noexcept {
    switch (status) {
        case Status::success:
            return "success";
        case Status::invalid_argument:
            return "invalid_argument";
        case Status::invalid_handle:
            return "invalid_handle";
        case Status::invalid_state:
            return "invalid_state";
        case Status::out_of_memory:
            return "out_of_memory";
        case Status::library_not_found:
            return "library_not_found";
        case Status::header_not_found:
            return "header_not_found";
        case Status::symbol_not_found:
            return "symbol_not_found";
        case Status::driver_error:
            return "driver_error";
        case Status::nvrtc_error:
            return "nvrtc_error";
        case Status::nvjitlink_error:
            return "nvjitlink_error";
        case Status::compile_error:
            return "compile_error";
        case Status::kernel_not_found:
            return "kernel_not_found";
        case Status::argument_mismatch:
            return "argument_mismatch";
        case Status::device_fault:
            return "device_fault";
        case Status::unsupported:
            return "unsupported";
        case Status::not_ready:
            return "not_ready";
        case Status::nvvm_error:
            return "nvvm_error";
        case Status::internal:
            return "internal";
    }
    return "unknown";
}

std::string_view to_string(ErrorDomain domain) noexcept {
    switch (domain) {
        case ErrorDomain::cuprum:
            return "Cuprum";
        case ErrorDomain::driver:
            return "CUDA driver";
        case ErrorDomain::runtime:
            return "CUDA runtime";
        case ErrorDomain::nvrtc:
            return "NVRTC";
        case ErrorDomain::nvjitlink:
            return "nvJitLink";
        case ErrorDomain::pathfinder:
            return "pathfinder";
        case ErrorDomain::nvvm:
            return "libNVVM";
        case ErrorDomain::nvml:
            return "NVML";
        case ErrorDomain::nccl:
            return "NCCL";
    }
    return "unknown";
}

Error::Error(ErrorInfo info) : Error(std::move(info), std::string()) {}

Error::Error(ErrorInfo info, const std::string& appendix) {
    std::string text = compose(info, appendix);
    record_ = std::make_shared<const Record>(Record{std::move(info), std::move(text)});
}

const char* Error::what() const noexcept {
    return record_->text.c_str();
}
Status Error::status() const noexcept {
    return record_->info.status;
}
ErrorDomain Error::domain() const noexcept {
    return record_->info.domain;
}
std::int32_t Error::code() const noexcept {
    return record_->info.code;
}
const std::string& Error::name() const noexcept {
    return record_->info.name;
}
const std::string& Error::operation() const noexcept {
    return record_->info.operation;
}
const std::string& Error::object() const noexcept {
    return record_->info.object;
}
const std::string& Error::detail() const noexcept {
    return record_->info.detail;
}
const std::string& Error::advice() const noexcept {
    return record_->info.advice;
}
const ErrorInfo& Error::info() const noexcept {
    return record_->info;
}

InvalidArgument::InvalidArgument(std::string operation, std::string object, std::string detail, std::string advice)
    : Error(make_info(Status::invalid_argument, std::move(operation), std::move(object), std::move(detail),
                      std::move(advice))) {}

InvalidState::InvalidState(std::string operation, std::string object, std::string detail, std::string advice)
    : Error(make_info(Status::invalid_state, std::move(operation), std::move(object), std::move(detail),
                      std::move(advice))) {}

Unsupported::Unsupported(std::string operation, std::string object, std::string detail, std::string advice)
    : Error(make_info(Status::unsupported, std::move(operation), std::move(object), std::move(detail),
                      std::move(advice))) {}

OutOfMemory::OutOfMemory(ErrorInfo info, std::uint64_t requested_bytes)
    : Error(with_status(std::move(info), Status::out_of_memory)), requested_bytes_(requested_bytes) {}

NotFound::NotFound(ErrorInfo info, std::vector<RejectedCandidate> candidates)
    : Error(std::move(info), list_candidates(candidates)),
      candidates_(std::make_shared<const std::vector<RejectedCandidate>>(std::move(candidates))) {}

}  // namespace cuprum
