// What mangled names, declarations and PTX tell of a kernel's parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_parameters.hpp"
#include "mangled_parameters.hpp"
#include "ptx_kernels.hpp"
#include "source_parameters.hpp"

namespace cuprum::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::string kind_text(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::unknown:
            return "?";
        case ArgumentKind::boolean:
            return "boolean";
        case ArgumentKind::integer:
            return "integer";
        case ArgumentKind::floating_point:
            return "real";
        case ArgumentKind::bfloat16:
            return "bfloat16";
        case ArgumentKind::pointer:
            return "pointer";
        case ArgumentKind::integer_or_pointer:
            return "integer or pointer";
    }
    return "no kind";
}

// "real 4 float"
std::string text_of(const ParameterType& type) {
    std::string text = kind_text(type.kind);
    if (type.size != 0) text += " " + std::to_string(type.size);
    return type.text.empty() ? text : text + " " + type.text;
}

std::vector<std::string> texts_of(const std::vector<ParameterType>& types) {
    std::vector<std::string> texts;
    for (const ParameterType& type : types)
        texts.push_back(text_of(type));
    return texts;
}

std::vector<std::string> mangled(std::string_view name) {
    const auto types = parameters_of_mangled_name(name);
    return types ? texts_of(*types) : std::vector<std::string>{"not understood"};
}

TEST(MangledParameters, AreThoseOfAPlainFunction) {
    EXPECT_THAT(mangled("_Z5saxpyfPKfPfi"),
                ElementsAre("real 4 float", "pointer 8 const float*", "pointer 8 float*", "integer 4 int"));
    EXPECT_THAT(mangled("_Z1fv"), IsEmpty());
    EXPECT_THAT(mangled("_Z1fbcahstijlmxyd"),
                ElementsAre("boolean 1 bool", "integer 1 char", "integer 1 signed char", "integer 1 unsigned char",
                            "integer 2 short", "integer 2 unsigned short", "integer 4 int", "integer 4 unsigned int",
                            "integer 8 long", "integer 8 unsigned long", "integer 8 long long",
                            "integer 8 unsigned long long", "real 8 double"));
}

TEST(MangledParameters, OfNarrowFloatingPointTypesAreKnownByTheirNames) {
    EXPECT_THAT(mangled("_Z5plainfPKf6__half13__nv_bfloat16h"),
                ElementsAre("real 4 float", "pointer 8 const float*", "real 2 __half", "bfloat16 2 __nv_bfloat16",
                            "integer 1 unsigned char"));
    EXPECT_THAT(mangled("_Z1fDF16_DF16b"), ElementsAre("real 2 _Float16", "bfloat16 2 std::bfloat16_t"));
}

TEST(MangledParameters, OfClassesAndEnumerationsAreUnknown) {
    EXPECT_THAT(mangled("_Z1f6float25ColorN2ns5PointE"), ElementsAre("? float2", "? Color", "? ns::Point"));
    EXPECT_THAT(mangled("_Z1fP6float2PPvPFivE"), ElementsAre("pointer 8 float2*", "pointer 8 void**", "pointer 8"));
    EXPECT_THAT(mangled("_Z1fRiOfA3_iM1Ai"), ElementsAre("? int&", "? float&&", "? int[]", "?"));
}

TEST(MangledParameters, OfTemplateInstancesAreTheArguments) {
    EXPECT_THAT(mangled("_Z1tIfEvT_PKS0_PS0_"),
                ElementsAre("real 4 float", "pointer 8 const float*", "pointer 8 float*"));
    EXPECT_THAT(mangled("_Z1tI6__halfEvT_PKS1_PS1_"),
                ElementsAre("real 2 __half", "pointer 8 const __half*", "pointer 8 __half*"));
    EXPECT_THAT(mangled("_Z1tIiEvT_PKS0_PS0_"), ElementsAre("integer 4 int", "pointer 8 const int*", "pointer 8 int*"));
    EXPECT_THAT(mangled("_Z2tnILi3EfLb1EEvT0_"), ElementsAre("real 4 float"));
    EXPECT_THAT(mangled("_ZN2ns1qIfEEvNS_1SIT_EEPS3_PFfiERKS3_"),
                ElementsAre("? ns::S<...>", "pointer 8 ns::S<...>*", "pointer 8", "? const ns::S<...>&"));
}

