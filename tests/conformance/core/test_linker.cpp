// Linking with nvJitLink: what is linked runs, and what cannot be linked says why.
#include <set>
#include <thread>

#include "cuprum/bindings/nvjitlink.hpp"
#include "fixture.hpp"
#include "small_stack.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* scale_source = R"(__device__ int scale(int x) { return 3 * x; })";
constexpr const char* apply_source = R"(
__device__ int scale(int x);
extern "C" __global__ void apply(int* values) { values[threadIdx.x] = scale(values[threadIdx.x]); }
template <class T> __global__ void add(T* values, T more) { values[threadIdx.x] += more; }
)";

std::string arch_of_device() {
    const ComputeCapability capability = Device(0).compute_capability();
    return "sm_" + std::to_string(capability.major) + std::to_string(capability.minor);
}

ObjectCode compiled(const char* source, const std::string& name, CodeType type,
                    const std::vector<std::string>& names = {}, const std::string& arch = arch_of_device()) {
    ProgramOptions options{.name = name, .arch = arch, .relocatable_device_code = true};
    if (type == CodeType::ltoir) options.link_time_optimization = true;
    return Program(source, SourceType::cxx, options).compile(type, names);
}

std::vector<int> applied(const ObjectCode& code) {
    const Device device(0);
    const Buffer values = buffer_of<int>(device, {1, 2, 3, 4});
    launch(device.default_stream(), {1, 4}, code.get_kernel("apply"), values);
    return values_of<int>(values);
}

const std::vector<int> scaled{3, 6, 9, 12};

// An archive of one member, as ar writes it.
std::string archive_of(const std::string& name, const std::string& content) {
    std::string header = name + "/";
    header.resize(48, ' ');
    header += std::to_string(content.size());
    header.resize(58, ' ');
    return "!<arch>\n" + header + "`\n" + content + (content.size() % 2 == 0 ? "" : "\n");
}

class LinkerOfKind : public testing::TestWithParam<CodeType> {};

TEST_P(LinkerOfKind, LinksAFunctionToTheKernelThatCallsIt) {
    const CodeType type = GetParam();
    const Linker linker({compiled(apply_source, "apply.cu", type), compiled(scale_source, "scale.cu", type)},
                        {.name = "both"});
    const ObjectCode linked = linker.link(CodeType::cubin);
    EXPECT_EQ(linked.code_type(), CodeType::cubin);
    EXPECT_EQ(linked.name(), "both");
    EXPECT_EQ(applied(linked), scaled);
    EXPECT_EQ(linker.error_log(), "");
}

INSTANTIATE_TEST_SUITE_P(Linker, LinkerOfKind, testing::Values(CodeType::ptx, CodeType::cubin, CodeType::ltoir),
                         [](const auto& kind) {
                             return kind.param == CodeType::ptx     ? "Ptx"
                                    : kind.param == CodeType::cubin ? "Cubin"
                                                                    : "LtoIr";
                         });

TEST(Linker, LinksInputsOfDifferentKinds) {
    EXPECT_EQ(applied(Linker({compiled(apply_source, "apply.cu", CodeType::cubin),
                              compiled(scale_source, "scale.cu", CodeType::ptx)})
                          .link()),
              scaled);
}

// An object as nvcc writes it cannot be made without nvcc. The simulator's nvJitLink takes a cubin for one as well; the
// real one (13.0) takes it, and then finds nothing in it.
TEST(Linker, LinksAnObject) {
    if (!Device(0).is_simulator()) GTEST_SKIP() << "nvJitLink takes objects that nvcc has written";
    const ObjectCode scale = compiled(scale_source, "scale.cu", CodeType::cubin);
    EXPECT_EQ(applied(Linker({compiled(apply_source, "apply.cu", CodeType::cubin),
                              ObjectCode::from_object(scale.code(), "scale.o")})
                          .link()),
              scaled);
}

