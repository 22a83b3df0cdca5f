// Where an algorithm runs, or what it is built for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/device.hpp"

namespace cuprum::parallel {

/// How far results are the same, bit for bit, of the same elements. What results are is the same in any case: they
/// differ where elements are combined in another order and that matters, as in sums of floating-point numbers.
enum class Determinism : int32_t {
    not_guaranteed = 0,  ///< as the algorithm gives it
    run_to_run = 1,      ///< from call to call on one device
    gpu_to_gpu = 2,      ///< on every device
};

/// A device, the host's cores, or, ahead of time, architectures. A value; the default is device 0.
///
/// On the host's cores an algorithm runs over host memory, on the threads of TBB or OpenMP, through libcuprum_host,
/// which is opened at the first use (NotFound says what is missing). It takes numbers, bool and complex numbers;
/// well-known operators; pointers, constant, counting and transform iterators. Anything else is Unsupported. Calls take
/// no stream, `{}`, and no temporary storage, return when they are done, and may be made by several threads at once.
/// Results equal the device's, except that floating-point sums and products are evaluated in another order, which here
/// depends on the number of elements and of threads. OMP_NUM_THREADS, read at the first
/// use, limits the threads. A forked child of a process that has used it works with one thread.
class Execution {
public:
    enum class Kind : int32_t { device = 0, host = 1, ahead_of_time = 2 };

    Execution() = default;
    Execution(const core::Device& device) : device_id_(device.device_id()) {}

    static Execution on(const core::Device& device) { return {device}; }
    /// The device with that ordinal. Loads no driver; what runs there throws InvalidArgument where there is none.
    static Execution on_device(int32_t device_id) {
        Execution result;
        result.device_id_ = device_id;
        return result;
    }
    static Execution host() {
        Execution result;
        result.kind_ = Kind::host;
        return result;
    }
    /// Builds with no device: "sm_90" gives machine code for that architecture, "compute_80" PTX for all from there on
    /// and for the simulator. The algorithm cannot be called, only saved. Throws InvalidArgument if it is not an
    /// architecture.
    static Execution ahead_of_time(std::vector<std::string> architectures);

    /// The same with a requirement on the results. Algorithms that cannot keep it throw Unsupported when they are
    /// built. Integers, and what does not combine elements, keep every one; of a reduction of other elements gpu_to_gpu
    /// costs some speed.
    Execution require(Determinism determinism) const {
        Execution result = *this;
        result.determinism_ = determinism;
        return result;
    }

    Determinism determinism() const { return determinism_; }
    Kind kind() const { return kind_; }
    bool is_host() const { return kind_ == Kind::host; }
    bool is_ahead_of_time() const { return kind_ == Kind::ahead_of_time; }
    /// Of Kind::device.
    int32_t device_id() const { return device_id_; }
    /// Of Kind::ahead_of_time.
    const std::vector<std::string>& architectures() const { return architectures_; }

    friend bool operator==(const Execution&, const Execution&) = default;

private:
    Kind kind_ = Kind::device;
    int32_t device_id_ = 0;
    Determinism determinism_ = Determinism::not_guaranteed;
    std::vector<std::string> architectures_;
};

}  // namespace cuprum::parallel
