// What tells this library from NVIDIA's, and lets a program name the driver that it uses.
#include "runtime/driver.hpp"

#pragma GCC visibility push(default)

extern "C" {

void cuprum_simulator_companion(const char* driver);

void cuprum_simulator_companion(const char* driver) {
    cuprum::simulator::runtime::driver::use(driver);
}

}  // extern "C"
