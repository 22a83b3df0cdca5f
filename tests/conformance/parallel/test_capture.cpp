// Calls captured in a graph, and the graph launched several times.
#include <cuda.h>

#include <algorithm>
#include <numeric>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

namespace driver = cuprum::bindings::driver;

class Capture : public test::Parallel {
protected:
    // Captures what `calls` puts into the stream, and launches it twice.
    template <class Calls>
    void launch_twice(const Calls& calls) const {
        device.set_current();
        CUgraph graph = nullptr;
        CUgraphExec executable = nullptr;
        ASSERT_EQ(driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
        calls();
        ASSERT_EQ(driver::cuStreamEndCapture(stream.handle(), &graph), CUDA_SUCCESS);
        ASSERT_EQ(driver::cuGraphInstantiate(&executable, graph, 0), CUDA_SUCCESS);
        for (int i = 0; i < 2; ++i)
            ASSERT_EQ(driver::cuGraphLaunch(executable, stream.handle()), CUDA_SUCCESS);
        stream.sync();
        driver::cuGraphExecDestroy(executable);
        driver::cuGraphDestroy(graph);
    }
};

TEST_F(Capture, WorksWithTheCallersStorageAndWithThePools) {
    const uint64_t count = 20011;
    const Type type = Type::of<uint32_t>();
    const Iterator pointer = Iterator::pointer(type);
    const Reduce reduce(pointer, OpKind::plus, type);
    const Scan scan(ScanKind::inclusive, pointer, OpKind::plus, type);
    const RadixSort sort(SortOrder::ascending, type);
    const std::vector<uint32_t> elements = test::random_elements<uint32_t>(count);
    const core::Buffer input = upload(elements);
    const core::Buffer sum = memory_for<uint32_t>(1);
    const core::Buffer sums = memory_for<uint32_t>(count);
    const core::Buffer sorted = memory_for<uint32_t>(count);
    const core::Buffer storage = device.allocate(
        std::max({reduce.temp_storage_bytes(count), scan.temp_storage_bytes(count), sort.temp_storage_bytes(count)}));
    std::vector<uint32_t> expected = elements;
    std::sort(expected.begin(), expected.end());
    for (const CallOptions& options : {CallOptions{.temp_storage = storage}, CallOptions{}}) {
        launch_twice([&] {
            reduce(stream, input, sum, count, uint32_t{0}, options);
            scan(stream, input, sums, count, options);
            sort(stream, input, sorted, count, {}, options);
        });
        const uint32_t total = std::accumulate(elements.begin(), elements.end(), uint32_t{0});
        EXPECT_EQ(download_one<uint32_t>(sum), total);
        EXPECT_EQ(download<uint32_t>(sums).back(), total);
        EXPECT_EQ(download<uint32_t>(sorted), expected);
    }
}

}  // namespace
}  // namespace cuprum::parallel
