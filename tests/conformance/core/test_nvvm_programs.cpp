// Programs of NVVM IR: what libNVVM compiles runs, and what it does not says why.
#include <cmath>
#include <fstream>
#include <iterator>

#include "cuprum/pathfinder/pathfinder.hpp"
#include "fixture.hpp"
#include "nvvm_modules.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::nvvm_apply;
using test::nvvm_scale;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Every libNVVM of CUDA 12 and 13 compiles for it, and every GPU since runs its PTX.
constexpr const char* oldest_arch = "compute_75";

Program scaling(ProgramOptions options = {}) {
    options.arch = options.arch.empty() ? oldest_arch : options.arch;
    options.extra_sources.emplace_back("scale.ll", nvvm_scale("3.0"));
    return Program(nvvm_apply("scale"), SourceType::nvvm, std::move(options));
}

std::vector<float> applied(const ObjectCode& code, const std::vector<float>& values) {
    const Device device(0);
    const Buffer buffer = buffer_of<float>(device, values);
    launch(device.default_stream(), {1, static_cast<uint32_t>(values.size())}, code.get_kernel("apply"), buffer);
    return values_of<float>(buffer);
}

const std::vector<float> scaled{4, 7, 10, 13};

TEST(NvvmPrograms, RunWithTheModulesThatTheyAreMadeOf) {
    const ObjectCode code = scaling({.name = "apply.ll"}).compile();
    EXPECT_EQ(code.name(), "apply.ll");
    EXPECT_EQ(applied(code, {1, 2, 3, 4}), scaled);
    EXPECT_EQ(Program::last_log(), "");
}

TEST(NvvmPrograms, AreCompiledForTheDeviceWhereNoArchitectureIsGiven) {
    const Program program(nvvm_apply("scale"), SourceType::nvvm, {.extra_sources = {{"scale.ll", nvvm_scale("3.0")}}});
    EXPECT_EQ(applied(program.compile(), {1, 2, 3, 4}), scaled);
}

TEST(NvvmPrograms, AreCompiledToPtx) {
    // "sm_75" means the same: libNVVM makes code for virtual architectures alone.
    for (const char* arch : {"compute_75", "sm_75"}) {
        const ObjectCode code = scaling({.arch = arch}).compile(CodeType::ptx);
        EXPECT_EQ(code.code_type(), CodeType::ptx);
        EXPECT_THAT(code.code(), AllOf(HasSubstr(".target sm_75"), HasSubstr(".entry apply")));
        EXPECT_NE(code.code().back(), '\0');
    }
}

TEST(NvvmPrograms, AreCompiledToACubin) {
    const ObjectCode code = scaling({.arch = "sm_80"}).compile(CodeType::cubin);
    EXPECT_EQ(code.code_type(), CodeType::cubin);
    EXPECT_EQ(code.code().substr(1, 3), "ELF");
    if (Device(0).compute_capability().major == 8 || Device(0).is_simulator()) {
        EXPECT_EQ(applied(code, {1, 2, 3, 4}), scaled);
    }
}

TEST(NvvmPrograms, AreCompiledToLtoIr) {
    const ObjectCode code = scaling().compile(CodeType::ltoir);
    EXPECT_EQ(code.code_type(), CodeType::ltoir);
    EXPECT_GT(code.code().size(), 100U);
    EXPECT_THAT(code.code(), Not(HasSubstr(".entry")));
}

TEST(NvvmPrograms, UseLibdevice) {
    const Program program(nvvm_apply("__nv_sinf"), SourceType::nvvm, {.arch = oldest_arch, .use_libdevice = true});
    const std::vector<float> sines = applied(program.compile(), {0.5F, 1, 2, 3});
    EXPECT_NEAR(sines[0], std::sin(0.5F), 1e-6);
    EXPECT_NEAR(sines[3], std::sin(3.0F), 1e-6);
    const std::string without =
        Program(nvvm_apply("__nv_sinf"), SourceType::nvvm, {.arch = oldest_arch}).compile(CodeType::ptx).code();
    EXPECT_THAT(without, HasSubstr(".extern .func"));
}

// libdevice is bitcode: every byte of it, NUL among them, has to arrive.
TEST(NvvmPrograms, AreMadeOfBitcodeToo) {
    std::ifstream file(pathfinder::find_bitcode_lib("device"), std::ios::binary);
    const std::string bitcode{std::istreambuf_iterator<char>(file), {}};
    ASSERT_NE(bitcode.find('\0'), std::string::npos);
    const Program program(nvvm_apply("__nv_sinf"), SourceType::nvvm,
                          {.arch = oldest_arch, .extra_sources = {{"libdevice.bc", bitcode}}});
    EXPECT_NEAR(applied(program.compile(), {0.5F})[0], std::sin(0.5F), 1e-6);
    EXPECT_GT(Program(bitcode, SourceType::nvvm, {.arch = oldest_arch}).compile(CodeType::ptx).code().size(), 100U);
}

