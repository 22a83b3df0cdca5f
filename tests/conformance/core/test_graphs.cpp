// Graphs that are described node by node, and what is instantiated from them.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr int n = 4;
constexpr uint64_t size = n * sizeof(int);
const LaunchConfig config{1, 32};

class Graphs : public testing::Test {
protected:
    void TearDown() override { device.sync(); }
    std::vector<int> run(const Graph& graph, const BufferRef& result) const {
        graph.launch(stream);
        stream.sync();
        return values_of<int>(result);
    }

    Device device{0};
    Stream stream = device.create_stream();
    GraphDefinition definition{device};
    Buffer numbers = buffer_of<int>(device, {1, 2, 3, 4});
};

TEST_F(Graphs, RunKernelsAgainAndAgain) {
    const GraphNode first = definition.launch(config, kernel("increment"), numbers, n);
    first.launch(config, kernel("increment"), numbers, n);
    const Graph graph = definition.instantiate();
    EXPECT_THAT(run(graph, numbers), ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(run(graph, numbers), ElementsAre(5, 6, 7, 8));
    graph.upload(stream);
    graph.launch(device.default_stream());
    device.sync();
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(7, 8, 9, 10));
}

TEST_F(Graphs, CopyFillAndCall) {
    const Buffer copy = device.allocate(size);
    std::atomic<int> calls = 0;
    definition.memset({.destination = numbers.handle(), .value = 7, .element_size = 4, .width = n})
        .launch(config, kernel("increment"), numbers, n)
        .memcpy(copy, numbers, size)
        .callback([&calls] { ++calls; });
    const Graph graph = definition.instantiate();
    EXPECT_THAT(run(graph, copy), ElementsAre(8, 8, 8, 8));
    EXPECT_THAT(run(graph, copy), ElementsAre(8, 8, 8, 8));
    EXPECT_EQ(calls, 2);
}

TEST_F(Graphs, RecordEventsAndWaitForThem) {
    const Event event = device.create_event();
    definition.wait(event).launch(config, kernel("increment"), numbers, n).record(event);
    stream.record(event);
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    event.sync();
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(2, 3, 4, 5));
    const std::vector<GraphNode> nodes = definition.nodes();
    for (const GraphNode& each : nodes) {
        if (each.type() == GraphNodeType::kernel) continue;
        EXPECT_EQ(each.event(), event.handle());
    }
}

TEST_F(Graphs, KnowTheirNodesAndEdges) {
    const GraphNode first = definition.empty();
    const GraphNode left = first.launch(config, kernel("increment"), numbers, n);
    const GraphNode right = first.empty();
    const std::vector<GraphNode> ends{right};
    const GraphNode last = left.join(ends);
    EXPECT_THAT(definition.nodes(), UnorderedElementsAre(first, left, right, last));
    EXPECT_THAT(definition.edges(), UnorderedElementsAre(std::pair(first, left), std::pair(first, right),
                                                         std::pair(left, last), std::pair(right, last)));
    EXPECT_THAT(last.predecessors(), UnorderedElementsAre(left, right));
    EXPECT_THAT(first.successors(), UnorderedElementsAre(left, right));
    EXPECT_EQ(left.type(), GraphNodeType::kernel);
    EXPECT_EQ(last.type(), GraphNodeType::empty);
    EXPECT_EQ(definition.node(left.id()), left);
    EXPECT_EQ(left.definition(), definition);
    EXPECT_NE(left.id(), right.id());

    definition.remove_dependency(right, last);
    definition.remove_dependency(right, last);
    EXPECT_THAT(last.predecessors(), ElementsAre(left));
    definition.add_dependency(right, last);
    definition.add_dependency(right, last);
    EXPECT_THAT(last.predecessors(), UnorderedElementsAre(left, right));
    EXPECT_THAT(error_of<InvalidArgument>([&] { definition.add_dependency(last, first); }).what(),
                HasSubstr("the first node comes after the second already"));
    EXPECT_THROW(definition.add_dependency(first, first), InvalidArgument);
    EXPECT_THROW(definition.add_dependency(first, GraphDefinition(device).empty()), InvalidArgument);
}

