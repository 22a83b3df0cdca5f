using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Where nodes are added: at the beginning of a graph, or after a node of it. The graph keeps the buffers, kernels,
/// events and functions that its nodes use, and so does what is instantiated from it.</summary>
public abstract class GraphPosition {
    internal GraphPosition() {}

    internal abstract GraphDefinition Owner { get; }

    /// <summary>The node that new ones come after; 0 for the beginning.</summary>
    public abstract ulong Id { get; }

    internal NativeHandle In(string operation) {
        return Owner.Use(operation);
    }

    internal GraphNode Made(ulong node) {
        return new GraphNode(Owner, node);
    }

    /// <summary>A kernel's launch.</summary>
    /// <param name="config">Grid, block and the rest.</param>
    /// <param name="kernel">The kernel.</param>
    /// <param name="arguments">One for each parameter, as in <see cref="Stream.Launch"/>.</param>
    public GraphNode Launch(LaunchConfig config, Kernel kernel, params object[] arguments) {
        string operation = Operations.GraphDefinitionAddKernel;
        return Made(GraphCalls.Kernel(GraphCalls.Add, NativeHandle.None, In(operation), Id, config,
                                      Require.NotNull(kernel, nameof(kernel)).Use(operation), arguments));
    }

    /// <summary>A copy from the beginning of one buffer to that of another.</summary>
    /// <param name="destination">What is written.</param>
    /// <param name="source">What is read.</param>
    /// <param name="size">Bytes.</param>
    /// <exception cref="InvalidArgumentException">A buffer is smaller.</exception>
    public GraphNode Memcpy(Buffer destination, Buffer source, ulong size) {
        string operation = Operations.GraphDefinitionAddMemcpy;
        Require.NotNull(destination, nameof(destination));
        Require.NotNull(source, nameof(source));
        ulong node;
        CuprumNative.cuprum_graph_definition_add_memcpy(out node, In(operation), Id, destination.Handle, source.Handle,
                                                        size, destination.Use(operation), source.Use(operation));
        return Made(node);
    }