// nvJitLink looks for fat binaries in the members of libraries, and for nothing else.
TEST(Linker, ALibraryWithoutTheFunctionLeavesItUndefined) {
    const ObjectCode scale = compiled(scale_source, "scale.cu", CodeType::cubin);
    const Linker linker({compiled(apply_source, "apply.cu", CodeType::cubin),
                         ObjectCode::from_library(archive_of("scale.o", scale.code()), "libscale.a")});
    const auto error = error_of<NvJitLinkError>([&] { static_cast<void>(linker.link()); });
    EXPECT_THAT(error.log(), HasSubstr("_Z5scalei"));
}

TEST(Linker, FindsKernelsByTheNameExpressionsOfItsInputs) {
    const ObjectCode linked = Linker({compiled(apply_source, "apply.cu", CodeType::ptx, {"add<int>", "add<float>"}),
                                      compiled(scale_source, "scale.cu", CodeType::ptx)})
                                  .link();
    const Device device(0);
    const Buffer values = buffer_of<int>(device, {1, 2});
    launch(device.default_stream(), {1, 2}, linked.get_kernel("add<int>"), values, 10);
    EXPECT_EQ(values_of<int>(values), (std::vector<int>{11, 12}));
    EXPECT_EQ(linked.symbol_mapping().size(), 2U);
}

TEST(Linker, KnowsTheParametersOfWhatItHasLinked) {
    const Kernel add = Linker({compiled(apply_source, "apply.cu", CodeType::ptx, {"add<float>"}),
                               compiled(scale_source, "scale.cu", CodeType::ptx)})
                           .link()
                           .get_kernel("add<float>");
    ASSERT_EQ(add.arguments_info().size(), 2U);
    EXPECT_EQ(add.arguments_info()[0].kind, ArgumentKind::pointer);
    EXPECT_EQ(add.arguments_info()[1].kind, ArgumentKind::floating_point);
}

TEST(Linker, KeepsKernelsThatAreNamedByTheirExpressions) {
    const Linker linker({compiled(apply_source, "apply.cu", CodeType::ltoir, {"add<int>", "add<float>"}),
                         compiled(scale_source, "scale.cu", CodeType::ltoir)},
                        {.kernels_used = {"add<int>"}});
    const ObjectCode linked = linker.link();
    EXPECT_NO_THROW(static_cast<void>(linked.get_kernel("add<int>")));
    EXPECT_THROW(static_cast<void>(linked.get_kernel("add<float>")), KernelNotFound);
}

TEST(Linker, LinksLtoIrToPtx) {
    const Linker linker(
        {compiled(apply_source, "apply.cu", CodeType::ltoir), compiled(scale_source, "scale.cu", CodeType::ltoir)});
    const ObjectCode linked = linker.link(CodeType::ptx);
    EXPECT_EQ(linked.code_type(), CodeType::ptx);
    EXPECT_EQ(applied(linked), scaled);
}

TEST(Linker, LinksAgainToAnotherKind) {
    const Linker linker(
        {compiled(apply_source, "apply.cu", CodeType::ltoir), compiled(scale_source, "scale.cu", CodeType::ltoir)});
    EXPECT_EQ(applied(linker.link(CodeType::cubin)), scaled);
    EXPECT_EQ(applied(linker.link(CodeType::ptx)), scaled);
    EXPECT_EQ(applied(linker.link(CodeType::cubin)), scaled);
}

TEST(Linker, TakesAnotherInputAfterALinkThatFailed) {
    Linker linker({compiled(apply_source, "apply.cu", CodeType::ptx)});
    EXPECT_THROW(static_cast<void>(linker.link()), NvJitLinkError);
    EXPECT_THAT(linker.error_log(), HasSubstr("scale"));
    linker.add(compiled(scale_source, "scale.cu", CodeType::ptx));
    EXPECT_EQ(applied(linker.link()), scaled);
    EXPECT_THAT(linker.error_log(), IsEmpty());
}

