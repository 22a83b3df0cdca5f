// Any bytes as what holds PTX: fat binaries, host objects, libraries, the simulator's own object; and as texts to be
// linked. Each reader gets the number of bytes, and reads no others.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "image/fat_binary.hpp"
#include "image/host_object.hpp"
#include "image/simulator_object.hpp"
#include "ptx/linker.hpp"
#include "ptx/parser.hpp"

using namespace cuprum::simulator;

namespace {

void read_fat_binary(std::string_view bytes) {
    const auto entries = image::fat_binary_entries(bytes);
    if (!entries) return;
    for (const image::FatEntry& entry : *entries)
        entry.bytes();
}

// What is linked from texts that the parser takes, it takes as well.
void link_texts(std::string_view text) {
    const size_t half = text.size() / 2;
    const ptx::LinkInput inputs[] = {{"first", text.substr(0, half)}, {"second", text.substr(half)}};
    ptx::link(inputs);
    const ptx::LinkInput whole[] = {{"whole", text}};
    const ptx::LinkResult linked = ptx::link(whole, 32);
    if (!linked.errors.empty() || !ptx::parse(text).diagnostics.empty()) return;
    if (!ptx::parse(linked.text).diagnostics.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    read_fat_binary(bytes);
    for (const image::EmbeddedFatBinary& embedded : image::embedded_fat_binaries(bytes))
        read_fat_binary(embedded.bytes);
    if (image::is_simulator_object(data, size)) image::read_simulator_object(data, size);
    link_texts(bytes);
    return 0;
}
