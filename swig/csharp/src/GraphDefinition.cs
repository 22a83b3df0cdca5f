using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What a graph does: nodes, and which of them come before which. Its methods add nodes at the beginning; those of
/// nodes, after these. The body of a conditional node and the graph of a child graph node are definitions as
/// well.</summary>
public sealed partial class GraphDefinition : GraphPosition, IDisposable {
    private readonly NativeHandle handle;

    static GraphDefinition() {
        NativeLibraries.Load();
    }

    /// <summary>An empty graph.</summary>
    /// <param name="device">The device that its work runs on.</param>
    public GraphDefinition(Device device) {
        IntPtr definition;
        CuprumNative.cuprum_graph_definition_create(out definition, Require.NotNull(device, nameof(device)).DeviceId);
        handle = new NativeHandle(definition, CuprumNative.cuprum_release_graph_definition);
    }

    internal GraphDefinition(IntPtr definition) {
        handle = new NativeHandle(definition, CuprumNative.cuprum_release_graph_definition);
    }

    internal override GraphDefinition Owner { get { return this; } }

    /// <summary>0: new nodes are at the beginning.</summary>
    public override ulong Id { get { return 0; } }

    /// <summary>All nodes.</summary>
    public IReadOnlyList<GraphNode> Nodes {
        get {
            IntPtr data;
            ulong size;
            CuprumNative.cuprum_graph_definition_nodes(out data, out size, Use(Operations.GraphDefinitionNodes));
            return GraphCalls.Numbers(data, size).Select(Made).ToList();
        }
    }

    /// <summary>All edges, each from the key to the value.</summary>
    public IReadOnlyList<KeyValuePair<GraphNode, GraphNode>> Edges {
        get {
            IntPtr data;
            ulong size;
            CuprumNative.cuprum_graph_definition_edges(out data, out size, Use(Operations.GraphDefinitionEdges));
            ulong[] numbers = GraphCalls.Numbers(data, size);
            var edges = new List<KeyValuePair<GraphNode, GraphNode>>();
            for (int i = 0; i < numbers.Length; i += 2) {
                edges.Add(new KeyValuePair<GraphNode, GraphNode>(Made(numbers[i]), Made(numbers[i + 1])));
            }
            return edges;
        }
    }

    /// <summary>One node comes after another. Nothing happens where it does already.</summary>
    /// <param name="from">The node that comes first.</param>
    /// <param name="to">The node that comes after it.</param>
    /// <exception cref="InvalidArgumentException">There is a way back.</exception>
    public void AddDependency(GraphNode from, GraphNode to) {
        CuprumNative.cuprum_graph_definition_add_dependency(Use(Operations.GraphDefinitionAddDependency), from.Id, to.Id);
    }

    /// <summary>One node no longer comes after another. Nothing happens where it does not.</summary>
    /// <param name="from">The node that came first.</param>
    /// <param name="to">The node that came after it.</param>
    public void RemoveDependency(GraphNode from, GraphNode to) {
        CuprumNative.cuprum_graph_definition_remove_dependency(Use(Operations.GraphDefinitionRemoveDependency), from.Id,
                                                               to.Id);
    }

    /// <summary>A condition for one conditional node.</summary>
    /// <param name="defaultValue">Its value when a launch begins; null: that of the launch before.</param>
    public GraphCondition CreateCondition(uint? defaultValue = null) {
        ulong condition;
        CuprumNative.cuprum_graph_definition_create_condition(
            out condition, Use(Operations.GraphDefinitionCreateCondition), defaultValue.HasValue ? 1 : 0,
            defaultValue.GetValueOrDefault());
        return new GraphCondition(condition);
    }

    /// <summary>A graph that can be launched; the caller disposes of it.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="InvalidStateException">This is a part of another graph.</exception>
    public Graph Instantiate(GraphCompleteOptions options = null) {
        options = options ?? new GraphCompleteOptions();
        string operation = Operations.GraphDefinitionInstantiate;
        IntPtr graph;
        CuprumNative.cuprum_graph_definition_instantiate(out graph, Use(operation), options.AutoFreeOnLaunch ? 1 : 0,
                                                         options.DeviceLaunch ? 1 : 0, options.UseNodePriority ? 1 : 0,
                                                         Stream.UseOptional(options.UploadStream, operation));
        return new Graph(graph);
    }

    /// <summary>Writes the graph to a file in DOT, the language of Graphviz.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">What it has beside nodes and edges.</param>
    public void DebugDotPrint(string path, GraphDebugPrint options = GraphDebugPrint.Topology) {
        CuprumNative.cuprum_graph_definition_debug_dot_print(Use(Operations.GraphDefinitionDebugDotPrint),
                                                             Require.NotNull(path, nameof(path)), (uint)options);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the definition.</summary>
    public override string ToString() {
        return "GraphDefinition " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
