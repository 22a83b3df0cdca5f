// Whether code is whole. The driver's functions that load code take an address and no size: they believe what an image
// says of its own, and run past its end where it claims more than there is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cuprum/core/object_code.hpp"

namespace cuprum::core {

// Checks `code`, which is followed by a NUL, before a driver is given it. An image is taken for what it begins like; of
// what it says of sizes and places, all must lie within it: the tables, sections and segments of ELF files, their
// string tables and symbols; the header and the entries of fat binaries and the ELF files in them. What is compressed
// is not unpacked. Throws InvalidArgument: the kind of image, what is cut or wrong, how many bytes there are and were
// expected.
void check_image(CodeType type, std::string_view code, const std::string& object);

// The architecture of machine code, 80 for sm_80; 0 where the code is no cubin.
uint32_t architecture_of_cubin(std::string_view code);

}  // namespace cuprum::core
