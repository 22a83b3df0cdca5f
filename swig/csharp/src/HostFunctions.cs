using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Cuprum.Native {

/// <summary>Functions that streams call. One thread runs them all, one after the other.</summary>
internal static class HostFunctions {
    // This application domain's: a domain cannot be unloaded while a thread of its waits in native code.
    private static readonly ulong queue = CuprumNative.cuprum_csharp_new_host_function_queue();

    static HostFunctions() {
        if (queue == 0) {
            throw new OutOfMemoryException("no native memory for the queue of host functions");
        }
        new Thread(RunAll) { IsBackground = true, Name = "Cuprum host functions" }.Start();
        AppDomain.CurrentDomain.ProcessExit += End;
        AppDomain.CurrentDomain.DomainUnload += End;
    }

    private static void End(object sender, EventArgs arguments) {
        CuprumNative.cuprum_csharp_end_host_functions(queue);
    }

    /// <summary>Has a stream call <paramref name="function"/>, which is kept until then.</summary>
    public static void Launch(NativeHandle stream, Action function) {
        GCHandle kept = GCHandle.Alloc(function);
        try {
            CuprumNative.cuprum_csharp_launch_host_function(stream, queue, (ulong)GCHandle.ToIntPtr(kept).ToInt64());
        } catch {
            kept.Free();
            throw;
        }
    }

    /// <summary>Has a graph call <paramref name="function"/> in every launch, which it keeps: by the call of the C ABI with
    /// that number. Gives the node where one is added.</summary>
    public static ulong GiveToGraph(int call, NativeHandle owner, NativeHandle definition, ulong node, Action function) {
        for (ulong released; (released = CuprumNative.cuprum_csharp_released_graph_function()) != 0;) {
            GCHandle.FromIntPtr((IntPtr)(long)released).Free();
        }
        GCHandle kept = GCHandle.Alloc(new GraphFunction(function));
        ulong added;
        try {
            CuprumNative.cuprum_csharp_graph_callback(out added, call, owner.Value, definition.Value, node, queue,
                                                      (ulong)GCHandle.ToIntPtr(kept).ToInt64());
        } catch {
            kept.Free();
            throw;
        }
        GC.KeepAlive(owner);
        GC.KeepAlive(definition);
        return added;
    }

    // One that is called again and again.
    private sealed class GraphFunction {
        public readonly Action Function;

        public GraphFunction(Action function) {
            Function = function;
        }
    }

    private static void RunAll() {
        for (ulong next; (next = CuprumNative.cuprum_csharp_next_host_function(queue)) != 0;) {
            Run(GCHandle.FromIntPtr((IntPtr)(long)next));
        }
    }

    // By itself, so that nothing of the function is left on the stack.
    private static void Run(GCHandle kept) {
        var ofGraph = kept.Target as GraphFunction;
        Action function = ofGraph != null ? ofGraph.Function : (Action)kept.Target;
        if (ofGraph == null) {
            kept.Free();
        }
        try {
            function();
        } catch (Exception error) {
            Stream.ReportHostFunctionException(error);
        }
    }
}

}
