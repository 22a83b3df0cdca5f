#include "archive.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "text_hash.hpp"

namespace cuprum::parallel {

namespace {

constexpr std::string_view magic = "cuprum builds 2\n";
constexpr const char* operation = "loading builds";

// Against accidents: load only code that you trust.
uint64_t checksum(std::string_view bytes) {
    return text_hash(bytes);
}

void put(std::string& bytes, uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}
void put(std::string& bytes, std::string_view text) {
    put(bytes, text.size());
    bytes += text;
}

[[noreturn]] void throw_damaged(const std::string& detail) {
    throw InvalidArgument(operation, "saved builds", detail, "save them anew");
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    uint64_t number() {
        uint64_t value = 0;
        std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
        return value;
    }
    std::string_view text() { return take(number()); }
    bool at_end() const { return bytes_.empty(); }

private:
    std::string_view take(uint64_t size) {
        if (size > bytes_.size()) throw_damaged("they end too early");
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    std::string_view bytes_;
};

// 90 of "sm_90"; 0 if it is none.
int number_of(std::string_view architecture) {
    constexpr std::string_view prefix = "sm_";
    if (!architecture.starts_with(prefix)) return 0;
    architecture.remove_prefix(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(architecture.data(), architecture.data() + architecture.size(), number);
    const bool is_whole = error == std::errc() && end == architecture.data() + architecture.size();
    return is_whole && number > 0 ? number : 0;
}

SavedBuild read_one(Reader& reader) {
    SavedBuild saved;
    saved.architecture.name = reader.text();
    if (number_of(saved.architecture.name) == 0) throw_damaged("the name of an architecture is none");
    const uint64_t type = reader.number();
    if (type != static_cast<uint64_t>(core::CodeType::cubin) && type != static_cast<uint64_t>(core::CodeType::ptx)) {
        throw_damaged("the type of a build's code is " + std::to_string(type) + ", which is neither cubin nor PTX");
    }
    saved.architecture.type = static_cast<core::CodeType>(type);
    saved.key = reader.text();
    for (uint64_t left = reader.number(); left > 0; --left) {
        std::string expression(reader.text());
        saved.names.emplace(std::move(expression), reader.text());
    }
    for (uint64_t left = reader.number(); left > 0; --left)
        saved.codes.emplace_back(reader.text());
    if (saved.codes.empty()) throw_damaged("a build has no code");
    for (uint64_t left = reader.number(); left > 0; --left)
        saved.constants.push_back(static_cast<int64_t>(reader.number()));
    return saved;
}

std::vector<SavedBuild> unpack(std::string_view bytes) {
    if (!bytes.starts_with(magic)) throw_damaged("these bytes are not saved builds");
    Reader reader(bytes.substr(magic.size()));
    const std::string_view version = reader.text();
    if (version != CUPRUM_PARALLEL_VERSION) {
        throw Unsupported(operation, "saved builds",
                          "they are of Cuprum " + std::string(version) + ", this is " CUPRUM_PARALLEL_VERSION,
                          "save them anew with this version");
    }
    const uint64_t expected = reader.number();
    const std::string_view body = reader.text();
    if (!reader.at_end()) throw_damaged("there is something behind their end");
    if (checksum(body) != expected) throw_damaged("they have been changed since they were saved (checksum)");
    Reader content(body);
    // Whatever numbers the bytes hold: no more is made than there are bytes for.
    std::vector<SavedBuild> all;
    for (uint64_t left = content.number(); left > 0; --left)
        all.push_back(read_one(content));
    if (!content.at_end()) throw_damaged("there is something behind the last build");
    return all;
}

// Whether the code runs there: machine code on its own architecture, PTX from its own on.
bool runs_on(const Architecture& code, const Architecture& device) {
    if (code.type == core::CodeType::cubin) return code == device;
    return number_of(code.name) <= number_of(device.name);
}

std::vector<std::string> add_all(std::vector<SavedBuild> all, const std::optional<Architecture>& device) {
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    for (const SavedBuild& saved : all) {
        const char* const prefix = saved.architecture.type == core::CodeType::cubin ? "sm_" : "compute_";
        std::string name = prefix + std::to_string(number_of(saved.architecture.name));
        if (seen.insert(name).second) names.push_back(std::move(name));
    }
    if (device && std::none_of(all.begin(), all.end(),
                               [&](const SavedBuild& saved) { return runs_on(saved.architecture, *device); })) {
        std::string list;
        for (const std::string& name : names)
            list += (list.empty() ? "" : ", ") + name;
        throw Unsupported(operation, "saved builds",
                          "none of them runs on " + device->name +
                              (device->type == core::CodeType::ptx ? " of the simulator, which takes PTX" : "") +
                              "; they are for " + list,
                          "build for that architecture too");
    }
    // Machine code first, then the newest PTX: the first that is added under a key stays.
    std::stable_sort(all.begin(), all.end(), [](const SavedBuild& left, const SavedBuild& right) {
        return std::pair(left.architecture.type == core::CodeType::cubin, number_of(left.architecture.name)) >
               std::pair(right.architecture.type == core::CodeType::cubin, number_of(right.architecture.name));
    });
    for (const SavedBuild& saved : all)
        add_build(saved.architecture, saved);
    for (const SavedBuild& saved : all) {
        if (device && runs_on(saved.architecture, *device)) add_build(*device, saved);
    }
    return names;
}

}  // namespace

std::string pack_builds(const std::vector<BuildRecord>& records) {
    std::string body;
    put(body, records.size());
    for (const BuildRecord& record : records) {
        if (record.build->codes.front().code_type() != record.architecture.type) {
            throw Unsupported("saving an algorithm", "algorithm whose operator was compiled elsewhere",
                              "it was linked for the simulator alone",
                              "build it ahead of time for a GPU's architecture, and save that");
        }
        put(body, record.architecture.name);
        put(body, static_cast<uint64_t>(record.architecture.type));
        put(body, record.key);
        put(body, record.kernels.size());
        for (const std::string& kernel : record.kernels) {
            put(body, kernel);
            put(body, record.build->codes.front().symbol_mapping().at(kernel));
        }
        put(body, record.build->codes.size());
        for (const core::ObjectCode& code : record.build->codes)
            put(body, code.code());
        put(body, record.build->constants.size());
        for (const int64_t constant : record.build->constants)
            put(body, static_cast<uint64_t>(constant));
    }
    std::string bytes(magic);
    put(bytes, std::string_view(CUPRUM_PARALLEL_VERSION));
    put(bytes, checksum(body));
    put(bytes, body);
    return bytes;
}

std::vector<std::string> load_builds(std::string_view bytes) {
    return add_all(unpack(bytes), std::nullopt);
}

std::vector<std::string> load_builds(std::string_view bytes, const core::Device& device) {
    return add_all(unpack(bytes), architecture_of(device));
}

}  // namespace cuprum::parallel
