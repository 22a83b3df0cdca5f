package io.cuprum.internal;

/** Functions that CUDA calls, on threads of its own. */
public final class HostFunctions {
    static {
        // Once the JVM stops its threads, one that a host function runs on would keep the driver from ending.
        Runtime.getRuntime().addShutdownHook(new Thread(CuprumNative::end_host_functions));
    }

    /** From the exit of the JVM on, no function of Java's is called any more. */
    static void endWithJvm() {
        // The class is initialised now.
    }

    private HostFunctions() {}

    /**
     * Has a stream call {@code function} when all work so far is done.
     *
     * @param stream the handle
     * @param function what to call, kept until then
     */
    public static void launch(long stream, Runnable function) {
        CuprumNative.launch_host_function(stream, function);
    }

    /**
     * Has a graph call {@code function} in every launch.
     *
     * @param call which call of the C ABI is meant: swig/common/graph_nodes.hpp
     * @param owner a graph, a builder or 0
     * @param definition a definition or 0
     * @param node the node
     * @param function what to call, kept as long as a graph has it
     * @return the node, where one was added
     */
    public static long giveToGraph(int call, long owner, long definition, long node, Runnable function) {
        return CuprumNative.graph_callback(call, owner, definition, node, function);
    }

    /** Called from native/host_function.hpp. */
    static void call(Runnable function) {
        try {
            function.run();
        } catch (Throwable error) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
    }
}
