// What the C ABI keeps for each thread: the error of the last call, and the texts lent to the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/core/diagnostic.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/system.hpp"
#include "cuprum/pathfinder/toolkit.hpp"

namespace cuprum::capi {

/// The texts of one failure. They point into the thread's error or are static.
struct ErrorTexts {
    int32_t status = 0;
    int32_t domain = 0;
    int32_t code = 0;
    const char* name = "";
    const char* message = "";
    const char* operation = "";
    const char* object = "";
    const char* detail = "";
    const char* advice = "";
    const char* log = "";
};

/// The last error of one thread. Nothing here throws: an error that there is no memory to store loses its texts, not
/// its status.
class LastError {
public:
    void clear() noexcept;
    void set(const Error& error) noexcept;
    void set(const CompileError& error) noexcept;
    void set(const NvJitLinkError& error) noexcept;
    /// Static storage only: for failures that leave no room for more.
    void set(Status status, const char* message) noexcept;

    const ErrorTexts& texts() const noexcept { return texts_; }
    /// Throws the error again, if its texts are kept.
    void rethrow() const;

private:
    void set_texts(const Error& error) noexcept;
    /// Keeps a copy, one in UTF-8 if the error's own texts are not.
    template <class Kind, class AsUtf8>
    void store(std::optional<Kind>& place, const Kind& error, bool is_utf8_already, AsUtf8 as_utf8) noexcept;

    std::optional<Error> error_;  // shares the record of the exception, which texts_ points into
    std::optional<CompileError> compile_error_;
    std::optional<NvJitLinkError> link_error_;
    ErrorTexts texts_;
};

/// Texts are lent until the next call of the same thread: one per output of a function.
constexpr int lent_text_count = 3;

/// The error of the calling thread's last call; nullptr when the thread is ending and its state is gone.
LastError* last_error() noexcept;

/// Keeps a copy of `text` for the calling thread and returns it as C text.
const char* lend(std::string_view text, int position = 0);
/// The same for bytes that are no text.
const std::string& lend_bytes(std::string bytes);
/// What the calling thread's last diagnosis has found.
std::vector<pathfinder::Finding>& findings();
/// The processes that the calling thread asked for last.
std::vector<core::system::ProcessInfo>& processes();
/// What the log had that the calling thread read last.
std::vector<core::Diagnostic>& diagnostics();

}  // namespace cuprum::capi
