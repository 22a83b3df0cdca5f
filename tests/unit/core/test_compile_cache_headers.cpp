// What the compile cache knows of the files that a compile reads: each case is a program, its headers and one file that
// changes. The second compile must give what NVRTC gives without the cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "header_dependencies.hpp"

namespace cuprum::core {
namespace {

namespace fs = std::filesystem;

const std::string kernel = "\nextern \"C\" __global__ void kernel(int* x) { *x = VALUE; }\n";
const std::string one = "#define VALUE 1\n";
const std::string two = "#define VALUE 2\n";
const std::string other = "\n#define VALUE 2\n#else\n#define VALUE 1\n#endif\n";

struct Case {
    std::string name;
    std::string source;                        // the kernel comes behind it
    std::map<std::string, std::string> files;  // in the folders first/ and second/, which are searched in this order
    std::pair<std::string, std::string> changed;
    bool is_kept = true;  // the compile is certain enough to be kept
    std::function<void(ProgramOptions&)> set{};
};

void PrintTo(const Case& value, std::ostream* out) {
    *out << value.name;
}

std::vector<Case> cases() {
    const std::map<std::string, std::string> plain{{"second/value.h", one}};
    const std::pair<std::string, std::string> changed{"second/value.h", two};
    const std::pair<std::string, std::string> appears{"first/new.h", ""};
    const std::string asks = "__has_include(<new.h>)";
    const auto defines = [](const char* name, const char* text) {
        return [=](ProgramOptions& options) { options.define_macro.emplace_back(name, text); };
    };
    const auto passes = [](std::vector<std::string> extra) {
        return [=](ProgramOptions& options) { options.extra_options = extra; };
    };
    return {
        // How a directive may be written
        {"CommentBeforeTheHash", "/* x */ #include <value.h>", plain, changed},
        {"CommentOfTwoLinesBeforeTheHash", "/* x\n y */ #include <value.h>", plain, changed},
        {"CommentBehindTheHash", "# /* x */ include <value.h>", plain, changed},
        {"CommentBeforeTheName", "#include/* \n */<value.h>", plain, changed},
        {"LineSpliceInTheDirective", "#inc\\\nlude <value.h>", plain, changed},
        {"LineSpliceInTheName", "#include <val\\\r\nue.h>", plain, changed},
        {"LineSpliceBeforeTheHash", "\\\n#include <value.h>", plain, changed},
        {"LineSpliceInACommentMark", "/\\\n* x *\\\n/ #include <value.h>", plain, changed},
        {"Digraph", "%:include <value.h>", plain, changed},
        {"SplicedDigraph", "%\\\n:include <value.h>", plain, changed},
        {"FormFeeds", "\f#\f\vinclude\f<value.h>", plain, changed},
        {"Trigraph", "?\?=include <value.h>", plain, changed, false,
         [](ProgramOptions& options) { options.std = "c++14"; }},
        {"NameMadeByAMacro", "#define NAME <value.h>\n#include NAME", plain, changed, false},
        {"NameMadeByAnOption", "#include NAME", plain, changed, false, defines("NAME", "<value.h>")},
        // What only looks like the beginning or the end of a comment
        {"CommentMarkInARawString", "#define TEXT R\"(/*)\"\n#include <value.h>\n/**/", plain, changed},
        {"QuotationMarksInARawString", "#define TEXT R\"x(\"/*)\")x\"\n#include <value.h>\n/**/", plain, changed},
        {"CommentMarkBehindAnApostrophe", "#if 0\ndon't\n#endif\n#include <value.h>\n", plain, changed},
        {"CommentMarkInASkippedApostrophe", "#if 0\ndon't /* x\n#endif\n#include <value.h>\n/**/", plain, changed,
         false},
        {"DigitSeparator", "#define BIG 1'000 /* ' */\n#include <value.h>\n", plain, changed},
        {"QuotationMarkInACharacter", "#define QUOTE '\"' /* \" */\n#include <value.h>\n", plain, changed},
        {"LineCommentOfTwoLines", "// \\\n /*\n#include <value.h>\n/**/", plain, changed},
        // Which file a name means
        {"IncludeNext",
         "#include <value.h>",
         {{"first/value.h", "#include_next <value.h>\n"}, {"second/value.h", one}},
         changed},
        {"IncludeNextOfAnotherName",
         "#include <a.h>",
         {{"first/a.h", "#include_next \"value.h\"\n"}, {"second/value.h", one}},
         changed},
        {"IncludeNextInTheSource", "#include_next \"value.h\"", plain, {"value.h", two}},
        {"NoSourceInclude",
         "#include \"a.h\"",
         {{"second/a.h", "#include \"value.h\"\n"}, {"second/value.h", one}},
         {"first/value.h", two},
         true,
         passes({"--no-source-include"})},
        {"NoSourceIncludeInOneWord",
         "#include \"value.h\"",
         {{"value.h", two}, {"second/value.h", one}},
         {"first/value.h", two},
         true,
         passes({"-no-source-include"})},
        {"HeaderBesideTheSource", "#include \"value.h\"", plain, {"value.h", two}},
        {"HeaderBesideAHeader",
         "#include <a/a.h>",
         {{"second/a/a.h", "#include \"value.h\"\n"}, {"second/value.h", one}},
         {"second/a/value.h", two}},
        {"PreInclude",
         "",
         plain,
         {"first/value.h", two},
         true,
         [](ProgramOptions& options) { options.pre_include = {"value.h"}; }},
        {"PreIncludeInTheWorkingDirectory",
         "",
         plain,
         {"value.h", two},
         true,
         [](ProgramOptions& options) { options.pre_include = {"value.h"}; }},
        {"NameWithoutASuffix", "#include <value>", {{"second/value", one}}, {"first/value.stdh", two}},
        {"RelativeFolder",
         "#include <value.h>",
         plain,
         {"early/value.h", two},
         true,
         [](ProgramOptions& options) { options.include_path.insert(options.include_path.begin(), "early"); }},
        {"FolderFromAnOption",
         "#include <value.h>",
         {{"third/value.h", one}},
         {"third/value.h", two},
         true,
         passes({"-I=third"})},
        {"FolderWithTheHeadersName", "#include <value.h>", {{"first/value.h/x", ""}, {"second/value.h", one}}, changed},
        {"ToolkitsHeader",
         "#include <cuda_fp16.h>\n#define VALUE sizeof(__half)",
         {},
         {"first/cuda_fp16.h", "struct __half { int x; };\n"}},
        {"ToolkitsProbe",
         "#include <cuda/std/version>\n#ifdef FOUND\n#define VALUE 1\n#else\n#define VALUE 2\n#endif",
         {},
         {"first/version", "#define FOUND 1\n"}},
        // What a text may ask for
        {"Probe", "#if " + asks + other, {}, appears},
        {"ProbeInParentheses", "#if !(1 &&__has_include /* x */ ( <new.h> ))" + other, {}, appears},
        {"ProbeOnAContinuedLine", "#if defined(__has_include) && \\\n" + asks + other, {}, appears},
        {"SplicedProbe", "#if __has_\\\ninclude(<new.h>)" + other, {}, appears},
        {"ProbeInTheText", "#define VALUE __has_include(<new.h>)", {}, appears},
        {"ProbeInAMacro", "#define ASKS " + asks + "\n#if ASKS" + other, {}, appears},
        {"ProbeInAContinuedMacro", "#define ASKS 0 || \\\n" + asks + "\n#if ASKS" + other, {}, appears},
        {"ProbeByAMacroWithAParameter", "#define HAS(x) __has_include(x)\n#if HAS(<new.h>)" + other, {}, appears},
        {"ProbeByAMacroOfAMacro",
         "#define IN(x) __has_include(x)\n#define HAS(y) IN(y)\n#if HAS(<new.h>)" + other,
         {},
         appears},
        {"ProbeByAnotherName", "#define HAS __has_include\n#if HAS(<new.h>)" + other, {}, appears, false},
        {"ProbeByAnOption", "#if HAS(<new.h>)" + other, {}, appears, false, defines("HAS", "__has_include")},
        {"ProbeByAnOptionWithAParameter",
         "#if HAS(<new.h>)" + other,
         {},
         appears,
         true,
         defines("HAS(x)", "__has_include(x)")},
        {"ProbeOfAComputedName", "#define NAME <new.h>\n#if __has_include(NAME)" + other, {}, appears, false},
        {"ProbeOfANameWithAMacro",
         "#define HAS(x) __has_include(x)\n#define old new\n#if HAS(<old.h>)" + other,
         {},
         appears,
         false},
        {"ProbeOfAnArgument", "#define HAS(x) __has_include(<x>)\n#if HAS(new.h)" + other, {}, appears, false},
        {"ProbeOfAString", "#define HAS(x) __has_include(#x)\n#if HAS(new.h)" + other, {}, appears, false},
        {"ProbeOfTwoWords", "#define JOIN(a, b) a##b\n#if JOIN(__has_, include)(<new.h>)" + other, {}, appears, false},
        {"ProbeInAHeader", "#include <a.h>", {{"second/a.h", "#if " + asks + other}}, appears},
        {"ProbeForTheNext",
         "#include <a.h>",
         // NVRTC 13.5 has it no more.
         {{"first/a.h", "#ifdef __has_include_next\n#if __has_include_next(<a.h>)" + other +
                            "#else\n#if __has_include(\"../second/a.h\")" + other + "#endif\n"}},
         {"second/a.h", ""}},
        {"ProbeBesideTheSource", "#if __has_include(\"new.h\")" + other, {}, {"new.h", ""}},
        {"ProbeOfAFileThatGoes", "#if __has_include(<new.h>)" + other, {{"second/new.h", ""}}, {"second/new.h", "-"}},
        {"ProbeForANameWithoutASuffix", "#if __has_include(<new>)" + other, {}, {"first/new.stdh", ""}},
    };
}

class CompileCacheHeaders : public testing::TestWithParam<Case> {
protected:
    CompileCacheHeaders() {
        std::string pattern = (fs::temp_directory_path() / "cuprum-headers-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        fs::create_directories(folder / "first");
        fs::create_directories(folder / "second");
        setenv("CUPRUM_CACHE_DIR", (folder / "cache").c_str(), 1);
        fs::current_path(folder);
    }
    ~CompileCacheHeaders() override {
        fs::current_path(started_in);
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    // "-" removes it.
    void write(const std::string& path, const std::string& text) const {
        if (text == "-") {
            fs::remove(folder / path);
            return;
        }
        fs::create_directories((folder / path).parent_path());
        std::ofstream(folder / path) << text;
    }
    ProgramOptions options() const {
        ProgramOptions result;
        result.include_path = {(folder / "first").string(), (folder / "second").string()};
        return result;
    }
    static std::string compile(const std::string& source, ProgramOptions options, const char* cache = "on") {
        setenv("CUPRUM_CACHE", cache, 1);
        options.arch = "compute_80";
        return Program(source, SourceType::cxx, std::move(options)).compile(CodeType::ptx).code();
    }

    fs::path folder;
    fs::path started_in = fs::current_path();
};

TEST_P(CompileCacheHeaders, ChangesAreSeen) {
    const Case& tested = GetParam();
    for (const auto& [path, text] : tested.files)
        write(path, text);
    ProgramOptions chosen = options();
    if (tested.set) tested.set(chosen);
    const std::string source = tested.source + kernel;

    const std::string first = compile(source, chosen);
    const CompileCacheInfo before = compile_cache_info();
    EXPECT_EQ(compile(source, chosen), first);
    const CompileCacheInfo after = compile_cache_info();
    EXPECT_EQ(after.hits - before.hits, tested.is_kept ? 1U : 0U);
    EXPECT_EQ(after.bypassed - before.bypassed, tested.is_kept ? 0U : 1U);

    write(tested.changed.first, tested.changed.second);
    const std::string expected = compile(source, chosen, "off");
    EXPECT_EQ(compile(source, chosen), expected);
    EXPECT_NE(first, expected) << "nothing has changed: the case shows nothing";
}

INSTANTIATE_TEST_SUITE_P(, CompileCacheHeaders, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& tested) { return tested.param.name; });

class CompileCacheDoubt : public CompileCacheHeaders {
protected:
    // Whether a second compile of the same is a hit.
    bool is_kept(const std::string& source, const ProgramOptions& options = {}) {
        compile(source, options);
        const uint64_t hits = compile_cache_info().hits;
        compile(source, options);
        return compile_cache_info().hits > hits;
    }
};

TEST_F(CompileCacheDoubt, KeepsOrdinaryProgramsOfTheToolkit) {
    write("first/mine/value.h", "#pragma once\n#include \"../mine/other.h\"\n" + one);
    write("first/cuda/mine.h", "");
    write("first/mine/other.h",
          "#pragma once\n#define PASTE(a, b) a##b\n#define NEXT(_, n) _ n e x t\n#define DATE_IN_A_STRING "
          "\"__DATE__\"\n");
    EXPECT_TRUE(
        is_kept("#include <cooperative_groups.h>\n#include <cub/block/block_reduce.cuh>\n#include <cuda_fp16.h>\n"
                "#include \"mine/value.h\"\n// __DATE__, #include NOTHING and __has_include(NOTHING)\n"
                "#define UNROLL(x) _Pragma(#x)\n#define TWICE _Pragma(\"unroll\") \\\n for (;;)\n" +
                    kernel,
                options()));
}

// A header that is no file is a part of the key, and hides files of its name from all but quoted includes.
TEST_F(CompileCacheDoubt, SeesAHeaderThatIsNoFileChange) {
    const std::string source = "#include <mine/value.h>\n" + kernel;
    write("first/mine/value.h", one);
    ProgramOptions chosen = options();
    EXPECT_TRUE(is_kept(source, chosen));
    const std::string of_the_file = compile(source, chosen);
    chosen.headers = {{"mine/value.h", two}};
    EXPECT_NE(compile(source, chosen), of_the_file);
    EXPECT_TRUE(is_kept(source, chosen));
    const uint64_t hits = compile_cache_info().hits;
    write("first/mine/value.h", "#error nobody reads this\n");
    compile(source, chosen);
    EXPECT_EQ(compile_cache_info().hits, hits + 1);
    chosen.headers = {{"mine/value.h", one}};
    EXPECT_EQ(compile(source, chosen), of_the_file);

    chosen.headers = {{"mine/value.h", "#include \"quoted.h\"\n"}};
    write("first/quoted.h", one);
    EXPECT_FALSE(is_kept(source, chosen)) << "where NVRTC looks for a quoted name in it is not known";
}

// A process that compiles one program after the other does not look at each of them every time.
TEST_F(CompileCacheDoubt, LooksAtTheToolkitsHeadersAnewOnceTheyWereSeenTooLongAgo) {
    using namespace std::chrono_literals;
    write("toolkit/sort.h", "int one;\n");
    write("first/mine.h", "int one;\n");
    const std::string source = "#include <sort.h>\n#include <mine.h>\n";
    const std::string name = "program.cu";
    const std::vector<std::string> toolkit{(folder / "toolkit").string()};
    const std::vector<std::string> folders{(folder / "first").string(), toolkit.front()};
    const auto dependencies = find_header_dependencies({source, name, {}, folders, toolkit});
    ASSERT_TRUE(dependencies.has_value());
    EXPECT_TRUE(are_unchanged(*dependencies, 1h));
    write("toolkit/sort.h", "int longer;\n");
    EXPECT_TRUE(are_unchanged(*dependencies, 1h));
    EXPECT_FALSE(are_unchanged(*dependencies));
    EXPECT_FALSE(are_unchanged(*dependencies, 1h)) << "it has been seen since";
    write("toolkit/sort.h", "-");
    EXPECT_FALSE(are_unchanged(*dependencies));

    // All others are looked at every time.
    write("toolkit/sort.h", "int one;\n");
    const auto again = find_header_dependencies({source, name, {}, folders, toolkit});
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(are_unchanged(*again));
    write("first/mine.h", "int two;\n");
    EXPECT_FALSE(are_unchanged(*again, 1h));
    write("first/mine.h", "int one;\n");
    EXPECT_TRUE(are_unchanged(*again, 1h));
    write("first/sort.h", "");
    EXPECT_FALSE(are_unchanged(*again, 1h)) << "it hides the toolkit's";
}

TEST_F(CompileCacheDoubt, ReadsAToolkitsHeaderAnewThatHasChanged) {
    write("toolkit/sort.h", "#include <first.h>\n");
    write("toolkit/first.h", "");
    write("toolkit/other.h", "");
    const std::string source = "#include <sort.h>\n";
    const std::string name = "program.cu";
    const std::vector<std::string> toolkit{(folder / "toolkit").string()};
    const auto found = [&] {
        std::vector<std::string> names;
        const auto dependencies = find_header_dependencies({source, name, {}, toolkit, toolkit});
        for (const HeaderDependency& each : dependencies.value())
            names.push_back(fs::path(each.path).filename().string());
        return names;
    };
    const std::vector<std::string> before{"sort.h", "first.h"};
    EXPECT_EQ(found(), before);
    EXPECT_EQ(found(), before);
    write("toolkit/sort.h", "#include <other.h> //\n");
    EXPECT_EQ(found(), (std::vector<std::string>{"sort.h", "other.h"}));
    // Of the same size, written later.
    const auto written = fs::last_write_time(folder / "toolkit/sort.h");
    write("toolkit/sort.h", "#include <first.h> //\n");
    fs::last_write_time(folder / "toolkit/sort.h", written + std::chrono::seconds(1));
    EXPECT_EQ(found(), before);
}

// Thrust makes the names of some of its headers from macros.
TEST_F(CompileCacheDoubt, SeesAFolderAppearBeforeOneOfTheToolkits) {
    write("toolkit/sort.h", "#define ROOT system/detail\n#define HEADER <ROOT/sort.h>\n#include HEADER\n");
    const std::string source = "#include <sort.h>\n";
    const std::string name = "program.cu";
    const std::vector<std::string> toolkit{(folder / "toolkit").string()};
    const std::vector<std::string> folders{(folder / "first").string(), toolkit.front()};
    const auto dependencies = find_header_dependencies({source, name, {}, folders, toolkit});
    ASSERT_TRUE(dependencies.has_value());
    EXPECT_TRUE(are_unchanged(*dependencies));
    write("first/system/detail/sort.h", "");
    EXPECT_FALSE(are_unchanged(*dependencies));
    EXPECT_FALSE(find_header_dependencies({source, name, {}, folders, toolkit}).has_value());

    fs::remove_all(folder / "first/system");
    const std::vector<std::string> definitions{"ROOT=mine"};
    EXPECT_FALSE(find_header_dependencies({source, name, {}, folders, toolkit, definitions}).has_value());
}

TEST_F(CompileCacheDoubt, DoesNotKeepWhatNewerCompilersMayTakeForAFile) {
    for (const std::string text : {"#embed <a>", "#import <a.h>", "#using <a>", "#if __has_embed(<a>)\n#endif",
                                   "#pragma include \"a.h\"", "#pragma include_alias(\"a\", \"b\")",
                                   "#pragma GCC dependency \"a.h\"", "_Pragma(\"GCC dependency \\\"a.h\\\"\")",
                                   "#define DO(x) _Pragma(#x)\nDO(include x)", "#if __has_include__(<a.h>)\n#endif"}) {
        EXPECT_FALSE(is_kept("#define VALUE 1\n#if 0\n" + text + "\n#endif\n" + kernel)) << text;
    }
    ProgramOptions modules;
    modules.std = "c++20";
    EXPECT_FALSE(is_kept("#define VALUE 1\n#if 0\nimport <a.h>;\n#endif\n" + kernel, modules));
}

TEST_F(CompileCacheDoubt, DoesNotKeepDatesThatTwoWordsMake) {
    EXPECT_FALSE(is_kept("#define VALUE 1\n#define JOIN(a, b) a##b\n__device__ const char* when = JOIN(__DA, TE__);\n" +
                         kernel));
    EXPECT_FALSE(is_kept("#define VALUE 1\n__device__ const char* when = __TI\\\nME__;\n" + kernel));
}

TEST_F(CompileCacheDoubt, DoesNotKeepNameExpressionsThatAskForFiles) {
    const std::string source = "template <int n> __global__ void kernel(int* x) { *x = n; }\n";
    const std::vector<std::string> names{"kernel<__has_include(<new.h>)>"};
    ProgramOptions chosen = options();
    chosen.arch = "compute_80";
    const Program program(source, SourceType::cxx, chosen);
    const uint64_t bypassed = compile_cache_info().bypassed;
    const std::string without = program.compile(CodeType::ptx, names).code();
    write("first/new.h", "");
    EXPECT_NE(program.compile(CodeType::ptx, names).code(), without);
    EXPECT_EQ(compile_cache_info().bypassed - bypassed, 2U);
}

TEST_F(CompileCacheDoubt, DoesNotKeepWhatOptionsReadOrWrite) {
    for (const std::string option :
         {"--pch", "-pch", "--create-pch=a.pch", "--time=a.csv", "-fdevice-time-trace=a.json",
          "-Xcudafe=--display_error_number", "--ptxas-options=--options-file=/dev/null"}) {
        ProgramOptions chosen;
        chosen.extra_options = {option};
        const uint64_t hits = compile_cache_info().hits;
        for (int i = 0; i < 2; ++i) {
            try {
                compile("#define VALUE 1\n" + kernel, chosen);
            } catch (const Error&) {
                // Not every NVRTC knows every one.
            }
        }
        EXPECT_EQ(compile_cache_info().hits, hits) << option;
    }
}

TEST_F(CompileCacheDoubt, DoesNotKeepWhatTheEnvironmentMayChange) {
    for (const char* const name : {"NVRTC_APPEND_FLAGS", "EDG_BASE", "EDG_MODULES_PATH"}) {
        setenv(name, "", 1);
        EXPECT_FALSE(is_kept("#define VALUE 1\n" + kernel)) << name;
        unsetenv(name);
    }
    EXPECT_TRUE(is_kept("#define VALUE 1\n" + kernel));
}

TEST_F(CompileCacheDoubt, SeesThatTwoNamesAreNoLongerOneFile) {
    const std::string text =
        "#pragma once\n#ifdef VALUE\n#undef VALUE\n#define VALUE 2\n#else\n#define VALUE 1\n#endif\n";
    write("first/a.h", text);
    fs::create_symlink("a.h", folder / "first/b.h");
    const std::string source = "#include <a.h>\n#include <b.h>\n" + kernel;
    const std::string linked = compile(source, options());
    fs::remove(folder / "first/b.h");
    write("first/b.h", text);
    const std::string copied = compile(source, options());
    EXPECT_NE(copied, linked);
    EXPECT_EQ(copied, compile(source, options(), "off"));
    fs::remove(folder / "first/b.h");
    fs::create_symlink("a.h", folder / "first/b.h");
    EXPECT_EQ(compile(source, options()), linked);
}

TEST_F(CompileCacheDoubt, SeesTheTargetOfALink) {
    write("first/one.h", one);
    write("first/two.h", two);
    fs::create_symlink("one.h", folder / "first/value.h");
    const std::string source = "#include <value.h>\n" + kernel;
    const std::string first = compile(source, options());
    fs::remove(folder / "first/value.h");
    fs::create_symlink("two.h", folder / "first/value.h");
    EXPECT_NE(compile(source, options()), first);
}

TEST_F(CompileCacheDoubt, DoesNotReadAPipe) {
    write("second/value.h", one);
    ASSERT_EQ(mkfifo((folder / "first/pipe.h").c_str(), 0600), 0);
    EXPECT_FALSE(is_kept("#if 0\n#include <pipe.h>\n#endif\n#include <value.h>\n" + kernel, options()));
}

}  // namespace
}  // namespace cuprum::core
