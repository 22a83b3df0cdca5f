// The compile cache against the compiler: trees of headers made at random, in all the forms in which a text can ask for
// a file; one file changes at a time, and what the cache gives is compared with what NVRTC gives without it.
//
// CUPRUM_TEST_CHANGES: how many changes (200), CUPRUM_TEST_SEED: of the first tree (1).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

namespace fs = std::filesystem;

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

class Random {
public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(engine_); }
    bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
    template <class T>
    const T& of(const std::vector<T>& values) {
        return values[below(values.size())];
    }

private:
    std::mt19937_64 engine_;
};

const std::vector<std::string> folders{"src", "one", "one/d", "two", "three", "three/d", "."};
// A header includes only those behind it, so that no inclusion is endless.
const std::vector<std::string> names{"a.h", "b", "c.h", "e"};

// Text of headers and sources. Every number that comes through to the compiler is stored by the kernel, in order.
class Writer {
public:
    // `tells` leaves out the forms after which a compile is not kept.
    Writer(Random& random, bool tells) : random_(random), tells_(tells) {}

    std::string source() {
        return "#define JOIN(a, b) a##b\n#define PUT(x) *out++ = x;\n"
               "extern \"C\" __global__ void kernel(volatile int* out) {\n" +
               text(0) + "\n}\n";
    }
    std::string header(const std::string& name) {
        const size_t level = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        std::string result = random_.chance(15) ? "#pragma once\n" : "";
        if (random_.chance(15))
            result += "#ifndef G\n#define G\n#if __has_include_next(<" + name + ">)\n#include_next <" + name +
                      ">\n#endif\n#undef G\n#endif\n";
        return result + "PUT(" + number() + ")\n" + (random_.chance(60) ? text(level + 1) : "");
    }

private:
    std::string number() { return std::to_string(random_.below(1000)); }

    // The name of a header from `level` on, in its brackets.
    std::string name(size_t level) {
        std::string result = names[level + random_.below(names.size() - level)];
        if (random_.chance(20)) result = "d/" + result;
        return random_.chance(50) ? '<' + result + '>' : '"' + result + '"';
    }

    std::string text(size_t level) {
        if (level >= names.size()) return {};
        std::string result;
        for (size_t count = (level == 0 ? 5 : 1) + random_.below(3); count > 0; --count)
            result += piece(level);
        return result;
    }

    // What may stand between tokens of a directive.
    std::string gap() {
        return random_.of<std::string>(
            {" ", " ", " ", "\t", "\f", "\v ", " /* x */ ", "/*\n*/", " \\\n ", "/* // */", " /\\\n* \\\n */"});
    }
    std::string spliced(const std::string& word) {
        if (!random_.chance(15)) return word;
        const size_t at = 1 + random_.below(word.size() - 1);
        return word.substr(0, at) + random_.of<std::string>({"\\\n", "\\\r\n"}) + word.substr(at);
    }
    std::string hash() {
        return random_.of<std::string>(
            {"#", "#", "#", "#", "%:", "  #", "/* x */ #", "/* x\n y */#", "\f#", "\\\n#", "%\\\n:"});
    }
    std::string directive(const std::string& word, const std::string& rest) {
        return hash() + (random_.chance(60) ? "" : gap()) + spliced(word) + gap() + rest +
               random_.of<std::string>({"", "", " // x", " /* x\n */", "\t", "\r"}) + '\n';
    }
    std::string choice(const std::string& condition) {
        return directive("if", condition) + "PUT(" + number() + ")\n#else\nPUT(" + number() + ")\n#endif\n";
    }