TEST(Linker, AnUndefinedFunctionIsNamedInTheErrorAndItsLog) {
    const std::string name = "a name that is too long to lie within a string/apply.cu";
    const Linker linker({compiled(apply_source, name, CodeType::ptx)}, {.name = "half"});
    const auto error = error_of<NvJitLinkError>([&] { static_cast<void>(linker.link()); });
    EXPECT_THAT(error.log(), AllOf(HasSubstr("_Z5scalei"), HasSubstr("'" + name + "'")));
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'half'"), HasSubstr("_Z5scalei"), HasSubstr("that defines it")));
    EXPECT_THAT(linker.error_log(), HasSubstr("_Z5scalei"));
    EXPECT_EQ(error.status(), Status::nvjitlink_error);
    EXPECT_EQ(error.domain(), ErrorDomain::nvjitlink);
    EXPECT_NE(error.code(), 0);
}

TEST(Linker, ACubinOfAnotherArchitectureIsRefused) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::cubin, {}, "sm_80")}, {.arch = "sm_90"});
    const auto error = error_of<NvJitLinkError>([&] { static_cast<void>(linker.link()); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("scale.cu"), HasSubstr("sm_90"), HasSubstr("architecture")));
}

TEST(Linker, ACubinOfAnOlderArchitectureOfTheSameMajorVersionIsLinked) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::cubin, {}, "sm_80")}, {.arch = "sm_86"});
    EXPECT_FALSE(linker.link().code().empty());
}

TEST(Linker, PtxForANewerArchitectureIsRefused) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::ptx, {}, "compute_90")}, {.arch = "sm_80"});
    const auto error = error_of<NvJitLinkError>([&] { static_cast<void>(linker.link()); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("sm_80"), HasSubstr("newer architecture")));
}

TEST(Linker, PtxCannotBeLinkedToPtx) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::ptx)});
    const auto error = error_of<InvalidArgument>([&] { static_cast<void>(linker.link(CodeType::ptx)); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("scale.cu"), HasSubstr("LTO-IR")));
}

TEST(Linker, TimesAndDetailsAreInTheInfoLog) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::ltoir)}, {.time = true});
    static_cast<void>(linker.link(CodeType::ptx));
    EXPECT_THAT(linker.info_log(), HasSubstr("time"));
}

TEST(Linker, RegistersCanBeLimited) {
    const ObjectCode code = compiled(R"(
extern "C" __global__ void busy(float* v) {
    float a[64];
    for (int i = 0; i < 64; ++i) a[i] = v[i * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) v[i * 32 + threadIdx.x] = a[63 - i] * a[i] + a[(i * 7) % 64];
})",
                                     "busy.cu", CodeType::ptx);
    const Kernel busy = Linker({code}, {.max_register_count = 32}).link().get_kernel("busy");
    EXPECT_LE(busy.attributes(Device(0)).num_regs, 32);
}

TEST(Linker, EveryOptionIsTaken) {
    const Linker linker(
        {compiled(apply_source, "apply.cu", CodeType::ltoir), compiled(scale_source, "scale.cu", CodeType::ltoir)},
        {.verbose = true,
         .link_time_optimization = true,
         .optimization_level = 3,
         .lineinfo = true,
         .ftz = false,
         .prec_div = true,
         .prec_sqrt = true,
         .fma = true,
         .kernels_used = {"apply"},
         .variables_used = {"nothing"},
         .optimize_unused_variables = true,
         .ptxas_options = {"-v"},
         .split_compile = 1,
         .split_compile_extended = 1,
         .no_cache = true});
    EXPECT_EQ(applied(linker.link()), scaled);
}

TEST(Linker, AnOptionThatNobodyKnowsIsNamed) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::ptx)}, {.extra_options = {"-frobnicate"}});
    const auto error = error_of<InvalidArgument>([&] { static_cast<void>(linker.link()); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("-frobnicate"), HasSubstr("NVJITLINK_ERROR_UNRECOGNIZED_OPTION")));
}

TEST(Linker, HasAHandleOfNvJitLinks) {
    const Linker linker({compiled(scale_source, "scale.cu", CodeType::ptx)});
    EXPECT_NE(linker.handle(), nullptr);
}