TEST_F(Graphs, KnowWhatTheirNodesAreMadeOf) {
    const Buffer copy = device.allocate(size);
    const GraphNode launched = definition.launch({{3, 2}, {4, 5}, 16}, kernel("nothing"));
    EXPECT_EQ(launched.kernel().config, (LaunchConfig{{3, 2}, {4, 5}, 16}));
    EXPECT_EQ(launched.kernel().kernel.handle(), kernel("nothing").handle());
    const GraphNode copied = definition.memcpy(copy, numbers, 8);
    EXPECT_EQ(copied.memcpy_parameters(), (MemcpyNodeParameters{copy.handle(), numbers.handle(), 8}));
    const MemsetNodeParameters filled{numbers.handle(), 3, 2, 2, 2, 8};
    EXPECT_EQ(definition.memset(filled).memset_parameters(), filled);
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(copied.kernel()); }).what(),
                HasSubstr("it is not a kernel node"));
    EXPECT_THROW(static_cast<void>(copied.event()), InvalidState);
    EXPECT_THROW(static_cast<void>(copied.bodies()), InvalidState);
    EXPECT_THROW(static_cast<void>(copied.child_graph()), InvalidState);
}

TEST_F(Graphs, SayHowKernelsOfACaptureAreLaunched) {
    LaunchConfig given{{6, 1}, {4, 5}, 16};
    given.is_cooperative = true;
    given.priority = -1;
    given.preferred_shared_memory_carveout = 50;
    const GraphBuilder builder(device);
    builder.begin_building();
    launch(builder, given, kernel("nothing"));
    builder.end_building();
    const GraphNode captured = builder.graph_definition().nodes().front();
    EXPECT_EQ(captured.kernel().config, given);
    EXPECT_EQ(captured.kernel().kernel.handle(), kernel("nothing").handle());
}

TEST_F(Graphs, SayWhatACaptureWaitsForAndWrites) {
    const Buffer words = LegacyPinnedMemoryResource().allocate(16, stream);
    const GraphBuilder builder(device);
    builder.begin_building();
    builder.stream().wait_value32(words, 4, 7, WaitCondition::equal);
    builder.end_building();
    const GraphNode captured = builder.graph_definition().nodes().front();
    EXPECT_EQ(captured.type(), GraphNodeType::batch_memory_operation);
    EXPECT_THAT(captured.memory_operation_parameters(),
                ElementsAre(MemoryOperationParameters{words.handle() + 4, 7, 4, WaitCondition::equal}));
}

TEST_F(Graphs, WaitForWordsAndWriteThem) {
    const Buffer words = LegacyPinnedMemoryResource().allocate(32, stream);
    auto* const seen = reinterpret_cast<uint64_t*>(words.as_span().data());
    for (int i = 0; i < 4; ++i)
        seen[i] = 0;
    const GraphNode waits = definition.wait_value64(words, 0, uint64_t{1} << 40, WaitCondition::equal);
    const GraphNode writes = waits.launch(config, kernel("increment"), numbers, n).write_value32(words, 8, 5);
    EXPECT_THAT(waits.memory_operation_parameters(),
                ElementsAre(MemoryOperationParameters{words.handle(), uint64_t{1} << 40, 8, WaitCondition::equal}));
    EXPECT_THAT(writes.memory_operation_parameters(), ElementsAre(MemoryOperationParameters{words.handle() + 8, 5, 4}));
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    EXPECT_FALSE(stream.is_done());
    EXPECT_EQ(std::atomic_ref(seen[1]).load(), 0U);
    std::atomic_ref(seen[0]).store(uint64_t{1} << 40);
    stream.sync();
    EXPECT_EQ(seen[1], 5U);
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(2, 3, 4, 5));

    const std::array<MemoryOperationParameters, 2> two{MemoryOperationParameters{words.handle() + 16, 6, 4},
                                                       MemoryOperationParameters{words.handle() + 24, 7, 8}};
    graph.update_memory_operations(writes, std::span(two).first(1));
    EXPECT_THROW(graph.update_memory_operations(writes, two), DriverError) << "other operations";
    graph.launch(stream);
    stream.sync();
    EXPECT_EQ(seen[2], 6U);
    writes.update_memory_operations(two);
    definition.instantiate().launch(stream);
    stream.sync();
    EXPECT_EQ(seen[3], 7U);
}

