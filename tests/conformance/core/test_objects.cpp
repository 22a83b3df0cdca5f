// What becomes of an object of every class when it is closed or moved from, used from another thread, when its context
// is destroyed or lost, in a forked child, and while the process exits: a clear error or a leak, never a crash.
//
// Each test runs in a process of its own.
#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.hpp"
#include "objects.hpp"

namespace cuprum::core {
namespace {

namespace driver = bindings::driver;
using test::every_object;
using test::in_child;
using test::Report;
using test::Specimen;
using test::Use;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Whether an error is one that is expected. Empty, or what is wrong with it.
using Judge = std::function<std::string(const Error&)>;

std::string require_texts(const Error& error) {
    if (error.operation().empty()) return "does not say what was being done";
    if (error.object().empty()) return "does not say to which object";
    return {};
}

enum class Expected { success, failure, either };

// For a driver that crashes: CUPRUM_TEST_STEPS=1 prints what is done before it is.
void step(const std::string& what) {
    static const bool are_shown = std::getenv("CUPRUM_TEST_STEPS") != nullptr;
    if (are_shown) std::fprintf(stderr, "%s\n", what.c_str());
}

void check_use(const Report& report, const Specimen& specimen, const Use& use, Expected expected, const Judge& judge) {
    const std::string where = specimen.name + ", " + use.name + ": ";
    step(where);
    try {
        use.call();
        if (expected == Expected::failure) report(where + "has not failed\n");
    } catch (const Error& error) {
        if (expected == Expected::success) {
            report(where + "has failed: " + error.what() + '\n');
            return;
        }
        std::string problem = require_texts(error);
        if (problem.empty()) problem = judge(error);
        if (!problem.empty()) report(where + "the error " + problem + ": " + error.what() + '\n');
    }
}

void check_nothing_current(const Report& report, const std::string& where) {
    CUcontext current = nullptr;
    if (driver::cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr)
        report(where + ": a context was left current\n");
}

TEST(EveryObject, IsUsedAndDestroyedByThreadsWithoutAContext) {
    EXPECT_EQ(in_child([](const Report& report) {
                  std::vector<Specimen> objects = every_object();
                  if (objects.size() < 28) report("there are more objects than that\n");
                  for (Specimen& each : objects) {
                      std::thread([&] {
                          for (const Use& use : each.uses) {
                              check_use(report, each, use, Expected::success, {});
                              check_nothing_current(report, each.name + ", " + use.name);
                          }
                      }).join();
                      std::thread([&] {
                          const std::string name = each.name;
                          each = Specimen();
                          check_nothing_current(report, name);
                      }).join();
                  }
              }),
              "");
}

// The contexts of a program that has made them itself, as OpenMM does: one is current, the other below it.
class CallersContexts {
public:
    explicit CallersContexts(bool current_is_primary) : current_is_primary_(current_is_primary) {
        check(driver::cuInit(0));
        check(driver::cuCtxCreate(&below_, nullptr, 0, 0));
        if (current_is_primary_) {
            check(driver::cuDevicePrimaryCtxRetain(&current_, 0));
            check(driver::cuCtxPushCurrent(current_));
        } else {
            check(driver::cuCtxCreate(&current_, nullptr, 0, 0));
        }
    }
    ~CallersContexts() {
        CUcontext popped = nullptr;
        driver::cuCtxPopCurrent(&popped);
        driver::cuCtxPopCurrent(&popped);
        if (current_is_primary_) {
            driver::cuDevicePrimaryCtxRelease(0);
        } else {
            driver::cuCtxDestroy(current_);
        }
        driver::cuCtxDestroy(below_);
    }
    CallersContexts(const CallersContexts&) = delete;
    CallersContexts& operator=(const CallersContexts&) = delete;