// nvJitLink 13.0 crashes when a handle is destroyed in another thread than that which has made it.
TEST(Linker, IsUsedAndDestroyedInAnyThread) {
    const ObjectCode apply = compiled(apply_source, "apply.cu", CodeType::ptx);
    const ObjectCode scale = compiled(scale_source, "scale.cu", CodeType::ptx);
    for (int round = 0; round < 20; ++round) {
        Linker linker({apply}, {.arch = arch_of_device()});
        std::thread([&] { EXPECT_NE(linker.handle(), nullptr); }).join();
        std::thread([&] { EXPECT_THROW(static_cast<void>(linker.link()), NvJitLinkError); }).join();
        linker.add(scale);
        std::thread([&] { EXPECT_NE(linker.handle(), nullptr); }).join();
        EXPECT_FALSE(linker.link().code().empty());
        std::thread([other = std::move(linker)] { EXPECT_FALSE(other.link().code().empty()); }).join();
    }
}

// Passes the calls of a link on, and notes their threads.
struct ThreadsOfLinks {
    std::set<std::thread::id> threads;
    decltype(&::nvJitLinkCreate) create = nullptr;
    decltype(&::nvJitLinkComplete) complete = nullptr;
    decltype(&::nvJitLinkDestroy) destroy = nullptr;
} of_links;

TEST(Linker, OnASmallStackLinksInOneThread) {
    using bindings::TableOverride;
    bindings::Library& library = bindings::nvjitlink::library();
    of_links.threads.clear();
    const TableOverride create(
        library, "nvJitLinkCreate", +[](nvJitLinkHandle* handle, uint32_t count, const char** options) {
            of_links.threads.insert(std::this_thread::get_id());
            return of_links.create(handle, count, options);
        });
    const TableOverride complete(
        library, "nvJitLinkComplete", +[](nvJitLinkHandle handle) {
            of_links.threads.insert(std::this_thread::get_id());
            return of_links.complete(handle);
        });
    const TableOverride destroy(
        library, "nvJitLinkDestroy", +[](nvJitLinkHandle* handle) {
            of_links.threads.insert(std::this_thread::get_id());
            return of_links.destroy(handle);
        });
    of_links.create = reinterpret_cast<decltype(of_links.create)>(create.previous());
    of_links.complete = reinterpret_cast<decltype(of_links.complete)>(complete.previous());
    of_links.destroy = reinterpret_cast<decltype(of_links.destroy)>(destroy.previous());

    const ObjectCode scale = compiled(scale_source, "scale", CodeType::ltoir);
    const ObjectCode apply = compiled(apply_source, "apply", CodeType::ltoir);
    ObjectCode linked;
    test::run_with_stack(256 << 10, [&] { linked = Linker({scale, apply}).link(CodeType::cubin); });
    EXPECT_EQ(of_links.threads.size(), 1U);
    EXPECT_EQ(applied(linked), (std::vector{3, 6, 9, 12}));
}

TEST(Linker, WhatIsLinkedOutlivesTheLinker) {
    const ObjectCode linked = [] {
        return Linker({compiled(apply_source, "apply.cu", CodeType::ptx),
                       compiled(scale_source, "scale.cu", CodeType::ptx)})
            .link();
    }();
    EXPECT_EQ(applied(linked), scaled);
}

TEST(Linker, ObjectCodeThatMustBeLinkedNamesTheLinker) {
    const ObjectCode lto = compiled(scale_source, "scale.cu", CodeType::ltoir);
    for (const ObjectCode& code : {lto, ObjectCode::from_object(lto.code(), "scale.o"),
                                   ObjectCode::from_library(archive_of("scale.o", lto.code()), "libscale.a")}) {
        const auto error = error_of<InvalidState>([&] { static_cast<void>(code.get_kernel("apply")); });
        EXPECT_THAT(error.advice(), HasSubstr("linker")) << error.what();
    }
}

}  // namespace
}  // namespace cuprum::core