TEST_F(Graphs, RefuseWordsThatThereAreNot) {
    const Buffer words = LegacyPinnedMemoryResource().allocate(16, stream);
    const auto refusal = [&](const MemoryOperationParameters& operation) {
        return error_of<InvalidArgument>([&] { definition.memory_operations({&operation, 1}); });
    };
    EXPECT_THAT(refusal({words.handle(), 1, 2}).what(), HasSubstr("words of 4 and of 8 bytes"));
    EXPECT_THAT(refusal({words.handle() + 2, 1, 4}).what(), HasSubstr("not aligned"));
    EXPECT_THAT(refusal({words.handle(), uint64_t{1} << 32, 4}).what(), HasSubstr("use a word of 8 bytes"));
    EXPECT_THAT(refusal({words.handle(), 1, 4, static_cast<WaitCondition>(4)}).what(), HasSubstr("no condition 4"));
    EXPECT_THROW(definition.memory_operations({}), InvalidArgument);
    EXPECT_THROW(definition.write_value32(words, 13, 1), InvalidArgument);
    EXPECT_THROW(definition.wait_value64(words, 4, 1), InvalidArgument);
    EXPECT_THROW(definition.write_value32(Buffer(), 0, 1), InvalidArgument);
    const Buffer pooled = device.allocate(16, stream);
    EXPECT_THAT(error_of<InvalidArgument>([&] { definition.write_value32(pooled, 0, 1); }).what(),
                HasSubstr("pool's memory"));
    EXPECT_THROW(definition.empty().update_memory_operations({}), InvalidState);
    EXPECT_THAT(definition.nodes(), testing::SizeIs(1)) << "a refused node was added";
}

TEST_F(Graphs, SignalExternalSemaphoresAndWaitForThem) {
    if (!device.is_simulator()) GTEST_SKIP() << "a GPU's semaphores are made by a graphics API";
    namespace driver = bindings::driver;
    const int file = eventfd(0, EFD_NONBLOCK);
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
    description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = file;
    CUexternalSemaphore semaphore = nullptr;
    device.set_current();
    ASSERT_EQ(driver::cuImportExternalSemaphore(&semaphore, &description), CUDA_SUCCESS);
    const Buffer result = device.allocate(size);
    // One branch waits for the other's signal; then the semaphore is not signalled any more.
    definition.wait_external_semaphore(semaphore, 0)
        .memset({.destination = result.handle(), .value = 7, .element_size = 4, .width = n});
    definition.signal_external_semaphore(semaphore, 0);
    EXPECT_THAT(run(definition.instantiate(), result), ElementsAre(7, 7, 7, 7));
    pollfd signalled{file, POLLIN, 0};
    EXPECT_EQ(poll(&signalled, 1, 0), 0);
    EXPECT_EQ(driver::cuDestroyExternalSemaphore(semaphore), CUDA_SUCCESS);
}

TEST_F(Graphs, RefuseWhatIsNoExternalSemaphore) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { definition.signal_external_semaphore(nullptr, 1); }).what(),
                HasSubstr("cuImportExternalSemaphore"));
    if (!device.is_simulator()) return;  // a GPU's driver takes any address for a semaphore
    const auto semaphore = reinterpret_cast<CUexternalSemaphore>(uintptr_t{16});
    EXPECT_THAT(error_of<DriverError>([&] { definition.wait_external_semaphore(semaphore, 1); }).what(),
                HasSubstr("external semaphore"));
    EXPECT_THAT(definition.nodes(), testing::IsEmpty());
}

