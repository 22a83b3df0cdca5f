// What libFuzzer does, without it and for a bounded time: runs every seed, cut short at every 97th byte, and so many
// mutations of it, from a fixed seed. Built with the project's own compiler, it is what CI runs.
//
// usage: replay MUTATIONS_PER_SEED SEED_FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

Bytes read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void run(const Bytes& bytes) {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

// One change: a byte, a bit, a piece taken out, doubled, or taken from another seed.
void mutate(Bytes& bytes, const std::vector<Bytes>& seeds, std::mt19937& random) {
    if (bytes.empty()) bytes.push_back(0);
    const auto place = [&](const Bytes& of) { return static_cast<std::ptrdiff_t>(random() % of.size()); };
    const auto piece = [&](const Bytes& of, std::ptrdiff_t from) {
        const auto left = static_cast<std::ptrdiff_t>(of.size()) - from;
        return std::min<std::ptrdiff_t>(left, 1 + static_cast<std::ptrdiff_t>(random() % 32));
    };
    const std::ptrdiff_t at = place(bytes);
    switch (random() % 5) {
        case 0:
            bytes[static_cast<size_t>(at)] = static_cast<uint8_t>(random());
            break;
        case 1:
            bytes[static_cast<size_t>(at)] ^= static_cast<uint8_t>(1u << random() % 8);
            break;
        case 2:
            bytes.erase(bytes.begin() + at, bytes.begin() + at + piece(bytes, at));
            break;
        default: {
            const Bytes& other = random() % 2 == 0 ? bytes : seeds[random() % seeds.size()];
            if (other.empty()) break;
            const std::ptrdiff_t from = place(other);
            const Bytes copied(other.begin() + from, other.begin() + from + piece(other, from));
            bytes.insert(bytes.begin() + at, copied.begin(), copied.end());
            break;
        }
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: replay MUTATIONS_PER_SEED SEED_FILE_OR_FOLDER...\n");
        return 2;
    }
    const unsigned long mutations = std::strtoul(arguments[1], nullptr, 10);
    std::vector<std::filesystem::path> files;
    for (int k = 2; k < count; ++k) {
        if (!std::filesystem::is_directory(arguments[k])) {
            files.emplace_back(arguments[k]);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(arguments[k]))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Bytes> seeds;
    for (const std::filesystem::path& file : files)
        seeds.push_back(read(file));
    std::mt19937 random(20260101);
    size_t runs = 0;
    for (const Bytes& seed : seeds) {
        run(seed);
        for (size_t end = 0; end < seed.size(); end += 97, ++runs)
            run(Bytes(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(end)));
        for (unsigned long k = 0; k < mutations; ++k, ++runs) {
            Bytes bytes = seed;
            for (unsigned long changes = 1 + random() % 4; changes > 0; --changes)
                mutate(bytes, seeds, random);
            run(bytes);
        }
    }
    std::printf("%zu seeds, %zu runs\n", seeds.size(), runs + seeds.size());
    return seeds.empty() ? 1 : 0;
}
