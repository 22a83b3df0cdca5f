// What cuLinkCreate makes: PTX texts on their way to one object.
#pragma once

#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "driver/module/image.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Thread-safe.
class LinkState {
public:
    LinkState(const DeviceModel& model, const JitOptions& options) : model_(model), options_(options) {}

    // `size` bytes of an input of this type, called `name` in messages. Throws DriverError with the driver's code for
    // what cannot be linked: LTO-IR, machine code, bad PTX.
    void add(CUjitInputType type, const void* data, size_t size, const std::string& name);
    // The object, made at the first call, of the simulator's own form (image/simulator_object.hpp). Throws DriverError
    // for names that are defined twice or nowhere.
    const std::string& complete();

private:
    // The text of all inputs as one. Throws DriverError with that code where one goes against another.
    std::string link(CUresult code_of_errors);
    [[noreturn]] void refuse(CUresult code, const std::string& message);

    struct Input {
        std::string name, ptx;
    };

    const DeviceModel model_;
    std::mutex mutex_;
    JitOptions options_;
    std::list<Input> inputs_;
    std::string object_;
};

}  // namespace cuprum::simulator::libcuda
