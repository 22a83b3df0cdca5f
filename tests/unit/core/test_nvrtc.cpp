// Options, results and errors of a compile. Needs a toolkit, and no driver: every compile names its architecture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "compiler_stack.hpp"
#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/cuprum.hpp"
#include "nvrtc_options.hpp"
#include "small_stack.hpp"
#include "unused_variables.hpp"

namespace cuprum::core {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramOptions for_sm80() {
    ProgramOptions options;
    options.arch = "sm_80";
    return options;
}

constexpr const char* empty_kernel = "extern \"C\" __global__ void nothing() {}\n";

// Threads of Java's have 1 MiB of stack. On that much NVRTC crashes at these templates, and NVRTC 13.5 at CUB's.
constexpr const char* deep_templates =
    "template <int level> struct Deep { static constexpr int value = Deep<level - 1>::value + 1; };\n"
    "template <> struct Deep<0> { static constexpr int value = 0; };\n"
    "extern \"C\" __global__ void depth(int* out) { *out = Deep<190>::value; }\n";

TEST(CompilerStack, SufficesOnAThreadThatHasLittle) {
    std::string ptx;
    test::run_with_stack(
        256 << 10, [&] { ptx = Program(deep_templates, SourceType::cxx, for_sm80()).compile(CodeType::ptx).code(); });
    EXPECT_THAT(ptx, AllOf(HasSubstr(".entry depth"), HasSubstr("190")));
}

TEST(CompilerStack, IsTheThreadsOwnWhereThatIsEnough) {
    std::thread::id own, used;
    test::run_with_stack(16 << 20, [&] {
        own = std::this_thread::get_id();
        with_compiler_stack(bindings::nvrtc::library(), "nvrtcCompileProgram",
                            [&] { used = std::this_thread::get_id(); });
    });
    EXPECT_EQ(used, own);
}

TEST(NvrtcOptions, AreTheArchitectureTheStandardAndTheHeadersByDefault) {
    EXPECT_THAT(nvrtc_options({}, "sm_90", {"/cuda", "/cccl"}),
                ElementsAre("--gpu-architecture=sm_90", "--std=c++17", "--include-path=/cuda", "--include-path=/cccl"));
}

TEST(NvrtcOptions, SayYesNoOrNothing) {
    ProgramOptions options;
    options.ftz = true;
    options.fma = false;
    options.lineinfo = false;
    options.restrict = true;
    const std::vector<std::string> result = nvrtc_options(options, "sm_90", {});
    EXPECT_THAT(result, Contains("--ftz=true"));
    EXPECT_THAT(result, Contains("--fmad=false"));
    EXPECT_THAT(result, Contains("--restrict"));
    EXPECT_THAT(result, Not(Contains(StartsWith("--generate-line-info"))));
    EXPECT_THAT(result, Not(Contains(StartsWith("--prec-div"))));
}

TEST(NvrtcOptions, NeedARegisterAtLeast) {
    for (const int32_t count : {-1, 0}) {
        ProgramOptions field;
        field.max_register_count = count;
        ProgramOptions text;
        text.extra_options = {"--maxrregcount=" + std::to_string(count)};
        for (const ProgramOptions& options : {field, text}) {
            try {
                const Program program(empty_kernel, SourceType::cxx, options);
                ADD_FAILURE() << count;
            } catch (const InvalidArgument& error) {
                EXPECT_EQ(error.detail(), "the maximum register count is " + std::to_string(count));
            }
        }
    }
}

TEST(NvrtcOptions, PutTheCallersHeadersBeforeTheToolkits) {
    ProgramOptions options;
    options.include_path = {"mine"};
    options.define_macro = {{"A", ""}, {"B", "2"}};
    options.undefine_macro = {"C"};
    options.diag_suppress = {177};
    options.max_register_count = 32;
    options.std = "";
    options.extra_options = {"-lineinfo"};
    EXPECT_THAT(nvrtc_options(options, "sm_90", {"/cuda"}),
                ElementsAre("--gpu-architecture=sm_90", "--maxrregcount=32", "--define-macro=A", "--define-macro=B=2",
                            "--undefine-macro=C", "--diag-suppress=177", "--include-path=mine", "--include-path=/cuda",
                            "-lineinfo"));
}

TEST(NvrtcOptions, LeaveTheArchitectureToTheCallersOwn) {
    for (const char* own : {"--gpu-architecture=sm_75", "-arch=sm_75"}) {
        ProgramOptions options;
        options.extra_options = {own};
        EXPECT_THAT(nvrtc_options(options, "sm_90", {}), ElementsAre("--std=c++17", own));
    }
}

TEST(Compile, MakesPtxOrACubinOrLtoIr) {
    const Program program(empty_kernel, SourceType::cxx, for_sm80());
    const ObjectCode ptx = program.compile(CodeType::ptx);
    EXPECT_EQ(ptx.code_type(), CodeType::ptx);
    EXPECT_THAT(ptx.code(), AllOf(HasSubstr(".target sm_80"), HasSubstr(".entry nothing")));
    EXPECT_NE(ptx.code().back(), '\0');
    const ObjectCode cubin = program.compile(CodeType::cubin);
    EXPECT_EQ(cubin.code_type(), CodeType::cubin);
    EXPECT_THAT(cubin.code(), StartsWith("\x7f"
                                         "ELF"));
    const ObjectCode ltoir = program.compile(CodeType::ltoir);
    EXPECT_EQ(ltoir.code_type(), CodeType::ltoir);
    EXPECT_FALSE(ltoir.code().empty());
    EXPECT_THROW(program.compile(CodeType::fatbin), InvalidArgument);
}

TEST(Compile, ReadsHeadersThatAreNoFilesBeforeThoseThatAre) {
    ProgramOptions options = for_sm80();
    options.headers = {{"cuda_fp16.h", "#define STANDS_IN 7\n#include <mine/size>\n"},
                       {"mine/size", "constexpr int size = STANDS_IN * 6;\n"}};
    const Program program(
        "#include <cuda_fp16.h>\n#ifdef __CUDA_FP16_H__\n#error the toolkit's\n#endif\n"
        "extern \"C\" __global__ void fill(int* x) { *x = size; }\n",
        SourceType::cxx, options);
    EXPECT_THAT(program.compile(CodeType::ptx).code(), HasSubstr(", 42;"));
}

// Variables: read by the kernel, read by one that is, read by nobody.
constexpr const char* program_with_variables =
    "__device__ int used[3] = {4, 5, 6};\n"
    "__device__ int* const points_there = &used[1];\n"
    "__device__ int unused = 7;\n"
    "__constant__ float never_read[2];\n"
    "extern \"C\" __global__ void fill(int* x) { *x = *points_there + used[*x]; }\n";

ProgramOptions dropping_variables() {
    ProgramOptions options = for_sm80();
    options.drop_unused_variables = true;
    return options;
}

TEST(UnusedVariables, AreKeptUnlessTheyAreToBeDropped) {
    const Program all(program_with_variables, SourceType::cxx, for_sm80());
    EXPECT_THAT(all.compile(CodeType::ptx).code(), AllOf(HasSubstr("unused"), HasSubstr("never_read")));
    EXPECT_THAT(all.compile(CodeType::cubin).code(), AllOf(HasSubstr("unused"), HasSubstr("never_read")));
    const Program used(program_with_variables, SourceType::cxx, dropping_variables());
    EXPECT_THAT(used.compile(CodeType::ptx).code(),
                AllOf(HasSubstr("used[12]"), Not(HasSubstr("unused")), Not(HasSubstr("never_read"))));
    const ObjectCode cubin = used.compile(CodeType::cubin);
    EXPECT_EQ(cubin.code_type(), CodeType::cubin);
    EXPECT_THAT(cubin.code(), AllOf(StartsWith("\x7f"
                                               "ELF"),
                                    HasSubstr("used"), Not(HasSubstr("unused")), Not(HasSubstr("never_read"))));
}

TEST(UnusedVariables, OfCodeThatIsLinkedAreKept) {
    ProgramOptions options = dropping_variables();
    options.relocatable_device_code = true;
    const Program program(program_with_variables, SourceType::cxx, options);
    EXPECT_THAT(program.compile(CodeType::ptx).code(), AllOf(HasSubstr("unused"), HasSubstr("never_read")));
    EXPECT_FALSE(program.compile(CodeType::ltoir).code().empty());
}

TEST(UnusedVariables, AreDroppedFromDeclarationsOnOneLineAlone) {
    EXPECT_EQ(without_unused_variables(".version 9.0\n"
                                       ".global .align 4 .u32 a = 1;\n"
                                       ".visible .const .align 8 .b8 b[16] = {1, 2};\r\n"
                                       ".weak .global .u64 $c;\n"
                                       ".global .u64 d = generic(e);\n"
                                       ".global .u32 e[1];\n"
                                       ".global .u32 over[2] = {1,\n 2};\n"
                                       ".global .u32 f;  // f is read\n"
                                       ".visible .entry k(.param .u64 p) { ld.global.u32 %r1, [e]; }\n"
                                       ".global .u32 last;"),
              ".version 9.0\n"
              ".global .u32 e[1];\n"
              ".global .u32 over[2] = {1,\n 2};\n"
              ".global .u32 f;  // f is read\n"
              ".visible .entry k(.param .u64 p) { ld.global.u32 %r1, [e]; }\n");
    EXPECT_EQ(without_unused_variables(""), "");
}

// What NVRTC's assembler refuses, it refuses with the log and the options that a compile without has.
TEST(UnusedVariables, LeaveErrorsAsTheyAre) {
    const std::string too_much =
        "extern \"C\" __global__ void fill(int* x) { __shared__ int all[1 << 20]; all[*x] = 1; "
        "__syncthreads(); *x = all[threadIdx.x]; }\n";
    const auto error_of = [&](const ProgramOptions& options) -> std::string {
        try {
            Program(too_much, SourceType::cxx, options).compile(CodeType::cubin);
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_THAT(error_of(dropping_variables()), HasSubstr("shared"));
    EXPECT_EQ(error_of(dropping_variables()), error_of(for_sm80()));
}

// Two kernels, one of them a template's, and a name that is asked for beside them.
constexpr const char* program_of_kernels =
    "__device__ const int table[4] = {3, 1, 4, 1};\n"
    "extern \"C\" __global__ void look_up(int* x) { *x = table[*x & 3]; }\n"
    "template <int n> __global__ void add(int* x) { *x += n; }\n";
const std::vector<std::string> two_kernels{"look_up", "add<5>"};

TEST(KernelsApart, AreMachineCodeOfTheirOwnEach) {
    const Program program(program_of_kernels, SourceType::cxx, dropping_variables());
    const std::vector<ObjectCode> codes =
        program.compile_apart(CodeType::cubin, two_kernels, std::vector<std::string>{"add<7>"});
    ASSERT_EQ(codes.size(), 2U);
    EXPECT_THAT(codes[0].code(), AllOf(HasSubstr("look_up"), HasSubstr("table"), Not(HasSubstr("3addILi"))));
    EXPECT_THAT(codes[1].code(), AllOf(HasSubstr("3addILi5E"), Not(HasSubstr("look_up")), Not(HasSubstr("3addILi7E"))));
    for (const ObjectCode& code : codes) {
        EXPECT_EQ(code.code_type(), CodeType::cubin);
        EXPECT_EQ(code.symbol_mapping().size(), 3U);
        EXPECT_THAT(code.symbol_mapping().at("add<7>"), HasSubstr("3addILi7E"));
    }
}

TEST(KernelsApart, HaveOneCodeWhereTheyCannotBe) {
    const Program program(program_of_kernels, SourceType::cxx, dropping_variables());
    const std::vector<ObjectCode> ptx = program.compile_apart(CodeType::ptx, two_kernels);
    ASSERT_EQ(ptx.size(), 1U);
    EXPECT_THAT(ptx[0].code(), AllOf(HasSubstr("look_up"), HasSubstr("3addILi5E")));
    const Program all_variables(program_of_kernels, SourceType::cxx, for_sm80());
    EXPECT_EQ(all_variables.compile_apart(CodeType::cubin, two_kernels).size(), 1U);
    EXPECT_THROW(program.compile_apart(CodeType::ltoir, two_kernels), InvalidArgument);
    const Program of_ptx(ptx[0].code(), SourceType::ptx);
    EXPECT_THROW(of_ptx.compile_apart(CodeType::cubin, two_kernels), InvalidArgument);
}

TEST(KernelsApart, LeaveErrorsAsTheyAre) {
    const Program program(std::string(program_of_kernels) + "int wrong = nowhere;\n", SourceType::cxx,
                          dropping_variables());
    try {
        program.compile_apart(CodeType::cubin, two_kernels);
        FAIL() << "it does not compile";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.log(), HasSubstr("nowhere"));
    }
}

// Programs that begin with the same directives, of a header in a folder of the test's own.
class SharedDirectives : public testing::Test {
public:
    SharedDirectives(const SharedDirectives&) = delete;
    SharedDirectives& operator=(const SharedDirectives&) = delete;

protected:
    SharedDirectives() : folder_(testing::TempDir() + "cuprum-XXXXXX") {
        if (mkdtemp(folder_.data()) == nullptr) throw std::system_error(errno, std::generic_category(), folder_);
        write_header(7);
        options_.include_path = {folder_};
        options_.shared_directives = "#include <shared.h>\n";
    }

    ~SharedDirectives() override { std::filesystem::remove_all(folder_); }

    void write_header(int value) const {
        std::ofstream(folder_ + "/shared.h") << "#pragma once\nconstexpr int shared = " << value << ";\n"
                                             << "static __device__ int twice(int x) { return 2 * x; }\n";
    }

    std::string compile(const std::string& body) const {
        return Program("#include <shared.h>\nextern \"C\" __global__ void fill(int* x) {\n" + body + "\n}\n",
                       SourceType::cxx, options_)
            .compile(CodeType::ptx)
            .code();
    }

    // Files of precompiled headers that this process has open.
    static int64_t precompiled() {
        const std::filesystem::directory_iterator open("/proc/self/fd");
        return std::count_if(begin(open), end(open), [](const std::filesystem::directory_entry& file) {
            std::error_code gone;
            return read_symlink(file.path(), gone).native().ends_with("/headers.pch (deleted)");
        });
    }

    std::string folder_;
    ProgramOptions options_ = for_sm80();
};

TEST_F(SharedDirectives, AreReadOnceFromTheSecondCompileOn) {
    const int64_t before = precompiled();
    EXPECT_THAT(compile("*x = 6 * shared;"), HasSubstr(", 42;"));
    EXPECT_EQ(precompiled(), before);
    const int64_t after = bindings::nvrtc::version() >= 12080 ? before + 1 : before;
    for (const int factor : {2, 3, 4}) {
        EXPECT_THAT(compile("*x = " + std::to_string(factor) + " * shared;"),
                    HasSubstr(", " + std::to_string(7 * factor) + ";"));
        EXPECT_EQ(precompiled(), after);
    }
}

TEST_F(SharedDirectives, AreReadAnewWhereAHeaderHasChanged) {
    for (const int factor : {1, 2, 3})
        compile("*x = " + std::to_string(factor) + " * shared;");
    write_header(11);
    EXPECT_THAT(compile("*x = 3 * shared;"), HasSubstr(", 33;"));
}

TEST_F(SharedDirectives, LeaveErrorsTheirLines) {
    for (const char* const body : {"*x = 1;", "*x = missing_1;", "*x = missing_2;", "*x = 2;", "*x = missing_3;"}) {
        try {
            compile(body);
            EXPECT_THAT(body, Not(HasSubstr("missing")));
        } catch (const CompileError& error) {
            EXPECT_THAT(error.log(), AllOf(StartsWith("default_program(3): error"), HasSubstr("missing"))) << body;
        }
    }
}

TEST_F(SharedDirectives, AreCompiledOnSeveralThreads) {
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 1; i < 4; ++i)
                EXPECT_THAT(compile("*x = " + std::to_string(10 * thread + i) + " * shared;"),
                            HasSubstr(", " + std::to_string(7 * (10 * thread + i)) + ";"));
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

TEST(Compile, FindsTheToolkitsHeadersItself) {
    const Program program(R"(
        #include <cuda_fp16.h>
        #include <cuda/std/type_traits>
        extern "C" __global__ void half_of(__half* x) {
            static_assert(cuda::std::is_same_v<int, int>);
            x[0] = x[0] * __float2half(0.5f);
        }
    )",
                          SourceType::cxx, for_sm80());
    EXPECT_NO_THROW(program.compile(CodeType::ptx));
}

TEST(Compile, MapsNameExpressions) {
    const Program program("template <class T> __global__ void fill(T* x, T v) { x[threadIdx.x] = v; }", SourceType::cxx,
                          for_sm80());
    const std::vector<std::string> names{"fill<float>", "fill<int>"};
    const ObjectCode code = program.compile(CodeType::ptx, names);
    ASSERT_EQ(code.symbol_mapping().size(), 2U);
    EXPECT_THAT(code.code(), HasSubstr(".entry " + code.symbol_mapping().at("fill<float>")));
    EXPECT_NE(code.symbol_mapping().at("fill<float>"), code.symbol_mapping().at("fill<int>"));
}

TEST(Compile, ErrorsCarryLogWithTheLineOptionsAndFolders) {
    ProgramOptions options = for_sm80();
    options.name = "broken.cu";
    options.include_path = {"some/folder"};
    try {
        static_cast<void>(Program("\n\n__global__ void k() { undefined_thing(); }\n", SourceType::cxx, options)
                              .compile(CodeType::ptx));
        FAIL();
    } catch (const CompileError& error) {
        EXPECT_EQ(error.status(), Status::compile_error);
        EXPECT_THAT(error.log(), AllOf(HasSubstr("broken.cu(3)"), HasSubstr("undefined_thing")));
        EXPECT_THAT(error.options(), Contains("--gpu-architecture=compute_80"));
        EXPECT_THAT(error.headers(), Contains("some/folder"));
        EXPECT_THAT(error.what(), AllOf(HasSubstr("broken.cu(3)"), HasSubstr("program 'broken.cu'")));
    }
}

TEST(Compile, ErrorsLeaveTheProgramAsItWas) {
    ProgramOptions options = for_sm80();
    const Program program("#ifdef OK\nextern \"C\" __global__ void k() {}\n#else\n#error no\n#endif", SourceType::cxx,
                          options);
    EXPECT_THROW(program.compile(CodeType::ptx), CompileError);
    EXPECT_THROW(program.compile(CodeType::ptx), CompileError);
    options.define_macro = {{"OK", ""}};
    EXPECT_NO_THROW(Program(program.code(), SourceType::cxx, options).compile(CodeType::ptx));
}

TEST(Compile, RefusesUnknownArchitecturesWithThoseItKnows) {
    ProgramOptions options;
    options.arch = "sm_12";
    try {
        static_cast<void>(Program(empty_kernel, SourceType::cxx, options).compile(CodeType::ptx));
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.domain(), ErrorDomain::nvrtc);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("compute_12"), HasSubstr("sm_90")));
    }
}

