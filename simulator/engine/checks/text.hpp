// Small pieces of text for messages.
#pragma once

#include <cstdint>
#include <string>

namespace cuprum::simulator {

std::string hexadecimal(uint64_t value);  // "0x7f00"

}  // namespace cuprum::simulator
