// Any bytes as saved builds: as they are, and as the body of an archive whose version and checksum are right.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace {

void load(std::string_view bytes) {
    try {
        if (cuprum::parallel::load_builds(bytes).size() > bytes.size()) std::abort();
    } catch (const cuprum::Error& error) {
        if (error.detail().empty()) std::abort();
    }
}

std::string number(uint64_t value) {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

// FNV-1a, as archives have it.
uint64_t checksum(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    load(body);
    constexpr std::string_view version = CUPRUM_TEST_VERSION;
    std::string archive = "cuprum builds 2\n" + number(version.size());
    archive.append(version).append(number(checksum(body))).append(number(size)).append(body);
    load(archive);
    return 0;
}
