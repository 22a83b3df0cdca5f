// Fault injection: makes calls through the bindings fail without making them, to test that programs survive it.
//
// CUPRUM_FAULT is a list of NAME[:N[+]]=CODE, separated by commas, armed with the process's first call:
//
//   CUPRUM_FAULT=cuMemAlloc=CUDA_ERROR_OUT_OF_MEMORY        the first call of cuMemAlloc
//   CUPRUM_FAULT=cuMemcpy*:3=700                            the third call of any function whose name begins so
//   CUPRUM_FAULT=*:10+=CUDA_ERROR_LAUNCH_FAILED             the tenth call of any driver function and all later ones
//
// A named code belongs to one library, and only that library's functions count. A number applies to all. Functions that
// return no status cannot fail, and are not counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace cuprum::bindings {

/// Makes calls fail for as long as it lives, in the whole process. If several faults match a call, the one that was
/// made first decides, and all of them count it. Thread-safe.
class FaultInjection {
public:
    /// One item of CUPRUM_FAULT. Throws InvalidArgument that names the item if it is malformed.
    explicit FaultInjection(std::string_view item);
    FaultInjection(FaultInjection&&) noexcept;
    FaultInjection& operator=(FaultInjection&&) = delete;
    ~FaultInjection();

    /// How many calls it has made fail.
    std::uint64_t injected() const noexcept;

    struct Fault;

private:
    std::shared_ptr<Fault> fault_;
};

}  // namespace cuprum::bindings
