#include "tuning.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "shipped_tunings.hpp"
#include "text_hash.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "reading tunings";

[[noreturn]] void throw_unreadable(const std::string& object, const std::string& detail) {
    throw InvalidArgument(operation, object, detail,
                          "expected rows such as 'sm_90 scan element=4 : threads=128 vectors=7 blocks=6'");
}

// The names in an algorithm's rows: nothing reads any other.
struct Vocabulary {
    std::string_view algorithm;
    std::vector<std::string_view> conditions, numbers;
};
const std::vector<Vocabulary>& vocabularies() {
    static const std::vector<std::string_view> of_pipelines{"threads", "vectors", "blocks", "from"};
    static const std::vector<Vocabulary> all{
        {"scan", {"element", "operator"}, of_pipelines},
        {"select", {"element", "operator"}, of_pipelines},
        {"partition", {"element", "operator"}, of_pipelines},
        {"radix_sort",
         {"key", "value"},
         {"threads", "items", "blocks", "histogram_threads", "histogram_items", "look_back", "ahead", "from"}}};
    return all;
}

std::string joined(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

// Throws for an unknown name. `kind`: "condition" or "number", of which the known ones are.
void require_known(std::string_view name, const Vocabulary& vocabulary, const char* kind,
                   const std::vector<std::string_view>& known, const std::string& object) {
    if (std::ranges::find(known, name) != known.end()) return;
    throw InvalidArgument(operation, object,
                          std::string(vocabulary.algorithm) + " has no " + kind + " '" + std::string(name) +
                              "', expected " + joined(known));
}

const Vocabulary& vocabulary_of(std::string_view algorithm, const std::string& object) {
    std::vector<std::string_view> algorithms;
    for (const Vocabulary& each : vocabularies()) {
        if (each.algorithm == algorithm) return each;
        algorithms.push_back(each.algorithm);
    }
    throw InvalidArgument(operation, object,
                          "'" + std::string(algorithm) + "' cannot be tuned, expected " + joined(algorithms));
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    constexpr std::string_view spaces = " \t\r";
    for (size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(spaces, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(spaces, end);
    }
    return words;
}

struct Pair {
    std::string_view name, value;
};

// `object`: for the error.
Pair pair_of(std::string_view word, const std::string& object) {
    const size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == word.size())
        throw_unreadable(object, "'" + std::string(word) + "' is no NAME=VALUE");
    return {word.substr(0, equals), word.substr(equals + 1)};
}

// They become macros' names and values.
void add_number(std::map<std::string, int64_t>& numbers, std::string_view word, const Vocabulary& vocabulary,
                const std::string& object) {
    const Pair pair = pair_of(word, object);
    const bool is_name = std::ranges::all_of(pair.name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    int64_t number = 0;
    const auto [end, error] = std::from_chars(pair.value.data(), pair.value.data() + pair.value.size(), number);
    if (!is_name || error != std::errc() || end != pair.value.data() + pair.value.size() || number < 0)
        throw_unreadable(object, "'" + std::string(word) + "' is no name with a number");
    require_known(pair.name, vocabulary, "number", vocabulary.numbers, object);
    numbers[std::string(pair.name)] = number;
}

// `vocabulary`: of the row's algorithm.
bool holds(std::string_view word, const Vocabulary& vocabulary, const TuningCase& what, const std::string& object) {
    const Pair pair = pair_of(word, object);
    require_known(pair.name, vocabulary, "condition", vocabulary.conditions, object);
    return std::ranges::any_of(what.conditions, [&](const auto& condition) {
        return condition.first == pair.name &&
               std::ranges::find(condition.second, pair.value) != condition.second.end();
    });
}

bool is_architecture(std::string_view name) {
    return name.starts_with("sm_") && name.size() > 3 &&
           name.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

// Takes the rows of a table that hold. `ranks`: how many conditions the row has that counts so far, by architecture.
void take_rows(std::string_view table, const std::string& file, const TuningCase& what, Tunings& tunings,
               std::map<std::string, size_t>& ranks) {
    int line_number = 0;
    for (size_t at = 0; at < table.size();) {
        const size_t end = std::min(table.find('\n', at), table.size());
        std::string_view line = table.substr(at, end - at);
        at = end + 1;
        ++line_number;
        line = line.substr(0, line.find('#'));
        const std::vector<std::string_view> words = words_of(line);
        if (words.empty()) continue;
        const std::string object = file + ", line " + std::to_string(line_number);
        const auto colon = std::ranges::find(words, ":");
        if (colon == words.end() || colon - words.begin() < 2 || !is_architecture(words[0]))
            throw_unreadable(object, "it is no row");
        const Vocabulary& vocabulary = vocabulary_of(words[1], object);
        std::map<std::string, int64_t> numbers;
        for (auto word = colon + 1; word != words.end(); ++word)
            add_number(numbers, *word, vocabulary, object);
        bool all_hold = vocabulary.algorithm == what.algorithm;
        for (auto word = words.begin() + 2; word != colon; ++word)
            all_hold = holds(*word, vocabulary, what, object) && all_hold;
        if (!all_hold) continue;
        const std::string architecture(words[0]);
        const auto rank = static_cast<size_t>(colon - words.begin());
        if (rank < ranks[architecture]) continue;
        ranks[architecture] = rank;
        tunings[architecture] = std::move(numbers);
    }
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw InvalidArgument(operation, path, "CUPRUM_TUNINGS names it, and it cannot be read",
                              "name a file that the tuner has written, or 'cub' for CUB's own choices");
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<std::string> tuning_names(const Operator& op) {
    if (op.kind()) return {std::string(to_string(*op.kind()))};
    return {"own", "own:" + hexadecimal(text_hash(op.text()))};
}

void check_tunings() {
    static_cast<void>(find_tunings({}, ""));
}

Tunings find_tunings(const TuningCase& what, const std::string& given) {
    Tunings tunings;
    if (given == cubs_own_tuning) return tunings;
    if (!given.empty()) {
        const std::string object = "the numbers given for a build";
        for (const std::string_view word : words_of(given))
            add_number(tunings[""], word, vocabulary_of(what.algorithm, object), object);
        return tunings;
    }
    const char* const named = std::getenv("CUPRUM_TUNINGS");
    const std::string path = named == nullptr ? "" : named;
    if (path == cubs_own_tuning) return tunings;
    std::map<std::string, size_t> ranks;
    take_rows(shipped_tunings, "Cuprum's own table", what, tunings, ranks);
    if (!path.empty()) take_rows(read_file(path), path, what, tunings, ranks);
    std::erase_if(tunings, [](const auto& entry) { return entry.second.empty(); });
    return tunings;
}

std::string tuning_lines(const Tunings& tunings) {
    std::string lines;
    for (const auto& [architecture, numbers] : tunings) {
        lines += architecture.empty() ? "#if __CUDA_ARCH__ >= 900\n"  // what tuned kernels need
                                      : "#if __CUDA_ARCH__ == " + architecture.substr(3) + "0\n";
        lines += "#define CUPRUM_IS_TUNED 1\n";
        for (const auto& [name, number] : numbers) {
            std::string macro = name;
            std::ranges::transform(macro, macro.begin(),
                                   [](char c) { return c == '_' ? c : static_cast<char>(c - 'a' + 'A'); });
            lines += "#define CUPRUM_TUNED_" + macro + " " + std::to_string(number) + "\n";
        }
        if (!numbers.contains("from")) lines += "#define CUPRUM_TUNED_FROM 0\n";
        if (!numbers.contains("look_back")) lines += "#define CUPRUM_TUNED_LOOK_BACK 1\n";
        lines += "#endif\n";
    }
    return lines;
}

std::string tuning_row(std::string_view architecture, const TuningCase& what, std::string_view numbers) {
    std::string row(architecture);
    row.append(" ").append(what.algorithm);
    for (const auto& [name, values] : what.conditions)
        row.append(" ").append(name).append("=").append(values.back());
    return row.append(" : ").append(numbers);
}

}  // namespace cuprum::parallel
