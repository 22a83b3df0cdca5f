package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a graph does: nodes, and which of them come before which. Its methods add nodes at the beginning; those of nodes,
 * after these. The body of a conditional node and the graph of a child graph node are definitions as well.
 */
public final class GraphDefinition extends GraphDefinitionMembers implements GraphPosition {
    /** An edge: one node comes before another.
     *
     * @param from the one
     * @param to the other
     */
    public record Edge(GraphNode from, GraphNode to) {}

    /**
     * An empty graph.
     *
     * @param device the device that its work runs on
     */
    public GraphDefinition(Device device) {
        this(create(device));
    }

    GraphDefinition(long handle) {
        super(handle, CuprumNative::cuprum_graph_definition_destroy);
    }

    @Override
    public GraphDefinition definition() {
        return this;
    }

    @Override
    public long id() {
        return 0;
    }

    /** {@return all nodes} */
    public List<GraphNode> nodes() {
        byte[][] nodes = new byte[1][];
        with(Operations.GRAPH_DEFINITION_NODES, graph -> {
            CuprumNative.cuprum_graph_definition_nodes(nodes, graph);
            return null;
        });
        List<GraphNode> result = new ArrayList<>();
        for (long node : GraphCalls.numbers(nodes[0])) {
            result.add(new GraphNode(this, node));
        }
        return result;
    }

    /** {@return all edges} */
    public List<Edge> edges() {
        byte[][] nodes = new byte[1][];
        with(Operations.GRAPH_DEFINITION_EDGES, graph -> {
            CuprumNative.cuprum_graph_definition_edges(nodes, graph);
            return null;
        });
        long[] numbers = GraphCalls.numbers(nodes[0]);
        List<Edge> result = new ArrayList<>();
        for (int i = 0; i < numbers.length; i += 2) {
            result.add(new Edge(new GraphNode(this, numbers[i]), new GraphNode(this, numbers[i + 1])));
        }
        return result;
    }

    /**
     * One node comes after another. Nothing happens where it does already.
     *
     * @param from the node that comes first
     * @param to the node that comes after it
     * @throws InvalidArgumentException when there is a way back
     */
    public void addDependency(GraphNode from, GraphNode to) {
        with(Operations.GRAPH_DEFINITION_ADD_DEPENDENCY, graph -> {
            CuprumNative.cuprum_graph_definition_add_dependency(graph, from.id(), to.id());
            return null;
        });
    }

    /**
     * One node no longer comes after another. Nothing happens where it does not.
     *
     * @param from the node that came first
     * @param to the node that came after it
     */
    public void removeDependency(GraphNode from, GraphNode to) {
        with(Operations.GRAPH_DEFINITION_REMOVE_DEPENDENCY, graph -> {
            CuprumNative.cuprum_graph_definition_remove_dependency(graph, from.id(), to.id());
            return null;
        });
    }

    /** {@return a condition for one conditional node, which keeps the value of the launch before} */
    public GraphCondition createCondition() {
        return createCondition(0, 0);
    }

    /**
     * A condition for one conditional node.
     *
     * @param defaultValue its value when a launch begins
     * @return the condition
     */
    public GraphCondition createCondition(int defaultValue) {
        return createCondition(1, defaultValue);
    }

    private GraphCondition createCondition(int hasDefault, int defaultValue) {
        return with(Operations.GRAPH_DEFINITION_CREATE_CONDITION, graph -> {
            long[] condition = new long[1];
            CuprumNative.cuprum_graph_definition_create_condition(
                    condition, graph, hasDefault, Integer.toUnsignedLong(defaultValue));
            return new GraphCondition(condition[0]);
        });
    }

    /** {@return a graph that can be launched; the caller closes it} */
    public Graph instantiate() {
        return instantiate(new GraphCompleteOptions());
    }

    /**
     * A graph that can be launched.
     *
     * @param options the options
     * @return the graph; the caller closes it
     * @throws InvalidStateException when this is a part of another graph
     */
    public Graph instantiate(GraphCompleteOptions options) {
        Stream upload = options.uploadStream();
        return with(Operations.GRAPH_DEFINITION_INSTANTIATE, definition -> {
            long[] graph = new long[1];
            CuprumNative.cuprum_graph_definition_instantiate(
                    graph, definition, options.autoFreeOnLaunch() ? 1 : 0, options.deviceLaunch() ? 1 : 0,
                    options.useNodePriority() ? 1 : 0,
                    upload == null ? 0 : upload.open(Operations.GRAPH_DEFINITION_INSTANTIATE));
            return new Graph(graph[0]);
        });
    }

    /**
     * Writes the graph to a file in DOT, the language of Graphviz.
     *
     * @param path the file
     * @param options what it has beside nodes and edges
     */
    public void debugDotPrint(String path, GraphDebugPrint... options) {
        Objects.requireNonNull(path, "path must not be null");
        with(Operations.GRAPH_DEFINITION_DEBUG_DOT_PRINT, graph -> {
            CuprumNative.cuprum_graph_definition_debug_dot_print(graph, path, GraphDebugPrint.flags(options));
            return null;
        });
    }

    private static long create(Device device) {
        long[] definition = new long[1];
        CuprumNative.cuprum_graph_definition_create(definition, device.deviceId());
        return definition[0];
    }
}