    /// <summary>A copy between addresses, of devices' memory or page-locked host memory that the caller keeps.</summary>
    /// <param name="destination">What is written.</param>
    /// <param name="source">What is read.</param>
    /// <param name="size">Bytes.</param>
    public GraphNode Memcpy(ulong destination, ulong source, ulong size) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_memcpy(out node, In(Operations.GraphDefinitionAddMemcpy), Id,
                                                        destination, source, size, NativeHandle.None,
                                                        NativeHandle.None);
        return Made(node);
    }

    /// <summary>A fill of the beginning of a buffer.</summary>
    /// <param name="destination">What is filled.</param>
    /// <param name="value">The value of each element.</param>
    /// <param name="elementSize">Bytes: 1, 2 or 4.</param>
    /// <param name="width">Elements.</param>
    public GraphNode Memset(Buffer destination, uint value, int elementSize, ulong width) {
        string operation = Operations.GraphDefinitionAddMemset;
        Require.NotNull(destination, nameof(destination));
        ulong node;
        CuprumNative.cuprum_graph_definition_add_memset(out node, In(operation), Id, destination.Handle, value,
                                                        (uint)elementSize, width, 1, 0, destination.Use(operation));
        return Made(node);
    }

    /// <summary>A fill of rows at an address, whose memory the caller keeps.</summary>
    /// <param name="destination">What is filled.</param>
    /// <param name="value">The value of each element.</param>
    /// <param name="elementSize">Bytes: 1, 2 or 4.</param>
    /// <param name="width">Elements in a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pitch">Bytes from one row to the next.</param>
    public GraphNode Memset(ulong destination, uint value, int elementSize, ulong width, ulong height, ulong pitch) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_memset(out node, In(Operations.GraphDefinitionAddMemset), Id,
                                                        destination, value, (uint)elementSize, width, height, pitch,
                                                        NativeHandle.None);
        return Made(node);
    }

    /// <summary>A function that runs in every launch, under the rules of <see cref="Stream.LaunchHostFunction"/>.</summary>
    /// <param name="function">What to call.</param>
    public GraphNode Callback(Action function) {
        return Made(HostFunctions.GiveToGraph(GraphCalls.Add, NativeHandle.None,
                                              In(Operations.GraphDefinitionAddCallback), Id,
                                              Require.NotNull(function, nameof(function))));
    }

    /// <summary>Records an event.</summary>
    /// <param name="recorded">The event.</param>
    public GraphNode Record(Event recorded) {
        string operation = Operations.GraphDefinitionAddEventRecord;
        ulong node;
        CuprumNative.cuprum_graph_definition_add_event_record(
            out node, In(operation), Id, Require.NotNull(recorded, nameof(recorded)).Use(operation));
        return Made(node);
    }

    /// <summary>Waits for an event.</summary>
    /// <param name="awaited">The event.</param>
    public GraphNode Wait(Event awaited) {
        string operation = Operations.GraphDefinitionAddEventWait;
        ulong node;
        CuprumNative.cuprum_graph_definition_add_event_wait(out node, In(operation), Id,
                                                            Require.NotNull(awaited, nameof(awaited)).Use(operation));
        return Made(node);
    }

    /// <summary>Waits until the 4 bytes at byte <paramref name="offset"/> of the buffer fulfil the condition; as
    /// <see cref="Stream.WaitValue32"/>.</summary>
    /// <param name="buffer">The graph keeps it.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with.</param>
    /// <param name="condition">How.</param>
    /// <param name="flush">What other devices have written before is then visible, too, where the device can do that.
    /// </param>
    /// <exception cref="InvalidArgumentException">The address is not aligned to 4 bytes, or not inside of the buffer.
    /// </exception>
    public GraphNode WaitValue32(Buffer buffer, ulong offset, uint value,
                                 WaitCondition condition = WaitCondition.GreaterOrEqual, bool flush = false) {
        return Word(buffer, offset, value, 4, condition, flush);
    }

    /// <summary>The same with 8 bytes.</summary>
    /// <param name="buffer">The graph keeps it.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with.</param>
    /// <param name="condition">How.</param>
    /// <param name="flush">What other devices have written before is then visible, too, where the device can do that.
    /// </param>
    public GraphNode WaitValue64(Buffer buffer, ulong offset, ulong value,
                                 WaitCondition condition = WaitCondition.GreaterOrEqual, bool flush = false) {
        return Word(buffer, offset, value, 8, condition, flush);
    }

    /// <summary>Writes the 4 bytes at byte <paramref name="offset"/> of the buffer.</summary>
    /// <param name="buffer">The graph keeps it.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To write.</param>
    public GraphNode WriteValue32(Buffer buffer, ulong offset, uint value) {
        return Word(buffer, offset, value, 4, null, false);
    }

    /// <summary>Writes the 8 bytes at byte <paramref name="offset"/> of the buffer.</summary>
    /// <param name="buffer">The graph keeps it.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To write.</param>
    public GraphNode WriteValue64(Buffer buffer, ulong offset, ulong value) {
        return Word(buffer, offset, value, 8, null, false);
    }

    // CUPRUM_WAIT_*, or CUPRUM_GRAPH_WRITE_VALUE.
    internal static int Number(WaitCondition? condition) {
        return condition == null ? -1 : (int)condition.Value;
    }

    private GraphNode Word(Buffer buffer, ulong offset, ulong value, uint size, WaitCondition? condition, bool flush) {
        string operation = Operations.GraphDefinitionAddMemoryOperation;
        ulong node;
        CuprumNative.cuprum_graph_definition_add_memory_operation(
            out node, In(operation), Id, Require.NotNull(buffer, nameof(buffer)).Use(operation), offset, value, size,
            Number(condition), flush ? 1 : 0);
        return Made(node);
    }

    /// <summary>Signals a semaphore of another interface.</summary>
    /// <param name="semaphore">A CUexternalSemaphore, which the program keeps.</param>
    /// <param name="value">Of its timeline or fence.</param>
    public GraphNode SignalExternalSemaphore(ulong semaphore, ulong value) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_external_semaphore(
            out node, In(Operations.GraphDefinitionAddExternalSemaphore), Id, semaphore, value, 0);
        return Made(node);
    }

    /// <summary>Waits for a semaphore of another interface.</summary>
    /// <param name="semaphore">A CUexternalSemaphore, which the program keeps.</param>
    /// <param name="value">Of its timeline or fence.</param>
    public GraphNode WaitExternalSemaphore(ulong semaphore, ulong value) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_external_semaphore(
            out node, In(Operations.GraphDefinitionAddExternalSemaphore), Id, semaphore, value, 1);
        return Made(node);
    }

    /// <summary>A copy of another graph as one node. It can have no allocation, free and conditional nodes.</summary>
    /// <param name="child">The other graph.</param>
    public GraphNode Embed(GraphDefinition child) {
        string operation = Operations.GraphDefinitionAddChildGraph;
        ulong node;
        CuprumNative.cuprum_graph_definition_add_child_graph(out node, In(operation), Id,
                                                             Require.NotNull(child, nameof(child)).Use(operation));
        return Made(node);
    }

    /// <summary>A node that does nothing.</summary>
    public GraphNode Empty() {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_empty(out node, In(Operations.GraphDefinitionAddEmpty), Id);
        return Made(node);
    }

    /// <summary>A node that does nothing, after this position and others.</summary>
    /// <param name="nodes">The others.</param>
    public GraphNode Join(params GraphNode[] nodes) {
        GraphNode joined = Empty();
        foreach (GraphNode node in nodes) {
            Owner.AddDependency(node, joined);
        }
        return joined;
    }

    /// <summary>Memory that is there from this node on, at the same <see cref="GraphNode.Address"/> in every
    /// launch.</summary>
    /// <param name="size">Bytes.</param>
    /// <param name="device">The device; null for the graph's.</param>
    /// <param name="memoryType">Where the memory is.</param>
    /// <param name="peerAccess">Further devices that use it.</param>
    public GraphNode Allocate(ulong size, Device device = null, GraphMemoryType memoryType = GraphMemoryType.Device,
                              params Device[] peerAccess) {
        ulong peers = 0;
        foreach (Device peer in peerAccess) {
            peers |= 1UL << peer.DeviceId;
        }
        ulong node;
        CuprumNative.cuprum_graph_definition_add_allocation(out node, In(Operations.GraphDefinitionAddAllocation), Id,
                                                            size, device == null ? -1 : device.DeviceId,
                                                            (int)memoryType, peers);
        return Made(node);
    }

    /// <summary>Frees what an allocation node has allocated.</summary>
    /// <param name="address">Its address.</param>
    public GraphNode Deallocate(ulong address) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_free(out node, In(Operations.GraphDefinitionAddFree), Id, address);
        return Made(node);
    }

    /// <summary>Runs its body where the condition is not 0.</summary>
    /// <param name="condition">A condition for this node alone.</param>
    public GraphNode IfThen(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.If, 1);
    }

    /// <summary>Runs its first body where the condition is not 0, else the second.</summary>
    /// <param name="condition">A condition for this node alone.</param>
    public GraphNode IfElse(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.If, 2);
    }

    /// <summary>Runs its body again and again while the condition is not 0.</summary>
    /// <param name="condition">A condition for this node alone.</param>
    public GraphNode WhileLoop(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.While, 1);
    }

    /// <summary>Runs the body whose number the condition is; none where there is no such body.</summary>
    /// <param name="condition">A condition for this node alone.</param>
    /// <param name="count">Bodies.</param>
    public GraphNode SwitchCase(GraphCondition condition, int count) {
        return Conditional(condition, GraphConditionalType.Switch, count);
    }

    private GraphNode Conditional(GraphCondition condition, GraphConditionalType type, int count) {
        ulong node;
        CuprumNative.cuprum_graph_definition_add_conditional(out node, In(Operations.GraphDefinitionAddConditional), Id,
                                                             condition.Handle, (int)type, (uint)count);
        return Made(node);
    }
}

}