TEST_F(Graphs, TakeAnotherGraphInPlaceOfAChild) {
    GraphDefinition once(device);
    once.launch(config, kernel("increment"), numbers, n);
    GraphDefinition twice(device);
    twice.launch(config, kernel("increment"), numbers, n).launch(config, kernel("increment"), numbers, n);
    const GraphNode child = definition.embed(once);
    const GraphDefinition before = child.child_graph();
    const GraphNode inside = before.nodes().front();
    child.update_child_graph(twice);
    EXPECT_FALSE(before.is_valid());
    EXPECT_FALSE(inside.is_valid());
    EXPECT_EQ(child.child_graph().nodes().size(), 2U);
    EXPECT_THAT(run(definition.instantiate(), numbers), ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(error_of<InvalidArgument>([&] { child.update_child_graph(definition); }).what(),
                HasSubstr("in itself"));
    EXPECT_THROW(definition.empty().update_child_graph(once), InvalidState);
}

TEST_F(Graphs, LoseNodes) {
    const GraphNode first = definition.launch(config, kernel("increment"), numbers, n);
    const GraphNode second = first.launch(config, kernel("increment"), numbers, n);
    const GraphNode third = second.launch(config, kernel("increment"), numbers, n);
    second.destroy();
    EXPECT_FALSE(second.is_valid());
    EXPECT_TRUE(first.is_valid());
    EXPECT_THAT(definition.nodes(), UnorderedElementsAre(first, third));
    EXPECT_THAT(definition.edges(), testing::IsEmpty());
    EXPECT_THAT(error_of<InvalidState>([&] { second.empty(); }).what(), HasSubstr("the node is closed"));
    EXPECT_THROW(second.destroy(), InvalidState);
    EXPECT_THROW(static_cast<void>(definition.node(second.id())), InvalidArgument);
}

TEST_F(Graphs, HaveGraphsInThem) {
    GraphDefinition child(device);
    child.launch(config, kernel("increment"), numbers, n);
    const GraphNode node = definition.embed(child);
    node.embed(child);
    EXPECT_THAT(run(definition.instantiate(), numbers), ElementsAre(3, 4, 5, 6));
    const GraphDefinition part = node.child_graph();
    EXPECT_EQ(part, node.child_graph());
    EXPECT_EQ(part.nodes().size(), 1U);
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(part.instantiate()); }).what(),
                HasSubstr("it is a part of another graph"));
    EXPECT_THROW(definition.embed(part), InvalidArgument);
    EXPECT_THROW(definition.embed(definition), InvalidArgument);
    const GraphNode inside = part.nodes().front();
    node.destroy();
    EXPECT_FALSE(part.is_valid());
    EXPECT_FALSE(inside.is_valid());
    EXPECT_THROW(part.empty(), InvalidState);
}

TEST_F(Graphs, AllocateMemory) {
    const GraphNode allocated = definition.allocate({.size = size});
    const AllocationNodeParameters memory = allocated.allocation();
    EXPECT_NE(memory.address, 0U);
    EXPECT_EQ(memory.size, size);
    EXPECT_EQ(memory.device_id, 0);
    const GraphNode filled =
        allocated.memset({.destination = memory.address, .value = 5, .element_size = 4, .width = n});
    const GraphNode copied = filled.memcpy({numbers.handle(), memory.address, size});
    const GraphNode freed = copied.deallocate(memory.address);
    EXPECT_EQ(freed.freed_address(), memory.address);
    const Graph graph = definition.instantiate();
    EXPECT_THAT(run(graph, numbers), ElementsAre(5, 5, 5, 5));
    EXPECT_THAT(run(graph, numbers), ElementsAre(5, 5, 5, 5));
    EXPECT_THROW(definition.allocate({}), InvalidArgument);
    EXPECT_THROW(definition.allocate({.size = 16, .device_id = 99}), InvalidArgument);
}

TEST_F(Graphs, FreeWhatTheLaunchBeforeHasAllocated) {
    definition.allocate({.size = size});
    const Graph graph = definition.instantiate({.auto_free_on_launch = true});
    EXPECT_TRUE(graph.options().auto_free_on_launch);
    graph.launch(stream);
    graph.launch(stream);
    stream.sync();
    EXPECT_THAT(error_of<InvalidArgument>([&] {
                    static_cast<void>(definition.instantiate({.auto_free_on_launch = true, .device_launch = true}));
                }).what(),
                HasSubstr("leave one of the options out"));
}

// ---- What decides while the graph runs.