TEST(NvvmPrograms, TheirOptionsReachTheCompiler) {
    const auto ptx = [](const ProgramOptions& options) { return scaling(options).compile(CodeType::ptx).code(); };
    EXPECT_THAT(ptx({}), AllOf(HasSubstr("fma.rn.f32"), Not(HasSubstr(".ftz")), Not(HasSubstr("call"))));
    EXPECT_THAT(ptx({.fma = false}), AllOf(Not(HasSubstr("fma.rn")), HasSubstr("mul")));
    EXPECT_THAT(ptx({.ftz = true}), HasSubstr("fma.rn.ftz.f32"));
    EXPECT_THAT(ptx({.device_code_optimize = false}), HasSubstr("call"));  // of the function, which else is inlined
    EXPECT_THAT(ptx({.debug = true}), HasSubstr("call"));
    EXPECT_THAT(ptx({.debug = true, .device_code_optimize = true}), Not(HasSubstr("call")));
    EXPECT_THAT(ptx({.extra_options = {"-ftz=1"}}), HasSubstr("fma.rn.ftz.f32"));
    EXPECT_THAT(ptx({.extra_options = {"-arch=compute_80"}}), HasSubstr(".target sm_80"));
}

TEST(NvvmPrograms, ThatAreWrongSayWhere) {
    const auto error = error_of<CompileError>([] {
        std::string source = nvvm_apply("scale");
        source.replace(source.find("ret void"), 8, "ret vvoid");
        static_cast<void>(
            Program(source, SourceType::nvvm, {.name = "wrong.ll", .arch = oldest_arch}).compile(CodeType::ptx));
    });
    EXPECT_EQ(error.domain(), ErrorDomain::nvvm);
    EXPECT_EQ(error.name(), "NVVM_ERROR_COMPILATION");
    EXPECT_EQ(error.object(), "program 'wrong.ll'");
    const std::vector<Diagnostic> found = parse_diagnostics(error.log());
    ASSERT_EQ(found.size(), 1U) << error.log();
    EXPECT_EQ(found[0].file, "wrong.ll");
    EXPECT_EQ(found[0].line, 12);
    EXPECT_THAT(found[0].text, HasSubstr("expected type"));
    EXPECT_THAT(error.what(), HasSubstr("-arch=compute_75"));
}

TEST(NvvmPrograms, OfAnotherIrVersionGiveTheCompilersMessage) {
    const auto error = error_of<CompileError>([] {
        std::string source = nvvm_scale("3.0");
        source.replace(source.find("i32 2"), 5, "i32 9");
        static_cast<void>(Program(source, SourceType::nvvm, {.arch = oldest_arch}).compile(CodeType::ptx));
    });
    EXPECT_EQ(error.name(), "NVVM_ERROR_IR_VERSION_MISMATCH");
    EXPECT_THAT(error.log(), HasSubstr("IR version 9.0 incompatible with current version 2.0"));
    EXPECT_THAT(error.advice(), HasSubstr("NVVM IR 2.0"));
}

TEST(NvvmPrograms, RefuseBitcodeThatIsNone) {
    const auto error = error_of<CompileError>([] {
        const std::string junk("BC\xc0\xde\0junk", 9);
        static_cast<void>(
            Program(junk, SourceType::nvvm, {.name = "junk.bc", .arch = oldest_arch}).compile(CodeType::ptx));
    });
    EXPECT_THAT(error.what(), HasSubstr("junk.bc"));
}

TEST(NvvmPrograms, RefuseOptionsThatLibNvvmDoesNotHave) {
    const auto made = [](const ProgramOptions& options) {
        return error_of<InvalidArgument>([&] { const Program program = scaling(options); });
    };
    EXPECT_THAT(made({.max_register_count = 32, .restrict = true}).detail(),
                HasSubstr("libNVVM has no such options: restrict, max_register_count"));
    EXPECT_THAT(made({.define_macro = {{"N", "4"}}}).detail(), HasSubstr("define_macro"));
    EXPECT_THAT(made({.extra_options = {"--std=c++20"}}).detail(), HasSubstr("--std=c++20"));
    const auto unknown = error_of<InvalidArgument>(
        [] { static_cast<void>(scaling({.extra_options = {"-nonsense"}}).compile(CodeType::ptx)); });
    EXPECT_THAT(unknown.what(), HasSubstr("-nonsense is an unsupported option"));
    const auto arch =
        error_of<InvalidArgument>([] { static_cast<void>(scaling({.arch = "sm_999"}).compile(CodeType::ptx)); });
    EXPECT_THAT(arch.what(), HasSubstr("-arch=compute_999 is an unsupported option"));
}

TEST(NvvmPrograms, RefuseWhatCannotBe) {
    const auto refused = [](const auto& action) { return error_of<InvalidArgument>(action).detail(); };
    EXPECT_THAT(refused([] { const Program program("", SourceType::nvvm); }), HasSubstr("NVVM IR is empty"));
    EXPECT_THAT(refused([] {
                    const Program program(nvvm_apply("scale"), SourceType::nvvm, {.extra_sources = {{"none.ll", ""}}});
                }),
                HasSubstr("'none.ll' is empty"));
    EXPECT_THAT(
        refused([] { const Program program("", SourceType::cxx, {.extra_sources = {{"a.ll", nvvm_scale("3.0")}}}); }),
        HasSubstr("extra_sources"));
    EXPECT_THAT(refused([] { const Program program("", SourceType::ptx, {.use_libdevice = true}); }),
                HasSubstr("use_libdevice"));
    const std::vector<std::string> names{"apply<int>"};
    EXPECT_THAT(refused([&] { static_cast<void>(scaling().compile(CodeType::ptx, names)); }),
                HasSubstr("no name expressions"));
}

}  // namespace
}  // namespace cuprum::core
