// Each test says which driver and which NVRTC the process has; what the machine has must not show.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "../pathfinder/fake_system.hpp"

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nccl.hpp"
#include "cuprum/bindings/nvjitlink.hpp"
#include "cuprum/bindings/nvml.hpp"
#include "cuprum/bindings/nvrtc.hpp"
#include "cuprum/bindings/nvvm.hpp"
#include "cuprum/bindings/runtime.hpp"
#include "cuprum/pathfinder/finder.hpp"

namespace cuprum::bindings::test {

/// A machine with no library at all, in the place of the one that runs this, for as long as it lives.
class EmptyMachine {
public:
    EmptyMachine() { pathfinder::replace_system(&system_); }
    ~EmptyMachine() { pathfinder::replace_system(nullptr); }
    EmptyMachine(const EmptyMachine&) = delete;
    EmptyMachine& operator=(const EmptyMachine&) = delete;

private:
    const pathfinder::test::FakeSystem system_;
};

class Bindings : public testing::Test {
protected:
    Bindings() {
        for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_PATH", "CUDA_HOME", "CUPRUM_SIMULATOR_PATH"}) {
            unsetenv(name);
        }
        use("");
    }
    ~Bindings() override { use(""); }

    /// From now on there is the miniature of that name; none for "". CUPRUM_DRIVER=sim and a path that names nothing
    /// stand for a machine without a driver, because the machine that runs this may have one.
    void use(const std::string& miniature) {
        const std::string folder = std::string(MINIATURES) + "/" + miniature;
        setenv("CUPRUM_DRIVER", "sim", 1);
        setenv("CUPRUM_SIMULATOR_PATH", miniature.empty() ? "/nonexistent/libcuda.so.1" : folder.c_str(), 1);
        setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
        pathfinder::reset_cache();
        for (Library* library : libraries()) {
            library->reset();
        }
        take_resolution_failure();
    }

    /// A variable of the miniature driver that is loaded.
    template <class Value>
    static Value& variable(const char* name) {
        void* address = dlsym(driver::library().load().handle, name);
        if (address == nullptr) {
            throw std::runtime_error(std::string("the miniature has no ") + name);
        }
        return *static_cast<Value*>(address);
    }
};

}  // namespace cuprum::bindings::test
