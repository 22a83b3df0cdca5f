package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostFunctions;
import io.cuprum.internal.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Captures what is put into its stream, from {@link #beginBuilding()} to {@link #endBuilding()}, into a graph: launches,
 * copies, fills and events. None of it runs. What cannot be in a graph, as waiting for the stream, fails and makes the
 * capture invalid.
 *
 * <p>Functions given to {@link #callback} are kept; buffers, kernels and events that captured work uses are the caller's to
 * keep until the graph is closed and its launches have ended.
 */
public final class GraphBuilder extends GraphBuilderMembers {
    private final Stream stream;

    GraphBuilder(long handle) {
        super(handle, CuprumNative::cuprum_graph_builder_destroy);
        long[] captured = new long[1];
        CuprumNative.cuprum_graph_builder_stream(captured, handle);
        stream = new Stream(captured[0]);
    }

    /** {@return the stream that it captures in} */
    public Stream stream() {
        return stream;
    }

    /**
     * Begins to capture, and leaves it to the program which calls it makes meanwhile.
     *
     * @return this
     */
    public GraphBuilder beginBuilding() {
        return beginBuilding(GraphBuildMode.RELAXED);
    }

    /**
     * Begins to capture; once.
     *
     * @param mode which calls are refused meanwhile
     * @return this
     * @throws InvalidStateException when it is building already or has ended
     */
    public GraphBuilder beginBuilding(GraphBuildMode mode) {
        with(Operations.GRAPH_BUILDER_BEGIN_BUILDING, builder -> {
            CuprumNative.cuprum_graph_builder_begin_building(builder, mode.ordinal());
            return null;
        });
        return this;
    }

    /**
     * Ends the capture.
     *
     * @return this
     * @throws InvalidStateException when a builder that was split off was not joined, or the capture is invalid
     */
    public GraphBuilder endBuilding() {
        with(Operations.GRAPH_BUILDER_END_BUILDING, builder -> {
            CuprumNative.cuprum_graph_builder_end_building(builder);
            return null;
        });
        return this;
    }

    /** {@return what was built; of the body of a conditional node also before building begins. The caller closes it} */
    public GraphDefinition graphDefinition() {
        return with(Operations.GRAPH_BUILDER_GRAPH_DEFINITION, builder -> {
            long[] definition = new long[1];
            CuprumNative.cuprum_graph_builder_graph_definition(definition, builder);
            return new GraphDefinition(definition[0]);
        });
    }

    /** {@return the graph that was built, to be launched; the caller closes it} */
    public Graph complete() {
        return complete(new GraphCompleteOptions());
    }

    /**
     * The graph that was built, to be launched.
     *
     * @param options the options
     * @return the graph; the caller closes it
     */
    public Graph complete(GraphCompleteOptions options) {
        try (GraphDefinition definition = graphDefinition()) {
            return definition.instantiate(options);
        }
    }

    /**
     * Writes the graph that was built to a file in DOT, the language of Graphviz.
     *
     * @param path the file
     * @param options what it has beside nodes and edges
     */
    public void debugDotPrint(String path, GraphDebugPrint... options) {
        try (GraphDefinition definition = graphDefinition()) {
            definition.debugDotPrint(path, options);
        }
    }

    /** {@return another builder of the graph, whose work is beside what follows in this one; the caller closes it} */
    public GraphBuilder split() {
        return with(Operations.GRAPH_BUILDER_SPLIT, builder -> {
            long[] split = new long[1];
            CuprumNative.cuprum_graph_builder_split(split, builder);
            return new GraphBuilder(split[0]);
        });
    }

    /**
     * What follows comes after the work of others, too, that were split off. Closes them.
     *
     * @param others the others
     */
    public void join(GraphBuilder... others) {
        for (GraphBuilder other : others) {
            with(Operations.GRAPH_BUILDER_JOIN, builder -> other.with(Operations.GRAPH_BUILDER_JOIN, joined -> {
                CuprumNative.cuprum_graph_builder_join(builder, joined);
                return null;
            }));
            other.close();
        }
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
        return with(Operations.GRAPH_BUILDER_CREATE_CONDITION, builder -> {
            long[] condition = new long[1];
            CuprumNative.cuprum_graph_builder_create_condition(
                    condition, builder, hasDefault, Integer.toUnsignedLong(defaultValue));
            return new GraphCondition(condition[0]);
        });
    }

    /**
     * What runs where the condition is not 0.
     *
     * @param condition a condition for this alone
     * @return its builder; the caller closes it
     */
    public GraphBuilder ifThen(GraphCondition condition) {
        return conditional(condition, GraphConditionalType.IF, 1).get(0);
    }

    /**
     * What runs where the condition is not 0, and where it is.
     *
     * @param condition a condition for this alone
     * @return their builders; the caller closes them
     */
    public List<GraphBuilder> ifElse(GraphCondition condition) {
        return conditional(condition, GraphConditionalType.IF, 2);
    }

    /**
     * What runs again and again while the condition is not 0.
     *
     * @param condition a condition for this alone
     * @return its builder; the caller closes it
     */
    public GraphBuilder whileLoop(GraphCondition condition) {
        return conditional(condition, GraphConditionalType.WHILE, 1).get(0);
    }

    /**
     * What runs where the condition is 0, 1 and so on.
     *
     * @param condition a condition for this alone
     * @param count how many
     * @return their builders; the caller closes them
     */
    public List<GraphBuilder> switchCase(GraphCondition condition, int count) {
        return conditional(condition, GraphConditionalType.SWITCH, count);
    }

    private List<GraphBuilder> conditional(GraphCondition condition, GraphConditionalType type, int count) {
        return with(Operations.GRAPH_BUILDER_ADD_CONDITIONAL, builder -> {
            long[] node = new long[1];
            CuprumNative.cuprum_graph_builder_add_conditional(
                    node, builder, condition.handle(), type.ordinal(), count);
            List<GraphBuilder> bodies = new ArrayList<>();
            for (int i = 0; i < count; ++i) {
                long[] body = new long[1];
                CuprumNative.cuprum_graph_builder_take_body(body, builder, node[0], i);
                bodies.add(new GraphBuilder(body[0]));
            }
            return bodies;
        });
    }

    /**
     * A copy of another graph as one node.
     *
     * @param child the other graph
     */
    public void embed(GraphDefinition child) {
        with(Operations.GRAPH_BUILDER_EMBED, builder -> child.with(Operations.GRAPH_BUILDER_EMBED, embedded -> {
            CuprumNative.cuprum_graph_builder_embed(builder, embedded);
            return null;
        }));
    }

    /**
     * A function that runs on a thread of the driver's in every launch, under the rules of
     * {@link Stream#launchHostFunction}.
     *
     * @param function what to call
     */
    public void callback(Runnable function) {
        Objects.requireNonNull(function, "function must not be null");
        with(Operations.GRAPH_BUILDER_CALLBACK,
                builder -> HostFunctions.giveToGraph(GraphCalls.BUILD, builder, 0, 0, function));
    }

    /** Ends what is being captured, which is lost. Graphs and definitions stay. */
    @Override
    public void close() {
        super.close();
        stream.close();
    }
}
