// Which functions a linker's log says are missing.
#include <gtest/gtest.h>

#include "link_log.hpp"

namespace cuprum::parallel {
namespace {

TEST(LinkLog, TheLinkerSaysWhatIsMissing) {
    const char* const log = "linking\nerror   : Undefined reference to 'largest' in 'cuprum_reduce'\nfailed\n";
    EXPECT_TRUE(is_missing("largest", log));
    EXPECT_FALSE(is_missing("large", log));
    EXPECT_FALSE(is_missing("cuprum_scan", log));
}

TEST(LinkLog, SoDoesPtxasOfWhatWasLtoIr) {
    const char* const log =
        "ptxas fatal   : Unresolved extern function 'hypotenus'\n"
        "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (ltoPtx)";
    EXPECT_TRUE(is_missing("hypotenus", log));
    EXPECT_FALSE(is_missing("hypotenuse", log));
}

TEST(LinkLog, NamesInOtherLinesAreNotMissing) {
    EXPECT_FALSE(is_missing("largest", ""));
    EXPECT_FALSE(is_missing("largest", "undefined\nfunction 'largest' has 3 parameters"));
    EXPECT_FALSE(is_missing("largest", "warning: function 'largest' is undefined behaviour's only caller"));
}

}  // namespace
}  // namespace cuprum::parallel
