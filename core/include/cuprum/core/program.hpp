#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuprum/core/live_objects.hpp"
#include "cuprum/core/object_code.hpp"

namespace cuprum::core {

// nvvm: NVVM IR, as text or as bitcode, which libNVVM compiles.
enum class SourceType : int32_t { cxx = 0, ptx = 1, nvvm = 2 };

// Options of one compile. Field names are cuda.core's. Every field left alone means the compiler's default. Of NVVM IR,
// libNVVM takes name, arch, debug, device_code_optimize, ftz, prec_sqrt, prec_div, fma, no_cache and extra_options;
// what else is set is an error. (std, which C++ alone has, is not looked at; for LTO-IR the target suffices.) (The {}
// let designated initialisers leave fields out without a compiler's warning.)
struct ProgramOptions {
    std::string name = "default_program";  // shown in compile logs
    // "sm_90" or "compute_90"; empty: that of device 0 when a driver is there, else compute_75.
    std::string arch{};
    std::optional<bool> relocatable_device_code{};
    std::optional<bool> debug{};
    std::optional<bool> device_code_optimize{};  // also where `debug` is set
    std::optional<bool> lineinfo{};
    std::optional<int32_t> max_register_count{};
    std::optional<bool> ftz{}, prec_sqrt{}, prec_div{}, fma{}, use_fast_math{};
    std::optional<bool> extra_device_vectorization{};
    std::optional<bool> link_time_optimization{};
    std::vector<std::pair<std::string, std::string>> define_macro{};  // an empty second means no value
    std::vector<std::string> undefine_macro{};
    std::vector<std::string> include_path{};  // before the toolkit's own, which is always added
    // Headers that are no files: the name that an #include <...> has, and the text. They come before all folders, so
    // that one can stand in for a file that NVRTC cannot read. C++ alone has them.
    std::vector<std::pair<std::string, std::string>> headers{};
    // #include and #define lines, each ending in a newline, that this program and others of the process have in common.
    // They are put before the source, and NVRTC (from CUDA 12.8 on) reads them once: the second compile with the same
    // ones and the same other options makes a precompiled header (of CUB, 110 MB) in the folder for temporary files,
    // which goes with the process, and later compiles use it. A program must mean the same without them, since the
    // first compile does not have them, and the cache's key neither. C++ alone has them.
    std::string shared_directives{};
    // Leaves out the variables that no kernel uses; nobody can look them up by name then. A driver takes some 6 us to
    // load one and 4 to unload it, and CUB's headers have over a thousand. A cubin is then made by nvJitLink, of
    // LTO-IR; where there is none of NVRTC's version, it keeps them. The types of kernels' parameters are then those
    // that the source declares. C++ alone has it.
    bool drop_unused_variables = false;
    std::vector<std::string> pre_include{};
    std::string std = "c++17";
    std::optional<bool> disable_warnings{}, restrict {}, device_as_default_execution_space{}, device_int128{};
    // Neither look for the result in the cache on disk nor keep it there (cuprum/core/compile_cache.hpp).
    std::optional<bool> no_cache{};
    std::vector<int32_t> diag_error{}, diag_suppress{}, diag_warn{};
    // Passed on as they are, after all others.
    std::vector<std::string> extra_options{};
    // NVVM IR only: further modules, by name, that are compiled with the program as one; text or bitcode.
    std::vector<std::pair<std::string, std::string>> extra_sources{};
    // NVVM IR only: links libdevice, CUDA's library of mathematical functions, from the toolkit in use.
    std::optional<bool> use_libdevice{};
};

// Source text, and what to make of it. Immutable after construction, and copies are cheap; compile() may be called from
// several threads. A moved-from one is invalid: every use throws InvalidState.
class Program {
public:
    explicit Program(std::string code, SourceType type = SourceType::cxx, ProgramOptions options = {});

    bool is_valid() const { return state_ != nullptr; }
    const std::string& code() const { return opened("asking for a program's source").code; }
    SourceType source_type() const { return opened("asking for a program's source").type; }
    const ProgramOptions& options() const { return opened("asking for a program's options").options; }

    // Compiles. `native` is what the device loads directly: a cubin for a GPU, PTX for the simulator.
    // `name_expressions` are C++ names of template instances and the like, found again by ObjectCode::get_kernel.
    // The toolkit's own header folders are found and added. Needs no driver when `arch` is given and `target` is not
    // `native`. Throws CompileError (log, options, header folders) when the source is at fault, NotFound when NVRTC is
    // missing, or when the source includes a header and the toolkit's headers were not found.
    //
    // NVVM IR is compiled to PTX, which is `native` too, to LTO-IR, or to a cubin, which nvJitLink makes of the PTX.
    // CompileError has libNVVM's log; NotFound when libNVVM, or the libdevice asked for, is missing.
    ObjectCode compile(CodeType target = CodeType::native, std::span<const std::string> name_expressions = {}) const;

    // For C++ kernels that share nothing, no variable either: machine code for each by itself, in the order of
    // `kernels`, each with all name expressions, those of the kernels and `more_expressions`. The source is read once;
    // then all kernels are optimised and assembled at once, on as many threads as there are cores. That is for cubins
    // with `drop_unused_variables`, where nvJitLink makes them; else there is one object code for all. Throws what
    // compile() throws, and InvalidArgument for a program that is no C++.
    std::vector<ObjectCode> compile_apart(CodeType target, std::span<const std::string> kernels,
                                          std::span<const std::string> more_expressions = {}) const;

    // What NVRTC said in the last successful compile of this thread (warnings); empty if nothing.
    static const std::string& last_log();
    // Whether that compile was found in the compile cache.
    static bool last_from_cache();

private:
    struct State {
        std::string code;
        SourceType type;
        ProgramOptions options;
        detail::LiveCount<ObjectKind::program> live;
    };
    static std::shared_ptr<const State> counted(std::string code, SourceType type, ProgramOptions options);
    const State& opened(const char* operation) const;
    // `kernels_apart`: those of the name expressions that get an object code each, where that can be.
    static std::vector<ObjectCode> compile_cxx(const State& state, CodeType target,
                                               std::span<const std::string> name_expressions,
                                               std::span<const std::string> kernels_apart);
    static ObjectCode compile_ptx(const State& state, CodeType target, std::span<const std::string> name_expressions);
    static ObjectCode compile_nvvm(const State& state, CodeType target, std::span<const std::string> name_expressions);

    std::shared_ptr<const State> state_;
};

// The version of the NVRTC in use, {13, 0}.
std::pair<int32_t, int32_t> nvrtc_version();

}  // namespace cuprum::core
