#include "cuprum/capi/base.h"

#include "call.hpp"
#include "status_name.hpp"
#include "struct_size.hpp"

namespace cuprum::capi {

static_assert(sizeof(void*) == 8, "handles are 64 bits wide");

const char* status_name(int32_t status) noexcept {
    switch (status) {
        case CUPRUM_SUCCESS:
            return "CUPRUM_SUCCESS";
        case CUPRUM_ERROR_INVALID_ARGUMENT:
            return "CUPRUM_ERROR_INVALID_ARGUMENT";
        case CUPRUM_ERROR_INVALID_HANDLE:
            return "CUPRUM_ERROR_INVALID_HANDLE";
        case CUPRUM_ERROR_INVALID_STATE:
            return "CUPRUM_ERROR_INVALID_STATE";
        case CUPRUM_ERROR_OUT_OF_MEMORY:
            return "CUPRUM_ERROR_OUT_OF_MEMORY";
        case CUPRUM_ERROR_LIBRARY_NOT_FOUND:
            return "CUPRUM_ERROR_LIBRARY_NOT_FOUND";
        case CUPRUM_ERROR_HEADER_NOT_FOUND:
            return "CUPRUM_ERROR_HEADER_NOT_FOUND";
        case CUPRUM_ERROR_SYMBOL_NOT_FOUND:
            return "CUPRUM_ERROR_SYMBOL_NOT_FOUND";
        case CUPRUM_ERROR_DRIVER:
            return "CUPRUM_ERROR_DRIVER";
        case CUPRUM_ERROR_NVRTC:
            return "CUPRUM_ERROR_NVRTC";
        case CUPRUM_ERROR_NVJITLINK:
            return "CUPRUM_ERROR_NVJITLINK";
        case CUPRUM_ERROR_COMPILE:
            return "CUPRUM_ERROR_COMPILE";
        case CUPRUM_ERROR_KERNEL_NOT_FOUND:
            return "CUPRUM_ERROR_KERNEL_NOT_FOUND";
        case CUPRUM_ERROR_ARGUMENT_MISMATCH:
            return "CUPRUM_ERROR_ARGUMENT_MISMATCH";
        case CUPRUM_ERROR_DEVICE_FAULT:
            return "CUPRUM_ERROR_DEVICE_FAULT";
        case CUPRUM_ERROR_UNSUPPORTED:
            return "CUPRUM_ERROR_UNSUPPORTED";
        case CUPRUM_ERROR_NOT_READY:
            return "CUPRUM_ERROR_NOT_READY";
        case CUPRUM_ERROR_NVVM:
            return "CUPRUM_ERROR_NVVM";
        case CUPRUM_ERROR_INTERNAL:
            return "CUPRUM_ERROR_INTERNAL";
        default:
            return "CUPRUM_ERROR_UNKNOWN";
    }
}

namespace {

// The C ABI's numbers and the exceptions' are the same list.
constexpr bool is_same(int32_t status, Status ours) {
    return status == static_cast<int32_t>(ours);
}
static_assert(is_same(CUPRUM_SUCCESS, Status::success));
static_assert(is_same(CUPRUM_ERROR_INVALID_ARGUMENT, Status::invalid_argument));
static_assert(is_same(CUPRUM_ERROR_INVALID_HANDLE, Status::invalid_handle));
static_assert(is_same(CUPRUM_ERROR_INVALID_STATE, Status::invalid_state));
static_assert(is_same(CUPRUM_ERROR_OUT_OF_MEMORY, Status::out_of_memory));
static_assert(is_same(CUPRUM_ERROR_LIBRARY_NOT_FOUND, Status::library_not_found));
static_assert(is_same(CUPRUM_ERROR_HEADER_NOT_FOUND, Status::header_not_found));
static_assert(is_same(CUPRUM_ERROR_SYMBOL_NOT_FOUND, Status::symbol_not_found));
static_assert(is_same(CUPRUM_ERROR_DRIVER, Status::driver_error));
static_assert(is_same(CUPRUM_ERROR_NVRTC, Status::nvrtc_error));
static_assert(is_same(CUPRUM_ERROR_NVJITLINK, Status::nvjitlink_error));
static_assert(is_same(CUPRUM_ERROR_COMPILE, Status::compile_error));
static_assert(is_same(CUPRUM_ERROR_KERNEL_NOT_FOUND, Status::kernel_not_found));
static_assert(is_same(CUPRUM_ERROR_ARGUMENT_MISMATCH, Status::argument_mismatch));
static_assert(is_same(CUPRUM_ERROR_DEVICE_FAULT, Status::device_fault));
static_assert(is_same(CUPRUM_ERROR_UNSUPPORTED, Status::unsupported));
static_assert(is_same(CUPRUM_ERROR_NOT_READY, Status::not_ready));
static_assert(is_same(CUPRUM_ERROR_NVVM, Status::nvvm_error));
static_assert(is_same(CUPRUM_ERROR_INTERNAL, Status::internal));
static_assert(CUPRUM_DOMAIN_CUPRUM == static_cast<int32_t>(ErrorDomain::cuprum));
static_assert(CUPRUM_DOMAIN_DRIVER == static_cast<int32_t>(ErrorDomain::driver));
static_assert(CUPRUM_DOMAIN_RUNTIME == static_cast<int32_t>(ErrorDomain::runtime));
static_assert(CUPRUM_DOMAIN_NVRTC == static_cast<int32_t>(ErrorDomain::nvrtc));
static_assert(CUPRUM_DOMAIN_NVJITLINK == static_cast<int32_t>(ErrorDomain::nvjitlink));
static_assert(CUPRUM_DOMAIN_PATHFINDER == static_cast<int32_t>(ErrorDomain::pathfinder));
static_assert(CUPRUM_DOMAIN_NVVM == static_cast<int32_t>(ErrorDomain::nvvm));
static_assert(CUPRUM_DOMAIN_NVML == static_cast<int32_t>(ErrorDomain::nvml));
static_assert(CUPRUM_DOMAIN_NCCL == static_cast<int32_t>(ErrorDomain::nccl));

}  // namespace
}  // namespace cuprum::capi