TEST(MangledParameters, OfAPackAreItsElements) {
    EXPECT_THAT(mangled("_Z2tpIJifPdEEvPiDpT_"),
                ElementsAre("pointer 8 int*", "integer 4 int", "real 4 float", "pointer 8 double*"));
    EXPECT_THAT(mangled("_Z2tpIJifEEvDpPT_"), ElementsAre("pointer 8", "pointer 8"));
    EXPECT_THAT(mangled("_Z2tpIJEEvDpT_"), IsEmpty());
}

TEST(MangledParameters, AreFoundBehindEveryKindOfName) {
    EXPECT_THAT(mangled("_ZN29_GLOBAL__N__00000000_4_t_cu_k4anonEiPf"),
                ElementsAre("integer 4 int", "pointer 8 float*"));
    EXPECT_THAT(mangled("_ZL6statici"), ElementsAre("integer 4 int"));
    EXPECT_THAT(mangled("_ZSt4sortPiS_"), ElementsAre("pointer 8 int*", "pointer 8 int*"));
    EXPECT_THAT(mangled("_Z3runIZ4mainEUlfE_EvT_i"), ElementsAre("? (lambda)", "integer 4 int"));
    EXPECT_THAT(mangled("_Z3runIN3foo3BarIJifEEEEvT_S3_d.constprop.0"),
                ElementsAre("? foo::Bar<...>", "? foo::Bar<...>", "real 8 double"));
}

TEST(MangledParameters, AreGivenUpWhereTheNameIsNotUnderstood) {
    for (const char* name : {"",
                             "saxpy",
                             "_Z",
                             "_Zf",
                             "_Z5saxpy",
                             "_Z9saxpyf",
                             "_Z5saxpyS_",
                             "_Z5saxpyT_",
                             "_Z5saxpyP",
                             "_Z5saxpyIfEvT0_",
                             "_ZplRKiS0_",
                             "_ZN1AC1Ei",
                             "_Z1fIfEvDTplfp_fp_E",
                             "_Z1fiz",
                             "_ZTV1A",
                             "_Z1fDpT_",
                             "_Z999999999999999999999f",
                             "_Z1fS9999999999999999999_",
                             "_ZNE",
                             "_Z1fU3foofi]"}) {
        EXPECT_THAT(mangled(name), ElementsAre("not understood")) << name;
    }
}

TEST(MangledParameters, OfAnyTextAreReadInTimeAndWithoutAFault) {
    const std::vector<std::string> seeds{"_Z5saxpyfPKfPfi", "_ZN2ns1qIfEEvNS_1SIT_EEPS3_PFfiERKS3_",
                                         "_Z2tpIJifPdEEvPiDpT_", "_Z3runIZ4mainEUlfE_EvT_i",
                                         "_Z1tI6__halfEvT_PKS1_PS1_"};
    constexpr std::string_view letters = "_Z0123456789STIJEPKRNLFADpvfidbUlz.\xff";
    std::mt19937 random(13);
    for (int i = 0; i < 20000; ++i) {
        std::string name = seeds[random() % seeds.size()];
        for (uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
            const size_t at = random() % name.size();
            const char letter = letters[random() % letters.size()];
            if (random() % 2 == 0) {
                name[at] = letter;
            } else {
                name.insert(at, 1, letter);
            }
        }
        static_cast<void>(parameters_of_mangled_name(name));
    }
}

