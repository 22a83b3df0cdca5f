// What nodes of graphs are given: owners, and functions of the program's.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "call.hpp"
#include "cuprum/capi/graph.h"
#include "cuprum/core/graph.hpp"
#include "launch_arguments.hpp"
#include "owners.hpp"

namespace cuprum::capi {

/// Buffers among the arguments of a kernel node.
inline core::GraphOwners owners_among(const Call& call, std::span<const cuprum_argument> arguments) {
    core::GraphOwners owners;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].kind != CUPRUM_ARGUMENT_BUFFER) continue;
        owners.push_back(owner_of(call, arguments[i].value.buffer, "arguments", static_cast<int32_t>(i)));
    }
    return owners;
}

/// The same, of a launch in a stream that may be captured.
inline core::GraphOwners owners_in_capture(const Call& call, std::span<const cuprum_argument> arguments) {
    core::GraphOwners owners;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].kind != CUPRUM_ARGUMENT_BUFFER) continue;
        owners.push_back(owner_in_capture(call, arguments[i].value.buffer, "arguments", static_cast<int32_t>(i)));
    }
    return owners;
}

/// A function of the program's with its data, which is released with the last copy: once it is armed.
class GraphFunction {
public:
    GraphFunction(cuprum_host_function function, cuprum_graph_release release, void* user_data)
        : data_(std::make_shared<Data>(function, release, user_data)) {}

    void operator()() const { data_->function(data_->user_data); }
    /// The call that was given the function has succeeded.
    void arm() const noexcept { data_->is_armed = true; }

private:
    struct Data {
        Data(cuprum_host_function called, cuprum_graph_release releasing, void* with)
            : function(called), release(releasing), user_data(with) {}
        ~Data() {
            if (is_armed && release != nullptr) release(user_data);
        }
        Data(const Data&) = delete;
        Data& operator=(const Data&) = delete;

        cuprum_host_function function;
        cuprum_graph_release release;
        void* user_data;
        bool is_armed = false;
    };
    std::shared_ptr<Data> data_;
};

/// The kernel's launch that a node is to make: checked, with what it keeps.
struct NodeLaunch {
    NodeLaunch(const Call& call, const cuprum_launch_config* given, cuprum_kernel kernel_handle, int32_t device_id,
               const cuprum_argument* given_arguments, uint32_t argument_count);

    core::LaunchConfig config;
    Pin<KernelObject> kernel;
    LaunchArguments arguments;
    core::GraphOwners owners;
};

/// A copy between two addresses, and the buffers that they are in, which may be null.
struct NodeCopy {
    NodeCopy(const Call& call, uint64_t destination, uint64_t source, uint64_t size, cuprum_buffer destination_owner,
             cuprum_buffer source_owner);

    core::MemcpyNodeParameters parameters;
    core::GraphOwners owners;
};

/// A fill, and the buffer that it fills, which may be null.
struct NodeFill {
    NodeFill(const Call& call, const core::MemsetNodeParameters& given, cuprum_buffer destination_owner);

    core::MemsetNodeParameters parameters;
    core::GraphOwners owners;
};

/// A word of a buffer that is waited for or written, and the buffer.
struct NodeWord {
    NodeWord(const Call& call, cuprum_buffer buffer, uint64_t offset, uint64_t value, uint32_t word_size,
             int32_t condition, int32_t flush);

    core::MemoryOperationParameters parameters;
    core::GraphOwners owners;

    std::span<const core::MemoryOperationParameters> operations() const { return {&parameters, 1}; }
};

GraphFunction read_function(const Call& call, cuprum_host_function function, cuprum_graph_release release,
                            void* user_data);
core::GraphConditionalType read_conditional_type(const Call& call, int32_t type);
uint32_t read_body_count(const Call& call, uint32_t count);

/// launch.cpp
core::LaunchConfig read_config(const Call& call, const cuprum_launch_config* config);

}  // namespace cuprum::capi
