using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A node of a graph. A value: nodes are equal where they are the same node.</summary>
public sealed class GraphNode : GraphPosition {
    private readonly GraphDefinition definition;
    private readonly ulong id;

    internal GraphNode(GraphDefinition definition, ulong id) {
        this.definition = definition;
        this.id = id;
    }

    internal override GraphDefinition Owner { get { return definition; } }

    /// <summary>A number that no other node has.</summary>
    public override ulong Id { get { return id; } }

    /// <summary>The graph that it is in.</summary>
    public GraphDefinition Definition { get { return definition; } }

    /// <summary>Whether it is there: not destroyed, nor what its graph was a part of.</summary>
    public bool IsValid {
        get {
            int valid;
            CuprumNative.cuprum_graph_definition_has_node(out valid, In(Operations.GraphDefinitionHasNode), id);
            return valid != 0;
        }
    }

    /// <summary>What it is.</summary>
    public GraphNodeType Type { get { return (GraphNodeType)Value(0); } }

    /// <summary>The CUgraphNode, as an integer.</summary>
    public ulong Handle { get { return Value(1); } }

    /// <summary>Removes it and its edges.</summary>
    public void Destroy() {
        CuprumNative.cuprum_graph_definition_destroy_node(In(Operations.GraphDefinitionDestroyNode), id);
    }

    /// <summary>The nodes that it comes after.</summary>
    public IReadOnlyList<GraphNode> Predecessors {
        get { return definition.Edges.Where(edge => edge.Value.Equals(this)).Select(edge => edge.Key).ToList(); }
    }

    /// <summary>The nodes that come after it.</summary>
    public IReadOnlyList<GraphNode> Successors {
        get { return definition.Edges.Where(edge => edge.Key.Equals(this)).Select(edge => edge.Value).ToList(); }
    }

    /// <summary>How a kernel node is launched: grid, block and shared memory, with what else was asked for, except an
    /// access policy window and a map of memory domains.</summary>
    public LaunchConfig Config {
        get {
            var cluster = new Dimensions((int)Value(27), (int)Value(28), (int)Value(29));
            var grid = new Dimensions((int)Value(2) / cluster.X, (int)Value(3) / cluster.Y, (int)Value(4) / cluster.Z);
            var block = new Dimensions((int)Value(5), (int)Value(6), (int)Value(7));
            int priority = (int)(long)Value(31);
            int carveout = (int)Value(32);
            int domain = (int)Value(33);
            return new LaunchConfig(
                grid, block, (int)Value(8), Value(30) != 0,
                cluster: cluster.Equals(new Dimensions(1)) ? (Dimensions?)null : cluster,
                priority: priority == 0 ? (int?)null : priority,
                preferredSharedMemoryCarveout: carveout == 0 ? (int?)null : carveout,
                memorySyncDomain: domain == 0 ? (MemorySyncDomain?)null : (MemorySyncDomain)(domain - 1));
        }
    }

    /// <summary>The kernel of a kernel node; the caller disposes of it.</summary>
    public Kernel Kernel {
        get {
            IntPtr kernel;
            CuprumNative.cuprum_graph_definition_node_kernel(out kernel, In(Operations.GraphDefinitionNodeKernel), id);
            return Cuprum.Kernel.Taken(kernel);
        }
    }

    /// <summary>The address that a memcpy or memset node writes.</summary>
    public ulong Destination { get { return Value(9); } }

    /// <summary>The address that a memcpy node reads.</summary>
    public ulong Source { get { return Value(10); } }

    /// <summary>The bytes of a memcpy or allocation node.</summary>
    public ulong Size { get { return Value(11); } }

    /// <summary>What a memory operation node waits for; null where it writes.</summary>
    public Cuprum.WaitCondition? WaitCondition {
        get {
            ulong condition = Value(25);
            return condition > 3 ? (Cuprum.WaitCondition?)null : (Cuprum.WaitCondition)condition;
        }
    }

    /// <summary>What the word of a memory operation node is compared with, or becomes.</summary>
    public ulong WordValue { get { return Value(12); } }

    /// <summary>The value of each element of a memset node.</summary>
    public uint FillValue { get { return (uint)Value(12); } }

    /// <summary>The bytes of an element of a memset node, or of the word of a memory operation node.</summary>
    public int ElementSize { get { return (int)Value(13); } }

    /// <summary>The elements in a row of a memset node.</summary>
    public ulong Width { get { return Value(14); } }

    /// <summary>The rows of a memset node.</summary>
    public ulong Height { get { return Value(15); } }

    /// <summary>The bytes from one row of a memset node to the next.</summary>
    public ulong Pitch { get { return Value(16); } }

    /// <summary>The address that an allocation node has, a free node frees, or of a memory operation node's word.
    /// </summary>
    public ulong Address { get { return Value(17); } }

    /// <summary>The device of an allocation node.</summary>
    public Device Device { get { return new Device((int)Value(18)); } }

    /// <summary>Where the memory of an allocation node is.</summary>
    public GraphMemoryType MemoryType { get { return (GraphMemoryType)Value(19); } }

    /// <summary>Further devices that use the memory of an allocation node.</summary>
    public IReadOnlyList<Device> PeerAccess {
        get {
            ulong peers = Value(20);
            return Enumerable.Range(0, 64).Where(device => (peers >> device & 1) != 0)
                .Select(device => new Device(device)).ToList();
        }
    }

    /// <summary>The CUevent of an event node, as an integer.</summary>
    public ulong Event { get { return Value(21); } }

    /// <summary>The condition of a conditional node.</summary>
    public GraphCondition Condition { get { return new GraphCondition(Value(22)); } }

