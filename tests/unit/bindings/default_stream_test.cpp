// Which of a function's two variants is called: that for the legacy default stream, or for the per-thread one.
#include <gmock/gmock.h>

#include "cuprum/bindings/options.hpp"
#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

class DefaultStream : public Bindings {
protected:
    ~DefaultStream() override {
        unsetenv("CUPRUM_PER_THREAD_DEFAULT_STREAM");
        use("");
        use_per_thread_default_stream(false);
    }
};

TEST_F(DefaultStream, IsTheLegacyOneUnlessSomebodySaysOtherwise) {
    EXPECT_FALSE(per_thread_default_stream());
    use("runtime");
    EXPECT_EQ(runtime::cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), 1);
}

TEST_F(DefaultStream, OfTheProcessIsPerThreadWhereItIsChosenBeforeTheFirstCall) {
    use_per_thread_default_stream();
    use("runtime");
    EXPECT_EQ(runtime::cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), 2);
    int version = 0;
    EXPECT_EQ(runtime::cudaRuntimeGetVersion(&version), cudaSuccess) << "there is one variant of it";
}

TEST_F(DefaultStream, TheDriverIsAskedForThePerThreadVariantOfThoseFunctionsThatHaveOne) {
    use_per_thread_default_stream();
    use("driver_12");
    driver::cuMemcpy(0, 0, 0);
    EXPECT_STREQ(&variable<char>("miniature_last_query"), "cuMemcpy");
    EXPECT_EQ(variable<unsigned long long>("miniature_last_flags"), CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    driver::cuInit(0);
    EXPECT_EQ(variable<unsigned long long>("miniature_last_flags"), CU_GET_PROC_ADDRESS_DEFAULT);
}

TEST_F(DefaultStream, CannotBeChangedOnceALibraryIsOpen) {
    use("runtime");
    EXPECT_EQ(runtime::cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), 1);
    use_per_thread_default_stream(false);
    EXPECT_THROW(use_per_thread_default_stream(true), InvalidState);
    EXPECT_FALSE(per_thread_default_stream());
}

}  // namespace
}  // namespace cuprum::bindings::test
