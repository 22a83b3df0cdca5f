#include "cuprum/bindings/options.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings {

namespace {

enum class Choice : int { from_environment, legacy, per_thread };
constinit std::atomic<Choice> choice{Choice::from_environment};

}  // namespace

bool per_thread_default_stream() {
    const Choice chosen = choice.load(std::memory_order_relaxed);
    if (chosen != Choice::from_environment) {
        return chosen == Choice::per_thread;
    }
    const char* value = std::getenv("CUPRUM_PER_THREAD_DEFAULT_STREAM");
    const std::string text = value == nullptr ? "" : value;
    if (!text.empty() && text != "0" && text != "1") {
        throw InvalidArgument("choosing the default stream", "CUPRUM_PER_THREAD_DEFAULT_STREAM",
                              "expected 0 or 1, given " + text);
    }
    return text == "1";
}

void use_per_thread_default_stream(bool enabled) {
    for (const char* name : {"driver", "runtime"}) {
        if (find_library(name)->loaded() && per_thread_default_stream() != enabled) {
            throw InvalidState("choosing the default stream", std::string("the CUDA ") + name,
                               "it is already open, and calls may have gone to the other default stream",
                               "choose before the first call, or set CUPRUM_PER_THREAD_DEFAULT_STREAM=" +
                                   std::string(enabled ? "1" : "0"));
        }
    }
    choice.store(enabled ? Choice::per_thread : Choice::legacy, std::memory_order_relaxed);
}

}  // namespace cuprum::bindings
