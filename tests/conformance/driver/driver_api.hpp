// The CUDA driver under test: a libcuda opened at run time, the simulator's or a GPU's.
//
// CUPRUM_TEST_DRIVER names the library; without it the simulator of this build is used.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cuprum::test {

struct DriverApi {
// The name is expanded first, so that it is the one that is exported.
#define CUPRUM_TESTED_FUNCTION(name) decltype(&::name) name = nullptr;
#include "tested_functions.inc"
#undef CUPRUM_TESTED_FUNCTION

    void* library = nullptr;
    std::string path;
    bool simulated = false;  // the device's name says so
    // Any exported symbol; null if there is none.
    void* symbol(const char* name) const;
};

// Opened and initialised at the first call; ends the program with a message if that fails.
const DriverApi& cu();

// "CUDA_ERROR_INVALID_VALUE (1)".
std::string name_of(CUresult code);

// For EXPECT_THAT-free checks that show both codes by name.
testing::AssertionResult is_code(const char* expression, const char* expected_text, CUresult actual, CUresult expected);

#define EXPECT_CU(expected, call) EXPECT_PRED_FORMAT2(::cuprum::test::is_code, call, expected)
#define ASSERT_CU(expected, call) ASSERT_PRED_FORMAT2(::cuprum::test::is_code, call, expected)
#define EXPECT_OK(call) EXPECT_CU(CUDA_SUCCESS, call)
#define ASSERT_OK(call) ASSERT_CU(CUDA_SUCCESS, call)

// tests/data.
std::string data_folder();
// The text of tests/data/ptx/<name>.
std::string ptx(const std::string& name);

// A retained and current primary context of device 0, the tests' kernels loaded on demand.
class DriverTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    CUfunction function(const char* name);
    CUmodule module();
    CUstream new_stream(unsigned int flags = CU_STREAM_NON_BLOCKING);
    CUevent new_event(unsigned int flags = CU_EVENT_DEFAULT);
    CUdeviceptr allocate(size_t bytes);
    template <typename Value>
    CUdeviceptr upload(const std::vector<Value>& values) {
        const CUdeviceptr pointer = allocate(values.size() * sizeof(Value));
        EXPECT_OK(cu().cuMemcpyHtoD(pointer, values.data(), values.size() * sizeof(Value)));
        // The driver returns once the bytes are staged, and the tests' streams do not wait for the default stream.
        EXPECT_OK(cu().cuStreamSynchronize(CU_STREAM_LEGACY));
        return pointer;
    }
    template <typename Value>
    std::vector<Value> download(CUdeviceptr pointer, size_t count) {
        std::vector<Value> values(count);
        EXPECT_OK(cu().cuMemcpyDtoH(values.data(), pointer, count * sizeof(Value)));
        return values;
    }
    CUresult launch(CUfunction kernel, unsigned int grid, unsigned int block, CUstream stream,
                    std::vector<void*> parameters, unsigned int shared_bytes = 0) {
        return cu().cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream, parameters.data(), nullptr);
    }

    CUdevice device = 0;
    CUcontext context = nullptr;

private:
    CUmodule module_ = nullptr;
    std::vector<CUstream> streams_;
    std::vector<CUevent> events_;
    std::vector<CUdeviceptr> memory_;
};

// A host function in a stream that waits until the gate is opened: what is behind it cannot start before.
class Gate {
public:
    Gate();
    // Opens the gate. The stream must have been synchronised before the next call of close_in.
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void close_in(CUstream stream);
    void open();

private:
    struct State;
    std::shared_ptr<State> state_;
};

// A fault of a kernel puts a GPU out of service for the rest of the process, so tests of faults run in processes of
// their own: true in such a process; elsewhere runs the current test in one, expects it to pass there, and returns
// false. `environment` is added to the new process's.
bool in_process_of_its_own(const std::vector<std::string>& environment = {});

}  // namespace cuprum::test
