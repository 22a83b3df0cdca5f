#pragma once

#include <string>
#include <string_view>

namespace cuprum::core {

// PTX less the variables (.global, .const) that nothing in it mentions but their own declarations. A declaration that
// is not on one line of its own stays, as does what only another unused variable mentions.
std::string without_unused_variables(std::string_view ptx);

}  // namespace cuprum::core
