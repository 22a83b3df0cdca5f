#include "driver_api.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>

namespace cuprum::test {

namespace {

[[noreturn]] void give_up(const std::string& reason) {
    std::fprintf(stderr, "the driver under test cannot be used: %s\n", reason.c_str());
    std::exit(1);
}

DriverApi open_driver() {
    DriverApi api;
    const char* wanted = std::getenv("CUPRUM_TEST_DRIVER");
    api.path = wanted && *wanted ? wanted : CUPRUM_TEST_SIMULATOR;
    api.library = dlopen(api.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (api.library == nullptr) give_up(dlerror());
    const auto load = [&](auto& member, const char* name) {
        member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(dlsym(api.library, name));
        if (member == nullptr) give_up(api.path + " has no function " + name);
    };
// The name is expanded before it is made a string, so that it is the one that is exported.
#define CUPRUM_STRING(name) #name
#define CUPRUM_TESTED_FUNCTION(name) load(api.name, CUPRUM_STRING(name));
#include "tested_functions.inc"
#undef CUPRUM_TESTED_FUNCTION
#undef CUPRUM_STRING
    if (const CUresult code = api.cuInit(0); code != CUDA_SUCCESS) give_up("cuInit gives " + std::to_string(code));
    char name[256] = "";
    if (api.cuDeviceGetName(name, sizeof name, 0) != CUDA_SUCCESS) give_up("device 0 has no name");
    api.simulated = std::strstr(name, "simulator") != nullptr;
    return api;
}

}  // namespace

void* DriverApi::symbol(const char* name) const {
    return dlsym(library, name);
}

const DriverApi& cu() {
    static const DriverApi api = open_driver();
    return api;
}

std::string name_of(CUresult code) {
    const char* name = nullptr;
    if (cu().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) name = "no CUresult";
    return std::string(name) + " (" + std::to_string(code) + ")";
}

testing::AssertionResult is_code(const char* expression, const char*, CUresult actual, CUresult expected) {
    if (actual == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << expression << "\n  gives    " << name_of(actual) << "\n  expected "
                                       << name_of(expected);
}

std::string data_folder() {
    const char* const folder = std::getenv("CUPRUM_TEST_DATA");
    return folder != nullptr && *folder != '\0' ? folder : CUPRUM_TEST_DATA_FOLDER;
}

std::string ptx(const std::string& name) {
    const std::string path = data_folder() + "/ptx/" + name;
    std::ifstream file(path, std::ios::binary);
    if (!file) give_up(path + " cannot be read");
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void DriverTest::SetUp() {
    ASSERT_OK(cu().cuDeviceGet(&device, 0));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, device));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
}

void DriverTest::TearDown() {
    CUcontext current = nullptr;
    EXPECT_OK(cu().cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context) << "the test has left another context current";
    for (const CUdeviceptr pointer : memory_) {
        EXPECT_OK(cu().cuMemFree(pointer));
    }
    for (const CUevent event : events_) {
        EXPECT_OK(cu().cuEventDestroy(event));
    }
    for (const CUstream stream : streams_) {
        EXPECT_OK(cu().cuStreamDestroy(stream));
    }
    if (module_ != nullptr) {
        EXPECT_OK(cu().cuModuleUnload(module_));
    }
    EXPECT_OK(cu().cuCtxSynchronize());
    EXPECT_OK(cu().cuCtxSetCurrent(nullptr));
    EXPECT_OK(cu().cuDevicePrimaryCtxRelease(device));
}

CUmodule DriverTest::module() {
    if (module_ == nullptr) {
        EXPECT_OK(cu().cuModuleLoadData(&module_, ptx("kernels.ptx").c_str()));
    }
    return module_;
}

CUfunction DriverTest::function(const char* name) {
    CUfunction found = nullptr;
    EXPECT_OK(cu().cuModuleGetFunction(&found, module(), name));
    return found;
}

CUstream DriverTest::new_stream(unsigned int flags) {
    CUstream stream = nullptr;
    EXPECT_OK(cu().cuStreamCreate(&stream, flags));
    streams_.push_back(stream);
    return stream;
}

CUevent DriverTest::new_event(unsigned int flags) {
    CUevent event = nullptr;
    EXPECT_OK(cu().cuEventCreate(&event, flags));
    events_.push_back(event);
    return event;
}

CUdeviceptr DriverTest::allocate(size_t bytes) {
    CUdeviceptr pointer = 0;
    EXPECT_OK(cu().cuMemAlloc(&pointer, bytes));
    memory_.push_back(pointer);
    return pointer;
}

struct Gate::State {
    std::mutex mutex;
    std::condition_variable changed;
    bool opened = false;
};

Gate::Gate() : state_(std::make_shared<State>()) {}

Gate::~Gate() {
    open();
}

void Gate::close_in(CUstream stream) {
    auto* held = new std::shared_ptr<State>(state_);
    const auto wait = [](void* data) {
        const std::unique_ptr<std::shared_ptr<State>> state(static_cast<std::shared_ptr<State>*>(data));
        std::unique_lock lock((*state)->mutex);
        (*state)->changed.wait(lock, [&] { return (*state)->opened; });
    };
    EXPECT_OK(cu().cuLaunchHostFunc(stream, wait, held));
}

void Gate::open() {
    const std::lock_guard lock(state_->mutex);
    state_->opened = true;
    state_->changed.notify_all();
}

bool in_process_of_its_own(const std::vector<std::string>& environment) {
    static const char* const marker = "CUPRUM_TEST_ALONE=1";
    if (std::getenv("CUPRUM_TEST_ALONE") != nullptr) return true;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string program = "/proc/self/exe";
    std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
    char* const arguments[] = {program.data(), filter.data(), nullptr};
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        variables.push_back(*variable);
    }
    // Later ones of a name are hidden by earlier ones, so what is added comes first.
    for (const std::string& added : environment) {
        variables.insert(variables.begin(), const_cast<char*>(added.c_str()));
    }
    variables.push_back(const_cast<char*>(marker));
    variables.push_back(nullptr);
    char self[4096] = "";
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    pid_t child = 0;
    const int spawned =
        posix_spawn(&child, length > 0 ? self : program.c_str(), nullptr, nullptr, arguments, variables.data());
    EXPECT_EQ(spawned, 0) << std::strerror(spawned);
    int status = 0;
    if (spawned == 0) {
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "the test's own process ended by signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0) << "the test failed in its own process";
    }
    return false;
}

}  // namespace cuprum::test
