// What the bindings of all libraries have in common: entries of a function table that resolve themselves at the first
// call, the explanation of a resolution that failed, and the override of entries.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "cuprum/bindings/types.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::bindings {

/// A function of erased type. Only called after a cast back to its own type.
using AnyFunction = void (*)();

/// Access to one slot of a function table. A slot is one atomic function pointer; it is never null.
struct SlotOperations {
    AnyFunction (*load)(const void* slot);
    AnyFunction (*exchange)(void* slot, AnyFunction value);
    /// Stores `desired` if the slot still holds `expected`.
    bool (*compare_exchange)(void* slot, AnyFunction expected, AnyFunction desired);
};

/// One function of a library's list.
struct Function {
    const char* name;            ///< as programs write it, "cuMemAlloc"
    const char* query;           ///< what cuGetProcAddress is asked for, "cuMemAlloc"
    const char* symbol;          ///< what the library exports, "cuMemAlloc_v2"
    int version;                 ///< CUDA's or NCCL's that introduced this signature, 1000 * major + 10 * minor
    const char* per_thread;      ///< what the symbol's variant for the per-thread default stream ends with; "" if none
    const char* signature;       ///< see types.hpp
    const std::type_info* type;  ///< of the function pointer
    const SlotOperations* operations;
    void* slot;
    AnyFunction (*stub)();  ///< gives the function that the slot starts with: it resolves, stores, and calls
    /// Calls the function as a program would, with one 64-bit slot for each argument: integers (signed ones may be
    /// extended either way), enumerators, addresses, the bits of floats and doubles in the low bytes; the address of
    /// the value for structures. The result goes to `result` likewise: integers extended as their type is signed, a
    /// structure itself, for which there must be room.
    void (*invoke)(const std::uint64_t* arguments, std::uint64_t* result);
};

/// Why a function of a library could not be called.
struct ResolutionFailure {
    enum class Kind { library_missing, symbol_missing };
    Kind kind = Kind::symbol_missing;
    std::string function;      ///< the public name, "cuLogsCurrent"
    std::string library;       ///< "CUDA driver"
    std::string path;          ///< of the library that lacks the symbol; empty if there is no library
    int library_version = 0;   ///< of that library, 1000 * major + 10 * minor; 0 if not known
    int required_version = 0;  ///< the version that introduced the function
    ErrorInfo info;            ///< the same as an error: detail says what is missing, advice what to do
    std::vector<RejectedCandidate> candidates;  ///< where the library was looked for, and why each was refused

    /// The exception with all of this.
    NotFound to_error() const { return NotFound(info, candidates); }
};

/// The failure of the newest call on this thread that found its library or symbol missing, if there was one since the
/// last take_resolution_failure. To be asked after a call has returned CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
/// CUDA_ERROR_NOT_FOUND, cudaErrorSharedObjectInitFailed, cudaErrorSymbolNotFound, NVRTC_ERROR_INTERNAL_ERROR,
/// NVJITLINK_ERROR_INTERNAL, NVVM_ERROR_PROGRAM_CREATION_FAILURE, NVML_ERROR_LIBRARY_NOT_FOUND,
/// NVML_ERROR_FUNCTION_NOT_FOUND or ncclSystemError; other functions may return these codes too, so compare `function`.
std::optional<ResolutionFailure> last_resolution_failure();

/// Same, and forgets it.
std::optional<ResolutionFailure> take_resolution_failure();

/// One library: its list of functions, and its version and path once it is open. All members are thread-safe; none
/// makes calls slower. There is one object per library, which lives as long as the process.
class Library {
public:
    /// How a function is looked up in an open library; gives null, and the reason in `reason`, if it is not there.
    using FindSymbol = AnyFunction (*)(void* handle, const Function& function, int library_version,
                                       std::string& reason);
    /// The version of an open library, 0 if it does not say.
    using FindVersion = int (*)(void* handle, const pathfinder::LoadedLibrary& library);

