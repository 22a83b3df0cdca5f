package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostFunctions;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** What definitions, nodes and graphs have in common. */
final class GraphCalls {
    /** Numbers of swig/common/graph_nodes.hpp. */
    static final int ADD = 0;
    static final int UPDATE = 1;
    static final int UPDATE_CONFIG = 2;
    static final int UPDATE_GRAPH = 3;
    static final int BUILD = 4;

    private static final String[] KERNEL_OPERATIONS = {
        Operations.GRAPH_DEFINITION_ADD_KERNEL, Operations.GRAPH_DEFINITION_UPDATE_KERNEL,
        Operations.GRAPH_DEFINITION_UPDATE_KERNEL_CONFIG, Operations.GRAPH_UPDATE_KERNEL
    };

    private GraphCalls() {}

    /** A call that adds a node; both are arrays or handles of C. */
    @FunctionalInterface
    interface Adding {
        void add(long[] node, long graph);
    }

    static GraphNode add(GraphPosition at, String operation, Adding call) {
        return at.definition().with(operation, graph -> {
            long[] node = new long[1];
            call.add(node, graph);
            return new GraphNode(at.definition(), node[0]);
        });
    }

    /** `graph` may be null. */
    static long kernel(int call, Graph graph, GraphPosition at, LaunchConfig config, Kernel kernel, Object... arguments) {
        String operation = KERNEL_OPERATIONS[call];
        Objects.requireNonNull(config, "config must not be null");
        long[] packed = Arguments.pack(arguments);
        long[] node = new long[1];
        try {
            config.giveToNode(node, call, graph == null ? 0 : graph.open(operation), at.definition().open(operation),
                    at.id(), kernel == null ? 0 : kernel.open(operation), packed);
        } finally {
            Reference.reachabilityFence(arguments);
            Reference.reachabilityFence(kernel);
            Reference.reachabilityFence(graph);
            Reference.reachabilityFence(at.definition());
        }
        return node[0];
    }

    static long callback(int call, long owner, GraphPosition at, Runnable function) {
        Objects.requireNonNull(function, "function must not be null");
        return at.definition().with(Operations.GRAPH_DEFINITION_ADD_CALLBACK,
                graph -> HostFunctions.giveToGraph(call, owner, graph, at.id(), function));
    }

    /** CUPRUM_GRAPH_WRITE_VALUE: in place of a condition. */
    static final int WRITE = -1;

    static GraphNode word(GraphPosition at, Buffer buffer, long offset, long value, int size, int condition) {
        Objects.requireNonNull(buffer, "buffer must not be null");
        String operation = Operations.GRAPH_DEFINITION_ADD_MEMORY_OPERATION;
        return add(at, operation, (node, graph) -> buffer.with(operation, words -> {
            CuprumNative.cuprum_graph_definition_add_memory_operation(
                    node, graph, at.id(), words, offset, value, size, condition, 0);
            return null;
        }));
    }

    static int condition(WaitCondition condition) {
        return condition == null ? WRITE : condition.ordinal();
    }

    static GraphNode conditional(GraphPosition at, GraphCondition condition, GraphConditionalType type, int count) {
        Objects.requireNonNull(condition, "condition must not be null");
        return add(at, Operations.GRAPH_DEFINITION_ADD_CONDITIONAL, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_conditional(
                        node, graph, at.id(), condition.handle(), type.ordinal(), count));
    }

    /** The numbers that C has given out as bytes. */
    static long[] numbers(byte[] bytes) {
        long[] numbers = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(numbers);
        return numbers;
    }
}
