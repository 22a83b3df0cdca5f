// How many objects are alive: each is counted from when it is made until the last of its owners is gone.
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

uint64_t count(ObjectKind kind) {
    return live_objects(kind);
}

// What graphs of other tests have kept goes in the driver's own time.
void let_go_of_all(const Device& device) {
    for (int i = 0; i < 10; ++i) {
        device.sync();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

TEST(LiveObjects, AreCountedByKind) {
    const Device device(0);
    let_go_of_all(device);
    const std::map<std::string, uint64_t> before = live_objects();
    {
        const Stream stream = device.create_stream();
        const Event event = device.create_event();
        Buffer buffer = device.allocate(16);
        const Buffer moved = std::move(buffer);
        const Program program("extern \"C\" __global__ void nothing() {}");
        const Program copy = program;
        const ObjectCode code = program.compile();
        const Kernel kernel = code.get_kernel("nothing");
        const GraphDefinition definition(device);
        const Graph graph = definition.instantiate();
        const GraphBuilder builder(stream);
        std::map<std::string, uint64_t> expected = before;
        for (const char* const kind : {"stream", "event", "buffer", "program", "object code", "kernel",
                                       "graph definition", "graph", "graph builder"}) {
            ++expected[kind];
        }
        EXPECT_EQ(live_objects(), expected);
    }
    EXPECT_EQ(live_objects(), before);
    EXPECT_EQ(before.size(), object_kind_count);
}

TEST(LiveObjects, AreCountedWhicheverThreadMakesAndDestroysThem) {
    const Device device(0);
    const uint64_t before = count(ObjectKind::event);
    std::vector<Event> events;
    for (int thread = 0; thread < 3; ++thread) {
        std::thread([&] { events.push_back(device.create_event()), events.push_back(device.create_event()); }).join();
        EXPECT_EQ(count(ObjectKind::event), before + events.size());
    }
    std::thread([&] { events.resize(1); }).join();
    EXPECT_EQ(count(ObjectKind::event), before + 1);
    events.clear();
    EXPECT_EQ(count(ObjectKind::event), before);
}

// The variables of a thread go one after the other, that which counts among them.
TEST(LiveObjects, AreCountedWhileTheirThreadEnds) {
    const Device device(0);
    const uint64_t before = count(ObjectKind::event);
    std::thread([&] {
        static thread_local std::optional<Event> outlives_the_count;
        outlives_the_count.reset();
        outlives_the_count = device.create_event();
        EXPECT_EQ(count(ObjectKind::event), before + 1);
    }).join();
    EXPECT_EQ(count(ObjectKind::event), before);
}

TEST(LiveObjects, AreNotCountedOnceTheyAreGivenUp) {
    const Device device(0);
    let_go_of_all(device);
    const uint64_t streams = count(ObjectKind::stream), events = count(ObjectKind::event);
    const uint64_t buffers = count(ObjectKind::buffer);
    Stream stream = device.create_stream();
    Event event = device.create_event();
    Buffer buffer = device.allocate(16);
    const StreamRef borrowed = StreamRef::from_handle(stream.handle());
    EXPECT_EQ(count(ObjectKind::stream), streams + 1);
    static_cast<void>(stream.release());
    const CUevent released = event.release();
    const DevicePointer memory = buffer.release();
    EXPECT_EQ(count(ObjectKind::stream), streams);
    EXPECT_EQ(count(ObjectKind::event), events);
    EXPECT_EQ(count(ObjectKind::buffer), buffers);
    EXPECT_NE(released, nullptr);
    EXPECT_NE(memory, 0U);
    EXPECT_TRUE(borrowed.is_valid());
}

TEST(LiveObjects, AreCountedAsLongAsAnotherObjectKeepsThem) {
    const Device device(0);
    let_go_of_all(device);
    const uint64_t streams = count(ObjectKind::stream);
    {
        Stream stream = device.create_stream();
        const Buffer buffer = device.allocate(16, stream);
        stream.close();
        EXPECT_EQ(count(ObjectKind::stream), streams + 1) << "the buffer is freed in it";
    }
    EXPECT_EQ(count(ObjectKind::stream), streams);
}

}  // namespace
}  // namespace cuprum::core