    /// <summary>What a conditional node decides.</summary>
    public GraphConditionalType ConditionalType { get { return (GraphConditionalType)Value(23); } }

    /// <summary>The bodies of a conditional node; the caller disposes of them.</summary>
    public IReadOnlyList<GraphDefinition> GetBodies() {
        return Enumerable.Range(0, (int)Value(24)).Select(Part).ToList();
    }

    /// <summary>The graph of a child graph node; the caller disposes of it.</summary>
    public GraphDefinition GetChildGraph() {
        return Part(0);
    }

    /// <summary>Another launch, for what is instantiated from then on.</summary>
    /// <param name="config">Grid, block and the rest.</param>
    /// <param name="kernel">The kernel.</param>
    /// <param name="arguments">All its arguments.</param>
    public void UpdateKernel(LaunchConfig config, Kernel kernel, params object[] arguments) {
        string operation = Operations.GraphDefinitionUpdateKernel;
        GraphCalls.Kernel(GraphCalls.Update, NativeHandle.None, In(operation), id, config,
                          Require.NotNull(kernel, nameof(kernel)).Use(operation), arguments);
    }

    /// <summary>Another configuration, for what is instantiated from then on; kernel and arguments stay.</summary>
    /// <param name="config">Grid, block and the rest.</param>
    public void UpdateConfig(LaunchConfig config) {
        GraphCalls.Kernel(GraphCalls.UpdateConfig, NativeHandle.None, In(Operations.GraphDefinitionUpdateKernelConfig),
                          id, config, NativeHandle.None, new object[0]);
    }

    /// <summary>Another copy, for what is instantiated from then on.</summary>
    /// <param name="destination">What is written.</param>
    /// <param name="source">What is read.</param>
    /// <param name="size">Bytes.</param>
    public void UpdateMemcpy(Buffer destination, Buffer source, ulong size) {
        string operation = Operations.GraphDefinitionUpdateMemcpy;
        CuprumNative.cuprum_graph_definition_update_memcpy(In(operation), id, destination.Handle, source.Handle, size,
                                                           destination.Use(operation), source.Use(operation));
    }

    /// <summary>Another fill, for what is instantiated from then on.</summary>
    /// <param name="destination">What is filled.</param>
    /// <param name="value">The value of each element.</param>
    /// <param name="elementSize">Bytes: 1, 2 or 4.</param>
    /// <param name="width">Elements.</param>
    public void UpdateMemset(Buffer destination, uint value, int elementSize, ulong width) {
        string operation = Operations.GraphDefinitionUpdateMemset;
        CuprumNative.cuprum_graph_definition_update_memset(In(operation), id, destination.Handle, value,
                                                           (uint)elementSize, width, 1, 0, destination.Use(operation));
    }

    /// <summary>Another function, for what is instantiated from then on.</summary>
    /// <param name="function">What to call.</param>
    public void UpdateCallback(Action function) {
        HostFunctions.GiveToGraph(GraphCalls.Update, NativeHandle.None, In(Operations.GraphDefinitionUpdateCallback), id,
                                  Require.NotNull(function, nameof(function)));
    }

    /// <summary>Another event, for what is instantiated from then on.</summary>
    /// <param name="other">The event.</param>
    public void UpdateEvent(Event other) {
        string operation = Operations.GraphDefinitionUpdateEvent;
        CuprumNative.cuprum_graph_definition_update_event(In(operation), id,
                                                          Require.NotNull(other, nameof(other)).Use(operation));
    }

    /// <summary>Another word of a memory operation node, for what is instantiated from then on.</summary>
    /// <param name="buffer">What the word is in.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with or to write.</param>
    /// <param name="wordSize">Bytes: 4 or 8.</param>
    /// <param name="condition">What to wait for; null to write.</param>
    public void UpdateMemoryOperation(Buffer buffer, ulong offset, ulong value, int wordSize,
                                      Cuprum.WaitCondition? condition) {
        string operation = Operations.GraphDefinitionUpdateMemoryOperation;
        CuprumNative.cuprum_graph_definition_update_memory_operation(
            In(operation), id, Require.NotNull(buffer, nameof(buffer)).Use(operation), offset, value, (uint)wordSize,
            Number(condition), 0);
    }

    /// <summary>Another graph of a child graph node, for what is instantiated from then on. The node has a copy of it, and
    /// what <see cref="GetChildGraph"/> has given before is closed.</summary>
    /// <param name="child">The graph.</param>
    public void UpdateChildGraph(GraphDefinition child) {
        string operation = Operations.GraphDefinitionUpdateChildGraph;
        CuprumNative.cuprum_graph_definition_update_child_graph(In(operation), id,
                                                                Require.NotNull(child, nameof(child)).Use(operation));
    }

    /// <summary>Whether it is the same node.</summary>
    public override bool Equals(object other) {
        var node = other as GraphNode;
        return node != null && node.id == id;
    }

    /// <summary>Of the node.</summary>
    public override int GetHashCode() {
        return id.GetHashCode();
    }

    /// <summary>Names the node.</summary>
    public override string ToString() {
        return "GraphNode " + id;
    }

    private ulong Value(int which) {
        ulong value;
        CuprumNative.cuprum_graph_definition_node_value(out value, In(Operations.GraphDefinitionNodeValue), id, which);
        return value;
    }

    private GraphDefinition Part(int index) {
        IntPtr part;
        CuprumNative.cuprum_graph_definition_part(out part, In(Operations.GraphDefinitionPart), id, (uint)index);
        return new GraphDefinition(part);
    }
}

}
