// Graphs of what is put into a stream.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "cuprum/core/live_objects.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int n = 4;
const LaunchConfig config{1, 32};

class GraphBuilders : public testing::Test {
protected:
    void TearDown() override { device.sync(); }
    void increment(StreamRef in, const BufferRef& buffer) const { launch(in, config, kernel("increment"), buffer, n); }
    std::vector<int> run(const Graph& graph) const {
        graph.launch(stream);
        stream.sync();
        return values_of<int>(numbers);
    }

    Device device{0};
    Stream stream = device.create_stream();
    GraphBuilder builder{device};
    Buffer numbers = buffer_of<int>(device, {1, 2, 3, 4});
    Buffer more = buffer_of<int>(device, {10, 20, 30, 40});
};

TEST_F(GraphBuilders, CaptureWhatIsPutIntoTheirStream) {
    EXPECT_FALSE(builder.is_building());
    builder.begin_building();
    EXPECT_TRUE(builder.is_building());
    EXPECT_TRUE(builder.stream().is_capturing());
    increment(builder, numbers);
    increment(builder, numbers);
    builder.end_building();
    EXPECT_FALSE(builder.is_building());
    EXPECT_FALSE(builder.stream().is_capturing());
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(1, 2, 3, 4)) << "nothing has run";
    const Graph graph = builder.complete();
    EXPECT_THAT(run(graph), ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(run(graph), ElementsAre(5, 6, 7, 8));
    EXPECT_EQ(builder.graph_definition().nodes().size(), 2U);
    EXPECT_EQ(builder.graph_definition().edges().size(), 1U);
}

TEST_F(GraphBuilders, CaptureInAnyStreamButTheLegacyDefaultOne) {
    const GraphBuilder in_stream(stream);
    EXPECT_EQ(in_stream.stream(), stream);
    in_stream.begin_building(GraphBuildMode::this_thread);
    numbers.fill(7, 4, stream);
    increment(stream, numbers);
    in_stream.end_building();
    EXPECT_THAT(run(in_stream.complete({.upload_stream = stream})), ElementsAre(8, 8, 8, 8));
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(GraphBuilder(device.default_stream())); }).what(),
                HasSubstr("the legacy default stream cannot be captured"));
    EXPECT_THROW(GraphBuilder{StreamRef()}, InvalidArgument);
}

TEST_F(GraphBuilders, SplitAndJoin) {
    const Buffer yet_more = buffer_of<int>(device, {100, 200, 300, 400});
    builder.begin_building();
    increment(builder, numbers);
    std::vector<GraphBuilder> others = builder.split(2);
    EXPECT_TRUE(others[0].is_join_required());
    EXPECT_TRUE(others[0].is_building());
    EXPECT_FALSE(builder.is_join_required());
    increment(others[0], numbers);
    increment(others[1], more);
    increment(builder, yet_more);
    builder.join(others);
    EXPECT_FALSE(others[0].is_valid());
    increment(builder, more);
    builder.end_building();
    EXPECT_EQ(builder.graph_definition().nodes().size(), 5U);
    EXPECT_EQ(builder.graph_definition().edges().size(), 6U);
    EXPECT_EQ(run(builder.complete())[0], 3);
}

TEST_F(GraphBuilders, MustBeJoined) {
    builder.begin_building();
    GraphBuilder other = builder.split();
    increment(other, numbers);
    EXPECT_THAT(error_of<InvalidState>([&] { other.end_building(); }).what(),
                HasSubstr("it was split off another one"));
    EXPECT_THROW(other.begin_building(), InvalidState);
    EXPECT_THROW(static_cast<void>(other.graph_definition()), InvalidState);
    EXPECT_THROW(builder.join(builder), InvalidArgument);
    EXPECT_THAT(error_of<InvalidState>([&] { builder.end_building(); }).what(),
                HasSubstr("join all builders that were split off before building ends"));
    EXPECT_FALSE(builder.is_building());
    EXPECT_THROW(static_cast<void>(builder.complete()), InvalidState);
    EXPECT_FALSE(stream.is_capturing());
}

