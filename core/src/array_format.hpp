// Formats of elements, as the driver names them.
#pragma once

#include <string>

#include "cuprum/core/error.hpp"
#include "cuprum/core/opaque_array.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

struct NamedFormat {
    ArrayFormat format;
    CUarray_format native;
};
inline constexpr NamedFormat array_formats[] = {
    {ArrayFormat::uint8, CU_AD_FORMAT_UNSIGNED_INT8},   {ArrayFormat::uint16, CU_AD_FORMAT_UNSIGNED_INT16},
    {ArrayFormat::uint32, CU_AD_FORMAT_UNSIGNED_INT32}, {ArrayFormat::int8, CU_AD_FORMAT_SIGNED_INT8},
    {ArrayFormat::int16, CU_AD_FORMAT_SIGNED_INT16},    {ArrayFormat::int32, CU_AD_FORMAT_SIGNED_INT32},
    {ArrayFormat::float16, CU_AD_FORMAT_HALF},          {ArrayFormat::float32, CU_AD_FORMAT_FLOAT},
};

inline CUarray_format native_format(ArrayFormat format) {
    for (const NamedFormat& each : array_formats) {
        if (each.format == format) return each.native;
    }
    throw InvalidArgument("describing an array", "format", "there is no such format",
                          "give one of the formats of ArrayFormat");
}

// Throws Unsupported for formats of graphics libraries that have no name here.
inline ArrayFormat known_format(CUarray_format native) {
    for (const NamedFormat& each : array_formats) {
        if (each.native == native) return each.format;
    }
    throw Unsupported("describing an array", "format " + std::to_string(native),
                      "elements of this format have no name here");
}

inline void require_channels(const char* operation, const std::string& object, int32_t num_channels) {
    if (num_channels == 1 || num_channels == 2 || num_channels == 4) return;
    throw InvalidArgument(operation, object, "elements of " + std::to_string(num_channels) + " channels",
                          "give 1, 2 or 4 channels");
}

}  // namespace cuprum::core
