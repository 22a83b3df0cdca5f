// What a launch configuration asks for beside grid, block and shared memory.
#include <limits>
#include <tuple>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

class LaunchAttributes : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    Buffer x = buffer_of(device, std::vector<int>(64, 1));

    // 64 threads have each added one.
    void expect_runs(const LaunchConfig& config) {
        launch(stream, config, kernel("increment"), x, 64);
        stream.sync();
        EXPECT_EQ(values_of<int>(x), std::vector<int>(64, 2));
    }
    InvalidArgument refused(const LaunchConfig& config) {
        return error_of<InvalidArgument>([&] { launch(stream, config, kernel("increment"), x, 64); });
    }
};

TEST_F(LaunchAttributes, OfThemAllAtOnce) {
    LaunchConfig config{2, 32};
    config.programmatic_stream_serialization = true;
    config.priority = 0;
    config.preferred_shared_memory_carveout = 50;
    config.memory_sync_domain = MemorySyncDomain::remote;
    config.memory_sync_domain_map = MemorySyncDomainMap{0, 0};
    config.access_policy_window = {.address = x.handle(), .size = x.size(), .hit_ratio = 0.5F};
    expect_runs(config);
}

TEST_F(LaunchAttributes, PriorityMayBeTheStreamsHighest) {
    LaunchConfig config{2, 32};
    config.priority = -1;
    expect_runs(config);
}

TEST_F(LaunchAttributes, ACarveoutIsAPercentage) {
    LaunchConfig config{2, 32};
    for (const int32_t wrong : {-1, 101}) {
        config.preferred_shared_memory_carveout = wrong;
        EXPECT_THAT(refused(config).what(),
                    AllOf(HasSubstr("carveout is " + std::to_string(wrong)), HasSubstr("0 to 100")));
    }
    config.preferred_shared_memory_carveout = 100;
    expect_runs(config);
}

TEST_F(LaunchAttributes, AnAccessPolicyWindowsHitRatioIsAPart) {
    LaunchConfig config{2, 32};
    for (const float wrong : {-0.5F, 1.5F, std::numeric_limits<float>::quiet_NaN()}) {
        config.access_policy_window = {.address = x.handle(), .size = x.size(), .hit_ratio = wrong};
        EXPECT_THAT(refused(config).what(), HasSubstr("hit ratio"));
    }
}

TEST_F(LaunchAttributes, AnAccessPolicyWindowsMissesAreNeverPersisting) {
    LaunchConfig config{2, 32};
    config.access_policy_window = {.address = x.handle(), .size = x.size(), .miss = AccessProperty::persisting};
    EXPECT_THAT(refused(config).what(), HasSubstr("misses are persisting"));
}

TEST_F(LaunchAttributes, AClusterOfOneBlockIsAnyDevices) {
    LaunchConfig config{2, 32};
    config.cluster = Dimensions{1};
    expect_runs(config);
}

// The grid counts clusters then: 1 cluster of 2 blocks.
TEST_F(LaunchAttributes, AClusterMultipliesTheGridWhereTheDeviceHasClusters) {
    LaunchConfig config{1, 32};
    config.cluster = Dimensions{2};
    if (device.properties().cluster_launch) {
        expect_runs(config);
        config.grid.x = static_cast<uint32_t>(device.properties().max_grid_dim_x);
        EXPECT_THAT(refused(config).what(), HasSubstr("grid.x times cluster.x is 4294967294"));
    } else {
        EXPECT_THAT(error_of<Unsupported>([&] { launch(stream, config, kernel("increment"), x, 64); }).what(),
                    AllOf(HasSubstr("(2, 1, 1)"), HasSubstr("no clusters"), HasSubstr("9.0")));
    }
}

TEST_F(LaunchAttributes, AClusterHasBlocks) {
    LaunchConfig config{1, 32};
    config.cluster = Dimensions{1, 0, 1};
    EXPECT_THAT(refused(config).what(), AllOf(HasSubstr("cluster"), HasSubstr("at least 1")));
}

TEST_F(LaunchAttributes, AKernelTellsWhatClustersADeviceTakes) {
    const Kernel increment = kernel("increment");
    LaunchConfig config{4, 32};
    config.cluster = Dimensions{2};
    if (!device.properties().cluster_launch) {
        const auto largest = error_of<Unsupported>([&] { increment.max_potential_cluster_size(config, stream); });
        EXPECT_EQ(largest.operation(), "asking for the largest cluster");
        EXPECT_THAT(largest.what(), AllOf(HasSubstr("increment"), HasSubstr("no clusters"), HasSubstr("9.0")));
        EXPECT_EQ(error_of<Unsupported>([&] { increment.max_active_clusters(config, stream); }).operation(),
                  "asking for the clusters that run at once");
        return;
    }
    const int32_t portable = increment.max_potential_cluster_size(config, stream);
    EXPECT_EQ(portable, 8);  // what every device with clusters takes
    const int32_t of_two = increment.max_active_clusters(config, stream);
    EXPECT_GT(of_two, 0);
    config.cluster = Dimensions{4, 2};
    EXPECT_GT(increment.max_active_clusters(config, device.default_stream()), 0);
    EXPECT_LT(increment.max_active_clusters(config, stream), of_two);
    config.cluster.reset();
    EXPECT_EQ(increment.max_potential_cluster_size(config, stream), portable);  // the configuration's own is ignored
    EXPECT_EQ(increment.max_active_clusters(config, stream), 0);
}

TEST_F(LaunchAttributes, OnlyAKernelAndAStreamTellAboutClusters) {
    const LaunchConfig config{4, 32};
    EXPECT_THROW(static_cast<void>(Kernel().max_potential_cluster_size(config, stream)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Kernel().max_active_clusters(config, stream)), InvalidArgument);
    const Kernel increment = kernel("increment");
    const Stream moved = std::move(stream);
    EXPECT_THROW(static_cast<void>(increment.max_potential_cluster_size(config, stream)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(increment.max_active_clusters(config, stream)), InvalidArgument);
}

TEST(LaunchConfigs, HaveAThreadForEachElement) {
    using Case = std::tuple<uint64_t, uint32_t, uint32_t>;  // elements, block, blocks
    for (const auto& [elements, block, blocks] :
         {Case{1000, 256, 4}, Case{1024, 256, 4}, Case{1025, 256, 5}, Case{1, 256, 1}, Case{0, 256, 1},
          Case{UINT64_C(4294967295) * 1024, 1024, UINT32_MAX}}) {
        EXPECT_EQ(LaunchConfig::for_num_elements(elements, block), (LaunchConfig{blocks, block})) << elements;
    }
}

TEST(LaunchConfigs, HaveNoGridLargerThanAGridCanBe) {
    const auto error = error_of<InvalidArgument>([] { LaunchConfig::for_num_elements(UINT64_MAX, 1); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("18446744073709551615 elements"), HasSubstr("4294967295")));
    EXPECT_THROW(LaunchConfig::for_num_elements(1, 0), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
