package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Where nodes are added: at the beginning of a graph, or after a node of it. The graph keeps the buffers, kernels, events
 * and functions that its nodes use, and so does what is instantiated from it.
 */
public sealed interface GraphPosition permits GraphDefinition, GraphNode {
    /** {@return the graph} */
    GraphDefinition definition();

    /** {@return the node that new ones come after; 0 for the beginning} */
    long id();

    /**
     * A kernel's launch.
     *
     * @param config grid, block and the rest
     * @param kernel the kernel
     * @param arguments one for each parameter, as in {@link Stream#launch}
     * @return the node
     */
    default GraphNode launch(LaunchConfig config, Kernel kernel, Object... arguments) {
        long node = GraphCalls.kernel(GraphCalls.ADD, null, this, config, kernel, arguments);
        return new GraphNode(definition(), node);
    }

    /**
     * A copy from the beginning of one buffer to that of another.
     *
     * @param destination what is written
     * @param source what is read
     * @param size bytes
     * @return the node
     * @throws InvalidArgumentException when a buffer is smaller
     */
    default GraphNode memcpy(Buffer destination, Buffer source, long size) {
        Objects.requireNonNull(destination, "destination must not be null");
        Objects.requireNonNull(source, "source must not be null");
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_MEMCPY, (node, graph) -> {
            String operation = Operations.GRAPH_DEFINITION_ADD_MEMCPY;
            CuprumNative.cuprum_graph_definition_add_memcpy(
                    node, graph, id(), destination.handle(), source.handle(), size, destination.open(operation),
                    source.open(operation));
            Reference.reachabilityFence(destination);
            Reference.reachabilityFence(source);
        });
    }

    /**
     * A copy between addresses, of devices' memory or page-locked host memory that the caller keeps.
     *
     * @param destination what is written
     * @param source what is read
     * @param size bytes
     * @return the node
     */
    default GraphNode memcpy(long destination, long source, long size) {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_MEMCPY, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_memcpy(node, graph, id(), destination, source, size, 0, 0));
    }

    /**
     * A fill of the beginning of a buffer.
     *
     * @param destination what is filled
     * @param value the value of each element
     * @param elementSize bytes: 1, 2 or 4
     * @param width elements
     * @return the node
     */
    default GraphNode memset(Buffer destination, int value, int elementSize, long width) {
        Objects.requireNonNull(destination, "destination must not be null");
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_MEMSET, (node, graph) -> {
            CuprumNative.cuprum_graph_definition_add_memset(
                    node, graph, id(), destination.handle(), Integer.toUnsignedLong(value), elementSize, width, 1, 0,
                    destination.open(Operations.GRAPH_DEFINITION_ADD_MEMSET));
            Reference.reachabilityFence(destination);
        });
    }

    /**
     * A fill of rows at an address, whose memory the caller keeps.
     *
     * @param destination what is filled
     * @param value the value of each element
     * @param elementSize bytes: 1, 2 or 4
     * @param width elements in a row
     * @param height rows
     * @param pitch bytes from one row to the next
     * @return the node
     */
    default GraphNode memset(long destination, int value, int elementSize, long width, long height, long pitch) {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_MEMSET, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_memset(
                        node, graph, id(), destination, Integer.toUnsignedLong(value), elementSize, width, height,
                        pitch, 0));
    }

    /**
     * A function that runs on a thread of the driver's in every launch, under the rules of
     * {@link Stream#launchHostFunction}.
     *
     * @param function what to call
     * @return the node
     */
    default GraphNode callback(Runnable function) {
        return new GraphNode(definition(), GraphCalls.callback(GraphCalls.ADD, 0, this, function));
    }

    /**
     * Records an event.
     *
     * @param event the event
     * @return the node
     */
    default GraphNode record(Event event) {
        Objects.requireNonNull(event, "event must not be null");
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_EVENT_RECORD, (node, graph) ->
                event.with(Operations.GRAPH_DEFINITION_ADD_EVENT_RECORD, recorded -> {
                    CuprumNative.cuprum_graph_definition_add_event_record(node, graph, id(), recorded);
                    return null;
                }));
    }

    /**
     * Waits for an event.
     *
     * @param event the event
     * @return the node
     */
    default GraphNode waitFor(Event event) {
        Objects.requireNonNull(event, "event must not be null");
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_EVENT_WAIT, (node, graph) ->
                event.with(Operations.GRAPH_DEFINITION_ADD_EVENT_WAIT, awaited -> {
                    CuprumNative.cuprum_graph_definition_add_event_wait(node, graph, id(), awaited);
                    return null;
                }));
    }

    /**
     * Waits until the 4 bytes at byte {@code offset} of the buffer fulfil the condition; as {@link Stream#waitValue32}.
     *
     * @param buffer the graph keeps it
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @return the node
     * @throws InvalidArgumentException when the address is not aligned to 4 bytes, or not inside of the buffer
     */
    default GraphNode waitValue32(Buffer buffer, long offset, int value, WaitCondition condition) {
        return GraphCalls.word(this, buffer, offset, Integer.toUnsignedLong(value), Integer.BYTES, condition.ordinal());
    }

    /**
     * The same with 8 bytes.
     *
     * @param buffer the graph keeps it
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @return the node
     */
    default GraphNode waitValue64(Buffer buffer, long offset, long value, WaitCondition condition) {
        return GraphCalls.word(this, buffer, offset, value, Long.BYTES, condition.ordinal());
    }

    /**
     * Writes the 4 bytes at byte {@code offset} of the buffer.
     *
     * @param buffer the graph keeps it
     * @param offset bytes
     * @param value to write
     * @return the node
     */
    default GraphNode writeValue32(Buffer buffer, long offset, int value) {
        return GraphCalls.word(this, buffer, offset, Integer.toUnsignedLong(value), Integer.BYTES, GraphCalls.WRITE);
    }

    /**
     * Writes the 8 bytes at byte {@code offset} of the buffer.
     *
     * @param buffer the graph keeps it
     * @param offset bytes
     * @param value to write
     * @return the node
     */
    default GraphNode writeValue64(Buffer buffer, long offset, long value) {
        return GraphCalls.word(this, buffer, offset, value, Long.BYTES, GraphCalls.WRITE);
    }

    /**
     * Signals a semaphore of another interface.
     *
     * @param semaphore a CUexternalSemaphore, which the program keeps
     * @param value of its timeline or fence
     * @return the node
     */
    default GraphNode signalExternalSemaphore(long semaphore, long value) {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_EXTERNAL_SEMAPHORE, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_external_semaphore(node, graph, id(), semaphore, value, 0));
    }

    /**
     * Waits for a semaphore of another interface.
     *
     * @param semaphore a CUexternalSemaphore, which the program keeps
     * @param value of its timeline or fence
     * @return the node
     */
    default GraphNode waitExternalSemaphore(long semaphore, long value) {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_EXTERNAL_SEMAPHORE, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_external_semaphore(node, graph, id(), semaphore, value, 1));
    }

    /**
     * A copy of another graph as one node. It can have no allocation, free and conditional nodes.
     *
     * @param child the other graph
     * @return the node
     */
    default GraphNode embed(GraphDefinition child) {
        Objects.requireNonNull(child, "child must not be null");
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_CHILD_GRAPH, (node, graph) ->
                child.with(Operations.GRAPH_DEFINITION_ADD_CHILD_GRAPH, embedded -> {
                    CuprumNative.cuprum_graph_definition_add_child_graph(node, graph, id(), embedded);
                    return null;
                }));
    }

    /** {@return a node that does nothing} */
    default GraphNode empty() {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_EMPTY,
                (node, graph) -> CuprumNative.cuprum_graph_definition_add_empty(node, graph, id()));
    }

    /**
     * A node that does nothing, after this position and others.
     *
     * @param nodes the others
     * @return the node
     */
    default GraphNode join(GraphNode... nodes) {
        GraphNode joined = empty();
        for (GraphNode node : nodes) {
            definition().addDependency(node, joined);
        }
        return joined;
    }

    /**
     * Memory of the graph's device that is there from this node on, at the same {@link GraphNode#address()} in every
     * launch.
     *
     * @param size bytes
     * @return the node
     */
    default GraphNode allocate(long size) {
        return allocate(size, null, GraphMemoryType.DEVICE);
    }

    /**
     * Memory that is there from this node on, at the same {@link GraphNode#address()} in every launch.
     *
     * @param size bytes
     * @param device the device; null for the graph's
     * @param memoryType where the memory is
     * @param peerAccess further devices that use it
     * @return the node
     */
    default GraphNode allocate(long size, Device device, GraphMemoryType memoryType, Device... peerAccess) {
        long peers = 0;
        for (Device peer : peerAccess) {
            peers |= 1L << peer.deviceId();
        }
        long devices = peers;
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_ALLOCATION, (node, graph) ->
                CuprumNative.cuprum_graph_definition_add_allocation(
                        node, graph, id(), size, device == null ? -1 : device.deviceId(), memoryType.ordinal(),
                        devices));
    }

    /**
     * Frees what an allocation node has allocated.
     *
     * @param address its address
     * @return the node
     */
    default GraphNode deallocate(long address) {
        return GraphCalls.add(this, Operations.GRAPH_DEFINITION_ADD_FREE,
                (node, graph) -> CuprumNative.cuprum_graph_definition_add_free(node, graph, id(), address));
    }

    /**
     * Runs its body where the condition is not 0.
     *
     * @param condition a condition for this node alone
     * @return the node
     */
    default GraphNode ifThen(GraphCondition condition) {
        return GraphCalls.conditional(this, condition, GraphConditionalType.IF, 1);
    }

    /**
     * Runs its first body where the condition is not 0, else the second.
     *
     * @param condition a condition for this node alone
     * @return the node
     */
    default GraphNode ifElse(GraphCondition condition) {
        return GraphCalls.conditional(this, condition, GraphConditionalType.IF, 2);
    }

    /**
     * Runs its body again and again while the condition is not 0.
     *
     * @param condition a condition for this node alone
     * @return the node
     */
    default GraphNode whileLoop(GraphCondition condition) {
        return GraphCalls.conditional(this, condition, GraphConditionalType.WHILE, 1);
    }

    /**
     * Runs the body whose number the condition is; none where there is no such body.
     *
     * @param condition a condition for this node alone
     * @param count bodies
     * @return the node
     */
    default GraphNode switchCase(GraphCondition condition, int count) {
        return GraphCalls.conditional(this, condition, GraphConditionalType.SWITCH, count);
    }
}
