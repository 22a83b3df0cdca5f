// Many programs at once: compiled on several threads, with progress; found in the compile cache the second time; and
// what the compiler says of one that is wrong.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr int32_t programs = 8;

void require(bool condition, const char* text) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", text);
    std::exit(EXIT_FAILURE);
}

Program program_that_writes(int32_t number) {
    const std::string text = std::to_string(number);
    return Program("extern \"C\" __global__ void write(int* out) { *out = " + text + "; }", SourceType::cxx,
                   {.name = "write_" + text + ".cu"});
}

std::vector<ObjectCode> compile(const std::vector<CompileRequest>& requests) {
    uint64_t done = 0;
    std::vector<ObjectCode> codes =
        compile_all(requests, {.num_threads = 4, .progress = [&](const CompileProgress& each) {
                                   require(each.succeeded && each.done == ++done, "a compile is missing");
                               }});
    require(done == programs, "not every compile was reported");
    return codes;
}

// The kernels run on the device, one after another.
void run(const Device& device, const std::vector<ObjectCode>& codes) {
    const Stream stream = device.create_stream();
    const Buffer out = device.allocate(sizeof(int32_t), stream);
    for (int32_t number = 0; number < programs; ++number) {
        launch(stream, {1, 1}, codes[static_cast<size_t>(number)].get_kernel("write"), out);
        int32_t written = -1;
        out.copy_to_host(&written, sizeof written, stream);
        stream.sync();
        require(written == number, "a kernel is another one's");
    }
}

void see_what_is_wrong() {
    try {
        Program("__global__ void k() {\n    wrong();\n}", SourceType::cxx, {.name = "k.cu"}).compile();
    } catch (const cuprum::CompileError& error) {
        const std::vector<Diagnostic> diagnostics = parse_diagnostics(error.log());
        require(diagnostics.size() == 1 && diagnostics.front().line == 2, "the diagnostic is wrong");
        const Diagnostic& first = diagnostics.front();
        std::printf("%s:%d:%d: %s\n", first.file.c_str(), first.line, first.column, first.text.c_str());
        return;
    }
    require(false, "what is wrong was compiled");
}

}  // namespace

int main() {
    try {
        const Device device(0);
        std::vector<CompileRequest> requests;
        for (int32_t number = 0; number < programs; ++number)
            requests.push_back({program_that_writes(number)});
        compile(requests);
        run(device, compile(requests));
        see_what_is_wrong();
        const CompileCacheInfo cache = compile_cache_info();
        require(!cache.enabled || cache.hits >= programs, "nothing was found in the compile cache");
        std::printf("%d programs for %s, each compiled twice: %d found in the compile cache\n", programs,
                    device.name().c_str(), static_cast<int>(cache.hits));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