    void report_changes(const Report& report, const std::string& where) const {
        CUcontext found = nullptr;
        check(driver::cuCtxPopCurrent(&found));
        if (found != current_) report(where + ": another context is current\n");
        CUcontext next = nullptr;
        check(driver::cuCtxGetCurrent(&next));
        if (next != below_) report(where + ": another context is below the current one\n");
        check(driver::cuCtxPushCurrent(found));
    }

private:
    static void check(CUresult result) {
        if (result != CUDA_SUCCESS) throw std::runtime_error("the contexts cannot be used: " + std::to_string(result));
    }
    bool current_is_primary_;
    CUcontext below_ = nullptr;
    CUcontext current_ = nullptr;
};

// Makes and uses every object while the program's own contexts are there, and destroys it.
void use_beside_contexts(const Report& report, bool current_is_primary) {
    const CallersContexts contexts(current_is_primary);
    std::vector<Specimen> objects = every_object();
    contexts.report_changes(report, "making the objects");
    for (Specimen& each : objects) {
        for (const Use& use : each.uses) {
            if (use.name == "set_current") continue;  // the one that changes it
            check_use(report, each, use, Expected::success, {});
            contexts.report_changes(report, each.name + ", " + use.name);
        }
        if (each.close) each.close();
        contexts.report_changes(report, "closing " + each.name);
        const std::string name = each.name;
        each = Specimen();
        contexts.report_changes(report, "destroying " + name);
    }
}

TEST(EveryObject, LeavesAContextThatTheProgramHasMadeCurrent) {
    EXPECT_EQ(in_child([](const Report& report) { use_beside_contexts(report, false); }), "");
}

TEST(EveryObject, LeavesThePrimaryContextCurrent) {
    EXPECT_EQ(in_child([](const Report& report) { use_beside_contexts(report, true); }), "");
}

std::string is_of_closed_object(const Error& error) {
    if (error.status() != Status::invalid_argument && error.status() != Status::invalid_state)
        return "is of another class";
    const std::string text = error.what();
    return contains(text, "closed") || contains(text, "moved") ? "" : "does not say that the object is gone";
}

void check_gone(const Report& report, const Specimen& specimen) {
    for (const Use& use : specimen.uses)
        check_use(report, specimen, use, Expected::failure, is_of_closed_object);
}

TEST(EveryObject, SaysThatItIsClosed) {
    EXPECT_EQ(in_child([](const Report& report) {
                  for (const Specimen& each : every_object()) {
                      if (!each.close) continue;
                      each.close();
                      each.close();
                      check_gone(report, each);
                      each.close();
                  }
              }),
              "");
}

TEST(EveryObject, SaysThatItWasMovedFrom) {
    EXPECT_EQ(in_child([](const Report& report) {
                  for (const Specimen& each : every_object()) {
                      if (!each.move_away) continue;
                      each.move_away();
                      check_gone(report, each);
                  }
              }),
              "");
}

std::string is_the_drivers(const Error& error) {
    return error.domain() == ErrorDomain::driver ? "" : "is not the driver's";
}

// All uses, in the order of the objects, and then their destruction.
void use_and_destroy(const Report& report, std::vector<Specimen> objects, const Judge& judge) {
    for (Specimen& each : objects) {
        for (const Use& use : each.uses)
            check_use(report, each, use, use.needs_context ? Expected::failure : Expected::either, judge);
        step("closing " + each.name);
        if (each.close) each.close();
        each = Specimen();
    }
}

// The context is in use again, under the handle that it had.
void use_context_again(const Report& report) {
    CUcontext context = nullptr;
    CUdeviceptr memory = 0;
    if (driver::cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
        driver::cuCtxPushCurrent(context) != CUDA_SUCCESS || driver::cuMemAlloc(&memory, 64) != CUDA_SUCCESS ||
        driver::cuCtxPopCurrent(&context) != CUDA_SUCCESS)
        report("the context cannot be used again\n");
}

void outlive_reset(const Report& report, bool context_is_used_again) {
    set_cleanup_error_handler([](const Error&) noexcept {});
    std::vector<Specimen> objects = every_object();
    // A device with green contexts is not reset.
    std::erase_if(objects, [](const Specimen& each) { return contains(each.name, "green"); });
    const CUresult reset = driver::cuDevicePrimaryCtxReset(0);
    if (reset != CUDA_SUCCESS) report("the context cannot be reset: " + std::to_string(reset) + '\n');
    if (context_is_used_again) use_context_again(report);
    use_and_destroy(report, std::move(objects), is_the_drivers);
    check_nothing_current(report, "at the end");
    // What is made from then on says why it cannot be.
    try {
        static_cast<void>(Device(0).create_stream());
        report("a stream was made without a context\n");
    } catch (const DriverError& error) {
        if (!contains(error.what(), "reset or destroyed the device's primary context")) report(error.what());
    }
}

TEST(EveryObject, OutlivesItsContext) {
    EXPECT_EQ(in_child([](const Report& report) { outlive_reset(report, false); }), "");
}

TEST(EveryObject, OutlivesItsContextThatOtherCodeUsesAgain) {
    EXPECT_EQ(in_child([](const Report& report) { outlive_reset(report, true); }), "");
}

constexpr const char* faulty_source = R"(
extern "C" __global__ void write_far_away(int* x, long long index) { x[index] = 1; }
)";

std::string is_of_lost_context(const Error& error) {
    if (error.status() != Status::device_fault) return "is of another class";
    return contains(error.what(), "the context is lost") ? "" : "does not say that the context is lost";
}

TEST(EveryObject, OutlivesTheLossOfItsContext) {
    EXPECT_EQ(in_child([](const Report& report) {
                  set_cleanup_error_handler([](const Error&) noexcept {});
                  std::vector<Specimen> objects = every_object();
                  {
                      const Device device(0);
                      const Kernel kernel =
                          Program(faulty_source, SourceType::cxx).compile().get_kernel("write_far_away");
                      const Stream stream = device.create_stream();
                      const Buffer buffer = device.allocate(64);
                      // 4 TiB beyond: no allocation is that near.
                      launch(stream, {1, 1}, kernel, buffer, 1LL << 40);
                      try {
                          stream.sync();
                          report("the kernel has not failed\n");
                      } catch (const DeviceFault&) {}
                  }
                  use_and_destroy(report, std::move(objects), is_of_lost_context);
                  check_nothing_current(report, "at the end");
              }),
              "");
}

std::string is_of_forked_child(const Error& error) {
    if (error.status() != Status::invalid_state) return "is of another class";
    return contains(error.what(), "fork") ? "" : "does not say that the process was forked";
}

void use_and_destroy_in_child(const Report& report, std::vector<Specimen>& objects) {
    set_cleanup_error_handler(
        [](const Error& error) noexcept { std::fprintf(stderr, "clean-up in a child: %s\n", error.what()), _exit(4); });
    use_and_destroy(report, std::move(objects), is_of_forked_child);
    try {
        static_cast<void>(Device(0).create_stream());
        report("a stream was made in the child\n");
    } catch (const Error& error) {
        const std::string problem = is_of_forked_child(error);
        if (!problem.empty()) report("making a stream: the error " + problem + ": " + error.what() + '\n');
    }
}

TEST(EveryObject, IsTheParentsAfterAFork) {
    constexpr std::array<void (*)(int), 2> ends{&_exit, &std::exit};
    for (void (*const end)(int) : ends) {
        EXPECT_EQ(in_child([end](const Report& report) {
                      std::vector<Specimen> objects = every_object();
                      report(in_child([&](const Report& inner) { use_and_destroy_in_child(inner, objects); }, end));
                      for (const Specimen& each : objects) {
                          for (const Use& use : each.uses)
                              check_use(report, each, use, Expected::success, {});
                      }
                  }),
                  "");
    }
}

// Uses all, however that ends, and destroys them.
struct DestroyedLate {
    std::vector<Specimen> objects;

