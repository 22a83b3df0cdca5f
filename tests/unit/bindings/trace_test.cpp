// What the trace says about calls.
#include "cuprum/bindings/trace.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "cuprum/bindings/fault.hpp"
#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Trace : public Bindings {
protected:
    Trace() { use("driver_12"); }
    ~Trace() override {
        stop_trace();
        unlink(text_.c_str());
        unlink(chrome_.c_str());
    }

    // With the white space that lies behind the end while the trace runs.
    static std::string whole_content(const std::string& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    static std::string content(const std::string& path) {
        std::string text = whole_content(path);
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

    std::string text_ = testing::TempDir() + "cuprum_calls_" + std::to_string(getpid()) + ".txt";
    std::string chrome_ = testing::TempDir() + "cuprum_calls_" + std::to_string(getpid()) + ".json";
};

TEST_F(Trace, ALineSaysNameArgumentsResultTimeAndThread) {
    start_trace(text_);
    CUdeviceptr address = 0;
    driver::cuMemAlloc(&address, 0x1234);
    EXPECT_THAT(content(text_),
                AllOf(HasSubstr(" us "), HasSubstr("thread " + std::to_string(gettid())),
                      EndsWith("cuMemAlloc(dptr=[0xffffffff00001234], bytesize=4660) = CUDA_SUCCESS\n")));
}

TEST_F(Trace, AChromeTraceIsCompleteAfterEachCall) {
    start_trace(chrome_);
    EXPECT_EQ(content(chrome_), "[\n]\n");
    CUdeviceptr address = 0;
    driver::cuMemAlloc(&address, 16);
    const std::string once = content(chrome_);
    EXPECT_THAT(once, AllOf(StartsWith("[\n{\"ph\":\"X\",\"cat\":\"driver\",\"name\":\"cuMemAlloc\""),
                            HasSubstr("\"args\": {\"dptr\": [\"0xffffffff00000010\"], \"bytesize\": 16, "
                                      "\"result\": \"CUDA_SUCCESS\"}}"),
                            EndsWith("}\n]\n")));
    driver::cuInit(0);
    EXPECT_THAT(content(chrome_), AllOf(HasSubstr("}},\n{"), HasSubstr("\"cuInit\""), EndsWith("}}\n]\n")));
}

TEST_F(Trace, NothingIsBehindTheEndOnceItHasEnded) {
    for (const std::string& path : {text_, chrome_}) {
        start_trace(path);
        driver::cuInit(0);
        stop_trace();
        EXPECT_EQ(whole_content(path), content(path));
        EXPECT_THAT(content(path), EndsWith("\n"));
    }
}

TEST_F(Trace, AFormerTraceOfTheNameIsReplacedEvenWhileItIsRead) {
    start_trace(chrome_);
    driver::cuInit(0);
    std::ifstream reader(chrome_);
    start_trace(chrome_);
    EXPECT_EQ(content(chrome_), "[\n]\n");
    std::ostringstream former;
    former << reader.rdbuf();
    EXPECT_THAT(former.str(), HasSubstr("\"cuInit\""));
}

TEST_F(Trace, WhatAFailedCallHasNotWrittenIsNotRead) {
    start_trace(text_);
    driver::cuMemPoolCreate(reinterpret_cast<CUmemoryPool*>(0x10), nullptr);
    EXPECT_THAT(content(text_), EndsWith("cuMemPoolCreate(pool=0x10, poolProps=NULL) = CUDA_ERROR_NOT_FOUND\n"));
}

TEST_F(Trace, StructuresAreShownWithTheirFieldsAndTextsAreQuoted) {
    start_trace(text_);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.WidthInBytes = 64;
    driver::cuMemcpy2D(&copy);
    CUfunction function = nullptr;
    driver::cuModuleGetFunction(&function, nullptr, "a\"b\n");
    EXPECT_THAT(content(text_), AllOf(HasSubstr("pCopy=[{srcXInBytes=0, srcY=0, srcMemoryType=CU_MEMORYTYPE_HOST"),
                                      HasSubstr("WidthInBytes=64"), HasSubstr("name=\"a\\\"b\\n\"")));
}

TEST_F(Trace, EveryCallOfAFunctionIsWrittenAlike) {
    start_trace(chrome_);
    for (std::size_t size = 1; size <= 3; ++size) {
        CUdeviceptr address = 0;
        driver::cuMemAlloc(&address, size);
        EXPECT_THAT(content(chrome_),
                    EndsWith("\"args\": {\"dptr\": [\"0xffffffff0000000" + std::to_string(size) +
                             "\"], \"bytesize\": " + std::to_string(size) + ", \"result\": \"CUDA_SUCCESS\"}}\n]\n"));
    }
}

TEST_F(Trace, NumbersOfEveryWidthAreWhole) {
    start_trace(text_);
    driver::cuMemsetD8(0x10, 0xff, 0xffffffff);
    driver::cuMemsetD16(0x10, 0xffff, 1);
    driver::cuMemsetD32(0xffffffffffffffff, 0xffffffff, 1);
    EXPECT_THAT(content(text_), AllOf(HasSubstr("cuMemsetD8(dstDevice=16, uc=255, N=4294967295)"),
                                      HasSubstr("cuMemsetD16(dstDevice=16, us=65535, N=1)"),
                                      HasSubstr("cuMemsetD32(dstDevice=0xffffffffffffffff, ui=4294967295, N=1)")));
}

TEST_F(Trace, AProcessThatIsKilledLeavesAWholeTrace) {
    const pid_t child = fork();
    if (child == 0) {
        start_trace(chrome_);
        for (unsigned int call = 0; call < 100; ++call)
            driver::cuInit(call);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(content(chrome_), AllOf(HasSubstr("\"Flags\": 0,"), HasSubstr("\"Flags\": 99,"), EndsWith("}}\n]\n")));
}

TEST_F(Trace, AnInjectedFaultIsMarked) {
    start_trace(text_);
    const FaultInjection fault("cuInit=CUDA_ERROR_NO_DEVICE");
    driver::cuInit(0);
    EXPECT_THAT(content(text_), EndsWith("cuInit(Flags=0) = CUDA_ERROR_NO_DEVICE  [injected]\n"));
}

TEST_F(Trace, AQuestionWhoseAnswerIsAFailureIsAProbe) {
    start_trace(text_);
    const FaultInjection fault("cuInit:1+=CUDA_ERROR_NO_DEVICE");
    {
        const Probe probe(CUDA_ERROR_NO_DEVICE);
        driver::cuInit(0);
        EXPECT_THAT(content(text_), EndsWith("cuInit(Flags=0) = 100  [probe]  [injected]\n"));
        const Probe other(CUDA_ERROR_INVALID_VALUE);
        driver::cuInit(0);
        EXPECT_THAT(content(text_), EndsWith("cuInit(Flags=0) = CUDA_ERROR_NO_DEVICE  [injected]\n"));
    }
    driver::cuInit(0);
    EXPECT_THAT(content(text_), EndsWith("cuInit(Flags=0) = CUDA_ERROR_NO_DEVICE  [injected]\n"));
    start_trace(chrome_);
    const Probe probe(CUDA_ERROR_NO_DEVICE);
    driver::cuInit(0);
    EXPECT_THAT(content(chrome_), HasSubstr("\"result\": 100, \"probe\": true, \"injected\": true}}"));
}

TEST_F(Trace, OtherLibrariesAreTracedToo) {
    use("nvrtc");
    start_trace(text_);
    int major = 0;
    int minor = 0;
    nvrtc::nvrtcVersion(&major, &minor);
    nvrtc::nvrtcGetErrorString(NVRTC_SUCCESS);
    EXPECT_THAT(content(text_), AllOf(HasSubstr("nvrtcVersion(major=[12], minor=[3]) = NVRTC_SUCCESS"),
                                      HasSubstr("nvrtcGetErrorString(result=NVRTC_SUCCESS) = \"miniature success\"")));
}

TEST_F(Trace, CallsOfManyThreadsAreAllThereAndWhole) {
    start_trace(text_);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int call = 0; call < 50; ++call) {
                driver::cuInit(0);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::istringstream lines(content(text_));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_THAT(line, EndsWith("cuInit(Flags=0) = CUDA_SUCCESS"));
    }
    EXPECT_EQ(count, 200);
}

TEST_F(Trace, EndsWhenItIsStoppedAndASecondTakesTheFirstsPlace) {
    start_trace(text_);
    driver::cuInit(0);
    start_trace(chrome_);
    driver::cuInit(1);
    stop_trace();
    driver::cuInit(2);
    EXPECT_THAT(content(text_), AllOf(HasSubstr("Flags=0"), Not(HasSubstr("Flags=1"))));
    EXPECT_THAT(content(chrome_), AllOf(HasSubstr("\"Flags\": 1"), Not(HasSubstr("\"Flags\": 2"))));
}

TEST_F(Trace, AForkedChildWritesNothingToItsParentsFile) {
    start_trace(text_);
    const pid_t child = fork();
    if (child == 0) {
        driver::cuInit(3);
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    driver::cuInit(0);
    EXPECT_THAT(content(text_), AllOf(HasSubstr("Flags=0"), Not(HasSubstr("Flags=3"))));
}

TEST_F(Trace, ProcessIdsStandForPercentP) {
    std::string pattern = chrome_;
    pattern.replace(pattern.find(std::to_string(getpid())), std::to_string(getpid()).size(), "%p");
    start_trace(pattern);
    driver::cuInit(0);
    EXPECT_THAT(content(chrome_), HasSubstr("cuInit"));
}

TEST_F(Trace, AFullDiskEndsTheTraceAndNotTheCalls) {
    start_trace("/dev/full");
    EXPECT_EQ(driver::cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuInit(0), CUDA_SUCCESS);
}

TEST_F(Trace, APipeGetsTheCallsAsTheyAreMade) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    start_trace("/proc/self/fd/" + std::to_string(ends[1]));
    driver::cuInit(0);
    stop_trace();
    std::string text(4096, '\0');
    text.resize(static_cast<std::size_t>(read(ends[0], text.data(), text.size())));
    EXPECT_THAT(text, EndsWith("cuInit(Flags=0) = CUDA_SUCCESS\n"));
    close(ends[0]);
    close(ends[1]);
}

TEST_F(Trace, AFileThatCannotBeWrittenIsRefusedAndNamed) {
    try {
        start_trace("/nonexistent/calls.json");
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), HasSubstr("/nonexistent/calls.json"));
    }
}

}  // namespace
}  // namespace cuprum::bindings::test