TEST(Compile, KeepsTheWarningsOfTheLastSuccess) {
    const Program warns("extern \"C\" __global__ void k() { int unused_thing; }", SourceType::cxx, for_sm80());
    static_cast<void>(warns.compile(CodeType::ptx));
    EXPECT_THAT(Program::last_log(), HasSubstr("unused_thing"));
    static_cast<void>(Program(empty_kernel, SourceType::cxx, for_sm80()).compile(CodeType::ptx));
    EXPECT_EQ(Program::last_log(), "");
}

TEST(Compile, OfPtxToPtxIsThePtx) {
    const std::string ptx = Program(empty_kernel, SourceType::cxx, for_sm80()).compile(CodeType::ptx).code();
    const Program program(ptx, SourceType::ptx);
    EXPECT_EQ(program.compile(CodeType::ptx).code(), ptx);
    const std::vector<std::string> names{"nothing"};
    EXPECT_THROW(program.compile(CodeType::ptx, names), InvalidArgument);
    EXPECT_THROW(program.compile(CodeType::ltoir), InvalidArgument);
}

TEST(Compile, RefusesSourcesWithNulCharacters) {
    EXPECT_THROW(Program(std::string("a\0b", 3)), InvalidArgument);
    EXPECT_EQ(Program(std::string("ptx\0", 4), SourceType::ptx).code(), "ptx");
}

