// Calls of NVIDIA's compilers, which NVIDIA's own handlers end while the process exits: called after that, they wait
// for ever or abort.
#pragma once

#include <cstdint>
#include <string>

namespace cuprum::core {

enum class Compiler : uint8_t { nvrtc, nvjitlink, nvvm };

// Held during a call. From the first on, the exit of the process waits for calls that other threads are in, and refuses
// later ones.
class CompilerUse {
public:
    // Throws InvalidState while the process exits.
    CompilerUse(Compiler compiler, const char* operation, const std::string& object);
    ~CompilerUse();
    CompilerUse(const CompilerUse&) = delete;
    CompilerUse& operator=(const CompilerUse&) = delete;

private:
    Compiler compiler_;
};

// Whether the compilers may be gone already: what they have made then leaks.
bool compilers_have_ended() noexcept;

}  // namespace cuprum::core
