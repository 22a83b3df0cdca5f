// The one place through which core reaches the driver.
#pragma once

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::core {

namespace driver = cuprum::bindings::driver;

}  // namespace cuprum::core
