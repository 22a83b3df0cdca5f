// What a launch through the C ABI costs, by the number of arguments and the stream: host time, asynchronous, of one
// block. Which libcuprum.so it calls is up to LD_LIBRARY_PATH, so that builds can be compared (compare_builds.py).
#include <cstdlib>
#include <string>
#include <vector>

#include "c_abi.hpp"
#include "measure.hpp"

namespace {

using cuprum::benchmarks::microseconds_per_call;
using cuprum::benchmarks::must;
using cuprum::benchmarks::row;

// A kernel of `count` parameters: pointers, ints, floats and doubles in turn.
cuprum_kernel make_kernel(size_t count) {
    constexpr const char* types[] = {"float*", "int", "float", "double"};
    std::string source = "extern \"C\" __global__ void with(";
    for (size_t i = 0; i < count; ++i)
        source += std::string(i == 0 ? "" : ", ") + types[i % 4] + " a" + std::to_string(i);
    source += ") {}";
    cuprum_program program = nullptr;
    cuprum_object_code code = nullptr;
    cuprum_kernel kernel = nullptr;
    must(cuprum_program_create(&program, source.c_str(), CUPRUM_SOURCE_CXX, nullptr, nullptr, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, nullptr, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "with"));
    cuprum_object_code_destroy(code);
    cuprum_program_destroy(program);
    return kernel;
}

std::vector<cuprum_argument> make_arguments(size_t count, cuprum_buffer buffer) {
    std::vector<cuprum_argument> arguments(count, cuprum_argument{CUPRUM_ARGUMENT_BUFFER, 0, {}});
    for (size_t i = 0; i < count; ++i) {
        switch (i % 4) {
            case 0:
                arguments[i].value.buffer = buffer;
                break;
            case 1:
                arguments[i].kind = CUPRUM_ARGUMENT_INT;
                arguments[i].value.i64 = 32;
                break;
            default:
                arguments[i].kind = CUPRUM_ARGUMENT_FLOAT;
                arguments[i].value.f64 = 2.0;
        }
    }
    return arguments;
}

}  // namespace

int main() {
    constexpr int batches = 41;
    constexpr int calls = 500;
    const char* name = "";
    must(cuprum_device_name(&name, 0));
    std::printf("# C ABI calls on %s\n", name);
    cuprum_stream own = nullptr;
    cuprum_stream legacy = nullptr;
    cuprum_buffer buffer = nullptr;
    must(cuprum_stream_create(&own, 0, nullptr));
    must(cuprum_stream_default(&legacy, 0));
    must(cuprum_buffer_allocate(&buffer, 0, 4096, nullptr));
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    config.block_x = 32;
    const auto drain = [&] {
        must(cuprum_stream_sync(own));
        must(cuprum_stream_sync(legacy));
    };
    for (const size_t count : {0U, 4U, 16U, 64U, 65U, 200U}) {
        const cuprum_kernel kernel = make_kernel(count);
        const std::vector<cuprum_argument> arguments = make_arguments(count, buffer);
        const auto measure = [&](const char* where, cuprum_stream stream) {
            const double cost = microseconds_per_call(
                batches, calls,
                [&] {
                    must(cuprum_launch(stream, &config, kernel, arguments.data(),
                                       static_cast<uint32_t>(arguments.size())));
                },
                drain);
            row(("cuprum_launch, " + std::to_string(count) + " arguments" + where).c_str(), cost, "us");
        };
        measure("", own);
        if (count == 4) measure(", default stream", legacy);
        must(cuprum_kernel_destroy(kernel));
    }
    must(cuprum_buffer_destroy(buffer));
    must(cuprum_stream_destroy(legacy));
    must(cuprum_stream_destroy(own));
    return 0;
}
