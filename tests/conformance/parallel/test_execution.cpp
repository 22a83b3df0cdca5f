// Where an algorithm runs, or what it is built for: one value for all of them.
#include <vector>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::HasSubstr;

class Executions : public test::Parallel {
protected:
    std::vector<int32_t> data{5, 1, 7, 3};
    std::vector<int32_t> output = std::vector<int32_t>(4);

    // Every call in one go, on that execution.
    void run_everything(const Execution& execution) {
        EXPECT_EQ(reduce(data, 10, OpKind::plus, execution), 26);
        parallel::inclusive_scan(data, output, OpKind::plus, execution);
        EXPECT_THAT(output, testing::ElementsAre(5, 6, 13, 16));
        parallel::exclusive_scan(data, output, 2, OpKind::plus, execution);
        EXPECT_THAT(output, testing::ElementsAre(2, 7, 8, 15));
        parallel::transform(data, output, OpKind::negate, execution);
        EXPECT_THAT(output, testing::ElementsAre(-5, -1, -7, -3));
        parallel::transform(data, data, output, OpKind::multiplies, execution);
        EXPECT_THAT(output, testing::ElementsAre(25, 1, 49, 9));
        EXPECT_EQ(parallel::select(data, output, OpKind::identity, execution), 4U);
        EXPECT_EQ(argmin(data, execution), 1);
        EXPECT_EQ(argmax(data, execution), 2);
        output = data;
        sort(output, SortOrder::descending, execution);
        EXPECT_THAT(output, testing::ElementsAre(7, 5, 3, 1));
        sort(output, OpKind::less, execution);
        EXPECT_THAT(output, testing::ElementsAre(1, 3, 5, 7));
        std::vector<int32_t> keys = data;
        std::vector<int32_t> values{0, 1, 2, 3};
        sort_by_key(keys, values, SortOrder::ascending, execution);
        EXPECT_THAT(values, testing::ElementsAre(1, 3, 0, 2));
        keys = data;
        sort_by_key(keys, values, OpKind::greater, execution);
        EXPECT_THAT(values, testing::ElementsAre(0, 1, 2, 3));
    }
};

TEST_F(Executions, AreADeviceTheHostsCoresOrArchitectures) {
    EXPECT_EQ(Execution(), Execution::on(core::Device(0)));
    EXPECT_EQ(Execution(), core::Device(0));
    EXPECT_EQ(Execution::on_device(1).device_id(), 1);
    EXPECT_TRUE(Execution::host().is_host());
    EXPECT_NE(Execution::host(), Execution());
    const Execution ahead = Execution::ahead_of_time({"sm_90", "compute_80"});
    EXPECT_EQ(ahead.kind(), Execution::Kind::ahead_of_time);
    EXPECT_THAT(ahead.architectures(), testing::ElementsAre("sm_90", "compute_80"));
    EXPECT_THROW(Execution::ahead_of_time({}), InvalidArgument);
}

TEST_F(Executions, OfEveryCallMayBeADevice) {
    run_everything(core::Device(0));
}

TEST_F(Executions, OfEveryCallMayBeTheHostsCores) {
    run_everything(Execution::host());
}

TEST_F(Executions, OfADeviceThatIsNotThereAreRefused) {
    EXPECT_THROW(reduce(data, 0, OpKind::plus, Execution::on_device(1000)), InvalidArgument);
    EXPECT_THROW(RadixSort(SortOrder::ascending, Type::of<int32_t>(), std::nullopt, Execution::on_device(-1)),
                 InvalidArgument);
}

TEST_F(Executions, AheadOfTimeAreForBuildingAlone) {
    const Execution ahead = Execution::ahead_of_time({"compute_80"});
    const auto refusal = [&](auto call) -> std::string {
        try {
            call();
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(refusal([&] { reduce(data, 0, OpKind::plus, ahead); }), HasSubstr("this call runs one at once"));
    EXPECT_THAT(refusal([&] { parallel::inclusive_scan(data, output, OpKind::plus, ahead); }), HasSubstr("scanning"));
    EXPECT_THAT(refusal([&] { parallel::transform(data, output, OpKind::negate, ahead); }), HasSubstr("at once"));
    EXPECT_THAT(refusal([&] { parallel::select(data, output, OpKind::identity, ahead); }), HasSubstr("at once"));
    EXPECT_THAT(refusal([&] { sort(data, SortOrder::ascending, ahead); }), HasSubstr("at once"));
    EXPECT_THAT(refusal([&] { sort(data, OpKind::less, ahead); }), HasSubstr("at once"));
    EXPECT_THAT(refusal([&] { argmin(data, ahead); }), HasSubstr("at once"));
    EXPECT_THAT(data, testing::ElementsAre(5, 1, 7, 3));
}

}  // namespace
}  // namespace cuprum::parallel