TEST_F(GraphBuilders, KeepTheStreamsThatAreNotJoinedUntilTheCaptureEnds) {
    builder.begin_building();
    GraphBuilder other = builder.split();
    increment(other, numbers);
    const StreamRef taking_part = other.stream();
    other.close();
    EXPECT_TRUE(taking_part.is_capturing());
    EXPECT_THAT(error_of<InvalidState>([&] { builder.end_building(); }).what(),
                HasSubstr("join all builders that were split off before building ends"));
    EXPECT_FALSE(builder.stream().is_capturing());
}

TEST_F(GraphBuilders, NeedNoJoinOfWhatDidNothing) {
    builder.begin_building();
    increment(builder, numbers);
    builder.split(2);
    const GraphBuilder unused = builder.split();
    increment(builder, numbers);
    builder.end_building();
    EXPECT_THAT(run(builder.complete()), ElementsAre(3, 4, 5, 6));
}

TEST_F(GraphBuilders, EndTheirCaptureInWhateverOrderTheyGo) {
    for (const bool ends : {true, false}) {
        for (const bool first_goes_first : {true, false}) {
            auto first = std::make_unique<GraphBuilder>(device);
            first->begin_building();
            std::vector<GraphBuilder> others = first->split(2);
            others[1].callback([] {});
            if (ends) {
                EXPECT_THROW(first->end_building(), InvalidState);
            }
            if (first_goes_first) first.reset();
            const StreamRef last = others.back().stream();
            EXPECT_EQ(last.is_capturing(), !ends && !first_goes_first);
            others.clear();
            first.reset();
            device.sync();  // which an open capture would refuse
        }
    }
}

TEST_F(GraphBuilders, BuildInOrder) {
    EXPECT_THAT(error_of<InvalidState>([&] { builder.end_building(); }).what(), HasSubstr("building has not begun"));
    EXPECT_THROW(static_cast<void>(builder.graph_definition()), InvalidState);
    EXPECT_THROW(static_cast<void>(builder.split()), InvalidState);
    EXPECT_THROW(builder.callback([] {}), InvalidState);
    builder.begin_building();
    EXPECT_THAT(error_of<InvalidState>([&] { builder.begin_building(); }).what(), HasSubstr("building already"));
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(builder.complete()); }).what(),
                HasSubstr("end building first"));
    builder.end_building();
    EXPECT_THAT(error_of<InvalidState>([&] { builder.begin_building(); }).what(), HasSubstr("building has ended"));
    EXPECT_THROW(builder.end_building(), InvalidState);
    EXPECT_THROW(builder.embed(GraphDefinition(device)), InvalidState);
}

TEST_F(GraphBuilders, SayWhenACaptureHasBecomeInvalid) {
    builder.begin_building();
    increment(builder, numbers);
    EXPECT_THROW(builder.stream().sync(), DriverError);
    EXPECT_THAT(error_of<InvalidState>([&] { builder.callback([] {}); }).what(),
                HasSubstr("the capture has become invalid"));
    EXPECT_THAT(error_of<InvalidState>([&] { builder.end_building(); }).what(),
                HasSubstr("build again without that call"));
    EXPECT_FALSE(builder.stream().is_capturing());
    EXPECT_THROW(static_cast<void>(builder.complete()), InvalidState);
}

