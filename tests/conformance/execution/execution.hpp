// What the tests of execution share.
#pragma once

#include <map>

#include "fixture.hpp"

namespace cuprum::core {

// Kernels of one source text, on a device and a stream of their own.
class Execution : public testing::Test {
protected:
    // Compiled once per source text and process.
    const ObjectCode& code(const char* source);
    // Runs the kernel and waits for it.
    template <class... Arguments>
    void run(const ObjectCode& object, const char* kernel, LaunchConfig config, const Arguments&... arguments) {
        launch(stream, config, object.get_kernel(kernel), arguments...);
        stream.sync();
    }
    // The integers that the kernel leaves in its first parameter.
    template <class... Arguments>
    std::vector<int> integers(const ObjectCode& object, const char* kernel, size_t count, LaunchConfig config,
                              const Arguments&... arguments) {
        const Buffer out = test::buffer_of(device, std::vector<int>(count, 0));
        run(object, kernel, config, out, arguments...);
        return test::values_of<int>(out);
    }

    Device device{0};
    Stream stream = device.create_stream();
};

}  // namespace cuprum::core
