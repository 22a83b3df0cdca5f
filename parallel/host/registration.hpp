// How an algorithm comes into the table that libcuprum gets (interface.hpp): from its own file.
#pragma once

#include "interface.hpp"

namespace cuprum::parallel::host {

// Filled while the library is opened, and read by libcuprum once it is.
inline constinit Functions functions{};

// `const Registration registration(&Functions::reduce, reduce);` beside the algorithm.
struct Registration {
    template <class Function>
    Registration(Function Functions::*entry, Function algorithm) noexcept {
        functions.*entry = algorithm;
    }
};

}  // namespace cuprum::parallel::host