TEST_F(GraphBuilders, KeepWhatTheirWorkUses) {
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = owner;
    const Stream other = device.create_stream();
    builder.begin_building();
    increment(builder, numbers);
    other.wait(builder);
    keep_for_capture(other, {owner});  // takes part in the capture
    builder.stream().wait(other);
    builder.end_building();
    owner.reset();
    Graph graph = builder.complete();
    builder.close();
    EXPECT_THAT(run(graph), ElementsAre(2, 3, 4, 5));
    EXPECT_FALSE(seen.expired());
    graph.close();
    for (int i = 0; i < 1000 && !seen.expired(); ++i) {  // a driver lets go in its own time
        device.sync();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(seen.expired());
    EXPECT_FALSE(is_any_graph_being_built());
}

// Whether that many buffers more than `before` are left, some time after a graph was closed: a driver lets go in its
// own time.
bool are_left(const Device& device, uint64_t before, uint64_t more) {
    for (int i = 0; i < 1000 && live_objects(ObjectKind::buffer) != before + more; ++i) {
        device.sync();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return live_objects(ObjectKind::buffer) == before + more;
}

TEST_F(GraphBuilders, KeepTheBuffersThatTheirWorkUses) {
    ASSERT_TRUE(are_left(device, 2, 0));
    const uint64_t before = 2;  // numbers and more
    Graph graph;
    {
        Buffer launched_on = buffer_of<int>(device, {5, 6, 7, 8});
        Buffer copied = device.allocate(16, stream);
        Buffer pinned = LegacyPinnedMemoryResource().allocate(16);
        std::ranges::fill(pinned.as_span<int>(), 9);
        stream.sync();
        builder.begin_building();
        increment(builder, launched_on);
        launched_on.close();  // while it is captured
        copied.copy_from(pinned, builder);
        copied.slice(4, 4).fill(1, 4, builder);
        builder.stream().write_value32(pinned, 0, 20);
        numbers.copy_from(copied, builder);
        builder.end_building();
        graph = builder.complete();
    }
    builder.close();
    EXPECT_EQ(live_objects(ObjectKind::buffer), before + 3);
    // What would get the memory if it were free.
    const Buffer others[] = {buffer_of<int>(device, {0, 0, 0, 0}), device.allocate(16, stream)};
    others[1].fill(0, 4, stream);
    EXPECT_THAT(run(graph), ElementsAre(9, 1, 9, 9));
    EXPECT_THAT(run(graph), ElementsAre(20, 1, 9, 9));
    EXPECT_THAT(values_of<int>(others[0]), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(values_of<int>(others[1]), ElementsAre(0, 0, 0, 0));
    graph.close();
    EXPECT_TRUE(are_left(device, before, 2));
}

TEST_F(GraphBuilders, KeepABufferForTheLastGraphThatUsesIt) {
    ASSERT_TRUE(are_left(device, 2, 0));
    Buffer shared = buffer_of<int>(device, {1, 2, 3, 4});
    std::vector<Graph> graphs;
    for (int i = 0; i < 2; ++i) {
        const GraphBuilder each(device);
        each.begin_building();
        increment(each, shared);
        numbers.copy_from(shared, each);
        each.end_building();
        graphs.push_back(each.complete());
    }
    shared.close();
    graphs[0].close();
    EXPECT_THAT(run(graphs[1]), ElementsAre(2, 3, 4, 5));
    EXPECT_TRUE(are_left(device, 2, 1));
    graphs[1].close();
    EXPECT_TRUE(are_left(device, 2, 0));
}

TEST_F(GraphBuilders, LeaveTheirOwnMemoryToItsBuffer) {
    builder.begin_building();
    Buffer own = device.allocate(16, builder.stream());
    own.fill(3, 4, builder);
    increment(builder, own);
    numbers.copy_from(own, builder);
    own.close();  // the graph frees it
    builder.end_building();
    const Graph graph = builder.complete();
    EXPECT_THAT(run(graph), ElementsAre(4, 4, 4, 4));
    EXPECT_THAT(run(graph), ElementsAre(4, 4, 4, 4)) << "the first launch has not freed its memory";
}

TEST_F(GraphBuilders, KeepBuffersWhichSeveralThreadsClose) {
    ASSERT_TRUE(are_left(device, 2, 0));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([this] {
            const Stream own_stream = device.create_stream();
            for (int i = 0; i < 20; ++i) {
                const GraphBuilder own(device);
                own.begin_building();
                device.allocate(16, own_stream).fill(static_cast<uint32_t>(i), 4, own);
                own.end_building();
                own.complete().launch(own_stream);
            }
            own_stream.sync();
        });
    }
    for (std::thread& each : threads)
        each.join();
    EXPECT_TRUE(are_left(device, 2, 0));
}

TEST_F(GraphBuilders, KeepTheKernelsThatAreLaunched) {
    Graph graph;
    {
        const ObjectCode code =
            Program("extern \"C\" __global__ void twice(int* x) { x[threadIdx.x] *= 2; }").compile();
        const Kernel kernel = code.get_kernel("twice");
        builder.begin_building();
        launch(builder, {1, n}, kernel, numbers);
        builder.end_building();
        graph = builder.complete();
    }
    builder.close();
    EXPECT_THAT(run(graph), ElementsAre(2, 4, 6, 8));
}

TEST_F(GraphBuilders, KeepNothingForOthersCaptures) {
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = owner;
    keep_for_capture(stream, {owner});
    builder.begin_building();
    keep_for_capture(stream, {owner});
    owner.reset();
    EXPECT_TRUE(seen.expired());
    builder.close();
    EXPECT_FALSE(is_any_graph_being_built());
}

TEST_F(GraphBuilders, CallFunctions) {
    auto kept = std::make_shared<std::atomic<int>>(0);
    builder.begin_building();
    builder.callback([kept] { ++*kept; });
    EXPECT_THAT(error_of<InvalidState>([&] { builder.stream().launch_host_function([] {}); }).what(),
                HasSubstr("give it to the graph builder as a callback"));
    builder.keep(kept);
    builder.end_building();
    const Graph graph = builder.complete();
    builder.close();
    run(graph);
    run(graph);
    EXPECT_EQ(*kept, 2);
    EXPECT_THROW(builder.callback({}), InvalidState);
}

TEST_F(GraphBuilders, EmbedGraphs) {
    GraphDefinition child(device);
    child.launch(config, kernel("increment"), numbers, n);
    builder.begin_building();
    builder.embed(child);
    builder.embed(child);
    increment(builder, numbers);
    builder.end_building();
    EXPECT_EQ(builder.graph_definition().edges().size(), 2U);
    EXPECT_THAT(run(builder.complete()), ElementsAre(4, 5, 6, 7));
}

TEST_F(GraphBuilders, DoNotLaunchGraphsIntoGraphs) {
    const Graph graph = GraphDefinition(device).instantiate();
    const GraphBuilder in_stream(stream);
    in_stream.begin_building();
    EXPECT_THAT(error_of<InvalidState>([&] { graph.launch(stream); }).what(),
                HasSubstr("embed the definition of the graph"));
    EXPECT_THROW(in_stream.end_building(), InvalidState);
    GraphBuilder another(stream);
    another.begin_building();
    EXPECT_THROW(graph.upload(stream), InvalidState);
}

TEST_F(GraphBuilders, LoseWhatTheyBuiltWhenTheyAreClosed) {
    GraphBuilder in_stream(stream);
    in_stream.begin_building();
    increment(stream, numbers);
    in_stream.close();
    in_stream.close();
    EXPECT_FALSE(stream.is_capturing());
    increment(stream, numbers);
    stream.sync();
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(error_of<InvalidState>([&] { in_stream.begin_building(); }).what(),
                HasSubstr("the graph builder is closed"));
}

TEST_F(GraphBuilders, BuildBodiesOfConditions) {
    builder.begin_building();
    const GraphCondition yes = builder.create_condition(1);
    const GraphCondition no = builder.create_condition(0);
    const GraphCondition third = builder.create_condition(2);
    GraphBuilder then = builder.if_then(yes);
    then.begin_building();
    increment(then, numbers);
    then.end_building();
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(then.complete()); }).what(),
                HasSubstr("it is a part of another graph"));
    const std::vector<GraphBuilder> both = builder.if_else(no);
    both[0].graph_definition().launch(config, kernel("increment"), more, n);
    both[1].graph_definition().launch(config, kernel("increment"), numbers, n);
    const std::vector<GraphBuilder> cases = builder.switch_case(third, 3);
    cases[2].begin_building();
    increment(cases[2], numbers);
    cases[2].end_building();
    builder.end_building();
    EXPECT_THAT(run(builder.complete()), ElementsAre(4, 5, 6, 7));
    EXPECT_THAT(values_of<int>(more), ElementsAre(10, 20, 30, 40));
}

TEST_F(GraphBuilders, UpdateGraphs) {
    builder.begin_building();
    increment(builder, more);
    builder.end_building();
    Graph graph = builder.complete();
    const GraphBuilder second(device);
    second.begin_building();
    increment(second, numbers);
    second.end_building();
    graph.update(second.graph_definition());
    EXPECT_THAT(run(graph), ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(values_of<int>(more), ElementsAre(10, 20, 30, 40));
}

}  // namespace
}  // namespace cuprum::core
