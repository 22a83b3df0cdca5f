// What a call costs while it is traced, and while it is not: a call of the driver that does nothing much, without a
// trace, then with one into a Chrome trace and into a text.
//
//     CUPRUM_DRIVER=sim build/bin/benchmark_trace_cost
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/trace.hpp"
#include "cuprum/cuprum.hpp"

int main() {
    using namespace cuprum;
    const core::Device device(0);
    const core::Stream stream = device.create_stream();
    const auto call = [&] { static_cast<void>(stream.is_done()); };
    // The mean, not the median of batches: now and then a call takes another part of the file into memory.
    const auto per_call = [&] {
        constexpr int calls = 100'000;
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i)
            call();
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / calls;
    };
    static_cast<void>(per_call());
    const double without = per_call();
    std::printf("stream.is_done(), no trace\t%.3f us\n", without);
    for (const char* const ending : {"json", "txt"}) {
        const std::string path =
            (std::filesystem::temp_directory_path() / ("cuprum_trace_cost.%p." + std::string(ending))).string();
        bindings::start_trace(path);
        const double with = per_call();
        bindings::stop_trace();
        std::printf("stream.is_done(), into %s\t%.3f us, %.3f us more\n", ending, with, with - without);
    }
    const double after = per_call();
    std::printf("stream.is_done(), after the trace\t%.3f us\n", after);
    for (const auto& each : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
        if (each.path().filename().string().starts_with("cuprum_trace_cost.")) std::filesystem::remove(each.path());
    }
}
