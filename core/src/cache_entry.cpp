#include "cache_entry.hpp"

#include <cstring>
#include <string_view>
#include <utility>

#include "cache_hash.hpp"

namespace cuprum::core {

namespace {

// The format's version is part of it.
constexpr std::string_view magic = "cuprum compile 4\n";

void put(std::string& bytes, uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& bytes, const std::string& text) {
    put(bytes, text.size());
    bytes += text;
}

// Reads what put() has written. Sticks at the first thing that does not fit.
class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    uint64_t number() {
        uint64_t value = 0;
        if (bytes_.size() < sizeof(value)) return fail();
        std::memcpy(&value, bytes_.data(), sizeof(value));
        bytes_.remove_prefix(sizeof(value));
        return value;
    }
    std::string text() {
        const uint64_t size = number();
        if (size > bytes_.size()) {
            fail();
            return {};
        }
        std::string value(bytes_.substr(0, size));
        bytes_.remove_prefix(size);
        return value;
    }
    // A number of things of at least 8 bytes each.
    uint64_t count() {
        const uint64_t value = number();
        return value <= bytes_.size() / sizeof(value) ? value : fail();
    }
    bool ended_well() const { return !failed_ && bytes_.empty(); }

private:
    uint64_t fail() {
        failed_ = true;
        bytes_ = {};
        return 0;
    }
    std::string_view bytes_;
    bool failed_ = false;
};

}  // namespace

std::string pack_entry(const CacheEntry& entry) {
    std::string body;
    put(body, entry.key);
    put(body, entry.dependencies.size());
    for (const HeaderDependency& dependency : entry.dependencies) {
        put(body, static_cast<uint64_t>(dependency.kind));
        put(body, dependency.first);
        put(body, dependency.second);
        put(body, dependency.path);
    }
    put(body, entry.output.code);
    put(body, entry.output.log);
    put(body, entry.output.lowered_names.size());
    for (const auto& [expression, name] : entry.output.lowered_names) {
        put(body, expression);
        put(body, name);
    }
    put(body, entry.output.ptx_kernels);
    put(body, entry.output.codes_apart.size());
    for (const std::string& code : entry.output.codes_apart)
        put(body, code);
    std::string bytes(magic);
    put(bytes, cache_hash(body));
    return bytes += body;
}

std::optional<CacheEntry> unpack_entry(const std::string& bytes) {
    std::string_view rest = bytes;
    if (!rest.starts_with(magic)) return std::nullopt;
    rest.remove_prefix(magic.size());
    uint64_t checksum = 0;
    if (rest.size() < sizeof(checksum)) return std::nullopt;
    std::memcpy(&checksum, rest.data(), sizeof(checksum));
    rest.remove_prefix(sizeof(checksum));
    if (cache_hash(rest) != checksum) return std::nullopt;

    Reader reader(rest);
    CacheEntry entry;
    entry.key = reader.text();
    entry.dependencies.resize(reader.count());
    for (HeaderDependency& dependency : entry.dependencies) {
        dependency.kind = static_cast<HeaderDependency::Kind>(reader.number());
        dependency.first = reader.number();
        dependency.second = reader.number();
        dependency.path = reader.text();
    }
    entry.output.code = reader.text();
    entry.output.log = reader.text();
    for (uint64_t names = reader.count(); names > 0; --names) {
        std::string expression = reader.text();
        entry.output.lowered_names.emplace(std::move(expression), reader.text());
    }
    entry.output.ptx_kernels = reader.text();
    for (uint64_t codes = reader.count(); codes > 0; --codes)
        entry.output.codes_apart.push_back(reader.text());
    if (!reader.ended_well()) return std::nullopt;
    return entry;
}

}  // namespace cuprum::core
