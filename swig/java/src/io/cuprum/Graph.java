package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;

/**
 * A graph that can be launched, as often as one likes. Made by {@link GraphBuilder#complete()} and
 * {@link GraphDefinition#instantiate()}. It keeps what its nodes use until it is closed and its launches have ended.
 *
 * <p>One launch of it runs at a time, in the order of the calls. Launches and updates of one graph must not be under way
 * in several threads at once.
 */
public final class Graph extends GraphMembers {
    Graph(long handle) {
        super(handle, CuprumNative::cuprum_graph_destroy);
    }

    /**
     * Takes the parameters of all nodes from another graph with the same nodes and edges, for later launches.
     *
     * @param source the other graph
     * @throws DriverException when they differ; it says what, and in which node. Then the graph is as it was
     */
    public void update(GraphDefinition source) {
        with(Operations.GRAPH_UPDATE, graph -> source.with(Operations.GRAPH_UPDATE, from -> {
            CuprumNative.cuprum_graph_update(graph, from);
            return null;
        }));
    }

    /**
     * Takes the parameters of all nodes from a graph that was built, for later launches.
     *
     * @param source its builder
     * @throws DriverException when the nodes or edges differ; it says what, and in which node
     */
    public void update(GraphBuilder source) {
        try (GraphDefinition definition = source.graphDefinition()) {
            update(definition);
        }
    }

    /**
     * Another launch of a node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param config grid, block and shared memory
     * @param kernel the kernel
     * @param arguments all its arguments
     */
    public void updateKernel(GraphNode node, LaunchConfig config, Kernel kernel, Object... arguments) {
        GraphCalls.kernel(GraphCalls.UPDATE_GRAPH, this, node, config, kernel, arguments);
    }

    /**
     * Another copy of a node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param destination what is written
     * @param source what is read
     * @param size bytes
     */
    public void updateMemcpy(GraphNode node, Buffer destination, Buffer source, long size) {
        String operation = Operations.GRAPH_UPDATE_MEMCPY;
        change(node, operation, (graph, definition) -> CuprumNative.cuprum_graph_update_memcpy(
                graph, definition, node.id(), destination.handle(), source.handle(), size, destination.open(operation),
                source.open(operation)));
        Reference.reachabilityFence(destination);
        Reference.reachabilityFence(source);
    }

    /**
     * Another fill of a node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param destination what is filled
     * @param value the value of each element
     * @param elementSize bytes: 1, 2 or 4
     * @param width elements
     */
    public void updateMemset(GraphNode node, Buffer destination, int value, int elementSize, long width) {
        String operation = Operations.GRAPH_UPDATE_MEMSET;
        change(node, operation, (graph, definition) -> CuprumNative.cuprum_graph_update_memset(
                graph, definition, node.id(), destination.handle(), Integer.toUnsignedLong(value), elementSize, width, 1,
                0, destination.open(operation)));
        Reference.reachabilityFence(destination);
    }

    /**
     * Another function of a node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param function what to call
     */
    public void updateCallback(GraphNode node, Runnable function) {
        with(Operations.GRAPH_UPDATE_CALLBACK,
                graph -> GraphCalls.callback(GraphCalls.UPDATE_GRAPH, graph, node, function));
    }

    /**
     * Another event of a node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param event the event
     */
    public void updateEvent(GraphNode node, Event event) {
        String operation = Operations.GRAPH_UPDATE_EVENT;
        change(node, operation, (graph, definition) -> event.with(operation, other -> {
            CuprumNative.cuprum_graph_update_event(graph, definition, node.id(), other);
            return null;
        }));
    }

    /**
     * Another word of a memory operation node, for later launches of the graph. A wait stays a wait, a write a write,
     * and the word's size what it is.
     *
     * @param node of the definition that the graph was instantiated from
     * @param buffer what the word is in
     * @param offset bytes
     * @param value to compare with or to write
     * @param wordSize bytes: 4 or 8
     * @param condition what to wait for; null to write
     */
    public void updateMemoryOperation(
            GraphNode node, Buffer buffer, long offset, long value, int wordSize, WaitCondition condition) {
        String operation = Operations.GRAPH_UPDATE_MEMORY_OPERATION;
        change(node, operation, (graph, definition) -> buffer.with(operation, words -> {
            CuprumNative.cuprum_graph_update_memory_operation(graph, definition, node.id(), words, offset, value,
                    wordSize, GraphCalls.condition(condition), 0);
            return null;
        }));
    }

    /**
     * Another graph of a child graph node, for later launches of the graph.
     *
     * @param node of the definition that the graph was instantiated from
     * @param child a graph with the same nodes and edges
     */
    public void updateChildGraph(GraphNode node, GraphDefinition child) {
        String operation = Operations.GRAPH_UPDATE_CHILD_GRAPH;
        change(node, operation, (graph, definition) -> child.with(operation, other -> {
            CuprumNative.cuprum_graph_update_child_graph(graph, definition, node.id(), other);
            return null;
        }));
    }

    /**
     * Whether a kernel, memcpy or memset node runs.
     *
     * @param node of the definition that the graph was instantiated from
     * @return whether it does
     */
    public boolean isEnabled(GraphNode node) {
        int[] enabled = new int[1];
        change(node, Operations.GRAPH_IS_NODE_ENABLED, (graph, definition) ->
                CuprumNative.cuprum_graph_is_node_enabled(enabled, graph, definition, node.id()));
        return enabled[0] != 0;
    }

    /**
     * Has a kernel, memcpy or memset node run in later launches, or leaves it out.
     *
     * @param node of the definition that the graph was instantiated from
     * @param enabled whether it runs
     */
    public void setEnabled(GraphNode node, boolean enabled) {
        change(node, Operations.GRAPH_SET_NODE_ENABLED, (graph, definition) ->
                CuprumNative.cuprum_graph_set_node_enabled(graph, definition, node.id(), enabled ? 1 : 0));
    }

    @FunctionalInterface
    private interface Change {
        void make(long graph, long definition);
    }

    private void change(GraphNode node, String operation, Change call) {
        with(operation, graph -> node.definition().with(operation, definition -> {
            call.make(graph, definition);
            return null;
        }));
    }
}
