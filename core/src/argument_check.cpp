#include "cuprum/core/argument_check.hpp"

#include <string>
#include <utility>

#include "cuprum/core/error.hpp"
#include "describe.hpp"

namespace cuprum::core {

void ArgumentCheck::throw_mismatch(int32_t position, std::string detail, std::string advice) const {
    ErrorInfo info;
    info.status = Status::argument_mismatch;
    info.operation = "launching";
    info.object = describe_kernel(kernel_name, device_id);
    info.detail = std::move(detail);
    info.advice = std::move(advice);
    throw ArgumentMismatch(std::move(info), position);
}

void ArgumentCheck::throw_wrong_count(size_t given) const {
    std::string text =
        "the kernel takes " + std::to_string(parameters.size()) + (parameters.size() == 1 ? " argument" : " arguments");
    for (size_t position = 0; position < parameters.size(); ++position) {
        text += (position == 0 ? " (of " : ", ") + std::to_string(parameters[position].size);
    }
    text += parameters.empty() ? ", " : " bytes), ";
    throw_mismatch(-1, text + std::to_string(given) + " given", {});
}

void ArgumentCheck::refuse(size_t position, std::string_view given, std::string advice) const {
    throw_mismatch(static_cast<int32_t>(position),
                   "argument " + std::to_string(position) + " (counted from 0) takes " +
                       describe(parameters[position]) + ", given: " + std::string(given),
                   std::move(advice));
}

void ArgumentCheck::throw_wrong_type(size_t position, const ArgumentType& given) const {
    const KernelArgumentInfo& parameter = parameters[position];
    refuse(position, describe(KernelArgumentInfo{0, given.size, given.kind}),
           parameter.size == given.size
               ? advice_for_argument(parameter.kind, given.kind)
               : "arguments are passed with exactly their own type: convert it to the kernel's parameter type");
}

}  // namespace cuprum::core
