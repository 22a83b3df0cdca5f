#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuprum/core/object_code.hpp"

namespace cuprum::core {

// Options of one linker. Field names are cuda.core's. Every field left alone means nvJitLink's default.
// (The {} let designated initialisers leave fields out without a compiler's warning.)
struct LinkerOptions {
    std::string name = "default_linker";  // that of the linked code, in errors
    std::string arch{};                   // "sm_90" or "compute_90"; empty: that of device 0
    std::optional<int32_t> max_register_count{};
    std::optional<bool> time{}, verbose{};  // into the info log
    // Left alone it is on where an input is LTO-IR or PTX is to be made.
    std::optional<bool> link_time_optimization{};
    std::optional<bool> ptx{};  // the handle is made for PTX from the beginning; link() knows by its target
    std::optional<int32_t> optimization_level{};  // 0 or 3
    std::optional<bool> debug{}, lineinfo{};
    std::optional<bool> ftz{}, prec_div{}, prec_sqrt{}, fma{};  // for LTO-IR
    // What is not named may be removed. Name expressions of the inputs are known, else names as they are in the code.
    std::vector<std::string> kernels_used{}, variables_used{};
    std::optional<bool> optimize_unused_variables{};
    std::vector<std::string> ptxas_options{};
    std::optional<int32_t> split_compile{}, split_compile_extended{};  // threads; 0: one for each core
    std::optional<bool> no_cache{};
    // nvJitLink's own, after all others.
    std::vector<std::string> extra_options{};
};

// Links object codes with nvJitLink: PTX, cubins, LTO-IR, fat binaries, objects and libraries, in any mixture. Keeps
// its inputs, so that it can link again, to another kind of code or with one more input. Needs no driver where the
// architecture is given. Movable; thread-safe but for moving and destroying.
class Linker {
public:
    // Throws InvalidArgument for an input that is empty, damaged or of another kind than its code type says, and for
    // options that cannot be; InvalidState for an invalid input.
    Linker(std::initializer_list<ObjectCode> object_codes, LinkerOptions options = {});
    explicit Linker(std::span<const ObjectCode> object_codes, LinkerOptions options = {});
    // Without inputs: add() them.
    explicit Linker(LinkerOptions options);
    Linker(Linker&&) noexcept;
    Linker& operator=(Linker&&) noexcept;
    ~Linker();

    // False for a moved-from one: every use throws InvalidState.
    bool is_valid() const { return state_ != nullptr; }
    const LinkerOptions& options() const;

    // One more input. Throws like the constructor, and has then added nothing.
    void add(const ObjectCode& object_code);

    // Links all inputs to a cubin (`native` is the same) or, where all are LTO-IR, to PTX. The name expressions of the
    // inputs are those of the result. Throws NvJitLinkError, with nvJitLink's log, where the inputs do not fit together
    // or to the architecture; InvalidArgument where options do not; NotFound without nvJitLink.
    ObjectCode link(CodeType target = CodeType::cubin) const;

    // What nvJitLink said in the last link; empty if nothing.
    std::string error_log() const;
    std::string info_log() const;

    // An nvJitLinkHandle that has all inputs, made at the first call. Valid until another input is added, and as long
    // as the linker. Like all of nvJitLink's it is for the thread that has asked first.
    void* handle() const;

private:
    struct State;
    State& state(const char* operation) const;

    std::unique_ptr<State> state_;
};

// The version of the nvJitLink in use, {13, 0}.
std::pair<int32_t, int32_t> nvjitlink_version();

}  // namespace cuprum::core