TEST(Compile, ThatFailsInNvrtcItselfIsNoCompileError) {
    const bindings::TableOverride missing(
        bindings::nvrtc::library(), "nvrtcCreateProgram",
        +[](nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) {
            return NVRTC_ERROR_OUT_OF_MEMORY;
        });
    ProgramOptions options = for_sm80();
    options.no_cache = true;
    try {
        static_cast<void>(Program(empty_kernel, SourceType::cxx, options).compile(CodeType::ptx));
        FAIL();
    } catch (const NvrtcError& error) {
        EXPECT_EQ(error.code(), NVRTC_ERROR_OUT_OF_MEMORY);
        EXPECT_THAT(error.what(), HasSubstr("creating a program"));
    }
}

TEST(Nvrtc, HasAVersion) {
    EXPECT_GE(nvrtc_version().first, 12);
}

std::string advice_without(const std::string& include) {
    try {
        static_cast<void>(Program(include + "\n" + empty_kernel, SourceType::cxx, for_sm80()).compile(CodeType::ptx));
    } catch (const CompileError& error) {
        return error.advice();
    }
    return "it compiled";
}

TEST(MissingHeaders, OfTheHostAreNotNeededForWhatIsBuiltIn) {
    for (const auto& [header, what] :
         std::vector<std::pair<std::string, std::string>>{{"cstdio", "printf is built in"},
                                                          {"stdio.h", "printf is built in"},
                                                          {"iostream", "printf is built in"},
                                                          {"stdlib.h", "malloc and free"},
                                                          {"cassert", "assert is built in"},
                                                          {"string.h", "memcpy and memset"}}) {
        EXPECT_THAT(advice_without("#include <" + header + ">"),
                    AllOf(HasSubstr("remove #include <" + header + ">"), HasSubstr(what)));
    }
}

