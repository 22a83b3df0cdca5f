package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** A node of a graph. A value: nodes are equal where they are the same node. */
public final class GraphNode implements GraphPosition {
    private final GraphDefinition definition;
    private final long id;

    GraphNode(GraphDefinition definition, long id) {
        this.definition = definition;
        this.id = id;
    }

    @Override
    public GraphDefinition definition() {
        return definition;
    }

    @Override
    public long id() {
        return id;
    }

    /** {@return whether it is there: not destroyed, nor what its graph was a part of} */
    public boolean isValid() {
        return definition.with(Operations.GRAPH_DEFINITION_HAS_NODE, graph -> {
            int[] valid = new int[1];
            CuprumNative.cuprum_graph_definition_has_node(valid, graph, id);
            return valid[0] != 0;
        });
    }

    /** {@return what it is} */
    public GraphNodeType type() {
        return GraphNodeType.values()[(int) value(0)];
    }

    /** {@return the CUgraphNode, as an integer} */
    public long handle() {
        return value(1);
    }

    /** Removes it and its edges. */
    public void destroy() {
        definition.with(Operations.GRAPH_DEFINITION_DESTROY_NODE, graph -> {
            CuprumNative.cuprum_graph_definition_destroy_node(graph, id);
            return null;
        });
    }

    /** {@return the nodes that it comes after} */
    public List<GraphNode> predecessors() {
        return definition.edges().stream().filter(edge -> edge.to().equals(this))
                .map(GraphDefinition.Edge::from).toList();
    }

    /** {@return the nodes that come after it} */
    public List<GraphNode> successors() {
        return definition.edges().stream().filter(edge -> edge.from().equals(this))
                .map(GraphDefinition.Edge::to).toList();
    }

    /**
     * {@return how a kernel node is launched: grid, block and shared memory, with what else was asked for, except an
     * access policy window and a map of memory domains}
     */
    public LaunchConfig config() {
        Dimensions cluster = new Dimensions((int) value(27), (int) value(28), (int) value(29));
        Dimensions grid = new Dimensions((int) value(2) / cluster.x(), (int) value(3) / cluster.y(),
                (int) value(4) / cluster.z());
        Dimensions block = new Dimensions((int) value(5), (int) value(6), (int) value(7));
        int priority = (int) value(31);
        int carveout = (int) value(32);
        int domain = (int) value(33);
        return new LaunchConfig(grid, cluster.equals(new Dimensions(1)) ? null : cluster, block, (int) value(8),
                value(30) != 0, false, priority == 0 ? null : priority, carveout == 0 ? null : carveout,
                domain == 0 ? null : MemorySyncDomain.values()[domain - 1], null, null);
    }

    /** {@return the kernel of a kernel node; the caller closes it} */
    public Kernel kernel() {
        return definition.with(Operations.GRAPH_DEFINITION_NODE_KERNEL, graph -> {
            long[] kernel = new long[1];
            CuprumNative.cuprum_graph_definition_node_kernel(kernel, graph, id);
            String[] name = new String[1];
            CuprumNative.cuprum_kernel_name(name, kernel[0]);
            return new Kernel(kernel[0], name[0]);
        });
    }

    /** {@return the address that a memcpy or memset node writes} */
    public long destination() {
        return value(9);
    }

    /** {@return the address that a memcpy node reads} */
    public long source() {
        return value(10);
    }

    /** {@return the bytes of a memcpy or allocation node} */
    public long size() {
        return value(11);
    }

    /** {@return what a memory operation node waits for; null where it writes} */
    public WaitCondition waitCondition() {
        long condition = value(25);
        return condition < 0 ? null : WaitCondition.values()[(int) condition];
    }

    /** {@return what the word of a memory operation node is compared with, or becomes} */
    public long wordValue() {
        return value(12);
    }

    /** {@return the value of each element of a memset node} */
    public int fillValue() {
        return (int) value(12);
    }

    /** {@return the bytes of an element of a memset node, or of the word of a memory operation node} */
    public int elementSize() {
        return (int) value(13);
    }

    /** {@return the elements in a row of a memset node} */
    public long width() {
        return value(14);
    }

    /** {@return the rows of a memset node} */
    public long height() {
        return value(15);
    }

    /** {@return the bytes from one row of a memset node to the next} */
    public long pitch() {
        return value(16);
    }

    /** {@return the address that an allocation node has, a free node frees, or of a memory operation node's word} */
    public long address() {
        return value(17);
    }

    /** {@return the device of an allocation node} */
    public Device device() {
        return new Device((int) value(18));
    }

    /** {@return where the memory of an allocation node is} */
    public GraphMemoryType memoryType() {
        return GraphMemoryType.values()[(int) value(19)];
    }

    /** {@return further devices that use the memory of an allocation node} */
    public List<Device> peerAccess() {
        long peers = value(20);
        List<Device> devices = new ArrayList<>();
        for (int device = 0; device < Long.SIZE; ++device) {
            if ((peers >>> device & 1) != 0) {
                devices.add(new Device(device));
            }
        }
        return devices;
    }

    /** {@return the CUevent of an event node, as an integer} */
    public long event() {
        return value(21);
    }