    ~DestroyedLate() {
        for (const Specimen& each : objects) {
            for (const Use& use : each.uses) {
                try {
                    use.call();
                } catch (const Error&) {
                    // The driver may be gone, and the compilers are.
                }
            }
        }
    }
};

TEST(EveryObject, IsUsedAndDestroyedWhileTheProcessExits) {
    EXPECT_EQ(in_child(
                  [](const Report&) {
                      static DestroyedLate after_core_was_told;
                      after_core_was_told.objects = every_object();
                      static DestroyedLate before_core_is_told;
                      before_core_is_told.objects = every_object();
                      static std::vector<Specimen> unused = every_object();
                  },
                  &std::exit),
              "");
}

// Of a source that no cache has.
void compile_another() {
    static std::atomic<int> count = 0;
    Program("// " + std::to_string(getpid()) + '.' + std::to_string(++count) + '\n' + faulty_source, SourceType::cxx)
        .compile(CodeType::ptx);
}

struct CompilesLate {
    ~CompilesLate() {
        try {
            compile_another();
            _exit(5);
        } catch (const InvalidState& error) {
            if (!contains(error.what(), "the process is exiting")) _exit(6);
        }
    }
};

TEST(Compiles, AreRefusedWhileTheProcessExits) {
    EXPECT_EQ(in_child(
                  [](const Report&) {
                      static CompilesLate late;
                      compile_another();
                  },
                  &std::exit),
              "");
}

TEST(Compiles, OfOtherThreadsEndBeforeTheProcess) {
    EXPECT_EQ(in_child(
                  [](const Report&) {
                      std::atomic<bool> has_begun = false;
                      compile_another();
                      std::thread([&] {
                          has_begun = true;
                          try {
                              for (;;)
                                  compile_another();
                          } catch (const InvalidState&) {
                              // The process is exiting.
                          }
                      }).detach();
                      while (!has_begun)
                          std::this_thread::yield();
                      std::this_thread::sleep_for(std::chrono::milliseconds(20));
                      std::exit(0);
                  },
                  &std::exit),
              "");
}

// Other code's, which has destroyed it.
TEST(BorrowedContexts, MayBeGone) {
    EXPECT_EQ(in_child([](const Report& report) {
                  if (!Device(0).is_simulator()) return;  // a real driver does not notice
                  static_cast<void>(Device(0).context());
                  CUcontext foreign = nullptr;
                  if (driver::cuCtxCreate(&foreign, nullptr, 0, 0) != CUDA_SUCCESS) report("no context\n");
                  const Context borrowed = Context::from_handle(foreign);
                  const Specimen specimen{.name = "Context",
                                          .uses = {{"sm_resource", [&] { static_cast<void>(borrowed.sm_resource()); }},
                                                   {"set_current", [&] { borrowed.set_current(); }},
                                                   {"from_handle", [&] { Context::from_handle(foreign); }}},
                                          .close = {},
                                          .move_away = {},
                                          .object = {}};
                  driver::cuCtxDestroy(foreign);
                  for (const Use& use : specimen.uses)
                      check_use(report, specimen, use, Expected::failure, is_the_drivers);
                  check_nothing_current(report, "a borrowed context");
              }),
              "");
}

}  // namespace
}  // namespace cuprum::core