const Kernel& deciding(const std::string& name) {
    static const auto* const code = new ObjectCode(Program(R"(
            extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
                cudaGraphConditionalHandle, unsigned int);
            extern "C" __global__ void decide(unsigned long long condition, unsigned int value) {
                cudaGraphSetConditional(condition, value);
            }
            extern "C" __global__ void count_down(unsigned long long condition, int* x) {
                x[0] -= 1;
                cudaGraphSetConditional(condition, x[0] > 0);
            }
            extern "C" __global__ void add_to(int* x, int value) { x[1] += value; }
        )",
                                                           SourceType::cxx, {.name = "deciding.cu"})
                                                       .compile());
    static const auto* const decide = new Kernel(code->get_kernel("decide"));
    static const auto* const count_down = new Kernel(code->get_kernel("count_down"));
    static const auto* const add_to = new Kernel(code->get_kernel("add_to"));
    return name == "decide" ? *decide : name == "count_down" ? *count_down : *add_to;
}

TEST_F(Graphs, DecideWhatRuns) {
    for (const uint32_t value : {0U, 1U}) {
        GraphDefinition deciding_graph(device);
        const GraphCondition once = deciding_graph.create_condition(0);
        const GraphCondition either = deciding_graph.create_condition(0);
        const GraphNode decided = deciding_graph.launch({1, 1}, deciding("decide"), once.handle(), value)
                                      .launch({1, 1}, deciding("decide"), either.handle(), value);
        const GraphNode then = decided.if_then(once);
        EXPECT_EQ(then.conditional_type(), GraphConditionalType::if_node);
        EXPECT_EQ(then.condition(), once);
        ASSERT_EQ(then.bodies().size(), 1U);
        then.bodies()[0].launch({1, 1}, deciding("add_to"), numbers, 100);
        const GraphNode both = then.if_else(either);
        ASSERT_EQ(both.bodies().size(), 2U);
        both.bodies()[0].launch({1, 1}, deciding("add_to"), numbers, 10);
        both.bodies()[1].launch({1, 1}, deciding("add_to"), numbers, 20);
        numbers.copy_from_host(std::vector<int>{0, 0, 0, 0});
        EXPECT_EQ(run(deciding_graph.instantiate(), numbers)[1], value == 1 ? 110 : 20);
    }
}

TEST_F(Graphs, RunAgainAndAgainWhileTheConditionHolds) {
    const GraphCondition again = definition.create_condition(1);
    const GraphNode loop = definition.while_loop(again);
    loop.bodies()[0]
        .launch({1, 1}, deciding("add_to"), numbers, 5)
        .launch({1, 1}, deciding("count_down"), again.handle(), numbers);
    numbers.copy_from_host(std::vector<int>{3, 0, 0, 0});
    EXPECT_THAT(run(definition.instantiate(), numbers), ElementsAre(0, 15, 0, 0));
}

TEST_F(Graphs, ChooseAmongBodies) {
    const GraphCondition which = definition.create_condition(2);
    const GraphNode choice = definition.switch_case(which, 3);
    for (int i = 0; i < 3; ++i)
        choice.bodies()[static_cast<size_t>(i)].launch({1, 1}, deciding("add_to"), numbers, i + 10);
    EXPECT_THAT(run(definition.instantiate(), numbers), ElementsAre(1, 14, 3, 4));
    EXPECT_THROW(definition.switch_case(which, 0), InvalidArgument);
    EXPECT_THROW(definition.if_then({}), InvalidArgument);
    const GraphDefinition body = choice.bodies()[0];
    const GraphNode inside = body.nodes().front();
    choice.destroy();
    EXPECT_FALSE(body.is_valid());
    EXPECT_FALSE(inside.is_valid());
}

// ---- Updates.

TEST_F(Graphs, TakeTheParametersOfOthers) {
    definition.launch(config, kernel("increment"), numbers, n);
    Graph graph = definition.instantiate();
    const Buffer other = buffer_of<int>(device, {10, 20, 30, 40});
    GraphDefinition source(device);
    source.launch(config, kernel("increment"), other, n);
    graph.update(source);
    EXPECT_THAT(run(graph, other), ElementsAre(11, 21, 31, 41));
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(1, 2, 3, 4));

    source.launch(config, kernel("increment"), other, n);
    EXPECT_THAT(error_of<DriverError>([&] { graph.update(source); }).what(), HasSubstr("the nodes or edges differ"));
    GraphDefinition another(device);
    another.memset({.destination = numbers.handle(), .value = 7, .element_size = 4, .width = n});
    EXPECT_THAT(error_of<DriverError>([&] { graph.update(another); }).what(), HasSubstr("node 0, a memset node"));
    EXPECT_THAT(run(graph, other), ElementsAre(12, 22, 32, 42));
}