TEST(MissingHeaders, OfTheHostHaveTheirLikeInLibcuxx) {
    for (const auto& [header, other] : std::vector<std::pair<std::string, std::string>>{
             {"type_traits", "<cuda/std/type_traits>"}, {"tuple", "<cuda/std/tuple>"}, {"array", "<cuda/std/array>"}}) {
        EXPECT_THAT(advice_without("#include <" + header + ">"), HasSubstr("include " + other));
    }
}

TEST(MissingHeaders, OfTheHostThatNothingReplacesAreForTheHostAlone) {
    for (const std::string header : {"vector", "string", "unistd.h", "sys/types.h"}) {
        EXPECT_THAT(advice_without("#include <" + header + ">"), HasSubstr("__CUDACC_RTC__")) << header;
    }
}

TEST(MissingHeaders, OfTheProgramNeedAFolder) {
    EXPECT_THAT(advice_without("#include \"my_kernels.cuh\""),
                AllOf(HasSubstr("my_kernels.cuh"), HasSubstr("include_path")));
}

TEST(MissingHeaders, OfTheToolkitThatItDoesNotHaveAreNamedWithItsFolder) {
    EXPECT_THAT(advice_without("#include <cub/no_such_header.cuh>"),
                AllOf(HasSubstr("have no cub/no_such_header.cuh"), HasSubstr("CUDA's headers in /")));
}

TEST(MissingHeaders, AreNotAskedAboutWhereNoneIsMissing) {
    EXPECT_EQ(advice_without("int x = ;"), "");
}

TEST(Nvrtc, GivesNoNamesOfASourceThatIsUtf16) {
    const std::string expressions[] = {"nothing<int>"};
    const Program program("\xff\xfe", SourceType::cxx, for_sm80());
    try {
        static_cast<void>(program.compile(CodeType::ptx, expressions));
        FAIL() << "there is no such kernel";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("nothing<int>"), HasSubstr("UTF-8")));
    }
}

}  // namespace
}  // namespace cuprum::core