    std::string piece(size_t level) {
        const std::string header = name(level);
        const std::string id = std::to_string(random_.below(100000));
        switch (random_.below(tells_ ? 18 : 26)) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
                return directive("include", header);
            case 5:
                return directive("include_next", header);
            case 6:
            case 7:
                return choice(spliced("__has_include") + gap() + "(" + header + ")");
            case 8:
                return choice("0 \\\n || __has_include(" + header + ")") + "#if __has_include(" + header + ")\n" +
                       directive("include", header) + "#endif\n";
            case 9:
                return level == 0 ? "" : choice(spliced("__has_include_next") + "(" + header + ")");
            case 10:
                return directive("define", "HAS" + id + "(x) \\\n __has_include(x)") +
                       choice("HAS" + id + "(" + header + ")");
            case 11:
                return "#define IN" + id + "(x) __has_include(x)\n#define OUT" + id + "(y) IN" + id + "(y)\n" +
                       choice("OUT" + id + "(" + header + ")");
            case 12:
                return "// don't #include " + header + "\n/* \" */\n" + directive("include", header);
            case 13:
                return "#if 0\ndon't \" \n" + directive("include", header) + "#else\nPUT(" + number() + ")\n#endif\n";
            case 14:
                return "#define TEXT" + id + " R\"(/*\n#include " + header +
                       "\n\\)\" \"/*\" '\"' 1'000 R\"x()\")x\"\n" + directive("include", header);
            case 15:
                return "PUT(__has_include(" + header + "))\n";
            case 16:
                return "#if defined(__has_include) && defined __has_include_next\n" + directive("include", header) +
                       "#endif\n";
            case 17:
                return "// x \\\n#include " + header + "\nPUT(" + number() + ")\n";
            case 18:
                return directive("define", "HAS" + id + " __has_include") + choice("HAS" + id + "(" + header + ")");
            case 19:
                return "#define HAS" + id + " __has_include(" + header + ")\n" + choice("HAS" + id);
            case 20:
                return "#define NAME" + id + " " + header + "\n" + choice("__has_include(NAME" + id + ")");
            case 21:
                return "#define NAME" + id + " " + header + "\n" + directive("include", "NAME" + id);
            case 22:
                return choice("JOIN(__has_, include)(" + header + ")");
            case 23:
                return "#ifdef OPTION_HAS\n" + choice("OPTION_HAS(" + header + ")") + "#endif\n";
            case 24:
                return "#define NAMED" + id + "(x) __has_include(<x>)\n" + choice("NAMED" + id + "(c.h)");
            default:
                return "PUT(" + number() + ")\n";
        }
    }

    Random& random_;
    bool tells_;
};

struct Result {
    bool compiled = false;
    std::string code, log;

    bool operator==(const Result&) const = default;
};

class Tree {
public:
    Tree(uint64_t seed, const fs::path& root) : random_(seed), root_(root), tells_(random_.chance(60)) {
        for (const std::string& folder : folders)
            fs::create_directories(root / folder);
        source_ = Writer(random_, tells_).source();
        // In the last folder there is everything, or hardly a tree would compile.
        for (const std::string& name : names) {
            write("three", name);
            write("three/d", name);
        }
        for (int count = 0; count < 6; ++count)
            write(random_.of(folders), random_.of(names));
        choose_options();
    }

    // Says what it did.
    std::string change() {
        const std::string folder = random_.of(folders);
        const std::string name = random_.of(names);
        const fs::path path = root_ / folder / name;
        std::error_code ignored;
        switch (random_.below(8)) {
            case 0:
            case 1:
                if (fs::exists(path)) {
                    fs::remove_all(path, ignored);
                    return "removed " + path.string();
                }
                break;
            case 2:
                fs::remove_all(path, ignored);
                fs::create_directory(path);
                return "made a folder of " + path.string();
            case 3: {
                const fs::path target = root_ / random_.of(folders) / name;
                if (target != path && fs::is_regular_file(target) && !fs::is_symlink(target)) {
                    fs::remove_all(path, ignored);
                    fs::create_symlink(target, path);
                    return "linked " + path.string() + " to " + target.string();
                }
                break;
            }
            case 4:
                if (name.find('.') == std::string::npos) {
                    write(folder, name + ".stdh");
                    return "wrote " + path.string() + ".stdh";
                }
                break;
            default:
                break;
        }
        write(folder, name);
        return "wrote " + path.string();
    }