    /// What a library is made of; the texts live as long as the process.
    struct Parts {
        const char* name;             ///< the namespace, "driver"
        const char* title;            ///< for messages, "CUDA driver"
        const char* pathfinder_name;  ///< "cuda"
        const char* status;           ///< the enumeration that its functions return, "cudaError_enum"
        ErrorDomain domain;
        FindSymbol find_symbol;
        FindVersion find_version;
        std::span<const Function> functions;
        const Types& types;
        const char* numbered_as = "CUDA";  ///< whose versions the list's are, and the library's
    };
    constexpr explicit Library(const Parts& parts) noexcept : parts_(parts) {}
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// The namespace of its functions: "driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml" or "nccl".
    const char* name() const noexcept { return parts_.name; }
    /// The list, sorted by name.
    std::span<const Function> functions() const noexcept { return parts_.functions; }
    /// What the headers say about types.
    const Types& types() const noexcept { return parts_.types; }
    /// The tag of the enumeration that its functions return.
    const char* status() const noexcept { return parts_.status; }
    /// The function of that public name, null if there is none.
    const Function* find(std::string_view name) const noexcept;

    /// Whether the library is open already.
    bool loaded() const noexcept;
    /// Opens the library if it is not open. Throws what pathfinder::load_nvidia_dynamic_lib throws.
    const pathfinder::LoadedLibrary& load();
    /// 1000 * major + 10 * minor as the library itself says; opens it. 0 if it does not say. Throws like load().
    int version();
    /// Absolute path; opens the library. Throws like load().
    std::string path();

    /// The address that a call goes to, resolving it first if it is not yet; the library's own function, never a stub.
    /// Null if the library or the symbol is missing: last_resolution_failure() says why. Throws InvalidArgument for a
    /// name that is not in the list.
    AnyFunction address_of(std::string_view name);

    /// Looks `function` up and stores its address in its slot, unless the slot has been overridden meanwhile. Null if
    /// the library or the symbol is missing, with the failure recorded for this thread. Failures are not remembered:
    /// the next call tries again. Never throws. For the stubs.
    AnyFunction resolve(const Function& function, ResolutionFailure::Kind& failure) noexcept;

    /// Forgets the library and every address, overrides included, so that the next call looks for them again. For
    /// tests: no other thread may be in a call, and no TableOverride may be alive.
    void reset() noexcept;

private:
    struct Opened;
    const Opened& open();
    void record_missing_library(const Function& function, const Error& error) const;
    void record_missing_symbol(const Function& function, const Opened& opened, const std::string& reason) const;

    Parts parts_;
    std::atomic<const Opened*> opened_{nullptr};
    std::atomic<const Opened*> forgotten_{nullptr};
};

/// The libraries, in the order driver, runtime, nvrtc, nvjitlink, nvvm, nvml, nccl.
std::span<Library* const> libraries() noexcept;

/// The library of that name(), null if there is none.
Library* find_library(std::string_view name) noexcept;

/// Replaces the target of one function of a library for as long as it lives, in the whole process: for tests, fault
/// injection and tracing. Overrides of one function must end in reverse order. Calls that are in progress in
/// another thread may still go to the former target.
class TableOverride {
public:
    /// `replacement` must have exactly the type of the function in the list. Throws InvalidArgument for another type
    /// or a name that is not in the list.
    template <class Result, class... Parameters>
    TableOverride(Library& library, std::string_view name, Result (*replacement)(Parameters...))
        : TableOverride(library, name, typeid(replacement), reinterpret_cast<AnyFunction>(replacement)) {}

    TableOverride(TableOverride&& other) noexcept;
    TableOverride& operator=(TableOverride&&) = delete;
    ~TableOverride();

    /// What a call would have gone to without this override; a stub if it was not resolved yet. To be cast to the
    /// function's own type, for a replacement that passes calls on.
    AnyFunction previous() const noexcept { return previous_; }

private:
    TableOverride(Library& library, std::string_view name, const std::type_info& type, AnyFunction replacement);

    const Function* function_;
    AnyFunction previous_;
};

}  // namespace cuprum::bindings
