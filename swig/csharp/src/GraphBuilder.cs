using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Captures what is put into its stream, from <see cref="BeginBuilding"/> to <see cref="EndBuilding"/>, into a
/// graph: launches, copies, fills and events. None of it runs. What cannot be in a graph, as waiting for the stream, fails
/// and makes the capture invalid.</summary>
/// <remarks>Functions given to <see cref="Callback"/> are kept, and the kernels, buffers and arrays of captured launches,
/// copies and fills. Texture and surface objects, and memory that no buffer owns, are the caller's to keep until the graph
/// is disposed of and its launches have ended.</remarks>
public sealed partial class GraphBuilder : IDisposable {
    private readonly NativeHandle handle;

    internal GraphBuilder(IntPtr builder) {
        handle = new NativeHandle(builder, CuprumNative.cuprum_release_graph_builder);
        IntPtr stream;
        CuprumNative.cuprum_graph_builder_stream(out stream, handle);
        Stream = new Stream(stream);
    }

    /// <summary>The stream that it captures in.</summary>
    public Stream Stream { get; private set; }

    /// <summary>Begins to capture; once. Gives this.</summary>
    /// <param name="mode">Which calls are refused meanwhile.</param>
    /// <exception cref="InvalidStateException">It is building already or has ended.</exception>
    public GraphBuilder BeginBuilding(GraphBuildMode mode = GraphBuildMode.Relaxed) {
        CuprumNative.cuprum_graph_builder_begin_building(Use(Operations.GraphBuilderBeginBuilding), (int)mode);
        return this;
    }

    /// <summary>Ends the capture. Gives this.</summary>
    /// <exception cref="InvalidStateException">A builder that was split off was not joined, or the capture is invalid.
    /// </exception>
    public GraphBuilder EndBuilding() {
        CuprumNative.cuprum_graph_builder_end_building(Use(Operations.GraphBuilderEndBuilding));
        return this;
    }

    /// <summary>What was built; of the body of a conditional node also before building begins. The caller disposes of
    /// it.</summary>
    public GraphDefinition GetGraphDefinition() {
        IntPtr definition;
        CuprumNative.cuprum_graph_builder_graph_definition(out definition, Use(Operations.GraphBuilderGraphDefinition));
        return new GraphDefinition(definition);
    }

    /// <summary>The graph that was built, to be launched; the caller disposes of it.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    public Graph Complete(GraphCompleteOptions options = null) {
        using (GraphDefinition definition = GetGraphDefinition()) {
            return definition.Instantiate(options);
        }
    }

    /// <summary>Writes the graph that was built to a file in DOT, the language of Graphviz.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">What it has beside nodes and edges.</param>
    public void DebugDotPrint(string path, GraphDebugPrint options = GraphDebugPrint.Topology) {
        using (GraphDefinition definition = GetGraphDefinition()) {
            definition.DebugDotPrint(path, options);
        }
    }

    /// <summary>Another builder of the graph, whose work is beside what follows in this one; the caller disposes of
    /// it.</summary>
    public GraphBuilder Split() {
        IntPtr split;
        CuprumNative.cuprum_graph_builder_split(out split, Use(Operations.GraphBuilderSplit));
        return new GraphBuilder(split);
    }

    /// <summary>What follows comes after the work of others, too, that were split off. Disposes of them.</summary>
    /// <param name="others">The others.</param>
    public void Join(params GraphBuilder[] others) {
        foreach (GraphBuilder other in others) {
            CuprumNative.cuprum_graph_builder_join(Use(Operations.GraphBuilderJoin),
                                                   Require.NotNull(other, nameof(others)).Use(Operations.GraphBuilderJoin));
            other.Dispose();
        }
    }

    /// <summary>A condition for one conditional node.</summary>
    /// <param name="defaultValue">Its value when a launch begins; null: that of the launch before.</param>
    public GraphCondition CreateCondition(uint? defaultValue = null) {
        ulong condition;
        CuprumNative.cuprum_graph_builder_create_condition(out condition, Use(Operations.GraphBuilderCreateCondition),
                                                           defaultValue.HasValue ? 1 : 0,
                                                           defaultValue.GetValueOrDefault());
        return new GraphCondition(condition);
    }

    /// <summary>The builder of what runs where the condition is not 0; the caller disposes of it.</summary>
    /// <param name="condition">A condition for this alone.</param>
    public GraphBuilder IfThen(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.If, 1)[0];
    }

    /// <summary>The builders of what runs where the condition is not 0, and where it is; the caller disposes of them.
    /// </summary>
    /// <param name="condition">A condition for this alone.</param>
    public IReadOnlyList<GraphBuilder> IfElse(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.If, 2);
    }

    /// <summary>The builder of what runs again and again while the condition is not 0; the caller disposes of it.</summary>
    /// <param name="condition">A condition for this alone.</param>
    public GraphBuilder WhileLoop(GraphCondition condition) {
        return Conditional(condition, GraphConditionalType.While, 1)[0];
    }

    /// <summary>The builders of what runs where the condition is 0, 1 and so on; the caller disposes of them.</summary>
    /// <param name="condition">A condition for this alone.</param>
    /// <param name="count">How many.</param>
    public IReadOnlyList<GraphBuilder> SwitchCase(GraphCondition condition, int count) {
        return Conditional(condition, GraphConditionalType.Switch, count);
    }

    private IReadOnlyList<GraphBuilder> Conditional(GraphCondition condition, GraphConditionalType type, int count) {
        ulong node;
        CuprumNative.cuprum_graph_builder_add_conditional(out node, Use(Operations.GraphBuilderAddConditional),
                                                          condition.Handle, (int)type, (uint)count);
        var bodies = new List<GraphBuilder>();
        for (int i = 0; i < count; ++i) {
            IntPtr body;
            CuprumNative.cuprum_graph_builder_take_body(out body, Use(Operations.GraphBuilderTakeBody), node, (uint)i);
            bodies.Add(new GraphBuilder(body));
        }
        return bodies;
    }

    /// <summary>A copy of another graph as one node.</summary>
    /// <param name="child">The other graph.</param>
    public void Embed(GraphDefinition child) {
        CuprumNative.cuprum_graph_builder_embed(Use(Operations.GraphBuilderEmbed),
                                                Require.NotNull(child, nameof(child)).Use(Operations.GraphBuilderEmbed));
    }

    /// <summary>A function that runs in every launch, under the rules of <see cref="Stream.LaunchHostFunction"/>.</summary>
    /// <param name="function">What to call.</param>
    public void Callback(Action function) {
        HostFunctions.GiveToGraph(GraphCalls.Build, Use(Operations.GraphBuilderCallback), NativeHandle.None, 0,
                                  Require.NotNull(function, nameof(function)));
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Ends what is being captured, which is lost. Graphs and definitions stay. May be called more than
    /// once.</summary>
    public void Dispose() {
        handle.Dispose();
        Stream.Dispose();
    }

    /// <summary>Names the builder.</summary>
    public override string ToString() {
        return "GraphBuilder " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
