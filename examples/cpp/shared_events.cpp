// Two processes: a stream of the second one waits for an event that the first one has recorded.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// The bytes that the event travels as, in an argument of the program.
std::string text_of(const IPCEventDescriptor& descriptor) {
    std::string text;
    for (const std::byte byte : descriptor.reserved) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned int>(byte));
        text += digits;
    }
    return text;
}

IPCEventDescriptor descriptor_of(const std::string& text) {
    IPCEventDescriptor descriptor;
    for (size_t i = 0; i < descriptor.reserved.size(); ++i)
        descriptor.reserved[i] = static_cast<std::byte>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
    return descriptor;
}

int run_this_program_with(std::string argument) {
    char self[] = "/proc/self/exe";
    char* arguments[] = {self, argument.data(), nullptr};
    pid_t other = 0;
    int status = -1;
    if (::posix_spawn(&other, self, nullptr, nullptr, arguments, environ) != 0) return -1;
    ::waitpid(other, &status, 0);
    return status;
}

int first_process(const Device& device) {
    const Stream stream = device.create_stream();
    const Buffer buffer = device.allocate(1 << 20, stream);
    for (uint32_t round = 0; round < 10; ++round)
        buffer.fill(round, 1, stream);
    const Event event = stream.record({.ipc_enabled = true});
    const int status = run_this_program_with(text_of(event.ipc_descriptor()));
    std::printf("another process waited for an event of this one on %s: %s\n", device.name().c_str(),
                status == 0 ? "right" : "wrong");
    return status == 0 && event.is_done() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int second_process(const Device& device, const std::string& text) {
    const Event event = Event::from_ipc_descriptor(descriptor_of(text), device);
    const Stream stream = device.create_stream();
    stream.wait(event);
    stream.sync();
    return event.is_done() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return count == 2 ? second_process(Device(0), arguments[1]) : first_process(Device(0));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