TEST_F(Graphs, TakeNewParametersOfOneNode) {
    const Buffer other = buffer_of<int>(device, {10, 20, 30, 40});
    std::atomic<int> first_calls = 0;
    std::atomic<int> second_calls = 0;
    const Event event = device.create_event();
    const Event another = device.create_event();
    const GraphNode launched = definition.launch(config, kernel("increment"), numbers, n);
    const GraphNode copied = launched.memcpy(other, numbers, 4);
    const GraphNode filled =
        copied.memset({.destination = other.handle() + 4, .value = 1, .element_size = 4, .width = 1});
    const GraphNode called = filled.callback([&] { ++first_calls; });
    const GraphNode recorded = called.record(event);
    GraphDefinition child(device);
    child.launch(config, kernel("increment"), numbers, n);
    const GraphNode embedded = recorded.embed(child);
    const Graph graph = definition.instantiate();

    graph.update_kernel(launched, config, kernel("increment"), numbers, 1);
    graph.update_memcpy(copied, {other.handle(), numbers.handle(), 8});
    graph.update_memset(filled, {.destination = other.handle() + 8, .value = 9, .element_size = 4, .width = 2});
    graph.update_callback(called, [&] { ++second_calls; });
    graph.update_event(recorded, another);
    GraphDefinition empty_child(device);
    empty_child.launch(config, kernel("increment"), other, 1);
    graph.update_child_graph(embedded, empty_child);
    EXPECT_THAT(run(graph, other), ElementsAre(3, 2, 9, 9));
    EXPECT_THAT(values_of<int>(numbers), ElementsAre(2, 2, 3, 4));
    EXPECT_EQ(first_calls, 0);
    EXPECT_EQ(second_calls, 1);
    EXPECT_THROW(graph.update_memset(copied, {}), InvalidState);
    EXPECT_THROW(graph.update_kernel(launched, config, kernel("increment"), numbers), ArgumentMismatch);
    LaunchConfig with_priority = config;
    with_priority.priority = 0;
    EXPECT_THROW(graph.update_kernel(launched, with_priority, kernel("increment"), numbers, 1), InvalidArgument);
    GraphDefinition foreign(device);
    const GraphNode foreign_node = foreign.launch(config, kernel("increment"), numbers, n);
    EXPECT_THROW(graph.update_kernel(foreign_node, config, kernel("increment"), numbers, 1), DriverError);
}

TEST_F(Graphs, AreUpdatedBeforeTheyAreInstantiated) {
    const Buffer other = buffer_of<int>(device, {10, 20, 30, 40});
    const GraphNode launched = definition.launch(config, kernel("increment"), numbers, n);
    const GraphNode copied = launched.memcpy(numbers, other, size);
    const GraphNode filled = copied.memset({.destination = other.handle(), .value = 1, .element_size = 4, .width = 1});
    std::atomic<int> calls = 0;
    const GraphNode called = filled.callback([] {});
    launched.update_kernel(config, kernel("increment"), other, 2);
    launched.update_kernel_config({2, 16});
    EXPECT_EQ(launched.kernel().config, (LaunchConfig{2, 16}));
    copied.update_memcpy({numbers.handle(), other.handle(), 8});
    filled.update_memset({.destination = other.handle(), .value = 3, .element_size = 4, .width = 1});
    called.update_callback([&] { ++calls; });
    EXPECT_THAT(run(definition.instantiate(), numbers), ElementsAre(11, 21, 3, 4));
    EXPECT_THAT(values_of<int>(other), ElementsAre(3, 21, 30, 40));
    EXPECT_EQ(calls, 1);
}

TEST_F(Graphs, LeaveOutNodes) {
    const GraphNode first = definition.launch(config, kernel("increment"), numbers, n);
    const GraphNode called = first.callback([] {});
    const Graph graph = definition.instantiate();
    EXPECT_TRUE(graph.is_enabled(first));
    graph.set_enabled(first, false);
    EXPECT_FALSE(graph.is_enabled(first));
    EXPECT_THAT(run(graph, numbers), ElementsAre(1, 2, 3, 4));
    graph.set_enabled(first, true);
    EXPECT_THAT(run(graph, numbers), ElementsAre(2, 3, 4, 5));
    EXPECT_THROW(graph.set_enabled(called, false), DriverError);
}

