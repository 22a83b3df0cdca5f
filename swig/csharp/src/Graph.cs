using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A graph that can be launched, as often as one likes. It keeps what its nodes use until it is disposed of and its
/// launches have ended. One launch of it runs at a time, in the order of the calls. Launches and updates of one graph must
/// not be under way in several threads at once.</summary>
public sealed partial class Graph : IDisposable {
    private readonly NativeHandle handle;

    internal Graph(IntPtr graph) {
        handle = new NativeHandle(graph, CuprumNative.cuprum_release_graph);
    }

    /// <summary>Takes the parameters of all nodes from another graph with the same nodes and edges, for later launches.
    /// </summary>
    /// <param name="source">The other graph.</param>
    /// <exception cref="DriverException">They differ; it says what, and in which node. Then the graph is as it was.
    /// </exception>
    public void Update(GraphDefinition source) {
        CuprumNative.cuprum_graph_update(Use(Operations.GraphUpdate),
                                         Require.NotNull(source, nameof(source)).Use(Operations.GraphUpdate));
    }

    /// <summary>Takes the parameters of all nodes from a graph that was built, for later launches.</summary>
    /// <param name="source">Its builder.</param>
    public void Update(GraphBuilder source) {
        using (GraphDefinition definition = Require.NotNull(source, nameof(source)).GetGraphDefinition()) {
            Update(definition);
        }
    }

    /// <summary>Another launch of a node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="config">Grid, block and shared memory.</param>
    /// <param name="kernel">The kernel.</param>
    /// <param name="arguments">All its arguments.</param>
    public void UpdateKernel(GraphNode node, LaunchConfig config, Kernel kernel, params object[] arguments) {
        string operation = Operations.GraphUpdateKernel;
        GraphCalls.Kernel(GraphCalls.UpdateGraph, Use(operation), Require.NotNull(node, nameof(node)).In(operation),
                          node.Id, config, Require.NotNull(kernel, nameof(kernel)).Use(operation), arguments);
    }

    /// <summary>Another copy of a node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="destination">What is written.</param>
    /// <param name="source">What is read.</param>
    /// <param name="size">Bytes.</param>
    public void UpdateMemcpy(GraphNode node, Buffer destination, Buffer source, ulong size) {
        string operation = Operations.GraphUpdateMemcpy;
        CuprumNative.cuprum_graph_update_memcpy(Use(operation), node.In(operation), node.Id, destination.Handle,
                                                source.Handle, size, destination.Use(operation), source.Use(operation));
    }

    /// <summary>Another fill of a node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="destination">What is filled.</param>
    /// <param name="value">The value of each element.</param>
    /// <param name="elementSize">Bytes: 1, 2 or 4.</param>
    /// <param name="width">Elements.</param>
    public void UpdateMemset(GraphNode node, Buffer destination, uint value, int elementSize, ulong width) {
        string operation = Operations.GraphUpdateMemset;
        CuprumNative.cuprum_graph_update_memset(Use(operation), node.In(operation), node.Id, destination.Handle, value,
                                                (uint)elementSize, width, 1, 0, destination.Use(operation));
    }

    /// <summary>Another function of a node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="function">What to call.</param>
    public void UpdateCallback(GraphNode node, Action function) {
        string operation = Operations.GraphUpdateCallback;
        HostFunctions.GiveToGraph(GraphCalls.UpdateGraph, Use(operation), node.In(operation), node.Id,
                                  Require.NotNull(function, nameof(function)));
    }

    /// <summary>Another event of a node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="other">The event.</param>
    public void UpdateEvent(GraphNode node, Event other) {
        string operation = Operations.GraphUpdateEvent;
        CuprumNative.cuprum_graph_update_event(Use(operation), node.In(operation), node.Id, other.Use(operation));
    }

    /// <summary>Another word of a memory operation node, for later launches of the graph. A wait stays a wait, a write a
    /// write, and the word's size what it is.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="buffer">What the word is in.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with or to write.</param>
    /// <param name="wordSize">Bytes: 4 or 8.</param>
    /// <param name="condition">What to wait for; null to write.</param>
    public void UpdateMemoryOperation(GraphNode node, Buffer buffer, ulong offset, ulong value, int wordSize,
                                      WaitCondition? condition) {
        string operation = Operations.GraphUpdateMemoryOperation;
        CuprumNative.cuprum_graph_update_memory_operation(Use(operation), node.In(operation), node.Id,
                                                          Require.NotNull(buffer, nameof(buffer)).Use(operation), offset,
                                                          value, (uint)wordSize, GraphPosition.Number(condition), 0);
    }

    /// <summary>Another graph of a child graph node, for later launches of the graph.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="child">A graph with the same nodes and edges.</param>
    public void UpdateChildGraph(GraphNode node, GraphDefinition child) {
        string operation = Operations.GraphUpdateChildGraph;
        CuprumNative.cuprum_graph_update_child_graph(Use(operation), node.In(operation), node.Id, child.Use(operation));
    }

    /// <summary>Whether a kernel, memcpy or memset node runs.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    public bool IsEnabled(GraphNode node) {
        string operation = Operations.GraphIsNodeEnabled;
        int enabled;
        CuprumNative.cuprum_graph_is_node_enabled(out enabled, Use(operation), node.In(operation), node.Id);
        return enabled != 0;
    }

    /// <summary>Has a kernel, memcpy or memset node run in later launches, or leaves it out.</summary>
    /// <param name="node">Of the definition that the graph was instantiated from.</param>
    /// <param name="enabled">Whether it runs.</param>
    public void SetEnabled(GraphNode node, bool enabled) {
        string operation = Operations.GraphSetNodeEnabled;
        CuprumNative.cuprum_graph_set_node_enabled(Use(operation), node.In(operation), node.Id, enabled ? 1 : 0);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>What was launched goes on. May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the graph.</summary>
    public override string ToString() {
        return "Graph " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
