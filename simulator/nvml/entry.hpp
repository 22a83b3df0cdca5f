// What every exported function shares.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "nvml/devices.hpp"

namespace cuprum::simulator::nvml {

// Runs the body with the device behind the handle; its result, or why there is no such device.
template <class Body>
Result with_device(DeviceHandle* handle, Body&& body) {
    try {
        Result status = success;
        Device* const device = find(handle, status);
        return device == nullptr ? status : body(*device);
    } catch (const std::bad_alloc&) {
        return out_of_memory;
    } catch (const std::exception&) {
        return unknown;
    }
}

// Writes the text with its end, where there is room for it.
inline Result give_text(std::string_view text, char* to, unsigned int room) {
    if (to == nullptr) return invalid_argument;
    if (text.size() >= room) return insufficient_size;
    std::memcpy(to, text.data(), text.size());
    to[text.size()] = '\0';
    return success;
}

template <class Number, class Value>
Result give(Number* to, Value value) {
    if (to == nullptr) return invalid_argument;
    *to = static_cast<Number>(value);
    return success;
}

// How lists are given: the count alone where there is no room for all.
template <class Element, class Elements>
Result give_list(const Elements& elements, unsigned int* count, Element* to) {
    if (count == nullptr) return invalid_argument;
    const unsigned int room = *count;
    *count = static_cast<unsigned int>(elements.size());
    if (room < elements.size() || (to == nullptr && !elements.empty())) return insufficient_size;
    for (const Element& element : elements)
        *to++ = element;
    return success;
}

}  // namespace cuprum::simulator::nvml