TEST_F(Graphs, GiveKernelsTheirAttributes) {
    LaunchConfig with_priority = config;
    with_priority.priority = 0;
    definition.launch(with_priority, kernel("increment"), numbers, n);
    EXPECT_THAT(run(definition.instantiate({.use_node_priority = true}), numbers), ElementsAre(2, 3, 4, 5));
    LaunchConfig dependent = config;
    dependent.programmatic_stream_serialization = true;
    EXPECT_THAT(error_of<InvalidArgument>([&] { definition.launch(dependent, kernel("nothing")); }).what(),
                HasSubstr("leave it out"));
    EXPECT_THROW(definition.launch({1, 100000}, kernel("nothing")), InvalidArgument);
    EXPECT_THROW(definition.launch(config, kernel("nothing"), 1), ArgumentMismatch);
    EXPECT_THROW(definition.launch(config, Kernel()), InvalidArgument);
}

TEST_F(Graphs, RefuseWhatTheyCannotCopyOrFill) {
    const Buffer small = device.allocate(4);
    EXPECT_THAT(error_of<InvalidArgument>([&] { definition.memcpy(small, numbers, size); }).what(),
                HasSubstr("the destination has fewer than the 16 bytes"));
    EXPECT_THROW(definition.memcpy(numbers, small, size), InvalidArgument);
    EXPECT_THROW(definition.memcpy({numbers.handle(), 0, size}), InvalidArgument);
    EXPECT_THROW(definition.memcpy({}), InvalidArgument);
    EXPECT_THROW(definition.memset({.destination = numbers.handle(), .value = 256, .width = 1}), InvalidArgument);
    EXPECT_THROW(definition.memset({.destination = numbers.handle(), .element_size = 3, .width = 1}), InvalidArgument);
    EXPECT_THROW(definition.memset({.destination = numbers.handle(), .width = 0}), InvalidArgument);
    EXPECT_THROW(definition.memset({.width = 1}), InvalidArgument);
    EXPECT_THROW(definition.memset({.destination = numbers.handle(), .width = 8, .height = 2, .pitch = 4}),
                 InvalidArgument);
    EXPECT_THROW(definition.callback({}), InvalidArgument);
    EXPECT_TRUE(definition.nodes().empty());
}

TEST_F(Graphs, AreWrittenAsPictures) {
    definition.launch(config, kernel("increment"), numbers, n);
    const auto path = std::filesystem::temp_directory_path() / ("cuprum_graph_" + std::to_string(getpid()) + ".dot");
    definition.debug_dot_print(path.string(), GraphDebugPrint::verbose | GraphDebugPrint::handles);
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_THAT(text.str(), HasSubstr("digraph"));
    std::filesystem::remove(path);
    EXPECT_THROW(definition.debug_dot_print("/nowhere/graph.dot"), DriverError);
}

// ---- What graphs keep.