TEST(MangledParameters, OfALongNameTakeLinearTime) {
    const auto repeated = [](std::string_view text, size_t count) {
        std::string result;
        for (size_t i = 0; i < count; ++i)
            result += text;
        return result;
    };
    const size_t count = 200000;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& name :
         {"_Z1f" + repeated("P", count) + "i", "_Z1f" + repeated("1SI", count), "_Z1fI" + repeated("J", count),
          "_Z1f" + repeated("Pi", count), "_Z1f" + repeated("PFi", count), "_Z" + repeated("Z", count),
          "_Z1fIJ" + repeated("i", count) + "EEv" + repeated("DpT_", count),
          "_Z1fIJ" + repeated("i", count) + "EEvPF" + repeated("iDpT_", count) + "E",
          "_ZN" + repeated("1a", count) + "Ei", "_Z1fIJ" + repeated("i", count) + "EEv" + repeated("Z1gvE1A", count)}) {
        static_cast<void>(parameters_of_mangled_name(name));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

std::vector<std::string> declared(std::string_view parameters) {
    const DeclaredKernels kernels = kernels_in_source("__global__ void k(" + std::string(parameters) + ") {}");
    return kernels.contains("k") ? texts_of(kernels.find("k")->second) : std::vector<std::string>{"not found"};
}

std::vector<std::string> declared_in(std::string_view source, std::string_view kernel = "k") {
    const DeclaredKernels kernels = kernels_in_source(source);
    return kernels.contains(kernel) ? texts_of(kernels.find(kernel)->second) : std::vector<std::string>{"not found"};
}

TEST(DeclaredParameters, OfBuiltinTypesAreKnown) {
    EXPECT_THAT(declared("float a, const float* x, float* __restrict__ y, int n"),
                ElementsAre("real 4 float", "pointer 8 const float*", "pointer 8 float*", "integer 4 int"));
    EXPECT_THAT(
        declared("bool, char a, unsigned char b, short c, unsigned d, long long e, unsigned long int f, double g"),
        ElementsAre("boolean 1 bool", "integer 1 char", "integer 1 unsigned char", "integer 2 short",
                    "integer 4 unsigned", "integer 8 long long", "integer 8 unsigned long int", "real 8 double"));
    EXPECT_THAT(
        declared("int const n, volatile float x, const void *const *p, float v[], int (*f)(float)"),
        ElementsAre("integer 4 int const", "real 4 volatile float", "pointer 8 const void**", "pointer 8 float*", "?"));
    EXPECT_THAT(declared(""), IsEmpty());
    EXPECT_THAT(declared("void"), IsEmpty());
    EXPECT_THAT(declared("float a = 1.5f, int n = sizeof(int)"), ElementsAre("real 4 float", "integer 4 int"));
}

TEST(DeclaredParameters, OfStandardNamesAreKnown) {
    EXPECT_THAT(declared("size_t n, std::uint32_t a, cuda::std::int8_t b, ::uint64_t c, __half h, __nv_bfloat16 z"),
                ElementsAre("integer 8 size_t", "integer 4 std::uint32_t", "integer 1 cuda::std::int8_t",
                            "integer 8 ::uint64_t", "real 2 __half", "bfloat16 2 __nv_bfloat16"));
}

TEST(DeclaredParameters, OfOtherTypesAreUnknown) {
    EXPECT_THAT(declared("real a, struct Pair p, ns::Point q, std::pair<int, float> r, float2 v, T& t, T... more"),
                ElementsAre("? real", "? Pair", "? ns::Point", "?", "? float2", "?", "?"));
    EXPECT_THAT(declared("real* x, ns::Point const* q, float* RESTRICT y"),
                ElementsAre("pointer 8 real*", "pointer 8 ns::Point const*", "pointer 8 float*"));
    EXPECT_THAT(declared("IN float x, UNSIGNED int n"), ElementsAre("?", "?"));
}

TEST(DeclaredParameters, AreFoundHoweverTheKernelIsDeclared) {
    for (const char* source :
         {"extern \"C\" __global__ void k(float a);", "extern \"C\" { __global__ void k(float a) {} }",
          "__global__ static void __launch_bounds__(256, (2 + 1)) k(float a) {}",
          "__global__ __launch_bounds__(256) void k(float a) {}", "void __global__ k(float a) {}",
          "[[maybe_unused]] __global__ [[nodiscard]] void k(float a)", "__glo\\\nbal__ void k(flo\\\r\nat a)",
          "__global__ void k(/* the int b, */ float a // and int c\n)",
          "__global__ void k(\n#ifdef X\n float a\n#endif\n)"}) {
        EXPECT_THAT(declared_in(source), ElementsAre("real 4 float")) << source;
    }
}

TEST(DeclaredParameters, AreNotTakenFromWhatIsNoDeclaration) {
    for (const char* source :
         {"// __global__ void k(float a)\n", "/* __global__ void k(float a) */", "\"__global__ void k(float a)\"",
          "R\"(\" __global__ void k(float a))\"", "R\"x( )\" __global__ void k(float a) )x\"",
          "#define K __global__ void k(float a)\n", "#define K \\\n __global__ void k(float a)\n",
          "%: define K __global__ void k(float a)\n", "/* \\\n */ # define K __global__ void k(float a)\n",
          "__global__ void ns::k(float a)", "__global__ MACRO k(float a)", "__global__ void k",
          "__global__ void k(float a", "'\\'' '\"' + 1'000 \" __global__ void k(float a)"}) {
        EXPECT_THAT(declared_in(source), ElementsAre("not found")) << source;
    }
    EXPECT_THAT(declared_in("int n = 1'000; char c = '\"'; __global__ void k(float a) {}"),
                ElementsAre("real 4 float"));
    EXPECT_THAT(declared_in("#error don't\n__global__ void k(float a) {}"), ElementsAre("real 4 float"));
}

TEST(DeclaredParameters, OfANameThatIsDeclaredInSeveralWaysAreNot) {
    EXPECT_THAT(declared_in("#if A\n__global__ void k(float a) {}\n#else\n__global__ void k(int a) {}\n#endif"),
                ElementsAre("not found"));
    EXPECT_THAT(declared_in("__global__ void k(float a);\n__global__ void k(float b) {}"), ElementsAre("real 4 float"));
    EXPECT_THAT(declared_in("__global__ void j(int a) {} __global__ void k(float b) {}", "j"),
                ElementsAre("integer 4 int"));
}

TEST(DeclaredParameters, AreReadFromAnyTextInTimeAndWithoutAFault) {
    const std::string seed =
        "#define A \\\n b\nextern \"C\" __global__ void __launch_bounds__(256) k(float a, const int* __restrict__ b = "
        "R\"x(y)x\","
        " std::pair<int, T> c, int d[3]) { /* x */ 'a'; } // end\n";
    std::mt19937 random(13);
    for (int i = 0; i < 5000; ++i) {
        std::string source = seed;
        for (auto changes = static_cast<uint32_t>(1 + random() % 6); changes > 0; --changes) {
            const size_t at = random() % source.size();
            if (random() % 3 == 0) {
                source.resize(at + 1);
            } else if (random() % 2 == 0) {
                source.erase(at, random() % 5);
            } else {
                source.insert(at, 1, "\"'(){}[]<>,*\\\n/#R"[random() % 17]);
            }
            if (source.empty()) break;
        }
        static_cast<void>(kernels_in_source(source));
    }
    std::string many;
    for (int i = 0; i < 100000; ++i)
        many += "__global__ void k(";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(kernels_in_source(many), IsEmpty());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

std::vector<std::string> in_ptx(std::string_view ptx, std::string_view kernel) {
    const auto types = kernel_parameters(kernels_in_ptx(ptx), kernel);
    return types ? texts_of(*types) : std::vector<std::string>{"not found"};
}

TEST(PtxParameters, SayWhatIsRealAndWhatIsNot) {
    constexpr std::string_view ptx = R"(
        .version 9.0
        // .entry not_this(.param .f32 a)
        .visible .entry saxpy(
            .param .f32 saxpy_param_0, /* .param .u32 b, */
            .param .u64 saxpy_param_1,
            .param .u64 .ptr .global .align 4 saxpy_param_2,
            .param .u32 saxpy_param_3,
            .param .f64 d, .param .u8 e, .param .s16 f, .param .b32 g,
            .param .align 8 .b8 h[8], .param .align 2 .b8 i[2]
        ) .maxntid 1, 1, 1 { ret; }
        .entry none() { ret; }
        .entry bare { ret; })";
    EXPECT_THAT(in_ptx(ptx, "saxpy"), ElementsAre("real 4 float", "integer or pointer 8", "pointer 8", "integer 4",
                                                  "real 8 double", "integer 1", "integer 2", "?", "?", "?"));
    EXPECT_THAT(in_ptx(ptx, "none"), IsEmpty());
    EXPECT_THAT(in_ptx(ptx, "bare"), IsEmpty());
    EXPECT_THAT(in_ptx(ptx, "not_this"), ElementsAre("not found"));
    EXPECT_THAT(kernel_names(kernels_in_ptx(ptx)), ElementsAre("saxpy", "none", "bare"));
}

TEST(PtxParameters, AreReadInTimeFromAnyText) {
    std::string text;
    for (int i = 0; i < 200000; ++i)
        text += ".entry a(.param .u32 ";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(kernels_in_ptx(text), Not(IsEmpty()));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// The types that are found for parameters of these sizes.
std::vector<std::string> found(const std::string& source, const std::string& ptx, std::string_view symbol,
                               const std::vector<uint64_t>& sizes) {
    std::vector<KernelArgumentInfo> arguments;
    for (const uint64_t size : sizes)
        arguments.push_back({0, size});
    return texts_of(find_parameter_types({kernels_in_source(source), ptx}, symbol, arguments));
}

TEST(ParameterTypes, ComeFromAllThatIsKnown) {
    EXPECT_THAT(found("__global__ void k(float* x, real a, Color c)", "k .u64 .f32 .u32\n", "k", {8, 4, 4}),
                ElementsAre("pointer 8 float*", "real 4 real", "integer 4 Color"));
    EXPECT_THAT(found("", "k .u64 .f32 .u32\n", "k", {8, 4, 4}),
                ElementsAre("integer or pointer 8", "real 4 float", "integer 4"));
    EXPECT_THAT(found("__global__ void k(float a)", "", "k", {4}), ElementsAre("real 4 float"));
    EXPECT_THAT(found("", "", "_Z1kfPv", {4, 8}), ElementsAre("real 4 float", "pointer 8 void*"));
    EXPECT_THAT(found("", "", "k", {4}), ElementsAre("?"));
}

TEST(ParameterTypes, ThatWereNotCompiledAreLeftOut) {
    EXPECT_THAT(found("__global__ void k(float a, int n)", "k .f64 .f32\n", "k", {8, 4}),
                ElementsAre("real 8 double", "real 4 float"))
        << "PTX is what was compiled";
    EXPECT_THAT(found("__global__ void k(float a)", "", "k", {8}), ElementsAre("?")) << "of another size";
    EXPECT_THAT(found("__global__ void k(float a, int n)", "", "k", {4}), ElementsAre("?")) << "another count";
    EXPECT_THAT(found("__global__ void k(float a)", "", "_Z1ki", {4}), ElementsAre("integer 4 int"))
        << "a mangled name is not the declaration's";
    EXPECT_THAT(found("__global__ void k(half2 h)", "k .b8[]\n", "k", {4}), ElementsAre("? half2"));
}

}  // namespace
}  // namespace cuprum::core