    Result compile(const char* cache) const {
        setenv("CUPRUM_CACHE", cache, 1);
        Result result;
        try {
            result.code = Program(source_, SourceType::cxx, options_).compile(CodeType::ptx).code();
            result.log = Program::last_log();
            result.compiled = true;
        } catch (const Error&) {}
        return result;
    }

    const std::string& source() const { return source_; }

private:
    void write(const std::string& folder, const std::string& name) {
        const fs::path path = root_ / folder / name;
        std::error_code ignored;
        fs::remove_all(path, ignored);
        std::ofstream(path, std::ios::binary) << Writer(random_, tells_).header(name.substr(0, name.find(".stdh")));
    }

    void choose_options() {
        options_.arch = "compute_80";
        options_.name = random_.chance(50) ? "src/program.cu" : "program.cu";
        for (const std::string folder : {"one", "two", "three", "one"}) {
            if (folder != "three" && !random_.chance(80)) continue;
            options_.include_path.push_back(random_.chance(50) ? (root_ / folder).string() : std::string(folder));
        }
        if (random_.chance(25)) options_.extra_options.emplace_back("--no-source-include");
        if (!tells_ && random_.chance(50)) options_.define_macro.emplace_back("OPTION_HAS", "__has_include");
        if (random_.chance(10)) options_.define_macro.emplace_back("OPTION_HAS(x)", "__has_include(x)");
        if (random_.chance(10)) options_.define_macro.emplace_back("UNUSED", "1");
    }

    Random random_;
    fs::path root_;
    bool tells_;
    std::string source_;
    ProgramOptions options_;
};

class CompileCacheChanges : public testing::Test {
protected:
    CompileCacheChanges() {
        std::string pattern = (fs::temp_directory_path() / "cuprum-changes-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        setenv("CUPRUM_CACHE_DIR", (folder / "cache").c_str(), 1);
    }
    ~CompileCacheChanges() override {
        fs::current_path(started_in);
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    fs::path folder;
    fs::path started_in = fs::current_path();
};

TEST_F(CompileCacheChanges, AreNeverMissed) {
    const uint64_t wanted = number_from_environment("CUPRUM_TEST_CHANGES", 200);
    const uint64_t first_seed = number_from_environment("CUPRUM_TEST_SEED", 1);
    constexpr uint64_t changes_per_tree = 10;
    const CompileCacheInfo before = compile_cache_info();
    uint64_t changes = 0, with_effect = 0, stale = 0;
    for (uint64_t seed = first_seed; changes < wanted; ++seed) {
        const fs::path root = folder / std::to_string(seed);
        fs::create_directories(root);
        fs::current_path(root);
        Tree tree(seed, root);
        Result last = tree.compile("on");
        if (!last.compiled && seed % 4 != 0) continue;  // nothing is kept: a few will do
        for (uint64_t i = 0; i < changes_per_tree && changes < wanted; ++i, ++changes) {
            const std::string done = tree.change();
            const Result cached = tree.compile("on");
            const Result expected = tree.compile("off");
            with_effect += expected == last ? 0U : 1U;
            last = expected;
            if (cached == expected) continue;
            if (++stale <= 5)
                ADD_FAILURE() << "seed " << seed << ", change " << i << ": " << done << "\n" << tree.source();
        }
        fs::current_path(folder);
        fs::remove_all(root);
        fs::remove_all(folder / "cache");
    }
    setenv("CUPRUM_CACHE", "on", 1);
    const uint64_t hits = compile_cache_info().hits - before.hits;
    std::printf("%llu changes, %llu with an effect, %llu hits, %llu stale\n", static_cast<unsigned long long>(changes),
                static_cast<unsigned long long>(with_effect), static_cast<unsigned long long>(hits),
                static_cast<unsigned long long>(stale));
    EXPECT_EQ(stale, 0U);
    // That nothing is stale shows something only where much could have been.
    EXPECT_GT(with_effect, changes / 10);
    EXPECT_GT(hits, changes / 20);
}

}  // namespace
}  // namespace cuprum::core
