package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Dimensions;
import io.cuprum.DriverException;
import io.cuprum.Event;
import io.cuprum.Graph;
import io.cuprum.GraphBuildMode;
import io.cuprum.GraphBuilder;
import io.cuprum.GraphCompleteOptions;
import io.cuprum.GraphCondition;
import io.cuprum.GraphConditionalType;
import io.cuprum.GraphDebugPrint;
import io.cuprum.GraphDefinition;
import io.cuprum.GraphMemoryType;
import io.cuprum.GraphNode;
import io.cuprum.GraphNodeType;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import io.cuprum.WaitCondition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Graphs: captured, described node by node, launched, updated. */
@ExtendWith(NoLeaks.class)
class GraphTest {
    private static final String SOURCE = """
            extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
                cudaGraphConditionalHandle, unsigned);
            extern "C" __global__ void increment(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
            extern "C" __global__ void count_down(cudaGraphConditionalHandle again, int* x) {
                x[0] -= 1;
                x[1] += 10;
                cudaGraphSetConditional(again, x[0] > 0);
            }
            """;
    private static final LaunchConfig ONE = new LaunchConfig(1, 32);

    private final Device device = new Device(0);
    private ObjectCode code;
    private Kernel increment;
    private Stream stream;
    private Buffer numbers;

    @BeforeEach
    void make() {
        try (Program program = new Program(SOURCE)) {
            code = program.compile();
        }
        increment = code.getKernel("increment");
        stream = device.createStream();
        numbers = device.allocate(16);
        numbers.copyFrom(new int[] {1, 2, 3, 4});
    }

    @AfterEach
    void close() {
        stream.sync();
        numbers.close();
        stream.close();
        increment.close();
        code.close();
    }

    private int[] run(Graph graph, Buffer buffer) {
        graph.launch(stream);
        stream.sync();
        int[] values = new int[4];
        buffer.copyTo(values);
        return values;
    }

    @Test
    void whatIsPutIntoABuilderIsCaptured() {
        try (GraphBuilder builder = device.createGraphBuilder()) {
            assertFalse(builder.isBuilding());
            assertSame(builder, builder.beginBuilding());
            assertTrue(builder.isBuilding());
            builder.stream().launch(ONE, increment, numbers, 4);
            builder.stream().launch(ONE, increment, numbers, 4);
            builder.endBuilding();
            try (Graph graph = builder.complete(); GraphDefinition definition = builder.graphDefinition()) {
                assertEquals(2, definition.nodes().size());
                assertEquals(1, definition.edges().size());
                assertArrayEquals(new int[] {3, 4, 5, 6}, run(graph, numbers));
                assertArrayEquals(new int[] {5, 6, 7, 8}, run(graph, numbers));
                graph.upload(stream);
                assertEquals(device, graph.device());
            }
            assertThrows(InvalidStateException.class, builder::beginBuilding);
        }
        try (GraphBuilder builder = stream.createGraphBuilder()) {
            builder.beginBuilding(GraphBuildMode.THREAD_LOCAL);
            numbers.fill(0, 4, stream);
            try (Graph graph = builder.endBuilding().complete(new GraphCompleteOptions(true, stream, false, false))) {
                assertTrue(graph.autoFreeOnLaunch());
                assertArrayEquals(new int[4], run(graph, numbers));
            }
        }
    }

    @Test
    void buildersAreSplitAndJoined() {
        try (GraphBuilder builder = device.createGraphBuilder()) {
            builder.beginBuilding();
            GraphBuilder other = builder.split();
            assertTrue(other.isJoinRequired());
            other.stream().launch(ONE, increment, numbers, 2);
            builder.join(other);
            assertTrue(other.isClosed());
            try (Graph graph = builder.endBuilding().complete()) {
                assertArrayEquals(new int[] {2, 3, 3, 4}, run(graph, numbers));
            }
        }
        try (GraphBuilder builder = device.createGraphBuilder(); GraphBuilder other = builder.beginBuilding().split()) {
            other.callback(() -> {});
            InvalidStateException error = assertThrows(InvalidStateException.class, builder::endBuilding);
            assertTrue(error.getMessage().contains("join all builders that were split off"));
        }
    }

    @Test
    void functionsAreCalledInEveryLaunch() {
        AtomicInteger calls = new AtomicInteger();
        try (GraphBuilder builder = device.createGraphBuilder()) {
            builder.beginBuilding().callback(calls::incrementAndGet);
            try (Graph graph = builder.endBuilding().complete()) {
                for (int i = 0; i < 3; ++i) {
                    graph.launch(stream);
                }
                stream.sync();
            }
        }
        assertEquals(3, calls.get());
    }

