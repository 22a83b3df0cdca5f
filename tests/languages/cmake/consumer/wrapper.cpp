// A user's own library over Cuprum.
#include <string>

#include <cuprum/cuprum.hpp>

std::string name_of_the_device() {
    return cuprum::core::Device(0).name();
}
