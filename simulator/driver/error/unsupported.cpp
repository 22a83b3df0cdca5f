#include "driver/error/unsupported.hpp"

#include <mutex>
#include <set>
#include <string>

#include "driver/error/log.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_functions.hpp"

namespace cuprum::simulator::libcuda {

CUresult unsupported(const char* function) {
    const CUresult callable = check_callable(function);
    if (callable != CUDA_SUCCESS) return callable;
    static std::mutex mutex;
    static std::set<std::string>* const reported = new std::set<std::string>;
    {
        const std::lock_guard lock(mutex);
        if (!reported->insert(function).second) return CUDA_ERROR_NOT_SUPPORTED;
    }
    return report_failure(function, CUDA_ERROR_NOT_SUPPORTED, "the simulator does not have this function");
}

int unsupported_status(const char* function) {
    return unsupported(function);
}

}  // namespace cuprum::simulator::libcuda