    @Test
    void nodesAreAddedAfterOthers() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (GraphDefinition definition = new GraphDefinition(device); Buffer copy = device.allocate(16);
                Event event = device.createEvent(); GraphDefinition child = new GraphDefinition(device)) {
            child.launch(ONE, increment, numbers, 4);
            GraphNode launched = definition.launch(ONE, increment, numbers, 4);
            GraphNode filled = launched.memset(numbers, 7, 4, 2);
            GraphNode copied = filled.memcpy(copy, numbers, 16);
            GraphNode called = copied.callback(calls::incrementAndGet);
            GraphNode recorded = called.record(event);
            GraphNode embedded = recorded.embed(child);
            GraphNode allocated = embedded.allocate(16);
            GraphNode freed = allocated.deallocate(allocated.address());
            assertEquals(Set.of(launched, filled, copied, called, recorded, embedded, allocated, freed),
                    Set.copyOf(definition.nodes()));
            assertEquals(7, definition.edges().size());
            assertEquals(GraphNodeType.KERNEL, launched.type());
            assertEquals(ONE, launched.config());
            try (Kernel kernel = launched.kernel()) {
                assertEquals(increment.handle(), kernel.handle());
            }
            assertEquals(List.of(7, 4), List.of(filled.fillValue(), filled.elementSize()));
            assertEquals(List.of(2L, 1L), List.of(filled.width(), filled.height()));
            assertEquals(List.of(copy.handle(), numbers.handle(), 16L),
                    List.of(copied.destination(), copied.source(), copied.size()));
            assertEquals(event.handle(), recorded.event());
            assertEquals(GraphMemoryType.DEVICE, allocated.memoryType());
            assertEquals(device, allocated.device());
            assertEquals(List.of(), allocated.peerAccess());
            assertEquals(allocated.address(), freed.address());
            assertEquals(List.of(launched), filled.predecessors());
            assertEquals(List.of(copied), filled.successors());
            try (GraphDefinition part = embedded.childGraph()) {
                assertEquals(1, part.nodes().size());
                assertThrows(InvalidStateException.class, part::instantiate);
            }
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {7, 7, 4, 5}, run(graph, copy));
            }
            assertEquals(1, calls.get());
            assertThrows(InvalidArgumentException.class, () -> definition.addDependency(freed, launched));
            assertThrows(UnsupportedException.class, () -> definition.removeDependency(launched, filled));
            assertThrows(InvalidStateException.class, launched::address);
            Path picture = Files.createTempFile("cuprum", ".dot");
            definition.debugDotPrint(picture.toString(), GraphDebugPrint.VERBOSE);
            assertTrue(Files.readString(picture).contains("digraph"));
            Files.delete(picture);
        }
    }

    @Test
    void dependenciesAndNodesAreRemoved() {
        try (GraphDefinition definition = new GraphDefinition(device)) {
            GraphNode first = definition.empty();
            GraphNode second = first.empty();
            definition.removeDependency(first, second);
            assertEquals(0, definition.edges().size());
            definition.addDependency(first, second);
            assertEquals(1, definition.edges().size());
            assertTrue(second.isValid());
            second.destroy();
            assertFalse(second.isValid());
            assertEquals(Set.of(first), Set.copyOf(definition.nodes()));
        }
    }

    @Test
    void conditionsDecide() {
        try (GraphDefinition definition = new GraphDefinition(device)) {
            GraphNode choice = definition.switchCase(definition.createCondition(1), 2);
            // One after the other: the kernels of all three change the same numbers.
            GraphNode either = choice.ifElse(definition.createCondition(0));
            GraphNode then = either.ifThen(definition.createCondition(1));
            assertEquals(GraphConditionalType.SWITCH, choice.conditionalType());
            List<GraphDefinition> bodies = new ArrayList<>(choice.bodies());
            bodies.addAll(either.bodies());
            bodies.addAll(then.bodies());
            for (int chosen : new int[] {1, 3, 4}) {
                bodies.get(chosen).launch(ONE, increment, numbers, 4);
            }
            bodies.forEach(GraphDefinition::close);
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {4, 5, 6, 7}, run(graph, numbers));
            }
        }
        numbers.copyFrom(new int[] {3, 0, 0, 0});
        try (GraphBuilder builder = device.createGraphBuilder(); Kernel countDown = code.getKernel("count_down")) {
            builder.beginBuilding();
            GraphCondition again = builder.createCondition(1);
            try (GraphBuilder body = builder.whileLoop(again)) {
                body.beginBuilding().stream().launch(new LaunchConfig(1, 1), countDown, again.handle(), numbers);
                body.endBuilding();
            }
            try (Graph graph = builder.endBuilding().complete()) {
                assertArrayEquals(new int[] {0, 30, 0, 0}, run(graph, numbers));
            }
        }
    }

    @Test
    void graphsAreUpdated() {
        AtomicInteger calls = new AtomicInteger();
        try (GraphDefinition definition = new GraphDefinition(device);
                GraphDefinition source = new GraphDefinition(device); Buffer copy = device.allocate(16)) {
            GraphNode launched = definition.launch(ONE, increment, numbers, 4);
            GraphNode filled = launched.memset(copy, 0, 4, 4);
            GraphNode copied = filled.memcpy(copy, numbers, 4);
            GraphNode called = copied.callback(calls::incrementAndGet);
            try (Graph graph = definition.instantiate()) {
                graph.updateKernel(launched, ONE, increment, numbers, 1);
                graph.updateMemset(filled, copy, 9, 4, 4);
                graph.updateMemcpy(copied, copy, numbers, 8);
                graph.updateCallback(called, () -> calls.addAndGet(10));
                assertArrayEquals(new int[] {2, 2, 9, 9}, run(graph, copy));
                assertEquals(10, calls.get());
                graph.setEnabled(launched, false);
                assertFalse(graph.isEnabled(launched));
                assertArrayEquals(new int[] {2, 2, 3, 4}, run(graph, numbers));
                graph.update(definition);
                source.empty();
                DriverException error = assertThrows(DriverException.class, () -> graph.update(source));
                assertTrue(error.getMessage().contains("the nodes or edges differ"));
            }
            launched.updateKernel(ONE, increment, numbers, 2);
            launched.updateConfig(new LaunchConfig(1, 16));
            filled.updateMemset(copy, 5, 4, 4);
            copied.updateMemcpy(copy, numbers, 4);
            called.updateCallback(() -> calls.addAndGet(100));
            assertEquals(new LaunchConfig(1, 16), launched.config());
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {3, 5, 5, 5}, run(graph, copy));
            }
            assertEquals(120, calls.get());
        }
    }

    @Test
    void nodesWaitForWordsAndWriteThem() {
        try (Buffer words = device.allocate(16); GraphDefinition definition = new GraphDefinition(device)) {
            words.copyFrom(new int[] {7, 0, 0, 0});
            GraphNode waits = definition.waitValue32(words, 0, 7, WaitCondition.EQUAL);
            GraphNode writes = waits.writeValue64(words, 8, 0x500000006L);
            assertEquals(GraphNodeType.BATCH_MEMORY_OPERATION, waits.type());
            assertEquals(WaitCondition.EQUAL, waits.waitCondition());
            assertEquals(7, waits.wordValue());
            assertEquals(4, waits.elementSize());
            assertEquals(words.handle(), waits.address());
            assertNull(writes.waitCondition());
            assertEquals(0x500000006L, writes.wordValue());
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {7, 0, 6, 5}, run(graph, words));
                graph.updateMemoryOperation(writes, words, 8, 1, 8, null);
                assertArrayEquals(new int[] {7, 0, 1, 0}, run(graph, words));
            }
            writes.updateMemoryOperation(words, 4, 9, 4, null);
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {7, 9, 1, 0}, run(graph, words));
            }
            assertThrows(InvalidArgumentException.class, () -> definition.writeValue32(words, 13, 1));
            if (!device.isSimulator()) return;  // a GPU's driver takes any number for a semaphore
            assertThrows(DriverException.class, () -> definition.signalExternalSemaphore(16, 1));
            assertThrows(DriverException.class, () -> definition.waitExternalSemaphore(16, 1));
        }
    }

    @Test
    void aChildIsReplaced() {
        try (GraphDefinition once = new GraphDefinition(device); GraphDefinition twice = new GraphDefinition(device);
                GraphDefinition definition = new GraphDefinition(device)) {
            once.launch(ONE, increment, numbers, 4);
            twice.launch(ONE, increment, numbers, 4).launch(ONE, increment, numbers, 4);
            GraphNode node = definition.embed(once);
            node.updateChildGraph(twice);
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {3, 4, 5, 6}, run(graph, numbers));
            }
            assertThrows(InvalidArgumentException.class, () -> node.updateChildGraph(definition));
        }
    }

    @Test
    void aCaptureKeepsWhatItUsesAndSaysHowItIsLaunched() {
        LaunchConfig given = new LaunchConfig(new Dimensions(6), null, new Dimensions(32), 16, true, false, -1, null,
                null, null, null);
        try (GraphBuilder builder = device.createGraphBuilder()) {
            builder.beginBuilding();
            try (Buffer temporary = device.allocate(16); Kernel kernel = code.getKernel("increment")) {
                temporary.copyFrom(new int[] {5, 6, 7, 8});
                builder.stream().launch(given, kernel, temporary, 0);
                numbers.copyFrom(temporary, builder.stream());
            }
            builder.endBuilding();
            try (GraphDefinition definition = builder.graphDefinition(); Graph graph = builder.complete()) {
                GraphNode launched = definition.nodes().stream()
                        .filter(node -> node.type() == GraphNodeType.KERNEL).findFirst().orElseThrow();
                assertEquals(given, launched.config());
                assertArrayEquals(new int[] {5, 6, 7, 8}, run(graph, numbers));
            }
        }
    }

    @Test
    void aGraphKeepsItsBuffers() {
        try (Buffer copy = device.allocate(16); GraphDefinition definition = new GraphDefinition(device)) {
            try (Buffer temporary = device.allocate(16)) {
                temporary.copyFrom(new int[] {5, 6, 7, 8});
                definition.memcpy(copy, temporary, 16);
            }
            try (Graph graph = definition.instantiate()) {
                assertArrayEquals(new int[] {5, 6, 7, 8}, run(graph, copy));
            }
        }
    }
}
