#include "stuck_call.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace hammer {

namespace {

void print_own_stack(int) {
    std::array<void*, 64> frames{};
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
}

std::string first_line(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Those of the simulator's streams, too, which take no signals.
void print_kernel_states() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const std::string stat = first_line(task.path() / "stat");
        const size_t end_of_name = stat.rfind(')');
        std::fprintf(stderr, "task %s: state and times %s; system call %s\n", task.path().filename().c_str(),
                     end_of_name == std::string::npos ? "?" : stat.substr(end_of_name + 2, 80).c_str(),
                     first_line(task.path() / "syscall").c_str());
    }
}

void print_all(const Steps& steps) {
    for (size_t i = 0; i < steps.size(); ++i) {
        const char* const what = steps[i].what();
        if (what == nullptr) continue;
        std::fprintf(stderr, "thread %zu, for %.1f s: %s\n", i, std::chrono::duration<double>(steps[i].lasts()).count(),
                     what);
        // One after another, each with time to print.
        pthread_kill(steps[i].thread(), SIGUSR1);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    print_kernel_states();
}

}  // namespace

void watch_for_stuck_calls(const Steps& steps, std::chrono::seconds limit) {
    void* frame = nullptr;
    backtrace(&frame, 1);  // the first call loads a library, which a signal handler must not
    std::signal(SIGUSR1, &print_own_stack);
    std::thread([&steps, limit] {
        const auto is_stuck = [limit](const Step& step) { return step.what() != nullptr && step.lasts() > limit; };
        while (std::none_of(steps.begin(), steps.end(), is_stuck))
            std::this_thread::sleep_for(std::chrono::seconds(1));
        std::fprintf(stderr, "a call has not returned for %lld s\n", static_cast<long long>(limit.count()));
        print_all(steps);
        _exit(1);
    }).detach();
}

}  // namespace hammer
