#include "cuprum/parallel/execution.hpp"

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

Execution Execution::ahead_of_time(std::vector<std::string> architectures) {
    if (architectures.empty()) {
        throw InvalidArgument("choosing architectures to build for", "an execution ahead of time",
                              "there are none, expected \"sm_90\" for machine code or \"compute_80\" for PTX");
    }
    Execution result;
    result.kind_ = Kind::ahead_of_time;
    result.architectures_ = std::move(architectures);
    return result;
}

}  // namespace cuprum::parallel