using namespace cuprum::capi;

// Not run(): it would clear what is asked for.
cuprum_status cuprum_error_last(cuprum_error_info* info_out) {
    // A size that ends within a pointer would leave half of one.
    if (info_out == nullptr || info_out->struct_size < offsetof(cuprum_error_info, code) ||
        info_out->struct_size > largest_struct_size || info_out->struct_size % alignof(cuprum_error_info) != 0) {
        return CUPRUM_ERROR_INVALID_ARGUMENT;
    }
    const LastError* error = last_error();
    const ErrorTexts texts = error == nullptr ? ErrorTexts{} : error->texts();
    cuprum_error_info values{};
    values.status = texts.status;
    values.domain = texts.domain;
    values.code = texts.code;
    values.name = texts.name;
    values.message = texts.message;
    values.operation = texts.operation;
    values.object = texts.object;
    values.detail = texts.detail;
    values.advice = texts.advice;
    values.log = texts.log;
    write_struct(info_out, values);
    return CUPRUM_SUCCESS;
}

const char* cuprum_error_status_name(cuprum_status status) {
    return status_name(status);
}

cuprum_status cuprum_version(int32_t* version_out) {
    return run("cuprum_version", [&](const Call& call) {
        call.require(version_out, "version_out");
        *version_out = CUPRUM_VERSION_MAJOR * 1000000 + CUPRUM_VERSION_MINOR * 1000 + CUPRUM_VERSION_PATCH;
    });
}

cuprum_status cuprum_live_handles(uint64_t* count_out) {
    return run("cuprum_live_handles", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = process_handles().live();
    });
}
