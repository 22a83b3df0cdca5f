// Each test says which driver and which NVRTC the process has; what the machine has must not show.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nvrtc.hpp"

namespace cuprum::bindings::test {

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
