// Compiles the source given as its argument for sm_80 and says what the cache did: "<hits> <misses> <NVRTC loaded>".
#include <cstdio>

#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/cuprum.hpp"

int main(int count, char** arguments) {
    if (count != 2) return 2;
    cuprum::core::ProgramOptions options;
    options.arch = "sm_80";
    const auto code = cuprum::core::Program(arguments[1], cuprum::core::SourceType::cxx, options)
                          .compile(cuprum::core::CodeType::ptx);
    if (code.code().find(".entry") == std::string::npos) return 1;
    const cuprum::core::CompileCacheInfo info = cuprum::core::compile_cache_info();
    std::printf("%d %d %d\n", static_cast<int>(info.hits), static_cast<int>(info.misses),
                cuprum::bindings::nvrtc::library().loaded() ? 1 : 0);
    return 0;
}