    /** {@return the condition of a conditional node} */
    public GraphCondition condition() {
        return new GraphCondition(value(22));
    }

    /** {@return what a conditional node decides} */
    public GraphConditionalType conditionalType() {
        return GraphConditionalType.values()[(int) value(23)];
    }

    /** {@return the bodies of a conditional node; the caller closes them} */
    public List<GraphDefinition> bodies() {
        int count = (int) value(24);
        List<GraphDefinition> bodies = new ArrayList<>();
        for (int i = 0; i < count; ++i) {
            bodies.add(part(i));
        }
        return bodies;
    }

    /** {@return the graph of a child graph node; the caller closes it} */
    public GraphDefinition childGraph() {
        return part(0);
    }

    /**
     * Another launch, for what is instantiated from then on.
     *
     * @param config grid, block and the rest
     * @param kernel the kernel
     * @param arguments all its arguments
     */
    public void updateKernel(LaunchConfig config, Kernel kernel, Object... arguments) {
        GraphCalls.kernel(GraphCalls.UPDATE, null, this, config, kernel, arguments);
    }

    /**
     * Another configuration, for what is instantiated from then on; kernel and arguments stay.
     *
     * @param config grid, block and the rest
     */
    public void updateConfig(LaunchConfig config) {
        GraphCalls.kernel(GraphCalls.UPDATE_CONFIG, null, this, config, null);
    }

    /**
     * Another copy, for what is instantiated from then on.
     *
     * @param destination what is written
     * @param source what is read
     * @param size bytes
     */
    public void updateMemcpy(Buffer destination, Buffer source, long size) {
        String operation = Operations.GRAPH_DEFINITION_UPDATE_MEMCPY;
        definition.with(operation, graph -> {
            CuprumNative.cuprum_graph_definition_update_memcpy(
                    graph, id, destination.handle(), source.handle(), size, destination.open(operation),
                    source.open(operation));
            return null;
        });
        Reference.reachabilityFence(destination);
        Reference.reachabilityFence(source);
    }

    /**
     * Another fill, for what is instantiated from then on.
     *
     * @param destination what is filled
     * @param value the value of each element
     * @param elementSize bytes: 1, 2 or 4
     * @param width elements
     */
    public void updateMemset(Buffer destination, int value, int elementSize, long width) {
        String operation = Operations.GRAPH_DEFINITION_UPDATE_MEMSET;
        definition.with(operation, graph -> {
            CuprumNative.cuprum_graph_definition_update_memset(
                    graph, id, destination.handle(), Integer.toUnsignedLong(value), elementSize, width, 1, 0,
                    destination.open(operation));
            return null;
        });
        Reference.reachabilityFence(destination);
    }

    /**
     * Another function, for what is instantiated from then on.
     *
     * @param function what to call
     */
    public void updateCallback(Runnable function) {
        GraphCalls.callback(GraphCalls.UPDATE, 0, this, function);
    }

    /**
     * Another event, for what is instantiated from then on.
     *
     * @param event the event
     */
    public void updateEvent(Event event) {
        String operation = Operations.GRAPH_DEFINITION_UPDATE_EVENT;
        definition.with(operation, graph -> event.with(operation, other -> {
            CuprumNative.cuprum_graph_definition_update_event(graph, id, other);
            return null;
        }));
    }

    /**
     * Another word of a memory operation node, for what is instantiated from then on.
     *
     * @param buffer what the word is in
     * @param offset bytes
     * @param value to compare with or to write
     * @param wordSize bytes: 4 or 8
     * @param condition what to wait for; null to write
     */
    public void updateMemoryOperation(Buffer buffer, long offset, long value, int wordSize, WaitCondition condition) {
        String operation = Operations.GRAPH_DEFINITION_UPDATE_MEMORY_OPERATION;
        definition.with(operation, graph -> buffer.with(operation, words -> {
            CuprumNative.cuprum_graph_definition_update_memory_operation(
                    graph, id, words, offset, value, wordSize, GraphCalls.condition(condition), 0);
            return null;
        }));
    }

    /**
     * Another graph of a child graph node, for what is instantiated from then on. The node has a copy of it, and what
     * {@link #childGraph()} has given before is closed.
     *
     * @param child the graph
     */
    public void updateChildGraph(GraphDefinition child) {
        String operation = Operations.GRAPH_DEFINITION_UPDATE_CHILD_GRAPH;
        definition.with(operation, graph -> child.with(operation, other -> {
            CuprumNative.cuprum_graph_definition_update_child_graph(graph, id, other);
            return null;
        }));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GraphNode && ((GraphNode) other).id == id;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "GraphNode " + id;
    }

    private long value(int which) {
        return definition.with(Operations.GRAPH_DEFINITION_NODE_VALUE, graph -> {
            long[] value = new long[1];
            CuprumNative.cuprum_graph_definition_node_value(value, graph, id, which);
            return value[0];
        });
    }

    private GraphDefinition part(int index) {
        return definition.with(Operations.GRAPH_DEFINITION_PART, graph -> {
            long[] part = new long[1];
            CuprumNative.cuprum_graph_definition_part(part, graph, id, index);
            return new GraphDefinition(part[0]);
        });
    }
}
