// Linking PTX at run time.
#include <cstring>
#include <string>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

const char* const caller = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 value);
.extern .global .align 4 .u32 shared_counter;
.visible .entry apply(.param .u64 pointer) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [pointer];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    {
        .param .b32 argument;
        .param .b32 returned;
        st.param.b32 [argument], %r1;
        call.uni (returned), twice, (argument);
        ld.param.b32 %r2, [returned];
    }
    ld.global.u32 %r3, [shared_counter];
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%rd2], %r2;
    ret;
}
)";

const char* const callee = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 shared_counter = 100;
.visible .func (.param .b32 result) twice(.param .b32 value) {
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [value];
    add.u32 %r2, %r1, %r1;
    st.param.b32 [result], %r2;
    ret;
}
)";

class LinkTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        values[0] = log;
        values[1] = reinterpret_cast<void*>(sizeof log);
        ASSERT_OK(cu().cuLinkCreate(2, options, values, &state));
    }
    void TearDown() override {
        EXPECT_OK(cu().cuLinkDestroy(state));
        DriverTest::TearDown();
    }
    CUresult add(const char* text, const char* name) {
        return cu().cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1, name, 0,
                                  nullptr, nullptr);
    }

    CUlinkState state = nullptr;
    char log[4096] = "";
    void* values[2] = {};
};

TEST_F(LinkTest, DefinitionsAreFoundInOtherInputs) {
    ASSERT_OK(add(caller, "caller"));
    ASSERT_OK(add(callee, "callee"));
    void* object = nullptr;
    size_t size = 0;
    ASSERT_OK(cu().cuLinkComplete(state, &object, &size));
    ASSERT_NE(object, nullptr);
    ASSERT_GT(size, 4u);
    EXPECT_EQ(std::memcmp(object,
                          "\x7f"
                          "ELF",
                          4),
              0)
        << "what comes out looks like a cubin";
    CUmodule linked = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&linked, object));
    CUfunction apply = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&apply, linked, "apply"));
    CUdeviceptr pointer = upload(std::vector<unsigned>{21});
    ASSERT_OK(launch(apply, 1, 1, nullptr, {&pointer}));
    EXPECT_EQ(download<unsigned>(pointer, 1), std::vector<unsigned>{142});
    EXPECT_OK(cu().cuModuleUnload(linked));
}

TEST_F(LinkTest, ObjectsCanBeLinkedAgain) {
    ASSERT_OK(add(callee, "callee"));
    void* object = nullptr;
    size_t size = 0;
    ASSERT_OK(cu().cuLinkComplete(state, &object, &size));
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, object, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUdeviceptr counter = 0;
    size_t bytes = 0;
    ASSERT_OK(cu().cuLibraryGetGlobal(&counter, &bytes, library, "shared_counter"));
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(download<unsigned>(counter, 1), std::vector<unsigned>{100});
    EXPECT_OK(cu().cuLibraryUnload(library));
}

// Of each kind that CUDA C++ declares with `extern`: a variable, an array without a size, a constant.
TEST_F(LinkTest, VariablesAreSharedByTheKernelsOfAllInputs) {
    const char* const reader = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .global .align 4 .u32 counter;
.extern .global .align 4 .u32 table[];
.extern .const .align 4 .u32 factor;
.global .align 8 .u64 of_table = generic(table);
.visible .entry read(.param .u64 out) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd1, %rd1;
    ld.global.u32 %r1, [counter];
    ld.const.u32 %r2, [factor];
    ld.global.u64 %rd2, [of_table];
    ld.u32 %r3, [%rd2+8];
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%rd1+4], %r2;
    st.global.u32 [%rd1+8], %r3;
    ret;
}
)";
    const char* const writer = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter = 41;
.visible .global .align 4 .u32 table[3] = {5, 6, 7};
.visible .const .align 4 .u32 factor = 3;
.visible .entry write() {
    .reg .b32 %r1;
    ld.global.u32 %r1, [counter];
    add.u32 %r1, %r1, 1;
    st.global.u32 [counter], %r1;
    st.global.u32 [table+8], %r1;
    ret;
}
)";
    ASSERT_OK(add(reader, "reader"));
    ASSERT_OK(add(writer, "writer"));
    void* object = nullptr;
    size_t size = 0;
    ASSERT_OK(cu().cuLinkComplete(state, &object, &size)) << log;
    CUmodule linked = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&linked, object));
    CUfunction read = nullptr, write = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&read, linked, "read"));
    ASSERT_OK(cu().cuModuleGetFunction(&write, linked, "write"));
    CUdeviceptr out = allocate(12);
    ASSERT_OK(launch(write, 1, 1, nullptr, {}));
    ASSERT_OK(launch(read, 1, 1, nullptr, {&out}));
    EXPECT_EQ(download<unsigned>(out, 3), (std::vector<unsigned>{42, 3, 42}));
    EXPECT_OK(cu().cuModuleUnload(linked));
}

TEST_F(LinkTest, AVariableThatIsDefinedNowhereIsNamed) {
    ASSERT_OK(
        add(".version 7.0\n.target sm_75\n.address_size 64\n.extern .global .align 4 .u32 elsewhere;\n"
            ".visible .entry k()\n{\n  st.global.u32 [elsewhere], 1;\n  ret;\n}\n",
            "writer"));
    void* object = nullptr;
    size_t size = 0;
    EXPECT_NE(cu().cuLinkComplete(state, &object, &size), CUDA_SUCCESS);
    EXPECT_NE(std::string(log).find("elsewhere"), std::string::npos) << log;
}

TEST_F(LinkTest, WhatIsDefinedNowhereIsNamed) {
    ASSERT_OK(add(caller, "caller"));
    void* object = nullptr;
    size_t size = 0;
    EXPECT_NE(cu().cuLinkComplete(state, &object, &size), CUDA_SUCCESS);
    EXPECT_NE(std::string(log).find("twice"), std::string::npos) << log;
}

TEST_F(LinkTest, WhatIsDefinedTwiceIsNamed) {
    ASSERT_OK(add(callee, "first"));
    EXPECT_CU(CUDA_ERROR_INVALID_SOURCE, add(callee, "second"));
    EXPECT_NE(std::string(log).find("twice"), std::string::npos) << log;
}

TEST_F(LinkTest, BadPtxIsRefusedWhenItIsAdded) {
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, add(".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n", "bad"));
    EXPECT_NE(std::string(log), "");
}

TEST_F(LinkTest, FilesThatAreNotThereAreNamed) {
    EXPECT_CU(CUDA_ERROR_FILE_NOT_FOUND,
              cu().cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nonexistent/file.ptx", 0, nullptr, nullptr));
}

}  // namespace
}  // namespace cuprum::test
