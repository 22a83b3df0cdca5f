// Looks at warps while they run: where a program asks for it (a breakpoint), and where a kernel faults.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/engine.hpp"
#include "ptx/module.hpp"

namespace cuprum::simulator {

struct Warp;
struct Instruction;
class ProgramImage;

// "kernel", "kernel:line", "kernel:file.cu:line" or "kernel:ptx:line"; behind it "@block" and "/thread", each of one to
// three numbers with dots between them.
struct Breakpoint {
    std::string text;    // as it was written
    std::string kernel;  // mangled, or as the source has it, with or without parameters
    std::string file;    // the end of its name; empty: any
    uint32_t line = 0;   // 0: the kernel's first instruction
    bool ptx = false;    // the line is one of the PTX
    std::optional<Dimensions> block, thread;

    // Nothing, with the reason, where the text is no breakpoint.
    static std::optional<Breakpoint> parse(std::string_view text, std::string& reason);
};

// Thread-safe, but for the sink, which is called by one thread at a time.
class Inspector {
public:
    using Sink = std::function<void(const std::string& text)>;
    explicit Inspector(Sink sink) : sink_(std::move(sink)) {}
    Inspector(Breakpoint breakpoint, Sink sink) : breakpoint_(std::move(breakpoint)), sink_(std::move(sink)) {}

    // Whether a fault's report is to show the warp (Fault::inspection). Programs that are loaded before are shown
    // without their registers' names.
    void want_faults(bool wanted) { faults_.store(wanted, std::memory_order_relaxed); }
    bool wants_faults() const { return faults_.load(std::memory_order_relaxed); }
    // Whether programs that are loaded now keep what an inspection needs.
    bool is_needed() const { return breakpoint_.has_value() || wants_faults(); }

    // --- while a program is loaded ---
    // Whether a function of the module can be where the breakpoint is: its kernel, or what kernels may call.
    bool may_stop_in(const ptx::Function& function) const;
    // Whether the breakpoint is at this instruction, number `index` of its function.
    bool stops_at(const ptx::Module& module, const ptx::Function& function, size_t index) const;
    // Says so if the program has the kernel, but not the line.
    void loaded(const ptx::Module& module);

    // --- while it runs ---
    void reached(const Warp& warp, const Instruction* at);

    // At the end: why nothing was shown. Empty if something was, or if there is no breakpoint.
    std::string why_nothing_was_shown() const;

private:
    bool is_of_kernel(const std::string& name) const;
    bool is_at_line(const ptx::Module& module, const ptx::Function& function,
                    const ptx::Instruction& instruction) const;
    std::string lines_text(const ptx::Module& module, const ptx::Function& kernel) const;

    const std::optional<Breakpoint> breakpoint_;
    const Sink sink_;
    std::atomic<bool> faults_{false};
    mutable std::mutex mutex_;       // guards what follows
    std::set<std::string> kernels_;  // of all programs, as the source has them
    bool has_kernel_ = false, has_line_ = false;
    std::string last_problem_;
    std::set<std::pair<const DeviceModel*, uint64_t>> shown_launches_;
    uint32_t shown_ = 0;
};

// "scale" or "void scale<float>(float*)": as the source has it; the name itself where it is not mangled.
std::string source_name(const std::string& mangled);

}  // namespace cuprum::simulator