// Whether `gone` comes true: a driver lets go of what a graph keeps in its own time.
bool comes_true(const Device& device, const std::function<bool()>& gone) {
    for (int i = 0; i < 2000 && !gone(); ++i) {
        device.sync();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return gone();
}

TEST_F(Graphs, KeepWhatTheyUseUntilTheyAreClosed) {
    auto owner = std::make_shared<Buffer>(buffer_of<int>(device, {1, 2, 3, 4}));
    const std::weak_ptr<Buffer> seen = owner;
    Graph graph;
    {
        GraphDefinition temporary(device);
        const std::array<const void*, 2> addresses{owner->address_of_handle(), &n};
        temporary.launch_checked(config, kernel("increment"), addresses, {owner});
        graph = temporary.instantiate();
    }
    owner.reset();
    EXPECT_FALSE(seen.expired());
    EXPECT_THAT(run(graph, *seen.lock()), ElementsAre(2, 3, 4, 5));
    graph.close();
    EXPECT_TRUE(comes_true(device, [&] { return seen.expired(); }));
}

TEST_F(Graphs, KeepTheMemoryOfTheirNodes) {
    Graph graph;
    {
        const GraphDefinition temporary(device);
        const Buffer counted = buffer_of<int>(device, {1, 2, 3, 4});
        const Buffer copied = device.allocate(size);
        temporary.launch(config, kernel("increment"), counted, n)
            .memcpy(copied, counted, size)
            .memset({.destination = copied.handle(), .value = 7, .element_size = 4, .width = 1})
            .write_value32(copied, 4, 8)
            .memcpy(numbers, copied, size);
        graph = temporary.instantiate();
    }
    const Buffer other = buffer_of<int>(device, {0, 0, 0, 0});  // where the memory would be free
    EXPECT_THAT(run(graph, numbers), ElementsAre(7, 8, 4, 5));
    EXPECT_THAT(run(graph, numbers), ElementsAre(7, 8, 5, 6));
    EXPECT_THAT(values_of<int>(other), ElementsAre(0, 0, 0, 0));
}

TEST_F(Graphs, KeepTheOwnerOfAnOperandThatStays) {
    auto destination = std::make_shared<Buffer>(device.allocate(16));
    auto source = std::make_shared<Buffer>(buffer_of<int>(device, {1, 2, 3, 4}));
    auto other = std::make_shared<Buffer>(buffer_of<int>(device, {5, 6, 7, 8}));
    const std::weak_ptr<Buffer> kept = destination, replaced = source;
    const uint64_t to = destination->handle();
    const GraphNode copy = definition.memcpy({to, source->handle(), 16}, {destination, source});
    destination.reset();
    source.reset();
    copy.update_memcpy({to, other->handle(), 16}, {nullptr, other});
    EXPECT_TRUE(comes_true(device, [&] { return replaced.expired(); }));
    ASSERT_FALSE(kept.expired());
    copy.update_memcpy({to, other->handle(), 8}, {nullptr, nullptr});
    ASSERT_FALSE(kept.expired());
    EXPECT_THAT(run(definition.instantiate(), *kept.lock()), testing::ElementsAre(5, 6, testing::_, testing::_));
    copy.update_memcpy({other->handle(), other->handle() + 8, 8}, {other, other});
    EXPECT_TRUE(comes_true(device, [&] { return kept.expired(); }));
}

TEST_F(Graphs, LetGoOfWhatIsReplaced) {
    auto first = std::make_shared<int>(1);
    auto second = std::make_shared<int>(2);
    auto third = std::make_shared<int>(3);
    const std::array<std::weak_ptr<int>, 3> seen{first, second, third};
    const GraphNode node = definition.callback([first] {});
    first.reset();
    node.update_callback([second] {});
    second.reset();
    EXPECT_TRUE(comes_true(device, [&] { return seen[0].expired(); }));
    EXPECT_FALSE(seen[1].expired());
    Graph graph = definition.instantiate();
    graph.update_callback(node, [third] {});
    third.reset();
    node.destroy();
    EXPECT_FALSE(seen[2].expired());
    GraphDefinition source(device);
    source.callback([] {});
    graph.update(source);
    EXPECT_TRUE(comes_true(device, [&] { return seen[1].expired() && seen[2].expired(); }));
    definition.keep(std::make_shared<int>(4));
}

TEST_F(Graphs, OfNothingAreRefused) {
    const GraphDefinition moved = std::move(definition);
    EXPECT_TRUE(moved.is_valid());
    EXPECT_THROW(definition.empty(), InvalidArgument);  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(definition.is_valid());
    EXPECT_THROW(static_cast<void>(GraphNode().type()), InvalidArgument);
    Graph graph = moved.instantiate();
    graph.close();
    graph.close();
    EXPECT_FALSE(graph.is_valid());
    EXPECT_THAT(error_of<InvalidState>([&] { graph.launch(stream); }).what(), HasSubstr("the graph is closed"));
    EXPECT_THROW(graph.upload(stream), InvalidState);
    EXPECT_THROW(graph.update(moved), InvalidState);
    EXPECT_THROW(static_cast<void>(graph.options()), InvalidState);
    graph = moved.instantiate({.upload_stream = stream});
    EXPECT_THROW(graph.launch(StreamRef()), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
